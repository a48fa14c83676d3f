//! In what the environments of base and head differ, whether it matters or not, folded.
//!
//! What matters is a caveat as well; the rest is for whoever looks for a reason. Tested by the snapshots.

use tripline_model::few;
use tripline_model::{FactDifference, Report};

use super::section::folded;
use super::spoken::difference;
use tripline_model::number::plural;

/// Lists the differences, or nothing where there are none.
pub(super) fn differences(report: &Report) -> Option<String> {
    let base = &report.base.as_ref()?.environment;
    let head = &report.head.environment;
    let names = few::set_of(base.facts().chain(head.facts()).map(|(name, _)| name));
    let differences = names.into_iter().filter_map(|name| {
        let (base, head) = (base.fact(name.as_str()), head.fact(name.as_str()));
        (base != head).then(|| FactDifference {
            fact: name.clone(),
            base: base.cloned(),
            head: head.cloned(),
        })
    });
    let lines: Vec<String> = differences
        .map(|found| ["- ", &difference(&found), "\n"].concat())
        .collect();
    let title = plural(lines.len(), "difference", "differences");
    (!lines.is_empty()).then(|| folded(&["Environment: ", &title].concat(), &lines.concat()))
}
