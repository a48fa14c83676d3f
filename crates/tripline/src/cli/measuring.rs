//! The command line of what measures, and of what takes others' measurements: plan, measure, merge, read.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use tripline_model::SuiteName;
use tripline_read::ADAPTERS;

use super::Suites;
use crate::measure::Effort;
use crate::suite::StepPath;

/// The rounds of a session whose number nobody says.
pub(crate) const PAIRS: u16 = 30;

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
    #[arg(long, value_name = "ROUNDS", env = "TRIPLINE_PAIRS", default_value_t = PAIRS, value_parser = clap::value_parser!(u16).range(1..=1000))]
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

/// The harnesses `--harness` takes, from the list of adapters.
fn harnesses() -> PossibleValuesParser {
    PossibleValuesParser::new(ADAPTERS.iter().map(|adapter| adapter.name))
}
