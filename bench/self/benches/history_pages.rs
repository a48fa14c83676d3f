//! The bench of what is promised of the whole commands on a long history, as a table on stdout.
//!
//! It is no step of the suite, because it takes the built program and bytes as well as times.
//! `TRIPLINE_BINARY=target/release/tripline cargo bench -p bench-self --bench history_pages` prints it. Tested in the
//! library, at smoke size; here is only the printing.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it prints its table"
)]

use std::env;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use bench_self::commands::{Commands, commands};
use bench_self::store::Size;

/// The size that is promised.
const PROMISED: Size = Size {
    benchmarks: 500,
    commits: 1_000,
};

fn main() -> ExitCode {
    match measured() {
        Ok(measured) => {
            println!("{measured}");
            if measured.is_as_promised() {
                return ExitCode::SUCCESS;
            }
            eprintln!("error: not all is as it is promised");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: the commands were not measured: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> io::Result<Commands> {
    let program = env::var_os("TRIPLINE_BINARY");
    let program = program.ok_or_else(|| {
        io::Error::other(
            "TRIPLINE_BINARY names no program: `cargo build --release -p tripline` makes one",
        )
    })?;
    // Cargo runs this in the folder of the package; what was named is below that of the workspace.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = workspace.join(program).canonicalize()?;
    let folder = tempfile::tempdir()?;
    commands(&program, PROMISED, folder.path())
}
