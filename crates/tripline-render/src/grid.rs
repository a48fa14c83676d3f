//! Tables in columns for a terminal: the first column gives way where there is no room.
//!
//! Widths are those of the terminal's cells, not of bytes or characters. Tested below.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::Color;
use crate::paint::{Tone, paint};

/// The least width of the first column: a name cut shorter than this names nothing.
const FIRST_WIDTH_MIN: usize = 16;

/// What stands left of a row, and between its columns.
const INDENT: &str = "  ";
const GAP: &str = "  ";

/// One column.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// What stands above it.
    pub(crate) head: String,
    /// To which side its cells are moved.
    pub(crate) align: Align,
}

/// To which side cells are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// One cell. Its text is already harmless.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

impl Cell {
    /// Returns a cell without a tone.
    pub(crate) fn plain(text: String) -> Self {
        let tone = Tone::Plain;
        Self { text, tone }
    }
}

/// Lays out a table, each row ending with a line break, in at most `width` columns if the first one can give way.
pub(crate) fn grid(columns: &[Column], rows: &[Vec<Cell>], width: usize, color: Color) -> String {
    let heads: Vec<Cell> = columns
        .iter()
        .map(|column| Cell {
            text: column.head.clone(),
            tone: Tone::Faint,
        })
        .collect();
    let widths = widths(columns, rows, width);
    let mut out = String::new();
    for row in std::iter::once(&heads).chain(rows) {
        let mut line = INDENT.to_owned();
        let last = row.len().saturating_sub(1);
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let text = cut(&cell.text, *width);
            let blanks = " ".repeat(width.saturating_sub(text.width()));
            let align = columns
                .get(index)
                .map_or(Align::Left, |column| column.align);
            let painted = paint(&text, cell.tone, color);
            match align {
                Align::Left if index == last => line.push_str(&painted),
                Align::Left => line.extend([&painted, &blanks].map(String::as_str)),
                Align::Right => line.extend([&blanks, &painted].map(String::as_str)),
            }
            if index != last {
                line.push_str(GAP);
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Returns how wide each column is: as wide as its widest cell, and the first as wide as there is room.
fn widths(columns: &[Column], rows: &[Vec<Cell>], width: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.head.width()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.text.width());
        }
    }
    if let Some((first, others)) = widths.split_first_mut() {
        let taken: usize = others.iter().map(|other| other + GAP.len()).sum();
        let room = width.saturating_sub(INDENT.len() + taken);
        *first = (*first).min(room.max(FIRST_WIDTH_MIN));
    }
    widths
}

/// Cuts a text in the middle, where names of one family are alike: they differ at the ends.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let end = ends_within(text.chars(), room / 2 + room % 2);
    let tail: String = ends_within(text.chars().rev(), room / 2)
        .chars()
        .rev()
        .collect();
    [&end, "…", &tail].concat()
}

/// Takes characters as long as there is room.
fn ends_within(chars: impl Iterator<Item = char>, mut room: usize) -> String {
    let mut taken = String::new();
    for c in chars {
        let width = c.width().unwrap_or(0);
        if width > room {
            break;
        }
        room -= width;
        taken.push(c);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_in_the_middle() {
        assert_eq!(cut("get{bytes=64}", 13), "get{bytes=64}");
        assert_eq!(cut("get{bytes=64}", 8), "get{…64}");
        assert_eq!(cut("名前名前名前", 8), "名前…前");
        assert_eq!(cut("abc", 0), "…");
    }

    #[test]
    fn the_first_column_gives_way_and_numbers_stand_right() {
        let column = |head: &str, align| Column {
            head: head.to_owned(),
            align,
        };
        let columns = [column("name", Align::Left), column("value", Align::Right)];
        let row = |name: &str, value: &str| {
            vec![Cell::plain(name.to_owned()), Cell::plain(value.to_owned())]
        };
        let rows = [
            row("a", "1"),
            row("an_extremely_long_name_of_a_benchmark", "1,234,567"),
        ];
        let text = grid(&columns, &rows, 32, Color::Plain);
        let expected = [
            "  name                     value\n",
            "  a                            1\n",
            "  an_extrem…benchmark  1,234,567\n",
        ];
        assert_eq!(text, expected.concat());
        assert!(text.lines().all(|line| line.width() <= 32));
    }
}
