//! The program of all three: its first word says which one it is, and the rest is what ours takes.

use std::io;
use std::process::ExitCode;

use peers_p2p::{Libp2p, Litep2p};
use workload_p2p::cli::{Ours, Stack, run};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let stack: &dyn Stack = match words.next().as_deref() {
        Some("ours") => &Ours,
        Some("litep2p") => &Litep2p,
        Some("libp2p") => &Libp2p,
        _ => {
            eprintln!(
                "error: nothing was done: the first word is none of `ours`, `litep2p` and `libp2p`"
            );
            return ExitCode::from(2);
        }
    };
    run(stack, words, io::stdout(), io::stderr())
}
