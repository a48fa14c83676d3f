//! The workflows, played from end to end by `act` on this machine: the real files of `.github`, the real binary, real git,
//! and a stand-in for GitHub that is held to GitHub's own description. Only what moves artifacts between jobs is replaced,
//! by folders.
//!
//! One test per story, each in a repository of its own.

mod broken;
mod callgrind;
mod canary;
mod demo;
mod export;
mod hostile;
mod keep;
mod play;
mod pull;
mod release;
mod scene;
mod schedule;
