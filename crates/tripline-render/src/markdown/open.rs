//! The rows that need attention: as tables by params where those are shorter, as rows otherwise, and by group where
//! there are more than anybody's comment holds.
//!
//! What is worse or missing is never cut without its count and its worst by name; what is milder goes first. Tested by
//! snapshots, and by `tests/render/large` with thousands of regressions.

use tripline_model::Finding;

use super::group::groups;
use super::opening::linked;
use super::pivot::candidates;
use super::room::Room;
use super::{Setting, rows};
use crate::footnote::Footnotes;
use crate::outline::{Outline, is_grave};
use tripline_model::number::plural;

/// What the line above the groups takes.
const TITLE_BYTES: usize = 120;

/// The rows that need attention, laid out.
#[derive(Debug, Default)]
pub(super) struct Opened {
    pub(super) text: String,
    pub(super) left_out: usize,
}

/// Lays out the rows that need attention, as far as there is room.
pub(super) fn open<'a>(
    outline: &Outline<'a>,
    setting: &Setting<'_>,
    notes: &mut Footnotes<'a>,
    room: &mut Room,
) -> Opened {
    let mut rows = outline.open.clone();
    let tables = by_params(outline, setting, &mut rows, notes, room);
    let Opened { text, left_out } = as_rows(&rows, setting, notes, room);
    let text = if tables.is_grave {
        [tables.text, text].concat()
    } else {
        [text, tables.text].concat()
    };
    Opened { text, left_out }
}

/// Tables by params.
#[derive(Default)]
struct Tables {
    text: String,
    /// Whether one of them holds what is worse or missing.
    is_grave: bool,
}

/// Takes those rows out that are shorter as a table by params.
fn by_params<'a>(
    outline: &Outline<'a>,
    setting: &Setting<'_>,
    rows: &mut Vec<&'a Finding>,
    notes: &mut Footnotes<'a>,
    room: &mut Room,
) -> Tables {
    let mut tables = Tables::default();
    for pivot in candidates(rows, &outline.report.findings) {
        let held: Vec<&Finding> = rows
            .iter()
            .copied()
            .filter(|row| pivot.holds(row))
            .collect();
        let known = notes.all().len();
        let detail = setting.size.detail;
        let as_rows = rows::findings(&held, detail, notes, &mut Room::endless());
        notes.keep(known);
        if let Some(table) = pivot.write(notes, as_rows.text.len(), room) {
            tables.text.extend(["\n", &table]);
            tables.is_grave |= held.iter().any(|row| is_grave(row));
            rows.retain(|row| !pivot.holds(row));
        }
    }
    tables
}

fn as_rows<'a>(
    rows: &[&'a Finding],
    setting: &Setting<'_>,
    notes: &mut Footnotes<'a>,
    room: &mut Room,
) -> Opened {
    if rows.is_empty() {
        return Opened::default();
    }
    let (known, before) = (notes.all().len(), room.left());
    let table = rows::findings(rows, setting.size.detail, notes, room);
    let grave = rows.iter().filter(|row| is_grave(row)).count();
    if rows.len() - table.left_out >= grave {
        return Opened {
            text: ["\n", &table.text].concat(),
            left_out: table.left_out,
        };
    }
    notes.keep(known);
    *room = Room::new(before);
    // What is grave stands first.
    let (grave, mild) = rows.split_at(grave);
    let mut opened = summarized(grave, setting, notes, room);
    opened.left_out += mild.len();
    opened
}

/// Shows the worst rows whole, and the others by group.
fn summarized<'a>(
    rows: &[&'a Finding],
    setting: &Setting<'_>,
    notes: &mut Footnotes<'a>,
    room: &mut Room,
) -> Opened {
    let place = place(setting);
    // What the groups of all rows take is more than those of the others will.
    let mut probe = Room::new(room.left());
    let is_by_group = probe.take(TITLE_BYTES + place.len()) && groups(rows, &mut probe).is_some();
    let reserved = if is_by_group {
        room.left() - probe.left()
    } else {
        0
    };
    let mut part = room.part(room.left() - reserved);
    let table = rows::findings(rows, setting.size.detail, notes, &mut part);
    room.give_back(part);
    let others = &rows[rows.len() - table.left_out..];
    let by_group = if is_by_group && room.take(TITLE_BYTES + place.len()) {
        groups(others, room)
    } else {
        None
    };
    let table = ["\n", &table.text].concat();
    let Some(by_group) = by_group else {
        return Opened {
            text: table,
            left_out: others.len(),
        };
    };
    let title = plural(others.len(), "row more is", "rows more are");
    let what = " worse, broken or gone. By group, with the worst of each:\n\n";
    Opened {
        text: [&table, "\n", &title, what, &by_group, &place].concat(),
        left_out: 0,
    }
}

/// Says where every row stands whole.
fn place(setting: &Setting<'_>) -> String {
    match &setting.links.run {
        Some(link) => {
            let summary = linked("the summary of the run", link);
            ["\nThe whole table is in ", &summary, ".\n"].concat()
        }
        None => "\nThe whole table: `tripline render --format summary`.\n".to_owned(),
    }
}
