//! Loads what was measured together from the folder in which `measure` or `merge` left it. What is missing, or does not
//! belong together, is an error: a gate that looks at less than was measured would pass in silence.
//!
//! Tested by `tests/it/gate`.

use std::path::{Path, PathBuf};

use tripline_model::{CommitId, Run, SuiteName};

use super::super::gate::Session;
use crate::baselines;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::measure::Measured;
use crate::run_folder::{Role, RunFolder};
use crate::suite::Suite;

/// Loads the runs of suites, and those of canaries. Where all are to be judged, each run has to be of a known suite.
pub(super) fn loaded(
    folder: &RunFolder,
    suites: Vec<Suite>,
    canaries: Vec<Suite>,
    known: Option<&[Suite]>,
) -> Outcome<Session> {
    check_none_is_missing(folder, &suites)?;
    if let Some(known) = known {
        check_none_is_foreign(folder, known)?;
    }
    let mut session = Session {
        suites: Vec::with_capacity(suites.len()),
        canaries: Vec::new(),
    };
    for suite in suites {
        let measured = of_suite(folder, &suite.name)?;
        session.suites.push((suite, measured));
    }
    for suite in canaries {
        session.canaries.extend(of_canaries(folder, &suite)?);
    }
    check_commits(&session)?;
    Ok(session)
}

fn of_suite(folder: &RunFolder, suite: &SuiteName) -> Outcome<Measured> {
    let (place, beside) = (
        folder.place(suite, Role::Head),
        folder.place(suite, Role::Base),
    );
    let head = of(suite, &place, baselines::load_run(&place)?)?;
    // Whatever lies beside a run that was measured alone is of another one.
    if head.session.is_none() {
        return Ok(Measured { base: None, head });
    }
    if !beside.exists() {
        let what = format!(
            "`{}` is missing, which `{}` was measured beside",
            beside.display(),
            place.display()
        );
        return Err(not_judged(&what).hint("bring both files of one measurement, or measure again"));
    }
    let base = of(suite, &beside, baselines::load_run(&beside)?)?;
    if base.session != head.session {
        return Err(strangers(&beside, &place));
    }
    let base = Some(base);
    Ok(Measured { base, head })
}

/// Loads a canary as often as it was measured: once by each machine.
pub(in crate::command) fn of_canaries(
    folder: &RunFolder,
    suite: &Suite,
) -> Outcome<Vec<(Suite, Measured)>> {
    let pairs = folder.canaries(&suite.name)?;
    pairs
        .iter()
        .map(|places| of_canary(suite, places))
        .collect()
}

/// Loads a canary, with the steps of it that were measured.
fn of_canary(suite: &Suite, [healthy, planted]: &[PathBuf; 2]) -> Outcome<(Suite, Measured)> {
    let base = of(&suite.name, healthy, baselines::load_any_run(healthy)?)?;
    let head = of(&suite.name, planted, baselines::load_any_run(planted)?)?;
    if head.session.is_none() || base.session != head.session || base.part != head.part {
        return Err(strangers(healthy, planted));
    }
    let measured = match &head.part {
        None => Some(suite.clone()),
        Some(part) => suite.with_only(|step| part.steps().contains(&step.name)),
    };
    let measured = measured.ok_or_else(|| {
        let what = format!(
            "`{}` holds no step that suite `{}` has",
            planted.display(),
            suite.name
        );
        not_judged(&what).hint("measure again: the suite was changed since")
    })?;
    Ok((
        measured,
        Measured {
            base: Some(base),
            head,
        },
    ))
}

/// Returns a run if it is of a suite.
fn of(suite: &SuiteName, place: &Path, run: Run) -> Outcome<Run> {
    if run.suite == *suite {
        return Ok(run);
    }
    let what = format!("`{}` holds a run of suite `{}`", place.display(), run.suite);
    Err(not_judged(&what).hint("a run's place is a folder with the name of its suite"))
}

fn check_none_is_missing(folder: &RunFolder, suites: &[Suite]) -> Outcome<()> {
    let is_missing = |suite: &&Suite| !folder.place(&suite.name, Role::Head).exists();
    let missing = suites.iter().filter(is_missing);
    let missing: Vec<&str> = missing.map(|suite| suite.name.as_str()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let what = format!(
        "`{}` holds no run of: {}",
        folder.root().display(),
        missing.join(", ")
    );
    Err(not_judged(&what)
        .hint("measure all suites, and join what shards measured with `tripline merge`")
        .hint("or name with `--suite` those that are to be judged"))
}

fn check_none_is_foreign(folder: &RunFolder, suites: &[Suite]) -> Outcome<()> {
    for (place, role) in folder.files()? {
        let name = place.parent().and_then(Path::file_name).unwrap_or_default();
        let is_known = suites.iter().any(|suite| suite.name.as_str() == name);
        if role == Role::Head && !is_known {
            let what = format!("there is no suite for the run in `{}`", place.display());
            return Err(not_judged(&what)
                .hint(
                    "bring the suite back; or remove the run, if the suite was dropped on purpose",
                )
                .hint("or name with `--suite` those that are to be judged"));
        }
    }
    Ok(())
}

/// A run that was left by an earlier measurement would be judged as if it were of this commit.
fn check_commits(session: &Session) -> Outcome<()> {
    let heads = session.suites.iter().chain(&session.canaries);
    let mut heads = heads.map(|(suite, measured)| (&suite.name, commit(&measured.head)));
    let Some((first, commit)) = heads.next() else {
        return Ok(());
    };
    match heads.find(|(_, other)| *other != commit) {
        None => Ok(()),
        Some((other, its)) => {
            let said = |commit: Option<&CommitId>| {
                commit.map_or("no commit".to_owned(), ToString::to_string)
            };
            let what = format!(
                "the runs are of different commits: `{first}` of {}, `{other}` of {}",
                said(commit),
                said(its)
            );
            Err(not_judged(&what).hint("measure all of it again"))
        }
    }
}

fn commit(run: &Run) -> Option<&CommitId> {
    run.revision.as_ref().map(|revision| &revision.commit)
}

fn strangers(one: &Path, other: &Path) -> CommandError {
    let what = format!(
        "`{}` was not measured together with `{}`",
        one.display(),
        other.display()
    );
    not_judged(&what).hint("bring both files of one measurement, or measure again")
}

fn not_judged(why: &str) -> CommandError {
    CommandError::new(Exit::BadInput, format!("nothing was judged: {why}"))
}
