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

/// How long streams took side by side, by the clocks that the report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchanged {
    /// From before the first key was made until the last stream was done.
    pub all: Duration,
    /// In the mean from when a stream had its connection until it was done, while others were still making theirs.
    pub stream: Duration,
}

/// Times pairs that make their keys, sockets and connections and then exchange messages, all at the same time. Taking them
/// down is not timed.
///
/// # Panics
/// A pair did not end.
#[must_use]
pub fn exchange(pairs: u32) -> Exchanged {
    let pair = || {
        let mut loopback = Loopback::new(1, Until::Answered);
        let spent = loopback.time(EXCHANGE, 1);
        (loopback, spent)
    };
    let began = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..pairs).map(|_| scope.spawn(pair)).collect();
        let ended: Result<Vec<_>, _> = threads.into_iter().map(ScopedJoinHandle::join).collect();
        let all = began.elapsed();
        let ended = ended.expect("a pair did not end");
        let stream = ended.iter().map(|(_, spent)| *spent).sum::<Duration>() / pairs;
        Exchanged { all, stream }
    })
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
        let exchanged = exchange(2);
        assert!(exchanged.stream > Duration::ZERO && exchanged.all > exchanged.stream);
        assert!(connect() > Duration::ZERO);
    }
}
