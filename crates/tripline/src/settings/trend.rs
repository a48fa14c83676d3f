//! `[trend]`: by which method the pages find changes of level, and how Otava's is set, for whoever comes from there.
//!
//! Tested with the settings and by `command::site::lines`.

use serde::Deserialize;
use tripline_judge::trend::EDivisive;

use super::Share;

/// The fewest values that a window of Otava's can be cut in two halves of.
const WINDOW_MIN: usize = 4;

/// By which method changes of level are found.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(try_from = "Table")]
pub(crate) enum TrendMethod {
    /// The whole series at once.
    #[default]
    Whole,
    /// One commit after the other, with a past that stays as it was told.
    OneByOne,
    /// As Apache Otava does.
    EDivisive(EDivisive),
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    #[default]
    Whole,
    OneByOne,
    EDivisive,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
struct Table {
    method: Word,
    window: Option<usize>,
    p: Option<f64>,
    magnitude: Option<Share>,
}

impl TryFrom<Table> for TrendMethod {
    type Error = String;

    fn try_from(table: Table) -> Result<Self, String> {
        let given = [
            ("window", table.window.is_some()),
            ("p", table.p.is_some()),
            ("magnitude", table.magnitude.is_some()),
        ];
        let first = given.iter().find(|(_, is_given)| *is_given);
        let other = match table.method {
            Word::EDivisive => return table.divisive().map(Self::EDivisive),
            Word::Whole => Self::Whole,
            Word::OneByOne => Self::OneByOne,
        };
        match first {
            Some((name, _)) => Err(format!("`{name}` is about `method = \"e-divisive\"` alone")),
            None => Ok(other),
        }
    }
}

impl Table {
    fn divisive(&self) -> Result<EDivisive, String> {
        let recommended = EDivisive::recommended();
        let set = EDivisive {
            window: self.window.unwrap_or(recommended.window),
            p: self.p.unwrap_or(recommended.p),
            magnitude: self
                .magnitude
                .map_or(recommended.magnitude, |share| share.0),
        };
        if set.window < WINDOW_MIN {
            return Err(format!("a `window` has {WINDOW_MIN} values at least"));
        }
        if !(set.p > 0.0 && set.p <= 1.0) {
            return Err("`p` is a chance: above 0, and 1 at most".to_owned());
        }
        if set.magnitude.is_infinite() {
            return Err("a `magnitude` that nothing has finds nothing".to_owned());
        }
        Ok(set)
    }
}
