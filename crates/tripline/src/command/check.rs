//! `tripline check`: measures, judges and renders in one go, and leaves the report where other tools find it.

use tripline_judge::Controls;
use tripline_model::{Report, Run, wire};

use super::measure::Session;
use super::{Against, trust};
use crate::baselines;
use crate::cli::{Check, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::files::Output;
use crate::measure::Measured;
use crate::project::Project;
use crate::settings;
use crate::suite::Suite;
use crate::talk;

pub(super) fn run(shared: &Shared, args: &Check) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites.suites)?;
    let canaries: Vec<Suite> = project.suites(&[])?;
    let canaries: Vec<Suite> = canaries
        .into_iter()
        .filter(|suite| suite.canary.is_some())
        .collect();
    // A baseline or a policy that cannot be read is known before the work begins, not after.
    for suite in &suites {
        baselines::of_suite(&project, &suite.name)?;
    }
    for suite in suites.iter().chain(&canaries) {
        settings::policy(&project, suite)?;
    }
    let report_file = project.output().join("report.jsonl");
    let markdown_file = project.output().join("report.md");
    let (report_out, markdown_out) = (Output::open(&report_file)?, Output::open(&markdown_file)?);
    let canary_out = Output::open(&project.output().join("canary.jsonl"))?;
    if canaries.is_empty() {
        talk::say("note: no suite has a `[canary]`, so nobody knows whether this gate is awake");
    }
    let session = super::measure::measured(&project, (&suites, &canaries), &args.how, None)?;
    let mut reports = judged(&project, &suites, &session, args.how.against.is_some())?;
    let trust = trust::of(&project, &session.canaries)?;
    for report in &mut reports {
        report.caveats.extend_from_slice(&trust.failures);
    }
    report_out.complete(&lines_of(&reports))?;
    canary_out.complete(&lines_of(&trust.reports))?;
    let markdown = crate::cli::Show {
        format: "markdown".to_owned(),
        all: args.show.all,
    };
    markdown_out.complete(&super::rendered(&reports, shared, &markdown))?;
    talk::data(&super::rendered(&reports, shared, &args.show))?;
    talk::say(&format!(
        "report: {} and {}",
        report_file.display(),
        markdown_file.display()
    ));
    // A failed canary makes every report a broken one: whatever it says, it is no verdict.
    Ok(super::verdict(&reports))
}

fn lines_of(reports: &[Report]) -> String {
    reports.iter().map(wire::write_report).collect()
}

/// Judges each suite against what was measured beside it, or against its baseline.
fn judged(
    project: &Project,
    suites: &[Suite],
    session: &Session,
    in_session: bool,
) -> Outcome<Vec<Report>> {
    let mut compared: Vec<(&Suite, Option<Run>, &Run)> = Vec::with_capacity(suites.len());
    for (suite, Measured { base, head }) in suites.iter().zip(&session.measured) {
        let base = match base {
            base if in_session => base.clone(),
            _ => baselines::for_run(project, head)?.map(|baseline| baseline.run),
        };
        compared.push((suite, base, head));
    }
    let controls = compared
        .iter()
        .filter(|(suite, ..)| suite.canary.is_some())
        .find_map(|(_, base, head)| Some(Controls::of(base.as_ref()?, head)));
    let mut reports = Vec::with_capacity(suites.len());
    for (suite, base, head) in &compared {
        let against = match base {
            Some(base) if in_session => Against::Run(base),
            kept => Against::baseline(kept.as_ref()),
        };
        let policy = settings::policy(project, suite)?;
        let report = super::judged(Some(project), policy, against, head, controls.as_ref())?;
        settings::note_idle_rows(suite, &report);
        reports.push(report);
    }
    Ok(reports)
}
