//! Judges one run against another: pure and total, with no I/O, no clock, and no harness's name.
//!
//! The way of a verdict: the two runs are joined on benchmark and metric (`case`), each pair is judged by the method that
//! the metric's nature and the way of measuring allow (`exact` for counts, `paired` for times that were measured side by
//! side, `past` for times against their own history, `stored` for times against a kept run), and what spoils the comparison is said as a caveat (`finding`, `shift`).
//! How much change is allowed, and what is done about it, stands in a table (`policy`). Before all that both runs are
//! extended by the metrics that are computed from others (`derived`); after it budgets and acceptances are held against
//! what was found (`settle`).
//!
//! Tested by `tests/judge`: tables of known answers, and properties over arbitrary runs. The first property is that a
//! run judged against itself is all unchanged; the second, that no benchmark of either side is ever lost.

mod acceptance;
mod bench;
mod budget;
mod canary;
mod case;
mod controls;
mod derived;
mod exact;
mod facts;
mod finding;
mod join;
mod judgement;
mod middle;
pub mod near;
mod paired;
mod past;
mod pattern;
mod policy;
mod settle;
mod shift;
pub mod stats;
mod stored;
mod threshold;
pub mod trend;

use tripline_model::{Caveat, Finding, Report, Run, RunIdentity, SuiteName, WorkTree};

use derived::Sides;
use finding::Findings;

pub use acceptance::is_limit_kept;
pub use canary::{CanaryTally, Expectation, canary_doubts, canary_failures, canary_tallies};
pub use controls::Controls;
pub use derived::{
    Derived, DerivedError, DerivedProblem, Expression, ExpressionError, Figure, Formed, Inclusion,
    formed, unformed,
};
pub use paired::{Decision, decision, detectable_in, leans, pairs_to_decide};
pub use past::Past;
pub use pattern::{BenchPattern, PatternError};
pub use policy::{Beyond, Layer, LayerError, Limits, Outcomes, Policy, Rule, Scope, contradiction};
pub use threshold::differ;

/// Says why there is no report. An outage must never look like a green report, nor like a regression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// The runs do not belong together.
    #[error("the base is of suite `{base}`, and the head of suite `{head}`")]
    SuitesDiffer {
        /// The base's suite.
        base: SuiteName,
        /// The head's suite.
        head: SuiteName,
    },
    /// The head holds neither a measurement nor a failure that would explain why.
    #[error("nothing was measured of suite `{0}`")]
    NothingMeasured(SuiteName),
    /// A derived metric does not fit what was measured.
    #[error(transparent)]
    Derived(#[from] DerivedError),
}

/// Judges runs, by a policy and by what else is known of how they were measured.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'a> {
    policy: &'a Policy,
    controls: Option<&'a Controls>,
    past: Option<&'a Past>,
    is_against_baseline: bool,
}

/// Judges a run against the run it is compared with, as [`Judge::judge`] does when nothing is known but the policy.
///
/// # Errors
/// The runs are of different suites, the head holds nothing at all, or a derived metric does not fit it.
pub fn judge(base: Option<&Run>, head: &Run, policy: &Policy) -> Result<Report, JudgeError> {
    Judge::by(policy).judge(base, head)
}

impl<'a> Judge<'a> {
    /// Begins a judge that knows nothing but a policy.
    #[must_use]
    pub fn by(policy: &'a Policy) -> Self {
        Self {
            policy,
            controls: None,
            past: None,
            is_against_baseline: false,
        }
    }

    /// Lets it know what the control benchmarks say that were measured together with the runs.
    #[must_use]
    pub fn with_controls(self, controls: Option<&'a Controls>) -> Self {
        Self { controls, ..self }
    }

    /// Lets it know what the commits before say of the suite, measured on machines of the head's kind.
    #[must_use]
    pub fn with_past(self, past: Option<&'a Past>) -> Self {
        Self { past, ..self }
    }

    /// Lets it know that the base is a kept run, so that a gain which it does not hold is said.
    #[must_use]
    pub fn against_baseline(self) -> Self {
        Self {
            is_against_baseline: true,
            ..self
        }
    }

    /// Judges a run against the run it is compared with, or describes it alone where there is none.
    ///
    /// Findings are ordered by benchmark, then as the table of metrics ranks them.
    ///
    /// # Errors
    /// The runs are of different suites, the head holds nothing at all, or a derived metric does not fit it.
    pub fn judge(&self, base: Option<&Run>, head: &Run) -> Result<Report, JudgeError> {
        if let Some(base) = base.filter(|base| base.suite != head.suite) {
            return Err(JudgeError::SuitesDiffer {
                base: base.suite.clone(),
                head: head.suite.clone(),
            });
        }
        if head.is_empty() && head.failures.is_empty() {
            return Err(JudgeError::NothingMeasured(head.suite.clone()));
        }
        let sides = derived::extended(base, head, self.policy)?;
        let Findings {
            mut findings,
            caveats,
        } = finding::all(&sides, self);
        settle::settle(&mut findings, &sides, self);
        let caveats = report_caveats(base, head, &findings)
            .into_iter()
            .chain(caveats);
        Ok(Report {
            suite: head.suite.clone(),
            base: base.map(RunIdentity::of),
            head: RunIdentity::of(head),
            caveats: caveats.collect(),
            failures: head.failures.clone(),
            findings,
        })
    }
}

impl Judge<'_> {
    /// Reports on a suite that the base measures and the head does not: of the run that the base keeps of it, if it keeps
    /// one, all is removed. The head is a run without anything in it.
    #[must_use]
    pub fn gone(&self, kept: Option<&Run>, head: &Run) -> Report {
        let gate = self.policy.outcomes().removed;
        let findings = kept.map(|kept| finding::all(&Sides::plain(kept, head), self).findings);
        Report {
            suite: head.suite.clone(),
            base: kept.map(RunIdentity::of),
            head: RunIdentity::of(head),
            findings: findings.unwrap_or_default(),
            failures: Vec::new(),
            caveats: vec![Caveat::SuiteGone { gate }],
        }
    }
}

/// Gathers the reasons in the runs themselves to trust the whole less.
fn report_caveats(base: Option<&Run>, head: &Run, findings: &[Finding]) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    if base.is_none() {
        caveats.push(Caveat::NoBaseline);
    }
    // Counts gate, so what spoils them is said of the whole. A time from another machine is no news: hosted runners
    // differ from job to job, and a caveat that always stands is not read.
    let spoiled = findings.iter().find_map(finding::spoiled_count);
    caveats.extend(spoiled.cloned());
    let modified = |revision: &tripline_model::Revision| revision.work_tree == WorkTree::Modified;
    if head.revision.as_ref().is_some_and(modified) {
        caveats.push(Caveat::ModifiedWorkTree);
    }
    caveats
}
