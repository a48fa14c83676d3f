//! The suite whose verdict is known in advance.
//!
//! A gate that never fails proves nothing. This suite is measured twice, without and with the feature `planted`, and
//! the gate must say exactly this: `canary/steady{rounds=1000}` is unchanged, since the feature does not touch it;
//! `canary/planted{percent=5}` and `canary/planted{percent=10}` are slower by 5 and 10 percent.
//!
//! The work is rounds of mixing over a buffer: no allocation, no branch on data, no call into a library, so that its
//! cost is linear in the rounds on any machine. The planted rounds are spent on a copy and thrown away. Therefore the
//! answers are the same with the feature and without: it is the same work, done worse, as a regression is.
//!
//! Tests: run with the feature and without (`cargo test -p bench-canary --features planted`), and ask for the same
//! answers; how much more is done is checked in rounds here, and in instructions by the gate itself.

mod answer;
mod work;

pub use answer::{Answer, answers};
pub use work::{Buffer, PERCENTS, ROUNDS_FULL, planted, steady};
