//! The command line of what tells others: publish, record, site, convert, fill.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use tripline_hub::Branch;
use tripline_render::EXPORTERS;

use super::Suites;

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

/// Where the history is.
#[derive(Debug, Args)]
pub(crate) struct Data {
    /// The branch of data.
    #[arg(
        long,
        value_name = "BRANCH",
        env = "TRIPLINE_DATA_BRANCH",
        default_value = "tripline-data"
    )]
    pub(crate) branch: Branch,
}

/// Append the latest runs to the history.
#[derive(Debug, Args)]
pub(crate) struct Record {
    /// Which suites.
    #[command(flatten)]
    pub(crate) suites: Suites,
    /// The branch of data.
    #[command(flatten)]
    pub(crate) data: Data,
    /// Take over a history that github-action-benchmark kept, `data.js` or an external data file, instead of runs. Where
    /// something of it is left out, the rest is taken, and the command ends with code 4.
    #[arg(
        long,
        value_name = "FILE",
        env = "TRIPLINE_IMPORT",
        conflicts_with = "suites"
    )]
    pub(crate) import: Option<PathBuf>,
    /// Where to write all that was odd or could not be used in it, a line each.
    #[arg(
        long,
        value_name = "FILE",
        env = "TRIPLINE_PROBLEMS",
        requires = "import"
    )]
    pub(crate) problems: Option<PathBuf>,
    /// Append only what the canaries did: of a job whose report is no verdict nothing else is kept.
    #[arg(long, env = "TRIPLINE_ONLY_CANARY", conflicts_with = "import")]
    pub(crate) only_canary: bool,
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
    /// Take the whole history, from the branch of data in this clone, instead of runs.
    #[arg(long, env = "TRIPLINE_HISTORY", conflicts_with_all = ["runs", "suites"])]
    pub(crate) history: bool,
    /// The branch of data.
    #[command(flatten)]
    pub(crate) data: Data,
    /// Add to what this file holds, where the form is one that grows; it is read, not written.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_ADD_TO")]
    pub(crate) add_to: Option<PathBuf>,
    /// The form.
    #[arg(long, value_name = "FORM", env = "TRIPLINE_TO", value_parser = forms())]
    pub(crate) to: String,
    /// Where it goes; `-` is stdout.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_OUT", default_value = "-")]
    pub(crate) out: PathBuf,
}

/// Fill the blanks of a page.
///
/// A page is Markdown in which `{{= kv/get:wall_time{bytes=64} / 1000 }}` stands for a number, written as the expression
/// of a derived metric is, and `{{ commit }}`, `{{ measured_at }}` or the name of a fact, such as `{{ cpu_model }}`, for
/// what is known of the run.
#[derive(Debug, Args)]
pub(crate) struct Fill {
    /// The page with blanks; `-` is stdin.
    #[arg(value_name = "PAGE", env = "TRIPLINE_PAGE")]
    pub(crate) page: PathBuf,
    /// The run.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_RUN")]
    pub(crate) run: PathBuf,
    /// Where the page goes; `-` is stdout.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_OUT", default_value = "-")]
    pub(crate) out: PathBuf,
}

/// The forms `--to` takes, from the list of exporters.
fn forms() -> PossibleValuesParser {
    PossibleValuesParser::new(EXPORTERS.iter().map(|exporter| exporter.name))
}

/// Make the trend pages, a folder of files.
#[derive(Debug, Args)]
pub(crate) struct Site {
    /// The folder that becomes the pages; it is made, or else holds pages that were made before.
    #[arg(
        long,
        value_name = "FOLDER",
        env = "TRIPLINE_OUT",
        required_unless_present = "serve"
    )]
    pub(crate) out: Option<PathBuf>,
    /// Hand the pages out to a browser on this machine, until it is ended, at this port or any that is free.
    #[arg(
        long,
        value_name = "PORT",
        env = "TRIPLINE_SERVE",
        num_args = 0..=1,
        default_missing_value = "0"
    )]
    pub(crate) serve: Option<u16>,
    /// Put the whole history beside the pages, in segments, for programs that read Parquet.
    #[arg(long, env = "TRIPLINE_PARQUET")]
    pub(crate) parquet: bool,
    /// Where the history is: a folder that holds its files, or a branch of this clone.
    #[arg(
        long,
        value_name = "FOLDER-OR-BRANCH",
        env = "TRIPLINE_HISTORY_OF",
        default_value = "tripline-data"
    )]
    pub(crate) history: String,
    /// The branch by whose first parents commits are ordered [default: the one that is checked out].
    #[arg(long, value_name = "REVISION", env = "TRIPLINE_FIRST_PARENTS_OF")]
    pub(crate) first_parents_of: Option<String>,
    /// What the pages are called [default: the name of the project's folder].
    #[arg(long, value_name = "TITLE", env = "TRIPLINE_TITLE")]
    pub(crate) title: Option<String>,
    /// Where the repository is shown [default: what a job of GitHub Actions says].
    #[arg(long, value_name = "ADDRESS", env = "TRIPLINE_REPOSITORY_PAGE")]
    pub(crate) repository: Option<String>,
}

/// Draw where a program spent what it took, as a flame graph: a picture in SVG, whose titles say what each function cost.
///
/// The profile is a file of `valgrind --tool=callgrind`, or the text of `perf script`. Beside a base, red costs more than it
/// did and blue less.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The profile; `-` is stdin.
    #[arg(value_name = "PROFILE", env = "TRIPLINE_PROFILE")]
    pub(crate) profile: PathBuf,
    /// The profile of what it is compared with.
    #[arg(long, value_name = "PROFILE", env = "TRIPLINE_BASE")]
    pub(crate) base: Option<PathBuf>,
    /// Where the picture goes; `-` is stdout.
    #[arg(long, value_name = "FILE", env = "TRIPLINE_OUT", default_value = "-")]
    pub(crate) out: PathBuf,
}
