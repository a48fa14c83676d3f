//! What a queue has done so far, and what it holds.
//!
//! The numbers are kept under the queue's own lock, so they fit together at every moment: what was published is what
//! was acknowledged, purged or taken, and what is still there. Tests: the model in `tests/it/queue` counts along.

/// The numbers of one queue, all of one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Messages published.
    pub published: u64,
    /// Deliveries to consumers, retries included.
    pub delivered: u64,
    /// Messages acknowledged.
    pub acknowledged: u64,
    /// Deliveries that a consumer gave back.
    pub nacked: u64,
    /// Deliveries that ended at their deadline.
    pub expired: u64,
    /// Messages that became ready again.
    pub requeued: u64,
    /// Messages that became dead letters.
    pub dead_lettered: u64,
    /// Dead letters taken out.
    pub taken: u64,
    /// Messages purged, dead letters included.
    pub purged: u64,
    /// Messages that wait for a consumer now.
    pub ready: u64,
    /// Messages that consumers have now.
    pub pending: u64,
    /// Dead letters that nobody has taken yet.
    pub dead: u64,
    /// Bytes of the payloads that the queue holds now. Handles that others keep are theirs.
    pub bytes: u64,
}

impl Statistics {
    /// Returns how many messages the queue holds.
    #[must_use]
    pub const fn depth(&self) -> u64 {
        self.ready + self.pending + self.dead
    }
}
