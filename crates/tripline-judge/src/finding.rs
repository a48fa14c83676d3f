//! One finding per benchmark and metric of either side, with everything that spoils the comparison.
//!
//! Tested by `tests/judge`: known answers for each spoiler, and the property that each pair of benchmark and metric
//! stands exactly once.

use tripline_model::{
    BenchId, Caveat, Change, Evidence, FactDifference, Finding, Gate, Measurement, Method, Metric,
    Nature, Reading, Run, Summary, Verdict,
};

use crate::join::{Side, join};
use crate::judgement::{Judgement, change};
use crate::policy::Policy;
use crate::{exact, stored};

/// What holds for all findings of one report.
struct Comparison<'a> {
    policy: &'a Policy,
    /// What spoils counts; empty also where there is no base.
    spoils_counts: Vec<FactDifference>,
    /// What spoils times.
    spoils_times: Vec<FactDifference>,
    /// What a benchmark is called that only the base has.
    missing: Missing,
}

/// One benchmark, with what each side measured of it.
struct Bench<'a> {
    id: &'a BenchId,
    base: Option<&'a Measurement>,
    head: Option<&'a Measurement>,
}

/// Why a benchmark of the base may be missing in the head.
#[derive(Clone, Copy)]
enum Missing {
    /// Everything was measured, so somebody removed it.
    Removed,
    /// A step failed, and may have held it.
    Broken,
}

/// Returns the findings on two runs, ordered by benchmark, then as the table of metrics ranks them.
pub(crate) fn all(base: Option<&Run>, head: &Run, policy: &Policy) -> Vec<Finding> {
    let differences = |nature| {
        base.map_or_else(Vec::new, |base| {
            base.environment
                .differences_that_matter(&head.environment, nature)
        })
    };
    let comparison = Comparison {
        policy,
        spoils_counts: differences(Nature::Exact),
        spoils_times: differences(Nature::Sampled),
        missing: if head.failures.is_empty() {
            Missing::Removed
        } else {
            Missing::Broken
        },
    };
    let base = base.into_iter().flat_map(Run::measurements);
    let sides = join(base, head.measurements(), |a, b| a.bench().cmp(b.bench()));
    let mut findings = Vec::new();
    for side in sides {
        comparison.of_bench(&Bench::of(side), &mut findings);
    }
    findings
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

impl Comparison<'_> {
    /// Adds the findings on one benchmark.
    fn of_bench(&self, bench: &Bench<'_>, findings: &mut Vec<Finding>) {
        let base = bench.base.into_iter().flat_map(Measurement::readings);
        let head = bench.head.into_iter().flat_map(Measurement::readings);
        let sides = join(base, head, |a, b| a.metric.name.cmp(&b.metric.name));
        // The readings come ordered by name, and a stable sort keeps that among metrics of the same rank. Sorting
        // before there are findings moves a few pointers instead.
        let mut sides: Vec<_> = sides.map(|side| (rank(&side), side)).collect();
        sides.sort_by_key(|(rank, _)| *rank);
        findings.extend(sides.into_iter().map(|(_, side)| match side {
            Side::Base(reading) => self.missing(bench, reading),
            Side::Head(reading) => self.added(bench, reading),
            Side::Both(base, head) => self.compared(bench, base, head),
        }));
    }

    /// Returns the finding on a reading that only the base has.
    fn missing(&self, bench: &Bench<'_>, reading: &Reading) -> Finding {
        let base = Summary::of(&reading.sample);
        let (verdict, gate, caveats) = match self.missing {
            // A benchmark that vanishes is the cheapest way to mend a regression, so it is always said.
            Missing::Removed => (Verdict::Removed, Gate::Warn, Vec::new()),
            Missing::Broken => (Verdict::Broken, Gate::Fail, vec![Caveat::StepFailed]),
        };
        let evidence = self.evidence(&reading.metric, Some(base), None, None);
        let judgement = Judgement {
            verdict,
            gate,
            caveats,
        };
        finding(bench, &reading.metric, judgement, evidence)
    }

    /// Returns the finding on a reading that only the head has.
    fn added(&self, bench: &Bench<'_>, reading: &Reading) -> Finding {
        let metric = &reading.metric;
        let head = Summary::of(&reading.sample);
        // What makes a number a poor baseline is best said before it becomes one.
        let caveat = match metric.nature {
            Nature::Exact => exact::not_deterministic(&[&head]),
            Nature::Sampled | Nature::Summarized => stored::single_sample(&[&head], metric.nature),
        };
        let evidence = self.evidence(metric, None, Some(head), None);
        let judgement = Judgement {
            verdict: Verdict::Added,
            gate: Gate::Pass,
            caveats: caveat.into_iter().collect(),
        };
        finding(bench, metric, bench.measured(metric, judgement), evidence)
    }

    /// Returns the finding on a reading that both sides have.
    fn compared(&self, bench: &Bench<'_>, base: &Reading, head: &Reading) -> Finding {
        let metric = &head.metric;
        let (before, after) = (Summary::of(&base.sample), Summary::of(&head.sample));
        let (judgement, change) = if base.metric == head.metric {
            let judgement = self.judged(metric, &before, &after);
            (bench.answered(judgement), change(&before, &after))
        } else {
            // Numbers of two units, or of two directions, have no ratio that means anything.
            let judgement = Judgement {
                verdict: Verdict::Inconclusive,
                gate: Gate::Warn,
                caveats: vec![Caveat::MetricDiffers],
            };
            (judgement, None)
        };
        let evidence = self.evidence(metric, Some(before), Some(after), change);
        finding(bench, metric, bench.measured(metric, judgement), evidence)
    }

    /// Judges by the metric's nature, as far as the environments allow.
    fn judged(&self, metric: &Metric, base: &Summary, head: &Summary) -> Judgement {
        let rule = self.policy.rule(metric);
        let (mut judgement, differences) = match metric.nature {
            Nature::Exact => (
                exact::judge(base, head, metric.better, &rule),
                &self.spoils_counts,
            ),
            Nature::Sampled | Nature::Summarized => (
                stored::judge(base, head, metric.nature, metric.better, &rule),
                &self.spoils_times,
            ),
        };
        let is_count = metric.nature == Nature::Exact;
        // A time was not going to be judged anyway; the difference is said where there is something to explain.
        let is_spoiled = is_count || judgement.verdict == Verdict::Inconclusive;
        if is_spoiled && !differences.is_empty() {
            judgement.take_back(Gate::Pass);
            let caveat = Caveat::EnvironmentDiffers(differences.clone());
            judgement.caveats.insert(0, caveat);
        }
        judgement
    }

    fn evidence(
        &self,
        metric: &Metric,
        base: Option<Summary>,
        head: Option<Summary>,
        change: Option<Change>,
    ) -> Evidence {
        let method = match metric.nature {
            Nature::Exact => Method::Exact,
            Nature::Sampled | Nature::Summarized => Method::BaselineOnly,
        };
        Evidence {
            base,
            head,
            change,
            ..Evidence::new(method, self.policy.rule(metric).tolerance)
        }
    }
}

/// Returns where the table of metrics ranks a reading.
fn rank(side: &Side<&Reading>) -> usize {
    match side {
        Side::Base(reading) | Side::Head(reading) | Side::Both(_, reading) => reading.metric.rank(),
    }
}

impl<'a> Bench<'a> {
    fn of(side: Side<&'a Measurement>) -> Self {
        let (id, base, head) = match side {
            Side::Base(base) => (base.bench(), Some(base), None),
            Side::Head(head) => (head.bench(), None, Some(head)),
            Side::Both(base, head) => (head.bench(), Some(base), Some(head)),
        };
        Self { id, base, head }
    }

    /// Takes a judgement back where the sides did different work, or may have: whatever the numbers say, they say it of
    /// two things. A head that ceases to state its answer must not switch this off; one that begins to proves nothing.
    fn answered(&self, mut judgement: Judgement) -> Judgement {
        let answer = |side: Option<&'a Measurement>| side.and_then(Measurement::answer);
        let caveat = match (answer(self.base), answer(self.head)) {
            (Some(base), Some(head)) if base != head => {
                judgement.take_back(Gate::Warn);
                Caveat::AnswerDiffers {
                    base: base.clone(),
                    head: head.clone(),
                }
            }
            (Some(_), None) => {
                if judgement.verdict != Verdict::Unchanged {
                    judgement.take_back(Gate::Warn);
                }
                Caveat::AnswerMissing
            }
            (Some(_) | None, Some(_)) | (None, None) => return judgement,
        };
        judgement.caveats.insert(0, caveat);
        judgement
    }

    /// Adds what the measurements say against themselves, each caveat once: all that the head's says, and of the base's
    /// what doubts a count it is compared with. A count that is doubted is neither better nor worse.
    fn measured(&self, metric: &Metric, mut judgement: Judgement) -> Judgement {
        for caveat in self.head.into_iter().flat_map(Measurement::caveats) {
            if !judgement.caveats.contains(caveat) {
                judgement.caveats.push(caveat.clone());
            }
        }
        if metric.nature != Nature::Exact {
            return judgement;
        }
        let base = self
            .base
            .filter(|base| base.reading(&metric.name).is_some());
        for caveat in base.into_iter().flat_map(Measurement::caveats) {
            // The same trap on both sides is one reason, even where its numbers differ.
            let is_said = judgement.caveats.iter().any(|c| c.code() == caveat.code());
            if caveat.doubts_the_count() && !is_said {
                judgement.caveats.push(caveat.clone());
            }
        }
        if judgement.caveats.iter().any(Caveat::doubts_the_count) {
            match judgement.verdict {
                Verdict::Improved | Verdict::Regressed => judgement.take_back(Gate::Warn),
                Verdict::Added => judgement.gate = Gate::Warn,
                Verdict::Broken | Verdict::Removed | Verdict::Inconclusive | Verdict::Unchanged => {
                }
            }
        }
        judgement
    }
}

fn finding(
    bench: &Bench<'_>,
    metric: &Metric,
    judgement: Judgement,
    evidence: Evidence,
) -> Finding {
    Finding {
        bench: bench.id.clone(),
        metric: metric.clone(),
        verdict: judgement.verdict,
        gate: judgement.gate,
        evidence,
        caveats: judgement.caveats,
        acceptance: None,
    }
}
