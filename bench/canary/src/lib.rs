//! The suite whose verdict is known in advance.
//!
//! A gate that never fails proves nothing. This suite is measured twice, without and with the feature `planted`, and
//! the gate must say exactly this: `canary/steady{rounds=1000}` and `canary/loopback{percent=0}` are unchanged, since
//! the feature does not touch them; all others of the group `canary` are slower by the percentage in their name.
//!
//! | benchmark | counted | timed | what it is for |
//! | --- | --- | --- | --- |
//! | `canary/steady`, `canary/planted` | yes | yes | changes that no gate may miss |
//! | `canary/small`, `canary/large` | yes | yes | the smallest change of processor work to see, within microseconds and within a millisecond |
//! | `canary/loopback` | no | yes | the smallest change of input and output to see |
//! | `control/*` | no | yes | the machine itself: see [`controls`] |
//!
//! The work is rounds of mixing over a buffer: no allocation, no branch on data, no call into a library, so that its
//! cost is linear in the rounds on any machine. The planted rounds are spent on a copy and thrown away. Therefore the
//! answers are the same with the feature and without: it is the same work, done worse, as a regression is.
//!
//! Tests: run with the feature and without (`cargo test -p bench-canary --features planted`), and ask for the same
//! answers; how much more is done is checked in rounds here, and in instructions by the gate itself.

mod answer;
pub mod controls;
mod loopback;
mod work;

pub use answer::{Answer, answers};
pub use loopback::{LOOPBACK_PERCENTS, Loopback, ROUND_TRIPS, loopback};
pub use work::{
    Buffer, PERCENT_CPU, PERCENTS, ROUNDS_FULL, ROUNDS_LARGE, ROUNDS_SMALL, planted, steady,
};
