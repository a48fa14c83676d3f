//! Where the runs of a suite stand: mostly in the order in which they were measured, and else behind a later one.
//!
//! A place that is told by the runs in front stays the same when runs are added at the end, or taken away at the
//! beginning, as that action does; so whoever takes a history over again finds what is there already. Tested below.

use jiff::Timestamp;
use tripline_model::Behind;

/// What is known of the runs so far.
#[derive(Debug, Default)]
pub(super) struct Standing {
    last: Option<Behind>,
}

impl Standing {
    /// Returns the place of the next run, if it is not told by when it was measured.
    pub(super) fn of(&mut self, measured_at: Timestamp) -> Option<Behind> {
        match &mut self.last {
            Some(last) if last.latest >= measured_at => {
                last.places = last.places.saturating_add(1);
                Some(*last)
            }
            last => {
                *last = Some(Behind {
                    latest: measured_at,
                    places: 0,
                });
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_a_later_one_says_so() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut standing = Standing::default();
        let behind = |second: i64, places| {
            let latest = at(second);
            Some(Behind { latest, places })
        };
        for (second, expected) in [
            (100, None),
            (300, None),
            (200, behind(300, 1)),
            (300, behind(300, 2)),
            (400, None),
            (50, behind(400, 1)),
        ] {
            assert_eq!(standing.of(at(second)), expected, "{second}");
        }
    }
}
