//! Rows that name a metric which nobody knows and which is nearly a known one. A harness may name one of its own so, and
//! then what is measured has it; else it is a slip of the pen, and a gate that passed over it would not hold what it is to.
//!
//! Tested by `tests/it/policy`.

use std::path::Path;

use tripline_model::{MetricName, Run, SuiteName};

use super::row::{Slip, did_you_mean};
use super::{FILE, Settings, policy};
use crate::baselines;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::measure::LEFT_OUT;
use crate::project::Project;
use crate::suite::{Suite, SuiteProblem};
use crate::talk;

/// Refuses to judge by rows whose metric is in none of these runs, and in nothing else that was kept or measured here. Where
/// one of them is not whole, it may be what is missing, and that is said.
pub(crate) fn refuse_slips(project: &Project, suite: &SuiteName, runs: &[&Run]) -> Outcome<()> {
    if let Some(suite) = project.suite_if_any(suite)? {
        refuse_slips_of(project, &suite, runs)?;
    }
    for slip in &Settings::load(project.root())?.rows.slips {
        let is_known = has(runs, &slip.metric) || is_of_any_suite(project, &slip.metric)?;
        if !is_known {
            refuse(slip, Path::new(FILE), runs)?;
        }
    }
    Ok(())
}

/// Refuses to judge a suite by such rows of its own file.
pub(crate) fn refuse_slips_of(project: &Project, suite: &Suite, runs: &[&Run]) -> Outcome<()> {
    let runs: Vec<&Run> = runs
        .iter()
        .copied()
        .filter(|run| run.suite == suite.name)
        .collect();
    for slip in &suite.judging.rows.slips {
        if !has(&runs, &slip.metric) && !was_measured(project, &suite.name, &slip.metric)? {
            refuse(slip, suite.file_in(project), &runs)?;
        }
    }
    Ok(())
}

/// Looks at the rows by which suites are going to be judged, before anything is measured. That the metric of one is in
/// nothing that was kept or measured here is said: it may be new, so that nothing is refused for it.
pub(crate) fn look_over(project: &Project, suites: &[Suite]) -> Outcome<()> {
    for suite in suites {
        policy(project, suite)?;
        for slip in &suite.judging.rows.slips {
            if !was_measured(project, &suite.name, &slip.metric)? {
                note(slip, suite.file_in(project), "what is measured decides");
            }
        }
    }
    for slip in &Settings::load(project.root())?.rows.slips {
        if !is_of_any_suite(project, &slip.metric)? {
            note(slip, Path::new(FILE), "what is measured decides");
        }
    }
    Ok(())
}

fn refuse(slip: &Slip, file: &Path, runs: &[&Run]) -> Outcome<()> {
    if !runs.iter().all(|run| is_whole(run)) {
        note(slip, file, "not all was measured that may have it");
        return Ok(());
    }
    let what = format!("nothing was judged: `{}` cannot be used", file.display());
    let problem = SuiteProblem {
        line: slip.line,
        column: slip.column,
        problem: format!(
            "neither a known metric nor one that was measured is named `{}`",
            slip.metric
        ),
        hint: None,
    };
    Err(CommandError::new(Exit::BadInput, what)
        .because(problem)
        .hint(did_you_mean(&slip.meant)))
}

fn note(slip: &Slip, file: &Path, but: &str) {
    let (file, line, column) = (file.display(), slip.line, slip.column);
    let (metric, meant) = (&slip.metric, did_you_mean(&slip.meant));
    talk::say(&talk::shown(&format!(
        "note: of the row at `{file}:{line}:{column}`: neither a known metric nor one that was kept or measured here is named `{metric}`; {meant} {but}"
    )));
}

fn has(runs: &[&Run], name: &MetricName) -> bool {
    let mut metrics = runs.iter().flat_map(|run| run.metrics());
    metrics.any(|metric| metric.name == *name)
}

/// Returns whether a suite measured or derives it, whichever suite that is.
fn is_of_any_suite(project: &Project, name: &MetricName) -> Outcome<bool> {
    for suite in project.suites_on_demand_too(&[])? {
        let is_derived = suite.judging.derived.iter().any(|it| it.name() == name);
        if is_derived || was_measured(project, &suite.name, name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a kept run of a suite has it, or the latest.
fn was_measured(project: &Project, suite: &SuiteName, name: &MetricName) -> Outcome<bool> {
    let kept = baselines::of_suite(project, suite)?;
    if kept.iter().any(|kept| has(&[&kept.run], name)) {
        return Ok(true);
    }
    let latest = baselines::load_run_if_any(&project.latest_run(suite))?;
    Ok(latest.is_some_and(|latest| has(&[&latest], name)))
}

/// Returns whether nothing of a run failed, or was left out on its machine.
fn is_whole(run: &Run) -> bool {
    let mut facts = run.environment.facts();
    run.failures.is_empty() && !facts.any(|(fact, _)| fact.as_str().starts_with(LEFT_OUT))
}
