//! The table at the end of what JMH prints, which is also the file of `-rf text`.
//!
//! All columns but the first end where their names end. Names have lost the package that all have in common, or most of
//! each package: what JMH printed while it ran has them in full, and with how many threads a benchmark ran. Tested by
//! `fixtures/jmh`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;

use super::printed::{Row, split_name};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::{Place, shown};

/// What stands for a param that another benchmark has.
const NO_PARAM: &str = "N/A";

const BENCHMARK: &str = "# Benchmark: ";
const THREADS: &str = "# Threads: ";
const FAILURE: &str = "<failure>";

/// Returns whether a line begins a table, even where one of its words is damaged.
pub(super) fn is_header(line: &str) -> bool {
    let words = [
        "Benchmark ",
        " Mode ",
        " Cnt ",
        " Score ",
        " Error ",
        " Units",
    ];
    let is_here = |word: &&&str| match word.strip_prefix(' ') {
        Some(_) => line.contains(**word),
        None => line.starts_with(**word),
    };
    words.iter().filter(is_here).count() >= 4
}

/// The columns of a table: their names, and where they end.
struct Table {
    columns: Vec<(String, usize)>,
}

impl Table {
    fn of_header(line: &str) -> Option<Self> {
        let mut columns = Vec::new();
        let mut end = 0;
        for word in line.split(' ') {
            end += word.chars().count();
            if !word.is_empty() {
                columns.push((word.to_owned(), end));
            }
            end += 1;
        }
        let names: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
        let params = names.strip_prefix(&["Benchmark"])?;
        let params = params
            .strip_suffix(&["Mode", "Cnt", "Score", "Error", "Units"])
            .or_else(|| params.strip_suffix(&["Mode", "Cnt", "Score", "Units"]))
            .or_else(|| params.strip_suffix(&["Mode", "Samples", "Score", "Error", "Units"]))?;
        let is_whole = params.iter().all(|param| param_of(param).is_some());
        is_whole.then_some(Self { columns })
    }

    fn row(&self, line: &str) -> Option<Row> {
        let chars: Vec<char> = line.chars().collect();
        let name: String = chars.iter().take_while(|c| **c != ' ').collect();
        let (benchmark, metric) = split_name(&name);
        let mut row = Row {
            benchmark,
            metric,
            ..Row::default()
        };
        let mut start = name.chars().count();
        for (column, end) in self.columns.get(1..)? {
            let cell = chars.get(start..*end)?;
            if start == 0 || cell.first() != Some(&' ') {
                return None;
            }
            let cell: String = cell.iter().collect();
            row.set(column, cell.trim())?;
            start = *end;
        }
        (start == chars.len()).then_some(row)
    }
}

/// Returns the param of a column `(bytes)`.
fn param_of(column: &str) -> Option<&str> {
    column.strip_prefix('(')?.strip_suffix(')')
}

impl Row {
    fn set(&mut self, column: &str, cell: &str) -> Option<()> {
        let text = Some(cell).filter(|cell| !cell.is_empty());
        match (column, text) {
            ("Mode", _) => text?.clone_into(&mut self.mode),
            ("Score", _) => text?.clone_into(&mut self.score),
            ("Units", _) => text?.clone_into(&mut self.unit),
            (_, None | Some(NO_PARAM)) => {}
            ("Cnt" | "Samples", Some(count)) => self.count = Some(count.parse().ok()?),
            ("Error", Some(error)) => {
                self.error = Some(error.strip_prefix('\u{b1}')?.trim().to_owned());
            }
            (param, Some(value)) => {
                let param = param_of(param)?.to_owned();
                self.params.push((param, value.to_owned()));
            }
        }
        Some(())
    }
}

/// What is known of the benchmarks before their table.
#[derive(Default)]
struct Known {
    threads: Option<u64>,
    newest: String,
    /// By name, its words backwards, so that those that end alike stand together: the full name, and how many threads ran.
    benchmarks: BTreeMap<String, (String, Option<u64>)>,
    /// What rows of a name were found to mean: a benchmark may have very many of them.
    meant: BTreeMap<String, Option<(String, Option<u64>)>>,
}

impl Known {
    /// Takes note of what a line says of the benchmark that runs, or returns what is wrong there.
    fn line(&mut self, text: &str) -> Option<String> {
        if let Some(threads) = text.strip_prefix(THREADS) {
            let count = threads.split(' ').next();
            self.threads = count.and_then(|count| count.parse().ok());
        } else if let Some(name) = text.strip_prefix(BENCHMARK) {
            name.clone_into(&mut self.newest);
            let full = (name.to_owned(), self.threads);
            self.benchmarks.insert(backwards(name), full);
            self.meant.clear();
        } else if text.ends_with(FAILURE) {
            return Some(format!("benchmark `{}` failed", shown(&self.newest)));
        }
        None
    }

    /// Gives a row what the table leaves out, where only one benchmark can be meant.
    fn complete(&mut self, row: &mut Row) {
        if !self.meant.contains_key(&row.benchmark) {
            let meant = self.meant_by(&row.benchmark).cloned();
            self.meant.insert(row.benchmark.clone(), meant);
        }
        if let Some(Some((full, threads))) = self.meant.get(&row.benchmark) {
            full.clone_into(&mut row.benchmark);
            row.threads = *threads;
        }
    }

    /// Returns the benchmark that a short name stands for: the one of the shallowest package. What all have in common is
    /// left out of the table, so `Kv.get` is `com.example.Kv.get` even beside `com.example.sub.Kv.get`.
    fn meant_by(&self, short: &str) -> Option<&(String, Option<u64>)> {
        // The words at the end that are not cut down are looked for as they stand.
        let words = short
            .rsplit('.')
            .take_while(|word| word.chars().count() > 1);
        let whole: String = words.flat_map(|word| [word, "."]).collect();
        let from = (Bound::Included(&*whole), Bound::Unbounded);
        let alike = self.benchmarks.range::<str, _>(from);
        let alike = alike.take_while(|(name, _)| name.starts_with(&whole));
        let depth = |name: &str| name.matches('.').count();
        let (mut best, mut is_one): (Option<&(String, _)>, _) = (None, false);
        for (_, one) in alike.filter(|(_, (full, _))| is_short_for(short, full)) {
            match best.map(|best| depth(&one.0).cmp(&depth(&best.0))) {
                Some(Ordering::Greater) => {}
                Some(Ordering::Equal) => is_one = false,
                None | Some(Ordering::Less) => (best, is_one) = (Some(one), true),
            }
        }
        best.filter(|_| is_one)
    }
}

/// Returns a name's words backwards, each with a full stop behind it.
fn backwards(name: &str) -> String {
    name.rsplit('.').flat_map(|word| [word, "."]).collect()
}

/// Returns whether a name such as `c.e.Kv.get` or `Kv.get` stands for one such as `com.example.Kv.get`.
fn is_short_for(short: &str, full: &str) -> bool {
    let mut parts = full.rsplit('.');
    short.rsplit('.').all(|short| {
        let part = parts.next();
        part.is_some_and(|part| is_word_for(short, part))
    })
}

/// Returns whether a word stands for another, which may be cut down to its first sign.
fn is_word_for(short: &str, full: &str) -> bool {
    full == short || short.len() == 1 && full.starts_with(short)
}

/// Reads the rows of a document.
pub(super) fn rows(document: &Document<'_>, gathered: &mut Gathered) -> Vec<(Place, Row)> {
    let mut known = Known::default();
    let (mut table, mut rows, mut is_ended): (Option<Table>, _, _) = (None, Vec::new(), false);
    for line in document.lines() {
        let place = document.place(line.line, 1);
        let text = line.text.trim_end();
        if is_header(text) {
            table = Table::of_header(text);
            is_ended = false;
            if table.is_none() {
                gathered.problem(place, "a damaged header of a table");
            }
            continue;
        }
        is_ended |= text.is_empty();
        let row = table.as_ref().and_then(|table| table.row(text));
        if let Some(mut row) = row {
            known.complete(&mut row);
            rows.push((place, row));
        } else if table.is_some() && (!is_ended || is_like_row(text)) {
            let text = format!("a damaged row of the table: `{}`", shown(text));
            gathered.problem(place, text);
        } else if let Some(problem) = known.line(text) {
            gathered.problem(place, problem);
        }
    }
    rows
}

/// Returns whether something of a row is left in a line that stands behind the table's end.
fn is_like_row(text: &str) -> bool {
    [" \u{b1} ", "/op", " ops/"]
        .iter()
        .any(|mark| text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BENCHMARKS: usize = 50_000;

    #[test]
    fn a_short_name_stands_for_a_full_one() {
        for (short, full, expected) in [
            ("Kv.get", "com.example.Kv.get", true),
            ("c.e.Kv.get", "com.example.Kv.get", true),
            ("com.example.Kv.get", "com.example.Kv.get", true),
            ("c.Kv.get", "com.example.Kv.get", false),
            ("v.get", "com.example.Kv.get", false),
            ("x.com.Kv.get", "com.Kv.get", false),
        ] {
            assert_eq!(is_short_for(short, full), expected, "{short} {full}");
        }
    }

    /// Comparing each row with all benchmarks would take minutes.
    #[test]
    fn rows_find_their_benchmarks_soon() {
        let mut known = Known::default();
        for index in 0..BENCHMARKS {
            known.line(&format!("{BENCHMARK}a.b.Kv.get{index}"));
        }
        for index in 0..BENCHMARKS {
            let mut row = Row {
                benchmark: format!("Kv.get{index}"),
                ..Row::default()
            };
            known.complete(&mut row);
            assert_eq!(row.benchmark, format!("a.b.Kv.get{index}"));
        }
    }

    #[test]
    fn rows_of_one_method_find_their_packages_soon() {
        let mut known = Known::default();
        for index in 0..BENCHMARKS {
            known.line(&format!("{BENCHMARK}a.p{index}.Kv.get"));
        }
        for index in 0..BENCHMARKS {
            for short in [format!("p{index}.Kv.get"), format!("a.p{index}.Kv.get")] {
                let mut row = Row {
                    benchmark: short,
                    ..Row::default()
                };
                known.complete(&mut row);
                assert_eq!(row.benchmark, format!("a.p{index}.Kv.get"));
            }
        }
    }

    #[test]
    fn what_all_packages_have_in_common_is_what_is_left_out() {
        let mut known = Known::default();
        for name in ["com.x.Kv.get", "com.x.sub.Kv.get", "com.x.sub.Kv.set"] {
            known.line(&format!("{BENCHMARK}{name}"));
        }
        for (short, expected) in [
            ("Kv.get", "com.x.Kv.get"),
            ("sub.Kv.get", "com.x.sub.Kv.get"),
            ("Kv.set", "com.x.sub.Kv.set"),
        ] {
            let mut row = Row {
                benchmark: short.to_owned(),
                ..Row::default()
            };
            known.complete(&mut row);
            assert_eq!(row.benchmark, expected);
        }
    }

    #[test]
    fn a_row_is_completed_where_one_benchmark_is_meant() {
        let mut known = Known::default();
        for line in [
            "# Threads: 2 threads, will synchronize iterations",
            "# Benchmark: a.b.Kv.get",
            "# Benchmark: a.b.Kv.set",
            "# Benchmark: a.c.Kv.set",
        ] {
            assert_eq!(known.line(line), None);
        }
        let said = known.line("Iteration   1: <failure>");
        assert_eq!(said.as_deref(), Some("benchmark `a.c.Kv.set` failed"));
        for (name, expected) in [
            ("Kv.get", ("a.b.Kv.get", Some(2))),
            ("Kv.set", ("Kv.set", None)),
            ("c.Kv.set", ("a.c.Kv.set", Some(2))),
        ] {
            let mut row = Row {
                benchmark: name.to_owned(),
                ..Row::default()
            };
            known.complete(&mut row);
            assert_eq!((&*row.benchmark, row.threads), expected);
        }
    }
}
