//! The suite of the port scanner: whole scans of this machine's own loopback, where a [`Fixture`] listens at thirteen known
//! ports.
//!
//! What is measured whole is [`program`]: the scanner's own program, from its command line to its report, which opens the
//! ports that it is to find and looks at what it found. So whatever measures a process measures nothing else, and a scan
//! that found what is not there, or has a port without a verdict, is no measurement at all. What the published report did
//! otherwise is repeated by [`first_thread`] and labelled in the suite's file.
//!
//! Tests: a report with every fault there can be; the smoke test scans, stores, keeps a pace, and starts itself under strace.

mod answer;
mod database;
mod fixture;
mod full;
mod pace;
mod published;
mod whole;

pub use answer::{Answer, answers};
pub use database::{Database, Grown};
pub use fixture::{Faults, Fixture, OPEN, strangers, strangers_at};
pub use full::{Full, full};
pub use pace::{PACED, Pace, pace};
pub use published::first_thread;
pub use whole::{STARTED, program, started};

/// Why nothing was measured.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The sets of ports of the report, by how many they are. Its thousand are those from 1 on, where whoever has no privilege may
/// not listen: ours are the first thousand where everybody may, and three of them are open.
pub const PORTS: [(u32, &str); 3] = [(1_000, "1024-2023"), (10_000, "1-10000"), (65_535, "all")];
