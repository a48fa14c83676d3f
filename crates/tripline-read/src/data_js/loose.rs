//! A value of whatever type it may have: a number that is a text, a text that is null.
//!
//! Reading never stops at a value of the wrong type; what it means that it is none is for `gather` to say.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::Text;

/// A value that may be of any type.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Loose<'t> {
    Text(Cow<'t, str>),
    Number(f64),
    Truth(bool),
    /// No value.
    #[default]
    Nothing,
    Null,
    /// A list or an object, as JSON.
    Json(Box<str>),
}

impl<'t> Loose<'t> {
    /// Returns the text, if it is one.
    pub(super) fn text(&self) -> Option<&Cow<'t, str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Truth(_) | Self::Nothing | Self::Null | Self::Json(_) => None,
        }
    }

    /// Returns whether nothing but a text is said.
    pub(super) fn is_text_or_nothing(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Nothing | Self::Null)
    }

    /// Returns whether something is said.
    pub(super) fn is_said(&self) -> bool {
        !matches!(self, Self::Nothing)
    }
}

/// Reads a value of any type with a visitor that takes any.
#[derive(Clone, Copy)]
pub(super) struct Any<V>(pub(super) V);

impl<'t, V: Visitor<'t>> DeserializeSeed<'t> for Any<V> {
    type Value = V::Value;
    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_any(self.0)
    }
}

/// Says what becomes of values of the types that a visitor does not look at.
macro_rules! others {
    ($life:lifetime, $other:expr, [$($what:ident),*]) => { $(others!(@ $life, $other, $what);)* };
    (@ $life:lifetime, $other:expr, boolean) => {
        fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> { Ok($other) }
    };
    (@ $life:lifetime, $other:expr, scalar) => {
        others!(@ $life, $other, boolean);
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> { Ok($other) }
    };
    (@ $life:lifetime, $other:expr, text) => {
        fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> { Ok($other) }
    };
    (@ $life:lifetime, $other:expr, number) => {
        fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> { Ok($other) }
        fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> { Ok($other) }
        fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> { Ok($other) }
    };
    (@ $life:lifetime, $other:expr, list) => {
        fn visit_seq<A: SeqAccess<$life>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok($other)
        }
    };
    (@ $life:lifetime, $other:expr, object) => {
        fn visit_map<A: MapAccess<$life>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok($other)
        }
    };
}

pub(super) use others;

#[derive(Clone, Copy)]
pub(super) struct LooseVisitor;

impl<'t> Visitor<'t> for LooseVisitor {
    type Value = Loose<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<Loose<'t>, E> {
        Ok(Loose::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Loose<'t>, E> {
        Ok(Loose::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Loose<'t>, E> {
        Ok(Loose::Number(value as f64))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Loose<'t>, E> {
        Ok(Loose::Number(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Loose<'t>, E> {
        Ok(Loose::Number(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Loose<'t>, E> {
        Ok(Loose::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Loose<'t>, E> {
        Ok(Loose::Truth(value))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<Loose<'t>, A::Error> {
        let mut parts = Parts::new('[');
        while let Some(element) = list.next_element::<&RawValue>()? {
            parts.push(element.get());
        }
        Ok(parts.end(']'))
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Loose<'t>, A::Error> {
        let mut parts = Parts::new('{');
        while let Some((name, member)) = map.next_entry::<Text<'t>, &RawValue>()? {
            parts.push(&format!("{}:{}", quoted(&name), member.get()));
        }
        Ok(parts.end('}'))
    }
}

/// The parts of a list or an object, which are kept as they are written.
struct Parts(String);

impl Parts {
    fn new(begin: char) -> Self {
        Self(begin.into())
    }

    fn push(&mut self, part: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(part);
    }

    fn end(mut self, end: char) -> Loose<'static> {
        self.0.push(end);
        Loose::Json(self.0.into())
    }
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
