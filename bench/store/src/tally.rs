//! What is counted beside instructions: the allocations of a pass, and the syncs that its records waited for.
//!
//! Tests: the syncs of one who appends alone.

pub use criterion::tally::{Tally, list};

/// Returns how much of something a benchmark took.
#[must_use]
pub fn counted(benchmark: &str, metric: &'static str, unit: &'static str, count: u64) -> Tally {
    Tally::of(benchmark, metric, unit, count as f64)
}

/// Returns the syncs of a benchmark of the log.
#[must_use]
pub fn syncs(benchmark: &str, count: u64) -> Tally {
    counted(benchmark, "syncs", "count", count)
}

#[cfg(test)]
mod tests {
    use workload_store::log::Sync;

    use crate::log::{Place, Records, Scratch, append, append_batch};

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
