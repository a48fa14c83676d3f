//! Which benchmark a test is: pytest's own name of it, with its params apart.
//!
//! The params are taken from the report and not from the name, where they stand without keys. Where one of them is no
//! plain value, pytest's id of them all takes their place. Tested by `fixtures/pytest_benchmark`.

use std::collections::BTreeMap;

use serde_json::Value;
use tripline_model::few;
use tripline_model::{BenchId, SuiteName};

use super::{Benchmark, Entry};
use crate::naming::bench_id;

/// The param that holds pytest's id of all params.
const ID: &str = "id";

/// The param that holds the group a test is shown in.
const GROUP: &str = "group";

/// How pytest-benchmark begins a text that stands for an object; what follows holds the object's address.
pub(super) const NO_VALUE: &str = "UNSERIALIZABLE[";

/// Returns which benchmark this is, by its params and by pytest's id of them.
pub(super) fn ids(
    suite: &SuiteName,
    benchmark: &Benchmark<'_>,
) -> Result<(BenchId, BenchId), String> {
    let fullname = &*benchmark.fullname;
    let id = benchmark.param.as_deref();
    let of_id = id.and_then(|id| fullname.strip_suffix(&format!("[{id}]")));
    let name = of_id.unwrap_or(fullname);
    let mut pairs: Vec<(&str, String)> = Vec::new();
    if let Some(group) = &benchmark.group {
        let text = plain(group).ok_or("its group is neither a text nor a number")?;
        pairs.push((GROUP, text));
    }
    let by_id = match of_id.and(id) {
        Some(id) if !id.trim().is_empty() => {
            let id = [(ID, id.to_owned())];
            let pairs: Vec<_> = pairs.iter().cloned().chain(id).collect();
            bench_id(suite, name, &pairs)
        }
        // No param is empty, so the name keeps the brackets.
        _ => bench_id(suite, fullname, &pairs),
    };
    let params = &benchmark.params;
    for (key, value) in params.iter().flat_map(|members| &members.0) {
        let is_taken = pairs.iter().any(|(known, _)| *known == &**key);
        match plain(value) {
            Some(text) if !is_taken => pairs.push((key, text)),
            _ => return by_id.map(|bench| (bench.clone(), bench)),
        }
    }
    match (bench_id(suite, name, &pairs), by_id) {
        (Ok(bench), Ok(by_id)) => Ok((bench, by_id)),
        // A text that is empty, or of many lines, is no param as it is; its id is.
        (Err(_), Ok(bench)) => Ok((bench.clone(), bench)),
        (Ok(bench), Err(_)) => Ok((bench.clone(), bench)),
        (Err(error), Err(_)) => Err(error),
    }
}

/// Returns a value as the text of a param, where it is a single one.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.starts_with(NO_VALUE) => None,
        Value::String(text) => Some(text.clone()),
        Value::Null => Some("None".to_owned()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Names by pytest's id those tests that have the same params, such as `1` and `"1"`.
pub(super) fn keep_apart(entries: &mut [Entry]) {
    let mut known: BTreeMap<&BenchId, &str> = BTreeMap::new();
    let mut shared: Vec<BenchId> = Vec::new();
    for entry in &*entries {
        let first = *known.entry(&entry.bench).or_insert(&entry.fullname);
        if first != entry.fullname {
            shared.push(entry.bench.clone());
        }
    }
    few::sort(&mut shared);
    for entry in entries {
        if shared.binary_search(&entry.bench).is_ok() {
            entry.bench = entry.by_id.clone();
        }
    }
}
