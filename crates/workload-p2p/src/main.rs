//! Our implementation as a program: a server, and a client of any server that speaks the protocol.
//!
//! Tests: `tests/it`.

use std::io;
use std::process::ExitCode;

use workload_p2p::cli::{Ours, run};

fn main() -> ExitCode {
    run(&Ours, std::env::args().skip(1), io::stdout(), io::stderr())
}
