//! The benchmarks of everything the store does with keys beside `kv/get`, `kv/set`, `kv/overwrite` and `kv/delete`.
//!
//! A benchmark whose params say `ttl` is one pass over a thousand keys of which each has that many seconds to live, or
//! none where it is 0: `kv/put` sets each again in a store where nothing else changes, so that what a deadline costs is the
//! difference. One with `batch` is one call for so many keys. `kv/remove_expired` removes a thousand keys that expired in
//! the last second, of so many that expire sooner or later.
//!
//! In `kv/evict_*` each of a thousand keys comes to a store that is full, and another one goes for it or it is refused.
//! `kv/statistics` is one call.
//!
//! In `kv/concurrent_get` and `kv/concurrent_set` threads go through a hundred thousand keys, each on its own way;
//! [`Uniform`] also takes the time of each operation by itself. [`resident`] is what keys take of the memory, and
//! [`staleness()`] how long one that has expired may stay.
//!
//! What ends in `-as-published` repeats the definition of somebody else's report: see [`as_published`].
//!
//! Tests: what each pass returns and leaves behind.

mod answers;
pub mod as_published;
mod latency;
mod memory;
mod passes;
mod staleness;
mod stores;
mod uniform;
mod waves;

pub use answers::answers;
pub use latency::{Latencies, clock};
pub use memory::{SIZES, fill, is_filled, resident};
pub use passes::{
    advance, count, delete_many, evict, exists, expire_in, get_copy, get_many, persist, put, scan,
    set_for, set_many, time_to_live,
};
pub use staleness::{Staleness, staleness};
pub use stores::{
    Batch, EVICTIONS, EXPIRING, FOR_GOOD, TTLS, counters, filled, full, past, strangers,
};
pub use uniform::{Action, OPERATIONS, THREADS, Uniform};
pub use waves::{WAVE, Waves};

/// The numbers of keys in a call: those of the report.
pub const BATCHES: [usize; 4] = [10, 100, 1_000, 10_000];

/// The numbers of keys that expire sooner or later: those of the report.
pub const EXPIRING_KEYS: [usize; 3] = [1_000, 10_000, 100_000];

/// A prefix, and how many of a thousand keys begin with it.
pub const PREFIXES: [(&[u8], usize); 2] = [(b"key:0000012", 10), (b"key:", 1_000)];
