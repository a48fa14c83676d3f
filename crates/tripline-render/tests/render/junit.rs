//! JUnit's XML counts what it holds, and a benchmark's fate is that of its gate.

use roxmltree::{Document, Node};
use tripline_model::{Gate, Report, Verdict};
use tripline_render::{Color, Detail, View, renderer};

use crate::canonical::{self, bench, finding, report};

fn junit(reports: &[Report]) -> String {
    let view = View::new(80, Color::Plain, Detail::Brief);
    (renderer("junit").unwrap().render)(reports, &view)
}

fn children<'a>(node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children()
        .filter(move |child| child.has_tag_name(name))
}

#[test]
fn suites_count_their_tests() {
    for (case, reports) in canonical::all() {
        let text = junit(&reports);
        let document = Document::parse(&text).unwrap();
        let suites: Vec<Node<'_, '_>> = children(document.root_element(), "testsuite").collect();
        assert_eq!(suites.len(), reports.len(), "{case}");
        for suite in suites {
            let cases: Vec<Node<'_, '_>> = children(suite, "testcase").collect();
            let is = |name: &'static str| {
                cases
                    .iter()
                    .filter(|case| children(**case, name).next().is_some())
                    .count()
            };
            for (attribute, count) in [
                ("tests", cases.len()),
                ("failures", is("failure")),
                ("errors", is("error")),
                ("skipped", is("skipped")),
            ] {
                assert_eq!(
                    suite.attribute(attribute),
                    Some(count.to_string().as_str()),
                    "{case} {attribute}"
                );
            }
        }
    }
}

#[test]
fn a_failed_gate_is_a_failure_and_nothing_measured_an_error() {
    for (answer, expected) in [
        ((Verdict::Regressed, Gate::Fail), Some("failure")),
        ((Verdict::Unchanged, Gate::Fail), Some("failure")),
        ((Verdict::Removed, Gate::Fail), Some("failure")),
        ((Verdict::Broken, Gate::Fail), Some("error")),
        ((Verdict::Broken, Gate::Warn), Some("error")),
        ((Verdict::Inconclusive, Gate::Warn), Some("skipped")),
        ((Verdict::Removed, Gate::Warn), Some("skipped")),
        ((Verdict::Regressed, Gate::Warn), Some("system-out")),
        ((Verdict::Regressed, Gate::Pass), None),
        ((Verdict::Improved, Gate::Pass), None),
        ((Verdict::Added, Gate::Pass), None),
        ((Verdict::Unchanged, Gate::Pass), None),
    ] {
        let found = finding(
            &bench("get", &[]),
            "instructions",
            (Some(1.0), Some(2.0)),
            answer,
        );
        let text = junit(&[report(vec![found])]);
        let document = Document::parse(&text).unwrap();
        let case = document
            .descendants()
            .find(|node| node.has_tag_name("testcase"))
            .unwrap();
        let elements = case.children().filter(Node::is_element);
        let fate: Vec<&str> = elements
            .map(|node| node.tag_name().name())
            .filter(|name| *name != "properties")
            .collect();
        assert_eq!(fate, Vec::from_iter(expected), "{answer:?}");
    }
}
