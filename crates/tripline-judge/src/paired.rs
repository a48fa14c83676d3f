//! Base and head measured side by side: the one way in which a time is judged well enough to fail a gate.
//!
//! The one idea: what the host does to one side of a pair it does to the other, so the ratio of each pair is the value.
//! Two kinds of evidence are asked. Signs (`signs`) prove that a change exceeds the tolerance, at whatever pair measuring
//! stopped; only they may fail a gate, and among many benchmarks only as far as few of the failing are false. Ranks see
//! smaller changes; they hold for a number of pairs that was fixed beforehand, and may warn.
//!
//! Readings that may fail and those that may not are two families: what is only shown must not make failing harder.
//!
//! Tested by the tables of known answers, the simulated sessions and the properties in `tests/judge`.

mod noise;
mod signs;

use tripline_model::{Better, Caveat, Change, Evidence, Gate, Method, Verdict};

use self::noise::Noise;
use self::signs::{ALPHA, BETA, FALSE_SHARE, Signs};
use crate::judgement::{Judged, Judgement, Movement, finite, worse};
use crate::middle;
use crate::policy::Rule;
use crate::stats::multiplicity::{benjamini_hochberg, e_bh};
use crate::stats::{Interval, median, signed_rank};

pub use self::noise::detectable_in;
pub use self::signs::{Decision, decision, leans, pairs_to_decide};

/// What logarithms may lose in rounding: a change of exactly five percent reaches five percent.
const ROUNDING: f64 = 1e-12;

/// One metric of one benchmark that both sides measured in the same rounds.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// The base's and the head's value of each round. There is at least one.
    pub(crate) pairs: Vec<(f64, f64)>,
    pub(crate) better: Better,
    pub(crate) rule: Rule,
}

/// What the pairs of one question say by themselves.
struct Test<'a> {
    question: &'a Question,
    signs: Signs,
    /// How much worse the head is in each telling pair, as logarithms.
    worse: Vec<f64>,
    /// Their middle.
    estimate: f64,
    /// The interval it lies in.
    interval: Option<Interval>,
    /// The chance of such differences without a change.
    p: f64,
    /// Whether the middle of the absolute differences is one that anybody cares about.
    is_above_floor: bool,
}

/// What is certain of a question in the company of the others.
#[derive(Debug, Clone, Copy, Default)]
struct Certainty {
    /// It may be called worse without too many false ones.
    is_worse: bool,
    /// It may be called better.
    is_better: bool,
    /// Its chance without a change, adjusted for the others.
    p: f64,
}

/// What a test has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// A change, and it may do all that the rule says.
    Certain(Verdict),
    /// A change that is reported, and fails nothing.
    Likely(Verdict),
    /// No change beyond the tolerance.
    Same,
    /// Nothing yet.
    Open,
}

/// Judges all questions of a run, in their order.
pub(crate) fn judge(questions: &[&Question]) -> Vec<Judged> {
    let tests: Vec<Test<'_>> = questions.iter().copied().map(Test::of).collect();
    let noise = noise::of_run(tests.iter().map(|test| &test.worse[..]));
    let certainty = certainties(&tests);
    let judged = tests.iter().zip(&certainty).zip(&noise);
    judged
        .map(|((test, certainty), noise)| test.judged(*certainty, noise))
        .collect()
}

/// Asks each family of questions at once. What has no direction is in none.
fn certainties(tests: &[Test<'_>]) -> Vec<Certainty> {
    let mut certainties = vec![Certainty::default(); tests.len()];
    for may_fail in [true, false] {
        let is_of_family =
            |question: &Question| question.is_judged() && question.may_fail() == may_fail;
        let family: Vec<usize> = (0..tests.len())
            .filter(|index| is_of_family(tests[*index].question))
            .collect();
        let of_all = |value: fn(&Test<'_>) -> f64| -> Vec<f64> {
            family.iter().map(|index| value(&tests[*index])).collect()
        };
        let worse = e_bh(&of_all(|test| test.signs.ln_e_worse()), FALSE_SHARE);
        let better = e_bh(&of_all(|test| test.signs.ln_e_better()), FALSE_SHARE);
        let p = benjamini_hochberg(&of_all(|test| test.p));
        for (place, index) in family.iter().enumerate() {
            certainties[*index] = Certainty {
                is_worse: worse[place],
                is_better: better[place],
                p: p[place],
            };
        }
    }
    certainties
}

impl Question {
    fn is_judged(&self) -> bool {
        self.better != Better::Neither
    }

    fn may_fail(&self) -> bool {
        self.is_judged() && self.rule.fail_from.is_finite()
    }
}

impl<'a> Test<'a> {
    fn of(question: &'a Question) -> Self {
        let Question {
            pairs,
            better,
            rule,
        } = question;
        let mut telling: Vec<(f64, f64)> =
            pairs.iter().copied().filter(signs::is_telling).collect();
        if telling.is_empty() {
            // Zeros throughout are equal.
            telling.clone_from(pairs);
        }
        let sizes: Vec<f64> = telling
            .iter()
            .map(|(base, head)| (head - base).abs())
            .collect();
        let worse: Vec<f64> = telling
            .iter()
            .map(|(base, head)| worse(middle::ln_ratio(*base, *head), *better))
            .collect();
        Self {
            question,
            signs: Signs::of(pairs, *better, rule.tolerance),
            estimate: signed_rank::hodges_lehmann(&worse).unwrap_or(0.0),
            interval: middle::interval(&worse),
            p: signed_rank::p_two_sided(&worse).unwrap_or(1.0),
            is_above_floor: median(&sizes).is_some_and(|size| size > rule.tolerance.floor),
            worse,
        }
    }

    fn judged(&self, certainty: Certainty, noise: &Noise) -> Judged {
        let shown = self.shown(certainty);
        let (verdict, gate) = match shown {
            Shown::Certain(Verdict::Regressed) => (Verdict::Regressed, self.gate()),
            Shown::Likely(Verdict::Regressed) => (Verdict::Regressed, self.gate().min(Gate::Warn)),
            Shown::Certain(verdict) | Shown::Likely(verdict) => (verdict, Gate::Pass),
            Shown::Same => (Verdict::Unchanged, Gate::Pass),
            Shown::Open => (Verdict::Inconclusive, Gate::Pass),
        };
        let caveat = match shown {
            Shown::Certain(_) => None,
            Shown::Likely(_) => Some(Caveat::WeakEvidence),
            Shown::Same => noise.cannot_gate(self.question),
            Shown::Open => noise
                .cannot_gate(self.question)
                .or(Some(Caveat::TooFewPairs {
                    pairs: self.question.pairs.len(),
                })),
        };
        let judgement = Judgement {
            verdict,
            gate,
            caveats: caveat.into_iter().collect(),
        };
        Judged {
            judgement,
            evidence: self.evidence(noise),
            movement: self.question.is_judged().then_some(Movement {
                worse: self.estimate,
                noise: noise.of_estimate(self.worse.len()),
            }),
        }
    }

    fn shown(&self, certainty: Certainty) -> Shown {
        if !self.question.is_judged() {
            return Shown::Same;
        }
        let proof = -ALPHA.ln();
        if self.signs.ln_e_worse() >= proof {
            return certain_if(certainty.is_worse, Verdict::Regressed);
        }
        if self.signs.ln_e_better() >= proof {
            return certain_if(certainty.is_better, Verdict::Improved);
        }
        if self.signs.ln_e_same() >= -BETA.ln() {
            return Shown::Same;
        }
        let margin = self.question.rule.tolerance.relative.ln_1p();
        if certainty.p < FALSE_SHARE && self.is_above_floor && self.estimate.abs() > margin {
            return Shown::Likely(if self.estimate > 0.0 {
                Verdict::Regressed
            } else {
                Verdict::Improved
            });
        }
        // An interval is wide where little is known, so one that keeps within the tolerance knows enough.
        let is_within = |interval: &Interval| {
            let is_sure = interval.confidence >= 1.0 - 2.0 * BETA;
            is_sure && -margin <= interval.low && interval.high <= margin
        };
        if self.interval.as_ref().is_some_and(is_within) {
            Shown::Same
        } else {
            Shown::Open
        }
    }

    /// Returns what the rule does about a regression of the size that is estimated.
    fn gate(&self) -> Gate {
        let rule = &self.question.rule;
        // What was shown to exceed the tolerance reaches what is no more than that, whatever the estimate.
        let reaches = |share: f64| {
            share <= rule.tolerance.relative || self.estimate + ROUNDING >= share.ln_1p()
        };
        if reaches(rule.fail_from) {
            Gate::Fail
        } else if reaches(rule.warn_from) {
            Gate::Warn
        } else {
            Gate::Pass
        }
    }

    fn evidence(&self, noise: &Noise) -> Evidence {
        let question = self.question;
        let evidence = Evidence::new(Method::Paired, question.rule.tolerance);
        let change = self.change();
        let confidence = self.interval.map(|interval| interval.confidence);
        let is_judged = question.is_judged();
        Evidence {
            change,
            confidence: confidence.filter(|_| change.is_some()),
            p_value: Some(self.p).filter(|_| is_judged),
            // What has no place among the numbers that can be kept is beyond doubt anyway.
            e_value: is_judged.then(|| self.signs.ln_e_worse().exp().min(f64::MAX)),
            noise: noise.sigma_if_known(question).filter(|_| is_judged),
            detectable: noise.detectable(question).filter(|_| is_judged),
            ..evidence
        }
    }

    /// Returns the estimate as head over base.
    fn change(&self) -> Option<Change> {
        let (low, high) = self
            .interval
            .map_or((self.estimate, self.estimate), |interval| {
                (interval.low, interval.high)
            });
        let [one, ratio, other] =
            [low, self.estimate, high].map(|ln| worse(ln, self.question.better).exp());
        finite(Change {
            ratio,
            low: one.min(other),
            high: one.max(other),
        })
    }
}

fn certain_if(is_certain: bool, verdict: Verdict) -> Shown {
    if is_certain {
        Shown::Certain(verdict)
    } else {
        Shown::Likely(verdict)
    }
}
