//! The search: propose generously, then keep what the ranks confirm.
//!
//! A partition of the calm values proposes the cuts. It sees a pulse as a whole and knows the noise of the whole series,
//! but its penalty holds for normal noise alone. So each cut then has to stand before the ranks, which hold for any: the
//! weakest goes, its neighbours are asked again, until all that is left is strong enough. All is done twice: first with
//! the noise by the differences of neighbours, then with that around the levels that were found, and its memory.
//!
//! Tested through [`super::change_points`].

use super::candidates::Outstanding;
use super::evidence::Evidence;
use super::noise::{correlation, deviation_by_neighbours, residuals};
use super::partition::{best_partition, neighbours, refine};
use super::series::Series;
use super::steady::steps;
use super::sums::Sums;

/// What one more cut costs the partition, in standard deviations: a step has to be as sure as four of them. Anything
/// between 3.5 and 4.4 gives the same results within their noise, because the ranks have the last word.
const PENALTY: f64 = 4.0;

/// Noise is taken for at least this share of the smallest change that counts, so that a series without any is not cut
/// into its rounding errors.
const NOISE_MIN: f64 = 0.125;

/// The least noise where every change counts.
const NOISE_LEAST: f64 = 1e-12;

/// A step of so many deviations of the noise around its levels is asked for no more while it is young than later: ranks
/// of few values cannot say how clear it is. Anything between 5 and 10 gives much the same results.
const CLEAR: f64 = 6.0;

/// What the search asks of a change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demands {
    /// The smallest difference of levels, on the scale of the series.
    pub(super) floor: f64,
    /// The fewest values of a segment, at least one.
    pub(super) segment_min: usize,
    /// How long runs of equal values are in the mean at least, where there is no noise.
    pub(super) run_mean_min: usize,
    /// How sure it has to be.
    pub(super) settled: Proof,
    /// How sure it has to be while it is young, where that is more.
    pub(super) young: Option<Proof>,
}

/// How sure a change has to be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proof {
    /// The least evidence.
    pub(super) evidence: f64,
    /// A correlation of the noise below this is taken for chance.
    pub(super) correlation: f64,
}

impl Proof {
    /// Returns how much of its last value the noise remembers; nothing where so little may be chance.
    fn memory(self, remembered: f64) -> f64 {
        if remembered < self.correlation {
            0.0
        } else {
            remembered
        }
    }
}

/// Up to how many values after it a change is young. Whoever looks again after every commit meets each change while few
/// values speak for it, and each of these looks is a chance to be wrong.
pub(super) const YOUNG_MAX: usize = 50;

/// What the search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Found {
    /// The first value of each new level.
    pub(super) cuts: Vec<usize>,
    /// The evidence for each.
    pub(super) strengths: Vec<f64>,
    /// How much of its last value the noise remembers.
    pub(super) correlation: f64,
    /// Whether there is no noise at all.
    pub(super) is_steady: bool,
}

/// Finds the changes of level.
pub(super) fn search(series: &Series, demands: Demands) -> Found {
    if series.len() < 2 * demands.segment_min {
        return Found::default();
    }
    if let Some(steps) = steps(&series.ranks, demands.segment_min, demands.run_mean_min) {
        return without_noise(series, steps, demands);
    }
    let search = Search {
        series,
        demands,
        sums: Sums::of(&series.calm),
    };
    let least = (NOISE_MIN * demands.floor).max(NOISE_LEAST);
    let by_neighbours = deviation_by_neighbours(&series.calm).max(least);
    let outstanding = Outstanding::of(&search.sums, by_neighbours, demands.segment_min);
    let rough = search.pass(&outstanding, by_neighbours, 0.0);
    let around_levels = search.sums.deviation(&rough.cuts).max(least);
    let remembered = memory(series, &rough.cuts, 0.0);
    let fine = search.pass(&outstanding, around_levels, remembered);
    search.placed(fine)
}

/// Returns how much of its last value the noise around levels remembers; nothing where so little may be chance.
pub(super) fn memory(series: &Series, cuts: &[usize], least: f64) -> f64 {
    let rest = residuals(&series.heights, cuts);
    let memory = correlation(&rest, cuts.len() + 1);
    if memory < least { 0.0 } else { memory }
}

/// Keeps the steps of a series that does not scatter, as far as they are large enough.
fn without_noise(series: &Series, steps: Vec<usize>, demands: Demands) -> Found {
    let mut found = Found {
        is_steady: true,
        ..Found::default()
    };
    let evidence = Evidence::new(series, 0.0, demands.floor);
    for (index, cut) in steps.iter().enumerate() {
        let (start, end) = neighbours(&steps, index, series.len());
        let strength = evidence.of(start, *cut, end);
        // Zero is for what is below the floor.
        if strength > 0.0 {
            found.cuts.push(*cut);
            found.strengths.push(strength);
        }
    }
    found
}

/// What cuts are held against.
struct Bar<'a> {
    of_settled: Evidence<'a>,
    /// What is asked of what is young, where that is more.
    of_young: Option<(Evidence<'a>, Proof)>,
    /// A step of this size is no noise that moves in stretches.
    clear: f64,
}

impl Bar<'_> {
    /// Returns by how much a cut, of some strength, exceeds what is asked of it.
    fn excess(&self, search: &Search<'_>, cuts: &[usize], index: usize, strength: f64) -> f64 {
        let Search {
            series,
            demands,
            sums,
        } = search;
        let (cut, (start, end)) = (cuts[index], neighbours(cuts, index, series.len()));
        let is_young = series.len() - cut <= YOUNG_MAX;
        let is_clear = || (sums.mean(cut, end) - sums.mean(start, cut)).abs() >= self.clear;
        match &self.of_young {
            Some((evidence, young)) if is_young && !is_clear() => {
                evidence.of(start, cut, end) - young.evidence
            }
            _ => strength - demands.settled.evidence,
        }
    }
}

/// A search under way.
struct Search<'a> {
    series: &'a Series,
    demands: Demands,
    sums: Sums,
}

impl Search<'_> {
    /// Proposes cuts by the noise, and keeps those the ranks confirm.
    fn pass(&self, outstanding: &Outstanding, deviation: f64, remembered: f64) -> Found {
        let (segment_min, penalty) = (self.demands.segment_min, (PENALTY * deviation).powi(2));
        let candidates = outstanding.candidates(deviation);
        let mut cuts = best_partition(&self.sums, &candidates, penalty, segment_min);
        refine(&self.sums, &mut cuts, segment_min);
        let correlation = self.demands.settled.memory(remembered);
        let strengths = self.strengths(&cuts, correlation);
        let mut found = Found {
            cuts,
            strengths,
            correlation,
            is_steady: false,
        };
        let evidence =
            |proof: Proof| Evidence::new(self.series, proof.memory(remembered), self.demands.floor);
        let bar = Bar {
            of_settled: evidence(self.demands.settled),
            of_young: self.demands.young.map(|young| (evidence(young), young)),
            clear: CLEAR * deviation,
        };
        self.keep_strong(&mut found, &bar);
        found
    }

    /// Removes the weakest cut, and again, until all have the evidence.
    fn keep_strong(&self, found: &mut Found, bar: &Bar<'_>) {
        let Found {
            cuts, strengths, ..
        } = found;
        let mut excess: Vec<f64> = (0..cuts.len())
            .map(|index| bar.excess(self, cuts, index, strengths[index]))
            .collect();
        loop {
            let all = excess.iter().copied().enumerate();
            match all.min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((weakest, least)) if least < 0.0 => {
                    cuts.remove(weakest);
                    strengths.remove(weakest);
                    excess.remove(weakest);
                    // The segments on both sides of what was removed are one now.
                    for touched in weakest.saturating_sub(1)..(weakest + 1).min(cuts.len()) {
                        let (start, end) = neighbours(cuts, touched, self.series.len());
                        strengths[touched] = bar.of_settled.of(start, cuts[touched], end);
                        excess[touched] = bar.excess(self, cuts, touched, strengths[touched]);
                    }
                }
                _ => return,
            }
        }
    }

    /// Moves the cuts that are left to their best places.
    fn placed(&self, mut found: Found) -> Found {
        let before = found.cuts.clone();
        refine(&self.sums, &mut found.cuts, self.demands.segment_min);
        if found.cuts != before {
            found.strengths = self.strengths(&found.cuts, found.correlation);
        }
        found
    }

    fn strengths(&self, cuts: &[usize], correlation: f64) -> Vec<f64> {
        let evidence = Evidence::new(self.series, correlation, self.demands.floor);
        let strength = |index: usize| {
            let (start, end) = neighbours(cuts, index, self.series.len());
            evidence.of(start, cuts[index], end)
        };
        (0..cuts.len()).map(strength).collect()
    }
}
