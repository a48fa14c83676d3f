//! What stands in the way, said once more at the end: the last lines of a log are what is seen of it, and the report on the
//! suite that fails may be screens above them.
//!
//! Tested by `tests/it/gate`.

use tripline_model::Report;
use tripline_model::number::plural;
use tripline_render::{Color, Detail, Severity, View, annotations};

use crate::talk;

/// How many are said: about half a screen. The report has the others.
const SAID_MAX: usize = 12;

/// Says what a gate fails by, a line each.
pub(super) fn say(reports: &[Report]) {
    let view = View::new(talk::width(), Color::Plain, Detail::Brief);
    let notes = annotations(reports, &view);
    let failures = notes
        .iter()
        .filter(|note| note.severity == Severity::Failure);
    for note in failures.clone().take(SAID_MAX) {
        let first = note.message.lines().next().unwrap_or_default();
        talk::say(&format!("stops: {}: {first}", note.title));
    }
    let left_out = failures.count().saturating_sub(SAID_MAX);
    if left_out > 0 {
        talk::say(&format!("stops: {}", plural(left_out, "more", "more")));
    }
}
