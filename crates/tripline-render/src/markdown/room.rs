//! How much may still be written. Every piece of a page takes its room before it is written, so no page is too long.
//!
//! Tested below, by a property of the shares.

use tripline_model::few;

/// The bytes that are left.
#[derive(Debug)]
pub(super) struct Room {
    left: usize,
}

impl Room {
    /// Returns room for so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { left: bytes }
    }

    /// Returns room for anything, to see what something needs.
    pub(super) fn endless() -> Self {
        Self::new(usize::MAX)
    }

    /// Returns how many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Takes so many bytes, or none where there are not as many.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let is_enough = bytes <= self.left;
        if is_enough {
            self.left -= bytes;
        }
        is_enough
    }

    /// Sets so many bytes aside, or all where there are not as many.
    pub(super) fn part(&mut self, bytes: usize) -> Self {
        let part = Self::new(bytes.min(self.left));
        self.left -= part.left;
        part
    }

    /// Gives back what was set aside and not taken.
    pub(super) fn give_back(&mut self, rest: Self) {
        self.left += rest.left;
    }
}

/// Divides room among several: nobody gets more than needed, and what one does not need goes to the others.
pub(super) fn shares(needs: &[usize], room: usize) -> Vec<usize> {
    let mut modest_first: Vec<usize> = (0..needs.len()).collect();
    few::sort_by_key(&mut modest_first, |index| needs[*index]);
    let mut shares = vec![0; needs.len()];
    let (mut left, mut waiting) = (room, needs.len());
    for index in modest_first {
        shares[index] = needs[index].min(left / waiting);
        left -= shares[index];
        waiting -= 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_does_not_fit_takes_nothing() {
        let mut room = Room::new(10);
        assert!(!room.take(11));
        assert!(room.take(4));
        let part = room.part(100);
        assert_eq!((part.left(), room.left()), (6, 0));
        room.give_back(part);
        assert_eq!(room.left(), 6);
    }

    #[test]
    fn the_modest_get_what_they_need() {
        assert_eq!(shares(&[10, 100, 40], 90), [10, 40, 40]);
        assert_eq!(shares(&[10, 20], 90), [10, 20]);
        assert_eq!(shares(&[], 90), [0; 0]);
    }

    proptest! {
        #[test]
        fn shares_use_the_room_and_no_more(needs in proptest::collection::vec(0_usize..1_000, 1..8), room in 0_usize..3_000) {
            let shares = shares(&needs, room);
            let given: usize = shares.iter().sum();
            prop_assert!(given <= room);
            prop_assert!(shares.iter().zip(&needs).all(|(share, need)| share <= need));
            // Less than one byte for each is lost by rounding, and nobody is kept short while there is more than that.
            let is_short = shares.iter().zip(&needs).any(|(share, need)| share < need);
            prop_assert!(!is_short || given + needs.len() > room);
        }
    }
}
