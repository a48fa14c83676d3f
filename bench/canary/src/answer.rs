//! What the benchmarks answered: a digest of the buffer they leave behind.
//!
//! The benchmarks of I/O and the controls have none: what they compute is known to their unit tests alone.
//!
//! The answers must be the same with the feature `planted` and without it, or the gate would rightly refuse to compare
//! the two. Tests: known answers in both builds, and the line's exact form.

use std::fmt;

use crate::{Buffer, PERCENT_CPU, PERCENTS, ROUNDS_LARGE, ROUNDS_SMALL, planted, steady};

/// The answer of one benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The name of the benchmark, as both harnesses call it.
    pub benchmark: &'static str,
    /// The name and the value of its one parameter.
    pub param: (&'static str, u32),
    /// The digest.
    pub digest: u64,
}

impl fmt::Display for Answer {
    /// Writes the answer as one JSON object. Nothing in it needs escaping.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            benchmark,
            param: (name, value),
            digest,
        } = self;
        write!(
            out,
            r#"{{"benchmark":"{benchmark}","params":{{"{name}":"{value}"}},"answer":"{digest:016x}"}}"#
        )
    }
}

/// Returns the answers of all benchmarks, of which `steady` and `planted` do the given number of rounds.
#[must_use]
pub fn answers(rounds: u32) -> Vec<Answer> {
    let mut buffer = Buffer::new();
    steady(&mut buffer, rounds);
    let mut answers = vec![Answer {
        benchmark: "canary/steady",
        param: ("rounds", rounds),
        digest: digest(&buffer),
    }];
    let small = ("canary/small", ROUNDS_SMALL, PERCENT_CPU);
    let large = ("canary/large", ROUNDS_LARGE, PERCENT_CPU);
    let all = PERCENTS.map(|percent| ("canary/planted", rounds, percent));
    for (benchmark, rounds, percent) in all.into_iter().chain([small, large]) {
        let mut buffer = Buffer::new();
        planted(&mut buffer, rounds, percent);
        answers.push(Answer {
            benchmark,
            param: ("percent", percent),
            digest: digest(&buffer),
        });
    }
    answers
}

/// The hash FNV-1a of 64 bits. Each suite has its own few lines of it, so that none depends on another.
fn digest(buffer: &Buffer) -> u64 {
    buffer.bytes().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::answers;
    use crate::ROUNDS_FULL;
    use crate::work::ROUNDS_SMOKE;

    /// The same lines with the feature and without it.
    #[test]
    fn answers_are_known_lines() {
        let lines: Vec<String> = answers(ROUNDS_SMOKE)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            lines,
            [
                r#"{"benchmark":"canary/steady","params":{"rounds":"100"},"answer":"77238fc2342bdbb9"}"#,
                r#"{"benchmark":"canary/planted","params":{"percent":"5"},"answer":"77238fc2342bdbb9"}"#,
                r#"{"benchmark":"canary/planted","params":{"percent":"10"},"answer":"77238fc2342bdbb9"}"#,
                r#"{"benchmark":"canary/small","params":{"percent":"3"},"answer":"6eb6c22d535c7f6b"}"#,
                r#"{"benchmark":"canary/large","params":{"percent":"3"},"answer":"b7124037986d9e0c"}"#,
            ]
        );
    }

    #[test]
    fn other_rounds_have_another_answer() {
        assert_ne!(
            answers(ROUNDS_SMOKE)[0].digest,
            answers(ROUNDS_FULL)[0].digest
        );
    }
}
