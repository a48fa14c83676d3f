//! Joins two ordered sequences on a key: what both have, what only the base has, and what only the head has.
//!
//! One pass over both, in their order; nothing is looked up and nothing can be lost. Tested below.

use std::cmp::Ordering;
use std::iter::Peekable;

/// One place of the join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side<T> {
    /// Only the base has it.
    Base(T),
    /// Only the head has it.
    Head(T),
    /// Both have it: the base's, then the head's.
    Both(T, T),
}

/// Walks two sequences that ascend by the same key, each key standing at most once in each.
pub(crate) struct Join<T, B: Iterator<Item = T>, H: Iterator<Item = T>, F> {
    base: Peekable<B>,
    head: Peekable<H>,
    compare: F,
}

/// Joins two sequences that ascend by what `compare` compares.
pub(crate) fn join<T, B, H, F>(base: B, head: H, compare: F) -> Join<T, B::IntoIter, H::IntoIter, F>
where
    B: IntoIterator<Item = T>,
    H: IntoIterator<Item = T>,
    F: Fn(&T, &T) -> Ordering,
{
    Join {
        base: base.into_iter().peekable(),
        head: head.into_iter().peekable(),
        compare,
    }
}

impl<T, B, H, F> Iterator for Join<T, B, H, F>
where
    B: Iterator<Item = T>,
    H: Iterator<Item = T>,
    F: Fn(&T, &T) -> Ordering,
{
    type Item = Side<T>;

    fn next(&mut self) -> Option<Side<T>> {
        let order = match (self.base.peek(), self.head.peek()) {
            (Some(base), Some(head)) => (self.compare)(base, head),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        match order {
            Ordering::Less => self.base.next().map(Side::Base),
            Ordering::Greater => self.head.next().map(Side::Head),
            Ordering::Equal => {
                let (base, head) = (self.base.next()?, self.head.next()?);
                Some(Side::Both(base, head))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(base: &[u32], head: &[u32]) -> Vec<Side<u32>> {
        join(base.iter().copied(), head.iter().copied(), u32::cmp).collect()
    }

    #[test]
    fn every_key_comes_once_and_in_order() {
        use Side::{Base, Both, Head};
        assert_eq!(
            joined(&[1, 2, 4], &[2, 3, 4, 5]),
            [Base(1), Both(2, 2), Head(3), Both(4, 4), Head(5)]
        );
        assert_eq!(joined(&[1, 2], &[]), [Base(1), Base(2)]);
        assert_eq!(joined(&[], &[1]), [Head(1)]);
        assert_eq!(joined(&[], &[]), []);
    }
}
