//! Expressions over metrics: `throughput{streams=1} / throughput{streams=4}`.
//!
//! ```text
//! sum     = product { ( "+" | "-" ) product }
//! product = factor { ( "*" | "/" ) factor }
//! factor  = number | term | "(" sum ")"
//! term    = [ benchmark ":" ] metric [ "{" param "=" value { "," param "=" value } "}" ]
//! ```
//!
//! *Note:* operators stand between spaces, because `/`, `-` and `*` are also characters of benchmarks' and metrics' names.
//! A benchmark's name may hold anything else too, with `\` before a space, a parenthesis or a brace; the metric follows
//! its last colon, which no metric holds.
//!
//! Tested below: values, every mistake with its place, and that no text makes it panic.

use tripline_model::{BenchId, BenchName, MetricName, ParamKey};

use super::parser::{self, ExpressionError};
use crate::pattern::BenchPattern;

/// The most terms of one expression: beyond it, nobody can say what a change of the value means.
pub(super) const TERMS_MAX: usize = 10;

/// An expression over metrics of benchmarks.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    pub(super) text: String,
    pub(super) terms: Vec<Term>,
    pub(super) root: Node,
}

/// A metric of some benchmarks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    /// As it was written.
    pub(super) text: String,
    /// The metric.
    pub(super) metric: MetricName,
    /// The benchmarks.
    pub(super) pattern: BenchPattern,
}

/// A part of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// A number.
    Number(f64),
    /// A term, by its place among the expression's terms.
    Term(usize),
    /// Two parts and what is done with them.
    Pair(Box<Self>, Operator, Box<Self>),
}

/// What is done with two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// Their sum.
    Plus,
    /// Their difference.
    Minus,
    /// Their product.
    Times,
    /// Their quotient.
    Over,
}

impl Expression {
    /// Understands an expression.
    ///
    /// # Errors
    /// Says what was expected, and where.
    pub fn new(text: &str) -> Result<Self, ExpressionError> {
        parser::parse(text)
    }

    /// Returns the value where each term has the value at its place.
    pub(super) fn value(&self, terms: &[f64]) -> f64 {
        self.root.value(terms)
    }
}

impl std::fmt::Display for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.text)
    }
}

impl Node {
    fn value(&self, terms: &[f64]) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Term(place) => terms[*place],
            Self::Pair(left, operator, right) => {
                let (left, right) = (left.value(terms), right.value(terms));
                match operator {
                    Operator::Plus => left + right,
                    Operator::Minus => left - right,
                    Operator::Times => left * right,
                    Operator::Over => left / right,
                }
            }
        }
    }
}

impl Term {
    /// Returns whether it is about a benchmark.
    pub(super) fn is_about(&self, bench: &BenchId) -> bool {
        self.pattern.matches(bench)
    }

    /// Returns the params it asks for.
    pub(super) fn params(&self) -> impl Iterator<Item = &ParamKey> {
        self.pattern.params()
    }

    /// Returns the benchmark's name where the term leaves it open.
    pub(super) fn open_name<'a>(&self, bench: &'a BenchId) -> Option<&'a BenchName> {
        (!self.pattern.has_whole_name()).then_some(&bench.name)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn products_bind_stronger_than_sums_and_the_left_comes_first() {
        let value = |text: &str| Expression::new(text).unwrap().value(&[2.0, 3.0, 5.0, 7.0]);
        assert_eq!(value("a + b * c - d"), 2.0 + 15.0 - 7.0);
        assert_eq!(value("a - b - c"), -6.0);
        assert_eq!(value("a / b / c"), 2.0 / 3.0 / 5.0);
        assert_eq!(value("(a + b) * (c - d)"), -10.0);
        assert_eq!(value("a / (b / (c))"), 2.0 / (3.0 / 5.0));
        assert_eq!(value("2.5e1 * a + .5"), 50.5);
    }

    #[test]
    fn a_term_names_a_metric_and_perhaps_a_benchmark_and_params() {
        for (text, metric, pattern) in [
            ("throughput", "throughput", "*"),
            ("throughput{streams=1}", "throughput", "*{streams=1}"),
            (
                "transport/stream:wall_time{n=1,m=2}",
                "wall_time",
                "transport/stream{n=1,m=2}",
            ),
            ("Vec<T>::push:l1-hits.x", "l1-hits.x", "Vec<T>::push"),
            (
                r"with\ a\ \(b\):wall_time{x=a b (c)}",
                "wall_time",
                r"with\ a\ \(b\){x=a b (c)}",
            ),
            ("kv/*:instructions", "instructions", "kv/*"),
        ] {
            let expression = Expression::new(text).unwrap();
            let [term] = expression.terms.as_slice() else {
                panic!("{text} is one term");
            };
            assert_eq!((term.metric.as_str(), term.text.as_str()), (metric, text));
            assert_eq!(term.pattern, BenchPattern::new(pattern).unwrap());
        }
    }

    #[test]
    fn a_term_that_stands_twice_is_one() {
        let expression = Expression::new("a / (a + b{x=1})").unwrap();
        assert_eq!(expression.terms.len(), 2);
        assert_eq!(expression.value(&[1.0, 3.0]), 0.25);
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let error = |text: &str| Expression::new(text).unwrap_err().to_string();
        for (text, wanted) in [
            ("", "expected a number, a metric or `(` at character 1"),
            ("a /", "expected a number, a metric or `(` at character 4"),
            (
                "a / / b",
                "expected a number, a metric or `(` at character 5",
            ),
            ("(a / b", "expected an operator or `)` at character 7"),
            ("a / b)", "expected an operator or the end at character 6"),
            ("a b", "expected an operator or the end at character 3"),
            ("1 / 2", "expected at least one metric at character 1"),
            (
                "a/b",
                "`a/b` is no metric; operators stand between spaces, and a benchmark's name before `:`, at character 1",
            ),
            (
                "x / y:",
                "`` is no metric; operators stand between spaces, and a benchmark's name before `:`, at character 7",
            ),
            (
                ":a",
                "expected a benchmark's name before `:` at character 1",
            ),
            ("a{", "expected a param's key at character 3"),
            ("1 + kv/get:a{b}", "expected `=` after `b` at character 15"),
            ("1 + a{b=1}c", "expected nothing after `}` at character 11"),
            ("1e999 * a", "`1e999` is no finite number at character 1"),
            ("0x10 * a", "`0x10` is no finite number at character 1"),
            (
                "a + b + c + d + e + f + g + h + i + j + k",
                "expected at most 10 terms at character 41",
            ),
        ] {
            assert_eq!(error(text), wanted, "{text}");
        }
        let deep = format!("{}a{}", "(".repeat(40), ")".repeat(40));
        assert_eq!(
            error(&deep),
            "expected at most 32 parentheses within one another at character 33"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_an_expression_or_an_error_with_a_place(text in r"[a1.:{}=,()+*/\\ -]{0,20}|\PC{0,12}") {
            match Expression::new(&text) {
                Ok(expression) => prop_assert!(!expression.terms.is_empty()),
                Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.at)),
            }
        }
    }
}
