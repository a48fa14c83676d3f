//! What is ready, a lane for each priority.
//!
//! A bit for each lane says whether it holds something, so finding the most urgent message is one instruction, not a
//! search. Tests: the order of lanes; the rest through the queue.

use super::priority::Priority;
use super::slots::{List, Slot};

/// The lanes, from the least urgent to the most urgent.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    lists: [List; Priority::COUNT],
    /// A bit for each lane that is not empty.
    filled: u16,
}

impl Lanes {
    /// Returns the message that is to be delivered next, and its priority.
    pub(super) fn first(&self) -> Option<(Priority, Slot)> {
        // Nothing but the bits of lanes is ever set, so the highest is a priority.
        let lane = self.filled.checked_ilog2()?;
        let slot = self.lists[lane as usize].first()?;
        Some((Priority::new(lane as u8).ok()?, slot))
    }

    /// Lets a lane be changed, and notes whether it is empty afterwards.
    pub(super) fn change<R>(
        &mut self,
        priority: Priority,
        change: impl FnOnce(&mut List) -> R,
    ) -> R {
        let lane = usize::from(priority.number());
        let list = &mut self.lists[lane];
        let result = change(list);
        let bit = 1 << lane;
        if list.first().is_some() {
            self.filled |= bit;
        } else {
            self.filled &= !bit;
        }
        result
    }

    /// Returns how many messages are ready.
    pub(super) fn len(&self) -> u32 {
        self.lists.iter().map(List::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;
    use crate::queue::priority::Priority;
    use crate::queue::slots::Slots;

    #[test]
    fn the_highest_filled_lane_is_first() {
        let mut slots = Slots::new();
        let mut lanes = Lanes::default();
        assert_eq!(lanes.first(), None);
        for number in [3, 0, 9, 4] {
            let priority = Priority::new(number).unwrap();
            lanes.change(priority, |lane| slots.push(lane, number));
        }
        assert_eq!(lanes.len(), 4);
        let mut order = Vec::new();
        while let Some((priority, slot)) = lanes.first() {
            assert_eq!(slots[slot], priority.number());
            order.push(lanes.change(priority, |lane| slots.remove(lane, slot)));
        }
        assert_eq!(order, [9, 4, 3, 0]);
        assert_eq!(lanes.len(), 0);
    }
}
