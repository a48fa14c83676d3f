//! The benchmarks of the queue.
//!
//! Those of one thread are passes over a thousand messages, `queue/publish` and so on: one operation each, on a queue
//! that stands as a service leaves it, so that its places are there already. `queue/cycle` is what a message costs in
//! all, behind a backlog; so many messages as `depth` says are there before those of a pass. `queue/get` asks for a queue by
//! its name. In `queue/deliver` consumers on threads of their own drain a queue while it is filled.
//!
//! What ends in `-as-published` repeats the definition of somebody else's report, to be compared with its numbers and
//! with nothing else: see [`as_published`].
//!
//! Tests: each pass delivers what was published, once.

mod answers;
pub mod as_published;
mod crowd;
mod messages;
mod named;
mod passes;

pub use answers::answers;
pub use crowd::{CONSUMERS, Crowd};
pub use messages::{DEPTHS, MESSAGE_BYTES, Messages, Warm};
pub use named::Named;
pub use passes::{
    ack, consume, create_anew, cycle, expire, get, nack, publish, publish_shared, purge,
    purge_dead_letters, statistics, take_dead_letters,
};
