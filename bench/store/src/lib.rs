//! The suite of the in-memory store, and of the [`queue`] and the durable [`log`] beside it.
//!
//! A benchmark of the store is one pass over all keys by one thread: `kv/get`, `kv/set`, `kv/overwrite` and `kv/delete`,
//! each with values of 64, 1,024 and 4,096 bytes. The inputs and the passes are in this library, and the programs in
//! `benches/` share them, so that the instructions counted, the time taken and the answer given are those of the same
//! work: `counts` counts instructions, `times` takes wall-clock time, `answers` says what the operations returned.
//!
//! The clock and the counter start when the inputs are ready and stop before they are freed. What an operation itself
//! allocates and frees is part of it: `set` pays for the copies of key and value and for the growing tables, `get` for
//! taking and dropping a handle, `overwrite` for freeing the value it replaces, `delete` for freeing key and value.
//!
//! The other operations on [`keys`], the queue and the log have programs of their own for counts and times; `tallies` counts
//! the allocations of all, and how often the log waited for the disk, and `gauges` reads what is neither a count of
//! instructions nor a mean time: latencies, staleness, memory.
//!
//! Tests: every pass runs at smoke size, and its answer is compared with what must come out.

mod answer;
mod inputs;
pub mod keys;
pub mod log;
mod passes;
pub mod queue;
pub mod tally;

pub use answer::{Answer, answers};
pub use inputs::{Inputs, VALUE_BYTES};
pub use passes::{delete, get, overwrite, set};
