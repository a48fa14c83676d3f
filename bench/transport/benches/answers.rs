//! The answers of the suite, one JSON object a line.
//!
//! Tested in the library; here is only the printing.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

fn main() {
    for answer in bench_transport::answers() {
        println!("{answer}");
    }
}
