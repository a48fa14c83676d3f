//! The answers of the suite, one JSON object a line, at the sizes that `counts` and `times` use.
//!
//! Tested in the library; here is only the printing.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use bench_self::{BENCHMARKS, answers};

fn main() {
    for answer in BENCHMARKS.into_iter().flat_map(answers) {
        println!("{answer}");
    }
}
