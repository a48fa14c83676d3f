//! The command line of what judges and shows: check, judge, render.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use tripline_model::{MetricName, ParamKey};
use tripline_render::RENDERERS;

use super::{How, Suites};

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

/// What was before.
#[derive(Debug, Clone, Args)]
pub(crate) struct Before {
    /// Hold times that were measured alone against their history, too: a folder that holds its files, or a branch of this
    /// clone.
    #[arg(long, value_name = "FOLDER-OR-BRANCH", env = "TRIPLINE_HISTORY_OF")]
    pub(crate) history: Option<String>,
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
    /// What they are held against beside the baseline.
    #[command(flatten)]
    pub(crate) past: Before,
    /// How to show.
    #[command(flatten)]
    pub(crate) show: Show,
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
    /// The revision that is the base, where suites of it may be gone [default: what was measured beside the runs].
    #[arg(
        long,
        value_name = "REVISION",
        env = "TRIPLINE_AGAINST",
        conflicts_with_all = ["head", "base"]
    )]
    pub(crate) against: Option<String>,
    /// Which suites of the folder.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// What they are held against beside a run.
    #[command(flatten)]
    pub(crate) past: Before,
    /// Where the report goes, a line for each suite; `-` is stdout.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_OUT", default_value = "-")]
    pub(crate) out: PathBuf,
}

/// Render reports for people or programs, or what a run measured as a table.
#[derive(Debug, Args)]
pub(crate) struct Render {
    /// The reports, or for a table the run; `-` is stdin.
    #[arg(value_name = "FILE", env = "TRIPLINE_REPORT", default_value = "-")]
    pub(crate) file: PathBuf,
    /// The form; `table` is Markdown with the values of a run, each metric of each name by two or more of its params.
    #[arg(long, value_name = "FORMAT", env = "TRIPLINE_FORMAT", default_value = "terminal", value_parser = forms())]
    pub(crate) format: String,
    /// Show every metric of every benchmark.
    #[arg(long, env = "TRIPLINE_ALL")]
    pub(crate) all: bool,
    /// How a table is laid out.
    #[command(flatten)]
    pub(crate) layout: Layout,
}

/// How a table is laid out.
#[derive(Debug, Args)]
pub(crate) struct Layout {
    /// For a table: the params that go down.
    #[arg(
        long,
        value_name = "PARAM",
        env = "TRIPLINE_ROWS",
        value_delimiter = ',',
        required_if_eq("format", TABLE)
    )]
    pub(crate) rows: Vec<ParamKey>,
    /// For a table: the param that goes across.
    #[arg(
        long,
        value_name = "PARAM",
        env = "TRIPLINE_COLS",
        required_if_eq("format", TABLE)
    )]
    pub(crate) cols: Option<ParamKey>,
    /// For a table: the only metric to show.
    #[arg(long, value_name = "METRIC", env = "TRIPLINE_TABLE_METRIC")]
    pub(crate) metric: Option<MetricName>,
}

/// What `--format` takes that is no rendering of a report.
pub(crate) const TABLE: &str = "table";

/// The formats `--format` takes, from the list of renderers.
fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(RENDERERS.iter().map(|renderer| renderer.name))
}

/// The forms of `render`: those, and the table.
fn forms() -> PossibleValuesParser {
    let formats = RENDERERS.iter().map(|renderer| renderer.name);
    PossibleValuesParser::new(formats.chain([TABLE]))
}
