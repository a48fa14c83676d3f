//! Eight bytes that may come one by one.
//!
//! Tests: with what is answered.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Number {
    bytes: [u8; 8],
    have: usize,
}

impl Number {
    /// Takes what is missing off the input. Returns the number once it is whole.
    pub(super) fn take(&mut self, input: &mut &[u8]) -> Option<u64> {
        let length = input.len().min(self.bytes.len() - self.have);
        let (taken, rest) = input.split_at(length);
        self.bytes[self.have..self.have + length].copy_from_slice(taken);
        self.have += length;
        *input = rest;
        (self.have == self.bytes.len()).then(|| u64::from_be_bytes(self.bytes))
    }

    /// Whether there is none of it yet.
    pub(super) const fn is_empty(&self) -> bool {
        self.have == 0
    }
}
