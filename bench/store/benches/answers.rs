//! The answers of the suite, one JSON object a line, at the size that the other benches use.
//!
//! Tested in the library; here is only the printing.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use bench_store::{Inputs, answers, keys, log, queue};

fn main() {
    let keys = keys::answers(Inputs::full);
    let queue = queue::answers(queue::Messages::full);
    let all = answers(Inputs::full).into_iter().chain(keys).chain(queue);
    for answer in all.chain(log::answers()) {
        println!("{answer}");
    }
}
