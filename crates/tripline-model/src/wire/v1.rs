//! Version 1 of the stored formats: the run file, the report file, the file of acceptances, and the files of a history.
//! Frozen.
//!
//! A run file is JSON lines: the header, one line per benchmark, one per failure, and an end mark without which the
//! file is a cut one. A kept run is reviewed as a diff, so lines are sorted, whole numbers have no decimal point, and
//! what all benchmarks share stands in the header. A file of acceptances is built the same way, one line per benchmark
//! and metric. A report file is JSON lines too, one report each.
//!
//! Tested by `tests/wire`: what is written is read back, every file under `fixtures/` stays readable, the committed
//! schemas are these types', and bad input is an error. The limits are tested here.

use crate::names::is_harmless;

mod acceptance;
mod caveat;
mod origin;
mod part;
mod parts;
mod record;
mod report;
mod run;
mod segment;

pub use acceptance::{acceptances_schema, read_acceptances, write_acceptances};
pub use record::{
    history_schema, read_environment, read_record, read_segment, read_series, write_environment,
    write_record, write_segment, write_series,
};
pub use report::{read_report, report_schema, write_report};
pub use run::{read_run, run_schema, write_run};

/// The longest line of a run file that is read: one benchmark with some hundred thousand values.
pub const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The longest line of a report file that is read: a whole report, of some hundred thousand findings.
pub const REPORT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The most lines that are read.
pub const LINES_MAX: usize = 1_000_000;

/// The longest text an error quotes. What a hostile file calls its keys must not flood a terminal.
const PROBLEM_CHARS_MAX: usize = 1000;

/// Says where a file cannot be read, and why.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{problem} at line {line} column {column}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there: one line, safe to show.
    pub problem: String,
}

impl ReadError {
    fn at(line: usize, problem: impl ToString) -> Self {
        Self {
            line,
            column: 1,
            problem: shown(&problem.to_string()),
        }
    }

    /// Keeps the place a JSON error names, and takes it out of the text.
    fn json(line: usize, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let problem = text
            .rsplit_once(" at line ")
            .map_or(text.as_str(), |(problem, _)| problem);
        Self {
            line,
            column: error.column().max(1),
            problem: shown(problem),
        }
    }
}

/// Writes out the characters of a text that are not safe to show, and bounds it: errors quote keys and words of the
/// file, which no name has been made of yet.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(PROBLEM_CHARS_MAX));
    for (index, c) in text.chars().enumerate() {
        if index == PROBLEM_CHARS_MAX {
            shown.push('…');
            break;
        }
        if is_harmless(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_unicode());
        }
    }
    shown
}

/// Splits a file into its numbered lines, none longer than `bytes_max`, and no more of them than the limit.
fn lines(
    bytes: &[u8],
    bytes_max: usize,
) -> impl Iterator<Item = Result<(usize, &[u8]), ReadError>> {
    let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    whole
        .split(|byte| *byte == b'\n')
        .enumerate()
        .map(move |(index, line)| {
            let number = index + 1;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.len() > bytes_max {
                let problem = format!(
                    "a line of {} bytes, more than the {bytes_max} allowed",
                    line.len()
                );
                return Err(ReadError::at(number, problem));
            }
            if number > LINES_MAX {
                return Err(ReadError::at(
                    number,
                    format!("more than the {LINES_MAX} lines allowed"),
                ));
            }
            Ok((number, line))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_in_length() {
        let error = |bytes: &[u8]| lines(bytes, 4).find_map(Result::err);
        assert_eq!(error(b"1234\n1234\r\n"), None);
        let error = error(b"1234\n12345").expect("five bytes are more than four");
        assert_eq!(
            error.to_string(),
            "a line of 5 bytes, more than the 4 allowed at line 2 column 1"
        );
    }

    #[test]
    fn lines_are_bounded_in_number() {
        let mut bytes = vec![b'\n'; LINES_MAX];
        assert_eq!(lines(&bytes, 1).filter(Result::is_ok).count(), LINES_MAX);
        bytes.push(b'\n');
        let error = lines(&bytes, 1).find_map(Result::err);
        assert_eq!(
            error.expect("one line is too many").to_string(),
            "more than the 1000000 lines allowed at line 1000001 column 1"
        );
    }

    #[test]
    fn what_an_error_quotes_is_harmless_and_short() {
        assert_eq!(
            shown("a\u{1b}[31m\n\u{202E}ä"),
            "a\\u{1b}[31m\\u{a}\\u{202e}ä"
        );
        let long = "ä".repeat(2 * PROBLEM_CHARS_MAX);
        assert_eq!(shown(&long).chars().count(), PROBLEM_CHARS_MAX + 1);
    }
}
