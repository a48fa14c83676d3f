//! What is said of a JSON text that could not be read: what stands where, and what was expected there.
//!
//! serde says it in words of its own and of our code. Here the value itself is looked up, and of serde's words only what
//! was expected is taken over, in plain ones. Tested below and through the adapters.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::strict::{Strict, Trail};
use super::walk::{Walk, plain_value, value_at};
use crate::place::shown;

/// What is said of every value of another kind, and of every member that is missing or should not be there.
const OTHER_KIND: &str = " stands where ";
const MEMBER: &str = "the member `";

/// Why a text could not be read.
#[derive(Debug)]
pub(crate) struct Misread {
    error: serde_json::Error,
    /// The way to the value that could not be read.
    way: Vec<usize>,
}

/// What is said of it.
#[derive(Debug)]
pub(crate) struct Said {
    text: String,
    /// The byte that it is said of.
    pub(crate) at: usize,
    /// Where the value begins that is not what it should be; none where the text is no JSON.
    value: Option<usize>,
}

/// Reads a text that is one value.
pub(crate) fn read<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Misread> {
    let trail = Trail::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = T::deserialize(Strict::new(&mut reader, &trail));
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| Misread {
        error,
        way: trail.into_inwards(),
    })
}

/// Returns whether it is said of a value that it is another than expected: to run the suite again would not help.
pub(crate) fn is_of_other_kind(said: &str) -> bool {
    said.contains(OTHER_KIND) || said.contains(MEMBER)
}

impl Misread {
    /// Returns whether more of the text was read than before another one.
    pub(crate) fn is_beyond(&self, other: &Self) -> bool {
        let place = |of: &Self| (of.error.line(), of.error.column());
        place(self) > place(other)
    }

    /// Returns whether the text ends within a value.
    pub(super) fn is_cut_off(&self) -> bool {
        self.error.is_eof()
    }

    /// Says what is wrong in the text that was read.
    pub(crate) fn said(&self, text: &str) -> Said {
        if self.is_of_value(text) {
            let (value, message) = (value_at(text, &self.way), message(&self.error));
            // Of a member that should not be there, serde_json has read the name alone.
            let names = ["duplicate field ", "unknown field "];
            let is_of_name = names.iter().any(|begin| message.starts_with(begin));
            return Said {
                text: worded(&message, text, value),
                at: if is_of_name { self.stop(text) } else { value },
                value: Some(value),
            };
        }
        Said {
            text: match self.is_cut_off() {
                true => "it is cut off".to_owned(),
                false => syntax(&self.error),
            },
            at: self.stop(text),
            value: None,
        }
    }

    /// Says what is wrong in a text, with the path to it.
    pub(crate) fn said_with_path(&self, text: &str) -> String {
        let said = self.said(text);
        said.within(&mut Walk::new(text), 0)
    }

    /// Says what is wrong in the value of a member, with the path to it.
    pub(super) fn said_of_member(&self, name: &str, text: &str) -> String {
        self.said(text).within(&mut Walk::of_member(name, text), 0)
    }

    /// Returns where serde_json stopped.
    fn stop(&self, text: &str) -> usize {
        let mut ends = text.match_indices('\n');
        let ended = self.error.line().checked_sub(2);
        let line = ended.and_then(|ended| ends.nth(ended));
        let start = line.map_or(0, |(end, _)| end + 1);
        (start + self.error.column().saturating_sub(1)).min(text.len())
    }

    fn is_of_value(&self, text: &str) -> bool {
        // Of a few values serde_json says that they are no JSON, which only a look at all of it can tell.
        self.error.is_data()
            || !self.error.is_eof() && serde_json::from_str::<IgnoredAny>(text).is_ok()
    }
}

impl Said {
    /// Returns what is said, with the path to the value in a text of which the one that was read begins at a byte.
    pub(crate) fn within(&self, walk: &mut Walk<'_>, start: usize) -> String {
        let path = self
            .value
            .map(|value| walk.path_to(start.saturating_add(value)));
        match path.as_deref() {
            None | Some("") => self.text.clone(),
            Some(path) => format!("in `{}`, {}", shown(path), self.text),
        }
    }
}

/// Says what is wrong with a text that is no JSON.
pub(super) fn syntax(error: &serde_json::Error) -> String {
    shown(&message(error))
}

/// Returns what serde says, without the place: that is said in our own form, with the file.
fn message(error: &serde_json::Error) -> String {
    let said = error.to_string();
    match said.rsplit_once(" at line ") {
        Some((text, _)) => text.to_owned(),
        None => said,
    }
}

/// Says in plain words what serde says of the value that begins at a byte.
fn worded(message: &str, text: &str, at: usize) -> String {
    let named = |begin: &str| quoted(message.strip_prefix(begin)?);
    if let Some(name) = named("missing field ") {
        return format!("{MEMBER}{}` is missing", shown(name));
    }
    if let Some(name) = named("duplicate field ") {
        return format!("{MEMBER}{}` stands twice", shown(name));
    }
    let value = match (named("unknown field "), named("unknown variant ")) {
        (Some(name), _) => format!("{MEMBER}{}`", shown(name)),
        (_, Some(name)) => format!("`{}`", shown(name)),
        (None, None) => standing(text, at),
    };
    if let Some((_, expected)) = message.rsplit_once(", expected ") {
        return format!("{value}{OTHER_KIND}{} is expected", plain(expected));
    }
    match message {
        "number out of range" => format!("{value} is larger than any number that is read"),
        "expected value" | "key must be a string" => {
            format!("{value}{OTHER_KIND}an object with one member is expected")
        }
        other => shown(other),
    }
}

/// Returns the name in the quotes that a text begins with.
fn quoted(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('`')?;
    let end = inside.rfind("`, expected ").or(inside.rfind('`'))?;
    Some(&inside[..end])
}

/// Says what stands at a byte.
fn standing(text: &str, at: usize) -> String {
    match text.as_bytes().get(at) {
        Some(b'[') => "a list".to_owned(),
        Some(b'{') => "an object".to_owned(),
        _ => format!("`{}`", shown(plain_value(text, at))),
    }
}

/// Says in plain words what serde expected: it names types of Rust, and of our code.
fn plain(expected: &str) -> String {
    const PLAIN: &[(&[&str], &str)] = &[
        (
            &["u8", "u16", "u32", "u64", "usize"],
            "a whole number from 0 on",
        ),
        (&["i8", "i16", "i32", "i64", "isize"], "a whole number"),
        (&["f32", "f64"], "a number"),
        (&["a boolean"], "`true` or `false`"),
        (&["a string", "a borrowed string"], "a text"),
        (&["a sequence"], "a list"),
        (&["a map", "newtype variant", "struct variant"], "an object"),
        (&["unit", "unit variant"], "`null`"),
    ];
    let known = PLAIN.iter().find(|(words, _)| words.contains(&expected));
    if let Some((_, plain)) = known {
        return (*plain).to_owned();
    }
    let size = expected
        .strip_prefix("a tuple of size ")
        .or_else(|| expected.strip_prefix("tuple ")?.split(' ').nth_back(1));
    match size {
        Some(size) => format!("a list of {size}"),
        None if expected.starts_with("struct ") || expected.starts_with("enum ") => {
            "an object".to_owned()
        }
        None => shown(expected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::json::{Number, Text};

    #[derive(Debug, Deserialize)]
    struct Whole<'t> {
        #[serde(borrow)]
        name: Text<'t>,
        #[serde(borrow)]
        parts: Vec<Part<'t>>,
    }

    #[expect(dead_code, reason = "most members are there to be refused")]
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Part<'t> {
        count: Option<u64>,
        real: Option<f64>,
        is_good: Option<bool>,
        #[serde(borrow)]
        number: Option<Number<'t>>,
        pair: Option<Pair>,
        side: Option<Side>,
        list: Option<Vec<String>>,
    }

    #[derive(Debug, Deserialize)]
    struct Pair(u64, u64);

    #[derive(Debug, Deserialize)]
    enum Side {
        Left(u64),
        Right,
    }

    #[test]
    fn what_stands_in_the_place_of_something_else_is_said() {
        for (part, expected) in [
            (
                "[1]",
                "in `parts[1]`, a list stands where an object is expected",
            ),
            (
                "\"x\"",
                "in `parts[1]`, `\"x\"` stands where an object is expected",
            ),
            (
                r#"{"count": -1}"#,
                "in `parts[1].count`, `-1` stands where a whole number from 0 on is expected",
            ),
            (
                r#"{"count": "a, expected b"}"#,
                "in `parts[1].count`, `\"a, expected b\"` stands where a whole number from 0 on is expected",
            ),
            (
                r#"{"real": {"a": 1}}"#,
                "in `parts[1].real`, an object stands where a number is expected",
            ),
            (
                r#"{"real": 1e999}"#,
                "in `parts[1].real`, `1e999` is larger than any number that is read",
            ),
            (
                r#"{"is_good": 1}"#,
                "in `parts[1].is_good`, `1` stands where `true` or `false` is expected",
            ),
            (
                r#"{"number": "x"}"#,
                "in `parts[1].number`, `\"x\"` stands where a number is expected",
            ),
        ] {
            check(part, expected);
        }
    }

    #[test]
    fn what_is_wrong_with_the_form_of_a_value_is_said() {
        for (part, expected) in [
            (
                r#"{"pair": [1]}"#,
                "in `parts[1].pair`, a list stands where a list of 2 is expected",
            ),
            (
                r#"{"side": "Middle"}"#,
                "in `parts[1].side`, `Middle` stands where `Left` or `Right` is expected",
            ),
            (
                r#"{"side": {"Left": []}}"#,
                "in `parts[1].side.Left`, a list stands where a whole number from 0 on is expected",
            ),
            (
                r#"{"side": "Left"}"#,
                "in `parts[1].side`, `\"Left\"` stands where an object is expected",
            ),
            (
                r#"{"side": {"Right": 1}}"#,
                "in `parts[1].side.Right`, `1` stands where `null` is expected",
            ),
            (
                r#"{"side": [7]}"#,
                "in `parts[1].side`, a list stands where an object with one member is expected",
            ),
            (
                r#"{"side": {}}"#,
                "in `parts[1].side`, an object stands where an object with one member is expected",
            ),
            (
                r#"{"list": ["a", null]}"#,
                "in `parts[1].list[1]`, `null` stands where a text is expected",
            ),
            (
                r#"{"count": 1, "count": 2}"#,
                "in `parts[1]`, the member `count` stands twice",
            ),
        ] {
            check(part, expected);
        }
    }

    fn check(part: &str, expected: &str) {
        let text = format!("{{\"name\": \"a\", \"parts\": [{{}}, {part}]}}");
        let said = read::<Whole<'_>>(&text).expect_err(&text);
        assert_eq!(said.said_with_path(&text), expected);
        // It is said of the part, or of something in it.
        assert!(said.said(&text).at >= text.len() - part.len() - 2, "{text}");
    }

    #[test]
    fn what_is_wrong_with_all_has_no_path() {
        for (text, expected) in [
            ("[\"a\", []]", "a list stands where an object is expected"),
            ("{\"parts\": []}", "the member `name` is missing"),
            ("{\"name\": tru", "it is cut off"),
            ("{\"name\": trux}", "expected ident"),
        ] {
            let said = read::<Whole<'_>>(text).expect_err(text);
            assert_eq!(said.said_with_path(text), expected);
        }
        let text = "{\"name\": \"a\", \"parts\": [{\"x\": 1}]}";
        let said = read::<Whole<'_>>(text)
            .expect_err(text)
            .said_with_path(text);
        let begin = "in `parts[0]`, the member `x` stands where one of `count`, `real`, ";
        assert!(said.starts_with(begin), "{said}");
        assert!(is_of_other_kind(&said));
    }

    #[test]
    fn what_is_right_is_read() {
        let text = r#"{"name": "a", "parts": [{"pair": [1, 2], "side": {"Left": 3}, "list": []}]}"#;
        let whole: Whole<'_> = read(text).unwrap();
        let part = &whole.parts[0];
        let pair = part.pair.as_ref().map(|Pair(one, other)| one + other);
        assert_eq!((&*whole.name, pair), ("a", Some(3)));
        assert!(matches!(part.side, Some(Side::Left(3))));
    }
}
