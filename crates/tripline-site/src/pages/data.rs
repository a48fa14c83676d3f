//! What is meant for other programs: benchmarks and changes as JSON and CSV, and a page that says what they hold.

use maud::html;
use serde_json::{Value, json};
use tripline_model::few;

use super::{csv, tile};
use crate::Files;
use crate::scope::Scope;
use crate::shell::Shell;
use crate::story::{Chapter, Moved, Standing};
use crate::trends::Pairs;

/// Adds the files and their page.
pub(super) fn add(scope: &Scope<'_>, chapters: &[Chapter<'_, '_>], files: &mut Files) {
    tile::add_commits(scope, files);
    benchmarks(scope, files);
    changes(scope, chapters, files);
    files.insert("data/index.html".into(), page(scope));
}

fn page(scope: &Scope<'_>) -> Vec<u8> {
    let main = html! {
        h1 { "Data" }
        p.lead { "The same numbers for programs. Values are in base units: nanoseconds, bytes, counts." }
        div.scroll tabindex="0" role="group" aria-label="Files" {
        table {
            thead { tr { th scope="col" { "What" } th scope="col" { "JSON" } th scope="col" { "CSV" } } }
            tbody {
                tr { td.name { "Every benchmark: each metric's latest value, and its page" }
                    td { a href="benchmarks.json" { "benchmarks.json" } } td { a href="benchmarks.csv" { "benchmarks.csv" } } }
                tr { td.name { "Every change of level: commit, size, interval, standing" }
                    td { a href="changes.json" { "changes.json" } } td { a href="changes.csv" { "changes.csv" } } }
            }
        }
        }
        @if let Some(list) = &scope.about.history {
            p { "The whole history as segments, whose blocks are Parquet that any engine reads: "
                a href=(list) { "the list of their files" } ", whose names go on from its folder." }
        }
        p { "All values of a benchmark can be saved as CSV or JSON on its page. The whole history is the branch of data, \
             which " code { "tripline convert --history" } " hands on in the forms of other services." }
    };
    let shell = Shell {
        title: "Data",
        root: "../",
        here: "Data",
        script: None,
    };
    shell.around(scope, &main)
}

fn benchmarks(scope: &Scope<'_>, files: &mut Files) {
    let mut table = String::new();
    csv::row(
        &mut table,
        &[
            "suite",
            "benchmark",
            "metric",
            "unit",
            "environment",
            "commit",
            "value",
            "low",
            "high",
            "page",
        ],
    );
    let mut all: Vec<Value> = Vec::new();
    for bench in &scope.benches {
        let mut lines: Vec<Value> = Vec::new();
        for line in &bench.lines {
            let metric = &line.series.metric;
            let Some(placed) = line.points.last() else {
                continue;
            };
            let commit = &scope.commit(placed.place).id;
            let (low, high) = placed.point.ends();
            let center = placed.point.center;
            let [value, low_text, high_text] = [center, low, high].map(|value| value.to_string());
            csv::row(
                &mut table,
                &[
                    bench.id.suite.as_str(),
                    &bench.name(),
                    metric.name.as_str(),
                    metric.unit.symbol(),
                    line.environment.as_str(),
                    commit.as_str(),
                    &value,
                    &low_text,
                    &high_text,
                    &bench.page(),
                ],
            );
            lines.push(json!({
                "metric": metric.name.as_str(), "unit": metric.unit.symbol(), "environment": line.environment.as_str(),
                "commit": commit.as_str(), "value": center, "low": low, "high": high,
                "detectable": line.detectable, "pairs": line.pairs.as_ref().map(pairs),
            }));
        }
        let params = bench.id.params.iter();
        let params = params.map(|(key, value)| (key.as_str(), value.as_str()));
        all.push(json!({
            "suite": bench.id.suite.as_str(), "name": bench.id.name.as_str(),
            "params": few::map_of(params), "page": bench.page(), "lines": lines,
        }));
    }
    files.insert("data/benchmarks.csv".into(), table.into_bytes());
    files.insert("data/benchmarks.json".into(), written(&all));
}

fn pairs(pairs: &Pairs) -> Value {
    json!({
        "noise": pairs.noise, "sessions": pairs.sessions,
        "detectable": few::map_of(pairs.detectable.iter().copied()),
    })
}

fn changes(scope: &Scope<'_>, chapters: &[Chapter<'_, '_>], files: &mut Files) {
    let mut table = String::new();
    csv::row(
        &mut table,
        &[
            "commit",
            "day",
            "benchmark",
            "metric",
            "environment",
            "before",
            "after",
            "change",
            "low",
            "high",
            "effect",
            "standing",
            "because",
        ],
    );
    let mut all: Vec<Value> = Vec::new();
    let events = chapters.iter().flat_map(|chapter| &chapter.events);
    let moves = events.flat_map(|event| {
        std::iter::once(&event.main)
            .chain(&event.others)
            .map(move |moved| (event.bench, moved))
    });
    for (bench, moved) in moves {
        let commit = scope.commit(moved.place());
        let because = match moved.standing() {
            Standing::Accepted(acceptance) => Some(acceptance.because.as_str()),
            Standing::Pending | Standing::Confirmed | Standing::Reverted => None,
        };
        let Moved { line, change } = *moved;
        let interval = change.interval;
        let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        csv::row(
            &mut table,
            &[
                commit.id.as_str(),
                &crate::figures::day(commit.at),
                &bench.id.to_string(),
                line.series.metric.name.as_str(),
                line.environment.as_str(),
                &change.before.to_string(),
                &change.after.to_string(),
                &change.shift.to_string(),
                &text(interval.map(|interval| interval.low)),
                &text(interval.map(|interval| interval.high)),
                moved.effect().word(),
                moved.standing().word(),
                because.unwrap_or_default(),
            ],
        );
        all.push(json!({
            "commit": commit.id.as_str(), "at": commit.at.to_string(), "benchmark": bench.id.to_string(), "page": bench.page(),
            "metric": line.series.metric.name.as_str(), "environment": line.environment.as_str(),
            "before": change.before, "after": change.after, "change": change.shift,
            "interval": interval.map(|interval| [interval.low, interval.high]),
            "effect": moved.effect().word(), "standing": moved.standing().word(), "because": because,
        }));
    }
    files.insert("data/changes.csv".into(), table.into_bytes());
    files.insert("data/changes.json".into(), written(&all));
}

/// Writes a list, an item a line.
fn written(all: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = all.iter().map(Value::to_string).collect();
    ["[\n", &lines.join(",\n"), "\n]\n"].concat().into_bytes()
}
