//! What the benchmarks of the log answered: a digest of what the log has, after it was opened anew.
//!
//! Taken in memory: what a log holds does not depend on the disk. Tests: the same answers every time, and none twice.

use workload_store::log::Sync;

use super::{BATCHES, Place, RECORD_BYTES, Records, Scratch, WRITERS, Writers, passes, writers};
use crate::answer::{Answer, Digest};

/// Returns the answers.
#[must_use]
pub fn answers() -> Vec<Answer> {
    let batches = BATCHES.map(|records| Answer {
        benchmark: "log/append_batch",
        params: vec![
            ("bytes", RECORD_BYTES.to_string()),
            ("records", records.to_string()),
            ("sync", "always".to_owned()),
        ],
        digest: batch(records),
    });
    let writers = WRITERS.map(|writers| Answer {
        benchmark: "log/append",
        params: vec![
            ("bytes", RECORD_BYTES.to_string()),
            ("sync", "always".to_owned()),
            ("writers", writers.to_string()),
        ],
        digest: of(&Writers::new(Place::Memory, Sync::Always, writers).answer()),
    });
    batches.into_iter().chain(writers).collect()
}

fn batch(records: usize) -> u64 {
    let mut scratch = Scratch::new(Place::Memory, Sync::Always);
    let appended = passes::append_batch(scratch.log(), &Records::new(records));
    scratch.reopen(appended.map_or(0, |numbers| numbers.end));
    of(&writers::sorted(scratch.log()))
}

fn of(records: &[Vec<u8>]) -> u64 {
    let mut digest = Digest::new();
    records.iter().for_each(|record| digest.value(Some(record)));
    digest.0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::answers;

    #[test]
    fn answers_are_the_same_every_time_and_differ_with_the_work() {
        let seen = answers();
        assert_eq!(seen, answers());
        let digests: BTreeSet<u64> = seen.iter().map(|it| it.digest).collect();
        assert_eq!(digests.len(), seen.len());
    }
}
