//! What belongs to benchmarks, laid out by their params: one param goes across, others down.
//!
//! Changes in a comment and values of a run are laid out alike. Two benchmarks never share a place as long as all that
//! they differ in goes across or down. Tested by the snapshots of both.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::{BenchId, ParamKey, ParamValue, Params};

use super::rows;

/// Cells by what stands above them and at their left.
#[derive(Debug)]
pub(super) struct Laid<'a, T> {
    across: &'a ParamKey,
    down: Vec<&'a ParamKey>,
    /// What stands above the columns, in order.
    pub(super) values: BTreeSet<&'a ParamValue>,
    /// The rows, in order.
    pub(super) lines: BTreeMap<Vec<&'a ParamValue>, BTreeMap<&'a ParamValue, T>>,
}

impl<'a, T> Laid<'a, T> {
    /// Begins with nothing.
    pub(super) fn new(across: &'a ParamKey, down: Vec<&'a ParamKey>) -> Self {
        Self {
            across,
            down,
            values: BTreeSet::new(),
            lines: BTreeMap::new(),
        }
    }

    /// Puts something into its place; nothing has one where a param is missing.
    pub(super) fn put(&mut self, params: &'a Params, cell: T) {
        let line: Option<Vec<_>> = self.down.iter().map(|key| params.get(*key)).collect();
        if let (Some(line), Some(value)) = (line, params.get(self.across)) {
            self.values.insert(value);
            self.lines.entry(line).or_default().insert(value, cell);
        }
    }

    /// Returns what the benchmarks have in common: the name, and the params that go neither across nor down.
    pub(super) fn common(&self, bench: &BenchId) -> BenchId {
        let mut bench = bench.clone();
        let is_laid = |key: &ParamKey| key == self.across || self.down.contains(&key);
        bench.params.retain(|key, _| !is_laid(key));
        bench
    }

    /// Says what stands above the columns.
    pub(super) fn heads(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|value| pair(self.across, value))
    }

    /// Says what stands left of a row.
    pub(super) fn side(&self, line: &[&ParamValue]) -> String {
        let keys = self.down.iter().zip(line);
        let pairs: Vec<String> = keys.map(|(key, value)| pair(key, value)).collect();
        pairs.join(" ")
    }
}

fn pair(key: &ParamKey, value: &ParamValue) -> String {
    rows::name(&[key.as_str(), "=", value.as_str()].concat())
}
