//! Words and characters we do not use, each with what we write instead.
//!
//! The tables below are the rule: a row is a pattern, the reason or replacement, and nowhere does the code know a
//! particular word. Patterns in code are tokens, so that a document may speak of `#[ignore]`; patterns in text are
//! whole words. This file names them all and is therefore the one that the text patterns skip.
//!
//! Tested by putting every row of every table into a file.

use std::collections::BTreeSet;

use super::{Complaint, Rule};
use crate::{
    source::Source,
    tree::{Tree, is_found, is_recorded},
};

pub(super) static RULE: Rule = Rule {
    name: "words",
    about: "Text is free of banned words, of paths of one machine, and of stray blanks, tabs and line ends.",
    check,
};

/// The file that must name what it bans.
const HOME: &str = "tools/xtask/src/tidy/words.rs";

/// Whole words in any text of ours, in any case.
const WORDS: &[(&str, &str)] = &[
    ("blacklist", "say denylist"),
    ("whitelist", "say allowlist"),
    ("sanity check", "say check"),
    ("click here", "name the page that the link leads to"),
];

/// Marks of unfinished work, in exactly this case. `TODO: ` and a reason is fine: a question, with what hangs on it.
const UNFINISHED: &[&str] = &["TODO", "FIXME", "XXX"];
const REASON_WORDS_MIN: usize = 4;

/// Sequences of tokens in Rust code.
const CODE: &[(&str, &str)] = &[
    ("todo !", "return an error that says what is missing"),
    (
        "unimplemented !",
        "return an error that says what is missing",
    ),
    (
        "# [ ignore",
        "make the test fast and independent, or delete it: a test that nobody runs holds nothing",
    ),
    (
        "# [ should_panic",
        "test the error value; what panics is a bug in us",
    ),
    (
        "# [ allow (",
        "use `#[expect(lint, reason = \"..\")]`, which says why and goes when it is no longer needed",
    ),
    (
        "# ! [ allow (",
        "use `#![expect(lint, reason = \"..\")]`, which says why and goes when it is no longer needed",
    ),
];

/// Words inside `#[serde(..)]` below crates/.
const SERDE: &[(&str, &str)] = &[
    (
        "untagged",
        "write the kinds apart by a tag: an error in one of them says only that nothing fitted",
    ),
    (
        "flatten",
        "write the fields out: unknown keys, line and column get lost in errors",
    ),
];

/// Folders that belong to one person on one machine. `runner` is everybody's on a hosted machine, and the rest are
/// stand-ins in examples.
const HOMES: &[&str] = &["/home/", "/Users/", "/root/"];
const ANYBODY: &[&str] = &["runner", "user", "you", "someone"];

fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let texts = tree
        .texts()
        .filter(|(path, _)| *path != "Cargo.lock" && !is_found(path));
    for (path, text) in texts {
        if path != HOME {
            complaints.extend(homes(path, text));
        }
        if is_recorded(path) {
            continue;
        }
        if path != HOME {
            complaints.extend(banned_words(path, text));
            complaints.extend(unfinished(path, text));
        }
        complaints.extend(characters(path, text));
        if let Some(source) = tree.sources().get(path) {
            complaints.extend(code(path, source));
        }
    }
    complaints
}

/// Returns where `word` stands as a whole word.
fn whole_words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let places = line.match_indices(word).map(|(at, _)| at);
    places.filter(move |at| {
        let inside = |letter: Option<char>| {
            letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
        };
        !inside(line[..*at].chars().next_back()) && !inside(line[at + word.len()..].chars().next())
    })
}

fn banned_words(path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        let found = WORDS
            .iter()
            .filter(|(word, _)| whole_words(&line, word).next().is_some());
        complaints.extend(found.map(|(word, instead)| {
            Complaint::new(path, at + 1, format!("says \"{word}\""), *instead)
        }));
    }
    complaints
}

fn unfinished(path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for mark in UNFINISHED {
            let bare = whole_words(line, mark).any(|place| {
                let reason = line[place + mark.len()..].strip_prefix(": ").unwrap_or("");
                *mark != "TODO" || reason.split_whitespace().count() < REASON_WORDS_MIN
            });
            if bare {
                let what = format!("has a {mark} without a reason");
                let instead = "finish it, or write `TODO: ` and in a sentence what is open and what hangs on it";
                complaints.push(Complaint::new(path, at + 1, what, instead));
            }
        }
    }
    complaints
}

fn homes(path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for home in HOMES {
            let found = line.match_indices(home).any(|(place, _)| {
                // Part of a longer path or of an address: somebody else's folder of that name.
                let before = line[..place].chars().next_back();
                let is_inner = before
                    .is_some_and(|before| before.is_alphanumeric() || "._-~}/)>*".contains(before));
                let name = line[place + home.len()..]
                    .split(|letter: char| !letter.is_alphanumeric())
                    .next()
                    .unwrap_or("");
                !is_inner && (*home == "/root/" || (!name.is_empty() && !ANYBODY.contains(&name)))
            });
            if found {
                let instead = "write a path from the root of the repository, or a stand-in such as /home/user/";
                complaints.push(Complaint::new(
                    path,
                    at + 1,
                    format!("names a folder below {home} of one machine"),
                    instead,
                ));
            }
        }
    }
    complaints
}

fn characters(path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (at, line) in text.split('\n').enumerate() {
        let mut complain = |what: &str, instead: &str| {
            complaints.push(Complaint::new(path, at + 1, what, instead));
        };
        if line.contains('\r') {
            complain(
                "has a carriage return",
                "end lines with a line feed alone; in a string write `\\r`",
            );
        }
        if line.trim_end_matches('\r').ends_with([' ', '\t']) {
            complain(
                "has blanks at its end",
                "delete them; in Markdown break a line with `\\`",
            );
        }
        if line.contains('\t') && path.ends_with(".rs") {
            complain(
                "has a tab",
                "indent with four blanks; in a string write `\\t`",
            );
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        complaints.push(Complaint::new(
            path,
            text.lines().count(),
            "has no line feed at its end",
            "end the last line",
        ));
    }
    complaints
}

fn code(path: &str, source: &Source) -> Vec<Complaint> {
    let line = |at: usize| source.tokens()[at].line;
    let mut complaints = Vec::new();
    for (pattern, instead) in CODE {
        let what = format!("uses `{}`", pattern.replace(' ', ""));
        complaints.extend(
            source
                .places(pattern)
                .into_iter()
                .map(|at| Complaint::new(path, line(at), what.as_str(), *instead)),
        );
    }
    if path.starts_with("crates/") {
        let attributes = source.places("# [ serde (").into_iter().map(|at| at + 3);
        let inside: Vec<_> = attributes.flat_map(|open| source.inside(open)).collect();
        for (word, instead) in SERDE {
            let lines: BTreeSet<usize> = inside
                .iter()
                .filter(|token| token.text == *word)
                .map(|token| token.line)
                .collect();
            let what = format!("uses `serde({word})`");
            complaints.extend(
                lines
                    .into_iter()
                    .map(|line| Complaint::new(path, line, what.as_str(), *instead)),
            );
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{assert_kept, complaints};

    #[test]
    fn the_tree_keeps_it() {
        assert_kept(&RULE);
    }

    #[test]
    fn catches_every_banned_word() {
        for (word, _) in WORDS {
            let text = format!("a {}.\n{word}s, un{word}\n", word.to_uppercase());
            assert_eq!(
                complaints(&RULE, &[("a.md", &text)]),
                [format!("a.md:1: says \"{word}\"")]
            );
        }
    }

    #[test]
    fn catches_unfinished_work_without_a_reason() {
        for mark in UNFINISHED {
            let text = format!(
                "# {mark}\n# {mark}: later\n# TODO: should an empty series have a page?\nmktemp A{mark}X\n"
            );
            let wanted = [1, 2].map(|line| format!("a.sh:{line}: has a {mark} without a reason"));
            assert_eq!(complaints(&RULE, &[("a.sh", &text)]), wanted);
        }
    }

    #[test]
    fn catches_every_pattern_in_code_but_not_in_comments_and_strings() {
        for (pattern, _) in CODE {
            let attribute = pattern.starts_with('#');
            let rest = if attribute && pattern.ends_with('(') {
                "x)] fn a() {}"
            } else if attribute {
                "] fn a() {}"
            } else {
                "();"
            };
            let code = format!(
                "// {0}{rest}\n{0}{rest}\nconst A: &str = r##\"{0}\"##;\n",
                pattern.replace(' ', "")
            );
            let found = complaints(&RULE, &[("a.rs", &code)]);
            assert_eq!(
                found,
                [format!("a.rs:2: uses `{}`", pattern.replace(' ', ""))]
            );
        }
    }

    #[test]
    fn catches_serde_attributes_with_bad_messages_below_crates() {
        for (word, _) in SERDE {
            let code = format!("#[serde(default, {word})]\nstruct A {{\n    {word}: u8,\n}}\n");
            let found = complaints(
                &RULE,
                &[("crates/a/src/b.rs", &code), ("bench/a/src/b.rs", &code)],
            );
            assert_eq!(
                found,
                [format!("crates/a/src/b.rs:1: uses `serde({word})`")]
            );
        }
    }

    #[test]
    fn catches_homes_even_in_fixtures_but_not_where_chance_wrote() {
        for home in HOMES {
            let text = format!("at {home}ann/x\nsrc{home}ann/x https://a.b{home}ann/x\n");
            let path = "crates/a/fixtures/b.txt";
            let found = "crates/a/fuzz/corpus/b/c";
            assert_eq!(
                complaints(&RULE, &[(path, &text), (found, &text)]),
                [format!(
                    "{path}:1: names a folder below {home} of one machine"
                )]
            );
        }
        let stand_ins: String = ANYBODY
            .iter()
            .map(|name| format!("/home/{name}/x\n"))
            .collect();
        assert_eq!(complaints(&RULE, &[("a.txt", &stand_ins)]), [""; 0]);
    }

    #[test]
    fn catches_stray_characters() {
        let text = "a \nb\r\n\tc\nd";
        let wanted = [
            "a.rs:1: has blanks at its end",
            "a.rs:2: has a carriage return",
            "a.rs:3: has a tab",
            "a.rs:4: has no line feed at its end",
        ];
        assert_eq!(
            complaints(
                &RULE,
                &[("a.rs", text), ("fixtures/a.txt", text), ("b.snap", text)]
            ),
            wanted
        );
        assert_eq!(
            complaints(
                &RULE,
                &[("a.mk", "\tc\n"), ("b.bin", "\0 \n"), ("empty", "")]
            ),
            [""; 0]
        );
    }
}
