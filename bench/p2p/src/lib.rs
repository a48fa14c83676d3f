//! The suite of the perf protocol: bytes and substreams between two programs, of which each is ours, litep2p's or libp2p's.
//!
//! Ours is the bench itself, started again, so that it is always of this commit. The others are one program that is built
//! when somebody wants it, because that takes ten minutes: where it is, the whole matrix is measured, and ours alone
//! otherwise. See [`Programs::find`] for how it is built and where it is looked for.
//!
//! A pair is named after the client and then the server: `litep2p-ours`. All pairs take turns, cell by cell, so that what
//! slows the machine for a moment slows none of them alone. What both sides would take without a line is counted by
//! `workload_p2p::parts`.
//!
//! Tests: the cells that are measured, each once, and what arrives in them; ours against itself over the loopback interface,
//! at smoke size; what a program says that is no measurement; the bounds in `suite.toml`.

mod answer;
mod cells;
mod programs;
mod said;

pub use answer::Answer;
pub use cells::{
    answers, as_published, bandwidth, bandwidth_1k, bandwidth_tuned, latency, latency_as_published,
    substreams,
};
pub use programs::{Client, PEERS, Pair, Programs, STACK, Stack, program};
pub use said::{Exchanged, Opened};
pub use tripline_duet::tally::{Tally, list};

/// The sizes of the report, up to a gibibyte.
#[must_use]
pub fn sizes() -> [u64; 21] {
    std::array::from_fn(|power| 1 << (10 + power))
}

/// From here on a transfer is called bandwidth; a shorter one is a matter of a round trip, and so of latency.
pub const BANDWIDTH_FROM: u64 = 1 << 20;

/// Up to here transfers are measured as the report does: 1 KiB at a time, longer ones would take most of the time of all.
pub const PUBLISHED_TO: u64 = 256 << 20;

/// The numbers of substreams of the report.
pub const SUBSTREAMS: [usize; 5] = [1, 32, 64, 128, 256];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_from_64_mib_on_has_its_bound_beside_each_peer() {
        let suite = include_str!("../suite.toml");
        for bytes in sizes().into_iter().filter(|bytes| *bytes >= 64 << 20) {
            for peer in [Stack::Litep2p, Stack::Libp2p] {
                let row = format!(
                    "metric = \"to_{}\"\nbenchmark = \"bandwidth{{bytes={bytes}}}\"\nmin = 1.5\n",
                    peer.name()
                );
                assert!(suite.contains(&row), "{row}");
            }
        }
    }
}
