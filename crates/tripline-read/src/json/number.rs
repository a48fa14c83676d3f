//! A number of a JSON text, kept as it is written until its unit is known: so that moving its point by a unit's digits
//! loses nothing. Tested below and through the adapters.

use serde::de::Unexpected;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::quantity::{Scale, number};

/// A number as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number<'t>(&'t str);

impl<'t> Number<'t> {
    fn of<E: serde::de::Error>(raw: &'t RawValue) -> Result<Self, E> {
        let text = raw.get();
        let refused = || E::invalid_type(Unexpected::Other(text), &"a number");
        number(text).map(|_| Self(text)).ok_or_else(refused)
    }

    /// Returns the number in a base unit. It is finite: JSON has no other numbers, and larger ones are refused below.
    pub(crate) fn in_scale(self, scale: Scale) -> f64 {
        scale.of_text(self.0).unwrap_or(f64::MAX)
    }

    /// Returns the number as it stands.
    pub(crate) fn value(self) -> f64 {
        number(self.0).unwrap_or(f64::MAX)
    }

    /// Returns the number, if it is whole and within what is counted exactly.
    pub(crate) fn count(self) -> Option<u64> {
        let value = self.value();
        crate::wall_time::whole(value).or_else(|| (value == 0.0).then_some(0))
    }
}

impl<'de: 't, 't> Deserialize<'de> for Number<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(<&'de RawValue>::deserialize(deserializer)?)
    }
}

/// A number, or none: `null`, or a text such as `NaN` or an empty one, where a program had nothing to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MaybeNumber<'t> {
    number: Option<Number<'t>>,
    is_nan: bool,
}

impl<'t> MaybeNumber<'t> {
    /// Returns the number, if it is one.
    pub(crate) fn number(self) -> Option<Number<'t>> {
        self.number
    }

    /// Returns whether it says itself that it is none, and is not just absent.
    pub(crate) fn is_nan(self) -> bool {
        self.is_nan
    }
}

impl<'de: 't, 't> Deserialize<'de> for MaybeNumber<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(deserializer)?;
        match raw.get() {
            "\"NaN\"" => Ok(Self {
                number: None,
                is_nan: true,
            }),
            "null" | "\"\"" | "\"-NaN\"" | "\"Infinity\"" | "\"-Infinity\"" | "\"+INF\""
            | "\"-INF\"" => Ok(Self::default()),
            _ => Number::of(raw).map(|number| Self {
                number: Some(number),
                is_nan: false,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::nanoseconds;

    #[test]
    fn a_number_is_exact_in_every_unit() {
        let numbers: Vec<Number<'_>> = serde_json::from_str("[4.35, 1.5e+01, 3]").unwrap();
        let scale = nanoseconds("us").unwrap();
        let values: Vec<f64> = numbers.iter().map(|n| n.in_scale(scale)).collect();
        assert_eq!(values, [4350.0, 15000.0, 3000.0]);
        let counts: Vec<_> = numbers.iter().map(|n| n.count()).collect();
        assert_eq!(counts, [None, Some(15), Some(3)]);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["null", "\"1\"", "[1]", "1e999", "true"] {
            assert!(serde_json::from_str::<Number<'_>>(text).is_err(), "{text}");
        }
    }
}
