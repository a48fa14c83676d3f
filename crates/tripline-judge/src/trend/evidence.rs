//! How sure it is that two neighbouring segments lie apart, in standard deviations of a normal distribution.
//!
//! The one idea: only ranks are asked, so the answer holds for noise of any shape. Where nothing changed, every order of
//! the values has the same chance, whatever they are. The evidence is the stronger of two readings of the ranks: a t-test
//! of normal scores, which loses next to nothing on normal noise, and the exact chance of the rank sum, which is needed
//! where one segment is so short that no test of averages can be sure. Noise that remembers its last value moves in
//! stretches, and lowers both.
//!
//! Tested by the reference values, by counting in `tests/judge/trend`, and below.

use super::series::Series;
use crate::stats::normal_quantile;

/// Up to how many values of the shorter segment the chance of the rank sum is counted.
const COUNTED_MAX: usize = 12;

/// Evidence below this is not worth counting: no threshold is so low.
const COUNTED_FROM: f64 = 1.5;

/// What logarithms may lose in rounding: a step of exactly the floor reaches it.
const ROUNDING: f64 = 1e-12;

/// Returns the normal scores of ranks without ties: where the values of a normal sample of that size lie (Blom 1958).
#[must_use]
pub fn normal_scores(count: usize) -> Vec<f64> {
    let score = |rank: usize| normal_quantile((rank as f64 + 0.625) / (count as f64 + 0.25));
    let mut scores: Vec<f64> = (0..count.div_ceil(2)).map(score).collect();
    if count % 2 == 1 {
        scores[count / 2] = 0.0;
    }
    for rank in scores.len()..count {
        scores.push(-scores[count - 1 - rank]);
    }
    scores
}

/// Returns how far the normal scores of the first values lie from those of the rest, in standard deviations of what
/// chance would give. Zero where either part is empty, all values are equal, or one is no finite number.
#[must_use]
pub fn separation(values: &[f64], first: usize) -> f64 {
    match Series::of(values) {
        Some(series) if first > 0 && first < values.len() => {
            Dealt::of(&series, 0, first, values.len()).separation()
        }
        _ => 0.0,
    }
}

/// What speaks for a change between neighbouring segments of a series.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    series: &'a Series,
    /// The correlation of the noise with its last value.
    correlation: f64,
    /// The smallest difference of levels that counts.
    floor: f64,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(series: &'a Series, correlation: f64, floor: f64) -> Self {
        Self {
            series,
            correlation,
            floor: floor.ln_1p(),
        }
    }

    /// Returns the evidence for a cut between the segments from start to cut and from cut to end, neither of them empty.
    pub(super) fn of(&self, start: usize, cut: usize, end: usize) -> f64 {
        let dealt = Dealt::of(self.series, start, cut, end);
        let difference = dealt.median(Side::After) - dealt.median(Side::Before);
        if difference == 0.0 || difference.abs() < self.floor - ROUNDING {
            return 0.0;
        }
        let inflation = inflation(self.correlation, [cut - start, end - cut]);
        let separation = dealt.separation();
        let by_scores = dealt.as_normal(separation, inflation);
        if separation < COUNTED_FROM || dealt.shorter() > COUNTED_MAX {
            return by_scores;
        }
        by_scores.max(dealt.counted() / inflation)
    }
}

/// The side of a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// The values of two neighbouring segments in the order of their size.
#[derive(Debug)]
struct Dealt<'a> {
    series: &'a Series,
    order: Vec<u32>,
    cut: usize,
    before: usize,
    after: usize,
}

impl<'a> Dealt<'a> {
    fn of(series: &'a Series, start: usize, cut: usize, end: usize) -> Self {
        Self {
            series,
            order: series.sorted(start, end),
            cut,
            before: cut - start,
            after: end - cut,
        }
    }

    fn count(&self) -> usize {
        self.order.len()
    }

    fn shorter(&self) -> usize {
        self.before.min(self.after)
    }

    fn is_on(&self, side: Side, index: u32) -> bool {
        (side == Side::Before) == ((index as usize) < self.cut)
    }

    /// Returns the groups of equal values, the smallest first.
    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let rank = |index: &u32| self.series.ranks[*index as usize];
        self.order.chunk_by(move |a, b| rank(a) == rank(b))
    }

    fn count_on(&self, side: Side, group: &[u32]) -> usize {
        group
            .iter()
            .filter(|index| self.is_on(side, **index))
            .count()
    }

    /// Returns the median height of a side.
    fn median(&self, side: Side) -> f64 {
        let count = match side {
            Side::Before => self.before,
            Side::After => self.after,
        };
        let mut of_side = self.order.iter().filter(|index| self.is_on(side, **index));
        let mut height = |skipped| {
            let index = of_side.nth(skipped);
            index.map_or(0.0, |index| self.series.heights[*index as usize])
        };
        let lower = height((count - 1) / 2);
        if count % 2 == 1 {
            return lower;
        }
        f64::midpoint(lower, height(0))
    }

    /// Returns the distance of the sum of normal scores from its mean, in its standard deviations. Equal values share the
    /// mean of their scores.
    fn separation(&self) -> f64 {
        let scores = normal_scores(self.count());
        let (mut sum, mut squares, mut dealt) = (0.0, 0.0, 0);
        for equal in self.groups() {
            let shared = &scores[dealt..dealt + equal.len()];
            let score = shared.iter().sum::<f64>() / equal.len() as f64;
            sum += score * self.count_on(Side::Before, equal) as f64;
            squares += score * score * equal.len() as f64;
            dealt += equal.len();
        }
        let (count, pairs) = (self.count() as f64, self.before as f64 * self.after as f64);
        let variance = squares / (count - 1.0) * pairs / count;
        if variance > 0.0 {
            sum.abs() / variance.sqrt()
        } else {
            0.0
        }
    }

    /// Returns the normal value that is as rare as this separation.
    ///
    /// A separation is bounded, because the shift itself widens the scores: a t-test takes it out of the noise. That is
    /// also where correlated noise belongs. The result is bounded by the rarest order there is.
    fn as_normal(&self, separation: f64, inflation: f64) -> f64 {
        let degrees = self.count() as f64 - 2.0;
        let rest = degrees + 1.0 - separation * separation;
        let rarest = normal_above_chance(-self.ln_orders()) / inflation;
        if degrees <= 0.0 || rest <= 0.0 {
            return rarest;
        }
        let t = separation * (degrees / rest).sqrt() / inflation;
        // Wallace's approximation (1959), to three digits.
        let normal = (degrees * (t * t / degrees).ln_1p()).sqrt();
        (normal * (8.0 * degrees + 1.0) / (8.0 * degrees + 3.0)).min(rarest)
    }

    /// Returns the normal value that is as rare as the rank sum, with ties counted as if they spoke against it.
    fn counted(&self) -> f64 {
        let few = if self.before <= self.after {
            Side::Before
        } else {
            Side::After
        };
        // In how many pairs the value of the shorter segment is at least, and at most, the other.
        let (mut at_least, mut at_most, mut few_seen, mut many_seen) = (0, 0, 0, 0);
        for equal in self.groups() {
            let of_few = self.count_on(few, equal);
            let of_many = equal.len() - of_few;
            at_least += of_few * (many_seen + of_many);
            at_most += of_many * (few_seen + of_few);
            few_seen += of_few;
            many_seen += of_many;
        }
        let ln_ways = ln_ways(self.shorter(), at_least.min(at_most));
        normal_above_chance(ln_ways - self.ln_orders())
    }

    /// Returns the logarithm of the number of ways to deal the values to the two segments.
    fn ln_orders(&self) -> f64 {
        let (few, many) = (self.shorter(), self.before.max(self.after));
        let factors = (1..=few).map(|i| ((many + i) as f64 / i as f64).ln());
        factors.sum()
    }
}

/// Returns the value that a normal one exceeds with a chance given as its logarithm; none below zero.
fn normal_above_chance(ln_chance: f64) -> f64 {
    // Below this a chance is no normal number; nobody asks for more than 37 standard deviations.
    const LN_CHANCE_MIN: f64 = -690.0;
    (-normal_quantile(ln_chance.max(LN_CHANCE_MIN).exp())).max(0.0)
}

/// Returns the logarithm of the number of ways in which so few values can lose at most so many comparisons.
///
/// A way is a partition of the number lost into at most `few` parts: each part is what one value loses. Parts larger than
/// there are opponents are counted too, which is no way at all, so that the chance is never too small.
fn ln_ways(few: usize, lost: usize) -> f64 {
    let mut partitions = vec![0.0; lost + 1];
    partitions[0] = 1.0;
    for part in 1..=few {
        for sum in part..=lost {
            partitions[sum] += partitions[sum - part];
        }
    }
    partitions.iter().sum::<f64>().ln()
}

/// Returns by how much the standard error of a difference of two means is larger when each value remembers a share of the
/// last one.
fn inflation(correlation: f64, counts: [usize; 2]) -> f64 {
    if correlation <= 0.0 {
        return 1.0;
    }
    let variances = counts.map(|count| {
        let count = count as f64;
        let rest = 1.0 - correlation;
        let long_run = (1.0 + correlation) / rest;
        let short = 2.0 * correlation * (1.0 - correlation.powf(count)) / (count * rest * rest);
        (1.0 / count, (long_run - short) / count)
    });
    let independent = variances[0].0 + variances[1].0;
    let correlated = variances[0].1 + variances[1].1;
    (correlated / independent).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A series of two segments, and where the second starts.
    struct Two(Series, usize);

    fn two(before: &[u32], after: &[u32]) -> Two {
        let values = before.iter().chain(after).map(|value| f64::from(*value));
        Two(
            Series::of(&values.collect::<Vec<_>>()).unwrap(),
            before.len(),
        )
    }

    impl Two {
        fn dealt(&self) -> Dealt<'_> {
            Dealt::of(&self.0, 0, self.1, self.0.len())
        }
    }

    /// Counts in how many of all orders the sum of ranks of the few is at least that of the first ones, or as far below.
    #[test]
    fn the_counted_chance_is_that_of_trying_all_orders() {
        for few in [[9, 8, 7], [9, 8, 5], [9, 7, 6]] {
            let many: Vec<u32> = (0..10).filter(|rank| !few.contains(rank)).collect();
            let sum: u32 = few.iter().sum();
            let mut reached = 0;
            for chosen in 0..1_u32 << 10 {
                let ranks = (0..10).filter(|rank| chosen >> rank & 1 == 1);
                reached += u32::from(chosen.count_ones() == 3 && ranks.sum::<u32>() >= sum);
            }
            let counted = two(&many, &few).dealt().counted();
            let expected = -normal_quantile(f64::from(reached) / 120.0);
            assert!((counted - expected).abs() < 1e-9, "{few:?}");
            assert!((two(&few, &many).dealt().counted() - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn no_evidence_is_rarer_than_the_rarest_order() {
        // Three of one kind after three of another: one order in twenty, though nothing scatters.
        let series = two(&[0, 0, 0], &[1, 1, 1]);
        let clean = series.dealt();
        let expected = -normal_quantile(0.05);
        assert!((clean.as_normal(clean.separation(), 1.0) - expected).abs() < 1e-9);
        assert_eq!(two(&[4, 4], &[4, 4, 4]).dealt().separation(), 0.0);
    }

    #[test]
    fn ties_speak_against_a_change() {
        let many = [0, 1, 2, 3, 4, 5, 6];
        let counted =
            |more, few: &[u32]| two(&[&many[..], &[more]].concat(), few).dealt().counted();
        assert!(counted(8, &[8, 9, 10]) < counted(7, &[8, 9, 10]));
        assert_eq!(two(&[3; 8], &[3; 3]).dealt().counted(), 0.0);
    }

    #[test]
    fn memory_inflates_long_segments_by_its_limit_and_single_values_not_at_all() {
        let long = inflation(0.6, [100_000, 100_000]);
        assert!((long - 2.0).abs() < 1e-3, "{long}");
        assert!((inflation(0.6, [1, 1]) - 1.0).abs() < 1e-12);
        assert_eq!(inflation(-0.4, [10, 10]), 1.0);
        // Two values that remember: the variance of their mean is (1 + r) / 2.
        assert!((inflation(0.5, [2, 2]) - 1.5_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn medians_are_found_on_either_side() {
        let series = two(&[5, 1, 3], &[2, 8]);
        let dealt = series.dealt();
        assert!((dealt.median(Side::Before) - 3.0_f64.ln()).abs() < 1e-12);
        assert!((dealt.median(Side::After) - 4.0_f64.ln()).abs() < 1e-12);
    }
}
