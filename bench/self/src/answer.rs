//! What the benchmarks answered: a digest of all that a stage gave.
//!
//! A reader that loses benchmarks is a fast one. Two runs whose digests differ did different work, and their counts and
//! times must not be compared. Tests: the same answer every time, another answer for other work, the line's exact form.

use std::fmt;

use tripline_history::File;
use tripline_model::wire::{write_report, write_run};

use crate::histories::{appended, criterion_tree, data_js};
use crate::inputs::{Side, harness_output};
use crate::prepared::{report, runs};
use crate::stages::{append, import, judge, read, read_tree, render};

/// The answer of one benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The name of the benchmark, as both harnesses call it.
    pub benchmark: &'static str,
    /// The number of benchmarks in the input, its one param.
    pub benchmarks: usize,
    /// The digest.
    pub digest: u64,
}

impl fmt::Display for Answer {
    /// Writes the answer as one JSON object. Nothing in it needs escaping.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            benchmark,
            benchmarks,
            digest,
        } = self;
        write!(
            out,
            r#"{{"benchmark":"{benchmark}","params":{{"benchmarks":"{benchmarks}"}},"answer":"{digest:016x}"}}"#
        )
    }
}

/// Returns the answers of all stages for inputs of that many benchmarks.
#[must_use]
pub fn answers(benchmarks: usize) -> Vec<Answer> {
    let run = read(&harness_output(benchmarks, Side::Head));
    let judged = judge(&runs(benchmarks));
    let rendered = render(&[report(benchmarks)]);
    [
        ("pipeline/read", write_run(&run)),
        ("pipeline/judge", write_report(&judged)),
        ("pipeline/render", rendered),
    ]
    .map(|(benchmark, text)| Answer::of(benchmark, benchmarks, &text))
    .into()
}

/// Returns the answers of what comes from elsewhere, for inputs of that many benchmarks.
#[must_use]
pub fn history_answers(benchmarks: usize) -> Vec<Answer> {
    let all = |files: Vec<File>| -> String {
        let text = |file: File| file.path + "\n" + &String::from_utf8_lossy(&file.bytes);
        let texts = files.into_iter().map(text);
        texts.collect()
    };
    let tree = write_run(&read_tree(&criterion_tree(benchmarks)));
    let imported = all(import(data_js(benchmarks)));
    let (baseline, head) = appended(benchmarks);
    let (report, files) = append(&baseline, &head);
    let appended = write_report(&report) + &all(files);
    [
        ("history/criterion", tree),
        ("history/import", imported),
        ("history/append", appended),
    ]
    .map(|(benchmark, text)| Answer::of(benchmark, benchmarks, &text))
    .into()
}

impl Answer {
    fn of(benchmark: &'static str, benchmarks: usize, text: &str) -> Self {
        Self {
            benchmark,
            benchmarks,
            digest: digest(text.as_bytes()),
        }
    }
}

/// The hash FNV-1a of 64 bits: small, and the same everywhere and for ever.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::inputs::SMOKE;

    #[test]
    fn answers_are_the_same_every_time() {
        assert_eq!(answers(SMOKE), answers(SMOKE));
        assert_eq!(history_answers(SMOKE), history_answers(SMOKE));
    }

    /// A number of benchmarks that plants something else gives another page, also where only regressions are shown.
    #[test]
    fn other_work_has_another_answer() {
        let sizes = [SMOKE, 2 * SMOKE].into_iter();
        let both = |size| [answers(size), history_answers(size)].concat();
        let all: Vec<Answer> = sizes.flat_map(both).collect();
        let digests: BTreeSet<u64> = all.iter().map(|answer| answer.digest).collect();
        assert_eq!(digests.len(), all.len(), "{all:?}");
    }

    #[test]
    fn an_answer_is_one_json_object() {
        let answer = Answer {
            benchmark: "pipeline/read",
            benchmarks: 10,
            digest: 0xabc,
        };
        let line = r#"{"benchmark":"pipeline/read","params":{"benchmarks":"10"},"answer":"0000000000000abc"}"#;
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
            assert_eq!(digest(text.as_bytes()), expected, "{text}");
        }
    }
}
