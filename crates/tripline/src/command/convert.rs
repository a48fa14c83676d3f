//! `tripline convert`: hands runs on to another service, in the form that it reads.
//!
//! Tested by `tests/it/publish`.

use tripline_model::Run;

use crate::baselines;
use crate::cli::{Convert, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::Output;

const NOT_DONE: &str = "nothing was converted";

pub(super) fn run(shared: &Shared, args: &Convert) -> Outcome<Exit> {
    let output = Output::open(&args.out)?;
    let runs = runs(shared, args)?;
    let exporter =
        tripline_render::exporter(&args.to).expect("clap lets through only the forms of the list");
    output.complete(&(exporter.export)(&runs))?;
    Ok(Exit::Pass)
}

/// Returns the runs that were named, or the latest of each suite.
fn runs(shared: &Shared, args: &Convert) -> Outcome<Vec<Run>> {
    if !args.runs.is_empty() {
        return args
            .runs
            .iter()
            .map(|path| baselines::load_run(path))
            .collect();
    }
    let project = super::project(shared)?;
    let mut runs = Vec::new();
    for suite in project.suites(&args.suites.suites)? {
        runs.extend(baselines::load_run_if_any(
            &project.latest_run(&suite.name),
        )?);
    }
    if runs.is_empty() {
        return Err(CommandError::new(Exit::NothingMeasured, NOT_DONE)
            .hint("measure first: `tripline measure`; or name run files"));
    }
    Ok(runs)
}
