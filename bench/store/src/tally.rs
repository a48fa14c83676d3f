//! What is counted beside instructions: the allocations of a pass, and the syncs that its records waited for.
//!
//! Each is written as an entry of the list that github-action-benchmark reads, which our readers know a metric in by the
//! name that our exporter gives it.
//!
//! Tests: the exact form, and the syncs of one who appends alone.

/// The number of one thing that a benchmark took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The name of the benchmark with its parameters, such as `queue/ack{priorities=1}`; they are in order.
    pub benchmark: String,
    /// What was counted.
    pub metric: &'static str,
    /// The unit of that.
    pub unit: &'static str,
    /// How much there was.
    pub value: u64,
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

impl Tally {
    /// Returns how much of something a benchmark took.
    #[must_use]
    pub fn of(benchmark: &str, metric: &'static str, unit: &'static str, value: u64) -> Self {
        Self {
            benchmark: benchmark.to_owned(),
            metric,
            unit,
            value,
        }
    }
}

/// Returns the syncs of a benchmark of the log.
#[must_use]
pub fn syncs(benchmark: String, value: u64) -> Tally {
    Tally {
        benchmark,
        metric: "syncs",
        unit: "count",
        value,
    }
}

#[cfg(test)]
mod tests {
    use workload_store::log::Sync;

    use super::{list, syncs};
    use crate::log::{Place, Records, Scratch, append, append_batch};

    #[test]
    fn tallies_are_a_list_of_json_objects() {
        let entry = r#"{"name":"store/log/append{sync=always} syncs","unit":"count","value":10}"#;
        let syncs = syncs("log/append{sync=always}".to_owned(), 10);
        assert_eq!(list("store", &[]), "[]");
        let twice = format!("[{entry},\n{entry}]");
        assert_eq!(list("store", &[syncs.clone(), syncs]), twice);
    }

    /// What the gate rests on: a sync for each record of one who waits, one for a batch, and none where nobody waits.
    #[test]
    fn who_waits_alone_pays_for_each_sync() {
        let records = Records::new(10);
        for (sync, alone, together) in [(Sync::Always, 10, 1), (Sync::Never, 0, 0)] {
            let scratch = Scratch::new(Place::Memory, sync);
            append(scratch.log(), &records, |number| assert!(number.is_ok()));
            assert_eq!(scratch.log().syncs(), alone);
            append_batch(scratch.log(), &records).unwrap();
            assert_eq!(scratch.log().syncs(), alone + together);
        }
    }
}
