//! The command line: every verb, every option, and the environment variable that is each option's twin.
//!
//! What all verbs share stands here; the options of each stand in the file of its group.

mod baseline;
mod history;
mod judging;
mod measuring;
mod telling;
mod twins;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use tripline_hub::Branch;
use tripline_model::SuiteName;

pub(crate) use self::baseline::{
    Baseline, BaselineAccept, BaselineAnswer, BaselineDiff, BaselinePropose, BaselineUpdate, Runs,
};
pub(crate) use self::history::{
    History, HistoryCompact, HistoryCompare, HistoryExport, HistorySeries, Lying,
};
pub(crate) use self::judging::{Before, Check, Judge, Layout, Render, Show, TABLE};
pub(crate) use self::measuring::{How, Measure, Merge, PAIRS, Plan, PlanFormat, Read};
pub(crate) use self::telling::{Convert, Explain, Fill, Publish, Record, Site};
pub(crate) use self::twins::{Misread, matches};
use crate::command::Actions;
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
    /// List, ask, compare, verify, compact and export the history.
    #[command(subcommand)]
    History(History),
    /// Make the trend pages out of the history: what got slower, since when, by how much.
    Site(Site),
    /// Hand the latest runs on to another service, in the form it reads.
    Convert(Convert),
    /// Draw where a program spent what it took, as a flame graph.
    Explain(Explain),
    /// Fill the blanks of a page with what a run measured.
    Fill(Fill),
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

/// Write what a repository needs to be measured.
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Where tripline's actions are, by the commit [default: those of this release].
    #[arg(long, value_name = "OWNER/REPOSITORY@COMMIT", env = "TRIPLINE_ACTIONS")]
    pub(crate) actions: Option<Actions>,
    /// The default branch [default: what git knows of it].
    #[arg(long, value_name = "BRANCH", env = "TRIPLINE_BRANCH")]
    pub(crate) branch: Option<Branch>,
    /// Say what would be written, and write nothing.
    #[arg(long, env = "TRIPLINE_DRY_RUN")]
    pub(crate) dry_run: bool,
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
