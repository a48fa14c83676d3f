//! The answers of the suite, one JSON object a line: what arrived between all programs that there are.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;
use std::process::ExitCode;

use bench_p2p::{Programs, program, sizes};

/// Longer ones move the same frames more often.
const BYTES_MAX: u64 = 64 << 20;

fn main() -> Result<ExitCode, Box<dyn Error + Send + Sync>> {
    if let Some(ended) = program() {
        return Ok(ended);
    }
    let programs = Programs::find()?;
    let sizes = sizes();
    let sizes = sizes.split(|bytes| *bytes > BYTES_MAX).next();
    for answer in bench_p2p::answers(&programs, sizes.unwrap_or_default())? {
        println!("{answer}");
    }
    Ok(ExitCode::SUCCESS)
}
