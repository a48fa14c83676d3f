//! SARIF is what its published schema says, and says what was found.

use serde_json::Value;
use tripline_render::{Color, Detail, View, renderer};

use crate::canonical;

/// As the OASIS committee publishes it.
const SCHEMA: &str = include_str!("../../fixtures/sarif/sarif-schema-2.1.0.json");

fn sarif(case: &str) -> Value {
    let view = View::new(80, Color::Plain, Detail::Brief);
    let (_, reports) = canonical::all()
        .into_iter()
        .find(|(name, _)| *name == case)
        .unwrap();
    serde_json::from_str(&(renderer("sarif").unwrap().render)(&reports, &view)).unwrap()
}

fn validator() -> jsonschema::Validator {
    // It has a bracket too many where it speaks of languages, of which we write none.
    let schema = SCHEMA.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}?$");
    jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap()
}

pub(crate) fn is_valid(log: &Value) -> bool {
    validator().is_valid(log)
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().unwrap()
}

#[test]
fn every_canonical_report_is_valid_by_the_published_schema() {
    let validator = validator();
    for (case, reports) in canonical::all() {
        let log = sarif(case);
        let errors: Vec<String> = validator
            .iter_errors(&log)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{case}: {errors:?}");
        assert_eq!(log["runs"].as_array().unwrap().len(), reports.len());
    }
    // The schema is one that refuses something.
    let mut wrong = sarif("mixed");
    wrong["runs"][0]["results"][0]["level"] = "terrible".into();
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn each_result_is_of_a_rule_and_known_again() {
    for (case, _) in canonical::all() {
        let log = sarif(case);
        for run in log["runs"].as_array().unwrap() {
            let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
            let mut prints = Vec::new();
            for result in run["results"].as_array().unwrap() {
                let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
                assert_eq!(rules[index]["id"], result["ruleId"], "{case}");
                prints.push(
                    result["partialFingerprints"]["triplineFinding/v1"]
                        .as_str()
                        .unwrap()
                        .to_owned(),
                );
            }
            let all = prints.len();
            prints.sort();
            prints.dedup();
            assert_eq!(
                prints.len(),
                all,
                "{case}: two results have one fingerprint"
            );
        }
    }
}

#[test]
fn what_fails_is_an_error_and_what_was_accepted_is_suppressed() {
    let log = sarif("mixed");
    let levels: Vec<(&str, &str, bool)> = results(&log)
        .iter()
        .map(|result| {
            let word = |name: &str| result[name].as_str().unwrap();
            (
                word("ruleId"),
                word("level"),
                result["suppressions"].is_array(),
            )
        })
        .collect();
    assert_eq!(
        levels
            .iter()
            .filter(|(_, level, _)| *level == "error")
            .count(),
        1
    );
    assert!(
        levels.contains(&("regressed", "error", false)),
        "{levels:?}"
    );
    assert!(levels.contains(&("regressed", "note", true)), "{levels:?}");
    assert!(
        levels.contains(&("removed", "warning", false)),
        "{levels:?}"
    );
    let broken = sarif("broken_head");
    let rules: Vec<&Value> = results(&broken)
        .iter()
        .map(|result| &result["ruleId"])
        .collect();
    assert_eq!(rules[..2], ["step-failed", "broken"]);
}

#[test]
fn braces_are_no_placeholders_and_brackets_no_links() {
    let log = sarif("hostile");
    for result in results(&log) {
        let text = result["message"]["text"].as_str().unwrap();
        let single = text.replace("{{", "").replace("}}", "");
        assert!(!single.contains(['{', '}']), "{text}");
        let bare = text
            .replace("\\\\", "")
            .replace("\\[", "")
            .replace("\\]", "");
        assert!(!bare.contains(['[', ']', '\\']), "{text}");
    }
}
