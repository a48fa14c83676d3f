//! Metrics that are computed from others: `degradation = throughput{streams=1} / throughput{streams=4}`.
//!
//! Both runs are extended by what their own readings give, before anything is compared: joining, pairing, the rates of
//! false alarms, caveats and answers then hold for a derived metric as for any other. What a reading cannot say (the
//! interval of a value that rests on means) is kept beside the run, and put into the findings at the end.
//!
//! Tested by its parts, and by the tables of `tests/judge/derived`.

mod definition;
mod dimension;
mod expression;
mod extension;
mod figure;
mod formed;
mod parser;
mod selection;
mod value;

use std::collections::BTreeMap;

use tripline_model::few;
use tripline_model::{
    BenchId, Caveat, Evidence, FactValue, Finding, Gate, Measurement, Method, Metric, MetricName,
    Nature, Run, Summary, Verdict,
};

use crate::judgement::change;
use crate::policy::Policy;
pub use definition::{Derived, DerivedError, DerivedProblem, Inclusion};
pub use expression::Expression;
use extension::{Extended, state_answers};
pub use figure::Figure;
pub use formed::{Formed, formed, unformed};
pub use parser::ExpressionError;
use selection::{Combination, combinations};
pub(crate) use value::CONFIDENCE;
use value::Doubt;

/// Both runs of a comparison, extended.
#[derive(Debug)]
pub(crate) struct Sides<'a> {
    base: Option<Extended<'a>>,
    head: Extended<'a>,
}

/// A derived metric by itself, of each side that has it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Apart<'a> {
    pub(crate) base: Option<&'a Measurement>,
    pub(crate) head: Option<&'a Measurement>,
}

/// Extends both runs of a comparison.
///
/// A base may be older than a definition, and a head whose steps failed lacks what they would have given; both go without.
/// So does a head that lacks what an optional definition needs. What the base has and the head lacks is a finding, because
/// its terms were removed; a definition that fits neither side is a mistake.
pub(crate) fn extended<'a>(
    base: Option<&'a Run>,
    head: &'a Run,
    policy: &Policy,
) -> Result<Sides<'a>, DerivedError> {
    let mut head = Extended::of(head, policy);
    let mut base = base.map(|base| Extended::of(base, policy));
    if let Some(base) = &mut base {
        state_answers(base, &mut head);
    }
    let is_whole = head.run.failures.is_empty();
    let has_it = |side: &Extended<'_>, error: &DerivedError| {
        let mut numberless = side.numberless.iter();
        side.run.metrics().any(|metric| metric.name == error.metric)
            || numberless.any(|(_, metric)| metric.name == error.metric)
    };
    let is_fatal = |error: &DerivedError| {
        let is_gone = || base.as_ref().is_some_and(|base| has_it(base, error));
        !error.problem.is_absence() || (is_whole && !is_gone())
    };
    if let Some(error) = head.problems.drain(..).find(is_fatal) {
        return Err(error);
    }
    Ok(Sides { base, head })
}

impl<'a> Sides<'a> {
    /// Takes two runs as they are, of which nothing is derived.
    pub(crate) fn plain(base: &'a Run, head: &'a Run) -> Self {
        let nothing = Policy::standard();
        Self {
            base: Some(Extended::of(base, &nothing)),
            head: Extended::of(head, &nothing),
        }
    }
}

impl Sides<'_> {
    /// Returns the extended base.
    pub(crate) fn base(&self) -> Option<&Run> {
        self.base.as_ref().map(|base| &*base.run)
    }

    /// Returns the extended head.
    pub(crate) fn head(&self) -> &Run {
        &self.head.run
    }

    /// Returns what the terms of a derived metric computed and say against themselves, of each side that has it: that is
    /// said of it, and not of what was measured under its name.
    pub(crate) fn apart(&self, bench: &BenchId, metric: &MetricName) -> Apart<'_> {
        let of = |side: &'_ Extended<'_>| side.apart.is_empty();
        if of(&self.head) && self.base.as_ref().is_none_or(of) {
            return Apart::default();
        }
        let place = (bench.clone(), metric.clone());
        Apart {
            base: self.base.as_ref().and_then(|base| base.apart.get(&place)),
            head: self.head.apart.get(&place),
        }
    }

    /// Puts into the findings what readings cannot say.
    pub(crate) fn settle(&self, findings: &mut Vec<Finding>, policy: &Policy) {
        if self.are_doubtful() {
            self.settle_doubts(findings, policy);
        }
        self.explain_missing(findings, policy);
    }

    fn settle_doubts(&self, findings: &mut Vec<Finding>, policy: &Policy) {
        for finding in findings.iter_mut() {
            self.settle_one(finding);
        }
        for (bench, metric) in &self.head.numberless {
            let is_it = |f: &Finding| f.bench == *bench && f.metric.name == metric.name;
            let of_base = findings.iter().position(is_it);
            let base = of_base.and_then(|place| findings.remove(place).evidence.base);
            findings.push(no_number(bench, metric, base, policy));
        }
        for (bench, metric) in self.base.iter().flat_map(|base| &base.numberless) {
            let is_it = |f: &&mut Finding| f.bench == *bench && f.metric.name == metric.name;
            // It is not new: the base has it, without a value.
            if let Some(finding) = findings.iter_mut().find(is_it)
                && finding.verdict == Verdict::Added
            {
                finding.verdict = Verdict::Inconclusive;
                finding.gate = finding.gate.max(Gate::Warn);
                finding.caveats.push(Caveat::NoNumber);
            }
        }
        few::sort_by(findings, |a, b| {
            let rank = |finding: &Finding| finding.metric.rank();
            let by_bench = a.bench.cmp(&b.bench).then(rank(a).cmp(&rank(b)));
            by_bench.then_with(|| a.metric.name.cmp(&b.metric.name))
        });
    }

    /// Says of what was removed, and is computed from others, which of them the head lacks.
    fn explain_missing(&self, findings: &mut [Finding], policy: &Policy) {
        // What may be left out needs no reason.
        for derived in policy.derived().iter().filter(|it| !it.is_optional()) {
            let is_gone = |finding: &&mut Finding| {
                finding.verdict == Verdict::Removed && finding.metric.name == *derived.name()
            };
            let mut gone = findings.iter_mut().filter(is_gone).peekable();
            if gone.peek().is_none() {
                continue;
            }
            let mut missing = self.missing_terms(derived);
            for finding in gone {
                let term = missing.remove(&finding.bench);
                let caveat = term.map(|term| Caveat::TermMissing { term });
                finding.caveats.extend(caveat);
            }
        }
    }

    /// Returns the first term that the head lacks of each value that the base has.
    fn missing_terms(&self, derived: &Derived) -> BTreeMap<BenchId, FactValue> {
        let of_base = self.base().map(|base| combinations(derived, base));
        let missing = |combination: Combination<'_>| {
            let terms = derived.expression.terms.iter();
            let mut terms = terms.zip(&combination.measured);
            let (term, measured) = terms.find(|(term, measured)| {
                let there = self.head().measurement(measured.bench());
                there.is_none_or(|there| there.reading(&term.metric).is_none())
            })?;
            let said = format!("{} {}", measured.bench(), term.metric);
            // One whose name is too long to be said is told by its metric.
            let said = FactValue::new(said).or_else(|_| FactValue::new(term.metric.as_str()));
            Some((combination.bench, said.ok()?))
        };
        let of_base = of_base.and_then(Result::ok).unwrap_or_default();
        few::map_of(of_base.into_iter().filter_map(missing))
    }

    fn are_doubtful(&self) -> bool {
        let is_doubtful =
            |side: &Extended<'_>| !side.doubts.is_empty() || !side.numberless.is_empty();
        self.base.as_ref().is_some_and(is_doubtful) || is_doubtful(&self.head)
    }

    fn settle_one(&self, finding: &mut Finding) {
        let place = (finding.bench.clone(), finding.metric.name.clone());
        let doubt = |side: &Extended<'_>| side.doubts.get(&place).copied();
        let (base, head) = (self.base.as_ref().and_then(doubt), doubt(&self.head));
        let evidence = &mut finding.evidence;
        evidence.base = evidence.base.map(|summary| widened(summary, base));
        evidence.head = evidence.head.map(|summary| widened(summary, head));
        let has_interval = |doubt| matches!(doubt, Some(Doubt::Interval { .. }));
        if has_interval(base) || has_interval(head) {
            if let (Some(base), Some(head)) = (&evidence.base, &evidence.head) {
                evidence.change = change(base, head);
            }
            finding.caveats.retain(|c| *c != Caveat::SingleSample);
        }
        if [base, head].contains(&Some(Doubt::Unbounded)) {
            let has_both = evidence.base.is_some() && evidence.head.is_some();
            // What was undecided already has another reason, and keeps what is done about that.
            if has_both && finding.verdict != Verdict::Inconclusive {
                finding.verdict = Verdict::Inconclusive;
                finding.gate = Gate::Pass;
            }
            evidence.change = None;
            finding.caveats.retain(|c| *c != Caveat::SingleSample);
            finding.caveats.push(Caveat::UnboundedRatio);
        }
    }
}

fn widened(summary: Summary, doubt: Option<Doubt>) -> Summary {
    match doubt {
        Some(Doubt::Interval { low, high, count }) => Summary {
            low,
            high,
            count,
            ..summary
        },
        Some(Doubt::Unbounded | Doubt::Unknown) | None => summary,
    }
}

/// Returns the finding on a derived metric that came out as no number: nothing can be said of it, and that is said.
fn no_number(bench: &BenchId, metric: &Metric, base: Option<Summary>, policy: &Policy) -> Finding {
    let method = if metric.nature == Nature::Exact {
        Method::Exact
    } else {
        Method::BaselineOnly
    };
    let tolerance = policy.rule(bench, metric, method).tolerance;
    Finding {
        bench: bench.clone(),
        metric: metric.clone(),
        verdict: Verdict::Inconclusive,
        gate: Gate::Warn,
        evidence: Evidence {
            base,
            ..Evidence::new(method, tolerance)
        },
        caveats: vec![Caveat::NoNumber],
        acceptance: None,
    }
}
