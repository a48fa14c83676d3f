//! The `tripline` binary: it wires the stages together, and decides nothing itself.
//!
//! Each verb is one file under `command/`, reads files or `-`, and writes files or stdout. Tested through the binary
//! in `tests/it`, with the environment scrubbed.

mod baselines;
mod cli;
mod command;
mod error;
mod exit;
mod files;
mod measure;
mod project;
mod suite;
mod talk;

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::cli::Cli;
use crate::exit::Exit;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return answer_to_command_line(&error),
    };
    match command::run(cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            talk::complain(&error);
            error.exit.into()
        }
    }
}

/// Help and version are data that was asked for; anything else is a usage error.
fn answer_to_command_line(error: &clap::Error) -> ExitCode {
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match talk::data(&text.to_string()) {
            Ok(()) => Exit::Pass.into(),
            Err(error) => error.exit.into(),
        },
        _ => {
            talk::say(text.to_string().trim_end());
            Exit::Usage.into()
        }
    }
}
