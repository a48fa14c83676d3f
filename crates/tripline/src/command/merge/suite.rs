//! Joins the parts of one suite, on both sides.

use sha2::{Digest as _, Sha256};
use tripline_model::few;
use tripline_model::{
    BenchId, OF_THE_BASE, Part, Run, RunError, SessionId, StepName, SuiteName, Unmeasured,
};

use super::environment;
use super::found::{Found, agree, differ};
use super::{refused, twice};
use crate::error::{CommandError, Outcome};
use crate::measure::{fail_unmeasured, said_of};

/// What one machine measured of a suite.
pub(super) struct Shard<'a> {
    pub(super) head: &'a Found,
    /// What it measured beside it.
    pub(super) base: Option<&'a Found>,
}

impl Shard<'_> {
    /// Returns whether a base was measured beside this head.
    pub(super) fn is_beside(&self, base: &Run) -> bool {
        let head = &self.head.run;
        base.session.is_some()
            && base.session == head.session
            && steps(base.part.as_ref()) == steps(head.part.as_ref())
    }
}

fn steps(part: Option<&Part>) -> &[StepName] {
    part.map_or(&[], Part::steps)
}

/// Joins base and head of a suite.
pub(super) fn joined(mut shards: Vec<Shard<'_>>) -> Outcome<(Option<Run>, Run)> {
    check_parts(&mut shards)?;
    check_sides(&shards)?;
    let heads: Vec<&Found> = shards.iter().map(|shard| shard.head).collect();
    let bases: Vec<&Found> = shards.iter().filter_map(|shard| shard.base).collect();
    let base = match &bases[..] {
        [] => None,
        bases => Some(side(bases)?),
    };
    let mut head = side(&heads)?;
    // What a side lacks is known only now. As when it was measured, the base's failures stand in the head's run.
    let known = few::set_of(
        bases
            .iter()
            .flat_map(|base| &base.run.failures)
            .map(|one| one.step.clone()),
    );
    let new = base.iter().flat_map(|base| &base.failures);
    let new = new.filter(|failure| !known.contains(&failure.step));
    head.failures
        .extend(new.map(|failure| said_of(failure.clone(), Some(OF_THE_BASE))));
    Ok((base, head))
}

/// Checks that the parts are all of one whole, and each step in one of them; and puts them in the order of the steps.
fn check_parts(shards: &mut [Shard<'_>]) -> Outcome<()> {
    let [first, rest @ ..] = &*shards else {
        return Ok(());
    };
    let first = first.head;
    let Some(part) = &first.run.part else {
        return match rest {
            [] => Ok(()),
            [other, ..] => Err(overlap(first, other.head, "the whole suite")),
        };
    };
    let mut places: Vec<Option<&Found>> = vec![None; part.of().len()];
    for one in shards.iter().map(|shard| shard.head) {
        let Some(its) = &one.run.part else {
            return Err(overlap(one, first, "the whole suite"));
        };
        if its.of() != part.of() {
            return Err(differ(
                "of different wholes",
                (first, &named(part.of())),
                (one, &named(its.of())),
            ));
        }
        for step in its.steps() {
            let place = part.of().iter().position(|known| known == step);
            let place = place.expect("the steps of a part are steps of its whole");
            if let Some(other) = places[place].replace(one) {
                return Err(overlap(other, one, &format!("step `{step}`")));
            }
        }
    }
    let missing = part
        .of()
        .iter()
        .zip(&places)
        .filter(|(_, holder)| holder.is_none());
    let missing: Vec<StepName> = missing.map(|(step, _)| step.clone()).collect();
    if !missing.is_empty() {
        return Err(gap(&first.run.suite, &missing));
    }
    let of = part.of().to_vec();
    few::sort_by_key(shards, |shard| {
        let steps = steps(shard.head.run.part.as_ref());
        of.iter().position(|step| steps.contains(step))
    });
    Ok(())
}

/// Checks that all parts were measured in one way, and that no base was lost.
fn check_sides(shards: &[Shard<'_>]) -> Outcome<()> {
    let how = |run: &Run| {
        run.part
            .as_ref()
            .map_or(String::new(), |part| part.how.to_string())
    };
    let heads = || shards.iter().map(|shard| shard.head);
    agree("measured in different ways", heads(), how)?;
    let beside = |run: &Run| {
        if run.session.is_some() {
            "beside a base"
        } else {
            "alone"
        }
    };
    agree("measured in different ways", heads(), beside)?;
    let is_alone = |shard: &&Shard<'_>| shard.head.run.session.is_some() && shard.base.is_none();
    match shards.iter().find(is_alone) {
        None => Ok(()),
        Some(shard) => {
            let what = format!(
                "the base is missing that `{}` was measured beside",
                shard.head.path.display()
            );
            Err(refused(&what).hint("bring both files of each shard: `run.jsonl` and `base.jsonl`"))
        }
    }
}

/// Joins the parts of one side, which come in the order of their steps.
fn side(parts: &[&Found]) -> Outcome<Run> {
    let [first, ..] = parts else {
        return Err(refused("there is no part"));
    };
    let began = parts.iter().map(|part| part.run.measured_at).min();
    let mut run = Run::new(
        first.run.suite.clone(),
        began.unwrap_or(first.run.measured_at),
        environment::joined(parts)?,
        first.run.producer.clone(),
    );
    run.revision.clone_from(&first.run.revision);
    run.session = session(parts);
    for part in parts {
        for measurement in part.run.measurements() {
            let joined = run.join(measurement.clone());
            joined.map_err(|error| misfit(parts, measurement.bench(), error))?;
        }
        for failure in &part.run.failures {
            // What goes along with every part fails in every part in the same way.
            if !run.failures.contains(failure) {
                run.failures.push(failure.clone());
            }
        }
    }
    let unmeasured = unmeasured(parts, &run);
    fail_unmeasured(&mut run, unmeasured);
    Ok(run)
}

/// Returns what was answered for, and measured by no part.
fn unmeasured(parts: &[&Found], run: &Run) -> Vec<Unmeasured> {
    let noted = parts.iter().filter_map(|part| part.run.part.as_ref());
    let noted = few::set_of(noted.flat_map(|part| &part.unmeasured));
    let is_measured = |one: &Unmeasured| {
        let bench = BenchId {
            suite: run.suite.clone(),
            name: one.name.clone(),
            params: one.params.clone(),
        };
        run.measurement(&bench).is_some()
    };
    noted
        .into_iter()
        .filter(|one| !is_measured(one))
        .cloned()
        .collect()
}

/// Returns the id of the session that is joined from the sessions of the parts: the same for base and head, and for the
/// same parts.
fn session(parts: &[&Found]) -> Option<SessionId> {
    let id = |part: &&Found| part.run.session.clone();
    if let [only] = parts {
        return id(only);
    }
    let mut digest = Sha256::new();
    for part in parts {
        let steps = named(steps(part.run.part.as_ref()));
        let line = format!("{}\t{}\t{steps}\n", part.run.suite, id(part)?);
        digest.update(line);
    }
    let digits: String = digest
        .finalize()
        .iter()
        .take(12)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Some(SessionId::new(format!("merged-{digits}")).expect("digits are an id"))
}

fn named(steps: &[StepName]) -> String {
    let names: Vec<&str> = steps.iter().map(StepName::as_str).collect();
    names.join(", ")
}

fn overlap(one: &Found, other: &Found, what: &str) -> CommandError {
    if one.run == other.run {
        return twice(one, other);
    }
    let (suite, one, other) = (&one.run.suite, one.path.display(), other.path.display());
    refused(&format!(
        "{what} of `{suite}` is in two parts: `{one}` and `{other}`"
    ))
    .hint("join only what one measurement left, with each step in one shard")
}

fn gap(suite: &SuiteName, missing: &[StepName]) -> CommandError {
    refused(&format!(
        "of suite `{suite}` these steps are in no part: {}",
        named(missing)
    ))
    .hint("bring what the other shards left, or measure these steps with `--step`")
}

fn misfit(parts: &[&Found], bench: &BenchId, error: RunError) -> CommandError {
    let holders = parts
        .iter()
        .filter(|part| part.run.measurement(bench).is_some());
    let holders: Vec<String> = holders
        .map(|part| format!("`{}`", part.path.display()))
        .collect();
    let what = format!(
        "what these parts say of `{bench}` does not fit: {}",
        holders.join(", ")
    );
    refused(&what).because(error).hint(
        "each metric of a benchmark is read by one step, and all steps of it do the same work",
    )
}
