//! Tests of the real binary, one module per subject, in one test binary.
//!
//! Most run in a project of their own whose harness is `cat`; `store` and `manual` run the real suites with the real
//! harnesses, because the first thing a stranger does must work.
#![expect(
    clippy::unwrap_used,
    reason = "a failed unwrap fails the test, and shows where"
)]

#[cfg(feature = "act")]
mod act;
mod baseline;
mod canary;
mod checkout;
mod command_line;
mod doctor;
mod duet;
mod explain;
mod fill;
mod gate;
mod gone;
mod history;
mod init;
mod input;
mod large;
mod manual;
mod measure;
mod merge;
mod plan;
mod policy;
mod process;
mod project;
mod publish;
mod ratchet;
mod read;
mod render;
#[cfg(test)]
mod repository;
mod scripts;
mod session;
mod shards;
mod site;
mod store;
mod transport;
mod traps;
mod trees;
mod whole;
