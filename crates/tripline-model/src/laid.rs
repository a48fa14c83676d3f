//! What belongs to benchmarks, laid out by their params: one param goes across, others down.
//!
//! Changes in a comment, values of a run and the trend pages are laid out alike. Two benchmarks never share a place as long
//! as all that they differ in goes across or down. Tested below, and by the snapshots of whoever shows it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{BenchId, ParamKey, ParamValue, Params};

/// Cells by what stands above them and at their left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid<'a, T> {
    across: &'a ParamKey,
    down: Vec<&'a ParamKey>,
    /// What stands above the columns, in order.
    pub values: BTreeSet<&'a ParamValue>,
    /// The rows, in order.
    pub lines: BTreeMap<Vec<&'a ParamValue>, BTreeMap<&'a ParamValue, T>>,
}

/// A param and its value.
pub type Pair<'a> = (&'a ParamKey, &'a ParamValue);

/// Returns the params of benchmarks that have more than one value among them, with these.
#[must_use]
pub fn varied<'a>(
    all: impl IntoIterator<Item = &'a Params>,
) -> BTreeMap<&'a ParamKey, BTreeSet<&'a ParamValue>> {
    let mut values: BTreeMap<&ParamKey, BTreeSet<&ParamValue>> = BTreeMap::new();
    for (key, value) in all.into_iter().flatten() {
        values.entry(key).or_default().insert(value);
    }
    values.retain(|_, values| values.len() > 1);
    values
}

impl<'a, T> Laid<'a, T> {
    /// Begins with nothing.
    #[must_use]
    pub fn new(across: &'a ParamKey, down: Vec<&'a ParamKey>) -> Self {
        Self {
            across,
            down,
            values: BTreeSet::new(),
            lines: BTreeMap::new(),
        }
    }

    /// Puts something into its place; nothing has one where a param is missing.
    pub fn put(&mut self, params: &'a Params, cell: T) {
        let line: Option<Vec<_>> = self.down.iter().map(|key| params.get(*key)).collect();
        if let (Some(line), Some(value)) = (line, params.get(self.across)) {
            self.values.insert(value);
            self.lines.entry(line).or_default().insert(value, cell);
        }
    }

    /// Returns what the benchmarks have in common: the name, and the params that go neither across nor down.
    #[must_use]
    pub fn common(&self, bench: &BenchId) -> BenchId {
        let mut bench = bench.clone();
        let is_laid = |key: &ParamKey| key == self.across || self.down.contains(&key);
        bench.params.retain(|key, _| !is_laid(key));
        bench
    }

    /// Returns what stands above the columns.
    pub fn heads(&self) -> impl Iterator<Item = Pair<'a>> {
        self.values.iter().map(|value| (self.across, *value))
    }

    /// Returns what stands left of a row.
    pub fn side(&self, line: &[&'a ParamValue]) -> impl Iterator<Item = Pair<'a>> {
        self.down.iter().copied().zip(line.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BenchName, SuiteName};

    fn bench(params: &[(&str, &str)]) -> BenchId {
        let param = |(key, value): &(&str, &str)| {
            (ParamKey::new(key).unwrap(), ParamValue::new(value).unwrap())
        };
        BenchId {
            suite: SuiteName::new("kv").unwrap(),
            name: BenchName::new("get").unwrap(),
            params: params.iter().map(param).collect(),
        }
    }

    #[test]
    fn one_param_goes_across_and_others_down() {
        let all = [("64", "8"), ("1024", "1"), ("64", "1")].map(|(bytes, threads)| {
            bench(&[("bytes", bytes), ("threads", threads), ("mode", "a")])
        });
        let lacking = bench(&[("bytes", "64")]);
        let known = varied(all.iter().chain([&lacking]).map(|bench| &bench.params));
        let keys: Vec<&ParamKey> = known.keys().copied().collect();
        assert_eq!(
            keys.iter().map(|key| key.as_str()).collect::<Vec<_>>(),
            ["bytes", "threads"]
        );
        let mut laid = Laid::new(keys[0], vec![keys[1]]);
        for (index, bench) in all.iter().enumerate() {
            laid.put(&bench.params, index);
        }
        laid.put(&lacking.params, 9);
        let said = |(key, value): Pair<'_>| format!("{key}={value}");
        assert_eq!(
            laid.heads().map(said).collect::<Vec<_>>(),
            ["bytes=64", "bytes=1024"]
        );
        let rows = laid.lines.iter().map(|(line, cells)| {
            let side: Vec<String> = laid.side(line).map(said).collect();
            (
                side.join(" "),
                cells.values().copied().collect::<Vec<usize>>(),
            )
        });
        let expected = [
            ("threads=1".to_owned(), vec![2, 1]),
            ("threads=8".to_owned(), vec![0]),
        ];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
        assert_eq!(laid.common(&all[0]), bench(&[("mode", "a")]));
    }
}
