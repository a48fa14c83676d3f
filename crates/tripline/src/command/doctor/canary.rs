//! Whether something vouches for the gate.

use super::finding::Finding;
use crate::error::Outcome;
use crate::project::Project;

/// A canary is measured whichever suites are asked for, so all of them are looked at.
pub(super) fn look(project: &Project) -> Outcome<Vec<Finding>> {
    let suites = project.suites_on_demand_too(&[])?;
    if suites.iter().any(|suite| suite.canary.is_some()) {
        return Ok(Vec::new());
    }
    Ok(vec![Finding::note(
        "no suite has a `[canary]`, so that nobody knows whether the gate is awake",
        "a suite with one is built without and with a slowdown that a feature plants, and a gate that misses it says so: \
         *The canary* in docs/METHODOLOGY.md of Tripline",
    )])
}
