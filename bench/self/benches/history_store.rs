//! The bench of the history's store: what a point weighs, and how long one series takes, as a table on stdout.
//!
//! It is no step of the suite, because it takes long and has two numbers. `cargo bench -p bench-self --bench history_store`
//! prints it. Tested in the library, at smoke size; here is only the printing.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it prints its table"
)]

use std::process::ExitCode;

use bench_self::store::{Size, store};

/// The size that is promised: 16,000 series.
const PROMISED: Size = Size {
    benchmarks: 2_000,
    commits: 1_000,
};

fn main() -> ExitCode {
    let measured = tempfile::tempdir().and_then(|folder| store(PROMISED, folder.path()));
    match measured {
        Ok(measured) => {
            println!("{measured}");
            if measured.is_as_promised() {
                return ExitCode::SUCCESS;
            }
            eprintln!("error: not all is as it is promised");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: the store was not measured: {error}");
            ExitCode::FAILURE
        }
    }
}
