//! The text within `go test -json`, which writes each piece of a package's output as an object on a line of its own.
//!
//! Packages run beside one another and their pieces are mixed, so each package's text is put together first. A piece need
//! not be a whole line; a line stands where its first piece does. What looks like an object and is none is a problem, and so
//! is a package that does not say how it ended. Tested below and by `fixtures/go/objects`.

use std::borrow::Cow;

use serde::Deserialize;

use crate::colours::without_colours;
use crate::document::{Block, Document};
use crate::grouped::Grouped;
use crate::place::shown;

/// What an object may begin with: the time is left out by `go tool test2json`, and so is the package.
const BEGINNINGS: [&str; 3] = ["{\"Time\":", "{\"Action\":", "{\"ImportPath\":"];

/// What only objects have.
const MEMBERS: [&str; 3] = ["\"Action\":", "\"Package\":", "\"Output\":"];

/// What Go does. A benchmark may log objects of its own, which do something else.
const ACTIONS: [&str; 13] = [
    "start",
    "run",
    "pause",
    "cont",
    "bench",
    "pass",
    "fail",
    "skip",
    "output",
    "build-output",
    "build-fail",
    "attr",
    "artifacts",
];

/// A piece of output, or what was done.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'t> {
    #[serde(borrow)]
    action: Cow<'t, str>,
    #[serde(borrow, default)]
    package: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    import_path: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    test: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    output: Option<Cow<'t, str>>,
}

impl<'t> Event<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let is_object = BEGINNINGS.iter().any(|begin| line.starts_with(begin));
        let event: Option<Self> = is_object.then(|| serde_json::from_str(line).ok())?;
        event.filter(|event| {
            ACTIONS.contains(&&*event.action)
                && event.output.is_some() == event.action.ends_with("output")
        })
    }

    /// Whose text it is part of.
    fn owner(&self) -> Owner {
        match (&self.package, &self.import_path) {
            (None, Some(path)) => Owner::Build(path.to_string()),
            (package, _) => Owner::Test(package.as_deref().unwrap_or_default().to_owned()),
        }
    }

    /// Returns whether a package is done.
    fn is_end(&self) -> bool {
        self.test.is_none() && matches!(&*self.action, "pass" | "fail" | "skip")
    }
}

/// Whose text it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Build(String),
    Test(String),
    Nobody,
}

/// Returns what is written in an object, if a line is one.
pub(super) fn output(line: &str) -> Option<String> {
    let output = Event::of(line)?.output?;
    Some(without_colours(&output).into_owned())
}

/// A text whose lines stand somewhere else.
#[derive(Debug, Default)]
pub(super) struct Unwrapped {
    text: String,
    /// Where each of its lines stands in the file.
    lines: Vec<usize>,
    /// The line within which the file ends, if it is none of an object: an object is whole or damaged.
    pub(super) cut_line: Option<usize>,
    /// What is wrong with the objects, each with its line.
    pub(super) problems: Vec<(usize, String)>,
}

/// What one owner wrote.
#[derive(Default)]
struct Part {
    text: Unwrapped,
    /// The line of the last object.
    last: usize,
    is_ended: bool,
}

impl Unwrapped {
    /// Puts the outputs of a document's objects together; nothing, if it holds none.
    ///
    /// What stands between the objects is the text of nobody, and comes as it is.
    pub(super) fn of(document: &Document<'_>) -> Option<Self> {
        let mut parts: Grouped<Owner, Part> = Grouped::default();
        let mut all = Self::default();
        let cut_line = document.cut_line();
        for block in document.lines() {
            let Some(event) = Event::of(block.text) else {
                if looks_like_event(block.text) {
                    let text = "a damaged object of `go test -json`".to_owned();
                    all.problems.push((block.line, text));
                } else {
                    all.cut_line = cut_line.filter(|line| *line == block.line);
                    let part = parts.of(Owner::Nobody, Part::default);
                    part.text.append(block.line, block.text);
                    part.text.end_line();
                }
                continue;
            };
            let part = parts.of(event.owner(), Part::default);
            part.last = block.line;
            part.is_ended |= event.is_end();
            part.text
                .append(block.line, event.output.as_deref().unwrap_or_default());
        }
        if parts.keys().all(|owner| *owner == Owner::Nobody) {
            return None;
        }
        for (owner, mut part) in parts.into_all() {
            if let Owner::Test(package) = &owner
                && !part.is_ended
            {
                let package = shown(package);
                let text = format!("the output of package `{package}` has no end: it was cut");
                all.problems.push((part.last, text));
                part.text.drop_open_line();
            }
            part.text.end_line();
            // Within an object a colour is a JSON escape, which nobody has taken out yet. No line goes with it.
            all.text.push_str(&without_colours(&part.text.text));
            all.lines.append(&mut part.text.lines);
        }
        Some(all)
    }

    fn append(&mut self, line: usize, piece: &str) {
        for part in piece.split_inclusive('\n') {
            if self.text.is_empty() || self.text.ends_with('\n') {
                self.lines.push(line);
            }
            self.text.push_str(part);
        }
    }

    /// Drops a line that has no end: of a number in it there may have been more.
    fn drop_open_line(&mut self) {
        let whole = self.text.rfind('\n').map_or(0, |end| end + 1);
        if whole < self.text.len() {
            self.text.truncate(whole);
            self.lines.pop();
        }
    }

    fn end_line(&mut self) {
        if self.text.is_empty() || self.text.ends_with('\n') {
            return;
        }
        self.text.push('\n');
    }

    /// Returns the lines, each with its place in the file.
    pub(super) fn lines(&self) -> impl Iterator<Item = Block<'_>> {
        let lines = self.lines.iter().zip(self.text.lines());
        lines.map(|(line, text)| Block { line: *line, text })
    }
}

/// Returns whether a line was meant as an object. Programs log objects of their own.
fn looks_like_event(line: &str) -> bool {
    MEMBERS.iter().any(|member| line.contains(member))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Opened;
    use crate::gathered::Gathered;

    fn unwrapped(text: &str) -> Option<Unwrapped> {
        let document = Opened::new("out".to_owned(), text.as_bytes())
            .unwrap()
            .told(&mut Gathered::default());
        Unwrapped::of(&document)
    }

    #[test]
    fn each_package_has_a_text_of_its_own() {
        let text = [
            r#"{"Time":"2026","Action":"start","Package":"a"}"#,
            r#"{"Time":"2026","Action":"output","Package":"a","Output":"one "}"#,
            r##"{"ImportPath":"c","Action":"build-output","Output":"# c\n"}"##,
            r#"{"Action":"output","Package":"b","Output":"x\ny\n"}"#,
            "go: downloading",
            r#"{"Action":"output","Package":"a","Output":"two\n"}"#,
            r#"{"Action":"pass","Package":"a","Test":"x"}"#,
            r#"{"Action":"fail","Package":"b"}"#,
            r#"{"Action":"output","Package":"b","Outpt":"x\ny\n"}"#,
        ];
        let unwrapped = unwrapped(&text.join("\n")).unwrap();
        let lines: Vec<_> = unwrapped.lines().map(|b| (b.line, b.text)).collect();
        let expected = [
            (2, "one two"),
            (3, "# c"),
            (4, "x"),
            (4, "y"),
            (5, "go: downloading"),
        ];
        assert_eq!(lines, expected);
        let expected = [
            (9, "a damaged object of `go test -json`"),
            (7, "the output of package `a` has no end: it was cut"),
        ];
        assert_eq!(
            unwrapped.problems,
            expected.map(|(line, text)| (line, text.to_owned()))
        );
    }

    #[test]
    fn colours_go_and_lines_stay() {
        let text = [
            r#"{"Action":"output","Package":"a","Output":"\u001b[32mone\u001b[0m\n\u001b[0m\n"}"#,
            r#"{"Action":"output","Package":"a","Output":"\u001b]8;;cut\n\u001b["}"#,
            r#"{"Action":"output","Package":"a","Output":"0mtwo\n"}"#,
            r#"{"Action":"pass","Package":"a"}"#,
        ];
        let unwrapped = unwrapped(&text.join("\n")).unwrap();
        let lines: Vec<_> = unwrapped.lines().map(|b| (b.line, b.text)).collect();
        let expected = [(1, "one"), (1, ""), (2, "\u{1b}]8;;cut"), (2, "two")];
        assert_eq!(lines, expected);
        assert_eq!(output(text[0]).as_deref(), Some("one\n\n"));
    }

    #[test]
    fn the_last_line_may_be_cut_where_it_is_no_object() {
        let object = r#"{"Action":"start","Package":"a"}"#;
        for (text, expected) in [
            (object.to_owned(), None),
            (format!("{object}\nplain\n"), None),
            (format!("plain\n{object}\nplain"), Some(3)),
            (format!("plain\n{object}"), None),
        ] {
            assert_eq!(unwrapped(&text).unwrap().cut_line, expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_object_of_go_is_left_alone() {
        for text in [
            "",
            "PASS\n",
            "{\"a\":1}\n",
            "{\"Action\":\n",
            "{\"Action\":\"deleted\"}\n",
        ] {
            assert!(unwrapped(text).is_none(), "{text}");
        }
        assert_eq!(output(r#"{"Action":"pass"}"#), None);
    }
}
