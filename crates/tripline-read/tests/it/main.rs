//! Tests of the adapters on what harnesses really wrote, on the same damaged, and on what somebody who means ill writes.
//!
//! A fixture is a directory `fixtures/<adapter>/<case>`. If it holds one file and nothing else, the file is the input;
//! otherwise the directory is. All are results of the suite `kv`. What an adapter reads from each is a snapshot. A file
//! beside the cases says how they were made.
#![expect(
    clippy::unwrap_used,
    reason = "all of this program is a test: what cannot be unwrapped is a failure of it"
)]

mod corpus;
mod damage;
mod data_js;
mod directories;
mod fixtures;
mod forms;
mod hostile;
mod inputs;
mod kinds;
mod refusals;
mod sniffing;
mod support;
