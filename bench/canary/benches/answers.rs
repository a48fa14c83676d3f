//! The answers of the suite, one JSON object a line, at the size that `counts` and `times` use.
//!
//! Tested in the library; here is only the printing.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use bench_canary::{ROUNDS_FULL, answers};

fn main() {
    for answer in answers(ROUNDS_FULL) {
        println!("{answer}");
    }
}
