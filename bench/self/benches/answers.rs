//! The answers of the suite, one JSON object a line, at the sizes that `counts` and `times` use.
//!
//! Tested in the library; here is only the printing.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use bench_self::{BENCHMARKS, HISTORIES, answers, history_answers};

fn main() {
    let pipeline = BENCHMARKS.into_iter().flat_map(answers);
    let history = HISTORIES.into_iter().flat_map(history_answers);
    for answer in pipeline.chain(history) {
        println!("{answer}");
    }
}
