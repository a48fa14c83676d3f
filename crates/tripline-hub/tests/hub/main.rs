//! The hub from outside: git with real repositories, and everything that goes to GitHub.
//!
//! Each module is marked as a test's, so that its helpers may unwrap.

#[cfg(test)]
mod artifact;
#[cfg(test)]
mod budget;
#[cfg(test)]
mod check;
#[cfg(test)]
mod client;
#[cfg(test)]
mod comment;
#[cfg(test)]
mod commit;
#[cfg(test)]
mod contents;
#[cfg(test)]
mod effect;
#[cfg(test)]
mod event;
#[cfg(test)]
mod git;
#[cfg(test)]
mod issue;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod local;
#[cfg(test)]
mod pulls;
#[cfg(test)]
mod repository;
#[cfg(test)]
mod runner;
#[cfg(test)]
mod secrecy;
#[cfg(test)]
mod support;
