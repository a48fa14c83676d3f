//! The jobs that warmed up and have no result: they raised, or somebody ended the program.
//!
//! A job warms up as often as it is measured, before all or one of them are. Tested by
//! `tests/it/refusals/fixtures/benchmark_ips.txt`.

use std::collections::BTreeMap;

use super::{Rate, name_of, scaled};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::shown;
use crate::result_lines::uncommented;

/// What ends a line of the warming up.
const WARMED: &str = "i/100ms";

/// The lines on which a job warmed up, and how many results it has.
#[derive(Default)]
struct Job {
    warmed: Vec<usize>,
    measured: usize,
}

/// Says which jobs of a report warmed up more often than they were measured. Of several times the last is without a result.
pub(super) fn tell(document: &Document<'_>, gathered: &mut Gathered) {
    let mut jobs: BTreeMap<&str, Job> = BTreeMap::new();
    let mut above = None;
    for line in document.lines() {
        let text = uncommented(line.text.trim_end());
        let before = above.replace(text.trim());
        if let Some(rate) = Rate::parse(text) {
            if let Some(name) = name_of(rate.name, before) {
                jobs.entry(name).or_default().measured += 1;
            }
        } else if let Some(name) = warmed(text).and_then(|name| name_of(name, before)) {
            jobs.entry(name).or_default().warmed.push(line.line);
        }
    }
    let mut missing: Vec<(usize, &str)> = Vec::new();
    for (name, job) in jobs {
        let left = job.warmed.into_iter().skip(job.measured);
        missing.extend(left.map(|line| (line, name)));
    }
    missing.sort_unstable();
    for (line, name) in missing {
        let name = shown(name);
        let text = format!("benchmark `{name}` warmed up and has no result");
        gathered.problem(document.place(line, 1), text);
    }
}

/// Returns which job a line says to have warmed up: `   get key    68.786k i/100ms`.
fn warmed(text: &str) -> Option<&str> {
    let text = text.strip_suffix(WARMED)?.trim_end();
    let (name, count) = text.rsplit_once(' ').unwrap_or(("", text));
    scaled(count)?;
    Some(name.trim())
}
