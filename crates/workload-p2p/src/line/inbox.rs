//! What has arrived, in one piece of memory that frames are opened in.
//!
//! Tests: a frame that comes in halves is whole once the second is there, wherever it lies.

use crate::noise::{FRAME_BYTES_MAX, LENGTH_BYTES};

/// As much as is read at once, and the rest of a frame before it.
const INBOX_BYTES: usize = 5 * (LENGTH_BYTES + FRAME_BYTES_MAX);

pub(crate) struct Inbox {
    bytes: Box<[u8]>,
    start: usize,
    end: usize,
}

impl Default for Inbox {
    fn default() -> Self {
        Self {
            bytes: vec![0; INBOX_BYTES].into_boxed_slice(),
            start: 0,
            end: 0,
        }
    }
}

impl Inbox {
    /// Room for what arrives next. There is always room for the rest of a frame.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        &mut self.bytes[self.end..]
    }

    pub(crate) fn filled(&mut self, bytes: usize) {
        self.end += bytes;
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    pub(crate) fn used(&mut self, bytes: usize) {
        self.start += bytes;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Takes a frame that has arrived whole, with its length in front.
    pub(crate) fn take_frame(&mut self) -> Option<&mut [u8]> {
        let length = self.bytes().first_chunk::<LENGTH_BYTES>()?;
        let length = LENGTH_BYTES + usize::from(u16::from_be_bytes(*length));
        if self.end - self.start < length {
            return None;
        }
        let frame = &mut self.bytes[self.start..self.start + length];
        self.start += length;
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_comes_in_halves_becomes_whole() {
        let mut inbox = Inbox::default();
        let frame = |length: u16, byte| {
            [&length.to_be_bytes()[..], &vec![byte; usize::from(length)]].concat()
        };
        let sent: Vec<u8> = (1..=20)
            .flat_map(|byte| frame(u16::MAX - u16::from(byte), byte))
            .collect();
        let mut sent = &sent[..];
        let mut frames = 0_u8;
        while !sent.is_empty() {
            let space = inbox.space();
            assert!(!space.is_empty());
            let length = space.len().min(sent.len()).min(100_001);
            space[..length].copy_from_slice(&sent[..length]);
            sent = &sent[length..];
            inbox.filled(length);
            while let Some(taken) = inbox.take_frame() {
                frames += 1;
                assert!(taken == frame(u16::MAX - u16::from(frames), frames));
            }
        }
        assert!(inbox.is_empty());
        assert_eq!(frames, 20);
    }
}
