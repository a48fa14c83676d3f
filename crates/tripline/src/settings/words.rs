//! The words of settings: shares, gates, directions, methods.
//!
//! Tested with the settings.

use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use tripline_judge::{Beyond, Outcomes};
use tripline_model::{Better, Gate, Method};

/// A share, written in percent: a bare number would leave open whether 2 is two percent or twice as much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Share(pub(crate) f64);

/// Takes a share.
struct InPercent;

impl Visitor<'_> for InPercent {
    type Value = Share;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a share such as \"2 %\", or \"never\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Share, E> {
        if text == "never" {
            return Ok(Share(f64::INFINITY));
        }
        let number = text.strip_suffix('%').map(str::trim_end);
        // A sign, `inf` and `nan` are numbers to the parser and no shares.
        let digits = number.filter(|number| number.starts_with(|c: char| c.is_ascii_digit()));
        let percent: Option<f64> = digits.and_then(|digits| digits.parse().ok());
        match percent.filter(|percent| percent.is_finite()) {
            Some(percent) => Ok(Share(percent / 100.0)),
            None => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InPercent)
    }
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GateWord {
    Pass,
    Warn,
    Fail,
}

impl GateWord {
    fn gate(self) -> Gate {
        match self {
            Self::Pass => Gate::Pass,
            Self::Warn => Gate::Warn,
            Self::Fail => Gate::Fail,
        }
    }
}

/// The most that is done about a change, as soon as it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MostWord {
    Show,
    Warn,
    Fail,
}

/// What is done about a value beyond an absolute limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BeyondWord {
    Warn,
    FailBeside,
    Fail,
}

impl From<BeyondWord> for Beyond {
    fn from(word: BeyondWord) -> Self {
        match word {
            BeyondWord::Warn => Self::Warn,
            BeyondWord::FailBeside => Self::FailBeside,
            BeyondWord::Fail => Self::Fail,
        }
    }
}

/// Which direction is an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BetterWord {
    Lower,
    Higher,
    Neither,
}

impl From<BetterWord> for Better {
    fn from(word: BetterWord) -> Self {
        match word {
            BetterWord::Lower => Self::Lower,
            BetterWord::Higher => Self::Higher,
            BetterWord::Neither => Self::Neither,
        }
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MethodWord {
    Exact,
    Paired,
    Historical,
    Budget,
    BaselineOnly,
}

impl From<MethodWord> for Method {
    fn from(word: MethodWord) -> Self {
        match word {
            MethodWord::Exact => Self::Exact,
            MethodWord::Paired => Self::Paired,
            MethodWord::Historical => Self::Historical,
            MethodWord::Budget => Self::Budget,
            MethodWord::BaselineOnly => Self::BaselineOnly,
        }
    }
}

/// What is done where there is no change to judge; what is not said stays as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct OutcomesTable {
    first_run: Option<GateWord>,
    inconclusive: Option<GateWord>,
    removed: Option<GateWord>,
    broken: Option<GateWord>,
    stale: Option<GateWord>,
}

impl OutcomesTable {
    /// Lays it over what held before.
    pub(crate) fn over(self, before: Outcomes) -> Outcomes {
        let over = |word: Option<GateWord>, gate: Gate| word.map_or(gate, GateWord::gate);
        Outcomes {
            first_run: over(self.first_run, before.first_run),
            inconclusive: over(self.inconclusive, before.inconclusive),
            removed: over(self.removed, before.removed),
            broken: over(self.broken, before.broken),
            stale: over(self.stale, before.stale),
        }
    }
}
