//! yamux: many substreams on one connection, each with its own flow control.
//!
//! Nothing that arrives is kept: it is handed to the [`Application`] as it comes, so that a wide window costs no memory.
//! What is to be sent goes into the outbox as far as the other side's window allows, and waits with the application
//! otherwise.

mod frame;
mod mux;
#[cfg(test)]
mod tests;

pub(crate) use mux::{Application, Event, Limits, Mux, StreamId};
