//! How fast bytes go from one program to the other, by `bandwidth{bytes,direction,pair}`, in bits per second: an upload until the
//! server has confirmed it, a download until its last byte is there; by `bandwidth-tuned`, the same of the peers set up for
//! bandwidth; by `bandwidth-1k`, of the peers as they come, 1 KiB at a time. Sizes below a mebibyte are in `latency`.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;
use std::process::ExitCode;

use bench_p2p::{Programs, list, program, sizes};

fn main() -> Result<ExitCode, Box<dyn Error + Send + Sync>> {
    if let Some(ended) = program() {
        return Ok(ended);
    }
    let programs = Programs::find()?;
    let mut tallies = bench_p2p::bandwidth(&programs, &sizes())?;
    tallies.extend(bench_p2p::bandwidth_tuned(&programs, &sizes())?);
    tallies.extend(bench_p2p::bandwidth_1k(&programs, &sizes())?);
    println!("{}", list("p2p", &tallies));
    Ok(ExitCode::SUCCESS)
}
