//! One file per verb. A verb reads files, calls one or two stages, and writes files.

mod baseline;
mod check;
mod checkout;
mod closing;
mod convert;
mod doctor;
mod explain;
mod fill;
mod gate;
mod history;
mod init;
mod judge;
mod measure;
mod merge;
mod plan;
mod publish;
mod read;
mod record;
mod render;
mod site;
mod trust;

pub(crate) use init::Actions;

use std::path::Path;

use tripline_judge::{Controls, Judge, JudgeError, Past, Policy};
use tripline_model::{Gate, Report, Run, SuiteName, wire};
use tripline_render::{Detail, View};

use crate::baselines;
use crate::cli::{Cli, Shared, Show, Verb};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files;
use crate::project::Project;
use crate::settings;
use crate::suite;
use crate::talk;

/// Does what was asked.
pub(crate) fn run(cli: Cli) -> Outcome<Exit> {
    let Cli { verb, shared } = cli;
    match verb {
        Verb::Init(args) => init::run(&shared, &args),
        Verb::Check(args) => check::run(&shared, &args),
        Verb::Plan(args) => plan::run(&shared, &args),
        Verb::Measure(args) => measure::run(&shared, &args),
        Verb::Merge(args) => merge::run(&args),
        Verb::Read(args) => read::run(&shared, &args),
        Verb::Judge(args) => judge::run(&shared, &args),
        Verb::Render(args) => render::run(&shared, &args),
        Verb::Baseline(verb) => baseline::run(&shared, &verb),
        Verb::Publish(args) => publish::run(&shared, &args),
        Verb::Record(args) => record::run(&shared, &args),
        Verb::History(verb) => history::run(&shared, &verb),
        Verb::Site(args) => site::run(&shared, &args),
        Verb::Convert(args) => convert::run(&shared, &args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Fill(args) => fill::run(&args),
        Verb::Doctor(args) => doctor::run(&shared, &args),
    }
}

fn project(shared: &Shared) -> Outcome<Project> {
    Project::find(shared.root.as_deref())
}

/// Finds the project for what a history needs of it, which is there before any suite.
fn project_of_history(shared: &Shared) -> Outcome<Project> {
    Project::find_or_repository(shared.root.as_deref())
}

/// What a run is compared with.
#[derive(Debug, Clone, Copy)]
enum Against<'a> {
    /// There is nothing.
    Nothing,
    /// A run that was measured beside it, or that somebody named.
    Run(&'a Run),
    /// The suite's baseline.
    Baseline(&'a Run),
}

impl<'a> Against<'a> {
    fn baseline(kept: Option<&'a Run>) -> Self {
        kept.map_or(Self::Nothing, Self::Baseline)
    }

    fn run(self) -> Option<&'a Run> {
        match self {
            Self::Nothing => None,
            Self::Run(run) | Self::Baseline(run) => Some(run),
        }
    }
}

/// Returns the policy of a suite by its name. A suite that the project does not have, because its run came from elsewhere or
/// the suite is gone, is judged by what holds for all.
pub(crate) fn policy_of(project: &Project, suite: &SuiteName) -> Outcome<Policy> {
    match project.suite_if_any(suite)? {
        Some(suite) => settings::policy(project, &suite),
        None => settings::policy_of_project(project),
    }
}

/// What is known of a run beside the run it is compared with.
#[derive(Debug, Clone, Copy, Default)]
struct Known<'a> {
    /// What the controls say that were measured together with it.
    controls: Option<&'a Controls>,
    /// What the commits before say of its suite.
    past: Option<&'a Past>,
    /// The runs of all suites that were measured together with it.
    beside: &'a [&'a Run],
}

/// Judges a run by a policy, and by what is known of it.
fn judged(
    project: Option<&Project>,
    policy: Policy,
    against: Against<'_>,
    head: &Run,
    known: Known<'_>,
) -> Outcome<Report> {
    if let Some(project) = project {
        let sides = against.run().into_iter().chain([head]);
        let runs: Vec<&Run> = sides.chain(known.beside.iter().copied()).collect();
        settings::refuse_slips(project, &head.suite, &runs)?;
    }
    let policy = match (against, project) {
        (Against::Run(base), Some(project)) => settings::beside(policy, project, base)?,
        _ => policy,
    };
    let judge = Judge::by(&policy)
        .with_controls(known.controls)
        .with_past(known.past);
    let judge = match against {
        Against::Baseline(_) => judge.against_baseline(),
        Against::Nothing | Against::Run(_) => judge,
    };
    let report = judge.judge(against.run(), head);
    let mut report = report.map_err(|error| not_judged(project, &head.suite, error))?;
    if let (Against::Run(base), Some(project)) = (against, project) {
        baselines::only_warn(&mut report, project, base)?;
    }
    Ok(report)
}

/// Says why a run was not judged, and where the definition stands that does not fit it.
fn not_judged(project: Option<&Project>, suite: &SuiteName, error: JudgeError) -> CommandError {
    let exit = match error {
        JudgeError::NothingMeasured { .. } => Exit::NothingMeasured,
        _ => Exit::BadInput,
    };
    let place = match &error {
        JudgeError::Derived(error) => project.and_then(|project| {
            let suite = project.suite_if_any(suite).ok().flatten();
            suite?.place_of(error, project)
        }),
        _ => None,
    };
    let what = format!("suite `{suite}` was not judged");
    let not_judged = CommandError::new(exit, what).because(error);
    match place {
        Some(place) => not_judged.hint(format!("mend its definition in {place}")),
        None => not_judged,
    }
}

/// Reads a report file, for something that does not happen without it.
fn reports(path: &Path, not_done: &str) -> Outcome<Vec<Report>> {
    wire::read_report(&files::read(path)?).map_err(|error| {
        let what = format!("{not_done}: `{}` was not read", path.display());
        CommandError::new(Exit::BadInput, what)
            .because(error)
            .hint("a report is what `tripline judge` writes")
    })
}

/// Renders reports as they are to be shown on stdout.
fn rendered(reports: &[Report], shared: &Shared, show: &Show) -> String {
    let renderer = tripline_render::renderer(&show.format)
        .expect("clap lets through only the formats of the list");
    let detail = if show.all {
        Detail::Full
    } else {
        Detail::Brief
    };
    let mut view = View::new(talk::width(), shared.color.for_data(), detail);
    view.places = suite::places(shared.root.as_deref(), reports);
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
