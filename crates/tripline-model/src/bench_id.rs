//! Which benchmark: suite, name and params. Comparisons join on this.
//!
//! The text form is `suite/name{key=value,key=value}`; it is for people and for patterns on the command line. Files
//! keep the parts apart.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use crate::names::{BenchName, NAME_BYTES_MAX, NameError, ParamKey, SuiteName, check_text};

/// The params of a benchmark, ordered by key.
pub type Params = BTreeMap<ParamKey, ParamValue>;

/// Names one benchmark.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BenchId {
    /// The suite it belongs to.
    pub suite: SuiteName,
    /// Its name within the suite.
    pub name: BenchName,
    /// What varies between benchmarks of one name.
    pub params: Params,
}

impl BenchId {
    /// Returns the id without its suite, the form used where the suite is plain from the context.
    #[must_use]
    pub fn within_suite(&self) -> String {
        let mut text = escaped(self.name.as_str(), &['{', '}']);
        for (index, (key, value)) in self.params.iter().enumerate() {
            text.push(if index == 0 { '{' } else { ',' });
            text.push_str(&escaped(key.as_str(), &['{', '}', ',', '=']));
            text.push('=');
            text.push_str(&escaped(value.as_str(), &['{', '}', ',', '=']));
        }
        if !self.params.is_empty() {
            text.push('}');
        }
        text
    }
}

impl fmt::Display for BenchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.suite, self.within_suite())
    }
}

/// Escapes the characters that carry the structure, so that two benchmarks never share a text.
fn escaped(text: &str, structural: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\\' || structural.contains(&c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// One param's value. Whole numbers sort as numbers, so that 64 comes before 1024 in every table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ParamValue(Box<str>);

impl ParamValue {
    /// Checks the text and keeps it.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn new(text: impl AsRef<str>) -> Result<Self, NameError> {
        let text = text.as_ref();
        check_text("the param value", text, NAME_BYTES_MAX)?;
        Ok(Self(text.into()))
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn number(&self) -> Option<u128> {
        self.0.parse().ok()
    }
}

impl Ord for ParamValue {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_kind = match (self.number(), other.number()) {
            (Some(a), Some(b)) => a.cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        // `064` and `64` are the same number and yet two values.
        by_kind.then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for ParamValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str, params: &[(&str, &str)]) -> BenchId {
        BenchId {
            suite: SuiteName::new("kv").unwrap(),
            name: BenchName::new(name).unwrap(),
            params: params
                .iter()
                .map(|(k, v)| (ParamKey::new(k).unwrap(), ParamValue::new(v).unwrap()))
                .collect(),
        }
    }

    #[test]
    fn what_is_wrong_with_a_value_is_said_of_the_value() {
        let error = ParamValue::new("a\nb").unwrap_err();
        assert!(
            error.to_string().starts_with("the param value holds"),
            "{error}"
        );
    }

    #[test]
    fn reads_as_in_the_documents() {
        let set = id("set", &[("mode", "persistent"), ("bytes", "64")]);
        assert_eq!(set.to_string(), "kv/set{bytes=64,mode=persistent}");
        assert_eq!(id("set", &[]).to_string(), "kv/set");
    }

    #[test]
    fn different_benchmarks_have_different_texts() {
        assert_ne!(
            id("a{b=c}", &[]).to_string(),
            id("a", &[("b", "c")]).to_string()
        );
        assert_ne!(
            id("a", &[("b", "c,d=e")]).to_string(),
            id("a", &[("b", "c"), ("d", "e")]).to_string()
        );
    }

    #[test]
    fn numbers_sort_as_numbers() {
        assert!(id("get", &[("bytes", "64")]) < id("get", &[("bytes", "1024")]));
        assert!(id("get", &[("bytes", "9")]) < id("get", &[("bytes", "all")]));
    }
}
