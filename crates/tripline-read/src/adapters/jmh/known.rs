//! What JMH says of benchmarks before their table: their full names, how many threads ran, and which of them failed.
//!
//! Tested below and by `fixtures/jmh`.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use tripline_model::few;

use super::printed::Row;
use crate::place::shown;

const BENCHMARK: &str = "# Benchmark: ";
const THREADS: &str = "# Threads: ";

/// What stands in the place of a score: that the benchmark threw, or that its process ended before its time.
const FAILURES: [&str; 2] = ["<failure", "<forked VM failed"];

/// A benchmark that ran.
#[derive(Debug, Clone)]
struct Begun {
    name: String,
    threads: Option<u64>,
    line: usize,
}

/// What is known of the benchmarks before their table.
#[derive(Default)]
pub(super) struct Known {
    threads: Option<u64>,
    newest: String,
    /// Whether it was said that the newest failed.
    is_failed: bool,
    /// By name, its words backwards, so that those that end alike stand together.
    benchmarks: BTreeMap<String, Begun>,
    /// What rows of a name were found to mean: a benchmark may have very many of them.
    meant: BTreeMap<String, Option<Begun>>,
    /// The benchmarks that have a row, or of which it was said why they have none.
    settled: BTreeSet<String>,
    /// The methods of rows of which nobody knows whose they are.
    unclear: BTreeSet<String>,
}

impl Known {
    /// Takes note of what a line says of the benchmark that runs, or returns what is wrong there.
    pub(super) fn line(&mut self, line: usize, text: &str) -> Option<String> {
        if let Some(threads) = text.strip_prefix(THREADS) {
            let count = threads.split(' ').next();
            self.threads = count.and_then(|count| count.parse().ok());
        } else if let Some(name) = text.strip_prefix(BENCHMARK) {
            name.clone_into(&mut self.newest);
            self.is_failed = false;
            let begun = Begun {
                name: name.to_owned(),
                threads: self.threads,
                line,
            };
            self.benchmarks.insert(backwards(name), begun);
            self.meant.clear();
        } else if FAILURES.iter().any(|words| text.contains(words))
            && !std::mem::replace(&mut self.is_failed, true)
        {
            self.settled.insert(self.newest.clone());
            return Some(format!("benchmark `{}` failed", shown(&self.newest)));
        }
        None
    }

    /// Gives a row what the table leaves out, where only one benchmark can be meant.
    pub(super) fn complete(&mut self, row: &mut Row) {
        if !self.meant.contains_key(&row.benchmark) {
            let meant = self.meant_by(&row.benchmark).cloned();
            self.meant.insert(row.benchmark.clone(), meant);
        }
        match self.meant.get(&row.benchmark) {
            Some(Some(meant)) => {
                meant.name.clone_into(&mut row.benchmark);
                row.threads = meant.threads;
                if !self.settled.contains(&meant.name) {
                    self.settled.insert(meant.name.clone());
                }
            }
            _ => {
                let method = last_word(&row.benchmark).to_owned();
                self.unclear.insert(method);
            }
        }
    }

    /// Returns the benchmarks that ran and have no row, each with its line: its process died, or the text is cut.
    pub(super) fn without_row(&self) -> impl Iterator<Item = (usize, &str)> {
        let all = self.benchmarks.values();
        let left = all.filter(|begun| {
            !self.settled.contains(&begun.name) && !self.unclear.contains(last_word(&begun.name))
        });
        let mut left: Vec<_> = left.map(|begun| (begun.line, &*begun.name)).collect();
        few::sort(&mut left);
        left.into_iter()
    }

    /// Returns the benchmark that a short name stands for: the one of the shallowest package. What all have in common is
    /// left out of the table, so `Kv.get` is `com.example.Kv.get` even beside `com.example.sub.Kv.get`.
    fn meant_by(&self, short: &str) -> Option<&Begun> {
        // The words at the end that are not cut down are looked for as they stand.
        let words = short
            .rsplit('.')
            .take_while(|word| word.chars().count() > 1);
        let whole: String = words.flat_map(|word| [word, "."]).collect();
        let from = (Bound::Included(&*whole), Bound::Unbounded);
        let alike = self.benchmarks.range::<str, _>(from);
        let alike = alike.take_while(|(name, _)| name.starts_with(&whole));
        let depth = |name: &str| name.matches('.').count();
        let (mut best, mut is_one): (Option<&Begun>, _) = (None, false);
        for (_, one) in alike.filter(|(_, one)| is_short_for(short, &one.name)) {
            match best.map(|best| depth(&one.name).cmp(&depth(&best.name))) {
                Some(Ordering::Greater) => {}
                Some(Ordering::Equal) => is_one = false,
                None | Some(Ordering::Less) => (best, is_one) = (Some(one), true),
            }
        }
        best.filter(|_| is_one)
    }
}

/// Returns the method of a benchmark.
fn last_word(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
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
            known.line(1, &format!("{BENCHMARK}a.b.Kv.get{index}"));
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
            known.line(1, &format!("{BENCHMARK}a.p{index}.Kv.get"));
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
            known.line(1, &format!("{BENCHMARK}{name}"));
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
            assert_eq!(known.line(1, line), None);
        }
        let said = known.line(1, "Iteration   1: <failure>");
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

    #[test]
    fn a_benchmark_without_a_row_is_told() {
        let mut known = Known::default();
        for (line, text) in [
            (1, "# Benchmark: a.Kv.get"),
            (2, "# Benchmark: a.Kv.set"),
            (3, "# Benchmark: a.Kv.crash"),
            (4, "# Benchmark: a.Kv.open"),
        ] {
            assert_eq!(known.line(line, text), None);
        }
        let died = "# Warmup Iteration   1: <forked VM failed with exit code 134>";
        let said = known.line(5, died);
        assert_eq!(said.as_deref(), Some("benchmark `a.Kv.open` failed"));
        assert_eq!(known.line(6, "Iteration 1: <failure: VM ended>"), None);
        let mut row = Row {
            benchmark: "Kv.get".to_owned(),
            ..Row::default()
        };
        known.complete(&mut row);
        let left: Vec<_> = known.without_row().collect();
        assert_eq!(left, [(2, "a.Kv.set"), (3, "a.Kv.crash")]);
    }
}
