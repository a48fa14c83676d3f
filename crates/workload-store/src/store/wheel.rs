//! The deadlines of one shard: a wheel of wheels, as a clock has hands.
//!
//! A wheel has 64 slots. The slots of the lowest are a millisecond wide, those of the next as wide as the whole lowest,
//! and so on: eleven wheels reach to the end of time. A deadline waits in the lowest wheel that can tell it from the
//! present and moves down when its slot comes, at most ten times, hence setting, changing and cancelling one takes the
//! same few steps however many there are. Only slots with something in them are visited: a bit says which.
//!
//! Tests: a wheel against a sorted list, over strides from a millisecond to years.

use super::slab::Slab;

const SLOT_BITS: u32 = 6;
const SLOTS: usize = 1 << SLOT_BITS;
const WHEELS: usize = u64::BITS.div_ceil(SLOT_BITS) as usize;

/// The number of no timer.
const NONE: u32 = u32::MAX;

/// How many of a slot are looked at for the soonest of them.
const GLANCE: usize = 8;

/// What waits for a deadline, and its neighbours in the slot.
#[derive(Clone, Copy, Debug, Default)]
struct Timer {
    deadline: u64,
    record: u32,
    before: u32,
    after: u32,
    /// Over all wheels.
    slot: u32,
}

/// Deadlines, in milliseconds.
#[derive(Debug)]
pub(super) struct Wheel {
    timers: Slab<Timer>,
    /// The first timer of each slot, wheel by wheel.
    slots: Box<[u32]>,
    /// A bit for each slot that has a timer.
    taken: [u64; WHEELS],
    /// No timer waits in a slot before this moment.
    reached: u64,
    len: usize,
}

impl Default for Wheel {
    fn default() -> Self {
        Self {
            timers: Slab::default(),
            slots: vec![NONE; WHEELS * SLOTS].into(),
            taken: [0; WHEELS],
            reached: 0,
            len: 0,
        }
    }
}

impl Wheel {
    /// Returns how many timers there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Sets a timer for a record and returns its number.
    pub(super) fn set(&mut self, record: u32, deadline: u64) -> u32 {
        let timer = self.timers.add(Timer {
            deadline,
            record,
            ..Timer::default()
        });
        self.len += 1;
        self.link(timer);
        timer
    }

    /// Gives a timer another deadline.
    pub(super) fn change(&mut self, timer: u32, deadline: u64) {
        self.unlink(timer);
        self.timers.at_mut(timer).deadline = deadline;
        self.link(timer);
    }

    /// Takes a timer away.
    pub(super) fn cancel(&mut self, timer: u32) {
        self.unlink(timer);
        self.timers.take(timer);
        self.len -= 1;
    }

    /// Notes where the record of a timer is now.
    pub(super) fn moved(&mut self, timer: u32, record: u32) {
        self.timers.at_mut(timer).record = record;
    }

    /// Returns the deadline of a timer.
    pub(super) fn deadline(&self, timer: u32) -> u64 {
        self.timers.at(timer).deadline
    }

    /// Returns a record whose deadline has passed, until its timer is cancelled.
    pub(super) fn due(&mut self, now: u64) -> Option<u32> {
        loop {
            let Some((wheel, slot, start)) = self.soonest_slot().filter(|slot| slot.2 <= now)
            else {
                self.reached = self.reached.max(now);
                return None;
            };
            self.reached = start;
            let first = self.slots[slot];
            if wheel == 0 {
                return Some(self.timers.at(first).record);
            }
            self.move_down(slot);
        }
    }

    /// Returns a record whose deadline is among the soonest: the soonest of the first few in the soonest slot.
    pub(super) fn soonest(&self) -> Option<u32> {
        let (_, slot, _) = self.soonest_slot()?;
        let mut next = self.slots[slot];
        let in_slot = std::iter::from_fn(|| {
            let timer = (next != NONE).then(|| self.timers.at(next))?;
            next = timer.after;
            Some(timer)
        });
        let soonest = in_slot.take(GLANCE).min_by_key(|timer| timer.deadline)?;
        Some(soonest.record)
    }

    /// Returns the earliest slot that has a timer: its wheel, its number over all wheels, and when it begins.
    ///
    /// All timers of a wheel come before those of the next one: theirs differ from the present in a lower digit.
    fn soonest_slot(&self) -> Option<(usize, usize, u64)> {
        let wheel = self.taken.iter().position(|&taken| taken != 0)?;
        let slot = self.taken[wheel].trailing_zeros();
        let shift = SLOT_BITS * wheel as u32;
        let above = shift + SLOT_BITS;
        let turn = self
            .reached
            .checked_shr(above)
            .map_or(0, |turns| turns << above);
        let start = turn | u64::from(slot) << shift;
        Some((wheel, wheel * SLOTS + slot as usize, start))
    }

    /// Spreads the timers of a slot that has come over the lower wheels.
    fn move_down(&mut self, slot: usize) {
        while self.slots[slot] != NONE {
            let timer = self.slots[slot];
            self.unlink(timer);
            self.link(timer);
        }
    }

    /// Puts a timer into the slot of its deadline, or into the present one if that is over.
    fn link(&mut self, number: u32) {
        let deadline = self.timers.at(number).deadline.max(self.reached);
        let differs = (deadline ^ self.reached).checked_ilog2().unwrap_or(0);
        let wheel = differs / SLOT_BITS;
        let digit = (deadline >> (SLOT_BITS * wheel)) as usize % SLOTS;
        let slot = wheel as usize * SLOTS + digit;
        let after = std::mem::replace(&mut self.slots[slot], number);
        if after != NONE {
            self.timers.at_mut(after).before = number;
        }
        let timer = self.timers.at_mut(number);
        (timer.before, timer.after, timer.slot) = (NONE, after, slot as u32);
        self.taken[wheel as usize] |= 1 << digit;
    }

    fn unlink(&mut self, number: u32) {
        let Timer {
            before,
            after,
            slot,
            ..
        } = *self.timers.at(number);
        if after != NONE {
            self.timers.at_mut(after).before = before;
        }
        if before != NONE {
            self.timers.at_mut(before).after = after;
            return;
        }
        let slot = slot as usize;
        self.slots[slot] = after;
        if after == NONE {
            self.taken[slot / SLOTS] &= !(1 << (slot % SLOTS));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::{
        ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
    };
    use proptest::sample::Index;

    use super::Wheel;

    #[derive(Clone, Debug)]
    enum Step {
        Set(u64),
        Change(Index, u64),
        Cancel(Index),
        Pass(u64),
    }

    /// From a millisecond to for ever.
    fn stride() -> impl Strategy<Value = u64> {
        (0_u32..64, any::<u64>()).prop_map(|(shift, random)| random >> shift)
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => stride().prop_map(Step::Set),
            1 => (any::<Index>(), stride()).prop_map(|(which, stride)| Step::Change(which, stride)),
            1 => any::<Index>().prop_map(Step::Cancel),
            2 => stride().prop_map(Step::Pass),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_due_is_what_a_sorted_list_says(steps in vec(step(), 0..100)) {
            let mut wheel = Wheel::default();
            // Deadline, record, timer.
            let mut list: BTreeSet<(u64, u32, u32)> = BTreeSet::new();
            let mut now = 0_u64;
            for (record, step) in (0..).zip(steps) {
                match step {
                    Step::Set(stride) => {
                        let deadline = now.saturating_add(stride);
                        list.insert((deadline, record, wheel.set(record, deadline)));
                    }
                    Step::Change(which, stride) if !list.is_empty() => {
                        let old = *list.iter().nth(which.index(list.len())).unwrap();
                        let deadline = now.saturating_add(stride);
                        list.remove(&old);
                        list.insert((deadline, old.1, old.2));
                        wheel.change(old.2, deadline);
                        prop_assert_eq!(wheel.deadline(old.2), deadline);
                    }
                    Step::Cancel(which) if !list.is_empty() => {
                        let old = *list.iter().nth(which.index(list.len())).unwrap();
                        list.remove(&old);
                        wheel.cancel(old.2);
                    }
                    Step::Pass(stride) => {
                        now = now.saturating_add(stride);
                        while let Some(record) = wheel.due(now) {
                            let due = *list.iter().find(|timer| timer.1 == record).unwrap();
                            prop_assert!(due.0 <= now);
                            // Never later than another one that is due.
                            prop_assert_eq!(due.0, list.first().unwrap().0);
                            list.remove(&due);
                            wheel.cancel(due.2);
                        }
                        prop_assert!(list.first().is_none_or(|timer| timer.0 > now));
                    }
                    Step::Change(..) | Step::Cancel(_) => {}
                }
                prop_assert_eq!(wheel.len(), list.len());
                prop_assert_eq!(wheel.soonest().is_some(), !list.is_empty());
            }
        }
    }
}
