//! Thousands of rows that got worse, by group: how many each has, and the worst by name.
//!
//! A group is the benchmarks whose names begin alike, up to a `/` or `::`. The finest grouping for which there is room
//! is taken; the coarsest is everything at once. Tested by `tests/render/large`, and below.

use std::collections::BTreeMap;

use tripline_model::{Finding, Verdict};

use super::room::Room;
use super::rows;
use super::table::{Column, Table};
use crate::cell;
use crate::escape::markdown_cell;
use crate::grid::Align;
use crate::standing::Standing;
use tripline_model::number::plural;

/// The finest names by which is grouped, in parts of a name.
const PARTS_MAX: usize = 6;

/// The most groups that are shown: more are no summary.
const GROUPS_MAX: usize = 40;

/// Stands for everything.
const ALL: &str = "all";

/// Writes a table of groups, worst first, for which there is room. The findings are ordered, the worst first.
pub(super) fn groups(findings: &[&Finding], room: &mut Room) -> Option<String> {
    (0..=PARTS_MAX)
        .rev()
        .find_map(|parts| written(findings, parts, room))
}

fn written(findings: &[&Finding], parts: usize, room: &mut Room) -> Option<String> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<(&str, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        let name = beginning(finding.bench.name.as_str(), parts);
        let place = *places.entry(name).or_insert_with(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(finding);
    }
    if groups.len() > GROUPS_MAX {
        return None;
    }
    let mut part = Room::new(room.left());
    let columns = ["group", "counts", "worst", "metric"].map(|head| (head.to_owned(), Align::Left));
    let mut columns: Vec<Column> = columns.into();
    columns.push(("change".to_owned(), Align::Right));
    let mut table = Table::begin(columns, &mut part)?;
    for (name, members) in &groups {
        if !table.add(row(name, members)?, 0, &mut part) {
            return None;
        }
    }
    let text = table.text(&mut part);
    room.take(room.left() - part.left()).then_some(text)
}

fn row(name: &str, members: &[&Finding]) -> Option<Vec<String>> {
    let worst = members.first()?;
    let name = if name.is_empty() {
        ALL.to_owned()
    } else {
        rows::name(name)
    };
    let counts = [
        Standing::Is(Verdict::Broken),
        Standing::OutsideBudget,
        Standing::Is(Verdict::Regressed),
        Standing::Is(Verdict::Removed),
    ];
    let counts = counts.map(|standing| {
        let alike = members.iter().filter(|f| Standing::of(f) == standing);
        let count = alike.count();
        (count > 0).then(|| plural(count, standing.words(), standing.words()))
    });
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    Some(vec![
        name,
        counts.join(", "),
        rows::name(&worst.bench.within_suite()),
        markdown_cell(worst.metric.name.as_str()),
        cell::change(worst, crate::Detail::Brief),
    ])
}

/// Returns the first parts of a name, with what ends the last of them.
fn beginning(name: &str, parts: usize) -> &str {
    let mut end = 0;
    for _ in 0..parts {
        let rest = &name[end..];
        let next = [("/", 1), ("::", 2)]
            .into_iter()
            .filter_map(|(sign, length)| rest.find(sign).map(|at| at + length))
            .min();
        match next {
            Some(next) => end += next,
            None => return name,
        }
    }
    &name[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_parts() {
        let name = "store/größe::get";
        let parts: Vec<&str> = (0..4).map(|parts| beginning(name, parts)).collect();
        assert_eq!(parts, ["", "store/", "store/größe::", name]);
        assert_eq!(beginning("get", 1), "get");
    }
}
