//! The program of all three: its first word says which one it is, and the rest is what ours takes.

use std::io;
use std::process::ExitCode;

use peers_p2p::{Libp2p, Litep2p, Setup};
use workload_p2p::cli::{HELP, Ours, Stack, run};

const WHOSE: &str = "The first word is whose implementation runs: `ours`, `litep2p` or `libp2p`; set up for bandwidth,\n`litep2p-tuned` or `libp2p-tuned`. Behind it:";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let stack: &dyn Stack = match words.next().as_deref() {
        Some("ours") => &Ours,
        Some("litep2p") => &Litep2p(Setup::AsItComes),
        Some("litep2p-tuned") => &Litep2p(Setup::Tuned),
        Some("libp2p") => &Libp2p(Setup::AsItComes),
        Some("libp2p-tuned") => &Libp2p(Setup::Tuned),
        Some("-h" | "--help" | "help") => {
            print!("{WHOSE}\n\n{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!(
                "error: nothing was done: the first word names no implementation\n\n{WHOSE}\n\n{HELP}"
            );
            return ExitCode::from(2);
        }
    };
    run(stack, words, io::stdout(), io::stderr())
}
