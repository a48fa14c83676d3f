//! How noisy the pairs of each reading are, and which change so many pairs would find.
//!
//! Readings of one run lend each other what they know of noise, because a few pairs know little of their own.
//!
//! Tested below, and by simulated sessions in `tests/judge`.

use std::f64::consts::FRAC_PI_2;

use tripline_model::{Caveat, Tolerance};

use super::Question;
use super::signs::ALPHA;
use crate::stats::noise::{minimum_detectable, moderated, pairs_needed, sigma_by_median};
use crate::stats::sign_process::wins_needed;

/// How probably a change that is called detectable is found.
const POWER: f64 = 0.8;

/// More pairs than that nobody measures on every change: three times an ordinary session, and half its noise.
const PAIRS_AFFORDABLE: u32 = 100;

/// How many times the tolerance a change is that should be found, where the gate itself is no more than that.
const TOLERANCES: f64 = 2.0;

/// What is known of the noise of one reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noise {
    /// The standard deviation of one pair's difference of logarithms.
    sigma: f64,
}

/// The share of the values' worth that is left when their spread is taken from the middle half alone.
const EFFICIENCY: f64 = 0.37;

/// Returns the noise of each reading of a run, given the differences of its pairs.
///
/// Only the middle half of them says how often a sign errs, so a stall in one pair of ten makes no benchmark noisy.
pub(super) fn of_run<'a>(readings: impl Iterator<Item = &'a [f64]> + Clone) -> Vec<Noise> {
    let variances: Vec<f64> = readings
        .clone()
        .map(|values| sigma_by_median(values).powi(2))
        .collect();
    let degrees: Vec<f64> = readings
        .map(|values| EFFICIENCY * (values.len() as f64 - 1.0))
        .collect();
    let posterior = moderated(&variances, &degrees).posterior;
    posterior
        .into_iter()
        .map(|variance| Noise {
            sigma: variance.sqrt(),
        })
        .collect()
}

/// Returns the smallest relative change that so many pairs would probably show to exceed a tolerance, where the logarithms of
/// single pairs have a standard deviation. `None` where there are too few to show any.
#[must_use]
pub fn detectable_in(pairs: u32, sigma: f64, tolerance: Tolerance) -> Option<f64> {
    let margin = tolerance.relative.ln_1p();
    let least = minimum_detectable(sigma, pairs, margin, ALPHA, POWER).exp_m1();
    (pairs >= wins_needed(ALPHA) && least.is_finite()).then_some(least)
}

fn pairs_of(question: &Question) -> u32 {
    u32::try_from(question.pairs.len()).unwrap_or(u32::MAX)
}

impl Noise {
    /// Returns the standard deviation of the middle of so many differences.
    pub(super) fn of_estimate(self, pairs: usize) -> f64 {
        self.sigma * (FRAC_PI_2 / pairs.max(1) as f64).sqrt()
    }

    /// Returns the smallest relative change that the pairs of a question would probably show to exceed the tolerance.
    /// `None` where there are too few to show any.
    pub(super) fn detectable(self, question: &Question) -> Option<f64> {
        detectable_in(pairs_of(question), self.sigma, question.rule.tolerance)
    }

    /// Returns the standard deviation of one pair, where enough of them were measured to show anything.
    pub(super) fn sigma_if_known(self, question: &Question) -> Option<f64> {
        let is_known = pairs_of(question) >= wins_needed(ALPHA);
        Some(self.sigma).filter(|sigma| is_known && sigma.is_finite())
    }

    /// Returns the caveat that a change large enough to fail would be missed by as many pairs as anybody would measure.
    pub(super) fn cannot_gate(self, question: &Question) -> Option<Caveat> {
        let rule = &question.rule;
        let detectable = self.detectable(question)?;
        // A change just at the tolerance is shown by no number of pairs, however quiet: twice as much should be.
        let sought = rule.fail_from.max(TOLERANCES * rule.tolerance.relative);
        let margin = rule.tolerance.relative.ln_1p();
        let needed = pairs_needed(self.sigma, sought.ln_1p(), margin, ALPHA, POWER);
        let is_hopeless = question.may_fail()
            && detectable > sought
            && (PAIRS_AFFORDABLE..u32::MAX).contains(&needed);
        is_hopeless.then_some(Caveat::CannotGate {
            detectable,
            pairs_needed: needed,
        })
    }
}
