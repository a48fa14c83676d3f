//! Which packets of the other side have arrived: what to acknowledge, and what to refuse as repeated.
//!
//! Both are one set, of which the newest ranges are kept. Whatever is older than those counts as arrived, so that no
//! packet is ever taken twice; should it be the first time, its content comes again under another number.
//!
//! Tests: no number is taken twice, whatever the order and however many gaps.

use crate::ranges::Ranges;
use crate::wire::{Ack, RANGES_MAX};

/// More than an acknowledgement tells, so that late packets still find their gap.
const RANGES_KEPT: usize = 4 * RANGES_MAX;

#[derive(Debug, Default)]
pub(super) struct Arrived {
    ranges: Ranges,
    // Every number below counts as arrived.
    floor: u64,
    newest: Option<u64>,
    delay: u32,
    /// The other side waits for an acknowledgement.
    pub(super) is_due: bool,
}

impl Arrived {
    pub(super) fn has(&self, number: u64) -> bool {
        number < self.floor || self.ranges.contains(number)
    }

    /// Takes in a packet, with how long after its stamp it came. Returns whether none newer came before.
    pub(super) fn take(&mut self, number: u64, delay: u32) -> bool {
        self.ranges.insert(number..number + 1);
        if self.ranges.count() > RANGES_KEPT
            && let Some(oldest) = self.ranges.pop_first()
        {
            self.floor = oldest.end;
        }
        let is_newest = self.newest < Some(number);
        if is_newest {
            self.newest = Some(number);
            self.delay = delay;
        }
        is_newest
    }

    pub(super) fn ack(&self) -> Option<Ack> {
        let ranges = self.ranges.iter().rev();
        let ranges = ranges.map(|range| range.start..=range.end - 1);
        (!self.ranges.is_empty()).then(|| Ack::new(self.delay, ranges))
    }

    /// Gives back what memory an idle connection does not need.
    pub(super) fn shrink(&mut self) {
        self.ranges.shrink();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_number_is_taken_twice() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut arrived = Arrived::default();
        let mut taken = BTreeSet::new();
        for step in 0..20_000_u64 {
            let number = step.saturating_sub(random.u64(..2_000)) + random.u64(..50);
            if !arrived.has(number) {
                assert!(taken.insert(number));
                arrived.take(number, 0);
            }
            assert!(arrived.has(number));
        }
        assert!(arrived.ranges.count() <= RANGES_KEPT);
        assert!(taken.len() > 5_000, "{}", taken.len());
    }
}
