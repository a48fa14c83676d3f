//! The `tripline` binary: it wires the stages together, and decides nothing itself.
//!
//! Each verb is one file under `command/`, reads files or `-`, and writes files or stdout. Tested through the binary
//! in `tests/it`, with the environment scrubbed.

mod accepted;
mod actions;
mod baselines;
mod cli;
mod command;
mod commits;
mod error;
mod exit;
mod files;
mod git;
mod heard;
mod history;
mod kept_durations;
mod measure;
mod past;
mod project;
mod run_folder;
mod scatter;
mod settings;
mod shards;
mod suite;
mod talk;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::cli::{Cli, Misread};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

fn main() -> ExitCode {
    // Before anything else: whatever this process touches counts as memory of what it is to run.
    if let Some(code) = measure::served_alone() {
        return code;
    }
    let line: Vec<OsString> = std::env::args_os().collect();
    let matches = cli::matches(Cli::command(), &line);
    let cli = match matches.and_then(|matches| Ok(Cli::from_arg_matches(&matches)?)) {
        Ok(cli) => cli,
        Err(Misread::Line(error)) => return answer_to_command_line(&error),
        Err(Misread::Twins(error)) => return ended(Err(error)),
    };
    // A panic is a bug in us, and ends with the code that says so; the panic itself has said where.
    let outcome = std::panic::catch_unwind(|| command::run(cli)).unwrap_or_else(|_| Err(bug()));
    ended(outcome)
}

fn ended(outcome: Outcome<Exit>) -> ExitCode {
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            talk::complain(&error);
            error.exit.into()
        }
    }
}

fn bug() -> CommandError {
    CommandError::new(
        Exit::Bug,
        "the command was not completed: this is a bug in tripline",
    )
    .hint("no file is half written; please report what stands above, with the command")
}

/// Help and version are data that was asked for; anything else is a usage error.
fn answer_to_command_line(error: &clap::Error) -> ExitCode {
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            ended(talk::data(&text.to_string()).map(|()| Exit::Pass))
        }
        _ => {
            talk::say(text.to_string().trim_end());
            Exit::Usage.into()
        }
    }
}
