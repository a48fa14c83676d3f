//! The output for programs is the stored format, and nothing else.

use tripline_model::wire::{read_report, report_schema};
use tripline_render::{Color, Detail, View, renderer};

use crate::canonical;

const VIEW: View = View::new(80, Color::Ansi, Detail::Brief);

#[test]
fn every_canonical_report_is_valid_and_reads_back_equal() {
    let schema = serde_json::from_str(&report_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (case, reports) in canonical::all() {
        let text = (renderer("json").unwrap().render)(&reports, &VIEW);
        assert_eq!(text.lines().count(), reports.len(), "{case}");
        for line in text.lines() {
            let value = serde_json::from_str(line).unwrap();
            let errors: Vec<String> = validator
                .iter_errors(&value)
                .map(|error| error.to_string())
                .collect();
            assert!(errors.is_empty(), "{case}: {errors:?}");
        }
        // What is hostile in a failure is made harmless when it is read, so that case differs there on purpose.
        if !reports.is_empty() && case != "hostile" {
            assert_eq!(read_report(text.as_bytes()).unwrap(), reports, "{case}");
        }
    }
}
