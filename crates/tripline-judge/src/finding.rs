//! One finding per benchmark and metric of either side, with everything that spoils the comparison.
//!
//! All cases are gathered before the first is judged, because many questions asked at once need stronger evidence each.
//!
//! Tested by `tests/judge`: known answers for each spoiler, and the property that each pair of benchmark and metric
//! stands exactly once.

use tripline_model::{
    Better, Caveat, Evidence, FactDifference, Finding, Gate, Method, Nature, Reading, Run, Summary,
    Verdict,
};

use crate::case::{self, Case};
use crate::derived::Sides;
use crate::facts::Differences;
use crate::join::Side;
use crate::judgement::{Judged, Judgement, change};
use crate::past::Past;
use crate::policy::Outcomes;
use crate::shift::Shift;
use crate::stored::{self, Machines};
use crate::{Judge, exact, paired};

/// All findings of a report, and what is said of the whole.
pub(crate) struct Findings {
    pub(crate) findings: Vec<Finding>,
    pub(crate) caveats: Vec<Caveat>,
}

/// What holds for all findings of one report.
struct Comparison<'a> {
    outcomes: Outcomes,
    past: Option<&'a Past>,
    /// How many readings are held against their past.
    held_against_past: usize,
    differences: Differences,
    machines: Machines,
    has_base: bool,
    /// A step of the head failed, and may have held what is missing.
    has_failed: bool,
}

/// Returns the findings on two runs, ordered by benchmark, then as the table of metrics ranks them.
pub(crate) fn all(sides: &Sides<'_>, judge: &Judge<'_>) -> Findings {
    let (base, head) = (sides.base(), sides.head());
    let cases = case::all(sides, judge.policy, judge.past);
    let comparison = Comparison::of(base, head, judge, &cases);
    let questions: Vec<_> = cases
        .iter()
        .filter_map(|case| case.question.as_ref())
        .collect();
    let mut answers = paired::judge(&questions).into_iter();
    let mut judged: Vec<Judged> = cases
        .iter()
        .map(|case| {
            let answer = case.question.as_ref().and_then(|_| answers.next());
            comparison.judged(case, answer)
        })
        .collect();
    let shift = Shift::of(&cases, &judged, moved_controls(base, head, judge));
    for (case, judged) in cases.iter().zip(&mut judged) {
        shift.take_back(case, judged);
    }
    Findings {
        findings: cases.iter().zip(judged).map(finding).collect(),
        caveats: shift.caveats().collect(),
    }
}

/// Returns the caveat of a count whose environments differ.
pub(crate) fn spoiled_count(finding: &Finding) -> Option<&Caveat> {
    let is_difference = |caveat: &&Caveat| matches!(caveat, Caveat::EnvironmentDiffers(_));
    let is_count = finding.metric.nature == Nature::Exact;
    finding
        .caveats
        .iter()
        .find(is_difference)
        .filter(|_| is_count)
}

impl<'a> Comparison<'a> {
    fn of(base: Option<&Run>, head: &Run, judge: &Judge<'a>, cases: &[Case<'_>]) -> Self {
        let (to, controls) = (&head.environment, judge.controls);
        let controls = controls.filter(|controls| controls.compare_machines());
        let factor = base
            .zip(controls)
            .map(|(base, controls)| controls.factor(&base.environment, to));
        let hypotheses = cases.iter().filter(|case| case.is_stored_hypothesis());
        let historical = cases
            .iter()
            .filter(|case| case.method == Method::Historical);
        Self {
            outcomes: judge.policy.outcomes(),
            past: judge.past,
            held_against_past: historical.count(),
            differences: base
                .map(|base| Differences::between(&base.environment, to))
                .unwrap_or_default(),
            machines: Machines {
                factor,
                hypotheses: hypotheses.count(),
            },
            has_base: base.is_some(),
            has_failed: head.failures.iter().any(|failure| !failure.is_of_base()),
        }
    }

    fn judged(&self, case: &Case<'_>, answer: Option<Judged>) -> Judged {
        match case.side {
            Side::Base(reading) => self.missing(case, reading),
            Side::Head(reading) => {
                let known = self.known_before(case, reading);
                known.unwrap_or_else(|| self.added(case, reading))
            }
            Side::Both(base, head) => self.compared(case, base, head, answer),
        }
    }

    /// Judges a reading that only the base has.
    fn missing(&self, case: &Case<'_>, reading: &Reading) -> Judged {
        let (verdict, gate, caveats) = if self.has_failed {
            (
                Verdict::Broken,
                self.outcomes.broken,
                vec![Caveat::StepFailed],
            )
        } else {
            // What only explains comes and goes with what it explains: calls of a kind of which none failed, say.
            let is_explaining =
                case.bench.head.is_some() && reading.metric.better == Better::Neither;
            let gate = match is_explaining {
                true => Gate::Pass,
                false => self.outcomes.removed,
            };
            (Verdict::Removed, gate, Vec::new())
        };
        let judgement = Judgement {
            verdict,
            gate,
            caveats,
        };
        let evidence = Evidence {
            base: Some(Summary::of(&reading.sample)),
            ..Evidence::new(case.method, case.rule.tolerance)
        };
        judgement.with(evidence)
    }

    /// Judges a reading that only the head has.
    fn added(&self, case: &Case<'_>, reading: &Reading) -> Judged {
        let metric = &reading.metric;
        let head = Summary::of(&reading.sample);
        // What makes a number a poor baseline is best said before it becomes one.
        let caveat = match metric.nature {
            Nature::Exact => exact::not_deterministic(&[&head]),
            Nature::Sampled | Nature::Summarized => stored::single_sample(&[&head], metric.nature),
        };
        let mut judgement = Judgement {
            verdict: Verdict::Added,
            gate: if self.has_base {
                Gate::Pass
            } else {
                self.outcomes.first_run
            },
            caveats: caveat.into_iter().collect(),
        };
        case.bench.measured(metric, &mut judgement);
        judgement.with(Evidence {
            head: Some(head),
            ..Evidence::new(case.method, case.rule.tolerance)
        })
    }

    /// Judges a reading that both sides have.
    fn compared(
        &self,
        case: &Case<'_>,
        base: &Reading,
        head: &Reading,
        answer: Option<Judged>,
    ) -> Judged {
        let (before, after) = (Summary::of(&base.sample), Summary::of(&head.sample));
        let mut judged = if base.metric == head.metric {
            let mut judged = match (answer, case.method) {
                (Some(judged), _) => judged,
                (None, Method::Exact) => of_count(case, &before, &after),
                (None, Method::Historical) => self.against_past(case, base, head),
                (None, _) => self.machines.judge(base, head, &case.rule),
            };
            if case.lacks_pairs {
                // Both sides of a session have it, and not side by side: a step that was renamed or is enough once, or a
                // host that was never quiet. What could have failed must not pass without a word.
                judged.judgement.take_back(Gate::Warn);
                judged.judgement.caveats = vec![Caveat::TooFewPairs { pairs: 0 }];
            }
            self.spoil(case, &mut judged.judgement);
            case.bench.answered(&mut judged.judgement);
            judged
        } else {
            // Numbers of two units, or of two directions, have no ratio that means anything.
            let judgement = Judgement {
                verdict: Verdict::Inconclusive,
                gate: Gate::Warn,
                caveats: vec![Caveat::MetricDiffers],
            };
            judgement.with(Evidence::new(case.method, case.rule.tolerance))
        };
        // Who was held against a level and not against the base says so.
        judged.evidence.base.get_or_insert(before);
        judged.evidence.head = Some(after);
        case.bench.measured(&head.metric, &mut judged.judgement);
        judged
    }

    /// Judges a reading that no kept run has by the commits before, where these have it.
    fn known_before(&self, case: &Case<'_>, head: &Reading) -> Option<Judged> {
        let is_historical = case.method == Method::Historical;
        let past = self.past.filter(|_| is_historical)?;
        let mut judged = past.judge(case.bench.id, head, &case.rule, self.held_against_past)?;
        judged.evidence.head = Some(Summary::of(&head.sample));
        case.bench.answered(&mut judged.judgement);
        case.bench.measured(&head.metric, &mut judged.judgement);
        Some(judged)
    }

    /// Judges by the commits before; one that has no logarithm, by the kept run after all.
    fn against_past(&self, case: &Case<'_>, base: &Reading, head: &Reading) -> Judged {
        let judged = self
            .past
            .and_then(|past| past.judge(case.bench.id, head, &case.rule, self.held_against_past));
        judged.unwrap_or_else(|| self.machines.judge(base, head, &case.rule))
    }

    /// Says which facts differ, and takes back what cannot be said of two environments.
    fn spoil(&self, case: &Case<'_>, judgement: &mut Judgement) {
        let Differences {
            counts,
            times,
            machine,
            build,
        } = &self.differences;
        let is_open = judgement.verdict == Verdict::Inconclusive;
        let (facts, is_spoiled): (&[FactDifference], bool) = match case.method {
            Method::Exact => (counts, true),
            // Two machines in one session: whatever the rounds say, the sides were not taken side by side.
            Method::Paired if !machine.is_empty() => (machine, true),
            // Nothing that was measured on another kind of machine is in a past.
            Method::Historical => (&[], false),
            // What else it was built with is a part of the change, and explains it.
            Method::Paired if judgement.verdict == Verdict::Unchanged => (&[], false),
            Method::Paired => (build, false),
            // A time was not going to be judged anyway; the difference is said where there is something to explain,
            // unless it was said as the reason why nothing was compared.
            _ if is_open && !case.lacks_pairs && !stored::names_facts(judgement) => (times, true),
            _ => (&[], false),
        };
        if facts.is_empty() {
            return;
        }
        if is_spoiled {
            judgement.take_back(Gate::Pass);
        }
        let caveat = Caveat::EnvironmentDiffers(facts.to_vec());
        judgement.caveats.insert(0, caveat);
    }
}

/// Returns by how much controls moved that were measured beside the runs.
pub(crate) fn moved_controls(base: Option<&Run>, head: &Run, judge: &Judge<'_>) -> Option<f64> {
    base.filter(|base| case::is_one_session(base, head))
        .and(judge.controls)?
        .moved()
}

fn of_count(case: &Case<'_>, base: &Summary, head: &Summary) -> Judged {
    let judgement = exact::judge(base, head, case.metric().better, &case.rule);
    judgement.with(Evidence {
        change: change(base, head),
        ..Evidence::new(Method::Exact, case.rule.tolerance)
    })
}

fn finding((case, judged): (&Case<'_>, Judged)) -> Finding {
    Finding {
        bench: case.bench.id.clone(),
        metric: case.metric().clone(),
        verdict: judged.judgement.verdict,
        gate: judged.judgement.gate,
        evidence: judged.evidence,
        caveats: judged.judgement.caveats,
        acceptance: None,
    }
}
