//! Talks to GitHub and pushes git; knows bytes and ids, not benchmarks.
//!
//! The way through: [`Context`] says where we are and what happened; [`artifact`] fetches what a run uploaded, and
//! [`pulls`] finds out whose it is; then everything that is to be written becomes an [`Effect`] before anything is. What
//! each kind of write promises stands in [`comment`], [`check`], [`pulls`], [`issue`], [`git`] and [`runner`].
//!
//! Whatever comes from outside is hostile until it is one of the types here: names that cannot lead elsewhere, text that is
//! bounded, a token that cannot be shown. Tested in `tests/hub`, against a fake GitHub that is held to GitHub's own
//! description of its interface.

mod address;
pub mod artifact;
pub mod check;
mod client;
mod clock;
pub mod comment;
pub mod commit;
pub mod contents;
mod effect;
mod error;
mod event;
pub mod git;
pub mod issue;
pub mod jobs;
mod local;
mod names;
pub mod pulls;
pub mod repository;
pub mod runner;
mod text;
mod token;

pub use address::{Address, AddressError};
pub use client::{Client, Patience, Settings};
pub use clock::{Clock, SystemClock};
pub use effect::{Done, Effect, EffectError, Hands};
pub use error::{HubError, Problem};
pub use event::{
    Context, Event, EventError, Head, HeadRepository, IssueComment, PullRequest, PullSide, Push,
    RunId, WorkflowRun, payload_path,
};
pub use local::Local;
pub use names::{Branch, CommitId, Login, NameError, RepositoryName, SetName, Text};
pub use token::{Token, TokenError};
