//! How long each message takes by itself.
//!
//! Tests: which value a percentile is.

use std::time::Duration;

/// The latencies of many messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// In rising order.
    spans: Vec<Duration>,
}

impl Latencies {
    /// Takes latencies in any order.
    #[must_use]
    pub fn of(mut spans: Vec<Duration>) -> Self {
        spans.sort_unstable();
        Self { spans }
    }

    /// Returns the latency that so many of a hundred messages do not exceed, if there is any.
    #[must_use]
    pub fn percent(&self, percent: usize) -> Option<Duration> {
        let rank = (self.spans.len() * percent).div_ceil(100);
        self.spans.get(rank.saturating_sub(1)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_least_value_that_so_many_do_not_exceed() {
        let all = Latencies::of((1..=200).rev().map(Duration::from_micros).collect());
        let found = [50, 99, 100].map(|percent| all.percent(percent));
        let expected = [100, 198, 200].map(|micros| Some(Duration::from_micros(micros)));
        assert_eq!(found, expected);
        assert_eq!(Latencies::of(Vec::new()).percent(50), None);
    }
}
