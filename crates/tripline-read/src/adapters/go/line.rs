//! What one line of the output is.
//!
//! `go test` writes a benchmark's name when it begins and its numbers when it ends, so whatever the benchmark itself
//! writes lands between the two: a line may hold a result, the first half of one, or the second. Tested below.

use super::words::{
    COUNT_WIDTH, STANDARD_UNITS, begins_with_count, count, failed, has_standard_unit, is_crash,
    is_end_of_result, is_event, is_lenient_name, is_name, is_number, is_spread_out, printed_number,
};

/// What a process says of where it runs.
const SETTINGS: &[&str] = &["goos", "goarch", "pkg", "cpu"];

/// One line, as far as it matters.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line<'t> {
    /// Where the results that follow were measured: `goos`, `goarch`, `pkg` or `cpu`.
    Setting { key: &'static str, value: &'t str },
    /// What else is said of where or of what the results that follow are, as files for benchstat do: `commit`, `toolchain`.
    /// Without a value it holds no longer.
    Stated { key: &'t str, value: &'t str },
    /// A benchmark and what it gave.
    Result { name: &'t str, run: Run<'t> },
    /// What a benchmark gave, without its name.
    Rest(Run<'t>),
    /// The name of a benchmark that begins, without the number of processors, as `-v` says it. Or somebody wrote it.
    Announced { name: &'t str },
    /// A benchmark that begins; what follows on the line it wrote itself.
    Begun { name: &'t str, rest: &'t str },
    /// A test or benchmark that failed.
    Failed { what: &'t str },
    /// The whole process is about to end, unless this was caught.
    Crashed,
    /// The process came to its end.
    Passed,
    /// A package was done.
    Ended { package: &'t str },
    /// A package failed, or the process did, which does not know its package.
    Broken {
        package: Option<&'t str>,
        why: &'t str,
    },
    /// What is known of a unit: words of the form `key=value`.
    Unit {
        unit: &'t str,
        properties: Vec<(&'t str, &'t str)>,
    },
    /// It has numbers as a result has them, and is none.
    Damaged,
    /// Anything else.
    Other,
}

/// What one run of a benchmark gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Run<'t> {
    /// How often the benchmark's body ran.
    pub(super) iterations: u64,
    /// The numbers and their units. They are taken apart when they are needed, because an output may hold a million
    /// results.
    measures: &'t str,
}

/// A number, as it is written, and its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measure<'t> {
    value: &'t str,
    pub(super) unit: &'t str,
}

impl<'t> Line<'t> {
    /// Says what a line is.
    pub(super) fn of(text: &'t str) -> Self {
        if let Some(line) = Self::of_gocheck(text).or_else(|| Self::of_result(text)) {
            return line;
        }
        if is_name(text) && !text.contains(char::is_whitespace) {
            return Self::Announced { name: text };
        }
        let ended = text.trim_end();
        if ended == "PASS" {
            return Self::Passed;
        }
        if is_crash(text) {
            return Self::Crashed;
        }
        if let Some(what) = failed(text) {
            return Self::Failed { what };
        }
        if let Some(rest) = text.strip_prefix("ok  \t") {
            let package = rest.split_ascii_whitespace().next().unwrap_or_default();
            return Self::Ended { package };
        }
        if ended == "FAIL" {
            let package = None;
            return Self::Broken { package, why: "" };
        }
        if let Some(rest) = text.strip_prefix("FAIL\t") {
            let (package, why) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
            let package = Some(package);
            return Self::Broken { package, why };
        }
        Self::of_end_without_tabs(text)
            .or_else(|| Self::of_unit(text))
            .or_else(|| Self::of_setting(text))
            .or_else(|| Self::of_statement(text))
            .unwrap_or(Self::Other)
    }

    fn of_result(text: &'t str) -> Option<Self> {
        if is_event(text) || is_end_of_result(text) {
            return Some(Self::Damaged);
        }
        let end = [text.find(' '), text.find('\t')]
            .into_iter()
            .flatten()
            .min();
        let (name, rest) = text.split_at(end?);
        let is_name = is_name(name);
        if is_name && let Some(number) = printed_number(rest) {
            return Some(Self::Begun { name, rest: number });
        }
        let is_lenient_name = is_name || is_lenient_name(name);
        if is_lenient_name
            && let Some(run) = Run::parse(rest).filter(|run| is_name || !run.is_empty())
        {
            return Some(Self::Result { name, run });
        }
        if is_lenient_name && (begins_with_count(rest) || has_standard_unit(rest)) {
            return Some(Self::Damaged);
        }
        // The name is padded with blanks to a column that ends in a tab.
        let begun = rest.trim_start_matches(' ').strip_prefix('\t');
        let begun = begun.filter(|_| is_name);
        if begun.is_none() && is_spread_out(text) {
            return Some(Self::Damaged);
        }
        // Each part of a result ends in a tab, which is rare in what else is written.
        if !text.contains('\t') {
            return is_rest_without_tabs(text).then_some(Self::Damaged);
        }
        if !is_name && let Some(run) = Run::parse_rest(text) {
            return Some(Self::Rest(run));
        }
        if has_result(text) {
            return Some(Self::Damaged);
        }
        begun.map(|rest| Self::Begun { name, rest })
    }

    /// Reads `PASS: kv_test.go:12: S.BenchmarkGet` and what it gave, as the package gocheck writes it.
    fn of_gocheck(text: &'t str) -> Option<Self> {
        let (_, text) = text.strip_prefix("PASS: ")?.split_once(": ")?;
        let (name, rest) = text.split_once('\t')?;
        let is_name = name.split_once('.').is_some_and(|(_, name)| is_name(name));
        let run = Run::parse(rest).filter(|run| is_name && !run.is_empty())?;
        Some(Self::Result { name, run })
    }

    /// Reads the end of a package where tabs became blanks. Programs write `ok` and `FAIL` of their own, too, so how long the
    /// package took has to stand behind it, or why it failed.
    fn of_end_without_tabs(text: &'t str) -> Option<Self> {
        let (word, rest) = text.split_once("  ")?;
        let (package, why) = rest.trim_ascii().split_once([' ', '\t'])?;
        let why = why.trim_ascii_start();
        match word {
            "ok" if why.starts_with("(cached)") || begins_with_seconds(why) => {
                Some(Self::Ended { package })
            }
            "FAIL" if why.starts_with('[') || begins_with_seconds(why) => Some(Self::Broken {
                package: Some(package),
                why,
            }),
            _ => None,
        }
    }

    fn of_unit(text: &'t str) -> Option<Self> {
        let mut fields = text.strip_prefix("Unit ")?.split_ascii_whitespace();
        let unit = fields.next()?;
        let properties: Option<Vec<_>> = fields.map(|field| field.split_once('=')).collect();
        let properties = properties.filter(|properties| !properties.is_empty())?;
        Some(Self::Unit { unit, properties })
    }

    fn of_setting(text: &'t str) -> Option<Self> {
        let of_key = |key: &&&'static str| text.strip_prefix(**key)?.strip_prefix(": ");
        let key = SETTINGS.iter().find(|key| of_key(key).is_some())?;
        let value = of_key(&key)?.trim();
        (!value.is_empty()).then_some(Self::Setting { key, value })
    }

    /// Go's benchmark format lets a value have several words. Those are left to what programs write of their own, such as
    /// `ld: warning: ...`, which no benchmark is told apart by; and the go command says of a process `signal: killed`.
    fn of_statement(text: &'t str) -> Option<Self> {
        let (key, value) = text.split_once(':')?;
        let is_key = key.starts_with(char::is_lowercase)
            && !key.contains(|c: char| c.is_whitespace() || c.is_uppercase());
        let is_apart = value.is_empty() || value.starts_with([' ', '\t']);
        let value = value.trim();
        let is_word = !value.contains(char::is_whitespace);
        (is_key && is_apart && is_word && key != "signal").then_some(Self::Stated { key, value })
    }

    /// Returns whether an output may end here without the end of its line: editors and shells take that away.
    pub(super) fn is_an_end(&self) -> bool {
        matches!(
            self,
            Self::Passed | Self::Ended { .. } | Self::Broken { .. }
        )
    }
}

impl<'t> Run<'t> {
    /// Reads an iteration count and the numbers after it, to the end of the text.
    fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim_ascii();
        let end = text.find([' ', '\t']).unwrap_or(text.len());
        let (iterations, measures) = text.split_at(end);
        let run = Self {
            iterations: count(iterations)?,
            measures,
        };
        let mut fields = measures.split_ascii_whitespace();
        while let Some(value) = fields.next() {
            Measure::parse(value, fields.next()?)?;
        }
        Some(run)
    }

    /// Returns the numbers. Each is an average over the iterations, or whatever the benchmark reported.
    pub(super) fn measures(&self) -> impl Iterator<Item = Measure<'t>> + use<'t> {
        let mut fields = self.measures.split_ascii_whitespace();
        std::iter::from_fn(move || Measure::parse(fields.next()?, fields.next()?))
    }

    /// Returns whether there is no number.
    pub(super) fn is_empty(&self) -> bool {
        self.measures.is_empty()
    }

    /// Reads the second half of a result, which begins with the count in its column.
    fn parse_rest(text: &'t str) -> Option<Self> {
        let (column, _) = text.split_once('\t')?;
        let is_column =
            column.len() == COUNT_WIDTH || (column.len() > COUNT_WIDTH && !column.starts_with(' '));
        let run = is_column.then(|| Self::parse(text)).flatten()?;
        (!run.is_empty()).then_some(run)
    }
}

impl<'t> Measure<'t> {
    fn parse(value: &'t str, unit: &'t str) -> Option<Self> {
        // `inf` and `nan` are units that somebody chose.
        let begins_number = |c: char| c.is_ascii_digit() || "+-.".contains(c);
        // A comparison of two outputs ends in one that is no unit: `-86.88%`.
        let is_one = |unit: &str| match unit.strip_suffix('%') {
            Some(change) => change.starts_with(['+', '-']) && is_number(change),
            None => is_number(unit),
        };
        let is_measure = is_number(value) && !(unit.starts_with(begins_number) && is_one(unit));
        is_measure.then_some(Self { value, unit })
    }

    /// Returns the number with its point moved to the right.
    ///
    /// Multiplying would not do: `8254.20` times a million is `8254200000.000001`.
    pub(super) fn moved(&self, digits: u32) -> f64 {
        // It was a number when the line was read.
        let value = self.value.parse().unwrap_or(f64::NAN);
        if digits == 0 {
            return value;
        }
        // A number that has an exponent of its own takes no second one, and words such as `NaN` take none.
        let moved = format!("{}e{digits}", self.value).parse();
        moved.unwrap_or_else(|_| value * 10_f64.powf(f64::from(digits)))
    }

    /// Reads a number and its unit where nothing else stands beside them.
    fn alone(text: &'t str) -> Option<Self> {
        let mut fields = text.split_ascii_whitespace();
        let measure = Self::parse(fields.next()?, fields.next()?)?;
        fields.next().is_none().then_some(measure)
    }
}

/// Returns whether a text begins with how long a package took: `1.204s`.
fn begins_with_seconds(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = text.split(' ').next().unwrap_or_default();
    let time = word.strip_suffix('s').and_then(|time| time.split_once('.'));
    time.is_some_and(|(whole, part)| is_number(whole) && part.len() == 3 && is_number(part))
}

/// Returns whether any part of a text between tabs looks like a number that was measured.
fn has_result(text: &str) -> bool {
    let mut parts = text.split('\t');
    let mut before = parts.next().unwrap_or_default();
    parts.any(|part| {
        let is_after_count = before.rsplit(' ').next().and_then(count).is_some();
        before = part;
        Measure::alone(part)
            .is_some_and(|measure| is_after_count || STANDARD_UNITS.contains(&measure.unit))
    })
}

/// Returns whether a text has nothing but a count and measures, one of them in a unit that no other program writes: the second
/// half of a result whose tabs became blanks, so that nobody knows where the first is.
fn is_rest_without_tabs(text: &str) -> bool {
    let run = Run::parse(text);
    run.is_some_and(|run| {
        let mut measures = run.measures();
        measures.any(|measure| STANDARD_UNITS.contains(&measure.unit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(iterations: u64, measures: &str) -> Run<'_> {
        Run {
            iterations,
            measures,
        }
    }

    #[test]
    fn results_are_whole_halves_or_damaged() {
        let name = "BenchmarkGet/a=1-8";
        for (text, expected) in [
            (
                "BenchmarkGet/a=1-8   \t     100\t     12.50 ns/op\t  64 B/op",
                Line::Result {
                    name,
                    run: run(100, "\t     12.50 ns/op\t  64 B/op"),
                },
            ),
            (
                "BenchmarkGet/a=1-8 100",
                Line::Result {
                    name,
                    run: run(100, ""),
                },
            ),
            (
                "     100\t     12.50 hits",
                Line::Rest(run(100, "\t     12.50 hits")),
            ),
            (
                "100000000\t     12.50 hits",
                Line::Rest(run(100_000_000, "\t     12.50 hits")),
            ),
            (
                "BenchmarkGet/a=1-8   \topening",
                Line::Begun {
                    name,
                    rest: "opening",
                },
            ),
            (
                "BenchmarkGet/a=1-8   \t     100",
                Line::Result {
                    name,
                    run: run(100, ""),
                },
            ),
            (
                "BenchmarkGet/a=1-8   \t100",
                Line::Begun { name, rest: "100" },
            ),
            (
                "BenchmarkGet/a=1-8   \t3 keys are open",
                Line::Begun {
                    name,
                    rest: "3 keys are open",
                },
            ),
            ("BenchmarkGet/a=1-8", Line::Announced { name }),
            ("Benchmarks", Line::Other),
            ("Benchmarks 100 12 ns", Line::Other),
            ("Benchmarking: 100 12 ns", Line::Other),
            (
                "Benchmarkstorage_total 1 12 total-bytes",
                Line::Result {
                    name: "Benchmarkstorage_total",
                    run: run(1, " 12 total-bytes"),
                },
            ),
            ("Benchmarkstorage_total 1", Line::Other),
            ("Benchmark results: 12 ms", Line::Other),
            ("took 3 ns/op", Line::Other),
            ("    x_test.go:41: took\t3 ns", Line::Other),
            ("     100 keys\t     12.50 hits", Line::Other),
        ] {
            assert_eq!(Line::of(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_end_of_a_package_is_known_behind_blanks_too() {
        let ended = Line::Ended { package: "a/b" };
        let broken = |why| Line::Broken {
            package: Some("a/b"),
            why,
        };
        for (text, expected) in [
            ("ok  \ta/b\t1.204s", &ended),
            ("ok      a/b     1.204s", &ended),
            ("ok  a/b (cached)", &ended),
            ("FAIL\ta/b [build failed]", &broken("[build failed]")),
            ("FAIL    a/b [build failed]", &broken("[build failed]")),
            ("FAIL    a/b     1.204s", &broken("1.204s")),
            ("ok  all is well", &Line::Other),
            ("ok  warmup 3s", &Line::Other),
            ("ok  a infs", &Line::Other),
            ("ok a/b 1.204s", &Line::Other),
            ("FAIL  a/b for now", &Line::Other),
        ] {
            assert_eq!(Line::of(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn what_lost_a_part_or_was_put_elsewhere_is_damaged() {
        for (text, expected) in [
            // A wrong byte in each part of a result.
            ("benchmarkGet-8 \t     100\t 12 ns/op", Line::Damaged),
            ("BenchmarkGet-8 x     100\t 12 hits", Line::Damaged),
            ("BenchmarkGet-8 \t     1x0\t 12 ns/op", Line::Damaged),
            ("BenchmarkGet-8 \t     1 00\t 12 hits", Line::Damaged),
            ("BenchmarkGet-8 \t     100\t 12 ns/op 3", Line::Damaged),
            ("BenchmarkGet-8 1x0 12 ns/op", Line::Damaged),
            ("Benchmarkget-8 1x0 12 ns/op", Line::Damaged),
            ("Benchmarkget-8 \t 1\t 12 hits 3", Line::Damaged),
            ("100\t 12 hits", Line::Damaged),
            ("  BenchmarkGet-8 100 12 hits", Line::Damaged),
            ("> BenchmarkGet-8 100 12 ns/op", Line::Damaged),
            ("| BenchmarkGet-8 | 100 | 12 ns/op |", Line::Damaged),
            ("benchmarkGet-8 100 12 hits", Line::Damaged),
            ("BenchmarkGet-8 100 1O.0 hits", Line::Damaged),
            ("BenchmarkGet-8 100 12\u{a0}ns/op", Line::Damaged),
            ("see BenchmarkGet for more", Line::Other),
            ("benchmarking 100 12 hits", Line::Other),
            ("   12 allocs/op", Line::Damaged),
            (" allocs/op", Line::Damaged),
            ("\t 12 ns/op", Line::Damaged),
            ("     100      12.50 ns/op", Line::Damaged),
            ("     100      3 hits   12.50 ns/op", Line::Damaged),
            ("     100      12.50 hits", Line::Other),
            ("took 100 12.50 ns/op", Line::Other),
        ] {
            assert_eq!(Line::of(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_run_gives_its_numbers_in_order() {
        let shown = |text| {
            let measures = Run::parse(text)?.measures();
            let words = measures.map(|one| format!("{} {}", one.value, one.unit));
            Some(words.collect::<Vec<_>>().join(", "))
        };
        let expected = Some("12 ns/op, 3 hits".to_owned());
        assert_eq!(shown("100\t 12 ns/op\t 3 hits"), expected);
        assert_eq!(shown(" 100 "), Some(String::new()));
        assert_eq!(shown("100 12 inf"), Some("12 inf".to_owned()));
        for text in [
            "",
            "x",
            "100 12",
            "100 ns/op 12",
            "100 12 13",
            "+100 12 ns/op",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_moved_without_an_error() {
        for (value, digits, expected) in [
            ("8254.20", 6, 8_254_200_000.0),
            ("12.50", 0, 12.5),
            ("1e3", 6, 1e9),
            ("1e3", 0, 1e3),
            ("+Inf", 6, f64::INFINITY),
        ] {
            let measure = Measure {
                value,
                unit: "MB/s",
            };
            assert_eq!(measure.moved(digits), expected, "{value}");
        }
    }

    #[test]
    fn ends_and_failures_are_told_apart() {
        for (text, expected) in [
            ("PASS", Line::Passed),
            ("ok  \ta/b\t0.1s", Line::Ended { package: "a/b" }),
            ("ok  \ta/b\t(cached)", Line::Ended { package: "a/b" }),
            ("?   \ta/b\t[no test files]", Line::Other),
            (
                "FAIL\ta/b [build failed]",
                Line::Broken {
                    package: Some("a/b"),
                    why: "[build failed]",
                },
            ),
            (
                "FAIL",
                Line::Broken {
                    package: None,
                    why: "",
                },
            ),
            ("panic: full", Line::Crashed),
            ("fatal error: stack overflow", Line::Crashed),
            ("    panic: full", Line::Other),
            (
                "--- FAIL: TestX (0.00s)",
                Line::Failed {
                    what: "TestX (0.00s)",
                },
            ),
            ("    --- FAIL: TestX/a (0.00s)", Line::Other),
            ("    --- FAIL: BenchmarkX/a", Line::Other),
            ("half--- FAIL: TestX (0.00s)", Line::Other),
            (
                "half--- FAIL: BenchmarkX",
                Line::Failed { what: "BenchmarkX" },
            ),
            ("--- BENCH: BenchmarkX-8", Line::Other),
        ] {
            assert_eq!(Line::of(text), expected, "{text:?}");
        }
    }

    #[test]
    fn settings_and_units_are_those_of_the_format() {
        for (text, expected) in [
            (
                "pkg: a/b",
                Line::Setting {
                    key: "pkg",
                    value: "a/b",
                },
            ),
            (
                "commit: 1f2e",
                Line::Stated {
                    key: "commit",
                    value: "1f2e",
                },
            ),
            (
                "commit:",
                Line::Stated {
                    key: "commit",
                    value: "",
                },
            ),
            ("note: two words", Line::Other),
            ("Note: a/b", Line::Other),
            ("a note: a/b", Line::Other),
            ("x_test.go:41: took", Line::Other),
            ("http://a", Line::Other),
            (": a", Line::Other),
            (
                "Unit hit% better=higher",
                Line::Unit {
                    unit: "hit%",
                    properties: vec![("better", "higher")],
                },
            ),
            ("Unit tests passed", Line::Other),
            ("Unit hit%", Line::Other),
        ] {
            assert_eq!(Line::of(text), expected, "{text:?}");
        }
    }
}
