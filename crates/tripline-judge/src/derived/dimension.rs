//! What kind of quantity a number is, so that nothing is added that cannot be, and a ratio is one.
//!
//! A count is a plain number: instructions per allocation is a ratio, and bytes per allocation are bytes. Units of one
//! kind are converted: bytes by nanoseconds are bytes per second, a billion times as many.
//!
//! Tested below.

use std::collections::BTreeMap;
use std::fmt;

use tripline_model::Unit;
use tripline_model::few;

use super::expression::{Node, Operator};

/// Nanoseconds in a second.
const PER_SECOND: f64 = 1e-9;

/// Bits in a byte.
const BITS: f64 = 8.0;

/// A kind of quantity: how often each unit it is made of stands above the line, or below it where negative.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Dimension(BTreeMap<String, i32>);

/// Two quantities that cannot be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) left: Dimension,
    pub(super) right: Dimension,
}

impl Dimension {
    /// Returns the kind of a unit, and how many of the units it is made of one of it is.
    pub(super) fn of(unit: &Unit) -> (Self, f64) {
        let (parts, scale): (&[(&str, i32)], f64) = match unit {
            Unit::Nanosecond => (&[("ns", 1)], 1.0),
            Unit::Byte => (&[("B", 1)], 1.0),
            Unit::Count | Unit::Ratio => (&[], 1.0),
            Unit::PerSecond => (&[("ns", -1)], PER_SECOND),
            Unit::BytePerSecond => (&[("B", 1), ("ns", -1)], PER_SECOND),
            Unit::BitPerSecond => (&[("B", 1), ("ns", -1)], PER_SECOND / BITS),
            Unit::Other(symbol) => (&[(symbol.as_str(), 1)], 1.0),
        };
        let parts = parts
            .iter()
            .map(|(name, power)| ((*name).to_owned(), *power));
        (Self(few::map_of(parts)), scale)
    }

    /// Returns the kind of an expression's value.
    pub(super) fn of_node(node: &Node, terms: &[Self]) -> Result<Self, Mismatch> {
        let (left, operator, right) = match node {
            Node::Number(_) => return Ok(Self::default()),
            Node::Term(place) => return Ok(terms[*place].clone()),
            Node::Pair(left, operator, right) => (left, operator, right),
        };
        let (left, right) = (Self::of_node(left, terms)?, Self::of_node(right, terms)?);
        match operator {
            Operator::Plus | Operator::Minus if left == right => Ok(left),
            Operator::Plus | Operator::Minus => Err(Mismatch { left, right }),
            Operator::Times => Ok(left.with(&right, 1)),
            Operator::Over => Ok(left.with(&right, -1)),
        }
    }

    fn with(mut self, other: &Self, sign: i32) -> Self {
        for (name, power) in &other.0 {
            *self.0.entry(name.clone()).or_default() += sign * power;
        }
        self.0.retain(|_, power| *power != 0);
        self
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("ratio");
        }
        let side = |above: bool| -> Vec<String> {
            let is_on_side = |(_, power): &(&String, &i32)| (**power > 0) == above;
            let text = |(name, power): (&String, &i32)| match power.unsigned_abs() {
                1 => name.clone(),
                power => format!("{name}^{power}"),
            };
            self.0.iter().filter(is_on_side).map(text).collect()
        };
        let (above, below) = (side(true).join(" * "), side(false).join(" / "));
        match (above.as_str(), below.as_str()) {
            (above, "") => f.write_str(above),
            ("", below) => write!(f, "1 / {below}"),
            (above, below) => write!(f, "{above} / {below}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::Expression;
    use super::*;

    /// Returns the kind of an expression whose terms have these units.
    fn kind(text: &str, units: &[&str]) -> String {
        let expression = Expression::new(text).unwrap();
        let unit = |symbol: &&str| Dimension::of(&Unit::from_symbol(symbol).unwrap()).0;
        let terms: Vec<Dimension> = units.iter().map(unit).collect();
        match Dimension::of_node(&expression.root, &terms) {
            Ok(dimension) => dimension.to_string(),
            Err(Mismatch { left, right }) => format!("{left} is not {right}"),
        }
    }

    #[test]
    fn what_cancels_is_gone() {
        for (text, units, wanted) in [
            ("a / b", ["ns", "ns"], "ratio"),
            ("a / b", ["B", "ns"], "B / ns"),
            ("a * b", ["B/s", "ns"], "B"),
            ("a * a / b", ["B", "ns"], "B^2 / ns"),
            ("1 / a / b", ["B", "ns"], "1 / B / ns"),
            ("2 * a / b", ["count", "count"], "ratio"),
            ("a / b", ["B", "count"], "B"),
            ("a / b", ["furlong", "furlong"], "ratio"),
            ("a + b", ["B/s", "bit/s"], "B / ns"),
            ("a - b", ["B", "ns"], "B is not ns"),
            ("a - b", ["count", "furlong"], "ratio is not furlong"),
            ("1 + a * b", ["1/s", "ns"], "ratio"),
        ] {
            assert_eq!(kind(text, &units), wanted, "{text} of {units:?}");
        }
    }

    #[test]
    fn units_of_one_kind_are_converted() {
        let scale = |symbol: &str| Dimension::of(&Unit::from_symbol(symbol).unwrap()).1;
        // A byte by a nanosecond is a billion bytes per second.
        let billion = scale("B") / scale("ns") / scale("B/s");
        assert!((billion - 1e9).abs() < 1e-3, "{billion}");
        assert_eq!(scale("B/s") / scale("bit/s"), 8.0);
    }
}
