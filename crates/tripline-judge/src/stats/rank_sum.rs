//! Mann and Whitney's rank sums: do two unpaired samples lie apart, and by how much?
//!
//! The one idea: if nothing changed, every way of dealing the ranks to the two samples has the same chance. U counts the
//! pairs in which the first sample's value is larger. Its chances are counted exactly while no two values are equal and
//! there are at most [`EXACT_MAX`] of them; otherwise the normal distribution stands in, corrected for ties.
//!
//! Tested by the reference values, and by properties over arbitrary samples.

use super::distribution::{normal_above, normal_quantile};
use super::pairwise::{Differences, Pairs as _};
use super::ranks::Ranks;
use super::{Interval, tail_of};

/// Up to how many values in both samples together chances are counted: the number of ways then fits 127 bits.
pub const EXACT_MAX: usize = 128;

/// What a probability may exceed its limit by and still count as equal to it.
const ROUNDING: f64 = 1e-12;

/// Returns U of the first sample: in how many pairs its value is the larger. A tie counts a half.
#[must_use]
pub fn statistic(first: &[f64], second: &[f64]) -> f64 {
    Dealt::of(first, second).larger
}

/// Returns the chance of samples as far apart: exact where it can be, else by the normal distribution. `None` when one
/// of the samples is empty.
#[must_use]
pub fn p_two_sided(first: &[f64], second: &[f64]) -> Option<f64> {
    p_two_sided_exact(first, second).or_else(|| p_two_sided_normal(first, second))
}

/// Returns the exact chance of samples as far apart. `None` when one is empty, when two values are equal, and when there
/// are more than [`EXACT_MAX`].
#[must_use]
pub fn p_two_sided_exact(first: &[f64], second: &[f64]) -> Option<f64> {
    let dealt = Dealt::of(first, second);
    if dealt.ranks.has_ties() {
        return None;
    }
    let cumulative = null_cumulative(first.len(), second.len())?;
    let pairs = first.len() * second.len();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "without ties U is whole, and between 0 and the number of pairs"
    )]
    let larger = dealt.larger as usize;
    let fewer = larger.min(pairs - larger);
    Some((2.0 * cumulative[fewer]).min(1.0))
}

/// Returns the chance of samples as far apart by the normal distribution, corrected for continuity and ties. `None` when
/// one of the samples is empty.
#[must_use]
pub fn p_two_sided_normal(first: &[f64], second: &[f64]) -> Option<f64> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let dealt = Dealt::of(first, second);
    let normal = Normal::of(first.len(), second.len(), dealt.ranks.ties);
    let distance = ((dealt.larger - normal.mean).abs() - 0.5).max(0.0);
    if normal.deviation <= 0.0 {
        // All values are equal.
        return Some(1.0);
    }
    Some((2.0 * normal_above(distance / normal.deviation)).min(1.0))
}

/// Returns the smallest chance that samples of these sizes can have at all: less than that no test at ranks can show.
#[must_use]
pub fn p_minimal(first: usize, second: usize) -> f64 {
    // One over the number of ways, factor by factor, so that no factorial has to fit.
    let (few, many) = (first.min(second), first.max(second));
    let one_way: f64 = (1..=few).map(|i| i as f64 / (many + i) as f64).product();
    (2.0 * one_way).min(1.0)
}

/// Returns the Hodges-Lehmann estimate of the shift: the median of all differences, second minus first.
#[must_use]
pub fn hodges_lehmann(first: &[f64], second: &[f64]) -> Option<f64> {
    Differences::of(first, second).median()
}

/// Returns the interval that holds the shift, second minus first, with at least a confidence. `None` where there are too
/// few values for a finite one.
#[must_use]
pub fn interval(first: &[f64], second: &[f64], confidence: f64) -> Option<Interval> {
    let (dropped, confidence) = ends(first.len(), second.len(), confidence)?;
    let differences = Differences::of(first, second);
    Some(Interval {
        low: differences.nth(dropped)?,
        high: differences.nth(differences.count() - 1 - dropped)?,
        confidence,
    })
}

/// Returns how many of the sorted differences the interval of samples of these sizes leaves out at each end.
#[must_use]
pub fn dropped(first: usize, second: usize, confidence: f64) -> Option<usize> {
    ends(first, second, confidence).map(|(dropped, _)| dropped)
}

/// Returns how many differences are left out at each end, and the confidence that this gives.
fn ends(first: usize, second: usize, confidence: f64) -> Option<(usize, f64)> {
    let tail = tail_of(confidence)?;
    if let Some(cumulative) = null_cumulative(first, second) {
        let fitting = cumulative.partition_point(|chance| *chance <= tail + ROUNDING);
        let dropped = fitting.checked_sub(1)?;
        return Some((dropped, 1.0 - 2.0 * cumulative[dropped]));
    }
    let normal = Normal::of(first, second, 0.0);
    let dropped = (normal.mean - 0.5 + normal.deviation * normal_quantile(tail)).floor();
    let actual = 1.0 - 2.0 * normal_above((normal.mean - dropped - 0.5) / normal.deviation);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is whole, and at least 0 as is asked right here"
    )]
    (dropped >= 0.0).then_some((dropped as usize, actual))
}

/// Returns for each U, from zero on, the chance of that U or less where nothing changed and no two values are equal.
/// `None` for an empty sample and beyond [`EXACT_MAX`].
fn null_cumulative(first: usize, second: usize) -> Option<Vec<f64>> {
    if first == 0 || second == 0 || first + second > EXACT_MAX {
        return None;
    }
    let ways = ways(first, second);
    let all: i128 = ways.iter().sum();
    let mut sum = 0;
    let chances = ways.iter().map(|ways| {
        sum += ways;
        sum as f64 / all as f64
    });
    Some(chances.collect())
}

/// Returns in how many ways each U can come about: the coefficients of a Gaussian binomial, the product of
/// (1 - q^(first+i)) / (1 - q^i) for i up to the second size. Every step's result is again one, so nothing is rounded.
fn ways(first: usize, second: usize) -> Vec<i128> {
    let mut ways = vec![0_i128; first * second + 1];
    ways[0] = 1;
    for i in 1..=second {
        for u in (first + i..ways.len()).rev() {
            ways[u] -= ways[u - first - i];
        }
        for u in i..ways.len() {
            ways[u] += ways[u - i];
        }
    }
    ways
}

/// The ranks of both samples together, and U of the first.
struct Dealt {
    ranks: Ranks,
    larger: f64,
}

impl Dealt {
    fn of(first: &[f64], second: &[f64]) -> Self {
        let ranks = Ranks::of(&[first, second].concat());
        let doubled: usize = ranks.doubled[..first.len()].iter().sum();
        // The first sample's ranks among themselves, doubled.
        let own = first.len() * (first.len() + 1);
        Self {
            ranks,
            larger: (doubled - own) as f64 / 2.0,
        }
    }
}

/// The normal distribution that U comes close to.
struct Normal {
    mean: f64,
    deviation: f64,
}

impl Normal {
    fn of(first: usize, second: usize, ties: f64) -> Self {
        let pairs = first as f64 * second as f64;
        let all = (first + second) as f64;
        let tied = ties / (all * (all - 1.0));
        Self {
            mean: pairs / 2.0,
            deviation: (pairs / 12.0 * (all + 1.0 - tied)).max(0.0).sqrt(),
        }
    }
}
