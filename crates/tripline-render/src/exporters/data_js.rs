//! The history of github-action-benchmark: `data.js`, which its page reads, and the plain JSON of an external data file.
//!
//! What is there already comes in as text and stays to the byte, whatever other people's entries hold. A run adds
//! an entry for each direction, because that action takes the direction from the tool and knows one a suite. Who made a
//! commit is not said. Tested by `tests/render/export`, and by the reader of such histories.

use std::borrow::Cow;

use tripline_model::{Better, Measurement, Reading, Run, Summary};

use crate::{CommitNote, Existing, Export, ExportError, Exporter, escape};

/// With what makes it a script.
pub(super) static SCRIPT: Exporter = Exporter {
    name: "data-js",
    about: "the history of github-action-benchmark's page, `data.js`",
    export: |told| export(told, "window.BENCHMARK_DATA = "),
};

/// Without it.
pub(super) static EXTERNAL: Exporter = Exporter {
    name: "external-data-json",
    about: "the history of github-action-benchmark, as its `external-data-json-path`",
    export: |told| export(told, ""),
};

/// What wrote the values of histories that were taken over from that action, and are handed back as they came.
const FOREIGN: &str = "github-action-benchmark";

/// The fact that says what a suite was called there.
const CALLED: &str = "imported_as";

/// A history: what is there, by member and by suite, as text.
struct History<'t> {
    members: Vec<(Cow<'t, str>, Cow<'t, str>)>,
    suites: Vec<(Cow<'t, str>, Cow<'t, str>)>,
}

fn export(told: &Export<'_>, prefix: &str) -> Result<String, ExportError> {
    let mut history = match &told.existing {
        None => History::new(told),
        Some(existing) => History::of(existing),
    };
    let mut runs: Vec<&Run> = told.runs.iter().collect();
    runs.sort_by_key(|run| run.measured_at);
    for run in &runs {
        for entry in Entry::of(run) {
            history.add(told, run, &entry);
        }
    }
    if let Some(last) = runs.last() {
        history.update(last.measured_at.as_millisecond());
    }
    Ok(format!("{prefix}{}", history.text()))
}

impl<'t> History<'t> {
    fn new(told: &Export<'_>) -> Self {
        let page = told.repository.map_or("", |link| link.as_str());
        let member = |name: &'static str, text: String| (Cow::Borrowed(name), Cow::Owned(text));
        Self {
            members: vec![
                member("lastUpdate", "0".to_owned()),
                member("repoUrl", quoted(page)),
                member("entries", String::new()),
            ],
            suites: Vec::new(),
        }
    }

    fn of(existing: &Existing<'t>) -> Self {
        let borrowed = |members: &'t [(String, &'t str)]| {
            let member = |(name, text): &'t (String, &'t str)| (name.into(), Cow::Borrowed(*text));
            members.iter().map(member).collect()
        };
        Self {
            members: borrowed(existing.members),
            suites: borrowed(existing.suites),
        }
    }

    fn add(&mut self, told: &Export<'_>, run: &Run, entry: &Entry<'_>) {
        let is_foreign = is_foreign(run);
        let readings = run.measurements().flat_map(|measurement| {
            let readings = measurement.readings();
            readings.map(move |reading| (measurement, reading))
        });
        let benches: Vec<String> = readings
            .filter(|(_, reading)| entry.better.contains(&reading.metric.better))
            .map(|(measurement, reading)| bench(measurement, reading, is_foreign))
            .collect();
        if benches.is_empty() {
            return;
        }
        let text = object(
            6,
            &[
                ("commit", commit(told, run)),
                ("date", run.measured_at.as_millisecond().to_string()),
                ("tool", quoted(entry.tool)),
                ("benches", list(8, &benches)),
            ],
        );
        let title = entry.title.clone();
        let at = self.suites.iter().position(|(name, _)| *name == title);
        let at = at.unwrap_or_else(|| {
            self.suites.push((Cow::Owned(title), Cow::Borrowed("[]")));
            self.suites.len() - 1
        });
        let list = self.suites[at].1.to_mut();
        list.truncate(list.trim_end().len() - 1);
        list.truncate(list.trim_end().len());
        let comma = if list.ends_with('[') { "" } else { "," };
        list.extend([comma, "\n      ", &text, "\n    ]"]);
    }

    /// Says when the newest entry was measured, if nothing newer is there.
    fn update(&mut self, newest: i64) {
        for (name, text) in &mut self.members {
            let is_older = text.parse::<f64>().is_ok_and(|known| known < newest as f64);
            if name == "lastUpdate" && is_older {
                *text = Cow::Owned(newest.to_string());
            }
        }
    }

    fn text(&self) -> String {
        let suites: Vec<(&str, String)> = self
            .suites
            .iter()
            .map(|(name, list)| (&**name, list.clone().into_owned()))
            .collect();
        let entries = object(2, &suites);
        let members: Vec<(&str, String)> = self
            .members
            .iter()
            .map(|(name, text)| {
                let text = if name == "entries" {
                    entries.clone()
                } else {
                    text.clone().into_owned()
                };
                (&**name, text)
            })
            .collect();
        object(0, &members)
    }
}

/// An entry that a run gives: the title of its suite, its tool, and the directions of the metrics it holds.
struct Entry<'r> {
    title: String,
    tool: &'r str,
    better: &'static [Better],
}

impl<'r> Entry<'r> {
    /// Returns the entry that a run came as, or one for each direction. What is better in neither is in none of ours,
    /// because there is no such tool.
    fn of(run: &'r Run) -> Vec<Self> {
        let title = match run.environment.fact(CALLED) {
            Some(title) => title.to_string(),
            None => run.suite.to_string(),
        };
        if is_foreign(run) {
            return vec![Self {
                title,
                tool: &run.producer.version,
                better: &[Better::Lower, Better::Higher, Better::Neither],
            }];
        }
        let bigger = Self {
            title: format!("{title} (bigger is better)"),
            tool: "customBiggerIsBetter",
            better: &[Better::Higher],
        };
        let smaller = Self {
            title,
            tool: "customSmallerIsBetter",
            better: &[Better::Lower],
        };
        vec![smaller, bigger]
    }
}

fn is_foreign(run: &Run) -> bool {
    run.producer.name == FOREIGN
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

fn bench(measurement: &Measurement, reading: &Reading, is_foreign: bool) -> String {
    let Summary {
        center,
        low,
        high,
        count,
    } = Summary::of(&reading.sample);
    let bench = measurement.bench();
    let name = if is_foreign {
        bench.name.to_string()
    } else {
        format!("{} {}", bench.within_suite(), reading.metric.name)
    };
    let mut members = vec![("name", quoted(&name)), ("value", number(center))];
    let unit = ("unit", quoted(reading.metric.unit.symbol()));
    // In the order in which the action itself writes them for its custom tools (`extractCustomBenchmarkResult`).
    members.push(unit);
    if low < high {
        let reach = if is_foreign {
            reach(center, low, high)
        } else {
            (high - center).max(center - low).to_string()
        };
        members.push(("range", quoted(&format!("± {reach}"))));
    }
    if count > 1 && !is_foreign {
        let extra = format!("{count} values from {low} to {high}");
        members.push(("extra", quoted(&extra)));
    }
    object(10, &members)
}

fn quoted(text: &str) -> String {
    escape::json(serde_json::Value::from(text).to_string())
}

/// Writes a value as `JSON.stringify` does, so that the action that adds to the file next leaves it as it is. No value of
/// a run is so large that it would be written with an exponent.
fn number(value: f64) -> String {
    if value == 0.0 || value >= 1e-6 {
        value.abs().to_string()
    } else {
        format!("{value:e}")
    }
}

/// Returns the number that leads from a center to both ends: one of few digits, or else their difference. A range was one
/// number before it was two ends, and the difference is seldom that number again: `105.5 ± 2.3` ends at 107.8, which is
/// 2.299999999999997 away. A range that is wider than its value ends at zero.
fn reach(center: f64, low: f64, high: f64) -> String {
    const FEW: usize = 12;
    let widest = (high - center).max(center - low);
    let leads = |reach: &f64| (center - reach).max(0.0) == low && center + reach == high;
    let mut rounded = (0..FEW).filter_map(|digits| format!("{widest:.digits$e}").parse().ok());
    rounded.find(leads).unwrap_or(widest).to_string()
}

/// Writes an object as `JSON.stringify` does with two blanks, where its beginning is so far in.
fn object(indent: usize, members: &[(&str, String)]) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(name, text)| format!("{}: {text}", quoted(name)))
        .collect();
    enclosed(indent, '{', &members, '}')
}

fn list(indent: usize, elements: &[String]) -> String {
    enclosed(indent, '[', elements, ']')
}

fn enclosed(indent: usize, begin: char, parts: &[String], end: char) -> String {
    if parts.is_empty() {
        return format!("{begin}{end}");
    }
    let margin = " ".repeat(indent + 2);
    let parts = parts.join(&format!(",\n{margin}"));
    format!("{begin}\n{margin}{parts}\n{}{end}", " ".repeat(indent))
}
