//! Whatever is wrong with a file, reading it is an error that names the place; it never panics, and a file that was cut
//! is never taken for a shorter one.
//!
//! Most cases are rows of `faults`; what no row can say is here: cuts, flipped bits, depth, length, and noise.

use proptest::prelude::*;
use tripline_model::wire::{ReadError, read_report, read_run, write_report, write_run};
use tripline_model::{Report, Run};

use crate::faults::{HEADERS, LINES, PARTS, REPORTS as REPORT_ROWS, Row, VALUES};
use crate::fixtures::{REPORTS, RUNS};
use crate::round_trip::config;
use crate::{fixture, generate};

/// Applies a row to a good file.
fn changed(good: &str, (from, to, _): Row) -> String {
    if from.is_empty() {
        return to.to_owned();
    }
    let changed = good.replacen(from, to, 1);
    assert_ne!(changed, good, "{from} is not in the file");
    changed
}

/// Compares the errors of all rows at once, so that a changed wording shows everywhere it is used.
pub(crate) fn assert_rows<'a>(
    good: &str,
    rows: impl Iterator<Item = &'a Row>,
    read: fn(&[u8]) -> Result<(), ReadError>,
) {
    let mut wrong = String::new();
    for row in rows {
        let (from, to, wanted) = row;
        let came = match read(changed(good, *row).as_bytes()) {
            Ok(()) => "it was read".to_owned(),
            Err(error) => error.to_string(),
        };
        if came != *wanted {
            let lines = [from, " became ", to, "\n  wanted: ", wanted, "\n  came:   "];
            wrong.extend(lines);
            wrong.push_str(&came);
            wrong.push('\n');
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_fault_of_a_run_is_named_with_its_place() {
    let rows = HEADERS.iter().chain(LINES).chain(VALUES);
    let read = |bytes: &[u8]| read_run(bytes).map(drop);
    assert_rows(&fixture("run-small.jsonl"), rows, read);
}

#[test]
fn every_fault_of_a_part_is_named_with_its_place() {
    let good = fixture("run-small.jsonl");
    for (part, wanted) in PARTS {
        let member = format!("\"suite\":\"kv\",\"part\":{part}");
        let text = good.replacen("\"suite\":\"kv\"", &member, 1);
        let error = read_run(text.as_bytes()).expect_err(part);
        assert_eq!(error.to_string(), *wanted, "{part}");
    }
}

#[test]
fn every_fault_of_a_report_is_named_with_its_place() {
    let read = |bytes: &[u8]| read_report(bytes).map(drop);
    assert_rows(&fixture("report-small.jsonl"), REPORT_ROWS.iter(), read);
}

#[test]
fn a_tail_has_a_limit() {
    let good = fixture("run-small.jsonl");
    let read = |tail: &str| read_run(good.replacen("thread panicked", tail, 1).as_bytes());
    assert!(read(&"x".repeat(4096)).is_ok());
    let error = read(&"x".repeat(4097)).expect_err("a byte too much");
    assert_eq!(
        error.to_string(),
        "a tail of 4097 bytes, more than the 4096 allowed at line 4 column 1"
    );
}

#[test]
fn carriage_returns_are_line_ends_too() {
    for name in RUNS {
        let text = fixture(name);
        let run = read_run(text.replace('\n', "\r\n").as_bytes());
        assert_eq!(run, read_run(text.as_bytes()), "{name}");
    }
    let text = fixture("reports-two.jsonl");
    let reports = read_report(text.replace('\n', "\r\n").as_bytes());
    assert_eq!(reports, read_report(text.as_bytes()));
}

#[test]
fn a_file_holds_many_reports_and_no_blank_line() {
    let text = fixture("reports-two.jsonl");
    assert_eq!(
        read_report(text.as_bytes()).map(|reports| reports.len()),
        Ok(2)
    );
    let error = read_report(text.replace('\n', "\n\n").as_bytes());
    assert_eq!(
        error.expect_err("a blank line is no report").to_string(),
        "EOF while parsing a value at line 2 column 1"
    );
}

#[test]
fn a_cut_file_is_never_a_shorter_one() {
    for name in RUNS {
        assert_cuts_are_errors(fixture(name).as_bytes(), |bytes| read_run(bytes).map(drop));
    }
    // A report file has no end mark: a file of two reports that is cut between them is a file of one.
    for name in REPORTS.iter().filter(|name| **name != "reports-two.jsonl") {
        assert_cuts_are_errors(fixture(name).as_bytes(), |bytes| {
            read_report(bytes).map(drop)
        });
    }
}

pub(crate) fn assert_cuts_are_errors(whole: &[u8], read: fn(&[u8]) -> Result<(), ReadError>) {
    for length in 0..whole.len() - 1 {
        let error = read(&whole[..length]).expect_err("a cut file is an error");
        // Where only whole lines are left, the place is that of the line that is missing.
        let lines = whole[..length].split(|byte| *byte == b'\n').count() + 1;
        assert!(
            (1..=lines).contains(&error.line),
            "{error} in {lines} lines"
        );
        assert!(error.column >= 1, "{error}");
        assert!(!error.problem.is_empty());
    }
    assert_eq!(
        read(&whole[..whole.len() - 1]),
        Ok(()),
        "only the last line feed is missing"
    );
}

#[test]
fn a_flipped_bit_is_an_error_or_another_good_file() {
    for name in RUNS {
        // All bits of the small file, one bit of each byte of the others.
        let bits = if *name == "run-small.jsonl" { 8 } else { 1 };
        for flipped in flips(fixture(name).as_bytes(), bits) {
            if let Ok(run) = read_run(&flipped) {
                assert_eq!(again(&run).as_ref(), Ok(&run));
            }
        }
    }
    for name in REPORTS {
        for flipped in flips(fixture(name).as_bytes(), 1) {
            if let Ok(reports) = read_report(&flipped) {
                assert_eq!(reports_again(&reports).as_ref(), Ok(&reports));
            }
        }
    }
}

fn again(run: &Run) -> Result<Run, ReadError> {
    read_run(write_run(run).as_bytes())
}

fn reports_again(reports: &[Report]) -> Result<Vec<Report>, ReadError> {
    read_report(
        reports
            .iter()
            .map(write_report)
            .collect::<String>()
            .as_bytes(),
    )
}

/// Returns the bytes with one bit flipped, for some bits of each byte: another one from byte to byte.
pub(crate) fn flips(bytes: &[u8], bits: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len()).flat_map(move |at| {
        (0..bits).map(move |bit| {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << ((at + bit) % 8);
            flipped
        })
    })
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let deep = "[".repeat(100_000);
    let objects = "{\"a\":".repeat(100_000);
    let good = fixture("run-small.jsonl");
    let report = fixture("report-small.jsonl");
    for nested in [&deep, &objects] {
        assert!(read_run(nested.as_bytes()).is_err());
        assert!(read_report(nested.as_bytes()).is_err());
        for from in [
            "{\"bytes\":\"64\"}",
            "[1234]",
            "{\"code\":\"single-sample\"}",
            "{\"end\":{}}",
            "\"kv\"",
        ] {
            let error = read_run(good.replacen(from, nested, 1).as_bytes());
            assert!(error.is_err(), "nesting in place of {from}");
        }
        for from in ["{\"version\":1}", "{\"code\":\"single-sample\"}", "\"kv\""] {
            let error = read_report(report.replacen(from, nested, 1).as_bytes());
            assert!(error.is_err(), "nesting in place of {from}");
        }
    }
}

#[test]
fn a_line_of_a_hundred_megabytes_is_refused_unread() {
    let good = fixture("run-small.jsonl");
    let mut bytes = good.replacen("{\"end\":{}}\n", "", 1).into_bytes();
    let start = bytes.len();
    bytes.resize(start + 100_000_000, b'[');
    let error = read_run(&bytes).expect_err("the line is too long");
    assert_eq!(
        error.to_string(),
        "a line of 100000000 bytes, more than the 8388608 allowed at line 5 column 1"
    );
    let error = read_report(&bytes[start..]).expect_err("the line is too long");
    assert_eq!(
        error.to_string(),
        "a line of 100000000 bytes, more than the 67108864 allowed at line 1 column 1"
    );
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read_run(&bytes).is_err());
        prop_assert!(read_report(&bytes).is_err());
    }

    #[test]
    fn any_lines_after_a_header_are_no_panic(run in generate::run(), lines in "[{}\\[\\],:\"a-z0-9.e\\n-]{0,60}") {
        let header = write_run(&run).lines().next().unwrap().to_owned();
        let _ = read_run(format!("{header}\n{lines}\n").as_bytes());
    }
}
