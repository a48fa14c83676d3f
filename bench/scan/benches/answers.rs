//! The answers of the suite, one JSON object a line.
//!
//! Tested in the library; here is only the printing.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use bench_scan::{Failure, Fixture, answers};

fn main() -> Result<(), Failure> {
    for answer in answers(&Fixture::open()?)? {
        println!("{answer}");
    }
    Ok(())
}
