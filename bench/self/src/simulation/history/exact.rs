//! What the judge itself makes of a count that never varied and then jumps.
//!
//! Tested with the rules that are silent there.

use tripline_judge::{Policy, judge};
use tripline_model::Verdict;

use super::super::runs::run_of;

/// The count that never varied, and what it jumps to.
pub(super) const CONSTANT: f64 = 1_000_000.0;
pub(super) const JUMPED: f64 = 1_010_000.0;

/// Returns whether the judge says that the count has grown.
pub(super) fn judge_sees_jump() -> bool {
    let [base, head] = [CONSTANT, JUMPED]
        .map(|count| run_of("instructions", [("constant".to_owned(), vec![count])]));
    let report = judge(Some(&base), &head, &Policy::standard());
    report.is_ok_and(|report| {
        let mut verdicts = report.findings.iter().map(|finding| finding.verdict);
        verdicts.next() == Some(Verdict::Regressed) && verdicts.next().is_none()
    })
}
