//! Reading JSON that somebody else wrote: texts borrowed from the input where they can be, objects whose members keep
//! their order and their duplicates, and errors as problems with a place.
//!
//! Members an adapter does not know are skipped, because a harness may add some at any time. Tested through the
//! adapters' fixtures and the damaged inputs in `tests/it`.

mod depth;
mod misread;
mod number;
mod plain;
mod strict;
mod walk;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::document::{Block, Document};
use crate::place::Problem;

pub use depth::JSON_DEPTH_MAX;
pub(crate) use misread::{Misread, is_of_other_kind, read};
pub(crate) use number::{MaybeNumber, Number};
pub(crate) use plain::plain_numbers;
pub(crate) use walk::Walk;

/// The longest object that is read. The largest real ones, benchmarks with hundreds of threads, have a megabyte.
pub(crate) const OBJECT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// What is said of a text that ends within a value.
const CUT_OFF: &str = "the result is cut off here";

/// A text that is borrowed from the input unless it holds escapes.
///
/// *Note:* `Cow` alone is always owned once it stands in an `Option` or a map, which costs an allocation per name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text<'a>(Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl<'a> From<Text<'a>> for Cow<'a, str> {
    fn from(text: Text<'a>) -> Self {
        text.0
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

impl<'de: 't, 't> Deserialize<'de> for Text<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

/// The members of an object, in order. A name that stands twice stays twice: it is the adapter's to refuse.
#[derive(Debug)]
pub(crate) struct Members<'a, V>(pub(crate) Vec<(Text<'a>, V)>);

impl<V> Default for Members<'_, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

struct MembersVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for MembersVisitor<V> {
    type Value = Members<'de, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

impl<'de: 't, 't, V: Deserialize<'de>> Deserialize<'de> for Members<'t, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor(PhantomData))
    }
}

/// Reads an object of a document.
pub(crate) fn parse<'t, T: Deserialize<'t>>(
    document: &Document<'_>,
    block: &Block<'t>,
) -> Result<T, Problem> {
    check_limits(document, block)?;
    read(block.text).map_err(|misread| of_block(document, block, &misread))
}

/// Says why an object of a document was not read.
pub(crate) fn of_block(document: &Document<'_>, block: &Block<'_>, misread: &Misread) -> Problem {
    let part = Part {
        text: block.text,
        line: block.line,
        column: 1,
        start: 0,
    };
    of_part(document, &part, misread, &mut Walk::new(block.text))
}

/// Reads a value that an object holds, or says what is wrong with it.
pub(crate) fn part<'t, T: Deserialize<'t>>(raw: &'t RawValue) -> Result<T, String> {
    read(raw.get()).map_err(|misread| misread.said_with_path(raw.get()))
}

/// Reads the value of a member, or says what is wrong with it.
pub(crate) fn member<'t, T: Deserialize<'t>>(name: &str, raw: &'t RawValue) -> Result<T, String> {
    read(raw.get()).map_err(|misread| misread.said_of_member(name, raw.get()))
}

/// What is said of every object beyond a limit.
const A_RESULT_OF: &str = "a result of ";

/// Returns whether it is said that an object is beyond a limit: to run the suite again would not help.
pub(crate) fn is_beyond_limits(said: &str) -> bool {
    said.starts_with(A_RESULT_OF)
}

/// Refuses an object that is too large or too deep to be a result.
pub(crate) fn check_limits(document: &Document<'_>, block: &Block<'_>) -> Result<(), Problem> {
    let bytes = block.text.len();
    let text = if bytes > OBJECT_BYTES_MAX {
        format!("{A_RESULT_OF}{bytes} bytes, more than the {OBJECT_BYTES_MAX} allowed")
    } else if depth::is_too_deep(block.text) {
        format!(
            "{A_RESULT_OF}more than the {JSON_DEPTH_MAX} values in one another that are allowed"
        )
    } else {
        return Ok(());
    };
    let place = document.place(block.line, 1);
    Err(Problem { place, text })
}

/// Says what is wrong with a text that begins at a line and is no JSON, and where.
pub(crate) fn problem(document: &Document<'_>, line: usize, error: &serde_json::Error) -> Problem {
    let lines = error.line().saturating_sub(1);
    let place = document.place(line + lines, error.column().max(1));
    let text = match error.is_eof() {
        true => CUT_OFF.to_owned(),
        false => format!("the result cannot be read: {}", misread::syntax(error)),
    };
    Problem { place, text }
}

/// A part of a larger text, read by itself.
pub(crate) struct Part<'t> {
    pub(crate) text: &'t str,
    /// Where it begins in the document.
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The byte at which it begins in the larger text.
    pub(crate) start: usize,
}

/// Says why a part was not read, and where in the larger text.
pub(crate) fn of_part(
    document: &Document<'_>,
    part: &Part<'_>,
    misread: &Misread,
    whole: &mut Walk<'_>,
) -> Problem {
    let said = misread.said(part.text);
    let before = &part.text.as_bytes()[..said.at];
    let lines = before.iter().filter(|byte| **byte == b'\n').count();
    let column = match before.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => said.at - end,
        None => part.column + said.at,
    };
    let place = document.place(part.line + lines, column);
    let text = match misread.is_cut_off() {
        true => CUT_OFF.to_owned(),
        false => format!(
            "the result cannot be read: {}",
            said.within(whole, part.start)
        ),
    };
    Problem { place, text }
}
