//! The table of a benchmark with params: a row for each combination of the first of them, and a column for each of the
//! others, if they fit into the terminal. Tested below.

use std::ops::Range;

/// The most columns of a table. Each value is read with what stands in the others of its row.
const COLUMNS_MAX: usize = 1000;

const DAMAGED: &str = "a damaged row of its table";

/// Key and value of each param, and the benchmark's value.
pub(super) type Row<'t> = Result<(Vec<(&'t str, &'t str)>, &'t str), String>;

/// A table that is being read.
#[derive(Debug)]
pub(super) struct Table<'t> {
    /// How many characters stand before each line.
    indent: usize,
    border: &'t str,
    lines: Vec<&'t str>,
    /// How many borders are to come: two where values of params stand above the columns.
    borders: usize,
}

impl<'t> Table<'t> {
    /// Begins a table below its upper border.
    pub(super) fn new(border: &'t str, indent: usize) -> Self {
        Self {
            indent,
            border,
            lines: Vec::new(),
            borders: 1,
        }
    }

    /// Adds a line, and returns whether the table ends with it.
    pub(super) fn add(&mut self, text: &'t str) -> bool {
        let (before, line) = split_at(text, self.indent);
        let line = if before.trim().is_empty() { line } else { text };
        if self.lines.is_empty() && line.starts_with("-- ") {
            self.borders = 2;
        }
        self.lines.push(line);
        if line.trim_end() == self.border {
            self.borders -= 1;
        }
        self.borders == 0
    }

    /// Returns the rows, one for each value, or why there are none. They are made as they are asked for, because together
    /// they are many times as long as the table.
    pub(super) fn rows(&self) -> Result<impl Iterator<Item = Row<'t>>, &'static str> {
        let columns = columns(self.border);
        if columns.len() > COLUMNS_MAX {
            return Err("its table has more columns than can be read");
        }
        let header = match self.lines.first() {
            Some(first) if first.starts_with("-- ") => self.across(first, &columns),
            _ => self.downwards(&columns),
        };
        let (header, lines) = header.ok_or("its table has no header")?;
        if lines.is_empty() || header.above.is_empty() {
            return Err("its table has no values");
        }
        let rows = lines.iter().flat_map(move |line| {
            let row = header.row(line, &columns);
            row.unwrap_or_else(|| vec![Err(DAMAGED.to_owned())])
        });
        Ok(rows)
    }

    /// Reads a header below which every param has a column.
    fn downwards(&self, columns: &[Range<usize>]) -> Option<(Header<'t>, &[&'t str])> {
        let [names, rule, rows @ .., _border] = &self.lines[..] else {
            return None;
        };
        // A rule that goes on is one whose end is gone, with a row behind it.
        if rule.trim_end() != self.border.replace('=', "-") {
            return None;
        }
        let mut names = cells(names, columns)?;
        names.pop().filter(|last| last.is_empty())?;
        let header = Header {
            names,
            above: vec![Vec::new()],
        };
        Some((header, rows))
    }

    /// Reads a header in which the last params stand above the columns.
    fn across(&self, top: &'t str, columns: &[Range<usize>]) -> Option<(Header<'t>, &[&'t str])> {
        let [_top, rule, names, border, rows @ .., _last] = &self.lines[..] else {
            return None;
        };
        if border.trim_end() != self.border {
            return None;
        }
        let left = rule.split(' ').next()?.len();
        let last = columns.iter().position(|column| column.end == left)?;
        let keys: Vec<&str> = top.strip_prefix("--")?.trim().split(" / ").collect();
        let mut names = cells(names, columns)?;
        let above = names.split_off(last + 1);
        let pairs = above.into_iter().map(|values| {
            let values: Vec<&str> = values.split(" / ").collect();
            let is_whole = values.len() == keys.len();
            is_whole.then(|| keys.iter().copied().zip(values).collect())
        });
        let above = pairs.collect::<Option<_>>()?;
        Some((Header { names, above }, rows))
    }
}

/// The names of the params before the values, and above each value the params with theirs.
struct Header<'t> {
    names: Vec<&'t str>,
    above: Vec<Vec<(&'t str, &'t str)>>,
}

impl<'t> Header<'t> {
    /// Returns a row for each value of a line, unless the line is damaged or ends before its last value.
    fn row(&self, line: &'t str, columns: &[Range<usize>]) -> Option<Vec<Row<'t>>> {
        line.trim_end().chars().nth(columns.last()?.start)?;
        let cells = cells(line, columns)?;
        let (params, values) = cells.split_at_checked(self.names.len())?;
        let params = self.names.iter().copied().zip(params.iter().copied());
        let rows = values.iter().zip(&self.above).map(|(value, above)| {
            let pairs = params.clone().chain(above.iter().copied());
            Ok((pairs.collect(), *value))
        });
        Some(rows.collect())
    }
}

/// Returns the characters that each column takes.
fn columns(border: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let ranges = border.split(' ').map(|column| {
        let range = at..at + column.len();
        at = range.end + 1;
        range
    });
    ranges.collect()
}

/// Returns what stands in each column, if nothing stands between or behind them.
fn cells<'t>(line: &'t str, columns: &[Range<usize>]) -> Option<Vec<&'t str>> {
    let mut cells = Vec::with_capacity(columns.len());
    let mut rest = line;
    for (index, column) in columns.iter().enumerate() {
        let (cell, after) = split_at(rest, column.len());
        let (gap, after) = split_at(after, usize::from(index + 1 < columns.len()));
        if !gap.trim().is_empty() {
            return None;
        }
        cells.push(cell.trim());
        rest = after;
    }
    rest.trim().is_empty().then_some(cells)
}

/// Splits a text behind so many characters.
fn split_at(text: &str, chars: usize) -> (&str, &str) {
    let at = text.char_indices().nth(chars);
    text.split_at(at.map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        let mut lines = text.lines();
        let mut table = Table::new(lines.next().unwrap(), 2);
        let ends: Vec<bool> = lines.map(|line| table.add(line)).collect();
        assert_eq!(ends.iter().position(|ends| *ends), Some(ends.len() - 1));
        let rows = match table.rows() {
            Ok(rows) => rows,
            Err(text) => return vec![text.to_owned()],
        };
        let shown = rows.map(|row| match row {
            Ok((pairs, value)) => {
                let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}={v}")).collect();
                format!("{} {value}", pairs.join(","))
            }
            Err(text) => text,
        });
        shown.collect()
    }

    /// Returns a table with so many columns of values, and these rows.
    fn across(columns: usize, rows: &str) -> String {
        let border = "===".to_owned() + &" ===".repeat(columns);
        let above = "  x ".repeat(columns + 1);
        let table = format!("{border}\n-- b\n--- -\n{above}\n{border}\n{rows}{border}");
        table.replace('\n', "\n  ")
    }

    #[test]
    fn a_row_that_ends_early_is_damaged_as_a_whole() {
        let whole = " 1   2   3\n";
        assert_eq!(rows(&across(2, whole)).len(), 2);
        for damaged in [" 1   2\n", "\n", " 1   2    \n"] {
            assert_eq!(rows(&across(2, damaged)), [DAMAGED], "{damaged:?}");
        }
    }

    #[test]
    fn a_table_with_too_many_columns_is_refused() {
        let row = " 1 ".to_owned() + &"  2 ".repeat(COLUMNS_MAX - 1) + "\n";
        assert_eq!(rows(&across(COLUMNS_MAX - 1, &row)).len(), COLUMNS_MAX - 1);
        assert_eq!(
            rows(&across(COLUMNS_MAX, &row)),
            ["its table has more columns than can be read"]
        );
    }

    #[test]
    fn params_stand_in_columns_or_above_them() {
        let downwards = "======== ============
                n
             -------- ------------
                10      614±20ns
               1000      failed
             ======== ============";
        assert_eq!(
            rows(&downwards.replace("\n             ", "\n  ")),
            ["n=10 614±20ns", "n=1000 failed"]
        );
        let across = "======== ========== ==========
             --          b / c
             -------- ---------------------
                a      x / 0.5    y / 0.5
             ======== ========== ==========
                1      143±5ns    165±10ns
                2      143±10ns x 136±7ns
             ======== ========== ==========";
        assert_eq!(
            rows(&across.replace("\n             ", "\n  ")),
            [
                "a=1,b=x,c=0.5 143±5ns",
                "a=1,b=y,c=0.5 165±10ns",
                "a damaged row of its table"
            ]
        );
    }
}
