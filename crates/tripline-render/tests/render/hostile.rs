//! Names that try to be markup stay names.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use tripline_model::{BenchName, Gate, Report, Verdict};
use tripline_render::{Color, Detail, RENDERERS, View, renderer};

use crate::canonical::{self, HOSTILE, bench, finding, report};

/// The tags that are ours.
const TAGS: &[&str] = &[
    "<details>",
    "</details>",
    "<summary>",
    "</summary>",
    "<sup>",
    "</sup>",
];

fn view(detail: Detail) -> View {
    View {
        width: 80,
        color: Color::Plain,
        detail,
    }
}

/// What a Markdown parser finds in a text.
#[derive(Debug, Default, PartialEq)]
struct Found {
    /// The number of cells of each row of each table.
    rows: Vec<usize>,
    /// The text of each piece of code within a table.
    codes: Vec<String>,
}

/// Parses a text, and fails on any markup or any data that stands where only our words should.
fn parsed(text: &str) -> Found {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut found = Found::default();
    let mut is_in_table = false;
    let mut is_in_block = false;
    // The one sign that would open a tag and is ours.
    let text = &text.replace("&lt;0.01 %", "little");
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Table(_)) => is_in_table = true,
            Event::End(TagEnd::Table) => is_in_table = false,
            Event::Start(Tag::CodeBlock(_)) => is_in_block = true,
            Event::End(TagEnd::CodeBlock) => is_in_block = false,
            Event::Start(Tag::TableRow | Tag::TableHead) => found.rows.push(0),
            Event::Start(Tag::TableCell) => *found.rows.last_mut().unwrap() += 1,
            Event::Code(code) if is_in_table => found.codes.push(code.into_string()),
            Event::Html(html) | Event::InlineHtml(html) => {
                let mut rest = html.trim().to_owned();
                for tag in TAGS {
                    rest = rest.replace(tag, "");
                }
                assert!(!rest.contains(['<', '>', '@']), "{html} in {text}");
            }
            Event::Text(words) if !is_in_block => {
                assert!(!words.contains(['@', '#', '<']), "{words:?} in {text}");
                assert!(!words.contains("evil"), "{words:?} in {text}");
            }
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Heading { .. }) => {
                panic!("{event:?} in {text}");
            }
            Event::Start(Tag::Emphasis | Tag::Strikethrough) => panic!("{event:?} in {text}"),
            _ => {}
        }
    }
    found
}

#[test]
fn hostile_reports_are_inert_in_markdown() {
    for detail in [Detail::Brief, Detail::Full] {
        for (case, reports) in canonical::all() {
            let text = (renderer("markdown").unwrap().render)(&reports, &view(detail));
            let found = parsed(&text);
            let is_whole = found
                .rows
                .iter()
                .all(|cells| matches!(cells, 3 | 4 | 6 | 7));
            assert!(is_whole, "{case}: {:?}\n{text}", found.rows);
        }
    }
}

#[test]
fn what_a_canary_says_is_inert() {
    let report = canonical::session::distrusted(HOSTILE);
    let text = (renderer("markdown").unwrap().render)(&[report], &view(Detail::Brief));
    parsed(&text);
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("**BROKEN "), "{first}");
    assert!(first.contains("cannot be trusted"), "{first}");
    for words in HOSTILE {
        assert!(text.contains(words), "{words} in {text}");
    }
}

/// Makes names out of what is special somewhere, and of anything else a name may hold.
fn name() -> impl Strategy<Value = String> {
    let special: Vec<String> = "|`\\@<>#[]()!*_~&;-:{}=,\"'$/ "
        .chars()
        .map(String::from)
        .chain(HOSTILE.iter().map(|text| (*text).to_owned()))
        .chain(
            [
                "evil",
                "<!--",
                "-->",
                "``",
                "\\|",
                "http://evil.example",
                "\u{1F980}",
            ]
            .map(str::to_owned),
        )
        .collect();
    let piece = prop_oneof![
        proptest::sample::select(special),
        any::<char>().prop_map(String::from)
    ];
    proptest::collection::vec(piece, 1..12)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("a name", |text| BenchName::new(text).is_ok())
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

proptest! {
    #[test]
    fn any_name_is_one_cell_of_code(names in proptest::collection::vec((name(), name()), 1..6)) {
        let report = of_names(&names);
        let text = (renderer("markdown").unwrap().render)(std::slice::from_ref(&report), &view(Detail::Brief));
        let found = parsed(&text);
        prop_assert_eq!(&found.rows, &vec![6; names.len() + 1], "{}", text);
        // All rows are equally bad, so they stand in the report's order.
        let benches: Vec<&String> = found.codes.iter().step_by(2).collect();
        for (finding, code) in report.findings.iter().zip(benches) {
            prop_assert_eq!(&finding.bench.within_suite(), code, "{}", text);
        }
    }

    #[test]
    fn no_control_character_of_the_data_arrives(
        names in proptest::collection::vec((name(), name()), 1..4), tail in ".{0,200}", detail in any::<String>(),
    ) {
        let mut report = of_names(&names);
        let mut failure = canonical::all().remove(5).1.remove(0).failures.remove(0);
        failure.tail = tail;
        failure.detail = Some(detail);
        report.failures.push(failure);
        // Programs escape for themselves.
        for renderer in RENDERERS.iter().filter(|renderer| renderer.name != "json") {
            for detail in [Detail::Brief, Detail::Full] {
                let text = (renderer.render)(std::slice::from_ref(&report), &view(detail));
                let stray = text.chars().find(|c| c.is_control() && *c != '\n');
                prop_assert_eq!(stray, None, "{}", renderer.name);
            }
        }
        let terminal = (renderer("terminal").unwrap().render)(std::slice::from_ref(&report), &view(Detail::Brief));
        let reorders = |c: char| ('\u{202A}'..='\u{202E}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c);
        prop_assert!(!terminal.contains(reorders));
    }
}
