//! Whether something vouches for the gate.

use super::finding::Finding;
use crate::project::Project;

/// A canary is measured whichever suites are asked for, so all of them are looked at.
pub(super) fn look(project: &Project) -> Option<Finding> {
    // Where a suite cannot be read, whoever asks for it hears why.
    let suites = project.suites_on_demand_too(&[]).ok()?;
    if suites.iter().any(|suite| suite.canary.is_some()) {
        return None;
    }
    Some(Finding::note(
        "no suite has a `[canary]`, so that nobody knows whether the gate is awake",
        "a suite with one is built without and with a slowdown that a feature plants, and a gate that misses it says so: \
         *The canary* in docs/METHODOLOGY.md of Tripline",
    ))
}
