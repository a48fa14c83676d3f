//! What versions 3 to 6 say of a metric: the new value is `Left`, the old one `Right`, or both stand there.

use serde::Deserialize;

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

/// A metric, its values written in one of two ways.
#[derive(Deserialize)]
pub(super) struct Metrics<V> {
    metrics: Sides<V>,
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

impl<V: Into<Count>> Metrics<V> {
    pub(super) fn into_count(self) -> Count {
        self.metrics
            .into_new()
            .map_or(Count::NotMeasured, Into::into)
    }
}

/// How values are written up to version 4.
pub(super) type Bare = u64;

/// How they are written from version 5 on.
#[derive(Deserialize)]
pub(super) enum OfKind {
    Int(u64),
    /// `null` where a rate was divided by zero.
    Float(Option<f64>),
}

impl From<Bare> for Count {
    fn from(value: Bare) -> Self {
        Self::Whole(value)
    }
}

impl From<OfKind> for Count {
    fn from(value: OfKind) -> Self {
        match value {
            OfKind::Int(n) => Self::Whole(n),
            OfKind::Float(Some(value)) => Self::Real(value),
            OfKind::Float(None) => Self::Undefined,
        }
    }
}
