//! What was found: one finding per benchmark and metric, and what we do about it.

use jiff::Timestamp;

use crate::bench_id::BenchId;
use crate::caveat::Caveat;
use crate::environment::Environment;
use crate::evidence::{Evidence, Method};
use crate::failure::Failure;
use crate::metric::Metric;
use crate::names::{EnvironmentName, SuiteName};
use crate::revision::{CommitId, Revision};
use crate::run::Run;

/// Says what is true of one metric of one benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It was to be measured, and was not.
    Broken,
    /// It got worse by more than the tolerance.
    Regressed,
    /// The base has it, the head does not.
    Removed,
    /// The numbers do not allow a verdict; the caveats say why.
    Inconclusive,
    /// It got better by more than the tolerance.
    Improved,
    /// The head has it, the base does not.
    Added,
    /// It changed by no more than the tolerance.
    Unchanged,
}

impl Verdict {
    /// All verdicts, the ones to look at first.
    pub const ALL: [Self; 7] = [
        Self::Broken,
        Self::Regressed,
        Self::Removed,
        Self::Inconclusive,
        Self::Improved,
        Self::Added,
        Self::Unchanged,
    ];

    /// Returns the word that stands in files and tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Regressed => "regressed",
            Self::Removed => "removed",
            Self::Inconclusive => "inconclusive",
            Self::Improved => "improved",
            Self::Added => "added",
            Self::Unchanged => "unchanged",
        }
    }
}

/// Says what we do about a finding, the mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Gate {
    /// Nothing.
    #[default]
    Pass,
    /// Say it, and go on.
    Warn,
    /// Stop.
    Fail,
}

impl Gate {
    /// Returns the word that stands in files and tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// A regression somebody took on purpose, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Acceptance {
    /// Who took it.
    pub who: String,
    /// Why.
    pub because: String,
    /// The value it was before.
    pub from: f64,
    /// The value that was taken. When the value moves again, the acceptance has ended.
    pub to: f64,
    /// What of it was taken.
    pub covers: Covers,
    /// The commit at which it was taken, where it is known.
    pub commit: Option<CommitId>,
    /// The environment whose values these are, where it is known: each has a baseline of its own.
    pub environment: Option<EnvironmentName>,
}

/// What an acceptance lets pass: that a value got worse, that it crosses a limit, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covers {
    /// The change.
    Change,
    /// That the limit is crossed so far.
    Limit,
    /// The change, and that it crosses the limit.
    Both,
}

impl Covers {
    /// Returns whether a change may pass.
    #[must_use]
    pub fn change(self) -> bool {
        matches!(self, Self::Change | Self::Both)
    }

    /// Returns whether a limit may be crossed.
    #[must_use]
    pub fn limit(self) -> bool {
        matches!(self, Self::Limit | Self::Both)
    }
}

impl Acceptance {
    /// Returns whether another one is of the same values. Who took it, why and at which commit makes no other change of it.
    #[must_use]
    pub fn has_the_values_of(&self, other: &Self) -> bool {
        (self.from, self.to, self.covers) == (other.from, other.to, other.covers)
    }

    /// Returns whether another one is the same, whatever its words: what is taken again later is taken a second time.
    #[must_use]
    pub fn is_the_same(&self, other: &Self) -> bool {
        self.has_the_values_of(other) && self.commit == other.commit
    }
}

/// What was found about one metric of one benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The benchmark.
    pub bench: BenchId,
    /// The metric.
    pub metric: Metric,
    /// What is true.
    pub verdict: Verdict,
    /// What we do about it.
    pub gate: Gate,
    /// The method and the numbers.
    pub evidence: Evidence,
    /// The reasons to trust it less.
    pub caveats: Vec<Caveat>,
    /// Who took it on purpose, if anybody did.
    pub acceptance: Option<Acceptance>,
}

impl Finding {
    /// Says what to do about a caveat of its own. Only what is judged by pairs becomes surer by more of them.
    #[must_use]
    pub fn advice(&self, caveat: &Caveat) -> &'static str {
        match (caveat, self.evidence.method) {
            (Caveat::WeakEvidence, Method::Paired) => caveat.advice(),
            (Caveat::WeakEvidence, _) => {
                "measure longer with `--effort full`, or beside a base with `--against <revision>`"
            }
            _ => caveat.advice(),
        }
    }
}

/// Says which run one side of a report is.
#[derive(Debug, Clone, PartialEq)]
pub struct RunIdentity {
    /// The state of the code, where it is known.
    pub revision: Option<Revision>,
    /// When measuring began.
    pub measured_at: Timestamp,
    /// Where it was measured.
    pub environment: Environment,
}

impl RunIdentity {
    /// Returns the identity of a run.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        Self {
            revision: run.revision.clone(),
            measured_at: run.measured_at,
            environment: run.environment.clone(),
        }
    }
}

/// Holds all that was found about one suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The suite.
    pub suite: SuiteName,
    /// What the head was compared with; absent on a first run.
    pub base: Option<RunIdentity>,
    /// What was judged.
    pub head: RunIdentity,
    /// One finding per benchmark and metric, ordered by benchmark, then by metric as the table ranks it.
    pub findings: Vec<Finding>,
    /// What was to be measured and was not.
    pub failures: Vec<Failure>,
    /// The reasons to trust the whole less.
    pub caveats: Vec<Caveat>,
}

impl Report {
    /// Returns what we do about the whole: the strictest of what we do about each finding. What is no verdict is no pass
    /// either, for whoever asks for nothing else.
    #[must_use]
    pub fn gate(&self) -> Gate {
        let of_finding = |finding: &Finding| match finding.verdict {
            Verdict::Broken => Gate::Fail,
            _ => finding.gate,
        };
        if !self.failures.is_empty() || self.is_distrusted() {
            return Gate::Fail;
        }
        let of_caveat = |caveat: &Caveat| match caveat {
            Caveat::SuiteGone { gate } => *gate,
            _ => Gate::Pass,
        };
        let gates = self.findings.iter().map(of_finding);
        let all = gates.chain(self.caveats.iter().map(of_caveat));
        all.max().unwrap_or_default()
    }

    /// Returns whether it is no verdict on the whole: something that was to be measured was not, or the canary failed, and
    /// then nothing that it says can be trusted.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        !self.failures.is_empty()
            || self.is_distrusted()
            || self.findings.iter().any(|f| f.verdict == Verdict::Broken)
    }

    fn is_distrusted(&self) -> bool {
        let is_distrust = |caveat: &Caveat| matches!(caveat, Caveat::CanaryFailed { .. });
        self.caveats.iter().any(is_distrust)
    }

    /// Returns how many findings have a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.verdict == verdict)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::FactValue;

    fn report(caveats: Vec<Caveat>) -> Report {
        let name = EnvironmentName::new("debian-12-x86_64").unwrap();
        let head = RunIdentity {
            revision: None,
            measured_at: Timestamp::UNIX_EPOCH,
            environment: Environment::new(name),
        };
        Report {
            suite: SuiteName::new("store").unwrap(),
            base: None,
            head,
            findings: Vec::new(),
            failures: Vec::new(),
            caveats,
        }
    }

    #[test]
    fn a_report_whose_canary_failed_is_broken_and_other_caveats_break_nothing() {
        let what = FactValue::new("canary/steady is regressed").unwrap();
        assert!(report(vec![Caveat::CanaryFailed { what }]).is_broken());
        let change = 0.03;
        let others = vec![Caveat::NoBaseline, Caveat::ControlsMoved { change }];
        assert!(!report(others).is_broken());
    }
}
