//! What carries verdicts from the workers to a store while the scan runs.
//!
//! A channel with a bound, so that a store that is slow holds up the scan instead of filling the memory. It cannot
//! deadlock: the store does nothing but receive until every worker has dropped its end; and if the store fails it drops
//! its own end, which wakes whoever waits to send, and the scan goes on without it.
//!
//! Tests: here; with a store that fails in the middle, in `tests/it/store.rs`.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use crate::verdicts::Verdict;

/// How many verdicts are handed over at once, unless it takes longer than that to find so many.
const BATCH: usize = 1_024;
const BATCH_SPAN: Duration = Duration::from_millis(500);
/// How many batches may wait.
const WAITING: usize = 64;

/// A verdict and its place, in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found(u64);

impl Found {
    pub(crate) fn new(place: u64, verdict: Verdict) -> Self {
        Self(place << 2 | verdict.bits())
    }

    pub(crate) fn place(self) -> u64 {
        self.0 >> 2
    }

    pub(crate) fn bits(self) -> u64 {
        self.0 & 3
    }
}

/// Both ends.
pub(crate) fn channel() -> (Feed, Receiver<Vec<Found>>) {
    let (sender, receiver) = sync_channel(WAITING);
    (Feed::to(Some(sender)), receiver)
}

/// A worker's end; perhaps there is no store.
#[derive(Debug)]
pub(crate) struct Feed {
    sender: Option<SyncSender<Vec<Found>>>,
    batch: Vec<Found>,
    since: Instant,
}

impl Clone for Feed {
    /// Another end, with nothing on it.
    fn clone(&self) -> Self {
        Self::to(self.sender.clone())
    }
}

impl Feed {
    /// An end that leads nowhere.
    pub(crate) fn none() -> Self {
        Self::to(None)
    }

    fn to(sender: Option<SyncSender<Vec<Found>>>) -> Self {
        Self {
            sender,
            batch: Vec::new(),
            since: Instant::now(),
        }
    }

    /// Takes a verdict.
    pub(crate) fn take(&mut self, place: u64, verdict: Verdict) {
        if self.sender.is_some() {
            self.batch.push(Found::new(place, verdict));
        }
    }

    /// Hands over what it has, if that is enough or has waited for long.
    pub(crate) fn offer(&mut self) {
        let is_due = || self.since.elapsed() >= BATCH_SPAN;
        if !self.batch.is_empty() && (self.batch.len() >= BATCH || is_due()) {
            self.flush();
        }
    }

    /// Hands over what it has.
    pub(crate) fn flush(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        self.since = Instant::now();
        if batch.is_empty() {
            return;
        }
        let sent = self.sender.as_ref().map(|sender| sender.send(batch));
        if sent.is_some_and(|sent| sent.is_err()) {
            // The store has failed, and says so when the scan is over.
            self.sender = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn everything_arrives_and_then_it_ends() {
        let (feed, receiver) = channel();
        let received = thread::scope(|scope| {
            for worker in 0..3 {
                let mut feed = feed.clone();
                scope.spawn(move || {
                    for place in 0..100_000 {
                        feed.take(place * 3 + worker, Verdict::Closed);
                        feed.offer();
                    }
                    feed.flush();
                });
            }
            drop(feed);
            receiver.iter().flatten().map(Found::place).sum::<u64>()
        });
        assert_eq!(received, (0..300_000).sum::<u64>());
    }

    #[test]
    fn a_store_that_fails_frees_whoever_waits_for_it() {
        let (mut feed, receiver) = channel();
        thread::scope(|scope| {
            let worker = scope.spawn(move || {
                // More than the channel holds.
                for place in 0..1_000_000 {
                    feed.take(place, Verdict::Open);
                    feed.offer();
                }
                feed.sender.is_none()
            });
            receiver.recv().unwrap();
            drop(receiver);
            assert!(worker.join().unwrap());
        });
    }
}
