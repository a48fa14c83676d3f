//! What the report counted: the system calls of the thread that a program begins with, whatever the others do.
//!
//! Our own steps refuse that: strace has to follow threads. So it is started here.
//!
//! Tests: the table's last line; `tests/smoke.rs` for the rest.

use std::env;
use std::fs;
use std::process::{Command, Stdio};

use crate::{Failure, STARTED};

/// How many system calls the first thread of a whole scan makes.
///
/// # Errors
/// There is no strace, or the scan is wrong.
pub fn first_thread(ports: &str) -> Result<u64, Failure> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("calls");
    let output = Command::new("strace")
        .args(["--summary-only", "--output"])
        .arg(&file)
        .arg(env::current_exe()?)
        .args(["--ports", ports])
        .env(STARTED, "1")
        .stdout(Stdio::null())
        .output()
        .map_err(|error| {
            format!("nothing was counted: strace did not start: {error}; `tools/setup bench` installs it")
        })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let table = fs::read_to_string(file)?;
    total(&table).ok_or_else(|| format!("`{table}` is no table of calls").into())
}

/// The number of calls in the last line of strace's table: share, seconds, microseconds for each, calls, perhaps errors.
fn total(table: &str) -> Option<u64> {
    let line = table.lines().rfind(|line| line.ends_with(" total"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_in_the_last_line() {
        let table = " 55.03    0.164847        2497        66           io_uring_enter\n\
            ------ ----------- ----------- --------- --------- ------------------\n\
            100.00    0.299544        1200       249         9 total\n";
        assert_eq!(total(table), Some(249));
        assert_eq!(total("100.00 0.1 12 7 total"), Some(7));
        assert_eq!(total(""), None);
        assert_eq!(total("a b c total"), None);
    }
}
