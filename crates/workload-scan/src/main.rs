//! The scanner as a program: see `cli`.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    workload_scan::cli::run(std::env::args_os(), io::stdout(), io::stderr())
}
