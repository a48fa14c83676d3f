//! A closed part of a history: what its records say besides their numbers, and which files hold those.
//!
//! The numbers stand in *blocks*, ordered by series and then by record, so that one series can be read without the others.
//! Tested below, and by what reads and writes it.

use crate::history::Record;
use crate::names::{Digest, EnvironmentName, SuiteName};

/// Records of one suite, in one environment by name, whose numbers stand in blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// The suite.
    pub suite: SuiteName,
    /// What the environment is called.
    pub environment: EnvironmentName,
    /// The sets of series that its records have points of.
    pub sets: Box<[Numbered]>,
    /// Its records, in order.
    pub heads: Box<[Head]>,
    /// The files of its numbers, in the order of their series.
    pub blocks: Box<[Block]>,
}

/// A record without its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// What the record's file was named after.
    pub digest: Digest,
    /// The record. It has no points, and of its origin nothing that is said of a row.
    pub record: Record,
}

/// A set of series, and which numbers they have in a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// The digest of the set's file.
    pub set: Digest,
    /// The numbers.
    pub numbers: Numbers,
}

/// A file with the points of some series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The digest of the file.
    pub digest: Digest,
    /// The number of its first series.
    pub first: u32,
    /// How many series it holds.
    pub count: u32,
}

/// Ascending numbers, most of which follow one another: of each such stretch the first and how many they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbers(Vec<(u32, u32)>);

impl Numbers {
    /// Takes stretches that are in order, none of which is empty or overlaps the one before.
    #[must_use]
    pub fn new(stretches: Vec<(u32, u32)>) -> Option<Self> {
        let is_some =
            |&(first, count): &(u32, u32)| count > 0 && first.checked_add(count).is_some();
        let is_behind = |two: &[(u32, u32)]| two[0].0 + two[0].1 <= two[1].0;
        let is_good = stretches.iter().all(is_some) && stretches.windows(2).all(is_behind);
        is_good.then_some(Self(stretches))
    }

    /// Adds a number that is greater than all others.
    pub fn push(&mut self, number: u32) {
        match self.0.last_mut() {
            Some((first, count)) if *first + *count == number => *count += 1,
            _ => self.0.push((number, 1)),
        }
    }

    /// Returns the number at a place.
    #[must_use]
    pub fn at(&self, place: usize) -> Option<u32> {
        let mut left = u32::try_from(place).ok()?;
        for &(first, count) in &self.0 {
            if left < count {
                return Some(first + left);
            }
            left -= count;
        }
        None
    }

    /// Returns the place of a number.
    #[must_use]
    pub fn place(&self, number: u32) -> Option<usize> {
        let mut before = 0;
        for &(first, count) in &self.0 {
            if (first..first + count).contains(&number) {
                return Some((before + number - first) as usize);
            }
            before += count;
        }
        None
    }

    /// Returns all of them.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0
            .iter()
            .flat_map(|&(first, count)| first..first + count)
    }

    /// Returns how many they are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().map(|&(_, count)| count as usize).sum()
    }

    /// Returns the stretches.
    #[must_use]
    pub fn stretches(&self) -> &[(u32, u32)] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_one_another_stand_once() {
        let all = [0, 1, 2, 5, 7, 8];
        let mut numbers = Numbers::default();
        all.iter().for_each(|number| numbers.push(*number));
        assert_eq!(numbers.stretches(), [(0, 3), (5, 1), (7, 2)]);
        assert_eq!(numbers.iter().collect::<Vec<_>>(), all);
        assert_eq!(numbers.count(), all.len());
        let each: Vec<Option<u32>> = (0..7).map(|place| numbers.at(place)).collect();
        assert_eq!(each[..6], all.map(Some));
        assert_eq!(each[6], None);
        let back: Vec<Option<usize>> = all.iter().map(|number| numbers.place(*number)).collect();
        assert_eq!(back, [0, 1, 2, 3, 4, 5].map(Some));
        assert_eq!(numbers.place(6), None);
        assert_eq!(Numbers::new(numbers.stretches().to_vec()), Some(numbers));
    }

    #[test]
    fn stretches_that_overlap_are_none() {
        for wrong in [vec![(0, 0)], vec![(u32::MAX, 1)], vec![(0, 2), (1, 1)]] {
            assert_eq!(Numbers::new(wrong), None);
        }
    }
}
