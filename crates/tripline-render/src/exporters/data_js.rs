//! The history of github-action-benchmark: `data.js`, which its page reads, and the plain JSON of an external data file.
//!
//! What is there already comes in as text and stays to the byte, whatever other people's entries hold. A run that was
//! taken over from such a history goes back as it was, by `data_js/taken`; who made the commit of a run of ours is not said.
//! What stands there already is not added again. Tested by `tests/render/export`, and by the reader of such histories.

mod json;
mod ours;
mod taken;
mod there;

use std::borrow::Cow;

use tripline_model::{Measurement, Reading, Run, milliseconds};

use crate::directed::Directed;
use crate::middle::{Middle, is_told_with_another};
use crate::{CommitNote, Existing, Export, ExportError, Exported, Exporter, Link, export};
use json::{enclosed, number, object, quoted};
pub use ours::is_title_of;

/// With what makes it a script.
pub(super) static SCRIPT: Exporter = Exporter {
    name: "data-js",
    about: "the history of github-action-benchmark's page, `data.js`",
    hands_back: true,
    export: |told| export(told, "window.BENCHMARK_DATA = "),
};

/// Without it.
pub(super) static EXTERNAL: Exporter = Exporter {
    name: "external-data-json",
    about: "the history of github-action-benchmark, as its `external-data-json-path`",
    hands_back: true,
    export: |told| export(told, ""),
};

/// How far in the members of the whole, the suites, and their runs begin.
const INDENTS: [usize; 3] = [2, 4, 6];

/// A history: what is there, by member and by suite.
struct History<'t> {
    members: Vec<(Cow<'t, str>, Cow<'t, str>)>,
    suites: Vec<Suite<'t>>,
}

/// A suite: the list that is there as text, and the runs that are added to it.
struct Suite<'t> {
    title: Cow<'t, str>,
    there: &'t str,
    added: Vec<String>,
}

fn export<'a>(told: &Export<'a>, prefix: &'static str) -> Result<Exported<'a>, ExportError> {
    export::is_of_commit(told, "a history")?;
    export::is_directed(told, "a history", is_told_with_another)?;
    let mut history = match &told.existing {
        None => History::new(told),
        Some(existing) => History::of(existing),
    };
    for taken in told.taken {
        history.add(taken.title.clone(), taken::run(taken));
    }
    for suite in &mut history.suites {
        there::take_out(&mut suite.added, suite.there, |_| true);
    }
    let notes = ours::add(&mut history, told);
    if let Some(time) = last_update(told) {
        history.update(time);
    }
    let mut exported = history.text(prefix);
    exported.note(notes);
    exported.note(Directed::undirected_left_out(
        told.runs,
        is_told_with_another,
    ));
    Ok(exported)
}

/// Returns when the history was last added to: as a history that was taken over says it, unless a run was added since.
/// Where none says it, the newest run is the last that was added.
fn last_update(told: &Export<'_>) -> Option<f64> {
    let is_said = told.taken.iter().filter_map(|taken| taken.last_update);
    let is_said = is_said.filter(|time| time.is_finite());
    let taken = told.taken.iter().map(|taken| taken.record.measured_at);
    let runs = told.runs.iter().map(|run| run.measured_at);
    let taken = is_said
        .max_by(f64::total_cmp)
        .or_else(|| taken.max().map(milliseconds));
    let runs = runs.max().map(|time| time.as_millisecond() as f64);
    taken.into_iter().chain(runs).max_by(f64::total_cmp)
}

impl<'t> History<'t> {
    fn new(told: &Export<'t>) -> Self {
        let there = told.taken.iter().find_map(|taken| taken.repository);
        let page = there.or(told.repository.map(Link::as_str));
        let member = |name: &'static str, text: String| (Cow::Borrowed(name), Cow::Owned(text));
        Self {
            members: vec![
                member("lastUpdate", "0".to_owned()),
                member("repoUrl", quoted(page.unwrap_or_default())),
                member("entries", String::new()),
            ],
            suites: Vec::new(),
        }
    }

    fn of(existing: &Existing<'t>) -> Self {
        let member =
            |(name, text): &'t (String, Cow<'t, str>)| (name.into(), Cow::Borrowed(&**text));
        let suite = |(title, there): &'t (String, Cow<'t, str>)| Suite {
            title: title.into(),
            there,
            added: Vec::new(),
        };
        Self {
            members: existing.members.iter().map(member).collect(),
            suites: existing.suites.iter().map(suite).collect(),
        }
    }

    /// Adds a run to a suite, which may be a new one.
    fn add(&mut self, title: Cow<'t, str>, run: String) {
        // Runs come by suite, so the last one is mostly it.
        let at = self.suites.iter().rposition(|suite| suite.title == title);
        let at = at.unwrap_or_else(|| {
            self.suites.push(Suite {
                title,
                there: "[]",
                added: Vec::new(),
            });
            self.suites.len() - 1
        });
        self.suites[at].added.push(run);
    }

    /// Returns the runs that are there, by the titles of their suites.
    fn there(&self) -> impl Iterator<Item = (&str, &'t str)> {
        let all = self.suites.iter();
        all.map(|suite| (&*suite.title, suite.there))
    }

    /// Returns whether runs of a suite are there.
    fn has(&self, title: &str) -> bool {
        let is_begun = |there: &str| there.contains('{');
        self.there()
            .any(|(known, there)| known == title && is_begun(there))
    }

    /// Says when the newest entry was measured, if nothing newer is there.
    fn update(&mut self, newest: f64) {
        for (name, text) in &mut self.members {
            // Null stands there for what only a script could have worked out.
            let is_older = text == "null" || text.parse::<f64>().is_ok_and(|known| known < newest);
            if name == "lastUpdate" && is_older {
                *text = Cow::Owned(number(newest));
            }
        }
    }

    fn text(self, prefix: &'static str) -> Exported<'t> {
        let mut out = Exported::default();
        out.push(prefix);
        let mut suites = Some(self.suites);
        enclosed(&mut out, INDENTS[0], self.members, |out, (name, text)| {
            out.push(format!("{}: ", quoted(&name)));
            match suites.take_if(|_| name == "entries") {
                Some(suites) => enclosed(out, INDENTS[1], suites, Suite::write),
                None => out.push(text),
            }
        });
        out
    }
}

impl<'t> Suite<'t> {
    fn write(out: &mut Exported<'t>, suite: Self) {
        out.push(format!("{}: ", quoted(&suite.title)));
        if suite.added.is_empty() {
            out.push(suite.there);
            return;
        }
        let begun = suite.there.trim_end();
        let begun = begun.strip_suffix(']').unwrap_or(begun).trim_end();
        out.push(begun);
        let mut is_first = begun.ends_with('[');
        for run in suite.added {
            out.push(if is_first { "\n      " } else { ",\n      " });
            out.push(run);
            is_first = false;
        }
        out.push("\n    ]");
    }
}

fn commit(told: &Export<'_>, run: &Run) -> String {
    let nobody = || object(10, &[("name", quoted("")), ("username", quoted(""))]);
    let id = run.revision.as_ref().map(|revision| &revision.commit);
    let unknown = CommitNote::default();
    let note = id.and_then(|id| told.commits.get(id)).unwrap_or(&unknown);
    let made = note.committed_at.unwrap_or(run.measured_at);
    let page = match (told.repository, id) {
        (Some(link), Some(id)) => format!("{}/commit/{id}", link.as_str().trim_end_matches('/')),
        _ => String::new(),
    };
    let subject = note.subject.as_ref().map_or("", |subject| subject.as_str());
    object(
        8,
        &[
            ("author", nobody()),
            ("committer", nobody()),
            ("id", quoted(id.map_or("", |id| id.as_str()))),
            ("message", quoted(subject)),
            ("timestamp", quoted(&made.to_string())),
            ("url", quoted(&page)),
        ],
    )
}

fn bench(measurement: &Measurement, reading: &Reading) -> String {
    let middle = Middle::of(measurement, reading);
    let name = format!(
        "{} {}",
        measurement.bench().within_suite(),
        reading.metric.name
    );
    // In the order in which the action itself writes them for its custom tools (`extractCustomBenchmarkResult`).
    let mut members = vec![
        ("name", quoted(&name)),
        ("value", number(middle.center)),
        ("unit", quoted(reading.metric.unit.symbol())),
    ];
    members.extend(middle.range().map(|range| ("range", quoted(&range))));
    members.extend(middle.extra().map(|extra| ("extra", quoted(&extra))));
    object(10, &members)
}
