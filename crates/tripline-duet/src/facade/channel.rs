//! The way to the driver: the standard streams as the program was started with them.
//!
//! They are moved out of a bench's reach. What it prints goes to standard error instead, what it reads is empty, and a
//! program that it starts inherits neither end. Tested by `tests/serving.rs`, with a bench that prints and reads.

use std::{
    fs::File,
    io::{self, BufReader},
};

use rustix::{
    io::fcntl_dupfd_cloexec,
    stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout},
};

/// The first descriptor beyond the standard streams.
const FIRST_FREE: i32 = 3;

/// Takes the standard streams and returns where requests come from and where replies go.
pub(super) fn take() -> io::Result<(BufReader<File>, File)> {
    let requests = fcntl_dupfd_cloexec(stdin(), FIRST_FREE)?;
    let replies = fcntl_dupfd_cloexec(stdout(), FIRST_FREE)?;
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(stderr())?;
    Ok((BufReader::new(requests.into()), replies.into()))
}
