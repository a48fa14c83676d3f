//! How the files of a run are called, and which of them tell the same: by default a CSV and a Markdown lie side by side, perhaps beside JSON, which
//! says more. Tested below and by `fixtures/benchmarkdotnet`.

use std::path::Path;

use crate::input::Input;

/// What stands behind the name of a report, the form that says most first. JSON has all values; of the tables, the CSV has
/// all columns.
const FORMS: &[&str] = &[
    "-full.json",
    "-full-compressed.json",
    "-brief.json",
    "-brief-compressed.json",
    ".csv",
    "-github.md",
    "-console.md",
    "-default.md",
    "-stackoverflow.md",
];

/// What stands before it.
const REPORT: &str = "-report";

/// Returns whether a file of tables, named without its extension, lies beside one that says the same and more.
pub(super) fn is_told_elsewhere(stem: &str, input: &Input) -> bool {
    let Some((report, form)) = stem.rsplit_once(REPORT) else {
        return false;
    };
    let is_own = |of: &&&str| {
        let ending = of.rsplit_once('.').map(|(form, _)| form);
        ending == Some(form)
    };
    let own = FORMS.iter().take_while(|of| !is_own(of)).count();
    let mut better = FORMS[..own].iter();
    own < FORMS.len() && better.any(|form| input.has(Path::new(&format!("{report}{REPORT}{form}"))))
}

/// Returns whether a file is called as a report is.
pub(super) fn is_report(file: &str) -> bool {
    let report = file.rsplit_once(REPORT);
    report.is_some_and(|(_, form)| FORMS.contains(&form))
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
                    content: Content::OnDisk,
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
        for (files, stem, expected) in [
            (tables, "a/Kv-report", false),
            (tables, "a/Kv-report-github", true),
            (tables, "a/Kv-report-default", true),
            (with_json, "a/Kv-report", true),
            (with_json, "b/Kv-report", false),
            (tables, "a/Kv-report-mine", false),
            (tables, "b/Kv-report-github", false),
            (tables, "Kv", false),
        ] {
            assert_eq!(is_told_elsewhere(stem, &tree(files)), expected, "{stem}");
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
