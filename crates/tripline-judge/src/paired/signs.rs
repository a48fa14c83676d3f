//! In how many pairs the head is worse, or better, by more than the tolerance; and what that proves.
//!
//! The one idea: a pair is won or lost, and by how much does not matter, so no shape of noise is assumed. A pair is
//! compared as two counts are, by [`differ`], without logarithms; but where it differs by the very share of the tolerance, as
//! whole numbers of nanoseconds do again and again, it is neither won nor lost.
//!
//! Tested below, and by simulated sessions in `tests/judge`.

use tripline_model::{Better, Tolerance};

use crate::policy::Rule;
use crate::stats::sign_process::{ln_e, wins_needed};
use crate::threshold::{differ, is_at_share};

/// How often a change is said to exceed the tolerance though it does not.
pub(super) const ALPHA: f64 = 0.01;

/// How often a change is said to be within the tolerance though it is not.
pub(super) const BETA: f64 = 0.01;

/// The share of false ones that is allowed among the benchmarks that may fail.
pub(super) const FALSE_SHARE: f64 = 0.05;

/// What a session of pairs has shown, so that more of them would hardly change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The head is worse by more than the tolerance.
    Worse,
    /// The head is better by more than the tolerance.
    Better,
    /// The head is within the tolerance, on both sides of it.
    Same,
}

/// Returns what pairs of a base's and a head's value have shown of one benchmark, or `None` while another pair may show
/// more. It may be asked after every pair, as often as one likes, and measuring may stop at the first answer.
///
/// `hypotheses` is the number of benchmarks and metrics of the run that may fail: what is worse is called so only when it
/// would fail although no other is worse. What has no direction is the same from the start.
///
/// Where base and head alternate at random and no run changes the next, these hold at every stopping time, whatever
/// the noise and however it drifts:
///
/// - a change that is not worse than the tolerance is called `Worse` with a probability of at most 1 %, and of at most
///   5 % over the number of hypotheses; so is one that is not better called `Better`;
/// - a change beyond the tolerance is called `Same` with a probability of at most 1 %.
///
/// Whether a regression warns or fails hangs on its estimate, which more pairs would still sharpen.
#[must_use]
pub fn decision(
    pairs: &[(f64, f64)],
    better: Better,
    rule: &Rule,
    hypotheses: usize,
) -> Option<Decision> {
    let signs = Signs::of(pairs, better, rule.tolerance);
    let lone = (hypotheses.max(1) as f64 / FALSE_SHARE)
        .max(1.0 / ALPHA)
        .ln();
    if signs.ln_e_worse() >= lone {
        Some(Decision::Worse)
    } else if signs.ln_e_better() >= lone {
        Some(Decision::Better)
    } else if better == Better::Neither || signs.ln_e_same() >= -BETA.ln() {
        Some(Decision::Same)
    } else {
        None
    }
}

/// Returns how many pairs it takes to show anything: so many must all say the same, however clear a change is.
#[must_use]
pub fn pairs_to_decide() -> u32 {
    wins_needed(ALPHA)
}

/// Returns whether pairs speak for a change, without having proved it: then more of them are worth their time.
///
/// Among two hundred benchmarks a lone regression of 5 % on a noisy host needs more than thirty pairs in a third of all
/// cases; twice as many, for those alone that speak after thirty, find it in all.
#[must_use]
pub fn leans(pairs: &[(f64, f64)], better: Better, rule: &Rule) -> bool {
    let signs = Signs::of(pairs, better, rule.tolerance);
    better != Better::Neither && signs.ln_e_worse().max(signs.ln_e_better()) > 0.0
}

/// How the pairs of one benchmark fell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Signs {
    /// In how many the head is worse by more than the tolerance.
    pub(super) worse: u32,
    /// In how many the head is better by more than the tolerance.
    pub(super) better: u32,
    /// In how many the head is worse, and better, by exactly the tolerance, which is neither more nor less.
    level: (u32, u32),
    /// In how many there is something to compare: two zeros have no ratio.
    telling: u32,
    /// How many there are.
    all: u32,
}

impl Signs {
    /// Counts pairs of a base's and a head's value. What is no number is no pair.
    pub(super) fn of(pairs: &[(f64, f64)], better: Better, tolerance: Tolerance) -> Self {
        let mut signs = Self::default();
        for &(base, head) in pairs {
            if !(base.is_finite() && head.is_finite()) {
                continue;
            }
            signs.all += 1;
            signs.telling += u32::from(is_telling(&(base, head)));
            if !differ(base, head, tolerance) {
                continue;
            }
            let (worse, better) = (better.is_worse(base, head), better.is_worse(head, base));
            match is_at_share(base, head, tolerance) {
                true => {
                    signs.level.0 += u32::from(worse);
                    signs.level.1 += u32::from(better);
                }
                false => {
                    signs.worse += u32::from(worse);
                    signs.better += u32::from(better);
                }
            }
        }
        signs
    }

    /// Returns the evidence, as a logarithm, that the head is worse by more than the tolerance.
    pub(super) fn ln_e_worse(&self) -> f64 {
        ln_e(self.worse, self.telling - self.worse - self.level.0)
    }

    /// Returns the evidence that the head is better by more than the tolerance.
    pub(super) fn ln_e_better(&self) -> f64 {
        ln_e(self.better, self.telling - self.better - self.level.1)
    }

    /// Returns the evidence that the head is neither, which is the weaker of that against each. Two zeros speak for it.
    pub(super) fn ln_e_same(&self) -> f64 {
        let against = |wins: u32| ln_e(self.all - wins, wins);
        against(self.worse).min(against(self.better))
    }
}

/// Returns whether a pair can say by how much its sides differ: two zeros cannot.
pub(super) fn is_telling((base, head): &(f64, f64)) -> bool {
    *base != 0.0 || *head != 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule {
        tolerance: Tolerance {
            relative: 0.02,
            floor: 5.0,
        },
        warn_from: 0.02,
        fail_from: 0.05,
    };

    fn signs(pairs: &[(f64, f64)], better: Better) -> (u32, u32) {
        let signs = Signs::of(pairs, better, RULE.tolerance);
        (signs.worse, signs.better)
    }

    #[test]
    fn a_pair_must_cross_both_tolerance_and_floor() {
        let pairs = [
            (1_000.0, 1_019.0),
            (1_000.0, 1_020.0),
            (1_000.0, 1_021.0),
            (1_021.0, 1_000.0),
            (100.0, 105.0),
            (100.0, 106.0),
            (0.0, 6.0),
            (0.0, 5.0),
            (0.0, 0.0),
            (6.0, 0.0),
        ];
        assert_eq!(signs(&pairs, Better::Lower), (3, 2));
        assert_eq!(signs(&pairs, Better::Higher), (2, 3));
        assert_eq!(signs(&pairs, Better::Neither), (0, 0));
    }

    #[test]
    fn it_takes_nine_equal_answers_and_more_among_many() {
        let decided = |head: f64, pairs: usize, hypotheses: usize| {
            decision(&vec![(1e3, head); pairs], Better::Lower, &RULE, hypotheses)
        };
        assert_eq!(pairs_to_decide(), 9);
        assert_eq!(decided(1_100.0, 8, 1), None);
        assert_eq!(decided(1_100.0, 9, 1), Some(Decision::Worse));
        assert_eq!(decided(900.0, 9, 0), Some(Decision::Better));
        assert_eq!(decided(1_000.0, 9, 1), Some(Decision::Same));
        assert_eq!(decided(0.0, 9, 1), Some(Decision::Better));
        // One over 5 % of two hundred is an e-value of 4,000.
        assert_eq!(decided(1_100.0, 14, 200), None);
        assert_eq!(decided(1_100.0, 15, 200), Some(Decision::Worse));
        assert_eq!(decided(1_000.0, 9, 200), Some(Decision::Same));
    }

    /// Of whole nanoseconds a difference of one is often the tolerance itself, and no proof of more.
    #[test]
    fn what_is_worse_by_the_very_tolerance_is_not_worse_by_more() {
        let rule = Rule {
            tolerance: Tolerance {
                relative: 0.02,
                floor: 0.0,
            },
            ..RULE
        };
        let decided = |pair, better| decision(&[pair; 60], better, &rule, 1);
        let (up, down) = ((50.0, 51.0), (51.0, 50.0));
        for (pair, better) in [(up, Better::Lower), (down, Better::Higher)] {
            let signs = Signs::of(&[pair; 60], better, rule.tolerance);
            assert!(signs.ln_e_worse() <= 0.0, "{signs:?}");
            assert_eq!(decided(pair, better), Some(Decision::Same));
        }
        assert_eq!(decided((50.0, 52.0), Better::Lower), Some(Decision::Worse));
        // What is level on one side is a loss for the other.
        let mixed = [vec![up; 9], vec![(52.0, 50.0); 9]].concat();
        let signs = Signs::of(&mixed, Better::Lower, rule.tolerance);
        assert!(signs.ln_e_better() < ln_e(9, 8), "{signs:?}");
    }

    #[test]
    fn zeros_on_both_sides_speak_for_no_change_only() {
        let zeros = |count| vec![(0.0, 0.0); count];
        let decided = |pairs: &[(f64, f64)]| decision(pairs, Better::Lower, &RULE, 1);
        assert_eq!(decided(&zeros(8)), None);
        assert_eq!(decided(&zeros(9)), Some(Decision::Same));
        let mixed = [zeros(7), vec![(0.0, 100.0); 9]].concat();
        assert_eq!(decided(&mixed), Some(Decision::Worse));
    }

    #[test]
    fn what_has_no_direction_needs_no_pair() {
        assert_eq!(
            decision(&[], Better::Neither, &RULE, 1),
            Some(Decision::Same)
        );
        assert_eq!(decision(&[], Better::Lower, &RULE, 1), None);
    }

    #[test]
    fn what_is_no_number_proves_nothing() {
        for odd in [(f64::NAN, 1.0), (1.0, f64::INFINITY), (f64::NAN, f64::NAN)] {
            assert_eq!(decision(&[odd; 20], Better::Lower, &RULE, 1), None);
        }
    }
}
