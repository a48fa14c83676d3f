//! The history of github-action-benchmark: `data.js`, which its page reads, and the plain JSON of an external data file.
//!
//! What is there already comes in as text and stays to the byte, whatever other people's entries hold. A run that was
//! taken over from such a history goes back as it was, by `data_js/taken`. A run of ours adds an entry for each direction,
//! because that action takes the direction from the tool and knows one a suite; who made its commit is not said. What
//! stands there already is not added again. Tested by `tests/render/export`, and by the reader of such histories.

mod json;
mod taken;
mod there;

use std::borrow::Cow;

use tripline_model::few;
use tripline_model::{Better, Measurement, Reading, Run, SuiteName, milliseconds};

use crate::directed::Directed;
use crate::middle::{Middle, is_told_with_another};
use crate::{CommitNote, Existing, Export, ExportError, Exported, Exporter, Link, export};
use json::{enclosed, list, number, object, quoted};

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
    let mut runs: Vec<&Run> = told.runs.iter().collect();
    few::sort_by_key(&mut runs, |run| run.measured_at);
    // What another machine measured is no value of the same line. The environment that was first has the suite's own title.
    let mut first: Vec<&Run> = Vec::new();
    for run in runs {
        if !first.iter().any(|known| known.suite == run.suite) {
            first.push(run);
        }
        let is_alike = |known: &&&Run| {
            known.suite == run.suite && known.environment.name == run.environment.name
        };
        let is_first = first.iter().any(|known| is_alike(&known));
        for entry in Entry::of(run, is_first) {
            if let Some(text) = entry.text(told, run) {
                history.add(entry.title.into(), text);
            }
        }
    }
    for suite in &mut history.suites {
        there::take_out(&mut suite.added, suite.there);
    }
    if let Some(time) = last_update(told) {
        history.update(time);
    }
    let mut exported = history.text(prefix);
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

/// An entry that a run of ours gives: the title of its suite, its tool, and the directions of the metrics it holds.
struct Entry {
    title: String,
    tool: &'static str,
    better: Better,
}

/// What stands in the title of an entry between suite and environment, and behind both of what is better high.
const ON: &str = " on ";
const BIGGER: &str = " (bigger is better)";

/// Returns whether runs of a suite of ours are called so in such a history.
#[must_use]
pub fn is_title_of(title: &str, suite: &SuiteName) -> bool {
    let rest = title.strip_prefix(suite.as_str());
    let rest = rest.map(|rest| rest.strip_suffix(BIGGER).unwrap_or(rest));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(ON))
}

impl Entry {
    /// Returns an entry for each direction. What is better in neither is in none of them, because there is no such tool.
    fn of(run: &Run, is_first: bool) -> [Self; 2] {
        let title = match is_first {
            true => run.suite.to_string(),
            false => [run.suite.as_str(), ON, run.environment.name.as_str()].concat(),
        };
        let bigger = Self {
            title: [&title, BIGGER].concat(),
            tool: "customBiggerIsBetter",
            better: Better::Higher,
        };
        let smaller = Self {
            title,
            tool: "customSmallerIsBetter",
            better: Better::Lower,
        };
        [smaller, bigger]
    }

    fn text(&self, told: &Export<'_>, run: &Run) -> Option<String> {
        let readings = run.measurements().flat_map(|measurement| {
            let readings = measurement.readings();
            readings.map(move |reading| (measurement, reading))
        });
        let benches: Vec<String> = readings
            .filter(|(_, reading)| reading.metric.better == self.better)
            .map(|(measurement, reading)| bench(measurement, reading))
            .collect();
        if benches.is_empty() {
            return None;
        }
        Some(object(
            INDENTS[2],
            &[
                ("commit", commit(told, run)),
                ("date", run.measured_at.as_millisecond().to_string()),
                ("tool", quoted(self.tool)),
                ("benches", list(INDENTS[2] + 2, &benches)),
            ],
        ))
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
