//! Whether the canary sang: a suite whose verdicts are known in advance, so that a gate that sleeps is found out.
//!
//! A silent canary and one that sings for nothing are told apart by nobody who does not look; so a failure here is a
//! caveat of every report that was measured with it.
//!
//! Tested by `tests/judge`.

use std::collections::BTreeMap;
use std::ops::{AddAssign, RangeInclusive};

use tripline_model::{
    BenchId, Caveat, FactValue, Finding, Gate, Method, MetricName, Nature, Report, Verdict,
};

use crate::pattern::BenchPattern;

/// What is known in advance about some benchmarks of the canary.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// Which benchmarks.
    pub bench: BenchPattern,
    /// Which of their metrics; all where none is named.
    pub metric: Option<MetricName>,
    /// What must be found. What regressed must warn or fail.
    pub verdict: Verdict,
    /// Between which bounds the relative change of head against base must lie: 0.05 is five percent more.
    pub change: Option<RangeInclusive<f64>>,
    /// Whether a machine that is busy may leave undecided what is planted; it is then neither found nor missed. What shared
    /// no round although none was disturbed was not left by any machine. Equal sides may always be left undecided, but for
    /// counts.
    pub may_be_undecided: bool,
}

/// Returns what the canary did otherwise than expected; nothing where it did as it should. A canary that could not be
/// measured did not.
#[must_use]
pub fn canary_failures(report: &Report, expectations: &[Expectation]) -> Vec<Caveat> {
    let mut failures = Vec::new();
    if report.is_broken() || report.findings.is_empty() {
        let how = if report.findings.is_empty() {
            "held nothing"
        } else {
            "was not measured as a whole"
        };
        failures.push(failure(&format!("suite {} {how}", report.suite)));
    }
    for expectation in expectations {
        let found: Vec<&Finding> = report
            .findings
            .iter()
            .filter(|finding| expectation.is_about(finding))
            .collect();
        if found.is_empty() {
            failures.push(failure(&expectation.unmet_by_all()));
        }
        let unmet = found
            .into_iter()
            .filter_map(|finding| expectation.unmet(finding));
        failures.extend(unmet.map(|what| failure(&what)));
    }
    failures
}

/// Returns what is found of equal sides by weak evidence, which is wrong now and then by how it is made, and says what of
/// it is not as expected. It is to be measured again, and believed then: a canary that fails for nothing ends gates without
/// a cause.
pub fn canary_doubts<'a>(
    report: &'a Report,
    expectations: &'a [Expectation],
) -> impl Iterator<Item = (&'a Finding, String)> + use<'a> {
    expectations.iter().flat_map(|expectation| {
        let of_equal = move |finding: &&Finding| {
            expectation.verdict == Verdict::Unchanged
                && expectation.is_about(finding)
                && is_likely(finding)
        };
        let found = report.findings.iter().filter(of_equal);
        found.map(|finding| (finding, expectation.told(finding)))
    })
}

/// How often something was known in advance of a benchmark of the canary, and how often it was found otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CanaryTally {
    /// How often something was found of what nothing was planted in: twice of what was measured again.
    pub equal: usize,
    /// How often that was worse or better.
    pub false_alarms: usize,
    /// The findings in which something was planted.
    pub planted: usize,
    /// Those of them in which it was not found, or lets the gate pass.
    pub missed: usize,
}

impl AddAssign for CanaryTally {
    fn add_assign(&mut self, other: Self) {
        self.equal += other.equal;
        self.false_alarms += other.false_alarms;
        self.planted += other.planted;
        self.missed += other.missed;
    }
}

/// Counts what the canary found of which something was known in advance. What could not be compared counts for nothing.
#[must_use]
pub fn canary_tallies(
    report: &Report,
    expectations: &[Expectation],
) -> BTreeMap<BenchId, CanaryTally> {
    let mut tallies: BTreeMap<BenchId, CanaryTally> = BTreeMap::new();
    for finding in report
        .findings
        .iter()
        .filter(|finding| is_compared(finding))
    {
        let mut all = expectations.iter();
        let Some(expected) = all.find(|expected| expected.is_about(finding)) else {
            continue;
        };
        let tally = tallies.entry(finding.bench.clone()).or_default();
        if expected.verdict == Verdict::Unchanged {
            let is_alarm = matches!(finding.verdict, Verdict::Regressed | Verdict::Improved);
            // What was measured again had been called one of them.
            let before = usize::from(is_second(finding));
            tally.equal += before + 1;
            tally.false_alarms += before + usize::from(is_alarm);
        } else if !expected.is_left_undecided(finding) {
            tally.planted += 1;
            tally.missed += usize::from(!expected.is_met_by(finding));
        }
    }
    tallies
}

fn is_compared(finding: &Finding) -> bool {
    !matches!(
        finding.verdict,
        Verdict::Broken | Verdict::Removed | Verdict::Added
    )
}

impl Expectation {
    fn is_about(&self, finding: &Finding) -> bool {
        let is_metric = |metric: &MetricName| *metric == finding.metric.name;
        self.bench.matches(&finding.bench) && self.metric.as_ref().is_none_or(is_metric)
    }

    /// Says what was expected and what was found, where these differ.
    fn unmet(&self, finding: &Finding) -> Option<String> {
        let change = finding.evidence.change.map(|change| change.ratio - 1.0);
        let is_within = self
            .change
            .as_ref()
            .is_none_or(|bounds| change.is_some_and(|change| bounds.contains(&change)));
        let is_met = self.is_left_undecided(finding) || self.is_met_by(finding) && is_within;
        (!is_met).then(|| self.told(finding))
    }

    /// Says what was expected and what was found.
    fn told(&self, finding: &Finding) -> String {
        let change = finding.evidence.change;
        let found = change.map_or_else(
            || found_words(finding),
            |change| {
                format!(
                    "{} by {}",
                    found_words(finding),
                    percent(change.ratio - 1.0)
                )
            },
        );
        let again = if is_second(finding) {
            ", measured twice"
        } else {
            ""
        };
        format!(
            "{} {} was to be {}, and is {found}{again}",
            finding.bench,
            finding.metric.name,
            self.words()
        )
    }

    fn is_left_undecided(&self, finding: &Finding) -> bool {
        let is_disturbed = |caveat: &Caveat| matches!(caveat, Caveat::Disturbed { .. });
        let is_by_machine =
            finding.evidence.method == Method::Paired || finding.caveats.iter().any(is_disturbed);
        self.may_be_undecided && is_by_machine && finding.verdict == Verdict::Inconclusive
    }

    /// Where nothing was planted all is to be silent; that a busy machine leaves a time undecided is no alarm. A count knows
    /// no busy machine.
    /// A slowdown that is found and lets the gate pass is one that a policy has put to sleep.
    fn is_met_by(&self, finding: &Finding) -> bool {
        let found = finding.verdict;
        match self.verdict {
            Verdict::Unchanged => {
                let is_open = found == Verdict::Inconclusive;
                found == Verdict::Unchanged || is_open && finding.metric.nature != Nature::Exact
            }
            Verdict::Regressed => found == Verdict::Regressed && finding.gate > Gate::Pass,
            other => found == other,
        }
    }

    fn unmet_by_all(&self) -> String {
        let metric = self
            .metric
            .as_ref()
            .map_or("any metric", MetricName::as_str);
        let words = self.words();
        format!(
            "{metric} of {} was to be {words}, and was not measured",
            self.bench
        )
    }

    fn words(&self) -> String {
        let verdict = self.verdict.word();
        match &self.change {
            Some(bounds) => {
                let (from, to) = (percent(*bounds.start()), percent(*bounds.end()));
                format!("{verdict} by {from} to {to}")
            }
            None => verdict.to_owned(),
        }
    }
}

/// Whether it is called better or worse by evidence that fails no gate. A limit that is crossed is none.
fn is_likely(finding: &Finding) -> bool {
    matches!(finding.verdict, Verdict::Regressed | Verdict::Improved)
        && finding.evidence.method == Method::Paired
        && finding.caveats.contains(&Caveat::WeakEvidence)
}

/// Whether it is of a metric that was measured again.
fn is_second(finding: &Finding) -> bool {
    finding.caveats.iter().any(|caveat| {
        matches!(caveat, Caveat::MeasuredAgain { metric, .. } if *metric == finding.metric.name)
    })
}

/// Says what was found, and whether nothing is done about it.
fn found_words(finding: &Finding) -> String {
    let word = finding.verdict.word();
    match (finding.verdict, finding.gate) {
        (Verdict::Regressed, Gate::Pass) => format!("{word}, which lets the gate pass,"),
        _ => word.to_owned(),
    }
}

fn percent(share: f64) -> String {
    format!("{:+.1} %", share * 100.0)
}

/// Returns the caveat; what is too long to be kept, or holds what cannot be shown, is said in fewer words.
fn failure(what: &str) -> Caveat {
    let what = FactValue::new(what)
        .or_else(|_| FactValue::new("it did not do as expected"))
        .expect("the few words are short and plain");
    Caveat::CanaryFailed { what }
}
