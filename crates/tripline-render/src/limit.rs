//! Which absolute limit a value crosses, in words.
//!
//! Tested by the snapshots of all outputs: each side of a limit, and of two.

use tripline_model::{Budget, Finding};

use crate::number;
use crate::standing::Standing;

/// The limit that a value crosses.
#[derive(Debug, PartialEq)]
pub(crate) struct Crossing {
    /// Whether it does so for certain.
    pub(crate) is_certain: bool,
    /// On which side it is.
    pub(crate) side: &'static str,
    /// The limit, with its name. The symbol of an unknown unit is data.
    pub(crate) limit: String,
}

impl Crossing {
    /// Returns the limit that the head of a finding crosses, if it does. The head is known by its interval, so one that
    /// crosses a limit only with its middle may lie on either side.
    pub(crate) fn of(finding: &Finding) -> Option<Self> {
        let head = finding.evidence.head?.center;
        let Budget { min, max } = finding.evidence.budget?;
        // Of two limits the nearer one is crossed, if any is.
        let (is_max, limit) = match (min, max) {
            (Some(min), Some(max)) if head - min < max - head => (false, min),
            (_, Some(max)) => (true, max),
            (Some(min), None) => (false, min),
            (None, None) => return None,
        };
        let is_certain = Standing::of(finding) == Standing::OutsideBudget;
        let is_beyond = if is_max { head > limit } else { head < limit };
        let (name, side) = if is_max {
            ("max ", "over budget")
        } else {
            ("min ", "under budget")
        };
        let limit = [name, &number::value(limit, &finding.metric.unit)].concat();
        (is_certain || is_beyond).then_some(Self {
            is_certain,
            side,
            limit,
        })
    }
}
