//! Times and rates against a kept run: shown, and never gating.
//!
//! The base was measured at another time and perhaps on another machine, and no test on its values can tell the
//! machine's change from the code's. So the answer is "unchanged" within a wide tolerance and "inconclusive" beyond it;
//! unless control benchmarks tell how much faster the machine was, and that is good enough to see what matters.
//!
//! Tested by the tables of known answers in `tests/judge`, and by the property that the scale of the unit changes no
//! verdict.

use std::f64::consts::FRAC_PI_2;

use tripline_model::{
    Better, Caveat, Evidence, Gate, Method, Nature, Reading, Refusal, Sample, Summary, Verdict,
};

use crate::controls::{HostFactor, INTERACTION};
use crate::judgement::{Judged, Judgement, Movement, change, worse};
use crate::middle;
use crate::policy::Rule;
use crate::stats::{noise, normal_quantile};
use crate::threshold::differ;

/// How often a run without any change may be said to have one.
const ALPHA: f64 = 0.05;

/// The quantile of the normal distribution by which a change must exceed what is just seen, to be seen four times of
/// five.
const SEEN_MOSTLY: f64 = 0.84;

/// What a gate would ask for where the rule has none.
const GATE: f64 = 0.05;

/// How many times the gate what can be seen may be.
const GATES: f64 = 2.0;

/// What is known of the machines of two runs.
#[derive(Debug, Clone)]
pub(crate) struct Machines {
    /// What the controls say, where there are any.
    pub(crate) factor: Option<Result<HostFactor, Refusal>>,
    /// How many readings are compared in this way.
    pub(crate) hypotheses: usize,
}

/// Two samples of one metric that were taken at two times.
struct Gap<'a> {
    base: &'a Sample,
    head: &'a Sample,
    better: Better,
    rule: Rule,
}

/// What was made of a gap.
struct Answer {
    verdict: Verdict,
    caveat: Option<Caveat>,
    detectable: Option<f64>,
}

impl Machines {
    /// Judges a metric that is not a count and that both sides have.
    pub(crate) fn judge(&self, base: &Reading, head: &Reading, rule: &Rule) -> Judged {
        let metric = &head.metric;
        let (before, after) = (Summary::of(&base.sample), Summary::of(&head.sample));
        let gap = Gap {
            base: &base.sample,
            head: &head.sample,
            better: metric.better,
            rule: *rule,
        };
        let answer = self.answer(&gap);
        let mut caveats: Vec<Caveat> = single_sample(&[&before, &after], metric.nature)
            .into_iter()
            .collect();
        caveats.extend(answer.caveat);
        Judged {
            judgement: Judgement {
                verdict: answer.verdict,
                gate: Gate::Pass,
                caveats,
            },
            evidence: Evidence {
                change: change(&before, &after),
                detectable: answer.detectable,
                ..Evidence::new(Method::BaselineOnly, rule.tolerance)
            },
            movement: self.movement(&gap),
        }
    }

    fn answer(&self, gap: &Gap<'_>) -> Answer {
        match &self.factor {
            Some(Ok(factor)) if gap.has_noise() => self.corrected(gap, factor),
            Some(Err(refusal)) => gap.uncorrected(Caveat::NotComparable(refusal.clone())),
            Some(Ok(_)) | None => gap.uncorrected(Caveat::BaselineOnly),
        }
    }

    /// Judges with the machines' difference taken out.
    fn corrected(&self, gap: &Gap<'_>, factor: &HostFactor) -> Answer {
        let noise = (gap.variance() + factor.variance).sqrt();
        let z = -normal_quantile(ALPHA / self.hypotheses.max(1) as f64);
        let detectable =
            Some(((z + SEEN_MOSTLY) * noise).exp_m1()).filter(|least| least.is_finite());
        let gate = Some(gap.rule.fail_from).filter(|from| from.is_finite());
        let needed = GATES * gate.unwrap_or(GATE);
        if let Some(detectable) = detectable.filter(|least| *least > needed) {
            let refusal = Refusal::TooNoisy { detectable };
            return Answer {
                detectable: Some(detectable),
                ..gap.uncorrected(Caveat::NotComparable(refusal))
            };
        }
        let least = gap.worse(factor.ln).abs() - z * noise;
        let is_beyond_noise = least > gap.rule.tolerance.relative.ln_1p();
        let verdict = if !gap.is_apart(factor.ln) {
            Verdict::Unchanged
        } else if !is_beyond_noise {
            Verdict::Inconclusive
        } else if gap.worse(factor.ln) > 0.0 {
            Verdict::Regressed
        } else {
            Verdict::Improved
        };
        Answer {
            verdict,
            caveat: (verdict != Verdict::Unchanged).then_some(Caveat::BaselineOnly),
            detectable,
        }
    }

    /// Returns how far a reading moved beside the machine, as far as that can be said.
    fn movement(&self, gap: &Gap<'_>) -> Option<Movement> {
        let (ln, variance) = match &self.factor {
            Some(Ok(factor)) => (factor.ln, factor.variance),
            Some(Err(_)) | None => (0.0, INTERACTION.powi(2)),
        };
        let is_told = gap.better != Better::Neither && gap.has_noise();
        is_told.then(|| Movement {
            worse: gap.worse(ln),
            noise: (gap.variance() + variance).sqrt(),
        })
    }
}

impl Gap<'_> {
    /// Says whether the sides differ, and not which of them is better.
    fn uncorrected(&self, caveat: Caveat) -> Answer {
        let is_apart = self.is_apart(0.0);
        Answer {
            verdict: if is_apart {
                Verdict::Inconclusive
            } else {
                Verdict::Unchanged
            },
            caveat: is_apart.then_some(caveat),
            detectable: None,
        }
    }

    /// Returns whether the sides differ by more than the tolerance, on machines of which the head's takes longer by the
    /// exponential of a logarithm. The medians are compared: a mean would follow the one value during which the machine
    /// did something else.
    fn is_apart(&self, factor: f64) -> bool {
        let expected = self.base.median() * factor.exp();
        let is_judged = self.better != Better::Neither;
        is_judged && differ(expected, self.head.median(), self.rule.tolerance)
    }

    /// Returns how much worse the head is, as a logarithm.
    fn worse(&self, factor: f64) -> f64 {
        let change = middle::ln_ratio(self.base.median(), self.head.median());
        worse(change - factor, self.better)
    }

    /// Returns whether the values tell how noisy they are: there are several on each side, and none is zero.
    fn has_noise(&self) -> bool {
        [self.base, self.head]
            .into_iter()
            .all(|sample| sample.values().len() > 1 && sample.min() > 0.0)
    }

    /// Returns the variance of the difference of the medians' logarithms.
    fn variance(&self) -> f64 {
        let of_median = |sample: &Sample| {
            let logs: Vec<f64> = sample.values().iter().map(|value| value.ln()).collect();
            noise::sigma(&logs).powi(2) * FRAC_PI_2 / logs.len() as f64
        };
        of_median(self.base) + of_median(self.head)
    }
}

/// Returns whether a judgement says in which facts the machines differ.
pub(crate) fn names_facts(judgement: &Judgement) -> bool {
    let is_facts = |caveat: &Caveat| matches!(caveat, Caveat::NotComparable(Refusal::Hardware(_)));
    judgement.caveats.iter().any(is_facts)
}

/// Returns the caveat that a noisy metric was measured once, if it was on any of the sides. A summarized metric has one
/// number by its nature, and stands for many.
pub(crate) fn single_sample(sides: &[&Summary], nature: Nature) -> Option<Caveat> {
    let is_single = nature == Nature::Sampled && sides.iter().any(|side| side.count == 1);
    is_single.then_some(Caveat::SingleSample)
}
