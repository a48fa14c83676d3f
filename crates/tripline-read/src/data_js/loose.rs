//! A value of whatever type it may have: a number that is a text, a text that is null.
//!
//! Reading never stops at a value of the wrong type; what it means that it is none is for `gather` to say.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value that may be of any type.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Loose<'t> {
    Text(Cow<'t, str>),
    Number(f64),
    Truth(bool),
    /// No value, or `null`.
    #[default]
    Nothing,
    /// Nothing that is looked at.
    Other,
}

impl<'t> Loose<'t> {
    /// Returns the text, if it is one.
    pub(super) fn text(&self) -> Option<&Cow<'t, str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Truth(_) | Self::Nothing | Self::Other => None,
        }
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
        Ok(Loose::Nothing)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Loose<'t>, E> {
        Ok(Loose::Truth(value))
    }

    others!('t, Loose::Other, [list, object]);
}
