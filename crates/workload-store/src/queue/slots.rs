//! The places of a queue: things that stay where they are put, chained into lists.
//!
//! A message keeps its slot from publication to its end, and what happens to it is a change of links: from a lane to
//! the pending ones, back, or on to the dead letters. So all of that takes the same few steps however many there are,
//! one allocation serves all lists, and a message can be taken out of the middle of one. The caller knows which list a
//! slot is in; there is no more than one. Tests: lists here; everything else through the queue.

use std::ops::{Index, IndexMut};

/// The number of a slot.
pub(super) type Slot = u32;

/// The link of the last one.
const NONE: Slot = Slot::MAX;

/// A chain of slots, from its first to its last.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    first: Slot,
    last: Slot,
    len: u32,
}

impl Default for List {
    fn default() -> Self {
        Self {
            first: NONE,
            last: NONE,
            len: 0,
        }
    }
}

impl List {
    /// Returns the slot that has been in the list for longest.
    pub(super) fn first(&self) -> Option<Slot> {
        (self.first != NONE).then_some(self.first)
    }

    /// Returns how many slots there are in the list.
    pub(super) fn len(&self) -> u32 {
        self.len
    }
}

/// What a slot holds, and its neighbours in the list it is in. A free slot is linked to the next free one.
#[derive(Debug)]
struct Place<T> {
    thing: Option<T>,
    before: Slot,
    after: Slot,
}

/// All slots.
#[derive(Debug)]
pub(super) struct Slots<T> {
    places: Vec<Place<T>>,
    /// The free slot that was used last: the processor is likely to have it at hand.
    free: Slot,
    len: u32,
}

impl<T> Slots<T> {
    /// Returns no slots. The first thing allocates some.
    pub(super) const fn new() -> Self {
        Self {
            places: Vec::new(),
            free: NONE,
            len: 0,
        }
    }

    /// Returns how many slots are taken.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Puts a thing at the end of a list.
    pub(super) fn push(&mut self, list: &mut List, thing: T) -> Slot {
        let slot = self.take_free(thing);
        self.len += 1;
        self.link(list, slot);
        slot
    }

    /// Takes the thing in a slot out of its list and away.
    #[inline]
    pub(super) fn remove(&mut self, list: &mut List, slot: Slot) -> T {
        self.unlink(list, slot);
        self.len -= 1;
        let place = &mut self.places[slot as usize];
        place.after = self.free;
        self.free = slot;
        place.thing.take().expect("a slot in a list holds a thing")
    }

    /// Takes a slot out of one list and puts it at the end of another.
    pub(super) fn shift(&mut self, from: &mut List, to: &mut List, slot: Slot) {
        self.unlink(from, slot);
        self.link(to, slot);
    }

    /// Returns the thing in a slot, or nothing if it is free.
    pub(super) fn get(&self, slot: Slot) -> Option<&T> {
        self.places.get(slot as usize)?.thing.as_ref()
    }

    fn take_free(&mut self, thing: T) -> Slot {
        let thing = Some(thing);
        if self.free == NONE {
            let slot = Slot::try_from(self.places.len()).unwrap_or(NONE);
            assert!(slot < NONE, "the depth of a queue is far below this");
            self.places.push(Place {
                thing,
                before: NONE,
                after: NONE,
            });
            return slot;
        }
        let slot = self.free;
        let place = &mut self.places[slot as usize];
        self.free = place.after;
        place.thing = thing;
        slot
    }

    fn link(&mut self, list: &mut List, slot: Slot) {
        let place = &mut self.places[slot as usize];
        place.before = list.last;
        place.after = NONE;
        if list.last == NONE {
            list.first = slot;
        } else {
            self.places[list.last as usize].after = slot;
        }
        list.last = slot;
        list.len += 1;
    }

    fn unlink(&mut self, list: &mut List, slot: Slot) {
        let Place { before, after, .. } = self.places[slot as usize];
        if before == NONE {
            list.first = after;
        } else {
            self.places[before as usize].after = after;
        }
        if after == NONE {
            list.last = before;
        } else {
            self.places[after as usize].before = before;
        }
        list.len -= 1;
    }
}

impl<T> Index<Slot> for Slots<T> {
    type Output = T;

    fn index(&self, slot: Slot) -> &T {
        self.get(slot).expect("a slot in a list holds a thing")
    }
}

impl<T> IndexMut<Slot> for Slots<T> {
    fn index_mut(&mut self, slot: Slot) -> &mut T {
        let place = &mut self.places[slot as usize];
        place
            .thing
            .as_mut()
            .expect("a slot in a list holds a thing")
    }
}

#[cfg(test)]
mod tests {
    use super::{List, Slots};

    fn emptied(slots: &mut Slots<char>, list: &mut List) -> String {
        std::iter::from_fn(|| list.first().map(|slot| slots.remove(list, slot))).collect()
    }

    #[test]
    fn any_of_a_list_can_be_taken_out() {
        for (gone, rest) in [(0, "bcd"), (1, "acd"), (2, "abd"), (3, "abc")] {
            let mut slots = Slots::new();
            let mut list = List::default();
            let taken = ['a', 'b', 'c', 'd'].map(|thing| slots.push(&mut list, thing));
            slots.remove(&mut list, taken[gone]);
            assert_eq!(slots.get(taken[gone]), None);
            assert_eq!((slots.len(), list.len()), (3, 3));
            assert_eq!(emptied(&mut slots, &mut list), rest);
            assert_eq!((slots.len(), list.len(), list.first()), (0, 0, None));
        }
    }

    #[test]
    fn a_slot_that_changes_lists_goes_to_the_end_and_keeps_its_thing() {
        let mut slots = Slots::new();
        let (mut one, mut two) = (List::default(), List::default());
        let a = slots.push(&mut one, 'a');
        slots.push(&mut one, 'b');
        slots.push(&mut two, 'c');
        slots.shift(&mut one, &mut two, a);
        assert_eq!(slots[a], 'a');
        slots[a] = 'A';
        assert_eq!(emptied(&mut slots, &mut one), "b");
        assert_eq!(emptied(&mut slots, &mut two), "cA");
    }

    #[test]
    fn free_slots_are_used_before_new_ones() {
        let mut slots = Slots::new();
        let mut list = List::default();
        let taken = ['a', 'b', 'c'].map(|thing| slots.push(&mut list, thing));
        slots.remove(&mut list, taken[0]);
        slots.remove(&mut list, taken[1]);
        assert_eq!(slots.push(&mut list, 'd'), taken[1]);
        assert_eq!(slots.push(&mut list, 'e'), taken[0]);
        assert_eq!(slots.push(&mut list, 'f'), 3);
        assert_eq!(emptied(&mut slots, &mut list), "cdef");
    }
}
