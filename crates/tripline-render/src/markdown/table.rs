//! A Markdown table that grows as long as there is room.
//!
//! A small one is aligned in its source as well, for whoever reads that; a large one would pay for it in room. Tested
//! below, and by the snapshots.

use unicode_width::UnicodeWidthStr as _;

use super::room::Room;
use crate::grid::Align;

/// The most rows that are aligned in the source.
const ALIGNED_ROWS_MAX: usize = 60;

/// The most columns of text to which a cell is filled up: one long name must not widen every row.
const FILLED_MAX: usize = 44;

/// One column: what stands above it, already harmless, and to which side its cells are moved.
pub(super) type Column = (String, Align);

/// A table while it is written.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<Column>,
    text: String,
    /// The rows, as long as they are few enough to be aligned.
    rows: Option<Vec<Vec<String>>>,
}

impl Table {
    /// Begins a table, if there is room for its head.
    pub(super) fn begin(columns: Vec<Column>, room: &mut Room) -> Option<Self> {
        let heads: Vec<&str> = columns.iter().map(|(head, _)| head.as_str()).collect();
        let rules: Vec<&str> = columns.iter().map(|(_, align)| rule(*align)).collect();
        let text = [line(&heads), line(&rules)].concat();
        room.take(text.len()).then_some(Self {
            columns,
            text,
            rows: Some(Vec::new()),
        })
    }

    /// Adds a row, if there is room for it and for what it brings along.
    pub(super) fn add(&mut self, cells: Vec<String>, along: usize, room: &mut Room) -> bool {
        let text = line(&cells);
        let fits = room.take(text.len() + along);
        if fits {
            self.text.push_str(&text);
            match &mut self.rows {
                Some(rows) if rows.len() < ALIGNED_ROWS_MAX => rows.push(cells),
                rows => *rows = None,
            }
        }
        fits
    }

    /// Returns the table, aligned where that is cheap and there is room.
    pub(super) fn text(self, room: &mut Room) -> String {
        let Some(rows) = &self.rows else {
            return self.text;
        };
        let aligned = aligned(&self.columns, rows);
        if room.take(aligned.len().saturating_sub(self.text.len())) {
            return aligned;
        }
        self.text
    }
}

fn rule(align: Align) -> &'static str {
    match align {
        Align::Left => "---",
        Align::Right => "---:",
    }
}

fn line(cells: &[impl AsRef<str>]) -> String {
    let bytes: usize = cells
        .iter()
        .map(|cell| " ".len() + cell.as_ref().len() + " |".len())
        .sum();
    let mut text = String::with_capacity("|".len() + bytes + "\n".len());
    text.push('|');
    for cell in cells {
        text.extend([" ", cell.as_ref(), " |"]);
    }
    text.push('\n');
    text
}

fn aligned(columns: &[Column], rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(index, (head, align))| {
            let cells = rows.iter().filter_map(|row| row.get(index));
            let widths = cells.map(|cell| cell.width()).filter(|w| *w <= FILLED_MAX);
            let least = head.width().max(rule(*align).len());
            widths.max().unwrap_or(0).max(least)
        })
        .collect();
    let filled = |cells: Vec<&str>| {
        let cells = cells.iter().zip(columns).zip(&widths);
        let cells = cells.map(|((cell, (_, align)), width)| filled(cell, *align, *width));
        line(&cells.collect::<Vec<String>>())
    };
    let rules = columns.iter().zip(&widths).map(|((_, align), width)| {
        let dashes = "-".repeat(width - usize::from(*align == Align::Right));
        [&dashes, rule(*align).trim_start_matches('-')].concat()
    });
    let heads = filled(columns.iter().map(|(head, _)| head.as_str()).collect());
    let mut text = [heads, line(&rules.collect::<Vec<String>>())].concat();
    for row in rows {
        text.push_str(&filled(row.iter().map(String::as_str).collect()));
    }
    text
}

fn filled(cell: &str, align: Align, width: usize) -> String {
    let blanks = " ".repeat(width.saturating_sub(cell.width()));
    match align {
        Align::Left => [cell, &blanks].concat(),
        Align::Right => [&blanks, cell].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(room: usize) -> (String, usize) {
        let columns = vec![
            ("name".to_owned(), Align::Left),
            ("value".to_owned(), Align::Right),
        ];
        let mut room = Room::new(room);
        let mut table = Table::begin(columns, &mut room).unwrap();
        let rows = [["`a`", "1"], ["`größe`", "1,234,567"]];
        let added = rows.map(|row| table.add(row.map(str::to_owned).into(), 0, &mut room));
        let text = table.text(&mut room);
        (text, added.iter().filter(|added| **added).count())
    }

    #[test]
    fn a_small_table_is_aligned_in_its_source() {
        let expected = [
            "| name    |     value |\n",
            "| ------- | --------: |\n",
            "| `a`     |         1 |\n",
            "| `größe` | 1,234,567 |\n",
        ];
        assert_eq!(written(1_000), (expected.concat(), 2));
    }

    #[test]
    fn without_room_for_blanks_it_is_not_and_without_room_for_rows_it_ends() {
        let narrow = "| name | value |\n| --- | ---: |\n| `a` | 1 |\n";
        let whole = [narrow, "| `größe` | 1,234,567 |\n"].concat();
        assert_eq!(written(whole.len()), (whole, 2));
        assert_eq!(written(narrow.len()), (narrow.to_owned(), 1));
    }
}
