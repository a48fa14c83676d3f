//! The CSV of all that was measured, value by value: `*-measurements.csv`. It is not read, and that is said: JSON holds the
//! same values, and which of them BenchmarkDotNet itself takes.
//!
//! Tested below and by `refusals/fixtures/benchmarkdotnet.txt`.

use std::path::Path;

use crate::document::Document;
use crate::gathered::Gathered;
use crate::input::Input;

/// Columns of its header; what else is in it differs by version and by what was diagnosed.
const COLUMNS: [&str; 2] = ["Measurement_IterationMode", "Measurement_Nanoseconds"];

/// What stands behind the name of the run.
const MEASUREMENTS: &str = "-measurements";

/// What JSON with all values has there.
const FULL: [&str; 2] = ["-report-full.json", "-report-full-compressed.json"];

/// Returns whether a line is the header, even where one of its words is damaged.
pub(super) fn is_mark(line: &str) -> bool {
    COLUMNS.iter().any(|column| line.contains(column))
}

/// Says of a document that holds such a table that it is not read, unless JSON beside it says the same.
pub(super) fn refuse(document: &Document<'_>, input: &Input, gathered: &mut Gathered) {
    let header = document.lines().find(|block| is_mark(block.text));
    if let Some(header) = header.filter(|_| !is_in_json(&document.stem(), input)) {
        gathered.problem(
            document.place(header.line, 1),
            "a CSV of single measurements is not read: run the benchmarks with `--exporters fulljson` and give the file `*-report-full.json`, which has the same values",
        );
    }
}

fn is_in_json(stem: &str, input: &Input) -> bool {
    let is_there = |run: &str| {
        FULL.iter()
            .any(|form| input.has(Path::new(&format!("{run}{form}"))))
    };
    stem.strip_suffix(MEASUREMENTS).is_some_and(is_there)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Content, TreeFile};

    #[test]
    fn json_with_all_values_says_the_same() {
        let input = Input::Tree {
            root: "results".into(),
            files: ["a/Kv-report-full.json", "a/Net-report.csv"]
                .map(|path| TreeFile {
                    path: path.into(),
                    content: Content::OnDisk,
                })
                .into(),
        };
        for (stem, expected) in [
            ("a/Kv-measurements", true),
            ("a/Net-measurements", false),
            ("b/Kv-measurements", false),
            ("a/Kv", false),
        ] {
            assert_eq!(is_in_json(stem, &input), expected, "{stem}");
        }
    }
}
