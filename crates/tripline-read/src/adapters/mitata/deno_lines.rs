//! The lines that `deno bench` printed in its first versions, 1.20 and 1.21, before it took mitata's table over:
//! `bench get ... 1000 iterations 4,397 ns/iter (3,958..41,958 ns/iter) ok (18ms)`.
//!
//! Tested below.

use super::table::{CUT, Row, damaged, failed};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::Place;
use crate::quantity::nanoseconds;
use crate::summary;

/// How each line begins, and what stands behind the name.
const BENCH: &str = "bench ";
const BEHIND_NAME: &str = " ... ";

/// How the last line begins.
const SUMMARY: &str = "bench result: ";

/// The unit of the times, of which a damaged line keeps one.
const PER_ITERATION: &str = " ns/iter";

/// Returns whether a text has such lines.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(|line| row(line.trim_end()).is_some())
}

/// Returns the file whose benchmarks follow a line such as `running 2 benches from file:///kv.ts`.
pub(super) fn file_of(text: &str) -> Option<&str> {
    let (count, file) = text.strip_prefix("running ")?.split_once(" from ")?;
    let (number, word) = count.split_once(' ')?;
    let is_count = number.parse::<u64>().is_ok() && ["bench", "benches"].contains(&word);
    is_count.then_some(file)
}

/// Reads the lines of a text.
pub(super) fn read(
    document: &Document<'_>,
    gathered: &mut Gathered,
    mut take: impl FnMut(&Row, Place, &mut Gathered),
) {
    if !is_text(document.text()) {
        return;
    }
    let cut_line = document.cut_line();
    for block in document.lines() {
        let text = block.text.trim_end();
        let place = document.place(block.line, 1);
        if text.starts_with(SUMMARY) {
            continue;
        }
        if let Some(row) = row(text) {
            take(&row, place, gathered);
            continue;
        }
        let named = text.strip_prefix(BENCH);
        let named = named.and_then(|named| named.rsplit_once(BEHIND_NAME));
        match named {
            _ if cut_line == Some(block.line) && text.starts_with(BENCH) => {
                gathered.problem(place, CUT);
            }
            Some((name, what)) if what.starts_with("FAILED") => {
                gathered.problem(place, failed(name, "its error stands below the results"));
            }
            Some((_, what)) if what.starts_with("ignored") => {}
            Some(_) => gathered.problem(place, damaged(text)),
            None if text.contains(PER_ITERATION) => gathered.problem(place, damaged(text)),
            None => {}
        }
    }
}

fn row(text: &str) -> Option<Row> {
    let (name, rest) = text.strip_prefix(BENCH)?.rsplit_once(BEHIND_NAME)?;
    let (iterations, rest) = rest.split_once(" iterations ")?;
    let (average, rest) = rest.split_once(" ns/iter (")?;
    let (min, rest) = rest.split_once("..")?;
    let (max, rest) = rest.split_once(" ns/iter) ok (")?;
    let time = |number: &str| nanoseconds("ns").and_then(|scale| scale.of_text(number));
    let iterations = iterations
        .parse::<u64>()
        .ok()
        .filter(|_| rest.ends_with(')'))?;
    let times = [Some(time(min)?), None, None, None, None, Some(time(max)?)];
    let row = Row::new(name.trim(), time(average)?, times);
    Some(row.beside(summary::rounds(iterations).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_benchmark() {
        let text =
            "bench URL parsing ... 1000 iterations 23,063 ns/iter (208..356,041 ns/iter) ok (1s)";
        let readings = row(text).unwrap().readings().unwrap();
        let shown = readings.iter().map(|of| {
            let value = of.sample.values()[0];
            format!("{} {value}", of.metric.name)
        });
        let expected = [
            "wall_time 23063",
            "wall_time_min 208",
            "wall_time_max 356041",
            "rounds 1000",
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        for damaged in [
            text.replace("208..", "208"),
            text.replace("23,063", "23,06"),
            text.replace(" (1s)", ""),
            text.replace("1000", "x"),
        ] {
            assert_eq!(row(&damaged), None, "{damaged}");
        }
    }

    #[test]
    fn files_are_told_apart() {
        for (text, expected) in [
            (
                "running 2 benches from file:///kv.ts",
                Some("file:///kv.ts"),
            ),
            (
                "running 1 bench from file:///a b.ts",
                Some("file:///a b.ts"),
            ),
            ("running 3 tests", None),
            ("running x benches from file:///kv.ts", None),
        ] {
            assert_eq!(file_of(text), expected, "{text}");
        }
    }
}
