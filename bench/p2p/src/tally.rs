//! What is no count of instructions, as entries of the list that github-action-benchmark reads.
//!
//! Tests: the exact form.

/// One number of one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// The name of the benchmark with its parameters, in order: `substreams{count=1,pair=ours-ours}`.
    pub benchmark: String,
    /// What was measured.
    pub metric: &'static str,
    /// The unit of that.
    pub unit: &'static str,
    /// How much there was.
    pub value: f64,
}

/// Returns the list of the suite. Nothing in it needs escaping.
#[must_use]
pub fn list(tallies: &[Tally]) -> String {
    let entry = |tally: &Tally| {
        let Tally {
            benchmark,
            metric,
            unit,
            value,
        } = tally;
        format!(r#"{{"name":"p2p/{benchmark} {metric}","unit":"{unit}","value":{value}}}"#)
    };
    let entries: Vec<String> = tallies.iter().map(entry).collect();
    format!("[{}]", entries.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_are_a_list_of_json_objects() {
        let tally = Tally {
            benchmark: "substreams{count=1,pair=ours-ours}".to_owned(),
            metric: "time_to_all",
            unit: "ns",
            value: 10.0,
        };
        let entry = r#"{"name":"p2p/substreams{count=1,pair=ours-ours} time_to_all","unit":"ns","value":10}"#;
        assert_eq!(list(&[]), "[]");
        assert_eq!(
            list(&[tally.clone(), tally]),
            format!("[{entry},\n{entry}]")
        );
    }
}
