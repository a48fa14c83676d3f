//! The scanner as a program that is measured whole.
//!
//! Tests: `tests/smoke.rs`.

use std::env;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use workload_scan::Error;
use workload_scan::cli::Options;

use crate::database;
use crate::{Failure, Fixture};

/// The variable that makes a bench this program.
pub const STARTED: &str = "BENCH_SCAN_PROGRAM";

/// What stands for the file of a database that earlier runs have written to.
const REUSED: &str = "REUSED";

/// How it ends where the engine that it is to ask with is none of this machine's: with that, Tripline leaves a step out.
const NOTHING_HERE: u8 = 77;

/// Runs the program instead of the bench, if that is what this process was started for.
#[must_use]
pub fn started(out: impl Write, talk: impl Write) -> Option<ExitCode> {
    env::var_os(STARTED)?;
    Some(program(env::args().skip(1), &env::temp_dir(), out, talk))
}

/// Scans by the scanner's own words, but for the target, which it opens itself; says what it found, and of how many ports. It
/// fails if what was found is not what is there, and with a code of its own where the engine is not to be had.
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
            let cause = error
                .source()
                .map_or(String::new(), |why| format!(": {why}"));
            let _ = writeln!(talk, "error: {error}{cause}");
            match error.downcast_ref().is_some_and(is_elsewhere) {
                true => ExitCode::from(NOTHING_HERE),
                false => ExitCode::FAILURE,
            }
        }
    }
}

/// Tells whether an engine was refused by an older kernel or by a sandbox, and not for want of anything.
fn is_elsewhere(error: &Error) -> bool {
    let Error::Engine { source, .. } = error else {
        return false;
    };
    // An old kernel knows no ring, not how to bind through one, or not the way in which ours is set up.
    let of_machine = [
        ErrorKind::Unsupported,
        ErrorKind::InvalidInput,
        ErrorKind::PermissionDenied,
    ];
    of_machine.contains(&source.kind())
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

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn what_this_machine_has_not_is_told_from_what_it_is_short_of() {
        let refused = |number: i32| {
            is_elsewhere(&Error::Engine {
                engine: "ring",
                advice: "",
                source: io::Error::from_raw_os_error(number),
            })
        };
        // ENOSYS, EOPNOTSUPP, EINVAL and EPERM; EMFILE, ENOMEM and EADDRINUSE.
        assert_eq!([38, 95, 22, 1].map(refused), [true; 4]);
        assert_eq!([24, 12, 98].map(refused), [false; 3]);
        assert!(!is_elsewhere(&Error::Panicked));
    }
}
