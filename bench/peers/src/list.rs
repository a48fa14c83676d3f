//! What a program of its own measured, as the list that github-action-benchmark reads and Tripline with it.

use std::fmt;

/// A value of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The benchmark with its parameters, in order: `store/uniform{store=ours,threads=2}`.
    pub benchmark: String,
    /// What was measured.
    pub metric: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The value.
    pub value: f64,
}

impl fmt::Display for Entry {
    /// Writes the entry as a JSON object. Nothing in it needs escaping.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            benchmark,
            metric,
            unit,
            value,
        } = self;
        write!(
            out,
            r#"{{"name":"peers/{benchmark} {metric}","unit":"{unit}","value":{value}}}"#
        )
    }
}

/// Returns the whole list.
#[must_use]
pub fn list(entries: &[Entry]) -> String {
    let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
    format!("[{}]", entries.join(","))
}

#[cfg(test)]
mod tests {
    use super::{Entry, list};

    #[test]
    fn a_list_is_json() {
        let entry = Entry {
            benchmark: "store/memory{store=ours}".to_owned(),
            metric: "resident",
            unit: "B",
            value: 12.0,
        };
        assert_eq!(
            list(&[entry.clone(), entry]),
            r#"[{"name":"peers/store/memory{store=ours} resident","unit":"B","value":12},{"name":"peers/store/memory{store=ours} resident","unit":"B","value":12}]"#
        );
    }
}
