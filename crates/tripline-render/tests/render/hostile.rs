//! Names that try to be markup, a command or an escape sequence stay names, in every output there is.

use proptest::prelude::*;
use tripline_model::{
    Acceptance, BenchName, Caveat, Covers, FactValue, Gate, Nature, Report, StepName, Unit,
    UnitSymbol, Verdict,
};
use tripline_render::{
    Before, Color, Detail, Link, Links, RENDERERS, View, annotations, check, renderer,
};

use crate::canonical::{self, HOSTILE, bench, finding, report};
use crate::inert::{
    Form, assert_commands_nothing, assert_inert, assert_shows_itself, form, markdown,
};

fn view(detail: Detail) -> View {
    View::new(80, Color::Plain, detail)
}

fn rendered(name: &str, reports: &[Report]) -> String {
    (renderer(name).unwrap().render)(reports, &view(Detail::Brief))
}

#[test]
fn canonical_reports_are_inert_in_every_output() {
    for renderer in RENDERERS {
        for detail in [Detail::Brief, Detail::Full] {
            for (_, reports) in canonical::all() {
                assert_inert(renderer.name, &(renderer.render)(&reports, &view(detail)));
            }
        }
    }
}

#[test]
fn tables_are_whole_in_markdown() {
    let outputs = RENDERERS.iter().filter(|r| form(r.name) == Form::Markdown);
    for renderer in outputs {
        for (case, reports) in canonical::all() {
            let text = (renderer.render)(&reports, &view(Detail::Brief));
            let widths: Vec<usize> = text
                .lines()
                .filter(|line| line.starts_with("| -"))
                .map(|rule| rule.matches("| ").count())
                .collect();
            let found = markdown(&text);
            assert!(
                found.rows.iter().all(|cells| widths.contains(cells)),
                "{case}: {:?}\n{text}",
                found.rows
            );
        }
    }
}

#[test]
fn what_a_canary_says_is_inert() {
    let report = canonical::session::distrusted(&HOSTILE[..8]);
    let text = rendered("comment", &[report]);
    markdown(&text);
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("**BROKEN "), "{first}");
    assert!(first.contains("cannot be trusted"), "{first}");
    for words in &HOSTILE[..8] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn the_only_links_are_those_of_the_view() {
    let [run, trend, head, base] = ["run", "trend", "head", "base"]
        .map(|part| Link::new(&format!("https://acme.example/{part}?a=1&b=_x_~y~#c")).unwrap());
    let addresses: Vec<String> = [&run, &trend, &head, &base]
        .map(|link| link.as_str().to_owned())
        .into();
    let links = Links {
        run: Some(run),
        trend: Some(trend),
        head: Some(head),
        base: Some(base),
    };
    let view = View {
        links,
        before: Before::Red,
        ..view(Detail::Brief)
    };
    for renderer in RENDERERS.iter().filter(|r| form(r.name) == Form::Markdown) {
        for (case, reports) in canonical::all() {
            let text = (renderer.render)(&reports, &view);
            assert_eq!(markdown(&text).links, addresses, "{case}: {text}");
        }
    }
}

/// Makes texts out of what is special somewhere, and of anything else.
fn text() -> impl Strategy<Value = String> {
    let special: Vec<String> = "|`\\@<>#[]()!*_~&;-:{}=,\"'$/ "
        .chars()
        .map(String::from)
        .chain(HOSTILE.iter().map(|text| (*text).to_owned()))
        .chain(
            [
                "evil",
                "<!--",
                "-->",
                "]]>",
                "``",
                "\\|",
                "::error title=x::y",
                "##[group]",
                "##vso[a]",
                "http://evil.example",
                "\u{1F980}",
                "\u{FFFF}",
                "{0}",
            ]
            .map(str::to_owned),
        )
        .collect();
    let piece = prop_oneof![
        proptest::sample::select(special),
        any::<char>().prop_map(String::from)
    ];
    proptest::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

/// Makes texts that are names.
fn name() -> impl Strategy<Value = String> {
    text().prop_filter("a name", |text| BenchName::new(text).is_ok())
}

fn of_names(names: &[(String, String)]) -> Report {
    let regressed = (Verdict::Regressed, Gate::Fail);
    let values = (Some(1e6), Some(2e6));
    let findings = names.iter().enumerate().map(|(index, (name, value))| {
        // The index keeps names apart that happen to be equal.
        let bench = bench(name, &[("at", &index.to_string()), (value, value)]);
        finding(&bench, "instructions", values, regressed)
    });
    report(findings.collect())
}

/// Returns a report in which everything that may be data is: names, a unit, facts, reasons, and what failed wrote.
fn all_hostile(names: &[(String, String)], text: &str) -> Report {
    let mut report = of_names(names);
    let first = &mut report.findings[0];
    first.acceptance = Some(Acceptance {
        who: text.to_owned(),
        because: text.to_owned(),
        from: 1.0,
        to: 2.0,
        covers: Covers::Change,
        commit: None,
        environment: None,
    });
    let mut symbol = text.to_owned();
    symbol.truncate(symbol.floor_char_boundary(32));
    if let Ok(symbol) = UnitSymbol::new(&symbol) {
        first.metric.unit = Unit::Other(symbol);
    }
    if let Ok(what) = FactValue::new(text) {
        let counters = what.clone();
        report.caveats.push(Caveat::CanaryFailed { what });
        report.caveats.push(Caveat::CountersMissing { counters });
        report.head.environment.state_text("libc", text).unwrap();
        let base = &report.base.as_ref().unwrap().environment;
        let facts = base.differences_that_matter(&report.head.environment, Nature::Exact);
        report.caveats.push(Caveat::EnvironmentDiffers(facts));
    }
    let mut failure = canonical::all().remove(5).1.remove(0).failures.remove(0);
    failure.step = StepName::new("counts").unwrap();
    // A report that was put together by hand need not have come through the constructor.
    failure.tail = [text, "\n", text].concat();
    failure.detail = Some(text.to_owned());
    report.failures.push(failure);
    report
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_name_is_one_cell_of_code(names in proptest::collection::vec((name(), name()), 1..6)) {
        let report = of_names(&names);
        let text = rendered("comment", std::slice::from_ref(&report));
        let found = markdown(&text);
        prop_assert_eq!(&found.rows, &vec![7; names.len() + 1], "{}", text);
        // All rows are equally bad, so they stand in the report's order.
        let benches: Vec<&String> = found.codes.iter().step_by(2).collect();
        for (finding, code) in report.findings.iter().zip(benches) {
            let id = finding.bench.within_suite();
            let is_command = id.trim_start().starts_with("::") || id.contains("##");
            prop_assert!(is_command || &id == code, "{}", text);
        }
    }

    #[test]
    fn any_name_is_one_test(names in proptest::collection::vec((name(), name()), 1..6)) {
        let report = of_names(&names);
        let text = rendered("junit", std::slice::from_ref(&report));
        let document = roxmltree::Document::parse(&text).unwrap();
        let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
        let shown: Vec<String> = cases.map(|case| case.attribute("name").unwrap().to_owned()).collect();
        let written = report.findings.iter().map(|finding| finding.bench.within_suite());
        // What XML cannot hold is written as its number.
        let written: Vec<String> = written
            .map(|id| id.replace('\u{FFFE}', "\\u{fffe}").replace('\u{FFFF}', "\\u{ffff}"))
            .collect();
        prop_assert_eq!(shown, written);
    }

    #[test]
    fn everything_hostile_is_inert_in_every_output(
        names in proptest::collection::vec((name(), name()), 1..4), text in prop_oneof![text(), any::<String>()],
    ) {
        let reports = [all_hostile(&names, &text)];
        for renderer in RENDERERS {
            for detail in [Detail::Brief, Detail::Full] {
                assert_inert(renderer.name, &(renderer.render)(&reports, &view(detail)));
            }
        }
    }

    #[test]
    fn notes_and_checks_are_inert(names in proptest::collection::vec((name(), name()), 1..4), text in text()) {
        let reports = [all_hostile(&names, &text)];
        for note in annotations(&reports, &view(Detail::Brief)) {
            prop_assert!(!note.title.contains('\n'));
            for text in [&note.title, &note.message] {
                assert_shows_itself(text);
                assert_commands_nothing(text);
            }
        }
        let check = check(&reports, &view(Detail::Brief));
        prop_assert!(!check.title.contains('\n'));
        for text in [&check.summary, &check.text] {
            assert_inert("comment", text);
        }
    }
}
