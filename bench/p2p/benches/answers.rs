//! The answers of the suite, one JSON object a line.
//!
//! Tested in the library; here is only the printing.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

/// Longer ones move the same frames more often.
const BYTES_MAX: u64 = 16 << 20;

fn main() -> Result<(), workload_p2p::Error> {
    let sizes = bench_p2p::sizes();
    let sizes = sizes.split(|bytes| *bytes > BYTES_MAX).next();
    for answer in bench_p2p::answers(sizes.unwrap_or_default())? {
        println!("{answer}");
    }
    Ok(())
}
