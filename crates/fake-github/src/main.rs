//! The stand-in as a program, for tests that start the real binary from a workflow.
//!
//! It runs until it is ended. `PUT /_world` sets the state anew, `GET /_world` shows it.
//!
//! Tested in `tests/fake/program.rs`.

use std::{fs, path::PathBuf, thread};

use anyhow::{Context as _, Result};
use clap::Parser;
use fake_github::{Fake, World};

/// Stands in for GitHub on a free port of the loopback interface.
#[derive(Parser)]
struct Arguments {
    /// The state to begin with: what `--state-out` writes, or as much of it as matters.
    #[arg(long, value_name = "FILE")]
    world: PathBuf,
    /// Where the port is written once requests are taken.
    #[arg(long, value_name = "FILE")]
    port_file: PathBuf,
    /// Where each request is appended, as a line of JSON.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Where the state is written after each change.
    #[arg(long, value_name = "FILE")]
    state_out: Option<PathBuf>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let path = arguments.world.display();
    let text = fs::read_to_string(&arguments.world)
        .with_context(|| format!("the stand-in was not started: cannot read {path}"))?;
    let world: World = serde_json::from_str(&text)
        .with_context(|| format!("the stand-in was not started: {path} is no world"))?;
    let fake = Fake::start_with(world, arguments.log, arguments.state_out)
        .context("the stand-in was not started")?;
    let beside = arguments.port_file.with_extension("new");
    fs::write(&beside, format!("{}\n", fake.port()))
        .and_then(|()| fs::rename(&beside, &arguments.port_file))
        .with_context(|| format!("cannot write {}", arguments.port_file.display()))?;
    loop {
        thread::park();
    }
}
