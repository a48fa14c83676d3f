//! The command line of what reads the history and looks after it: history and its verbs.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use tripline_model::{EnvironmentName, MetricName};

use super::telling::Data;

/// List, ask, compare, verify, compact and export the history.
#[derive(Debug, Subcommand)]
pub(crate) enum History {
    /// List the suites and environments that have a history.
    List(Lying),
    /// Print the points of one benchmark, commit by commit, as CSV.
    Series(HistorySeries),
    /// Compare two commits over all benchmarks, the largest change first, as CSV.
    Compare(HistoryCompare),
    /// Verify that every file can be read, and that nothing is missing.
    Check(Lying),
    /// Put closed ranges of records into segments, and take the files of records away that segments hold.
    Compact(HistoryCompact),
    /// Write the whole history to a folder, all of it in segments, whose blocks are Parquet.
    Export(HistoryExport),
}

/// Where the history lies.
#[derive(Debug, Args)]
pub(crate) struct Lying {
    /// The branch of data.
    #[command(flatten)]
    pub(crate) data: Data,
    /// A folder that holds the history, instead of a branch.
    #[arg(long, value_name = "FOLDER", env = "TRIPLINE_HISTORY_FROM")]
    pub(crate) from: Option<PathBuf>,
}

/// Print the points of one benchmark.
#[derive(Debug, Args)]
pub(crate) struct HistorySeries {
    /// The benchmark, such as `kv/get{bytes=64}`.
    #[arg(value_name = "BENCHMARK", env = "TRIPLINE_BENCHMARK")]
    pub(crate) benchmark: String,
    /// The metric [default: all].
    #[arg(long, value_name = "METRIC", env = "TRIPLINE_METRIC")]
    pub(crate) metric: Option<MetricName>,
    /// The environment [default: all].
    #[arg(long, value_name = "ENVIRONMENT", env = "TRIPLINE_ENVIRONMENT")]
    pub(crate) environment: Option<EnvironmentName>,
    /// The first commit [default: the oldest].
    #[arg(long, value_name = "COMMIT", env = "TRIPLINE_SINCE")]
    pub(crate) since: Option<String>,
    /// Along whose first parents commits stand.
    #[arg(
        long,
        value_name = "COMMIT",
        env = "TRIPLINE_UNTIL",
        default_value = "HEAD"
    )]
    pub(crate) until: String,
    /// Where the history lies.
    #[command(flatten)]
    pub(crate) lying: Lying,
}

/// Compare two commits.
#[derive(Debug, Args)]
pub(crate) struct HistoryCompare {
    /// The commit that is compared with.
    #[arg(value_name = "BASE", env = "TRIPLINE_BASE_COMMIT")]
    pub(crate) base: String,
    /// The commit that is compared.
    #[arg(value_name = "HEAD", env = "TRIPLINE_HEAD_COMMIT")]
    pub(crate) head: String,
    /// Where the history lies.
    #[command(flatten)]
    pub(crate) lying: Lying,
}

/// Put closed ranges of records into segments.
#[derive(Debug, Args)]
pub(crate) struct HistoryCompact {
    /// The branch of data.
    #[command(flatten)]
    pub(crate) data: Data,
    /// A folder that the branch was checked out to, where this clone does not have it; what is no longer on the branch as it
    /// is there is not compacted.
    #[arg(long, value_name = "FOLDER", env = "TRIPLINE_HISTORY_FROM")]
    pub(crate) from: Option<PathBuf>,
    /// How many records of a suite in an environment make a segment.
    #[arg(
        long,
        value_name = "COUNT",
        env = "TRIPLINE_SEGMENT_RECORDS",
        default_value = "1000"
    )]
    pub(crate) records: NonZeroUsize,
    /// Say what would be done, and do nothing.
    #[arg(long, env = "TRIPLINE_DRY_RUN")]
    pub(crate) dry_run: bool,
}

/// Write the whole history to a folder.
#[derive(Debug, Args)]
pub(crate) struct HistoryExport {
    /// The folder; it must not be there, or be empty.
    #[arg(long, value_name = "FOLDER", env = "TRIPLINE_OUT")]
    pub(crate) out: PathBuf,
    /// Where the history lies.
    #[command(flatten)]
    pub(crate) lying: Lying,
}
