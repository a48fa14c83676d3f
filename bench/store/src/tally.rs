//! What is counted beside instructions: the allocations of a pass, and the syncs that its records waited for.
//!
//! Each is written as an entry of the list that github-action-benchmark reads, which our readers know a metric in by the
//! name that our exporter gives it.
//!
//! Tests: the exact form, and the syncs of one who appends alone.

use std::fmt;

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

impl fmt::Display for Tally {
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
            r#"{{"name":"store/{benchmark} {metric}","unit":"{unit}","value":{value}}}"#
        )
    }
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

    use super::syncs;
    use crate::log::{Place, Records, Scratch, append, append_batch};

    #[test]
    fn a_tally_is_one_json_object() {
        let entry = r#"{"name":"store/log/append{sync=always} syncs","unit":"count","value":10}"#;
        assert_eq!(
            syncs("log/append{sync=always}".to_owned(), 10).to_string(),
            entry
        );
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
