//! Pushing with the real git: to bare repositories on disk, and over HTTP to git's own server.

mod append;
mod callers;
mod crowd;
mod extend;
mod http;
mod put;
mod refusals;
mod remove;
mod secrecy;
mod server;
mod tag;
mod yard;
