//! One file per verb. A verb reads files, calls one or two stages, and writes files.

mod baseline;
mod check;
mod doctor;
mod judge;
mod measure;
mod plan;
mod read;
mod render;

use tripline_model::{Gate, Report, Run};
use tripline_render::{Detail, View};

use crate::cli::{Cli, Shared, Show, Verb};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::talk;

/// Does what was asked.
pub(crate) fn run(cli: Cli) -> Outcome<Exit> {
    let Cli { verb, shared } = cli;
    match verb {
        Verb::Check(args) => check::run(&shared, &args),
        Verb::Plan(args) => plan::run(&shared, &args),
        Verb::Measure(args) => measure::run(&shared, &args),
        Verb::Read(args) => read::run(&shared, &args),
        Verb::Judge(args) => judge::run(&shared, &args),
        Verb::Render(args) => render::run(&shared, &args),
        Verb::Baseline(verb) => baseline::run(&shared, &verb),
        Verb::Doctor(args) => doctor::run(&shared, &args),
    }
}

fn project(shared: &Shared) -> Outcome<Project> {
    Project::find(shared.root.as_deref())
}

/// Judges a run, by the standard policy.
fn judged(base: Option<&Run>, head: &Run) -> Outcome<Report> {
    tripline_judge::judge(base, head, &tripline_judge::Policy::standard()).map_err(|error| {
        let exit = match error {
            tripline_judge::JudgeError::NothingMeasured { .. } => Exit::NothingMeasured,
            _ => Exit::BadInput,
        };
        CommandError::new(exit, format!("suite `{}` was not judged", head.suite)).because(error)
    })
}

/// Renders reports as they are to be shown on stdout.
fn rendered(reports: &[Report], shared: &Shared, show: &Show) -> String {
    let renderer = tripline_render::renderer(&show.format)
        .expect("clap lets through only the formats of the list");
    let view = View {
        width: talk::width(),
        color: shared.color.for_data(),
        detail: if show.all {
            Detail::Full
        } else {
            Detail::Brief
        },
    };
    (renderer.render)(reports, &view)
}

/// Returns how the program ends after these reports.
fn verdict(reports: &[Report]) -> Exit {
    let of_report = |report: &Report| match report.gate() {
        _ if report.is_broken() => Exit::Broken,
        Gate::Fail => Exit::GateFailed,
        Gate::Warn | Gate::Pass => Exit::Pass,
    };
    reports.iter().map(of_report).fold(Exit::Pass, Exit::worst)
}
