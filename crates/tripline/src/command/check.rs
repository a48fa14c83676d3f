//! `tripline check`: measures, judges and renders in one go, and leaves the report where other tools find it.

use tripline_model::wire;

use crate::baselines;
use crate::cli::{Check, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::files::Output;
use crate::talk;

pub(super) fn run(shared: &Shared, args: &Check) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites.suites)?;
    // A baseline that cannot be read is known before the work begins, not after.
    for suite in &suites {
        baselines::of_suite(&project, &suite.name)?;
    }
    let report_file = project.output().join("report.jsonl");
    let markdown_file = project.output().join("report.md");
    let (report_out, markdown_out) = (Output::open(&report_file)?, Output::open(&markdown_file)?);
    let runs = super::measure::measured(&project, &suites, &args.how, None)?;
    let mut reports = Vec::with_capacity(runs.len());
    for run in &runs {
        let base = baselines::for_run(&project, run)?;
        reports.push(super::judged(
            base.as_ref().map(|baseline| &baseline.run),
            run,
        )?);
    }
    let lines: Vec<String> = reports.iter().map(wire::write_report).collect();
    report_out.complete(&lines.concat())?;
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
    Ok(super::verdict(&reports))
}
