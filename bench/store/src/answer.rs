//! What the benchmarks answered: a digest of everything their operations returned and left behind.
//!
//! A store that loses keys is a fast one. Two runs whose digests differ did different work, and their counts and times
//! must not be compared. Tests: the same answer every time, another answer for other work, the line's exact form.

use std::fmt;

use workload_store::Store;

use crate::{Inputs, VALUE_BYTES, passes};

/// The answer of one benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The name of the benchmark, as all harnesses call it.
    pub benchmark: &'static str,
    /// Its parameters.
    pub params: Vec<(&'static str, String)>,
    /// The digest.
    pub digest: u64,
}

impl fmt::Display for Answer {
    /// Writes the answer as one JSON object. Nothing in it needs escaping.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, r#"{{"benchmark":"{}","params":{{"#, self.benchmark)?;
        for (at, (name, value)) in self.params.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(out, r#"{comma}"{name}":"{value}""#)?;
        }
        write!(out, r#"}},"answer":"{:016x}"}}"#, self.digest)
    }
}

/// Returns the answers of the benchmarks of keys and values, given their inputs for a length of value.
pub fn answers(inputs: impl Fn(usize) -> Inputs) -> Vec<Answer> {
    let mut answers = Vec::new();
    for bytes in VALUE_BYTES {
        let inputs = inputs(bytes);
        let digests = [
            ("kv/get", get(&inputs)),
            ("kv/set", set(&inputs)),
            ("kv/overwrite", overwrite(&inputs)),
            ("kv/delete", delete(&inputs)),
        ];
        answers.extend(digests.map(|(benchmark, digest)| Answer {
            benchmark,
            params: vec![("bytes", bytes.to_string())],
            digest,
        }));
    }
    answers
}

fn get(inputs: &Inputs) -> u64 {
    let mut digest = Digest::new();
    passes::get(&inputs.filled_store(), inputs, |value| {
        digest.value(value.as_deref());
    });
    digest.0
}

fn set(inputs: &Inputs) -> u64 {
    let store = inputs.empty_store();
    let mut digest = Digest::new();
    passes::set(&store, inputs, |previous| digest.value(previous.as_deref()));
    digest.contents(&store, inputs);
    digest.0
}

fn overwrite(inputs: &Inputs) -> u64 {
    let store = inputs.filled_store();
    let mut digest = Digest::new();
    passes::overwrite(&store, inputs, |previous| digest.value(previous.as_deref()));
    digest.contents(&store, inputs);
    digest.0
}

fn delete(inputs: &Inputs) -> u64 {
    let store = inputs.filled_store();
    let mut digest = Digest::new();
    passes::delete(&store, inputs, |found| digest.bytes(&[u8::from(found)]));
    digest.contents(&store, inputs);
    digest.0
}

/// The hash FNV-1a of 64 bits. It is not the store's own hash, which is part of what is measured.
pub(crate) struct Digest(pub(crate) u64);

impl Digest {
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn number(&mut self, number: usize) {
        self.bytes(&(number as u64).to_le_bytes());
    }

    /// Adds a value or its absence. The length comes first, so that no two sequences of values read the same.
    pub(crate) fn value(&mut self, value: Option<&[u8]>) {
        self.bytes(&[u8::from(value.is_some())]);
        if let Some(value) = value {
            self.number(value.len());
            self.bytes(value);
        }
    }

    /// Adds what a store holds: what a write left behind is as much its answer as what it returned.
    pub(crate) fn contents(&mut self, store: &Store, inputs: &Inputs) {
        self.number(store.len());
        for key in inputs.keys() {
            self.value(store.get(key).as_deref());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Answer, Digest, answers};
    use crate::Inputs;

    #[test]
    fn answers_are_the_same_every_time() {
        assert_eq!(answers(Inputs::smoke), answers(Inputs::smoke));
    }

    /// Another operation, length of value or number of keys is other work, and must be told apart.
    #[test]
    fn other_work_has_another_answer() {
        let mut seen = answers(Inputs::smoke);
        assert_eq!(seen.len(), 12);
        // No value is in the answer of a pass that deletes, so it is the same for all lengths.
        seen.retain(|answer| answer.benchmark != "kv/delete" || answer.params[0].1 == "64");
        seen.extend(answers(|_| Inputs::full(64)).into_iter().take(4));
        let digests: BTreeSet<u64> = seen.iter().map(|answer| answer.digest).collect();
        assert_eq!(digests.len(), seen.len());
    }

    #[test]
    fn an_answer_is_one_json_object() {
        let answer = Answer {
            benchmark: "kv/get",
            params: vec![("bytes", "64".to_owned()), ("writers", "4".to_owned())],
            digest: 0xabc,
        };
        let line = r#"{"benchmark":"kv/get","params":{"bytes":"64","writers":"4"},"answer":"0000000000000abc"}"#;
        assert_eq!(answer.to_string(), line);
    }

    /// Known answers, as published with the hash.
    #[test]
    fn the_digest_is_the_published_one() {
        for (text, expected) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            let mut digest = Digest::new();
            digest.bytes(text.as_bytes());
            assert_eq!(digest.0, expected, "{text}");
        }
    }
}
