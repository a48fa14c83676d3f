//! The jobs that warmed up and have no result: they raised, or somebody ended the program.
//!
//! A job warms up as often as it is measured, before all or one of them are. Tested by
//! `tests/it/refusals/fixtures/benchmark_ips.txt`.

use super::{Rate, name_of, scaled};
use crate::begun::Begun;
use crate::document::Document;
use crate::gathered::Gathered;
use crate::result_lines::uncommented;

/// What ends a line of the warming up.
const WARMED: &str = "i/100ms";

/// Says which jobs of a report warmed up more often than they were measured.
pub(super) fn tell(document: &Document<'_>, gathered: &mut Gathered) {
    let mut jobs = Begun::default();
    let mut above = None;
    for line in document.lines() {
        let text = uncommented(line.text.trim_end());
        let before = above.replace(text.trim());
        if let Some(rate) = Rate::parse(text) {
            if let Some(name) = name_of(rate.name, before) {
                jobs.end(name);
            }
        } else if let Some(name) = warmed(text).and_then(|name| name_of(name, before)) {
            jobs.begin(name, document.place(line.line, 1));
        }
    }
    jobs.tell("warmed up", gathered);
}

/// Returns which job a line says to have warmed up: `   get key    68.786k i/100ms`.
fn warmed(text: &str) -> Option<&str> {
    let text = text.strip_suffix(WARMED)?.trim_end();
    let (name, count) = text.rsplit_once(' ').unwrap_or(("", text));
    scaled(count)?;
    Some(name.trim())
}
