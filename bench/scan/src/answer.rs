//! What the scans answered: a digest of the verdict on every port.
//!
//! Who leaves ports out is fast. Runs whose digests differ did different work, and are not compared.
//!
//! Tests: another verdict has another digest; the line's exact form; `tests/smoke.rs`.

use std::fmt;

use workload_scan::{Report, Scan, Settings, Verdict};

use crate::{Failure, Fixture, OPEN, PORTS};

/// The answer of one benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The value of its parameter `ports`.
    pub ports: u32,
    /// The digest.
    pub digest: u64,
}

impl fmt::Display for Answer {
    /// Writes the answer as one JSON object. Nothing in it needs escaping.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ports, digest } = self;
        write!(
            out,
            r#"{{"benchmark":"library/connect","params":{{"ports":"{ports}"}},"answer":"{digest:016x}"}}"#
        )
    }
}

/// Returns the answers of all sets of ports, each of which is right.
///
/// # Errors
/// A scan is wrong.
pub fn answers(fixture: &Fixture) -> Result<Vec<Answer>, Failure> {
    let answer = |(count, ports): (u32, &str)| {
        let report = Scan::new(fixture.targets(), ports.parse()?, Settings::default())?.run()?;
        fixture.check(&report)?;
        fixture.drain();
        Ok(Answer {
            ports: count,
            digest: digest(verdicts(&report)),
        })
    };
    PORTS.into_iter().map(answer).collect()
}

/// The verdicts, but for those on strangers: who else listens here is no part of the work.
fn verdicts(report: &Report) -> impl Iterator<Item = (u16, Option<Verdict>)> + '_ {
    report.all().map(|(asked, found)| match found {
        Some(Verdict::Open) if !OPEN.contains(&asked.port()) => {
            (asked.port(), Some(Verdict::Closed))
        }
        _ => (asked.port(), found),
    })
}

/// The FNV-1a hash.
fn digest(verdicts: impl Iterator<Item = (u16, Option<Verdict>)>) -> u64 {
    let bytes = verdicts.flat_map(|(port, found)| {
        let [high, low] = port.to_be_bytes();
        [high.into(), low.into(), found.map_or(0, Verdict::bits)]
    });
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ byte).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_verdict_is_another_answer() {
        let of = |found| digest([(1, Some(Verdict::Open)), (2, found)].into_iter());
        let all = [
            None,
            Some(Verdict::Open),
            Some(Verdict::Closed),
            Some(Verdict::Filtered),
        ];
        for (at, one) in all.into_iter().enumerate() {
            assert!(all[at + 1..].iter().all(|other| of(*other) != of(one)));
        }
    }

    #[test]
    fn an_answer_is_one_json_object() {
        let answer = Answer {
            ports: 1_000,
            digest: 45,
        };
        assert_eq!(
            answer.to_string(),
            r#"{"benchmark":"library/connect","params":{"ports":"1000"},"answer":"000000000000002d"}"#
        );
    }
}
