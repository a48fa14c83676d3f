//! The list of all benchmarks, for the script of the first page: a file for the line that has most to tell of each, and a file
//! for each metric. They are loaded when somebody looks for something.

use tripline_model::few;

use super::numbers::text;
use crate::Files;
use crate::figures::{self, Effect};
use crate::scope::{Bench, Scope};
use crate::trends::{Line, Placed};

/// Into how many parts a small line is divided.
const PARTS: usize = 32;

/// How finely its heights are told.
const HEIGHTS: f64 = 30.0;

/// Adds the lists.
pub(super) fn add(scope: &Scope<'_>, files: &mut Files) {
    let main = scope.benches.iter().map(|bench| (bench, bench.telling()));
    files.insert("data/list.js".into(), list("", main));
    let lines = || {
        scope
            .benches
            .iter()
            .flat_map(|bench| bench.lines.iter().map(move |line| (bench, *line)))
    };
    let metrics = few::set_of(lines().map(|(_, line)| line.series.metric.name.as_str()));
    for metric in metrics {
        let of_metric = lines().filter(|(_, line)| line.series.metric.name.as_str() == metric);
        files.insert(format!("data/list/{metric}.js"), list(metric, of_metric));
    }
}

fn list<'s, 't: 's>(
    metric: &str,
    lines: impl Iterator<Item = (&'s Bench<'t>, &'s Line)>,
) -> Vec<u8> {
    let mut out = String::from("tripline.list(");
    text(&mut out, metric);
    out.push_str(",[");
    for (index, (bench, line)) in lines.enumerate() {
        out.push_str(if index == 0 { "[" } else { ",\n[" });
        let (effect, change) = line.changes.last().map_or(("", String::new()), |change| {
            let effect = Effect::of(change, line.series.metric.better);
            let said = [figures::arrow(change), &figures::share(change.shift)].concat();
            (effect.word(), said)
        });
        let latest = line.points.last().map_or(String::new(), |placed| {
            figures::value(placed.point.center, &line.series.metric.unit)
        });
        let params = bench
            .id
            .params
            .iter()
            .map(|(key, value)| format!("{key}={value}"));
        let environments = few::set_of(bench.lines.iter().map(|line| line.environment.as_str()));
        for (index, field) in [
            &bench.slug,
            bench.id.suite.as_str(),
            &bench.name(),
            line.series.metric.name.as_str(),
            line.environment.as_str(),
            &latest,
            effect,
            &change,
            &params.collect::<Vec<_>>().join("\n"),
            &environments.into_iter().collect::<Vec<_>>().join("\n"),
            &heights(line),
        ]
        .into_iter()
        .enumerate()
        {
            if index > 0 {
                out.push(',');
            }
            text(&mut out, field);
        }
        out.push(']');
    }
    out.push_str("]);\n");
    out.into_bytes()
}

/// Returns the heights of a line as letters, from `a` for the lowest; a blank where nothing was measured.
fn heights(line: &Line) -> String {
    let (Some(first), Some(last)) = (line.points.first(), line.points.last()) else {
        return String::new();
    };
    let centers = || line.points.iter().map(|placed| placed.point.center);
    let low = centers().fold(f64::INFINITY, f64::min);
    let high = centers().fold(f64::NEG_INFINITY, f64::max);
    // As for the drawn ones: what hardly moves is flat.
    let span = (high - low).max(high.abs() * 0.01).max(f64::MIN_POSITIVE);
    let bottom = f64::midpoint(low, high) - span / 2.0;
    let mut parts = vec![b' '; PARTS];
    let width = (last.place - first.place).max(1);
    let part = |placed: &Placed| (placed.place - first.place) * (PARTS - 1) / width;
    // Of each part the last one is told.
    for (at, letter) in parts.iter_mut().enumerate() {
        let until = line.points.partition_point(|placed| part(placed) <= at);
        let last = until.checked_sub(1).map(|last| &line.points[last]);
        let Some(placed) = last.filter(|placed| part(placed) == at) else {
            continue;
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it lies between nothing and the number of heights"
        )]
        let height = ((placed.point.center - bottom) / span * HEIGHTS).clamp(0.0, HEIGHTS) as u8;
        *letter = b'A' + height;
    }
    parts.into_iter().map(char::from).collect()
}
