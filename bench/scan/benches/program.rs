//! The scanner's own program, which is measured whole: see `bench_scan::program`.

use std::env;
use std::io;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    bench_scan::program(env::args().skip(1), folder, io::stdout(), io::stderr())
}
