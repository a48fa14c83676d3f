//! `tripline check`: measures, judges and renders in one go, and leaves the report where other tools find it. It says the
//! same as `measure --canary` and `judge --from` would.

use super::gate::{self, lines_of};
use super::measure::{Order, measured};
use crate::baselines;
use crate::cli::{Check, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::files::Output;
use crate::past::History;
use crate::settings;
use crate::talk;

pub(super) fn run(shared: &Shared, args: &Check) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites.suites)?;
    let canaries = project.canaries()?;
    // A baseline or a policy that cannot be read is known before the work begins, not after.
    for suite in &suites {
        baselines::of_suite(&project, &suite.name)?;
    }
    for suite in suites.iter().chain(&canaries) {
        settings::policy(&project, suite)?;
    }
    let history = History::open(project.root(), args.past.history.as_deref())?;
    let report_file = project.output().join("report.jsonl");
    let markdown_file = project.output().join("report.md");
    let (report_out, markdown_out) = (Output::open(&report_file)?, Output::open(&markdown_file)?);
    let canary_out = Output::open(&project.output().join("canary.jsonl"))?;
    if canaries.is_empty() {
        super::trust::note_no_canary();
    }
    let order = Order {
        suites: &suites,
        canaries: &canaries,
        how: &args.how,
        folder: project.latest_runs(),
        file: None,
    };
    let session = measured(&project, &order)?;
    // A name may mean another commit by now; what was measured says which one it was.
    let is_beside = session.suites.iter().any(|(_, it)| it.base.is_some());
    let against = args.how.against.as_deref().filter(|_| !is_beside);
    let judged = gate::judged(&project, &session, against, history.as_ref())?;
    report_out.complete(&lines_of(&judged.reports))?;
    canary_out.complete(&lines_of(&judged.canaries))?;
    let markdown = crate::cli::Show {
        format: "comment".to_owned(),
        all: args.show.all,
    };
    markdown_out.complete(&super::rendered(&judged.reports, shared, &markdown))?;
    talk::data(&super::rendered(&judged.reports, shared, &args.show))?;
    talk::say(&format!(
        "report: {} and {}",
        report_file.display(),
        markdown_file.display()
    ));
    // The one report there is stands just above.
    if judged.reports.len() > 1 {
        super::closing::say(&judged.reports);
    }
    Ok(super::verdict(&judged.reports))
}
