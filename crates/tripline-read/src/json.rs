//! Reading JSON that somebody else wrote: texts borrowed from the input where they can be, objects whose members keep
//! their order and their duplicates, and errors as problems with a place.
//!
//! Members an adapter does not know are skipped, because a harness may add some at any time. Tested through the
//! adapters' fixtures and the damaged inputs in `tests/it`.

mod depth;
mod number;
mod plain;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::document::{Block, Document};
use crate::place::{Problem, shown};

pub use depth::JSON_DEPTH_MAX;
pub(crate) use number::{MaybeNumber, Number};
pub(crate) use plain::plain_numbers;

/// The longest object that is read. The largest real ones, benchmarks with hundreds of threads, have a megabyte.
pub(crate) const OBJECT_BYTES_MAX: usize = 64 * 1024 * 1024;

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

/// What has to be an object. A list would be read as well, as members in their order, and what is said of the first of
/// them that is no such member helps nobody.
#[derive(Debug)]
pub(crate) struct Object<T>(pub(crate) T);

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// Reads an object of a document.
pub(crate) fn parse<'t, T: Deserialize<'t>>(
    document: &Document<'_>,
    block: &Block<'t>,
) -> Result<T, Problem> {
    check_limits(document, block)?;
    serde_json::from_str(block.text).map_err(|error| problem(document, block.line, &error))
}

/// Refuses an object that is too large or too deep to be a result.
pub(crate) fn check_limits(document: &Document<'_>, block: &Block<'_>) -> Result<(), Problem> {
    let bytes = block.text.len();
    let text = if bytes > OBJECT_BYTES_MAX {
        format!("a result of {bytes} bytes, more than the {OBJECT_BYTES_MAX} allowed")
    } else if depth::is_too_deep(block.text) {
        format!("a result of more than the {JSON_DEPTH_MAX} values in one another that are allowed")
    } else {
        return Ok(());
    };
    let place = document.place(block.line, 1);
    Err(Problem { place, text })
}

/// Says what is wrong with an object that begins at a line, and where.
pub(crate) fn problem(document: &Document<'_>, line: usize, error: &serde_json::Error) -> Problem {
    problem_within(document, line, 1, error)
}

/// Says what is wrong with a part that begins within a line, and where.
pub(crate) fn problem_within(
    document: &Document<'_>,
    line: usize,
    column: usize,
    error: &serde_json::Error,
) -> Problem {
    let lines = error.line().saturating_sub(1);
    let before = if lines == 0 { column - 1 } else { 0 };
    let place = document.place(line + lines, before + error.column().max(1));
    let text = if error.is_eof() {
        "the result is cut off here".to_owned()
    } else {
        // The place is said in our own form, with the file; what serde says may hold text of the input.
        let said = error.to_string();
        let said = said
            .rsplit_once(" at line ")
            .map_or(&*said, |(text, _)| text);
        format!("the result cannot be read: {}", shown(said))
    };
    Problem { place, text }
}
