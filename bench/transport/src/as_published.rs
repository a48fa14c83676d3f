//! What the published report timed, over our sockets: its definitions, and what its clock includes.
//!
//! A single message goes over a connection that nothing has gone over before, once. Of streams side by side each makes its
//! own keys, sockets and connection, and the clock runs meanwhile: the aggregate of four so holds four times what the single
//! stream beside it was given for nothing. The ratio of the two is the one that the report calls degradation, and the one
//! that a suite's file may not derive.
//!
//! Tests: both do what they time.

use std::time::{Duration, Instant};

use crate::{EXCHANGE, Loopback, Until, single};

/// Times one message over a connection that is new; making it is not timed.
#[must_use]
pub fn message(bytes: usize) -> Duration {
    Loopback::new(1, Until::Answered).time(single(bytes), 1)
}

/// Times pairs that make their keys, sockets and connections and then exchange messages, all at the same time.
///
/// # Panics
/// A pair did not end.
#[must_use]
pub fn exchange(pairs: usize) -> Duration {
    let began = Instant::now();
    std::thread::scope(|scope| {
        let one = || Loopback::new(1, Until::Answered).time(EXCHANGE, 1);
        let threads: Vec<_> = (0..pairs).map(|_| scope.spawn(one)).collect();
        for thread in threads {
            let spent = thread.join();
            assert!(spent.is_ok_and(|spent| spent > Duration::ZERO));
        }
    });
    began.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_includes_more_than_the_messages() {
        assert!(message(1 << 10) > Duration::ZERO);
        assert!(exchange(2) > Duration::ZERO);
    }
}
