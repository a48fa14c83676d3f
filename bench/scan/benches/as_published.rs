//! System calls as the report counted them: see `bench_scan::first_thread`.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::io;
use std::process::ExitCode;

use bench_scan::{Failure, PORTS, first_thread, started};
use tripline_duet::tally::{Tally, list};

fn main() -> Result<ExitCode, Failure> {
    if let Some(ended) = started(io::stdout(), io::stderr()) {
        return Ok(ended);
    }
    let mut tallies = Vec::new();
    for (count, ports) in PORTS {
        let benchmark = format!("calls-as-published{{ports={count}}}");
        let calls = first_thread(ports)? as f64;
        tallies.push(Tally::of(&benchmark, "system_calls", "count", calls));
    }
    println!("{}", list("scan", &tallies));
    Ok(ExitCode::SUCCESS)
}
