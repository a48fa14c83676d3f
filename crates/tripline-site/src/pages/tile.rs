//! All numbers of one benchmark, for the script of its page; and the commits, in pieces, for whatever asks of one.
//!
//! A file calls a function with one value, so that it can be loaded from the disk. The form is of the pages' own: it may
//! change with every version, because script and file are made together. What is meant for others lies beside it (`data`).

use tripline_model::Spread;

use super::numbers::{Quantum, differences, list, number, text, whole};
use crate::Files;
use crate::scope::{Bench, Scope};
use crate::story::{Moved, Standing};
use crate::trends::Line;

/// The commits of one piece: few enough to be loaded when somebody points at one.
const PIECE: usize = 500;

/// Returns the numbers of a benchmark.
pub(super) fn tile(scope: &Scope<'_>, bench: &Bench<'_>) -> Vec<u8> {
    let mut places: Vec<Vec<i64>> = Vec::new();
    let mut out = String::from("tripline.tile({\"name\":");
    text(&mut out, &bench.id.to_string());
    out.push_str(",\"lines\":[");
    for (index, line) in bench.lines.iter().enumerate() {
        if index > 0 {
            out.push_str(",\n");
        }
        let of_line: Vec<i64> = line
            .points
            .iter()
            .map(|placed| whole(placed.place))
            .collect();
        let at = places.iter().position(|known| *known == of_line);
        let at = at.unwrap_or_else(|| {
            places.push(of_line);
            places.len() - 1
        });
        of(&mut out, scope, line, at);
    }
    out.push_str("],\"places\":[");
    for (index, of_line) in places.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        differences(&mut out, of_line.iter().copied());
    }
    out.push_str("],\"count\":");
    number(&mut out, scope.trends.commits.len() as f64);
    out.push_str("});\n");
    out.into_bytes()
}

fn of(out: &mut String, scope: &Scope<'_>, line: &Line, places: usize) {
    let metric = &line.series.metric;
    out.push_str("{\"metric\":");
    text(out, metric.name.as_str());
    out.push_str(",\"unit\":");
    text(out, metric.unit.symbol());
    out.push_str(",\"environment\":");
    text(out, line.environment.as_str());
    let centers = line.points.iter().map(|placed| placed.point.center);
    let ends = line.points.iter().flat_map(|placed| {
        let (low, high) = placed.point.ends();
        [low, high]
    });
    let quantum = Quantum::of(centers, ends);
    let count = |value| quantum.count(value);
    let fields = [
        ("places", places as f64),
        ("power", f64::from(quantum.power())),
    ];
    for (name, value) in fields {
        named(out, name, value);
    }
    out.push_str(",\"center\":");
    differences(
        out,
        line.points.iter().map(|placed| count(placed.point.center)),
    );
    if line
        .points
        .iter()
        .any(|placed| placed.point.spread != Spread::Nothing)
    {
        let points = || line.points.iter().map(|placed| placed.point);
        let low = || points().map(|point| point.center - point.ends().0);
        let high = || points().map(|point| point.ends().1 - point.center);
        let ends = quantum.of_ends(low().chain(high()));
        named(out, "ends", f64::from(ends.power()));
        out.push_str(",\"low\":");
        list(out, low().map(|far| ends.count(far)));
        out.push_str(",\"high\":");
        list(out, high().map(|far| ends.count(far)));
    }
    gaps(out, scope, line);
    changes(out, scope, line);
    facts(out, scope, line);
    terms(out, scope, line);
    for (name, value) in [
        ("baseline", line.baseline),
        ("min", line.budget.and_then(|budget| budget.min)),
        ("max", line.budget.and_then(|budget| budget.max)),
    ] {
        if let Some(value) = value {
            named(out, name, value);
        }
    }
    out.push('}');
}

fn named(out: &mut String, name: &str, value: f64) {
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":");
    number(out, value);
}

/// Writes what the line is computed from: the benchmark's slug and the metric of each term.
fn terms(out: &mut String, scope: &Scope<'_>, line: &Line) {
    if line.terms.is_empty() {
        return;
    }
    out.push_str(",\"terms\":[");
    for (index, (bench, term)) in scope.terms(line).enumerate() {
        out.push_str(if index == 0 { "[" } else { ",[" });
        text(out, &bench.slug);
        out.push(',');
        text(out, term.series.metric.name.as_str());
        out.push(']');
    }
    out.push(']');
}

/// Writes after which points the line has a gap.
fn gaps(out: &mut String, scope: &Scope<'_>, line: &Line) {
    let pairs = line.points.windows(2).enumerate();
    let gaps = pairs.filter(|(_, two)| scope.has_gap(line, two[0].place, two[1].place));
    out.push_str(",\"gaps\":");
    list(out, gaps.map(|(index, _)| whole(index)));
}

fn changes(out: &mut String, scope: &Scope<'_>, line: &Line) {
    out.push_str(",\"changes\":[");
    for (index, change) in line.changes.iter().enumerate() {
        let moved = Moved { line, change };
        let (innocent, last) = moved.suspects();
        if index > 0 {
            out.push(',');
        }
        out.push_str("{\"effect\":");
        text(out, moved.effect().word());
        out.push_str(",\"standing\":");
        text(out, moved.standing().word());
        if let Standing::Accepted(acceptance) = moved.standing() {
            out.push_str(",\"because\":");
            text(out, &acceptance.because);
        }
        out.push_str(",\"size\":");
        text(out, &crate::figures::share(change.shift));
        let from = innocent.unwrap_or(moved.place());
        for (name, value) in [
            ("at", moved.place() as f64),
            ("from", from as f64),
            ("to", last as f64),
            ("before", change.before),
            ("after", change.after),
        ] {
            named(out, name, value);
        }
        out.push_str(",\"commit\":");
        text(out, scope.commit(moved.place()).id.short());
        out.push('}');
    }
    out.push(']');
}

/// Writes where the state of the environment changed, and in what.
fn facts(out: &mut String, scope: &Scope<'_>, line: &Line) {
    out.push_str(",\"facts\":[");
    let mut is_first = true;
    for (index, two) in line.points.windows(2).enumerate() {
        let [before, after] = [two[0].environment, two[1].environment];
        if before == after {
            continue;
        }
        let all = &scope.trends.environments;
        let differences =
            all[before].differences_that_matter(&all[after], line.series.metric.nature);
        if differences.is_empty() {
            continue;
        }
        if !is_first {
            out.push(',');
        }
        is_first = false;
        let said: Vec<String> = differences
            .iter()
            .map(|difference| {
                let value = |value: &Option<tripline_model::FactValue>| {
                    value
                        .as_ref()
                        .map_or("not stated".to_owned(), ToString::to_string)
                };
                format!(
                    "{}: {} \u{2192} {}",
                    difference.fact,
                    value(&difference.base),
                    value(&difference.head)
                )
            })
            .collect();
        out.push('[');
        number(out, (index + 1) as f64);
        out.push(',');
        text(out, &said.join("; "));
        out.push(']');
    }
    out.push(']');
}

/// Adds the commits, in pieces, and when they were made.
pub(super) fn add_commits(scope: &Scope<'_>, files: &mut Files) {
    for (index, piece) in scope.trends.commits.chunks(PIECE).enumerate() {
        let mut out = format!("tripline.commits({},[", index * PIECE);
        for (index, commit) in piece.iter().enumerate() {
            out.push_str(if index == 0 { "[" } else { ",\n[" });
            text(&mut out, commit.id.as_str());
            out.push(',');
            let subject = commit
                .subject
                .as_ref()
                .map_or("", |subject| subject.as_str());
            text(&mut out, subject);
            out.push(']');
        }
        out.push_str("]);\n");
        files.insert(format!("data/commits/{index}.js"), out.into_bytes());
    }
    let mut out = String::from("tripline.times(");
    let commits = &scope.trends.commits;
    differences(&mut out, commits.iter().map(|commit| commit.at.as_second()));
    out.push(',');
    differences(&mut out, commits.iter().map(|commit| whole(commit.height)));
    out.push(',');
    let repository = scope.about.repository.as_ref();
    text(
        &mut out,
        repository.map_or("", |repository| repository.as_str()),
    );
    out.push_str(");\n");
    files.insert("data/times.js".into(), out.into_bytes());
}
