//! The command line of what keeps runs to compare with: baseline and its verbs.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tripline_hub::Branch;
use tripline_judge::BenchPattern;
use tripline_model::MetricName;

use super::{Before, Show, Suites};

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
    /// What was before.
    #[command(flatten)]
    pub(crate) past: Before,
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
    pub(crate) branch: Branch,
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
