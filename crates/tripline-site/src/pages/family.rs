//! The latest values of benchmarks that differ in their params alone, for the script that draws them along any param.
//!
//! What was measured at another commit than the newest of them is left out: beside today's values it would say what nobody
//! measured. The page's own table has it, and says of when it is.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::few;
use tripline_model::laid::{Laid, varied};
use tripline_model::{ParamKey, ParamValue};

use super::numbers::{list, number, text, whole};
use crate::Files;
use crate::scope::{Bench, Scope};
use crate::slug;

/// Adds a file for each name that has several params.
pub(super) fn add(scope: &Scope<'_>, files: &mut Files) {
    let is_family =
        |a: &Bench<'_>, b: &Bench<'_>| a.id.suite == b.id.suite && a.id.name == b.id.name;
    for members in scope.benches.chunk_by(is_family) {
        if members.len() > 1 {
            files.insert(
                format!("data/f/{}.js", slug(&members[0])),
                family(scope, members),
            );
        }
    }
}

/// Returns what a family is called in addresses.
pub(super) fn slug(bench: &Bench<'_>) -> String {
    let mut id = bench.id.clone();
    id.params.clear();
    slug::of_bench(&id)
}

/// Returns the params of a family, in the order in which they come.
pub(super) fn keys<'b>(members: &'b [Bench<'_>]) -> Vec<&'b ParamKey> {
    let mut keys = Vec::new();
    for key in members.iter().flat_map(|member| member.id.params.keys()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn family(scope: &Scope<'_>, members: &[Bench<'_>]) -> Vec<u8> {
    let mut out = String::from("tripline.family([");
    for (index, member) in members.iter().enumerate() {
        out.push_str(if index == 0 { "[" } else { ",\n[" });
        text(&mut out, &member.slug);
        out.push_str(",[");
        let current = member.lines.iter();
        let current = current.filter(|line| !scope.is_behind(line));
        let current = current.filter_map(|line| Some((line, line.points.last()?)));
        for (index, (line, latest)) in current.enumerate() {
            out.push_str(if index == 0 { "[" } else { ",[" });
            texts(
                &mut out,
                [line.series.metric.name.as_str(), line.environment.as_str()].into_iter(),
            );
            out.push(',');
            number(&mut out, latest.point.center);
            out.push(']');
        }
        out.push_str("]]");
    }
    out.push_str("],[");
    let varied = varied(members.iter().map(|member| &member.id.params));
    for (index, (key, values)) in varied.iter().enumerate() {
        out.push_str(if index == 0 { "\n[" } else { ",\n[" });
        along(&mut out, members, key, values);
        out.push(']');
    }
    out.push_str("]);\n");
    out.into_bytes()
}

/// Writes how the benchmarks lie with the values of a param across: a row for each of whatever else they differ in, with the
/// columns that it has something in and which of the benchmarks that is. Those with other params have rows of their own.
fn along(
    out: &mut String,
    members: &[Bench<'_>],
    across: &ParamKey,
    columns: &BTreeSet<&ParamValue>,
) {
    let mut by_keys: BTreeMap<Vec<&ParamKey>, Laid<'_, usize>> = BTreeMap::new();
    for (index, member) in members.iter().enumerate() {
        let params = &member.id.params;
        let down: Vec<&ParamKey> = params.keys().filter(|key| *key != across).collect();
        let laid = by_keys.entry(down.clone());
        let laid = laid.or_insert_with(|| Laid::new(across, down));
        laid.put(params, index);
    }
    let places = few::map_of(columns.iter().copied().zip(0..));
    text(out, across.as_str());
    out.push_str(",[");
    texts(out, columns.iter().map(|value| value.as_str()));
    out.push_str("],[");
    let rows = by_keys.values().flat_map(|laid| {
        laid.lines
            .iter()
            .map(move |(line, cells)| (laid, line, cells))
    });
    for (index, (laid, line, cells)) in rows.enumerate() {
        out.push_str(if index == 0 { "[" } else { ",[" });
        let side = laid.side(line).map(|(key, value)| format!("{key}={value}"));
        text(out, &side.collect::<Vec<String>>().join(", "));
        out.push(',');
        let cells = cells.iter();
        list(
            out,
            cells.flat_map(|(value, member)| [places[value], whole(*member)]),
        );
        out.push(']');
    }
    out.push(']');
}

fn texts<'a>(out: &mut String, all: impl Iterator<Item = &'a str>) {
    for (index, one) in all.enumerate() {
        if index > 0 {
            out.push(',');
        }
        text(out, one);
    }
}
