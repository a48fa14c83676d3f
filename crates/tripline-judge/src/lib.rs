//! Judges one run against another: pure and total, with no I/O, no clock, and no harness's name.
//!
//! The way of a verdict: the two runs are joined on benchmark and metric (`join`), each pair is compared by the method
//! its metric's nature asks for (`exact` for counts, `stored` for times against a kept run), and what spoils the
//! comparison is said as a caveat (`finding`). How much change is allowed stands in one table (`policy`).
//!
//! Tested by `tests/judge`: tables of known answers, and properties over arbitrary runs. The first property is that a
//! run judged against itself is all unchanged; the second, that no benchmark of either side is ever lost.

mod exact;
mod finding;
mod join;
mod judgement;
mod policy;
mod stored;
mod threshold;

use tripline_model::{Caveat, Finding, Report, Run, RunIdentity, SuiteName, WorkTree};

pub use policy::{Policy, Rule};

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
}

/// Judges a run against the run it is compared with, or describes it alone where there is none.
///
/// Findings are ordered by benchmark, then as the table of metrics ranks them.
///
/// # Errors
/// The runs are of different suites, or the head holds nothing at all.
pub fn judge(base: Option<&Run>, head: &Run, policy: &Policy) -> Result<Report, JudgeError> {
    if let Some(base) = base.filter(|base| base.suite != head.suite) {
        return Err(JudgeError::SuitesDiffer {
            base: base.suite.clone(),
            head: head.suite.clone(),
        });
    }
    if head.is_empty() && head.failures.is_empty() {
        return Err(JudgeError::NothingMeasured(head.suite.clone()));
    }
    let findings = finding::all(base, head, policy);
    Ok(Report {
        suite: head.suite.clone(),
        base: base.map(RunIdentity::of),
        head: RunIdentity::of(head),
        caveats: report_caveats(base, head, &findings),
        failures: head.failures.clone(),
        findings,
    })
}

/// Gathers the reasons to trust the whole less.
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
