//! Another address from which a packet came, until something that was first sent there is confirmed.
//!
//! A packet can be passed on from anywhere by whoever sees it. Until the other side has shown that it is where the packet
//! seemed to come from, little is sent there, so that nobody can aim a connection at others.
//!
//! Tests: `tests/it/faults.rs`.

/// How many bytes are sent for each that came.
const TIMES: u64 = 3;

#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    // The number of the first packet that is sent there.
    first: u64,
    allowed: u64,
}

impl Moved {
    /// It moved before the packet `first` was sent.
    pub(super) const fn new(first: u64) -> Self {
        Self { first, allowed: 0 }
    }

    /// So many bytes came from there.
    pub(super) const fn came(&mut self, bytes: usize) {
        self.allowed = self.allowed.saturating_add(TIMES * bytes as u64);
    }

    pub(super) const fn sent(&mut self, bytes: u64) {
        self.allowed = self.allowed.saturating_sub(bytes);
    }

    pub(super) const fn allows(&self, bytes: u64) -> bool {
        bytes <= self.allowed
    }

    /// Returns whether the confirmation of a packet shows that the other side is there.
    pub(super) const fn is_shown_by(&self, number: u64) -> bool {
        number >= self.first
    }
}
