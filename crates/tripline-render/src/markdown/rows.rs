//! The rows of the tables: one per finding, or one per benchmark.
//!
//! Tested by the snapshots, and with a Markdown parser over arbitrary names.

use tripline_model::laid::Pair;
use tripline_model::{Finding, Unit, Verdict};

use super::room::Room;
use super::spoken::spoken;
use super::table::{Column, Table};
use crate::escape::{markdown_cell, shortened};
use crate::footnote::Footnotes;
use crate::grid::Align;
use crate::outline::{Glance, Outline};
use crate::{Detail, cell, limit};

/// The most of a benchmark's text that stands in a cell. No name that anybody gave is longer.
const NAME_CHARS_MAX: usize = 600;

/// What a footnote takes besides its words: its number, a dot, a blank and the end of its line.
const NOTE_FRAME_BYTES: usize = 10;

/// A table, and how many rows were left out of it.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) left_out: usize,
}

impl Written {
    /// Returns no table, from which so many rows were left out.
    pub(super) fn nothing_of(rows: usize) -> Self {
        Self {
            text: String::new(),
            left_out: rows,
        }
    }
}

/// Returns what the footnotes from one on take.
pub(super) fn notes_bytes(notes: &Footnotes<'_>, from: usize) -> usize {
    let new = notes.all()[from..].iter();
    new.map(|note| spoken(note).len() + NOTE_FRAME_BYTES).sum()
}

/// Returns a param with its value as a cell.
pub(super) fn pair((key, value): Pair<'_>) -> String {
    name(&[key.as_str(), "=", value.as_str()].concat())
}

/// Returns params with their values as a cell.
pub(super) fn pairs<'a>(all: impl Iterator<Item = Pair<'a>>) -> String {
    all.map(pair).collect::<Vec<String>>().join(" ")
}

/// Returns a benchmark's name as a cell.
pub(super) fn name(text: &str) -> String {
    markdown_cell(&shortened(text, NAME_CHARS_MAX))
}

/// Writes one row per finding, as far as there is room.
pub(super) fn findings<'a>(
    findings: &[&'a Finding],
    detail: Detail,
    notes: &mut Footnotes<'a>,
    room: &mut Room,
) -> Written {
    let has_sight = cell::has_sight(findings, detail);
    let mut columns = columns(&[
        ("benchmark", Align::Left),
        ("metric", Align::Left),
        ("base", Align::Right),
        ("head", Align::Right),
        ("change", Align::Right),
    ]);
    columns.extend(columns_if(has_sight, ("sees", Align::Right)));
    columns.extend(self::columns(&[
        ("evidence", Align::Left),
        ("verdict", Align::Left),
    ]));
    written(columns, findings, notes, room, |finding, notes| {
        let evidence = &finding.evidence;
        let mut cells = vec![
            name(&finding.bench.within_suite()),
            markdown_cell(finding.metric.name.as_str()),
            number(finding, cell::side(finding, evidence.base.as_ref())),
            number(finding, cell::side(finding, evidence.head.as_ref())),
            // A number after it keeps the sign from opening a tag.
            cell::change(finding, detail),
        ];
        cells.extend(has_sight.then(|| cell::sight(finding)));
        cells.push(cell::evidence(finding));
        let limits = limit::kept(finding);
        cells.push(verdict(finding, limits, &notes.of_all(&[finding])));
        cells
    })
}

/// Writes one row per benchmark, with its most telling numbers, as far as there is room.
pub(super) fn glances<'a>(
    outline: &Outline<'a>,
    notes: &mut Footnotes<'a>,
    room: &mut Room,
) -> Written {
    let count = cell::Pick::new(&outline.glances, |glance| glance.count, "count");
    let time = cell::Pick::new(&outline.glances, |glance| glance.time, "time");
    let picks: Vec<&cell::Pick> = [&count, &time].into_iter().flatten().collect();
    let mut columns = columns(&[("benchmark", Align::Left)]);
    let picked = picks
        .iter()
        .map(|pick| (markdown_cell(&pick.head), Align::Left));
    columns.extend(picked);
    columns.extend(self::columns(&[("verdict", Align::Left)]));
    let values = |pick: &cell::Pick, glance: &Glance<'a>| {
        let text = pick.cell(glance);
        if pick.holds_data(glance) {
            return markdown_cell(&text);
        }
        text
    };
    let row = |glance: &Glance<'a>, notes: &mut Footnotes<'a>| {
        let mut cells = vec![name(&glance.deciding.bench.within_suite())];
        cells.extend(picks.iter().map(|pick| values(pick, glance)));
        let shown: Vec<&Finding> = [glance.count, glance.time].into_iter().flatten().collect();
        cells.push(verdict(glance.deciding, None, &notes.at_a_glance(&shown)));
        cells
    };
    written(columns, &outline.glances, notes, room, row)
}

fn columns(columns: &[(&str, Align)]) -> Vec<Column> {
    columns
        .iter()
        .map(|(head, align)| ((*head).to_owned(), *align))
        .collect()
}

fn columns_if(is_wanted: bool, (head, align): (&str, Align)) -> Option<Column> {
    is_wanted.then(|| (head.to_owned(), align))
}

/// Writes a table row by row until there is no room. A row's new footnotes need room, too, and go with the row where
/// there is none.
fn written<'a, T>(
    columns: Vec<Column>,
    items: &[T],
    notes: &mut Footnotes<'a>,
    room: &mut Room,
    row: impl Fn(&T, &mut Footnotes<'a>) -> Vec<String>,
) -> Written {
    if items.is_empty() {
        return Written::nothing_of(0);
    }
    let Some(mut table) = Table::begin(columns, room) else {
        return Written::nothing_of(items.len());
    };
    let mut left_out = 0;
    for (index, item) in items.iter().enumerate() {
        let known = notes.all().len();
        let cells = row(item, notes);
        if !table.add(cells, notes_bytes(notes, known), room) {
            notes.keep(known);
            left_out = items.len() - index;
            break;
        }
    }
    let text = table.text(room);
    Written { text, left_out }
}

/// Returns a number's cell. Only the symbol of an unknown unit is data.
pub(super) fn number(finding: &Finding, text: String) -> String {
    match finding.metric.unit {
        Unit::Other(_) => markdown_cell(&text),
        _ => text,
    }
}

/// Returns the verdict's cell, with the limit that is crossed or the limits that are kept, and the numbers of the
/// footnotes of all findings its row shows.
fn verdict(deciding: &Finding, kept: Option<String>, notes: &[usize]) -> String {
    let word = cell::word(deciding);
    let mut text = match deciding.verdict {
        Verdict::Broken | Verdict::Regressed => ["**", word, "**"].concat(),
        _ => word.to_owned(),
    };
    if let Some((before, limit)) = cell::limit(deciding) {
        text.extend([&before, "(", &number(deciding, limit), ")"]);
    } else if let Some(limits) = kept {
        text.extend([", within ", &number(deciding, limits)]);
    }
    text.push_str(cell::consequence(deciding));
    text.push_str(&references(notes));
    text
}

/// Returns the numbers of footnotes, as they stand behind what they are about.
pub(super) fn references(notes: &[usize]) -> String {
    let numbers = notes
        .iter()
        .map(|number| [" [", &number.to_string(), "]"].concat());
    numbers.collect()
}
