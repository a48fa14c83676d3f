//! The store, used from outside.

mod limits;
mod model;
mod stories;
mod threads;
mod time;

use std::time::Duration;

use workload_store::{Shards, Store};

/// A store of a single shard, in which all keys meet.
fn one_shard() -> Store {
    Store::new(shards(1))
}

fn shards(count: usize) -> Shards {
    Shards::new(count).expect("the tests use powers of two")
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}
