//! Reads benchmark.js: lines such as `get x 1,234 ops/sec ±1.20% (90 runs sampled)`.
//!
//! The rate is what was measured; how far it may be off, and of how many runs, stands beside it. Tested by
//! `fixtures/benchmark_js`.

use tripline_model::{Reading, Unit};

use crate::adapter::{Adapter, Mark};
use crate::file_names::is_text;
use crate::place::shown;
use crate::quantity::{number, percent};
use crate::result_lines::{self, Line};
use crate::{own, summary};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "benchmark-js",
    about: "benchmark.js 1 and 2: the lines that `String(event.target)` gives",
    files: is_text,
    mark: Mark::Line(|line| parse(line).is_some()),
    hint: "print `String(event.target)` at each `cycle` and give that output",
    read: |input, suite| result_lines::read(input, suite, &ADAPTER, || line_of),
};

/// What stands in each result; a damaged one keeps most of it.
const MARKS: &[&str] = &["ops/", SAMPLED, "% ("];

/// What a result ends with.
const SAMPLED: &str = "sampled)";

/// What stands before how far a rate may be off; the second is written under Java.
const SIGNS: [&str; 2] = ["\u{b1}", "+/-"];

fn line_of(text: &str) -> Line {
    // Where there are two of them, as `String(suite)` gives them, the name of the last would be all before it.
    let is_one = || text.matches(SAMPLED).count() == 1;
    if let Some(result) = parse(text).filter(|_| is_one()) {
        if result.runs == 0 {
            let name = shown(result.name);
            return Line::Problem(format!(
                "benchmark `{name}` was stopped before its first run"
            ));
        }
        return Line::Result {
            is_closed: true,
            name: result.name.to_owned(),
            readings: result.readings(),
        };
    }
    if MARKS.iter().any(|mark| text.contains(mark)) {
        return Line::Problem(format!("a damaged result: `{}`", shown(text)));
    }
    match failure(text) {
        Some((name, why)) => {
            let (name, why) = (shown(name), shown(why));
            Line::Problem(format!("benchmark `{name}` failed: {why}"))
        }
        None if text.starts_with("Fastest is ") => Line::Known,
        None => Line::Other,
    }
}

/// Returns the name of a benchmark that threw, and why: behind a colon stand the members that the error itself has, which
/// mostly are none. What no error is known by may be anything that a program prints.
fn failure(text: &str) -> Option<(&str, &str)> {
    let (first, error) = text.split_once(": ")?;
    let of_members = || {
        let mut colons = text.match_indices(": ");
        let (begin, _) = colons.find(|(at, sign)| are_members(&text[at + sign.len()..]))?;
        Some((&text[..begin], &text[begin + ": ".len()..]))
    };
    let without_members = error.is_empty().then_some((first, "it threw"));
    let of_name = || error.contains("Error").then_some((first, error));
    let failure = without_members.or_else(of_members).or_else(of_name);
    failure.filter(|(name, _)| !name.is_empty())
}

/// Returns whether a text begins as what an error of Node.js or of its assertions says of itself. Programs print some of these
/// words, too, but not so.
fn are_members(text: &str) -> bool {
    let is_code = |text: &str| {
        let code = text.split_once(',');
        code.is_some_and(|(code, rest)| {
            rest.contains("syscall: ") && code.bytes().all(|byte| byte.is_ascii_uppercase())
        })
    };
    let is_of_code = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    text.strip_prefix("errno: -").is_some_and(is_number)
        || text.strip_prefix("code: E").is_some_and(is_code)
        || text
            .strip_prefix("code: ERR_")
            .is_some_and(|code| code.bytes().all(is_of_code))
        || text.starts_with("generatedMessage: ")
}

/// The parts of a result.
struct Found<'t> {
    name: &'t str,
    rate: f64,
    /// How far the rate may be off, as a share of it.
    margin: f64,
    runs: u64,
}

fn parse(text: &str) -> Option<Found<'_>> {
    let (head, runs) = text
        .trim_end()
        .strip_suffix(" sampled)")?
        .rsplit_once(" (")?;
    let runs = runs
        .strip_suffix(" runs")
        .or_else(|| runs.strip_suffix(" run"))?;
    let (head, margin) = head.rsplit_once(" ops/sec ")?;
    let margin = SIGNS.iter().find_map(|sign| margin.strip_prefix(sign))?;
    let (name, rate) = head.rsplit_once(" x ")?;
    Some(Found {
        // Authors set the names of a suite and its rates in columns.
        name: name.trim(),
        rate: number(rate.trim())?,
        margin: percent().of_text(margin.strip_suffix('%')?.trim())?,
        runs: runs.parse().ok()?,
    })
}

impl Found<'_> {
    fn readings(&self) -> Result<Vec<Reading>, String> {
        let rate = own::item_throughput();
        Ok(vec![
            summary::standing_for(&rate, self.rate, None)?,
            summary::beside("item_throughput_rme", Unit::Ratio, self.margin)?,
            summary::rounds(self.runs)?,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_prints_is_no_error() {
        for (text, is_failure) in [
            ("get: ", true),
            ("get: all: errno: -2,code: ENOENT", true),
            ("get: code: ENOTFOUND,syscall: getaddrinfo", true),
            ("get: TypeError: x", true),
            ("Platform: Node: ", false),
            ("warning: code: EBADENGINE unsupported", false),
            ("config: syscall: read", false),
            ("config: errno: -", false),
        ] {
            let is_told = matches!(line_of(text), Line::Problem(_));
            assert_eq!(is_told, is_failure, "{text}");
        }
    }

    #[test]
    fn what_did_not_run_has_no_rate() {
        let text = "get x 0.00 ops/sec \u{b1}0.00% (0 runs sampled)";
        let Line::Problem(why) = line_of(text) else {
            panic!("{text} is no result");
        };
        assert_eq!(why, "benchmark `get` was stopped before its first run");
        let one = text.replace("(0 runs", "(1 run");
        assert!(matches!(line_of(&one), Line::Result { .. }));
    }
}
