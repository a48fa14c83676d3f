//! What asv prints: a line for each benchmark, and below it a table where it has params.
//!
//! Behind a value stands half of the range between its quartiles. asv says in advance how many benchmarks there are, and
//! cuts names off that are too long for the terminal. With `-v` it says below a benchmark's name what it runs and what that
//! prints, and sets the value behind the last of it. Tested by `fixtures/asv`.

use tripline_model::{Metric, Reading, SuiteName, Unit};

use super::COMMIT_CHARS;
use super::benchmark::{Found, NO_VALUE, SKIPPED, of_unit, quantity};
use super::table::Table;
use super::take_found;
use crate::apart::{Facts, UNSAID};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::naming::bench_id;
use crate::place::shown;
use crate::quantity::{Scale, nanoseconds, things};
use crate::summary;

/// How deep a benchmark's line lies.
const RESULT_DOTS: usize = 3;

/// What stood before a benchmark's name up to version 0.2, on the line where its value came.
const RUNNING: &str = "Running ";

/// How the lines begin that lie as deep and say what asv does beside benchmarking.
const DOINGS: [&str; 7] = [
    "Running (",
    "Running '",
    "Setting up ",
    "Importing ",
    "Building ",
    "Installing ",
    "Uninstalling ",
];

/// What stands where no value does, and why that is so.
const WITHOUT_VALUE: [(&str, &str); 3] =
    [("failed", NO_VALUE), ("n/a", SKIPPED), ("skipped", SKIPPED)];

/// Returns whether a text is one that asv printed.
pub(super) fn is_text(text: &str) -> bool {
    text.lines()
        .any(|line| matches!(progress(line), Some((RESULT_DOTS, _))))
}

/// Returns what stands behind how far asv has got, and how deep it lies: `[ 7.69%] ··· name`.
fn progress(line: &str) -> Option<(usize, &str)> {
    let (percent, rest) = line.strip_prefix('[')?.split_once("%] ")?;
    percent.trim().parse::<f64>().ok()?;
    behind_dots(rest)
}

fn behind_dots(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches('\u{b7}');
    let dots = (text.len() - rest.len()) / '\u{b7}'.len_utf8();
    Some((dots, rest.strip_prefix(' ')?)).filter(|_| dots > 0)
}

/// Reads all results of a text.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let mut reader = Reader {
        document,
        suite,
        gathered,
        facts: Facts::from([("machine", UNSAID.to_owned())]),
        promised: None,
        found: 0,
        width: 0,
        begun: None,
        open: None,
        table: None,
    };
    let cut_line = document.cut_line();
    let mut last = 1;
    for block in document.lines() {
        last = block.line;
        reader.take(block.line, block.text.trim_end(), cut_line == Some(last));
    }
    reader.finish(last, cut_line.is_some());
}

/// A benchmark that is told without its value.
#[derive(Clone, Copy)]
struct Begun<'d> {
    line: usize,
    name: &'d str,
    /// The last line of what it did, where asv tells it.
    told: Option<&'d str>,
}

/// What is known while a text is read line by line.
struct Reader<'d, 'g> {
    document: &'d Document<'d>,
    suite: &'d SuiteName,
    gathered: &'g mut Gathered,
    /// The environment and the commit that are being measured.
    facts: Facts,
    /// How many benchmarks were to be run, and how many there are.
    promised: Option<usize>,
    found: usize,
    /// How far to the right values reach: all of them as far.
    width: usize,
    /// The benchmark whose value comes next.
    begun: Option<Begun<'d>>,
    /// The benchmark whose table comes next.
    open: Option<(usize, &'d str)>,
    table: Option<Table<'d>>,
}

impl<'d> Reader<'d, '_> {
    fn take(&mut self, line: usize, text: &'d str, is_cut: bool) {
        let begun = progress(text).or_else(|| behind_dots(text));
        let Some((dots, rest)) = begun else {
            return self.go_on(text);
        };
        if dots == RESULT_DOTS && !is_result(rest) && self.begun.is_some() {
            return self.go_on(text);
        }
        self.end_begun(false);
        if dots == RESULT_DOTS && rest.starts_with("===") {
            let indent = text.chars().count() - rest.chars().count();
            self.table = Some(Table::new(rest, indent));
            return;
        }
        self.miss_table();
        match dots {
            RESULT_DOTS if is_result(rest) => {
                self.found += 1;
                let width = rest.chars().count();
                let rest = rest.strip_prefix(RUNNING).unwrap_or(rest);
                match rest.split_once(' ') {
                    Some((name, value)) => self.value(line, name, value.trim(), width, is_cut),
                    None => {
                        self.begun = Some(Begun {
                            line,
                            name: rest,
                            told: None,
                        });
                    }
                }
            }
            _ => self.learn(rest),
        }
    }

    /// Takes over a line that belongs to what is above it.
    fn go_on(&mut self, text: &'d str) {
        if let Some(table) = &mut self.table {
            if table.add(text) {
                self.end_table();
            }
        } else if let Some(begun) = &mut self.begun
            && !text.is_empty()
        {
            begun.told = Some(text);
        }
    }

    /// Ends a benchmark that was told without its value: that stands behind all it did, as far to the right as those of others.
    fn end_begun(&mut self, is_cut: bool) {
        let Some(Begun { line, name, told }) = self.begun.take() else {
            return;
        };
        let told = told.unwrap_or_default();
        let value = match told.rsplit_once("  ") {
            Some((_, value)) => value,
            None => told.rsplit_once(' ').map_or("", |(_, value)| value),
        };
        let before = told[..told.len() - value.len()].trim_end();
        let behind = told[before.len()..].chars().count();
        let (width, known) = (name.chars().count() + behind, self.width);
        self.value(line, name, value, width, is_cut);
        // What a benchmark printed may end in blanks.
        if progress(told).is_none() {
            self.width = known;
        }
    }

    /// Takes over a value, which with the benchmark's name is so wide.
    fn value(&mut self, line: usize, name: &'d str, value: &'d str, width: usize, is_cut: bool) {
        match is_cut && (width < self.width || self.width == 0) {
            true => self.problem(line, "the text ends within a result".to_owned()),
            false => self.result(line, name, value),
        }
        self.width = self.width.max(width);
    }

    fn result(&mut self, line: usize, name: &'d str, value: &'d str) {
        if name.starts_with("...") {
            let text = format!(
                "the name of benchmark `{}` is cut off: run asv with a wider terminal, such as `COLUMNS=200 asv run`",
                shown(name)
            );
            self.problem(line, text);
        } else if value == "ok" || value.ends_with(" failed") {
            self.open = Some((line, name));
        } else {
            self.entry(line, name, &[], value);
        }
    }

    /// Takes note of what is said of the benchmarks that follow.
    fn learn(&mut self, text: &str) {
        if let Some(environment) = text.strip_prefix("Benchmarking ") {
            self.facts.insert("environment", environment.to_owned());
        } else if let Some((_, commit)) = text.split_once(" commit ")
            && text.starts_with("For ")
        {
            let hash = commit.strip_prefix("hash ").unwrap_or(commit);
            let hash = hash.split([' ', ':']).next().unwrap_or_default();
            let hash = hash.get(..COMMIT_CHARS).unwrap_or(hash);
            self.facts.insert("commit", hash.to_owned());
        } else if let Some((count, _)) = text.split_once(" total benchmark") {
            let count = count.strip_prefix("Running ").map(str::parse::<usize>);
            if let Some(Ok(count)) = count {
                self.promised = Some(self.promised.unwrap_or(0) + count);
            }
        }
    }

    fn end_table(&mut self) {
        let Some((table, (line, name))) = self.table.take().zip(self.open.take()) else {
            return;
        };
        let rows = match table.rows() {
            Ok(rows) => rows,
            Err(text) => return self.damaged_value(line, 0, name, text),
        };
        for (index, row) in rows.enumerate() {
            match row {
                Ok((pairs, value)) => self.entry(line, name, &pairs, value),
                Err(text) => self.damaged_value(line, index, name, &text),
            }
        }
    }

    fn damaged_value(&mut self, line: usize, index: usize, name: &str, text: &str) {
        let text = format!("value {index} of benchmark `{}`: {text}", shown(name));
        self.problem(line, text);
    }

    /// Takes note of a table that did not come, or has no end.
    fn miss_table(&mut self) {
        self.table = None;
        if let Some((line, name)) = self.open.take() {
            let text = format!(
                "the table of benchmark `{}` is not there, or has no end",
                shown(name)
            );
            self.problem(line, text);
        }
    }

    fn entry(&mut self, line: usize, name: &str, pairs: &[(&str, &str)], value: &str) {
        let bench = bench_id(self.suite, name, pairs);
        let found = bench.map(|bench| Found::of(bench, readings(name, value)));
        let place = self.document.place(line, 1);
        take_found(found, &self.facts, place, self.gathered);
    }

    fn problem(&mut self, line: usize, text: String) {
        self.gathered.problem(self.document.place(line, 1), text);
    }

    fn finish(mut self, last: usize, is_cut: bool) {
        // Nothing behind the last benchmark says that what stands there is its value, but where others' values are.
        self.end_begun(is_cut || self.width > 0);
        self.miss_table();
        let found = self.found;
        match self.promised {
            Some(promised) if promised == found => {}
            Some(promised) => {
                let text = format!("{promised} benchmarks were to be run, and {found} are there");
                self.problem(last, text);
            }
            None => {
                let text = "the line that says how many benchmarks there are is not there";
                self.problem(1, text.to_owned());
            }
        }
    }
}

/// Returns whether a line is that of a benchmark, and not of what asv does before it.
fn is_result(text: &str) -> bool {
    !DOINGS.iter().any(|doing| text.starts_with(doing))
}

/// Returns what was measured: a value, and how far its repeats are apart.
pub(super) fn readings(name: &str, text: &str) -> Result<Vec<Reading>, String> {
    if let Some((_, why)) = WITHOUT_VALUE.iter().find(|(word, _)| *word == text) {
        return Err((*why).to_owned());
    }
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = &text[digits.len()..];
    let mut metric = quantity(name, None)?.metric;
    let no_value = || format!("`{}` is no value of a kind that it has", shown(text));
    let (scale, times) = match nanoseconds(unit) {
        Some(scale) if matches!(metric.unit, Unit::Other(_)) => {
            metric = of_unit("seconds")?;
            (scale, 1e9)
        }
        _ => (scale(&metric, unit).ok_or_else(no_value)?, 1.0),
    };
    let (value, spread) = match digits.split_once('\u{b1}') {
        Some((value, spread)) => (value, Some(spread)),
        None => (digits, None),
    };
    let value = scale.of_text(value).ok_or_else(no_value)? / times;
    let mut readings = vec![summary::standing_for(&metric, value, None)?];
    if let Some(spread) = spread {
        let spread = scale.of_text(spread).ok_or_else(no_value)? / times;
        readings.push(summary::part(&metric, "half_quartile_range", spread)?);
    }
    Ok(readings)
}

/// Returns how a number with a unit becomes one of a metric. What is tracked in bytes has a prefix from a thousand on, and
/// below nothing that tells it from what has no unit, so that neither is called `bytes`, as its file does.
fn scale(metric: &Metric, unit: &str) -> Option<Scale> {
    match metric.unit {
        Unit::Nanosecond => nanoseconds(unit),
        _ => things(unit),
    }
}
