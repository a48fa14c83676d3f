//! What was found, two bits for each port of each target.
//!
//! Whoever found something writes it into the word where it belongs; there is no lock and nothing to merge, and a full
//! scan of one host is 16 KiB.
//!
//! Tests: here; which orders threads can run in does not matter, because a verdict is given once and only bits are set.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many ports share a word.
const WORD: u64 = 32;

/// What is known about a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Somebody listens.
    Open,
    /// The host says that nobody does.
    Closed,
    /// Nobody answers, or something on the way refuses.
    Filtered,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Open, Self::Closed, Self::Filtered];

    /// The word that people and programs read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Filtered => "filtered",
        }
    }

    /// The number that is stored, never 0.
    pub fn bits(self) -> u64 {
        match self {
            Self::Open => 1,
            Self::Closed => 2,
            Self::Filtered => 3,
        }
    }

    /// The verdict of a stored number; none where nothing is known yet.
    pub fn of_bits(bits: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.bits() == bits)
    }
}

/// The verdicts of a scan, by place.
#[derive(Debug)]
pub(crate) struct Verdicts {
    words: Box<[AtomicU64]>,
    count: u64,
}

impl Verdicts {
    /// Nothing is known of `count` places.
    pub(crate) fn new(count: u64) -> Self {
        let words = (0..count.div_ceil(WORD)).map(|_| AtomicU64::new(0));
        Self {
            words: words.collect(),
            count,
        }
    }

    /// How many places there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Gives the verdict on a place. It must be the first.
    pub(crate) fn give(&self, place: u64, verdict: Verdict) {
        let (word, shift) = split(place);
        // No order is needed: whoever reads joined the threads that wrote.
        let was = self.words[word].fetch_or(verdict.bits() << shift, Ordering::Relaxed);
        debug_assert_eq!(was >> shift & 3, 0, "a second verdict on place {place}");
    }

    /// Tells whether anybody answered from some places.
    pub(crate) fn any_answer(&self, mut places: Range<u64>) -> bool {
        places.any(|place| matches!(self.get(place), Some(Verdict::Open | Verdict::Closed)))
    }

    /// What is known of a place.
    pub(crate) fn get(&self, place: u64) -> Option<Verdict> {
        let (word, shift) = split(place);
        Verdict::of_bits(self.words[word].load(Ordering::Relaxed) >> shift & 3)
    }
}

fn split(place: u64) -> (usize, u64) {
    ((place / WORD) as usize, place % WORD * 2)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn what_is_given_is_there_and_its_neighbours_are_as_before() {
        let verdicts = Verdicts::new(100);
        for (place, verdict) in [
            (0, Verdict::Open),
            (31, Verdict::Closed),
            (32, Verdict::Filtered),
            (99, Verdict::Open),
        ] {
            verdicts.give(place, verdict);
            assert_eq!(verdicts.get(place), Some(verdict));
        }
        assert_eq!(
            (0..100)
                .filter(|place| verdicts.get(*place).is_some())
                .count(),
            4
        );
    }

    #[test]
    fn threads_share_words_and_lose_nothing() {
        let verdicts = Verdicts::new(65_536);
        let of = |place: u64| Verdict::ALL[(place % 3) as usize];
        thread::scope(|scope| {
            for start in 0..4 {
                let verdicts = &verdicts;
                scope.spawn(move || {
                    let mine = (start..65_536).step_by(4);
                    mine.for_each(|place| verdicts.give(place, of(place)));
                });
            }
        });
        assert!((0..65_536).all(|place| verdicts.get(place) == Some(of(place))));
    }

    #[test]
    fn a_stored_number_is_its_verdict() {
        assert_eq!(Verdict::of_bits(0), None);
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::of_bits(verdict.bits()), Some(verdict));
        }
    }
}
