//! Queues of messages with priorities, acknowledgements, retries and dead letters.
//!
//! Each queue has one lock, and queues share none: [`Queues`] finds a queue by its name, and whoever keeps the handle
//! does not ask again. No operation walks the queue but a purge, and a deadline that passed is dealt with once; in
//! particular it costs the same to publish into a full queue as into an empty one. Payloads are shared handles:
//! publishing copies the bytes once, before the lock is taken, consuming copies nothing, and what an operation removes
//! is freed after the lock is released.
//!
//! # What is promised
//!
//! - **Order.** The highest priority that has a message goes first, so a steady stream of urgent messages starves the
//!   others. Within a priority messages are delivered in the order in which they were published.
//! - **Requeue.** A message that comes back, because a consumer gave it back or because its deadline passed, keeps its
//!   priority and its id and goes behind all that wait there: one that always fails holds nobody up. Those whose
//!   deadlines passed come back in the order in which they were delivered.
//! - **At least once.** A message leaves only when it is acknowledged, purged, or taken as a dead letter. One whose
//!   consumer was too slow is delivered again although the first consumer may have done the work.
//! - **Deadline.** A delivery ends at its deadline: an ack is in time as long as it comes *before* that moment. At and
//!   after it, the answer is [`SettleError::Late`], whatever happened to the delivery before; in time, a second ack or
//!   nack is answered by [`SettleError::Settled`]. A receipt never settles another delivery than its own.
//! - **Retries.** A retry is any delivery after the first, whether a nack or the deadline ended the one before. A
//!   message is delivered at most `1 + retries_max` times.
//! - **Dead letters.** A message whose retries are used up, or which a consumer declares dead, joins the dead letters
//!   of its own queue, in the order of dying. [`Queue::take_dead_letter`] takes the oldest one out; to have it
//!   delivered again, publish its payload.
//! - **Depth.** All that the queue holds counts: ready, pending and dead. So nothing is ever thrown away to make room,
//!   and a queue whose dead letters nobody reads fills up, where it is noticed.
//! - **Purge.** Removes what is ready. Messages pending with consumers are left to them: they can be acknowledged, and
//!   are ready again if they are not. Dead letters have a purge of their own.
//! - **Memory.** The place of a message that left is used again; a queue keeps as many places as it ever needed at
//!   once.
//!
//! # Time
//!
//! Nothing here reads a clock. Where deadlines matter, the caller says what time it is: `now` is the time since a
//! moment that is the same for all who use the queue. Threads that read their clock in one order and arrive in another
//! do no harm: an earlier time than the latest seen is taken for the latest. Deadlines that passed are found by the
//! next operation that is told the time.
//!
//! Tests: each part checks its own promise; `tests/it/queue` has the stories, compares random sequences of operations
//! and of time passing with a naive model, and lets threads loose; `queue/explored.rs` takes small cases through every
//! order in which threads can run.
//!
//! ```
//! use std::time::Duration;
//! use workload_store::queue::{Priority, Queues, Settings};
//!
//! let queues = Queues::default();
//! let letters = queues.create("letters", Settings {
//!     depth_max: 1_000,
//!     ack_deadline: Duration::from_secs(30),
//!     retries_max: 3,
//! })?;
//! letters.publish(b"hello", Priority::new(5)?)?;
//!
//! let delivery = letters.consume(Duration::ZERO).expect("one message waits");
//! assert_eq!(&*delivery.payload, b"hello");
//! letters.ack(delivery.receipt, Duration::from_secs(1))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod explored;
mod handle;
mod lanes;
mod lock;
mod message;
mod priority;
mod queues;
mod settings;
mod slots;
mod state;
mod statistics;

pub use handle::{PublishError, Queue};
pub use message::{Cause, DeadLetter, Delivery, Fate, MESSAGE_BYTES_MAX, Nack, Receipt};
pub use priority::{Priority, PriorityError};
pub use queues::{NAME_BYTES_MAX, Queues, QueuesError};
pub use settings::{DEPTH_MAX, RETRIES_MAX, Settings, SettingsError};
pub use state::SettleError;
pub use statistics::Statistics;
