//! What stands in the way, said once more at the end: the last lines of a log are what is seen of it, and the report on the
//! suite that fails may be screens above them.
//!
//! Tested by `tests/it/gate`.

use tripline_model::number::plural;
use tripline_model::{Caveat, Report};
use tripline_render::{Color, Detail, Severity, View, annotations};

use crate::talk;

/// How many are said of one suite. The report has the others.
const SAID_MAX: usize = 4;

/// The most of a line: about two of a terminal's.
const LINE_CHARS_MAX: usize = 160;

/// Says what a gate fails by, a line each, suite by suite.
pub(super) fn say(reports: &[Report]) {
    let view = View::new(talk::width(), Color::Plain, Detail::Brief);
    // All reports of a session say what its canary did; their notes begin with it.
    let mut of_canary: Vec<String> = Vec::new();
    for report in reports {
        let canary = report
            .caveats
            .iter()
            .filter(|one| is_of_canary(one))
            .count();
        let (mut said, mut left_out) = (0, 0);
        let notes = annotations(std::slice::from_ref(report), &view);
        for (at, note) in notes.into_iter().enumerate() {
            let is_known = at < canary && of_canary.contains(&note.message);
            if note.severity != Severity::Failure || is_known {
                continue;
            }
            if said == SAID_MAX {
                left_out += 1;
                continue;
            }
            said += 1;
            let first = note.message.lines().next().unwrap_or_default();
            let line = ["stops: ", &note.title, ": ", first].concat();
            talk::say(&line.chars().take(LINE_CHARS_MAX).collect::<String>());
            if at < canary {
                of_canary.push(note.message);
            }
        }
        if left_out > 0 {
            let more = plural(left_out, "more", "more");
            talk::say(&["stops: ", report.suite.as_str(), ": ", &more].concat());
        }
    }
}

fn is_of_canary(caveat: &Caveat) -> bool {
    matches!(caveat, Caveat::CanaryFailed { .. })
}
