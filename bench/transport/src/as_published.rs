//! What the published report timed, over our sockets: its definitions, and what its clock includes.
//!
//! A single message goes over a connection that nothing has gone over before, once; that of the report is over when its
//! receiver has it, ours when an answer of one byte was read. Of streams side by side each has two threads and makes its own
//! keys, sockets and connection, and the clock runs meanwhile: the aggregate of four so holds four times what the single
//! stream beside it was given for nothing. The ratio of the two is the one that the report calls degradation, and the one
//! that a suite's file may not derive.
//!
//! Tests: both do what they time.

use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use crate::{EXCHANGE, Loopback, Until, single};

/// Times one message over a connection that is new; making it is not timed.
#[must_use]
pub fn message(bytes: usize) -> Duration {
    Loopback::new(1, Until::Answered).time(single(bytes), 1)
}

/// Times pairs that make their keys, sockets and connections and then exchange messages, all at the same time. Taking them
/// down is not timed.
///
/// # Panics
/// A pair did not end.
#[must_use]
pub fn exchange(pairs: usize) -> Duration {
    let pair = || {
        let mut loopback = Loopback::new(1, Until::Answered);
        let spent = loopback.time(EXCHANGE, 1);
        assert!(spent > Duration::ZERO);
        loopback
    };
    let began = Instant::now();
    let (all, pairs) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..pairs).map(|_| scope.spawn(pair)).collect();
        let ended: Vec<_> = threads.into_iter().map(ScopedJoinHandle::join).collect();
        (began.elapsed(), ended)
    });
    assert!(pairs.iter().all(Result::is_ok), "a pair did not end");
    all
}

/// Times what the streams of [`exchange`] do before they send: keys, sockets, the thread of the other side, a connection.
#[must_use]
pub fn connect() -> Duration {
    let began = Instant::now();
    let loopback = Loopback::new(1, Until::Answered);
    let all = began.elapsed();
    drop(loopback);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_includes_more_than_the_messages() {
        assert!(message(1 << 10) > Duration::ZERO);
        assert!(exchange(2) > Duration::ZERO);
        assert!(connect() > Duration::ZERO);
    }
}
