//! What makes a text harmless, by the form it has: looked at with a parser of that form, as whoever shows it would.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Markdown,
    Json,
    Xml,
}

/// The form of each output. A new one is a line here, and then everything below holds for it, too.
const FORMS: &[(&str, Form)] = &[
    ("terminal", Form::Plain),
    ("comment", Form::Markdown),
    ("summary", Form::Markdown),
    ("json", Form::Json),
    ("junit", Form::Xml),
    ("sarif", Form::Json),
];

/// Returns the form of an output.
pub(crate) fn form(renderer: &str) -> Form {
    let found = FORMS.iter().find(|(name, _)| *name == renderer);
    found
        .unwrap_or_else(|| panic!("say in `FORMS` which form `{renderer}` has"))
        .1
}

/// Fails on anything in a text that is more than a text.
#[track_caller]
pub(crate) fn assert_inert(renderer: &str, text: &str) {
    assert_commands_nothing(text);
    // Who reads JSON escapes for themselves; what is stored was made harmless when it was read.
    if renderer != "json" {
        assert_shows_itself(text);
    }
    match form(renderer) {
        Form::Plain => {}
        Form::Markdown => {
            markdown(text);
        }
        Form::Json => {
            json(text);
        }
        Form::Xml => {
            let read = roxmltree::Document::parse(text);
            assert!(read.is_ok(), "{read:?}\n{text}");
        }
    }
}

/// Fails on a line that the log of a job takes for a command.
#[track_caller]
pub(crate) fn assert_commands_nothing(text: &str) {
    for line in text.lines() {
        assert!(!line.trim_start().starts_with("::"), "{line:?}");
        assert!(!line.contains("##["), "{line:?}");
        assert!(!line.contains("##vso["), "{line:?}");
    }
}

/// Fails on what moves the cursor or its neighbours.
#[track_caller]
pub(crate) fn assert_shows_itself(text: &str) {
    let moves = |c: char| {
        let reorders =
            ('\u{202A}'..='\u{202E}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c);
        (c.is_control() && c != '\n') || reorders
    };
    assert_eq!(text.chars().find(|c| moves(*c)), None, "{text:?}");
}

/// Returns the values a text holds, one after another.
#[track_caller]
pub(crate) fn json(text: &str) -> Vec<serde_json::Value> {
    let values = serde_json::Deserializer::from_str(text).into_iter();
    values.map(|value| value.unwrap()).collect()
}

/// What a Markdown parser finds in a text.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// The number of cells of each row of each table.
    pub(crate) rows: Vec<usize>,
    /// The text of each piece of code within a table.
    pub(crate) codes: Vec<String>,
    /// Where each link leads.
    pub(crate) links: Vec<String>,
}

/// The tags that are ours.
const TAGS: &[&str] = &["<details>", "</details>", "<summary>", "</summary>"];

/// Parses a text with everything that a forge adds to Markdown, and fails on any markup that is not ours, and on any data
/// that stands where only our words should.
#[track_caller]
pub(crate) fn markdown(text: &str) -> Found {
    let mut found = Found::default();
    let mut is_in_table = false;
    let mut is_in_block = false;
    let mut details = 0;
    // The one sign that would be one, and is ours.
    let text = &text.replace("<0.01 %", "little");
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Start(Tag::Table(_)) => is_in_table = true,
            Event::End(TagEnd::Table) => is_in_table = false,
            Event::Start(Tag::CodeBlock(_)) => is_in_block = true,
            Event::End(TagEnd::CodeBlock) => is_in_block = false,
            Event::Start(Tag::TableRow | Tag::TableHead) => found.rows.push(0),
            Event::Start(Tag::TableCell) => *found.rows.last_mut().unwrap() += 1,
            Event::Start(Tag::Link { dest_url, .. }) => found.links.push(dest_url.into_string()),
            Event::Code(code) if is_in_table => found.codes.push(code.into_string()),
            Event::Code(_) => {}
            Event::Html(html) | Event::InlineHtml(html) => {
                details += html.matches("<details>").count();
                details -= html.matches("</details>").count();
                let ours = TAGS
                    .iter()
                    .fold(html.into_string(), |rest, tag| rest.replace(tag, ""));
                assert!(!ours.contains(['<', '>', '@']), "{ours} in {text}");
            }
            Event::Text(_) if is_in_block => {}
            Event::Text(words) => {
                let is_active = words.contains(['@', '#', '<', '$']) || words.contains("http");
                assert!(!is_active && !words.contains("evil"), "{words:?} in {text}");
            }
            Event::Start(
                Tag::Paragraph | Tag::HtmlBlock | Tag::List(_) | Tag::Item | Tag::Strong,
            )
            | Event::End(_)
            | Event::SoftBreak => {}
            other => panic!("{other:?} in {text}"),
        }
    }
    assert_eq!(details, 0, "{text}");
    found
}

#[test]
fn what_is_active_is_seen() {
    for text in [
        "a @name\n",
        "[a](https://evil.example)\n",
        "see https://a.example\n",
        "<b>a</b>\n",
        "<details>\n",
        "# a\n",
        "*a*\n",
        "~~a~~\n",
        "![a](b)\n",
        "[^1]: a\n",
        "$x$\n",
        "- [ ] a\n",
        "> a\n",
    ] {
        let seen = std::panic::catch_unwind(|| {
            let found = markdown(text);
            assert!(found.links.is_empty());
        });
        assert!(seen.is_err(), "{text}");
    }
    for text in ["a\n  ::error::b", "a ##[group]", "::a"] {
        let seen = std::panic::catch_unwind(|| assert_commands_nothing(text));
        assert!(seen.is_err(), "{text}");
    }
}
