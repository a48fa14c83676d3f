//! What needs attention stands on a line of a file, where somebody knows which.

use serde_json::Value;
use tripline_model::Report;
use tripline_render::{Color, Detail, Place, Places, Source, View, Written, annotations, renderer};

use crate::canonical;

const FILE: &str = "my project/bench/suite.toml";

/// Returns a canonical report, and a view that knows where its suite is written: all steps on line 7, and no other suite.
fn known(case: &str) -> (Vec<Report>, View) {
    let (_, reports) = canonical::all()
        .into_iter()
        .find(|(name, _)| *name == case)
        .unwrap();
    let suites = reports.iter().map(|report| {
        let failures = report.failures.iter();
        let steps = failures.map(|failure| Written {
            step: failure.step.to_string(),
            benchmark: None,
            line: 7,
        });
        let source = Source {
            path: FILE.to_owned(),
            steps: steps.collect(),
        };
        (report.suite.clone(), source)
    });
    let places: Places = suites.collect();
    let view = View {
        places,
        ..View::new(80, Color::Plain, Detail::Brief)
    };
    (reports, view)
}

#[test]
fn every_note_has_a_place() {
    for (case, line) in [("mixed", 1), ("broken_head", 7)] {
        let (reports, view) = known(case);
        let notes = annotations(&reports, &view);
        assert!(!notes.is_empty());
        for note in notes {
            let place = Place {
                path: FILE.to_owned(),
                line,
            };
            assert_eq!(note.place, Some(place), "{case}: {}", note.title);
        }
    }
}

#[test]
fn every_result_has_a_location() {
    for (case, line) in [("mixed", 1), ("broken_head", 7)] {
        let (reports, view) = known(case);
        let text = (renderer("sarif").unwrap().render)(&reports, &view);
        let log: Value = serde_json::from_str(&text).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert!(!results.is_empty());
        for result in results {
            let location = &result["locations"][0];
            let file = &location["physicalLocation"]["artifactLocation"]["uri"];
            assert_eq!(file, "my%20project/bench/suite.toml", "{case}");
            let region = &location["physicalLocation"]["region"];
            assert_eq!(region["startLine"], line, "{case}");
            assert!(location["logicalLocations"].is_array(), "{case}");
        }
        assert!(crate::sarif::is_valid(&log), "{case}");
    }
}
