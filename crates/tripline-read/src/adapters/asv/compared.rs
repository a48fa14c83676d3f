//! The tables of `asv compare` from 0.6 on: a row for each benchmark and combination of params, with what it was before
//! and after.
//!
//! What was measured is what was after; the commit before is another run, and is left out, as is how one became the other.
//! Params stand as Python writes them, and without names. Tested below and by `fixtures/asv`.

use tripline_model::{BenchId, SuiteName};

use super::benchmark::unquoted;
use super::printed::readings;
use super::{COMMIT_CHARS, take};
use crate::apart::{Facts, UNSAID};
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::naming::{bench_id, numbered_value};

/// How many cells a row has: change, before, after, ratio and benchmark.
const CELLS: usize = 5;

pub(super) const DAMAGED: &str = "a damaged row of a comparison";

pub(super) const WITHOUT_HEADING: &str = "a row of a comparison without its heading";

/// Returns whether a text has such a table.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(|line| heading(line).is_some())
}

/// Returns the commit after, where a line is the heading of a table.
fn heading(line: &str) -> Option<&str> {
    let cells = cells(line)?;
    let [change, before, after, _, benchmark] = cells;
    let is_heading = change == "Change"
        && before.starts_with("Before [")
        && benchmark.starts_with("Benchmark (Parameter)");
    let commit = after.strip_prefix("After [")?.split(']').next()?;
    is_heading.then_some(commit)
}

fn cells(line: &str) -> Option<[&str; CELLS]> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let mut cells = inner.splitn(CELLS, '|').map(str::trim);
    let cells = [(); CELLS].map(|()| cells.next());
    let [
        Some(change),
        Some(before),
        Some(after),
        Some(ratio),
        Some(name),
    ] = cells
    else {
        return None;
    };
    Some([change, before, after, ratio, name])
}

fn is_rule(line: &str) -> bool {
    line.contains("--") && line.chars().all(|c| matches!(c, '|' | '-' | ':'))
}

/// Reads all tables of a text.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let mut commit = None;
    for block in document.lines() {
        let line = block.text.trim();
        if let Some(found) = heading(line) {
            commit = Some(found);
        } else if !line.contains('|') || is_rule(line) {
            if line.is_empty() {
                commit = None;
            } else if commit.is_some() && !is_rule(line) {
                gathered.problem(document.place(block.line, 1), DAMAGED);
            }
        } else {
            let entry = match (commit, cells(line)) {
                (Some(commit), Some([_, _, after, _, name])) => row(suite, commit, name, after),
                (None, Some(_)) => Err(WITHOUT_HEADING.to_owned()),
                (_, None) => Err(DAMAGED.to_owned()),
            };
            take(entry, document.place(block.line, 1), gathered);
        }
    }
}

/// Returns the benchmark of a row, and what it was after.
pub(super) fn row(
    suite: &SuiteName,
    commit: &str,
    text: &str,
    value: &str,
) -> Result<Entry, String> {
    let mut facts = Facts::from(["environment", "machine"].map(|fact| (fact, UNSAID.to_owned())));
    let commit = commit.get(..COMMIT_CHARS).unwrap_or(commit);
    facts.insert("commit", commit.to_owned());
    // Where there are several, the machine and the environment stand behind the name.
    let (text, place) = match text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once(" ["))
    {
        Some((text, place)) => (text, place.split_once('/')),
        None => (text, None),
    };
    if let Some((machine, environment)) = place {
        facts.insert("machine", machine.to_owned());
        facts.insert("environment", environment.to_owned());
    }
    let bench = bench(suite, text)?;
    let readings = readings(bench.name.as_str(), value).map_err(|error| {
        format!(
            "benchmark `{}` cannot be used: {error}",
            bench.within_suite()
        )
    })?;
    Ok(Entry {
        caveats: Vec::new(),
        bench,
        facts,
        readings,
    })
}

fn bench(suite: &SuiteName, text: &str) -> Result<BenchId, String> {
    let (name, params) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, params)) => (name, values(params)),
        None => (text, Vec::new()),
    };
    let pairs = params.iter().enumerate().rev();
    let pairs: Vec<(String, &str)> = pairs
        .map(|(at, value)| (numbered_value(at + 1), unquoted(value)))
        .collect();
    bench_id(suite, name, &pairs)
}

/// Splits what stands between brackets at the commas that are in no text and no brackets of their own.
fn values(text: &str) -> Vec<&str> {
    let (mut values, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    let mut quote = None;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, ')' | ']' | '}' | '>') => depth -= 1,
            (None, ',') if depth == 0 => {
                values.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    values.push(text[start..].trim());
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_split_where_python_would() {
        assert_eq!(
            values("10, 'a, b', [1, 2], <f(x, y)>"),
            ["10", "'a, b'", "[1, 2]", "<f(x, y)>"]
        );
        assert_eq!(values("'it\\'s', 2"), ["'it\\'s'", "2"]);
        assert_eq!(values(""), [""]);
    }

    #[test]
    fn rows_are_told_from_headings_and_rules() {
        let head = "| Change   | Before [4f43ebe1] <a>   | After [de6a481e] <b>   | Ratio   | Benchmark (Parameter) |";
        assert_eq!(heading(head), Some("de6a481e"));
        assert!(is_rule("|---|:--|"));
        assert_eq!(
            cells("| - | 1 | 2 | 3 | x('a|b') |"),
            Some(["-", "1", "2", "3", "x('a|b')"])
        );
        assert_eq!(cells("| - | 1 | 2 | 3 | x('a"), None);
    }
}
