//! How long transfers take that are too short to be called bandwidth, by our clock and by the report's, and substreams until
//! they are open.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;
use std::process::ExitCode;

use bench_p2p::{Programs, SUBSTREAMS, list, program, sizes};

fn main() -> Result<ExitCode, Box<dyn Error + Send + Sync>> {
    if let Some(ended) = program() {
        return Ok(ended);
    }
    let programs = Programs::find()?;
    let mut tallies = bench_p2p::latency(&programs, &sizes())?;
    tallies.extend(bench_p2p::latency_as_published(&programs, &sizes())?);
    tallies.extend(bench_p2p::substreams(&programs, &SUBSTREAMS)?);
    println!("{}", list("p2p", &tallies));
    Ok(ExitCode::SUCCESS)
}
