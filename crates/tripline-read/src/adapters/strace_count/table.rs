//! The columns of the table, in whatever order `-U` asked for.
//!
//! The dashes below the header show where each column is. A cell may be empty; what is in one stands within its column or
//! grows out of it to one side. Tested below.

use crate::quantity;

/// The names of the columns, with those that have a blank in them.
const NAMES: [&str; 8] = [
    "% time",
    "seconds",
    "shortest",
    "longest",
    "usecs/call",
    "calls",
    "errors",
    "syscall",
];

/// The columns of a table.
#[derive(Debug)]
pub(super) struct Columns {
    /// The name of each, and the bytes it takes.
    columns: Vec<(&'static str, std::ops::Range<usize>)>,
    rule: String,
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row<'t> {
    pub(super) call: &'t str,
    /// How many there were and how many of them failed, where the table says it.
    pub(super) calls: Option<u64>,
    pub(super) errors: Option<u64>,
    /// Times in nanoseconds, where the table says them: of all calls together, of the shortest, of the longest, and of one
    /// on average.
    pub(super) times: [Option<f64>; TIMES.len()],
}

/// The columns of times, each with its unit and with what stands behind the name of its metric.
pub(super) const TIMES: [(&str, &str, &str); 4] = [
    ("seconds", "s", ""),
    ("shortest", "s", "_min"),
    ("longest", "s", "_max"),
    ("usecs/call", "us", "_mean"),
];

/// Returns the names of the columns, if a line is a header that has the names of calls and any number of theirs.
pub(super) fn names(text: &str) -> Option<Vec<&'static str>> {
    let mut names = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let name = NAMES.iter().find(|name| {
            rest.strip_prefix(**name)
                .is_some_and(|after| after.is_empty() || after.starts_with(' '))
        })?;
        rest = rest[name.len()..].trim_start();
        names.push(*name);
    }
    let is_value = |name: &&str| !["% time", "syscall"].contains(name);
    (names.contains(&"syscall") && names.iter().any(is_value)).then_some(names)
}

impl Columns {
    /// Puts names and dashes together.
    pub(super) fn of(names: Vec<&'static str>, rule: &str) -> Option<Self> {
        let rule = rule.trim_end();
        let dashes = rule.trim_start_matches(' ');
        let mut ranges = Vec::new();
        // All of a table may be indented, where it stands in another text.
        let mut at = rule.len() - dashes.len();
        for dashes in dashes.split(' ') {
            if dashes.is_empty() || dashes.bytes().any(|byte| byte != b'-') {
                return None;
            }
            ranges.push(at..at + dashes.len());
            at += dashes.len() + 1;
        }
        (ranges.len() == names.len()).then(|| Self {
            columns: names.into_iter().zip(ranges).collect(),
            rule: rule.to_owned(),
        })
    }

    fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|(known, _)| *known == name)
    }

    /// Returns whether a line is the one of dashes.
    pub(super) fn is_rule(&self, text: &str) -> bool {
        text.trim_end() == self.rule
    }

    /// Reads a row, or says what is wrong with it.
    pub(super) fn row<'t>(&self, text: &'t str) -> Result<Row<'t>, String> {
        let cells = self.cells(text)?;
        let cell = |name: &str| {
            let column = self.columns.iter().position(|(known, _)| *known == name)?;
            Some(cells[column])
        };
        let count = |name: &str, cell: &str| -> Result<u64, String> {
            let is_digits = cell.bytes().all(|byte| byte.is_ascii_digit());
            let count = cell.parse().ok().filter(|_| is_digits);
            count.ok_or_else(|| format!("a damaged row: its {name} are no number"))
        };
        let calls = cell("calls").map(|calls| count("calls", calls));
        let errors = match cell("errors") {
            None => None,
            Some("") => Some(0),
            Some(errors) => Some(count("errors", errors)?),
        };
        let mut times = [None; TIMES.len()];
        for (time, (name, unit, _)) in times.iter_mut().zip(TIMES) {
            // Whole microseconds say less than the sum they are computed from, and some versions leave them out.
            let is_said =
                |cell: &&str| name != "usecs/call" || !cell.is_empty() && !self.has("seconds");
            let said = cell(name).filter(is_said);
            *time = said.map(|cell| time_of(name, unit, cell)).transpose()?;
        }
        let call = cell("syscall").unwrap_or_default();
        if call.is_empty() {
            return Err("a damaged row: the name of the call is missing".to_owned());
        }
        Ok(Row {
            call,
            calls: calls.transpose()?,
            errors,
            times,
        })
    }

    /// Finds the cell of each column.
    fn cells<'t>(&self, text: &'t str) -> Result<Vec<&'t str>, String> {
        // Where none is empty, the order says it, however far long numbers moved the others.
        let in_order: Vec<&str> = text.split_ascii_whitespace().collect();
        if in_order.len() == self.columns.len() {
            return Ok(in_order);
        }
        let mut cells = vec![""; self.columns.len()];
        for (start, word) in words(text) {
            let end = start + word.len();
            let overlaps = |range: &std::ops::Range<usize>| start < range.end && end > range.start;
            let mut columns = self.columns.iter().position(|(_, range)| overlaps(range));
            // A number that grew out of its column stands before its end; a cell that is taken makes the row damaged.
            if columns.is_some_and(|column| !cells[column].is_empty()) {
                columns = None;
            }
            let column = columns.ok_or("a damaged row: a cell stands outside of the columns")?;
            cells[column] = word;
        }
        Ok(cells)
    }
}

fn time_of(name: &str, unit: &str, cell: &str) -> Result<f64, String> {
    // In some languages the point is a comma; nothing stands between thousands.
    let number = cell.replacen(',', ".", 1);
    let time = quantity::nanoseconds(unit).and_then(|scale| scale.of_text(&number));
    time.ok_or_else(|| format!("a damaged row: its {name} are no number"))
}

/// Returns whether a line can only be the total of a table. Other programs print a total as well, of one number.
pub(super) fn is_total(text: &str) -> bool {
    let is_number = |word: &&str| {
        word.bytes()
            .all(|byte| byte.is_ascii_digit() || b".,".contains(&byte))
    };
    let (numbers, words): (Vec<&str>, Vec<&str>) =
        text.split_ascii_whitespace().partition(is_number);
    numbers.len() > 1 && words == ["total"]
}

/// Returns the words of a line, each with where it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_ascii_whitespace()
        .map(move |word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_below_their_names() {
        let columns = |header, rule| Columns::of(names(header).unwrap(), rule).unwrap();
        let usual = columns(
            "% time     seconds  usecs/call     calls    errors syscall",
            "------ ----------- ----------- --------- --------- ----------------",
        );
        let row = |call, calls, errors, time| {
            Ok(Row {
                call,
                calls: Some(calls),
                errors,
                times: [time, None, None, None],
            })
        };
        for (text, expected) in [
            (
                " 53.24    0.000222         222         1           execve",
                row("execve", 1, Some(0), Some(222_000.0)),
            ),
            (
                "  1.20    0.000005           5         1         1 access",
                row("access", 1, Some(1), Some(5000.0)),
            ),
            (
                "100.00    0.000417                  2035         2 total",
                row("total", 2035, Some(2), Some(417_000.0)),
            ),
            // The numbers of older versions move all that follows them.
            (
                " 99.99 123456.789012         617 12345678901         1 read",
                row("read", 12_345_678_901, Some(1), Some(123_456_789_012_000.0)),
            ),
            (
                " 33,78    0,000229          28         8           mmap",
                row("mmap", 8, Some(0), Some(229_000.0)),
            ),
            (
                " 33,78 1234,500000          28         8           mmap",
                row("mmap", 8, Some(0), Some(1_234_500_000_000.0)),
            ),
        ] {
            assert_eq!(usual.row(text), expected, "{text}");
        }
        for text in [
            " 53.24    0.000222         222         1",
            "",
            " 53.24    x         222         1           execve",
            " 53.24    0,0,222         222         1           execve",
        ] {
            assert!(usual.row(text).is_err(), "{text}");
        }
        let other = columns(
            "    calls syscall             errors",
            "--------- ---------------- ---------",
        );
        assert_eq!(
            other.row("        1 ioctl                    1"),
            row("ioctl", 1, Some(1), None)
        );
        assert_eq!(
            other.row("        2 close                     "),
            row("close", 2, Some(0), None)
        );
        assert_eq!(names("% time seconds"), None);
        assert_eq!(names("% time syscall"), None);
        assert_eq!(names("the calls of a syscall"), None);
    }

    #[test]
    fn a_total_has_more_than_one_number() {
        assert!(is_total(
            "100.00    0.000000           0        14           total"
        ));
        assert!(!is_total("total 24") && !is_total("in total 24 of 25"));
    }

    #[test]
    fn a_table_without_calls_has_what_it_has() {
        let times = Columns::of(
            names("syscall          usecs/call shortest").unwrap(),
            "---------------- ---------- --------",
        );
        let expected = Row {
            call: "read",
            calls: None,
            errors: None,
            times: [None, Some(4000.0), None, Some(5000.0)],
        };
        assert_eq!(
            times.unwrap().row("read                      5 0.000004"),
            Ok(expected)
        );
    }
}
