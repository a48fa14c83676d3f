//! `tripline merge`: joins what the shards of one measurement left into runs of whole suites.
//!
//! The one idea: a joined run says no more than its parts. What stands in two parts, or in none, or was measured at
//! another commit, in another way or with other tools is an error that names the files; what may differ between two
//! machines of one kind is stated with the steps that it holds for (`environment`). Base and head of each shard were
//! measured side by side, and so are the joined ones.
//!
//! Each shard's canary is kept by itself: it vouches for its machine. Nothing is written unless all fits.
//!
//! Tested by `tests/it/merge` and `tests/it/shards`.

mod canary;
mod environment;
mod found;
mod suite;

use std::collections::BTreeMap;

use tripline_model::{Revision, Run, SuiteName, wire};

use crate::cli::Merge;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::Output;
use crate::measure::joined_durations;
use crate::run_folder::{Role, RunFolder};
use crate::talk;
use found::{Found, Inputs, agree};
use suite::Shard;

pub(super) fn run(args: &Merge) -> Outcome<Exit> {
    let out = RunFolder::new(&args.out);
    if let Some((there, _)) = out.files()?.first() {
        return Err(refused(&format!("there is a run already, in `{}`", there.display()))
            .hint("runs of two measurements would be taken for one: name an empty folder with `--out`"));
    }
    let Inputs { runs, durations } = Inputs::gather(&args.parts)?;
    check_whole(&runs)?;
    let mut merged: Vec<(SuiteName, Role, Run)> = Vec::new();
    for (suite, shards) in shards(&runs)? {
        let count = shards.len();
        let (base, head) = suite::joined(shards)?;
        talk::say(&format!(
            "{suite}: {} of {}",
            talk::counted(head.measurements().len(), "benchmark"),
            talk::counted(count, "part")
        ));
        merged.extend(base.map(|base| (suite.clone(), Role::Base, base)));
        merged.push((suite, Role::Head, head));
    }
    merged.extend(canary::numbered(&runs)?);
    write(&out, &merged)?;
    if !durations.is_empty() {
        Output::open(&out.durations())?.complete(&joined_durations(&durations))?;
    }
    Ok(Exit::Pass)
}

/// Writes all runs; none is put in its place before all places are open.
fn write(out: &RunFolder, merged: &[(SuiteName, Role, Run)]) -> Outcome<()> {
    let places = merged
        .iter()
        .map(|(suite, role, _)| Output::open(&out.place(suite, *role)));
    let places: Vec<Output> = places.collect::<Outcome<_>>()?;
    for ((.., run), place) in merged.iter().zip(places) {
        place.complete(&wire::write_run(run))?;
    }
    Ok(())
}

/// Checks what all runs of one measurement have in common.
fn check_whole(runs: &[Found]) -> Outcome<()> {
    let producer = |run: &Run| format!("{} {}", run.producer.name, run.producer.version);
    agree("written by different programs", runs.iter(), producer)?;
    let commit = |run: &Run| {
        let said = |revision: &Revision| revision.to_string();
        run.revision.as_ref().map_or("no commit".to_owned(), said)
    };
    // Nothing but what is planted tells the sides of a canary apart, and both are of the head's commit.
    let (bases, heads): (Vec<&Found>, Vec<_>) = runs.iter().partition(|one| one.role == Role::Base);
    agree("of different commits", heads.into_iter(), commit)?;
    agree("compared with different commits", bases.into_iter(), commit)
}

/// Puts each base beside the head that it was measured with, and returns the shards of each suite.
fn shards(runs: &[Found]) -> Outcome<BTreeMap<SuiteName, Vec<Shard<'_>>>> {
    let mut shards: BTreeMap<SuiteName, Vec<Shard<'_>>> = BTreeMap::new();
    for head in runs.iter().filter(|one| one.role == Role::Head) {
        let of_suite = shards.entry(head.run.suite.clone()).or_default();
        of_suite.push(Shard { head, base: None });
    }
    for base in runs.iter().filter(|one| one.role == Role::Base) {
        let mut of_suite = shards.entry(base.run.suite.clone()).or_default().iter_mut();
        let shard = of_suite
            .find(|shard| shard.is_beside(&base.run))
            .ok_or_else(|| {
                let what = format!(
                    "no run was measured beside the base in `{}`",
                    base.path.display()
                );
                refused(&what).hint("bring both files of each shard: `run.jsonl` and `base.jsonl`")
            })?;
        if let Some(other) = shard.base.replace(base) {
            return Err(twice(other, base));
        }
    }
    Ok(shards)
}

fn twice(one: &Found, other: &Found) -> CommandError {
    let (one, other) = (one.path.display(), other.path.display());
    refused(&format!("`{one}` and `{other}` are the same part"))
        .hint("name what each shard left once")
}

fn refused(why: &str) -> CommandError {
    CommandError::new(Exit::BadInput, format!("nothing was merged: {why}"))
}
