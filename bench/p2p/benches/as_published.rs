//! Throughputs with the definitions of the published report: see `bench_p2p::as_published`. Sizes below a mebibyte are in
//! `latency`.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;
use std::process::ExitCode;

use bench_p2p::{Programs, list, program, sizes};

fn main() -> Result<ExitCode, Box<dyn Error + Send + Sync>> {
    if let Some(ended) = program() {
        return Ok(ended);
    }
    let programs = Programs::find()?;
    let tallies = bench_p2p::as_published(&programs, &sizes())?;
    println!("{}", list("p2p", &tallies));
    Ok(ExitCode::SUCCESS)
}
