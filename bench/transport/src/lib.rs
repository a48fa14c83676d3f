//! The suite of the encrypted transport.
//!
//! The same [`Sender`] and [`Receiver`] work on two networks: on a [`Link`] in memory, whose clock is a number, so that its
//! figures are counts and gated exactly; and on a [`Loopback`] of real UDP sockets, where times are taken. Connections are
//! made before any clock starts, and what was sent counts when the other side has answered or has it. What the published
//! report did instead is repeated in [`as_published`], and each such benchmark says what its clock includes.
//!
//! [`parts`] has what one packet and one message cost inside, for counts of instructions.
//!
//! The feature `serialised` plants a lock that one stream holds from sending until its message is answered: the regression
//! that the gate has to catch by the ratio of one stream to many, while a stream alone is as fast as before. On the link work
//! takes no time: its ratio sees streams that wait for each other, and only that of UDP sees them share a processor badly.
//!
//! Tests: every work arrives whole on both networks; on the link it is the same in every run, and the lock shows.

mod answer;
pub mod as_published;
mod fairness;
mod latency;
mod link;
mod loopback;
pub mod parts;
mod sides;
mod tally;

pub use answer::{Answer, answers};
pub use fairness::unfairness;
pub use latency::Latencies;
pub use link::{Link, Outcome, Over};
pub use loopback::Loopback;
pub use sides::{Receiver, Sender, Until, Work, content};
pub use tally::{Tally, list};

/// The lengths of single messages: those of the report, and two longer ones, of which it says that they time out or hang.
pub const MESSAGE_BYTES: [usize; 6] = [1 << 10, 4 << 10, 16 << 10, 32 << 10, 64 << 10, 1 << 20];

/// How many streams are asked at a time.
pub const STREAMS: [usize; 4] = [1, 2, 4, 8];

/// What each stream does in the report: messages of 1 KiB, each sent when the one before was answered.
pub const EXCHANGE: Work = Work {
    messages: 25,
    bytes: 1 << 10,
    waiting: 1,
};

/// What each stream does where throughput is asked: messages of 1 MiB, of which two are under way.
pub const BULK: Work = Work {
    messages: 4,
    bytes: 1 << 20,
    waiting: 2,
};

/// As many messages of 1 KiB as the line takes, and none waits for another.
pub const SATURATION: Work = Work {
    messages: 1_000,
    bytes: 1 << 10,
    waiting: 1_000,
};

/// Returns the work of a single message.
#[must_use]
pub const fn single(bytes: usize) -> Work {
    Work {
        messages: 1,
        bytes,
        waiting: 1,
    }
}
