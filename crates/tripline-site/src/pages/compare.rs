//! Two commits beside each other: the page, and the values of each commit for its script.
//!
//! All values of all commits would be the whole history a second time, so the page reaches back as far as a bound allows,
//! and says how far that is.

use maud::html;

use super::numbers::{differences, number, text, whole};
use crate::Files;
use crate::figures::{self, Effect};
use crate::scope::Scope;
use crate::shell::Shell;

/// The most values that are laid out by commit.
const VALUES_MAX: usize = 2_000_000;

/// The commits of one piece.
const PIECE: usize = 10;

/// Adds the page and what its script needs.
pub(super) fn add(scope: &Scope<'_>, files: &mut Files) {
    let lines: usize = scope.benches.iter().map(|bench| bench.lines.len()).sum();
    let commits = scope.trends.commits.len();
    let reach = commits.min(VALUES_MAX / lines.max(1));
    let first = (commits - reach).div_ceil(PIECE) * PIECE;
    files.insert(
        "compare/index.html".into(),
        page(scope, commits.saturating_sub(first)),
    );
    files.insert("data/lines.js".into(), list(scope, first));
    values(scope, first, files);
}

fn page(scope: &Scope<'_>, reach: usize) -> Vec<u8> {
    let main = html! {
        h1 { "Compare two commits" }
        p.lead {
            "Every benchmark at two commits, largest difference first. Where the level did not change between them, the \
             difference is noise, and says so."
        }
        form #pick hidden {
            label { "From" select #from {} }
            label { "To" select #to {} }
            label.check { input #moved type="checkbox" checked; " only where the level changed" }
        }
        p #said role="status" { "The " (reach) " newest measured commits can be compared here, which takes a script." }
        div #result {}
    };
    let shell = Shell {
        title: "Compare two commits",
        root: "../",
        here: "Compare",
        script: Some("compare.js"),
    };
    shell.around(scope, &main)
}

/// Returns what the values are of, in the order in which they stand in each commit.
fn list(scope: &Scope<'_>, first: usize) -> Vec<u8> {
    let mut out = format!("tripline.lines({first},{PIECE},[");
    let lines = scope
        .benches
        .iter()
        .flat_map(|bench| bench.lines.iter().map(move |line| (bench, line)));
    for (index, (bench, line)) in lines.enumerate() {
        out.push_str(if index == 0 { "[" } else { ",\n[" });
        let metric = &line.series.metric;
        for field in [
            &bench.slug,
            &bench.id.to_string(),
            metric.name.as_str(),
            line.environment.as_str(),
            metric.unit.symbol(),
            better(metric.better),
        ] {
            text(&mut out, field);
            out.push(',');
        }
        out.push('[');
        for (index, change) in line.changes.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            let effect = Effect::of(change, metric.better);
            out.push('[');
            number(&mut out, line.points[change.at].place as f64);
            out.push(',');
            text(&mut out, effect.word());
            out.push(',');
            text(&mut out, &figures::share(change.shift));
            out.push(']');
        }
        out.push_str("]]");
    }
    out.push_str("]);\n");
    out.into_bytes()
}

fn better(better: tripline_model::Better) -> &'static str {
    match better {
        tripline_model::Better::Lower => "lower",
        tripline_model::Better::Higher => "higher",
        tripline_model::Better::Neither => "neither",
    }
}

/// Adds the values, a file for a few commits.
fn values(scope: &Scope<'_>, first: usize, files: &mut Files) {
    let commits = scope.trends.commits.len();
    let lines: Vec<_> = scope
        .benches
        .iter()
        .flat_map(|bench| &bench.lines)
        .collect();
    let mut next: Vec<usize> = lines
        .iter()
        .map(|line| line.points.partition_point(|placed| placed.place < first))
        .collect();
    for start in (first..commits).step_by(PIECE) {
        let mut out = format!("tripline.values({start},[");
        for place in start..commits.min(start + PIECE) {
            out.push_str(if place == start { "[" } else { ",\n[" });
            let mut which = Vec::new();
            let mut centers = String::new();
            for (index, line) in lines.iter().enumerate() {
                let Some(placed) = line
                    .points
                    .get(next[index])
                    .filter(|placed| placed.place == place)
                else {
                    continue;
                };
                next[index] += 1;
                which.push(whole(index));
                centers.push_str(if centers.is_empty() { "" } else { "," });
                number(&mut centers, placed.point.center);
            }
            differences(&mut out, which.into_iter());
            out.push_str(",[");
            out.push_str(&centers);
            out.push_str("]]");
        }
        out.push_str("]);\n");
        files.insert(format!("data/at/{start}.js"), out.into_bytes());
    }
}
