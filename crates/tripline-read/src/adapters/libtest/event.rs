//! The events of libtest's JSON, one a line. The form is unstable, so what else an event says is skipped.
//!
//! Tested by `fixtures/libtest`.

use serde::Deserialize;

use super::line::Numbers;
use crate::json::{Number, Text};

/// One event.
#[derive(Debug, Deserialize)]
pub(super) struct Event<'t> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Text<'t>,
    #[serde(borrow)]
    pub(super) event: Option<Text<'t>>,
    #[serde(borrow)]
    pub(super) name: Option<Text<'t>>,
    #[serde(borrow)]
    median: Option<Number<'t>>,
    #[serde(borrow)]
    deviation: Option<Number<'t>>,
    #[serde(borrow)]
    mib_per_second: Option<Number<'t>>,
    pub(super) failed: Option<u64>,
    pub(super) measured: Option<u64>,
}

/// Returns whether a line is an event that no other program writes.
pub(super) fn is_mark(text: &str) -> bool {
    text.starts_with('{')
        && (text.contains("\"deviation\"") && text.contains("\"bench\"")
            || text.contains("\"suite\"") && text.contains("\"test_count\""))
}

/// Returns whether a line is an event, or was one.
pub(super) fn is_event(text: &str) -> bool {
    let members = [
        "\"deviation\"",
        "\"median\"",
        "\"test_count\"",
        "\"measured\"",
        "\"event\"",
        "\"bench\"",
    ];
    members.iter().any(|member| text.contains(member))
}

impl Event<'_> {
    /// Returns what was measured. The rate is called one of mebibytes, and is one of a million bytes.
    pub(super) fn numbers(&self) -> Option<Numbers> {
        let time = self.median?.value();
        Some(Numbers {
            taken: time,
            counted: None,
            deviation: self.deviation?.value(),
            throughput: self.mib_per_second.map(|rate| rate.value() * 1e6),
        })
    }
}
