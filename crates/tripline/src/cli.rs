//! The command line: every verb, every option, and the environment variable that is each option's twin.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use tripline_hub::Branch;
use tripline_judge::BenchPattern;
use tripline_model::{MetricName, SuiteName};
use tripline_read::ADAPTERS;
use tripline_render::{EXPORTERS, RENDERERS};

use crate::command::Actions;
use crate::measure::Effort;
use crate::suite::StepPath;
use crate::talk::ColorChoice;

/// Continuous benchmarking that lives in your repository.
#[derive(Debug, Parser)]
#[command(name = "tripline", version, after_help = crate::exit::help(), help_expected = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// What holds for every verb.
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// What holds for every verb.
#[derive(Debug, Clone, Args)]
pub(crate) struct Shared {
    /// The project's folder [default: the nearest one upwards that holds a suite].
    #[arg(long, value_name = "FOLDER", env = "TRIPLINE_ROOT", global = true)]
    pub(crate) root: Option<PathBuf>,
    /// When to use colour.
    #[arg(
        long,
        value_name = "WHEN",
        env = "TRIPLINE_COLOR",
        default_value = "auto",
        global = true
    )]
    pub(crate) color: ColorChoice,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Write what a repository needs to be measured: suites for the benches it has, and workflows.
    Init(Init),
    /// Measure, judge and render in one go: the everyday verb.
    Check(Check),
    /// List what would be measured.
    Plan(Plan),
    /// Run suites and write a run file for each.
    Measure(Measure),
    /// Join the runs of the shards of one measurement.
    Merge(Merge),
    /// Turn a harness's output into a run file.
    Read(Read),
    /// Judge runs against what they are compared with, and write reports.
    Judge(Judge),
    /// Render reports for people or programs.
    Render(Render),
    /// Tell GitHub what reports say, from a job of GitHub Actions.
    Publish(Publish),
    /// Append the latest runs to the history, a branch of data.
    Record(Record),
    /// Hand the latest runs on to another service, in the form it reads.
    Convert(Convert),
    /// Keep, compare, list and verify baselines; accept regressions.
    #[command(subcommand)]
    Baseline(Baseline),
    /// Say what is missing on this machine, and how to get it.
    Doctor(Suites),
}

/// Which suites.
#[derive(Debug, Clone, Args)]
pub(crate) struct Suites {
    /// The suite; may be given more than once [default: all].
    #[arg(
        long = "suite",
        value_name = "SUITE",
        env = "TRIPLINE_SUITE",
        value_delimiter = ','
    )]
    pub(crate) suites: Vec<SuiteName>,
}

/// How to measure.
#[derive(Debug, Clone, Args)]
pub(crate) struct How {
    /// How long noisy benchmarks are measured; counts do not depend on it.
    #[arg(
        long,
        value_enum,
        value_name = "EFFORT",
        env = "TRIPLINE_EFFORT",
        default_value = "quick"
    )]
    pub(crate) effort: EffortChoice,
    /// How often counts are taken, to see whether they are deterministic.
    #[arg(long, value_name = "TIMES", env = "TRIPLINE_REPEATS", default_value = "2", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) repeats: u32,
    /// Measure this revision as the base, beside the project as it is; times can then be judged.
    #[arg(long, value_name = "REVISION", env = "TRIPLINE_AGAINST")]
    pub(crate) against: Option<String>,
    /// The rounds in which base and head are measured side by side: clear cases end sooner, and what speaks for a change
    /// without proving it is given as many again.
    #[arg(long, value_name = "ROUNDS", env = "TRIPLINE_PAIRS", default_value = "30", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) pairs: u16,
    /// What the order within rounds is drawn from; said with every session [default: another each time].
    #[arg(long, value_name = "HEX", env = "TRIPLINE_SEED", value_parser = seed)]
    pub(crate) seed: Option<u64>,
}

/// Reads a seed, as it is said: in hexadecimal digits.
fn seed(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16)
        .map_err(|error| format!("{error}; a seed is up to 16 hexadecimal digits"))
}

/// How long noisy benchmarks are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffortChoice {
    /// Enough to see where they stand.
    Quick,
    /// As long as the harness's defaults.
    Full,
}

impl From<EffortChoice> for Effort {
    fn from(choice: EffortChoice) -> Self {
        match choice {
            EffortChoice::Quick => Self::Quick,
            EffortChoice::Full => Self::Full,
        }
    }
}

/// How to show reports.
#[derive(Debug, Clone, Args)]
pub(crate) struct Show {
    /// The form of the report.
    #[arg(long, value_name = "FORMAT", env = "TRIPLINE_FORMAT", default_value = "terminal", value_parser = formats())]
    pub(crate) format: String,
    /// Show every metric of every benchmark.
    #[arg(long, env = "TRIPLINE_ALL")]
    pub(crate) all: bool,
}

/// Write what a repository needs to be measured.
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Where tripline's actions are, by the commit [default: where this release was built].
    #[arg(long, value_name = "OWNER/REPOSITORY@COMMIT", env = "TRIPLINE_ACTIONS")]
    pub(crate) actions: Option<Actions>,
    /// The default branch [default: what git knows of it].
    #[arg(long, value_name = "BRANCH", env = "TRIPLINE_BRANCH")]
    pub(crate) branch: Option<Branch>,
    /// Say what would be written, and write nothing.
    #[arg(long, env = "TRIPLINE_DRY_RUN")]
    pub(crate) dry_run: bool,
}

/// Measure, judge and render in one go.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Which suites.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// How to measure.
    #[command(flatten)]
    pub(crate) how: How,
    /// How to show.
    #[command(flatten)]
    pub(crate) show: Show,
}

/// List what would be measured.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// Which suites.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// The form of the list.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        env = "TRIPLINE_FORMAT",
        default_value = "terminal"
    )]
    pub(crate) format: PlanFormat,
    /// Spread the steps over this many machines at most, by how long they take; as JSON it is the matrix of a workflow.
    #[arg(long, value_name = "SHARDS", env = "TRIPLINE_SHARDS", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) shards: Option<u16>,
}

/// The form of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// A table.
    Terminal,
    /// One JSON object a step; of shards, one for all.
    Json,
}

/// Run suites and write a run file for each.
#[derive(Debug, Args)]
pub(crate) struct Measure {
    /// Which suites.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// Measure only this step, and say in the run that it is a part; may be given more than once. Steps that only answer
    /// go along with each.
    #[arg(
        long = "step",
        value_name = "SUITE/STEP",
        env = "TRIPLINE_STEP",
        value_delimiter = ',',
        conflicts_with = "suites"
    )]
    pub(crate) steps: Vec<StepPath>,
    /// How to measure.
    #[command(flatten)]
    pub(crate) how: How,
    /// Measure the canaries as well: `judge --from` trusts no gate whose canary it does not see.
    #[arg(long, env = "TRIPLINE_CANARY", conflicts_with = "out")]
    pub(crate) canary: bool,
    /// The folder that the runs go to, a folder in it for each suite [default: target/tripline; for `--step`, a folder in
    /// there that is named after the steps].
    #[arg(
        long,
        value_name = "FOLDER",
        env = "TRIPLINE_INTO",
        conflicts_with = "out"
    )]
    pub(crate) into: Option<PathBuf>,
    /// Where the run goes; `-` is stdout, and needs a single suite [default: SUITE/run.jsonl in the folder of runs].
    #[arg(long, value_name = "FILE", env = "TRIPLINE_OUT")]
    pub(crate) out: Option<PathBuf>,
}

/// Join the runs of the shards of one measurement.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// What the shards left: folders, which are searched, or run files.
    #[arg(
        value_name = "PART",
        env = "TRIPLINE_PARTS",
        value_delimiter = ',',
        required = true
    )]
    pub(crate) parts: Vec<PathBuf>,
    /// The folder that the joined runs go to, as `measure` leaves them; there may be no run in it yet.
    #[arg(long, value_name = "FOLDER", env = "TRIPLINE_OUT")]
    pub(crate) out: PathBuf,
}

/// Turn a harness's output into a run file.
#[derive(Debug, Args)]
pub(crate) struct Read {
    /// The harness's output, a file or a folder; `-` is stdin.
    #[arg(value_name = "INPUT", env = "TRIPLINE_INPUT")]
    pub(crate) input: PathBuf,
    /// The suite the benchmarks belong to.
    #[arg(long, value_name = "SUITE", env = "TRIPLINE_SUITE")]
    pub(crate) suite: SuiteName,
    /// The harness that wrote it [default: seen from the input].
    #[arg(long, value_name = "HARNESS", env = "TRIPLINE_HARNESS", value_parser = harnesses())]
    pub(crate) harness: Option<String>,
    /// State this machine's facts in the run: the output was made here. Otherwise no fact is stated.
    #[arg(long, env = "TRIPLINE_HERE")]
    pub(crate) here: bool,
    /// Where the run goes; `-` is stdout.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_OUT", default_value = "-")]
    pub(crate) out: PathBuf,
}

/// Judge runs against what they are compared with, and write reports.
#[derive(Debug, Args)]
pub(crate) struct Judge {
    /// The run to judge; `-` is stdin.
    #[arg(
        long,
        value_name = "FILE",
        env = "TRIPLINE_HEAD",
        required_unless_present = "from"
    )]
    pub(crate) head: Option<PathBuf>,
    /// The run to compare with [default: the suite's baseline].
    #[arg(long, value_name = "FILE", env = "TRIPLINE_BASE")]
    pub(crate) base: Option<PathBuf>,
    /// Judge all suites as `check` does, from the folder in which `measure` or `merge` left their runs.
    #[arg(
        long,
        value_name = "FOLDER",
        env = "TRIPLINE_FROM",
        conflicts_with_all = ["head", "base"]
    )]
    pub(crate) from: Option<PathBuf>,
    /// Which suites of the folder.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// Where the report goes, a line for each suite; `-` is stdout.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_OUT", default_value = "-")]
    pub(crate) out: PathBuf,
}

/// Render reports for people or programs.
#[derive(Debug, Args)]
pub(crate) struct Render {
    /// The reports; `-` is stdin.
    #[arg(value_name = "REPORT", env = "TRIPLINE_REPORT", default_value = "-")]
    pub(crate) report: PathBuf,
    /// How to show.
    #[command(flatten)]
    pub(crate) show: Show,
}

/// Tell GitHub what reports say.
#[derive(Debug, Args)]
pub(crate) struct Publish {
    /// The reports; in a run that another run caused they come from that one.
    #[arg(value_name = "REPORT", env = "TRIPLINE_REPORT")]
    pub(crate) report: Option<PathBuf>,
    /// The address of the trend pages.
    #[arg(long, value_name = "ADDRESS", env = "TRIPLINE_TREND")]
    pub(crate) trend: Option<String>,
    /// Say what would be written, and write nothing.
    #[arg(long, env = "TRIPLINE_DRY_RUN")]
    pub(crate) dry_run: bool,
}

/// Append the latest runs to the history.
#[derive(Debug, Args)]
pub(crate) struct Record {
    /// Which suites.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// The branch of data.
    #[arg(
        long,
        value_name = "BRANCH",
        env = "TRIPLINE_DATA_BRANCH",
        default_value = "tripline-data"
    )]
    pub(crate) branch: String,
    /// Say what would be appended, and append nothing.
    #[arg(long, env = "TRIPLINE_DRY_RUN")]
    pub(crate) dry_run: bool,
}

/// Hand runs on to another service.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Run files [default: the latest run of each suite].
    #[arg(
        value_name = "RUN",
        env = "TRIPLINE_RUNS",
        value_delimiter = ',',
        conflicts_with = "suites"
    )]
    pub(crate) runs: Vec<PathBuf>,
    /// Which suites.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// The form.
    #[arg(long, value_name = "FORM", env = "TRIPLINE_TO", value_parser = forms())]
    pub(crate) to: String,
    /// Where it goes; `-` is stdout.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_OUT", default_value = "-")]
    pub(crate) out: PathBuf,
}

/// Keep, compare, list and verify baselines.
#[derive(Debug, Subcommand)]
pub(crate) enum Baseline {
    /// Keep the latest run of each suite, unless it got worse; lines of unchanged benchmarks stay as they are.
    Update(BaselineUpdate),
    /// Compare the latest run of each suite with its baseline.
    Diff(BaselineDiff),
    /// Take regressions on purpose, with the reason, in a file to commit.
    Accept(BaselineAccept),
    /// Offer the baselines that changed here as a pull request, from a job of GitHub Actions.
    Propose(BaselinePropose),
    /// Do what a comment on a pull request asks for, from a job of GitHub Actions.
    Answer(BaselineAnswer),
    /// List the baselines there are.
    List(Suites),
    /// Verify that every baseline can be read, is in its place, and is written as tripline writes it.
    Check(Suites),
}

/// Which runs: the latest of some suites, or one from a file.
#[derive(Debug, Clone, Args)]
pub(crate) struct Runs {
    /// Which suites.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// A run file, instead of the latest run measured here.
    #[arg(
        long,
        value_name = "FILE",
        env = "TRIPLINE_HEAD",
        conflicts_with = "suites"
    )]
    pub(crate) head: Option<PathBuf>,
}

/// Keep the latest run of each suite.
#[derive(Debug, Args)]
pub(crate) struct BaselineUpdate {
    /// Which runs.
    #[command(flatten)]
    pub(crate) runs: Runs,
}

/// Take regressions on purpose.
#[derive(Debug, Args)]
pub(crate) struct BaselineAccept {
    /// The benchmarks, as they are named within their suite; `*` stands for any characters: `kv/*{bytes=64}`.
    #[arg(value_name = "BENCHMARK", env = "TRIPLINE_BENCHMARK")]
    pub(crate) benchmark: BenchPattern,
    /// The metric [default: every metric that got worse].
    #[arg(long, value_name = "METRIC", env = "TRIPLINE_METRIC")]
    pub(crate) metric: Option<MetricName>,
    /// Why it is taken.
    #[arg(long, value_name = "REASON", env = "TRIPLINE_BECAUSE")]
    pub(crate) because: String,
    /// Which runs.
    #[command(flatten)]
    pub(crate) runs: Runs,
    /// The run to compare with [default: the run that was measured beside it, or else the suite's baseline].
    #[arg(long, value_name = "FILE", env = "TRIPLINE_BASE")]
    pub(crate) base: Option<PathBuf>,
}

/// Offer the baselines that changed here as a pull request.
#[derive(Debug, Args)]
pub(crate) struct BaselinePropose {
    /// The branch that the pull request comes from.
    #[arg(
        long,
        value_name = "BRANCH",
        env = "TRIPLINE_BASELINE_BRANCH",
        default_value = "tripline/baselines"
    )]
    pub(crate) branch: String,
    /// Say what would be proposed, and propose nothing.
    #[arg(long, env = "TRIPLINE_DRY_RUN")]
    pub(crate) dry_run: bool,
}

/// Do what a comment on a pull request asks for.
#[derive(Debug, Args)]
pub(crate) struct BaselineAnswer {
    /// Say what would be done, and do nothing.
    #[arg(long, env = "TRIPLINE_DRY_RUN")]
    pub(crate) dry_run: bool,
}

/// Compare the latest run of each suite with its baseline.
#[derive(Debug, Args)]
pub(crate) struct BaselineDiff {
    /// Which runs.
    #[command(flatten)]
    pub(crate) runs: Runs,
    /// How to show.
    #[command(flatten)]
    pub(crate) show: Show,
}

/// The harnesses `--harness` takes, from the list of adapters.
fn harnesses() -> PossibleValuesParser {
    PossibleValuesParser::new(ADAPTERS.iter().map(|adapter| adapter.name))
}

/// The formats `--format` takes, from the list of renderers.
fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(RENDERERS.iter().map(|renderer| renderer.name))
}

/// The forms `--to` takes, from the list of exporters.
fn forms() -> PossibleValuesParser {
    PossibleValuesParser::new(EXPORTERS.iter().map(|exporter| exporter.name))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn visit(command: &clap::Command, check: &mut impl FnMut(&clap::Command, &clap::Arg)) {
        for arg in command
            .get_arguments()
            .filter(|arg| !["help", "version"].contains(&arg.get_id().as_str()))
        {
            check(command, arg);
        }
        for sub in command.get_subcommands() {
            visit(sub, check);
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_has_its_twin() {
        visit(&Cli::command(), &mut |command, arg| {
            let twin = arg
                .get_env()
                .unwrap_or_else(|| panic!("{} {arg} has no twin", command.get_name()));
            assert!(twin.to_string_lossy().starts_with("TRIPLINE_"));
        });
    }
}
