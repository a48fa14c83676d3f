//! The program, whichever implementation it runs: the same words in, and the same lines of JSON out.
//!
//! A [`Stack`] is an implementation. Ours is [`Ours`]; those of others are in `bench/peers/p2p`, so that any program can be
//! set against any other.
//!
//! Tests: `tests/it`, a program against a program.

mod json;
mod ours;
mod words;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::{Address, Exchange, Outcome, Served, Settings};

pub use ours::Ours;
use words::Verb;
pub use words::{HELP, Words};

/// What an implementation says when something did not happen.
pub type Failure = Box<dyn Error + Send + Sync>;

/// What a server does whenever somebody was served.
pub type Tell = dyn Fn(Result<Served, Failure>) + Send + Sync;

/// An implementation of the protocol.
pub trait Stack {
    /// Serves whoever connects, for ever. It says where once it listens.
    fn serve(
        &self,
        address: Address,
        key: &str,
        settings: Settings,
        listens: &dyn Fn(Address),
        tell: Box<Tell>,
    ) -> Result<(), Failure>;

    /// Has exchanges, one after the other, on one connection.
    fn exchange(
        &self,
        address: Address,
        settings: Settings,
        exchanges: &[Exchange],
        tell: &mut dyn FnMut(&Outcome),
    ) -> Result<(), Failure>;

    /// Opens substreams, all at once. Returns how long each took from the first request on.
    fn substreams(
        &self,
        address: Address,
        settings: Settings,
        count: usize,
    ) -> Result<Vec<Duration>, Failure>;
}

/// Runs the program.
pub fn run(
    stack: &dyn Stack,
    words: impl Iterator<Item = String>,
    mut data: impl Write + Send + 'static,
    mut talk: impl Write,
) -> ExitCode {
    let words = match Words::parse(words) {
        Ok(Some(words)) => words,
        Ok(None) => {
            return match data.write_all(HELP.as_bytes()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::FAILURE,
            };
        }
        Err(error) => {
            // Who closed the stream does not want to know.
            let _ = write!(talk, "error: {error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match perform(stack, words, data) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(talk, "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(
    stack: &dyn Stack,
    words: Words,
    data: impl Write + Send + 'static,
) -> Result<(), Failure> {
    let Words {
        verb,
        address,
        settings,
    } = words;
    let data = std::sync::Arc::new(Mutex::new(data));
    match verb {
        Verb::Serve { key } => {
            let lines = data.clone();
            let tell = move |served: Result<Served, Failure>| {
                // A server goes on without somebody to tell.
                let _ = line(&lines, &json::served(&served));
            };
            let listens = |address| {
                let _ = line(&data, &json::listening(address));
            };
            stack.serve(address, &key, settings, &listens, Box::new(tell))
        }
        Verb::Exchange { exchange, repeats } => {
            let mut written = Ok(());
            stack.exchange(
                address,
                settings,
                &vec![exchange; repeats],
                &mut |outcome| {
                    let new = line(&data, &json::outcome(outcome));
                    written = std::mem::replace(&mut written, Ok(())).and(new);
                },
            )?;
            Ok(written?)
        }
        Verb::Substreams { count } => {
            let took = stack.substreams(address, settings, count)?;
            Ok(line(&data, &json::substreams(&took))?)
        }
    }
}

/// Whoever reads gets whole lines at once.
fn line(data: &Mutex<impl Write>, line: &str) -> io::Result<()> {
    let mut data = data.lock().unwrap_or_else(PoisonError::into_inner);
    data.write_all(line.as_bytes())?;
    data.flush()
}
