//! What the benchmarks of the log answered: a digest of what the passes returned, and of what a log that was written to
//! has when it is opened anew.
//!
//! Taken in memory: what a log holds does not depend on the disk. Tests: the same answers every time, and other answers
//! where other records are stored.

use workload_store::log::{Error, Sync};

use super::{BATCHES, Place, RECORD_BYTES, Records, Scratch, WRITERS, Writers, passes, writers};
use crate::answer::{Answer, Digest};

/// The number of records in a pass that no disk takes part in.
const PASS: usize = 1_000;

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
    // As many as are made durable at once: what the process does for that is the same, and is counted.
    let in_process = BATCHES.into_iter().filter(|records| *records != PASS);
    let in_process = in_process.map(|records| Answer {
        benchmark: "log/append_batch_unsynced",
        params: vec![
            ("bytes", RECORD_BYTES.to_string()),
            ("records", records.to_string()),
        ],
        digest: batch_unsynced(&Records::new(records)),
    });
    let unsynced = unsynced(&Records::new(PASS)).map(|(benchmark, digest)| Answer {
        benchmark,
        params: vec![
            ("bytes", RECORD_BYTES.to_string()),
            ("records", PASS.to_string()),
        ],
        digest,
    });
    let durable = batches.into_iter().chain(writers);
    durable.chain(in_process).chain(unsynced).collect()
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

/// The passes that no disk takes part in.
fn unsynced(records: &Records) -> [(&'static str, u64); 8] {
    let empty = Scratch::unsynced;
    let filled = || Scratch::filled(records);
    let append = pass(empty(), |scratch, digest| {
        passes::append(scratch.log(), records, |it| digest.number(count(it)));
        scratch.reopen(scratch.log().end());
        held(scratch, digest);
    });
    let sync = pass(empty(), |scratch, digest| {
        passes::sync(scratch.log(), records, |it| digest.number(count(it)));
        digest.number(scratch.log().syncs() as usize);
        held(scratch, digest);
    });
    let remove_covered = pass(Scratch::covered(records), |scratch, digest| {
        let removed = passes::remove_covered(scratch.log());
        digest.number(count(removed.map(|files| files as u64)));
        restored(scratch, digest);
    });
    let read = pass(filled(), held);
    let reopen = pass(filled(), |scratch, digest| {
        scratch.reopen(PASS as u64);
        held(scratch, digest);
    });
    let snapshot = pass(filled(), |scratch, digest| {
        digest.number(count(passes::snapshot(scratch.log(), records)));
        restored(scratch, digest);
    });
    let restore = pass(filled(), |scratch, digest| {
        passes::snapshot(scratch.log(), records).expect("there is room");
        restored(scratch, digest);
    });
    [
        ("log/append_unsynced", append),
        ("log/append_batch_unsynced", batch_unsynced(records)),
        ("log/sync", sync),
        ("log/remove_covered", remove_covered),
        ("log/read", read),
        ("log/reopen", reopen),
        ("log/snapshot", snapshot),
        ("log/restore", restore),
    ]
}

fn batch_unsynced(records: &Records) -> u64 {
    pass(Scratch::unsynced(), |scratch, digest| {
        let appended = passes::append_batch(scratch.log(), records);
        digest.number(count(appended.map(|numbers| numbers.end)));
        scratch.reopen(scratch.log().end());
        held(scratch, digest);
    })
}

fn pass(mut scratch: Scratch, see: impl FnOnce(&mut Scratch, &mut Digest)) -> u64 {
    let mut digest = Digest::new();
    see(&mut scratch, &mut digest);
    digest.0
}

/// Adds the records of a log, in their order.
fn held(scratch: &mut Scratch, digest: &mut Digest) {
    passes::read(scratch.log(), |record| {
        digest.value(record.ok().map(|it| it.payload).as_deref());
    });
}

/// Adds the records that are restored, in their order.
fn restored(scratch: &mut Scratch, digest: &mut Digest) {
    let restored = passes::restore(scratch.log(), |payload| digest.value(Some(payload)));
    digest.number(count(restored));
}

/// Returns the number that was answered: no pass here answers with as many when it is refused.
fn count(answered: Result<u64, Error>) -> usize {
    answered.map_or(usize::MAX, |number| number as usize)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::answers;

    #[test]
    fn answers_are_the_same_every_time_and_differ_with_the_work() {
        let seen = answers();
        assert_eq!(seen, answers());
        let ids: BTreeSet<String> = seen
            .iter()
            .map(|it| format!("{}{:?}", it.benchmark, it.params))
            .collect();
        assert_eq!((seen.len(), ids.len()), (20, 20));
        // Who reads a log answers with what was appended; these store other records each.
        let durable = seen.iter().filter(|it| it.params.len() == 3);
        let digests: Vec<u64> = durable.map(|it| it.digest).collect();
        let different: BTreeSet<&u64> = digests.iter().collect();
        assert_eq!(different.len(), digests.len());
    }
}
