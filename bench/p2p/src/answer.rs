//! What arrived: digests of every byte.
//!
//! Who loses bytes is fast. Runs whose digests differ did different work, and are not compared. Tests: the line's exact form;
//! `tests/smoke`, what arrives is what was sent, whichever two programs it goes between.

use std::fmt;

/// The answer of one benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The name of the benchmark.
    pub benchmark: &'static str,
    /// The values of its parameters `bytes`, `direction` and `pair`.
    pub params: (u64, &'static str, String),
    /// The digest of what arrived at whoever received it.
    pub digest: String,
}

impl fmt::Display for Answer {
    /// Writes the answer as one JSON object. Nothing in it needs escaping.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            benchmark,
            params: (bytes, direction, pair),
            digest,
        } = self;
        write!(
            out,
            r#"{{"benchmark":"{benchmark}","params":{{"bytes":"{bytes}","direction":"{direction}","pair":"{pair}"}},"answer":"{digest}"}}"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_json_object() {
        let answer = Answer {
            benchmark: "latency",
            params: (1_024, "upload", "ours-libp2p".to_owned()),
            digest: "e3b0".to_owned(),
        };
        assert_eq!(
            answer.to_string(),
            r#"{"benchmark":"latency","params":{"bytes":"1024","direction":"upload","pair":"ours-libp2p"},"answer":"e3b0"}"#
        );
    }
}
