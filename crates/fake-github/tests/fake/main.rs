//! Tests of the stand-in from outside, through HTTP, as a client meets it.
//!
//! `operations` does everything once and finds nothing that GitHub's description forbids; `refusals` has every refusal word
//! for word; the others are about one subject each. `client` is what they speak with.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "all of this program is a test: what panics or cannot be unwrapped is a failure of it"
)]

mod artifacts;
mod checks;
mod client;
mod comments;
mod contract;
mod faults;
mod files;
mod operations;
mod pages;
mod program;
mod pulls;
mod refusals;
mod repositories;
