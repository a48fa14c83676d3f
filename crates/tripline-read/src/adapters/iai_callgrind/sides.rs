//! What versions 3 to 6 say of a metric: the new value is `Left`, the old one `Right`, or both stand there.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::valgrind::Count;

/// The metrics of a tool, by the kind of tool. The tool's own name says more, so the kind is not kept.
#[derive(Deserialize)]
pub(super) enum ToolSummary<M> {
    None,
    #[serde(alias = "ErrorSummary")]
    ErrorTool(M),
    #[serde(alias = "DhatSummary")]
    Dhat(M),
    #[serde(alias = "CallgrindSummary")]
    Callgrind(M),
    Cachegrind(M),
}

impl<M> ToolSummary<M> {
    pub(super) fn into_metrics(self) -> Option<M> {
        match self {
            Self::None => None,
            Self::ErrorTool(m) | Self::Dhat(m) | Self::Callgrind(m) | Self::Cachegrind(m) => {
                Some(m)
            }
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Metrics {
    metrics: Sides<Value>,
}

/// What was measured now, before, or both.
#[derive(Deserialize)]
pub(super) enum Sides<T> {
    Left(T),
    Right(T),
    Both((T, T)),
}

impl<T> Sides<T> {
    /// Returns what was measured now.
    pub(super) fn into_new(self) -> Option<T> {
        match self {
            Self::Left(new) | Self::Both((new, _)) => Some(new),
            Self::Right(_) => None,
        }
    }
}

impl Metrics {
    pub(super) fn into_count(self) -> Count {
        self.metrics
            .into_new()
            .map_or(Count::NotMeasured, |value| value.0)
    }
}

/// A bare number up to version 4, and one that says of which kind it is from version 5 on.
struct Value(Count);

#[derive(Deserialize)]
enum OfKind {
    Int(u64),
    /// `null` where a rate was divided by zero.
    Float(Option<f64>),
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a count")
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Value, E> {
        Ok(Value(Count::Whole(n)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        let count = match OfKind::deserialize(MapAccessDeserializer::new(map))? {
            OfKind::Int(n) => Count::Whole(n),
            OfKind::Float(Some(value)) => Count::Real(value),
            OfKind::Float(None) => Count::Undefined,
        };
        Ok(Value(count))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}
