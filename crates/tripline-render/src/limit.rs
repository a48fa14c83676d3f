//! Which absolute limit a value crosses, in words.
//!
//! Tested by the snapshots of all outputs: each side of a limit, and of two.

use tripline_model::{Budget, Caveat, Finding};

use crate::standing::Standing;
use tripline_model::number;

const MIN: &str = "min ";
const MAX: &str = "max ";

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
        let (is_max, limit) = nearer(finding)?;
        let is_certain = Standing::of(finding) == Standing::OutsideBudget;
        let is_beyond = if is_max { head > limit } else { head < limit };
        let (name, side) = if is_max {
            (MAX, "over budget")
        } else {
            (MIN, "under budget")
        };
        let [_, limit] = number::value_and_limit(head, limit, &finding.metric.unit);
        (is_certain || is_beyond).then_some(Self {
            is_certain,
            side,
            limit: [name, &limit].concat(),
        })
    }
}

/// Returns which limit the head of a finding crosses, if it crosses any, and whether that is the upper one.
fn nearer(finding: &Finding) -> Option<(bool, f64)> {
    let head = finding.evidence.head?.center;
    let Budget { min, max } = finding.evidence.budget?;
    match (min, max) {
        // Of two limits the nearer one is crossed, if any is.
        (Some(min), Some(max)) if head - min < max - head => Some((false, min)),
        (_, Some(max)) => Some((true, max)),
        (Some(min), None) => Some((false, min)),
        (None, None) => None,
    }
}

/// Returns a value of a finding, so that it looks like no limit beside which it may stand.
pub(crate) fn value(finding: &Finding, value: f64) -> String {
    let unit = &finding.metric.unit;
    match nearer(finding) {
        None => number::value(value, unit),
        Some((_, limit)) => {
            let [value, _] = number::value_and_limit(value, limit, unit);
            value
        }
    }
}

/// Returns the limits that a finding keeps, if it has any and its value is known.
pub(crate) fn kept(finding: &Finding) -> Option<String> {
    let is_unknown =
        |caveat: &Caveat| *caveat == Caveat::UnboundedRatio || caveat.doubts_the_count();
    let head = finding.evidence.head?.center;
    let Budget { min, max } = finding.evidence.budget?;
    if Crossing::of(finding).is_some() || finding.caveats.iter().any(is_unknown) {
        return None;
    }
    let said = |name: &str, limit: Option<f64>| {
        let [_, limit] = number::value_and_limit(head, limit?, &finding.metric.unit);
        Some([name, &limit].concat())
    };
    let limits: Vec<String> = [said(MIN, min), said(MAX, max)]
        .into_iter()
        .flatten()
        .collect();
    (!limits.is_empty()).then(|| limits.join(", "))
}
