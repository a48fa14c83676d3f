//! How the files of a run are called, and which of them tell the same: by default a CSV and a Markdown lie side by side,
//! perhaps beside JSON or a CSV of single measurements, which say more. Tested below and by `fixtures/benchmarkdotnet`.

use std::path::Path;

use crate::input::Input;

/// What stands behind the name of a run, the form that says most first. JSON has all values and what the author added, and
/// single measurements are all values; of the tables, the CSV has all columns.
const FORMS: &[&str] = &[
    "-report-full.json",
    "-report-full-compressed.json",
    MEASUREMENTS,
    "-report-brief.json",
    "-report-brief-compressed.json",
    "-report.csv",
    "-report-github.md",
    "-report-console.md",
    "-report-default.md",
    "-report-stackoverflow.md",
];

/// The one of these that says nothing of a benchmark that failed.
const MEASUREMENTS: &str = "-measurements.csv";

/// What stands before the form of a report.
const REPORT: &str = "-report";

/// What is read of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    All,
    /// Another file beside it says more, but not what failed.
    Failures,
    Nothing,
}

/// Returns what is read of a file, named without its extension, by what lies beside it.
pub(super) fn wanted(stem: &str, input: &Input) -> Wanted {
    let own = FORMS.iter().enumerate().find_map(|(index, form)| {
        let (form, _) = form.rsplit_once('.')?;
        Some((index, stem.strip_suffix(form)?))
    });
    let Some((index, run)) = own else {
        return Wanted::All;
    };
    let is_there = |form: &&&str| input.has(Path::new(&format!("{run}{form}")));
    let better: Vec<&str> = FORMS[..index].iter().filter(is_there).copied().collect();
    match better[..] {
        [] => Wanted::All,
        [MEASUREMENTS] => Wanted::Failures,
        _ => Wanted::Nothing,
    }
}

/// Returns whether a file is called as a report is.
pub(super) fn is_report(file: &str) -> bool {
    file.rfind(REPORT)
        .is_some_and(|at| FORMS.contains(&&file[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Content, TreeFile};

    #[test]
    fn what_says_more_is_read_in_place_of_what_says_less() {
        let tree = |paths: &[&str]| Input::Tree {
            root: "results".into(),
            files: paths
                .iter()
                .map(|path| TreeFile {
                    path: path.into(),
                    content: Content::OnDisk { bytes: None },
                })
                .collect(),
        };
        let tables = &[
            "a/Kv-report-default.md",
            "a/Kv-report-github.md",
            "a/Kv-report.csv",
        ];
        let with_json = &[
            "a/Kv-report-brief.json",
            "a/Kv-report.csv",
            "b/Kv-report.csv",
        ];
        let with_values = &[
            "a/Kv-measurements.csv",
            "a/Kv-report-brief.json",
            "a/Kv-report.csv",
        ];
        let with_all = &["a/Kv-measurements.csv", "a/Kv-report-full.json"];
        for (files, stem, expected) in [
            (&tables[..], "a/Kv-report", Wanted::All),
            (tables, "a/Kv-report-github", Wanted::Nothing),
            (tables, "a/Kv-report-default", Wanted::Nothing),
            (tables, "a/Kv-report-mine", Wanted::All),
            (tables, "b/Kv-report-github", Wanted::All),
            (tables, "Kv", Wanted::All),
            (with_json, "a/Kv-report", Wanted::Nothing),
            (with_json, "b/Kv-report", Wanted::All),
            (with_values, "a/Kv-measurements", Wanted::All),
            (with_values, "a/Kv-report-brief", Wanted::Failures),
            (with_values, "a/Kv-report", Wanted::Nothing),
            (&with_values[..1], "a/Kv-report", Wanted::Failures),
            (with_all, "a/Kv-measurements", Wanted::Nothing),
            (with_all, "a/Kv-report-full", Wanted::All),
        ] {
            assert_eq!(wanted(stem, &tree(files)), expected, "{stem}");
        }
    }

    #[test]
    fn a_report_is_known_by_its_name() {
        for (file, expected) in [
            ("results/Kv-report.csv", true),
            ("Kv-report-github.md", true),
            ("Kv-report-full.json", true),
            ("Kv-measurements.csv", false),
            ("README.md", false),
        ] {
            assert_eq!(is_report(file), expected, "{file}");
        }
    }
}
