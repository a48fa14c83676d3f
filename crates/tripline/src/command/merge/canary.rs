//! The canaries of all shards: each vouches for its own machine, so they are kept side by side and never joined.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::{Run, SuiteName};

use super::found::Found;
use super::refused;
use crate::error::{CommandError, Outcome};
use crate::run_folder::Role;

/// Returns the canaries of all shards, numbered in the order in which they come.
pub(super) fn numbered(runs: &[Found]) -> Outcome<Vec<(SuiteName, Role, Run)>> {
    let is_healthy = |one: &&Found| matches!(one.role, Role::Healthy(_));
    let mut halves: Vec<&Found> = runs.iter().filter(is_healthy).collect();
    let mut canaries = Vec::new();
    let mut counts: BTreeMap<&SuiteName, usize> = BTreeMap::new();
    let mut sessions = BTreeSet::new();
    for planted in runs
        .iter()
        .filter(|one| matches!(one.role, Role::Planted(_)))
    {
        let other = halves.iter().position(|healthy| are_one(healthy, planted));
        let healthy = halves.remove(other.ok_or_else(|| half(planted))?);
        let suite = &planted.run.suite;
        if !sessions.insert((suite, &planted.run.session)) {
            let what = format!("the canary in `{}` is given twice", planted.path.display());
            return Err(refused(&what).hint("name what each shard left once"));
        }
        let number = counts.entry(suite).or_default();
        *number += 1;
        canaries.push((suite.clone(), Role::Healthy(*number), healthy.run.clone()));
        canaries.push((suite.clone(), Role::Planted(*number), planted.run.clone()));
    }
    match halves.first() {
        None => Ok(canaries),
        Some(alone) => Err(half(alone)),
    }
}

/// Returns whether two files are the two halves of one canary.
fn are_one(healthy: &Found, planted: &Found) -> bool {
    let numbers = match (healthy.role, planted.role) {
        (Role::Healthy(one), Role::Planted(other)) => one == other,
        _ => false,
    };
    let (one, other) = (&healthy.run, &planted.run);
    numbers
        && healthy.path.parent() == planted.path.parent()
        && one.suite == other.suite
        && one.session == other.session
        && one.part == other.part
}

fn half(canary: &Found) -> CommandError {
    let what = format!(
        "of the canary in `{}` one half is missing, or of another",
        canary.path.display()
    );
    refused(&what).hint("bring both files of each shard: `healthy.jsonl` and `planted.jsonl`")
}
