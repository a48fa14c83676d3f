//! Tables as plain text, for a terminal and for a log.
//!
//! Tests: columns stand under their heads.

use std::fmt::{self, Display, Formatter};

/// A table with a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it shows, with the number of draws.
    pub title: String,
    /// What each column holds; the first one names the rows.
    pub head: Vec<String>,
    /// The cells, a row at a time.
    pub rows: Vec<Vec<String>>,
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let cell = |line: &Vec<String>, column: usize| line.get(column).map_or(0, String::len);
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| lines().map(|line| cell(line, column)).max().unwrap_or(0))
            .collect();
        for line in lines() {
            for (column, (text, width)) in line.iter().zip(&widths).enumerate() {
                if column == 0 {
                    write!(f, "{text:width$}")?;
                } else {
                    write!(f, "  {text:>width$}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_their_heads() {
        let line = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let table = Table {
            title: "Shares".to_owned(),
            head: line(["rule", "0 %"]),
            rows: vec![line(["one", "12.5 (3)"]), line(["the other", "1"])],
        };
        let expected = "Shares\nrule            0 %\none        12.5 (3)\nthe other         1\n";
        assert_eq!(table.to_string(), expected);
    }
}
