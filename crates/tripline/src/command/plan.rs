//! `tripline plan`: lists what would be measured, one step a line; or spreads it over machines.

mod matrix;

use serde::Serialize;

use crate::cli::{Plan, PlanFormat, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::measure::Durations;
use crate::settings;
use crate::suite::{Step, Suite, Task};
use crate::talk;

/// One step of the plan, as programs see it.
#[derive(Serialize)]
struct PlannedStep<'a> {
    suite: &'a str,
    step: &'a str,
    harness: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bench: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a [String]>,
    timeout_seconds: u64,
    /// How long it took the last time here.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_before: Option<f64>,
}

pub(super) fn run(shared: &Shared, args: &Plan) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites.suites)?;
    settings::look_over(&project, &suites)?;
    let text = match args.shards {
        Some(shards) => matrix::shown(&project, &suites, usize::from(shards), args.format)?,
        None => list(
            &suites,
            &Durations::load(&project.output(), Vec::new()),
            args.format,
        ),
    };
    talk::data(&text)?;
    Ok(Exit::Pass)
}

fn list(suites: &[Suite], durations: &Durations, format: PlanFormat) -> String {
    let mut text = String::new();
    for suite in suites {
        if format == PlanFormat::Terminal {
            text.push_str(&talk::shown(&format!("{}: {}\n", suite.name, suite.about)));
        }
        for step in &suite.steps {
            let planned = planned(suite, step, durations);
            text.push_str(&match format {
                PlanFormat::Terminal => talk::shown(&line(&planned)),
                PlanFormat::Json => {
                    serde_json::to_string(&planned).expect("texts and numbers can be written")
                        + "\n"
                }
            });
        }
    }
    text
}

fn planned<'a>(suite: &'a Suite, step: &'a Step, durations: &Durations) -> PlannedStep<'a> {
    let (bench, command) = match &step.task {
        Task::Bench(bench) => (Some(bench.as_str()), None),
        Task::Command { argv, .. } => (None, Some(argv.as_slice())),
    };
    let before = durations.before(&format!("{}/{}", suite.name, step.name));
    PlannedStep {
        suite: suite.name.as_str(),
        step: step.name.as_str(),
        harness: step.harness.name(),
        bench,
        command,
        timeout_seconds: step.timeout.as_secs(),
        seconds_before: before.map(|took| took.as_secs_f64()),
    }
}

fn line(step: &PlannedStep<'_>) -> String {
    let what = match (step.bench, step.command) {
        (Some(bench), _) => format!("bench {bench}"),
        (None, command) => command.unwrap_or_default().join(" "),
    };
    let took = step.seconds_before.map_or(String::new(), |seconds| {
        format!("  ({seconds:.1} s last time)")
    });
    format!("  {:<12} {:<16} {what}{took}\n", step.step, step.harness)
}
