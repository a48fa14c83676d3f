//! What is neither an instruction nor a mean time, as entries of the list that github-action-benchmark reads.
//!
//! Tests: the exact form.

/// One number of one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// The name of the benchmark with its parameters, in order: `link/message{bytes=1024,delay_ms=2}`.
    pub benchmark: String,
    /// What was counted.
    pub metric: &'static str,
    /// The unit of that.
    pub unit: &'static str,
    /// How much there was.
    pub value: f64,
}

impl Tally {
    /// Returns a number of a benchmark.
    #[must_use]
    pub fn of(benchmark: &str, metric: &'static str, unit: &'static str, value: f64) -> Self {
        Self {
            benchmark: benchmark.to_owned(),
            metric,
            unit,
            value,
        }
    }
}

/// Returns the list of a suite. Nothing in it needs escaping.
#[must_use]
pub fn list(suite: &str, tallies: &[Tally]) -> String {
    let entry = |tally: &Tally| {
        let Tally {
            benchmark,
            metric,
            unit,
            value,
        } = tally;
        format!(r#"{{"name":"{suite}/{benchmark} {metric}","unit":"{unit}","value":{value}}}"#)
    };
    let entries: Vec<String> = tallies.iter().map(entry).collect();
    format!("[{}]", entries.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_are_a_list_of_json_objects() {
        let tally = Tally::of("link/idle{side=both}", "idle_bytes", "B", 10.0);
        let entry = r#"{"name":"transport/link/idle{side=both} idle_bytes","unit":"B","value":10}"#;
        assert_eq!(list("transport", &[]), "[]");
        let twice = format!("[{entry},\n{entry}]");
        assert_eq!(list("transport", &[tally.clone(), tally]), twice);
    }
}
