//! Wilcoxon's signed ranks: is the middle of paired differences zero, where is it, and how sure is that?
//!
//! The one idea: if nothing changed, each difference is as likely to be above zero as below, so every pattern of signs
//! over the ranks of the sizes has the same chance. That chance is counted exactly up to [`EXACT_MAX`] differences, equal
//! sizes included; beyond, the normal distribution is close enough. The interval is the same test turned around: the
//! values that it would not reject.
//!
//! Tested by the reference values, and by properties over arbitrary differences.

use super::distribution::{normal_above, normal_quantile};
use super::pairwise::{Means, Pairs as _};
use super::ranks::Ranks;
use super::tail_of;

pub use super::Interval;

/// Up to how many differences chances are counted instead of approximated.
pub const EXACT_MAX: usize = 50;

/// What a probability may exceed its limit by and still count as equal to it: `1 - 0.98` is a little more than 0.02.
const ROUNDING: f64 = 1e-12;

/// Returns the Hodges-Lehmann estimate: the median of the means of all pairs of differences.
#[must_use]
pub fn hodges_lehmann(differences: &[f64]) -> Option<f64> {
    Means::of(differences).median()
}

/// Returns the interval that holds the middle with at least a confidence. `None` where there are too few differences
/// for a finite one: it takes 5 for 90 %, 6 for 95 % and 8 for 99 %.
#[must_use]
pub fn interval(differences: &[f64], confidence: f64) -> Option<Interval> {
    let (dropped, confidence) = ends(differences.len(), confidence)?;
    let means = Means::of(differences);
    Some(Interval {
        low: means.nth(dropped)?,
        high: means.nth(means.count() - 1 - dropped)?,
        confidence,
    })
}

/// Returns how many of the sorted pairwise means the interval of so many differences leaves out at each end.
#[must_use]
pub fn dropped(count: usize, confidence: f64) -> Option<usize> {
    ends(count, confidence).map(|(dropped, _)| dropped)
}

/// Returns how many pairwise means are left out at each end, and the confidence that this gives.
fn ends(count: usize, confidence: f64) -> Option<(usize, f64)> {
    let tail = tail_of(confidence)?;
    if count <= EXACT_MAX {
        let cumulative = null_cumulative(count);
        let fitting = cumulative.partition_point(|chance| *chance <= tail + ROUNDING);
        let dropped = fitting.checked_sub(1)?;
        return Some((dropped, 1.0 - 2.0 * cumulative[dropped]));
    }
    let normal = Normal::of(count, 0.0);
    let dropped = (normal.mean - 0.5 + normal.deviation * normal_quantile(tail)).floor();
    let actual = 1.0 - 2.0 * normal_above((normal.mean - dropped - 0.5) / normal.deviation);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is whole, and at least 0 as is asked right here"
    )]
    (dropped >= 0.0).then_some((dropped as usize, actual))
}

/// Returns the sum of the ranks of the differences above zero. Zeros have no rank.
#[must_use]
pub fn statistic(differences: &[f64]) -> f64 {
    Signed::of(differences).doubled_above as f64 / 2.0
}

/// Returns the chance of differences as far from zero, to either side. `None` when there are none.
#[must_use]
pub fn p_two_sided(differences: &[f64]) -> Option<f64> {
    let signed = Signed::of(differences);
    if signed.ranks.doubled.len() > EXACT_MAX {
        return p_two_sided_normal(differences);
    }
    let [as_small, as_large] = signed.tails();
    (!differences.is_empty()).then_some((2.0 * as_small.min(as_large)).min(1.0))
}

/// Returns the chance of differences as far above zero. `None` when there are none.
#[must_use]
pub fn p_greater(differences: &[f64]) -> Option<f64> {
    let signed = Signed::of(differences);
    let p = if signed.ranks.doubled.len() > EXACT_MAX {
        let normal = signed.normal();
        normal_above((signed.above() - normal.mean - 0.5) / normal.deviation)
    } else {
        signed.tails()[1]
    };
    (!differences.is_empty()).then_some(p)
}

/// Returns what [`p_two_sided`] is by the normal distribution, corrected for continuity and ties.
#[must_use]
pub fn p_two_sided_normal(differences: &[f64]) -> Option<f64> {
    let signed = Signed::of(differences);
    if signed.ranks.doubled.is_empty() {
        return (!differences.is_empty()).then_some(1.0);
    }
    let normal = signed.normal();
    let distance = ((signed.above() - normal.mean).abs() - 0.5).max(0.0);
    Some((2.0 * normal_above(distance / normal.deviation)).min(1.0))
}

/// Returns for each sum of ranks, from zero on, the chance of that sum or less where nothing changed and no two sizes
/// are equal. The work grows with the cube of the count.
#[must_use]
pub fn null_cumulative(count: usize) -> Vec<f64> {
    let ranks: Vec<usize> = (1..=count).collect();
    let mut sum = 0.0;
    let chances = chances(&ranks).into_iter();
    chances
        .map(|chance| {
            sum += chance;
            sum
        })
        .collect()
}

/// Returns the chance of each sum over the ranks, when each is counted or not with the same chance.
fn chances(ranks: &[usize]) -> Vec<f64> {
    let mut chances = vec![0.0; ranks.iter().sum::<usize>() + 1];
    chances[0] = 1.0;
    let mut largest = 0;
    for rank in ranks {
        largest += rank;
        for sum in (*rank..=largest).rev() {
            chances[sum] = (chances[sum] + chances[sum - rank]) / 2.0;
        }
        for without in &mut chances[..*rank] {
            *without /= 2.0;
        }
    }
    chances
}

/// The ranks of the sizes of all differences but zeros, and twice the sum of those above zero.
struct Signed {
    ranks: Ranks,
    doubled_above: usize,
}

impl Signed {
    fn of(differences: &[f64]) -> Self {
        let kept: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
        let sizes: Vec<f64> = kept.iter().map(|difference| difference.abs()).collect();
        let ranks = Ranks::of(&sizes);
        let signed = kept.iter().zip(&ranks.doubled);
        let above = signed.filter(|(difference, _)| **difference > 0.0);
        let doubled_above = above.map(|(_, rank)| rank).sum();
        Self {
            ranks,
            doubled_above,
        }
    }

    fn above(&self) -> f64 {
        self.doubled_above as f64 / 2.0
    }

    /// Returns the chances of a sum as small, and of one as large.
    fn tails(&self) -> [f64; 2] {
        let chances = chances(&self.ranks.doubled);
        let as_small = &chances[..=self.doubled_above];
        let as_large = &chances[self.doubled_above..];
        [as_small, as_large].map(|tail| tail.iter().sum::<f64>().min(1.0))
    }

    fn normal(&self) -> Normal {
        Normal::of(self.ranks.doubled.len(), self.ranks.ties)
    }
}

/// The normal distribution that the sum of ranks comes close to.
struct Normal {
    mean: f64,
    deviation: f64,
}

impl Normal {
    fn of(count: usize, ties: f64) -> Self {
        let count = count as f64;
        let twice = count * (count + 1.0);
        Self {
            mean: twice / 4.0,
            deviation: (twice * (2.0 * count + 1.0) / 24.0 - ties / 48.0).sqrt(),
        }
    }
}
