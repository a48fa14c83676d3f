//! What the benchmarks of the link answered: a digest of every byte that arrived, in order.
//!
//! A transport that loses bytes is a fast one. Runs whose digests differ did different work, and are not compared.
//! Tests: what arrives is what was sent; other bytes have another digest; the line's exact form.

use std::fmt;

use crate::{Link, MESSAGE_BYTES, Over, Until, single};

/// The answer of one benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The value of its parameter `bytes`.
    pub bytes: usize,
    /// The line, of which the other parameters are.
    pub over: Over,
    /// The digest.
    pub digest: u64,
}

impl fmt::Display for Answer {
    /// Writes the answer as one JSON object. Nothing in it needs escaping.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            bytes,
            over,
            digest,
        } = self;
        let Over {
            delay_ms,
            lost_percent,
        } = over;
        let (name, lost) = match lost_percent {
            0 => ("message", String::new()),
            lost => ("lossy", format!(r#","lost_percent":"{lost}""#)),
        };
        write!(
            out,
            r#"{{"benchmark":"link/{name}","params":{{"bytes":"{bytes}","delay_ms":"{delay_ms}"{lost}}},"answer":"{digest:016x}"}}"#
        )
    }
}

/// Returns the answers of single messages over a line that delays, and of one over a line that also loses.
#[must_use]
pub fn answers() -> Vec<Answer> {
    let all = [0, 2].into_iter();
    all.flat_map(|delay_ms| MESSAGE_BYTES.map(|bytes| answer(bytes, Over::delay(delay_ms))))
        .chain([answer(1 << 20, Over::LOSSY)])
        .collect()
}

fn answer(bytes: usize, over: Over) -> Answer {
    let mut digest = Digest::default();
    let see = |piece: &[u8]| digest.take(piece);
    Link::new(over, 1).run(single(bytes), Until::Delivered, see);
    Answer {
        bytes,
        over,
        digest: digest.0,
    }
}

/// The FNV-1a hash.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content;

    #[test]
    fn what_arrives_is_what_was_sent() {
        for answer in answers() {
            let mut digest = Digest::default();
            digest.take(&content(answer.bytes));
            assert_eq!(answer.digest, digest.0);
            let mut other = Digest::default();
            other.take(&content(answer.bytes - 1));
            assert_ne!(answer.digest, other.0);
        }
    }

    #[test]
    fn an_answer_is_one_json_object() {
        let answer = Answer {
            bytes: 1_024,
            over: Over::delay(2),
            digest: 45,
        };
        let lossy = Answer {
            over: Over::LOSSY,
            ..answer.clone()
        };
        assert_eq!(
            lossy.to_string(),
            r#"{"benchmark":"link/lossy","params":{"bytes":"1024","delay_ms":"2","lost_percent":"1"},"answer":"000000000000002d"}"#
        );
        assert_eq!(
            answer.to_string(),
            r#"{"benchmark":"link/message","params":{"bytes":"1024","delay_ms":"2"},"answer":"000000000000002d"}"#
        );
    }
}
