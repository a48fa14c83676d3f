//! An in-memory store of byte keys and byte values; beside it a [`queue`] of messages, and a [`log`] that outlives its
//! process.
//!
//! It is one of the real systems that get measured, so it is written to be fast in a way that a count can follow:
//! the hasher has a fixed seed and nothing reads a clock, hence the same calls execute the same instructions in every
//! run. Keys are spread over shards with a lock each, so that threads rarely meet. Within a shard, keys and short values
//! stand one behind the other in an arena, so that small entries cost little more than their bytes; a long value is
//! handed out as a share of it, so that reading costs no copy however long it is.
//!
//! Tests: each file checks its own promise; `tests/it/store` compares random sequences of calls with an ordered
//! map of the standard library and lets threads loose on one store.
//!
//! ```
//! use workload_store::{Shards, Store};
//!
//! let store = Store::new(Shards::default());
//! assert_eq!(store.set(b"colour", b"green")?, None);
//! assert_eq!(store.get(b"colour").as_deref(), Some(&b"green"[..]));
//! assert!(store.delete(b"colour"));
//! assert!(store.is_empty());
//! # Ok::<(), workload_store::Error>(())
//! ```

pub mod log;
pub mod queue;
mod store;
mod value;

pub use store::{
    BatchError, ENTRY_BYTES, Error, Eviction, Handle, KEY_BYTES_MAX, Limit, Scan, Shards,
    Statistics, Store, TimeToLive, VALUE_BYTES_MAX,
};
pub use value::Value;
