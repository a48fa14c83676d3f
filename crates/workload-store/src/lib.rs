//! An in-memory store of byte keys and byte values; beside it a [`queue`] of messages, and a [`log`] that outlives its
//! process.
//!
//! It is one of the real systems that get measured, so it is written to be fast in a way that a count can follow:
//! the hasher has a fixed seed and nothing reads a clock, hence the same calls execute the same instructions in every
//! run. Keys are spread over shards with a lock each, so that threads rarely meet; a value is handed out as a shared
//! handle, so that reading costs no copy however long the value is.
//!
//! Tests: each file checks its own promise; `tests/it/store.rs` compares random sequences of calls with an ordered
//! map of the standard library and lets threads loose on one store.
//!
//! ```
//! use workload_store::{Shards, Store};
//!
//! let store = Store::new(Shards::default());
//! assert_eq!(store.set(b"colour", b"green"), None);
//! assert_eq!(store.get(b"colour").as_deref(), Some(&b"green"[..]));
//! assert!(store.delete(b"colour"));
//! assert!(store.is_empty());
//! ```

mod hash;
pub mod log;
pub mod queue;
mod shard;
mod shards;
mod store;
mod value;

pub use shards::Shards;
pub use store::Store;
pub use value::Value;
