//! The scanner as a program that is measured whole.
//!
//! Tests: `tests/smoke.rs`.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use workload_scan::cli::Options;

use crate::database;
use crate::{Failure, Fixture};

/// The variable that makes a bench this program.
pub const STARTED: &str = "BENCH_SCAN_PROGRAM";

/// What stands for the file of a database that earlier runs have written to.
const REUSED: &str = "REUSED";

/// Runs the program instead of the bench, if that is what this process was started for.
#[must_use]
pub fn started(out: impl Write, talk: impl Write) -> Option<ExitCode> {
    env::var_os(STARTED)?;
    Some(program(env::args().skip(1), &env::temp_dir(), out, talk))
}

/// Scans by the scanner's own words, but for the target, which it opens itself; says what it found, and of how many ports. It
/// fails if what was found is not what is there.
pub fn program(
    words: impl Iterator<Item = String>,
    folder: &Path,
    mut out: impl Write,
    mut talk: impl Write,
) -> ExitCode {
    match scan(words, folder, &mut talk).and_then(|said| Ok(out.write_all(said.as_bytes())?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Who does not listen learns it from the exit code.
            let _ = writeln!(talk, "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn scan(
    words: impl Iterator<Item = String>,
    folder: &Path,
    talk: &mut impl Write,
) -> Result<String, Failure> {
    let fixture = Fixture::open()?;
    let mut all = vec![OsString::from("workload-scan")];
    for word in words {
        all.push(match word.as_str() {
            REUSED => database::reused(folder)?.into(),
            _ => word.into(),
        });
    }
    all.push(fixture.address().to_string().into());
    let report = Options::read(all)?.scan(talk)?;
    fixture.check(&report)?;
    let units = report.total();
    Ok(format!(
        "{}{{\"units\":{{\"port\":{units}}}}}\n",
        report.text()
    ))
}
