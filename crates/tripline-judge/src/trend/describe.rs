//! What is said of a change point: where it may lie, between which levels, how large it is, and whether it lasted.
//!
//! Tested through [`super::change_points`].

use std::ops::{Range, RangeInclusive};

use super::partition::neighbours;
use super::search::Found;
use super::series::Series;
use super::size::Size;
use super::sums::Sums;
use crate::stats::Interval;
use crate::stats::median;

/// How much worse than the best place another may fit and still be the true one in 95 of 100 cases, in squared standard
/// deviations (Eo and Morley 2015).
const PLACE_95: f64 = 7.35;

/// After how many values a change is no longer pending. Four are needed to see it, and the fifth says it again.
const CONFIRMED_AFTER: usize = 5;

/// The share of a change that may remain where it counts as undone.
const UNDONE: f64 = 0.25;

/// Where a series moved to another level.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangePoint {
    /// The first value of the new level, as likely as can be said.
    pub index: usize,
    /// Where that value may be, with a confidence of 95 %.
    pub range: RangeInclusive<usize>,
    /// The level before, since the change point before.
    pub before: Level,
    /// The level after, up to the next change point.
    pub after: Level,
    /// The size as a share of the level before: the median of all differences (Hodges and Lehmann), or that of the means.
    pub shift: f64,
    /// The interval of the size. `None` where there are too few values for one, and of means.
    pub interval: Option<Interval>,
    /// The evidence, in standard deviations of a normal distribution.
    pub score: f64,
    /// Whether it lasted.
    pub status: Status,
}

/// A stretch of a series between two change points.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The median, or the mean for a method that compares means.
    pub center: f64,
    /// Its values.
    pub values: Range<usize>,
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// There are fewer than five values since: it may go away.
    Pending,
    /// It lasted, so far.
    Confirmed,
    /// A later level undid three quarters of it or more.
    Reverted,
}

/// What the level of a stretch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Center {
    /// The median of its values.
    Median,
    /// The mean of its values.
    Mean,
}

/// A stretch of a series, and what was found in it.
#[derive(Debug)]
pub(super) struct Look<'a> {
    /// Where the stretch starts in the whole series.
    pub(super) origin: usize,
    /// Its values.
    pub(super) values: &'a [f64],
    /// The same, prepared.
    pub(super) series: Series,
    /// What was found.
    pub(super) found: Found,
    /// What the levels are.
    pub(super) center: Center,
}

impl Look<'_> {
    /// Returns how many change points there are.
    pub(super) fn count(&self) -> usize {
        self.found.cuts.len()
    }

    /// Returns the first value of a new level, in the whole series.
    pub(super) fn index(&self, point: usize) -> usize {
        self.origin + self.found.cuts[point]
    }

    /// Returns whether the level rises.
    pub(super) fn is_up(&self, point: usize) -> bool {
        let (start, end) = self.neighbours(point);
        let cut = self.found.cuts[point];
        let [before, after] =
            [start..cut, cut..end].map(|range| median(&self.series.heights[range]).unwrap_or(0.0));
        after > before
    }

    /// Describes all change points.
    pub(super) fn points(&self) -> Vec<ChangePoint> {
        (0..self.count()).map(|point| self.point(point)).collect()
    }

    /// Describes one change point.
    pub(super) fn point(&self, point: usize) -> ChangePoint {
        let cut = self.found.cuts[point];
        let (start, end) = self.neighbours(point);
        let [before, after] = [start..cut, cut..end].map(|range| self.level(range));
        let (shift, interval) = match self.center {
            Center::Median => self.shift(start..cut, cut..end, before.center),
            Center::Mean => (share_of(before.center, after.center), None),
        };
        ChangePoint {
            index: self.index(point),
            range: self.places(point),
            shift,
            interval,
            score: self.found.strengths[point],
            status: self.status(point, before.center, after.center),
            before,
            after,
        }
    }

    /// Returns the size of a change as a share of the level before, and the interval it lies in.
    fn shift(
        &self,
        first: Range<usize>,
        second: Range<usize>,
        before: f64,
    ) -> (f64, Option<Interval>) {
        let share = |difference: f64| self.series.scale.share(difference, before);
        let heights = &self.series.heights;
        let size = Size::of(&heights[first], &heights[second]);
        let interval = size.interval.map(|interval| Interval {
            low: share(interval.low),
            high: share(interval.high),
            ..interval
        });
        (share(size.difference), interval)
    }

    /// Returns where the change may lie: between the first and the last place that fits hardly worse than the best.
    pub(super) fn places(&self, point: usize) -> RangeInclusive<usize> {
        if self.found.is_steady {
            return self.index(point)..=self.index(point);
        }
        let (start, end) = self.neighbours(point);
        let calm = &self.series.calm[start..end];
        let best = self.found.cuts[point] - start;
        let sums = Sums::of(calm);
        let deviation = sums.deviation(&[best]);
        let memory = (1.0 + self.found.correlation) / (1.0 - self.found.correlation);
        let cost = |place: usize| sums.scatter(0, place) + sums.scatter(place, sums.len());
        let limit = cost(best) + PLACE_95 * memory * deviation * deviation;
        let fits = |place: &usize| cost(*place) <= limit;
        let first = (1..best).find(fits).unwrap_or(best);
        let last = (best + 1..sums.len()).rev().find(fits).unwrap_or(best);
        let offset = self.origin + start;
        offset + first..=offset + last
    }

    fn neighbours(&self, point: usize) -> (usize, usize) {
        neighbours(&self.found.cuts, point, self.values.len())
    }

    fn level(&self, range: Range<usize>) -> Level {
        Level {
            center: match self.center {
                Center::Median => median(&self.values[range.clone()]).unwrap_or(0.0),
                Center::Mean => mean(&self.values[range.clone()]),
            },
            values: self.origin + range.start..self.origin + range.end,
        }
    }

    fn status(&self, point: usize, before: f64, after: f64) -> Status {
        let later = (point + 1..self.count()).map(|later| {
            let (_, end) = self.neighbours(later);
            self.level(self.found.cuts[later]..end).center
        });
        let remains = |level: f64| (level - before) / (after - before);
        // Where only the noise changed there is no level that could be undone.
        if before != after && later.map(remains).any(|remains| remains <= UNDONE) {
            Status::Reverted
        } else if self.values.len() - self.found.cuts[point] < CONFIRMED_AFTER {
            Status::Pending
        } else {
            Status::Confirmed
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns a difference as a share of what it starts from. One from zero is infinitely large.
fn share_of(before: f64, after: f64) -> f64 {
    if before == after {
        return 0.0;
    }
    (after - before) / before.abs()
}
