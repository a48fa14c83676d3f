//! What stands in the way, said once more at the end: the last lines of a log are what is seen of it, and the report on the
//! suite that fails may be screens above them.
//!
//! Tested by `tests/it/gate`.

use tripline_model::number::plural;
use tripline_model::{Caveat, Report};
use tripline_render::{Annotation, Color, Detail, Severity, View, annotations};

use crate::talk;

/// How many are said of one suite. The report has the others.
const SAID_MAX: usize = 4;

/// The most of a line: about two of a terminal's.
const LINE_CHARS_MAX: usize = 160;

/// Says what a gate fails by, a line each, suite by suite.
pub(super) fn say(reports: &[Report]) {
    let view = View::new(talk::width(), Color::Plain, Detail::Brief);
    let mut canary: Vec<&Caveat> = Vec::new();
    for report in reports {
        let failed = report.caveats.iter().filter(|one| is_of_canary(one));
        // All reports of a session say what its canary did. The notes begin with it.
        let all = annotations(std::slice::from_ref(report), &view);
        let (of_canary, notes) = all.split_at(failed.clone().count());
        let is_new = |(one, _): &(&Caveat, _)| !canary.contains(one);
        let news: Vec<_> = failed.zip(of_canary).filter(is_new).collect();
        canary.extend(news.iter().map(|(one, _)| *one));
        let notes = notes
            .iter()
            .filter(|note| note.severity == Severity::Failure);
        let said: Vec<&Annotation> = news.iter().map(|(_, note)| *note).chain(notes).collect();
        for note in said.iter().take(SAID_MAX) {
            let first = note.message.lines().next().unwrap_or_default();
            let line = ["stops: ", &note.title, ": ", first].concat();
            talk::say(&line.chars().take(LINE_CHARS_MAX).collect::<String>());
        }
        let left_out = said.len().saturating_sub(SAID_MAX);
        if left_out > 0 {
            let more = plural(left_out, "more", "more");
            talk::say(&format!("stops: {}: {more}", report.suite));
        }
    }
}

fn is_of_canary(caveat: &Caveat) -> bool {
    matches!(caveat, Caveat::CanaryFailed { .. })
}
