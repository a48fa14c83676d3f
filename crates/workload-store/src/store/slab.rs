//! Numbered places: a thing keeps its number until it is taken out, and the number is then given again.
//!
//! A record in the arena is plain bytes and can hold a number, but nothing that has to be freed. Tests: numbers are
//! given again.

/// The places that are made with the first one.
const FIRST_PLACES: usize = 16;

/// Things by number.
#[derive(Debug, Default)]
pub(super) struct Slab<T> {
    places: Vec<T>,
    free: Vec<u32>,
}

impl<T: Default> Slab<T> {
    /// Puts a thing into a free place and returns its number.
    pub(super) fn add(&mut self, thing: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.places[number as usize] = thing;
            return number;
        }
        if self.places.capacity() == 0 {
            self.places.reserve(FIRST_PLACES);
        }
        self.places.push(thing);
        // Each is named by a record in an arena of less than four gibibytes, so there are never that many.
        (self.places.len() - 1) as u32
    }

    /// Takes a thing out of its place.
    pub(super) fn take(&mut self, number: u32) -> T {
        // At once for all places: a list that grew step by step would be moved at each.
        self.free.reserve(self.places.len() - self.free.len());
        self.free.push(number);
        std::mem::take(&mut self.places[number as usize])
    }

    /// Returns the thing in a place.
    #[inline]
    pub(super) fn at(&self, number: u32) -> &T {
        &self.places[number as usize]
    }

    /// Returns the thing in a place, to be changed.
    pub(super) fn at_mut(&mut self, number: u32) -> &mut T {
        &mut self.places[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Slab;

    #[test]
    fn a_free_place_is_used_again() {
        let mut slab = Slab::default();
        assert_eq!([slab.add('a'), slab.add('b'), slab.add('c')], [0, 1, 2]);
        assert_eq!(slab.take(1), 'b');
        *slab.at_mut(2) = 'd';
        assert_eq!(slab.add('e'), 1);
        assert_eq!([*slab.at(0), *slab.at(1), *slab.at(2)], ['a', 'e', 'd']);
    }
}
