//! The tables that pytest-benchmark prints: one for each group of tests, with the columns that were asked for.
//!
//! A title says how many tests a table has; in version 2 it also names the clock, and numbers stand alone there. Where a run is compared with earlier ones, those are left out, and a remark
//! says so. Tested below and by `fixtures/pytest_benchmark`.

use std::collections::BTreeMap;

use tripline_model::{BenchId, Reading, SuiteName, Unit};

use super::times;
use crate::apart::Facts;
use crate::document::{Block, Document};
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::naming::bench_id;
use crate::place::shown;
use crate::quantity::{self, Scale};
use crate::summary;

/// How the line of the columns begins.
const HEADER: &str = "Name (time in ";

/// How what stands below the last table begins; version 3.0 has a single line of it.
const LEGENDS: [&str; 2] = ["Legend:", "(*) Outliers: "];

/// What version 3.0 has behind the name of a column, to say that the legend is about it.
const ASTERISK: &str = "(*)";

/// What stands behind the name of a test of the run itself, where it is compared with earlier ones.
const NOW: &str = "NOW";

/// What is said of the rows of the earlier ones.
const EARLIER: &str = "passed over: rows of earlier runs, from here on; only those of the run itself, `(NOW)`, are read";

/// What is said of a row that does not say what it is of.
const NAMELESS: &str =
    "a row that names the run and not the test, as `--benchmark-name=trial` has them";

/// The clock of those who chose none.
pub(super) const USUAL_TIMER: &str = "perf_counter";

/// The columns of times: what each is called, and what it is in a summary, the one that stands for the others first.
const TIMES: [(&str, &str); 6] = [
    ("Median", "median"),
    ("Mean", "mean"),
    ("Min", "min"),
    ("Max", "max"),
    ("StdDev", "stddev"),
    ("IQR", "quartile_range"),
];

/// What runs the rows of a text are of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// Of one, or of saved ones alone.
    Any,
    /// Of the run itself and of earlier ones.
    Compared,
    /// Of those too, but nothing says of which test.
    Nameless,
}

impl Runs {
    fn of(text: &str) -> Self {
        match text.contains(" (NOW) ") {
            true => Self::Compared,
            false if text.contains("\nNOW ") => Self::Nameless,
            false => Self::Any,
        }
    }
}

/// A table that has begun.
struct Table<'t> {
    line: usize,
    title: Title<'t>,
    found: usize,
    unit: Scale,
    columns: Vec<&'t str>,
}

/// How the names of the files end that pytest finds tests in, those of texts with examples included.
const FILES: [&str; 4] = [".py", ".txt", ".rst", ".md"];

/// Returns which test failed, of a line of pytest's summary such as `FAILED test_it.py::test_get - assert 1 == 2`. What a
/// program logs names no file there.
fn failed(line: &str) -> Option<&str> {
    let words = ["FAILED ", "ERROR "];
    let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
    let test = rest.split_once(" - ").map_or(rest, |(test, _)| test);
    let (file, _) = test.split_once("::")?;
    let is_file = FILES.iter().any(|ending| file.ends_with(ending)) && !file.starts_with(' ');
    is_file.then_some(test)
}

/// Returns whether a text has such a table.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(|line| line.starts_with(HEADER))
}

/// Reads all tables of a text.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let runs = Runs::of(document.text());
    let mut timer = USUAL_TIMER;
    let (mut title, mut table) = (None, None);
    // The line of the last table behind which the legend did not come yet.
    let mut unended = None;
    let mut earlier = None;
    let cut_line = document.cut_line();
    for block in document.shown_lines() {
        if let Some(found) = timer_of(block.text) {
            timer = found;
        } else if let Some(test) = failed(block.text) {
            let test = shown(test);
            let text = format!(
                "test `{test}` failed; if it stands in a table, the times are of a run that failed"
            );
            gathered.problem(document.place(block.line, 1), text);
        } else if LEGENDS.iter().any(|legend| block.text.starts_with(legend)) {
            unended = None;
        } else if let Some(found) = title_of(block.text) {
            miss(title.take(), document, gathered);
            end(table.take(), document, gathered);
            title = Some((block.line, found));
            unended = found.timer.is_none().then_some(block.line);
        } else if block.text.starts_with(HEADER) {
            match Table::begin(&block, title.take()) {
                Ok(begun) => table = Some(begun),
                Err(text) => gathered.problem(document.place(block.line, 1), text),
            }
        } else if let Some(open) = &mut table {
            if is_border(block.text) {
                if open.found > 0 {
                    end(table.take(), document, gathered);
                }
                continue;
            }
            open.found += 1;
            let entry = match cut_line == Some(block.line) {
                true => Err("the text ends within a row".to_owned()),
                false => open.row(block.text, open.title.timer.unwrap_or(timer), suite, runs),
            };
            let place = document.place(block.line, 1);
            match entry.transpose() {
                Some(entry) => gathered.take(entry, place),
                None => _ = earlier.get_or_insert(place),
            }
        }
    }
    miss(title, document, gathered);
    end(table, document, gathered);
    if let Some(place) = earlier {
        gathered.remark(place, EARLIER.to_owned());
    }
    if let Some(line) = unended {
        let text =
            "the legend below the tables is missing, so that there may have been more of them";
        gathered.problem(document.place(line, 1), text);
    }
}

/// Takes note of a title below which no columns are.
fn miss(title: Option<(usize, Title<'_>)>, document: &Document<'_>, gathered: &mut Gathered) {
    if let Some((line, _)) = title {
        gathered.problem(
            document.place(line, 1),
            "the table below this title is missing",
        );
    }
}

/// Takes note of a table that has fewer tests than its title says.
fn end(table: Option<Table<'_>>, document: &Document<'_>, gathered: &mut Gathered) {
    if let Some(table) = table
        && table.found != table.title.promised
    {
        let (promised, found) = (table.title.promised, table.found);
        let text = format!("the table has {promised} tests, and {found} are there");
        gathered.problem(document.place(table.line, 1), text);
    }
}

/// What stands above a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Title<'t> {
    group: Option<&'t str>,
    /// How many tests are in the table.
    promised: usize,
    /// The clock, which version 2 names here.
    timer: Option<&'t str>,
}

/// Reads `---- benchmark 'sort': 2 tests ----`, or as version 2 has it, `-- benchmark: 2 tests, min 5 rounds, timer: time --`.
fn title_of(text: &str) -> Option<Title<'_>> {
    let inner = text.trim_matches('-').trim();
    if inner.len() == text.len() {
        return None;
    }
    let (inner, timer) = match inner.split_once(", min ") {
        Some((inner, rest)) => (inner, Some(rest.rsplit_once("timer: ")?.1)),
        None => (inner, None),
    };
    let (group, count) = inner.strip_prefix("benchmark")?.rsplit_once(": ")?;
    let (count, tests) = count.split_once(' ')?;
    let group = group
        .trim()
        .strip_prefix('\'')
        .and_then(|group| group.strip_suffix('\''));
    let promised = count.parse().ok()?;
    matches!(tests, "tests" | "test").then_some(Title {
        group,
        promised,
        timer: timer.map(without_module),
    })
}

fn without_module(timer: &str) -> &str {
    timer.rsplit_once('.').map_or(timer, |(_, timer)| timer)
}

/// Returns the clock that pytest-benchmark names when it begins: `benchmark: 5.3.1 (defaults: timer=time.perf_counter ...`.
fn timer_of(text: &str) -> Option<&str> {
    let (_, rest) = text.strip_prefix("benchmark: ")?.split_once("timer=")?;
    let timer = rest.split_whitespace().next()?;
    Some(without_module(timer))
}

fn is_border(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte == b'-')
}

impl<'t> Table<'t> {
    fn begin(block: &Block<'t>, title: Option<(usize, Title<'t>)>) -> Result<Self, String> {
        let (_, title) = title.ok_or("a damaged table: its title is missing")?;
        let rest = block.text.strip_prefix(HEADER).unwrap_or_default();
        let (unit, columns) = rest
            .split_once(')')
            .ok_or("a damaged table: the unit of its times is missing")?;
        let unit = quantity::nanoseconds(unit)
            .ok_or_else(|| format!("its times are in `{}`, which is no unit", shown(unit)))?;
        // Only a unit in brackets stands behind a single blank.
        let columns = columns.split("  ").map(str::trim);
        let columns = columns.map(|column| column.strip_suffix(ASTERISK).unwrap_or(column));
        let columns: Vec<&str> = columns.filter(|column| !column.is_empty()).collect();
        let known = |column: &str| is_time(column) || is_single(column) || rate(column).is_some();
        if let Some(column) = columns.iter().find(|column| !known(column)) {
            return Err(format!("a column `{}`, which is not known", shown(column)));
        }
        Ok(Self {
            line: block.line,
            title,
            found: 0,
            unit,
            columns,
        })
    }

    /// Reads a row; none where it is of an earlier run.
    fn row(
        &self,
        text: &str,
        timer: &str,
        suite: &SuiteName,
        runs: Runs,
    ) -> Result<Option<Entry>, String> {
        let mut rest = text.trim_end();
        let mut cells = BTreeMap::new();
        for column in self.columns.iter().rev() {
            // Behind a number stands how many times as much as the best it is, unless the table has but one.
            if !is_single(column) {
                rest = match last_word(rest) {
                    Some((before, word)) if is_factor(word) => before,
                    _ if self.title.promised == 1 || self.title.timer.is_some() => rest,
                    _ => return Err("a damaged row".to_owned()),
                };
            }
            let cell;
            (rest, cell) = last_word(rest).ok_or("a damaged row")?;
            cells.insert(*column, cell);
        }
        let is_compared = runs == Runs::Compared;
        let (name, run) = name_and_run(rest.trim(), is_compared);
        if runs == Runs::Nameless && is_run(name) {
            return Err(NAMELESS.to_owned());
        }
        if is_compared && run.is_some_and(|run| run != NOW) {
            return Ok(None);
        }
        let facts = run.filter(|_| !is_compared);
        let facts: Facts = facts
            .map(|run| ("run", run.to_owned()))
            .into_iter()
            .collect();
        let bench = self.bench(suite, name)?;
        let readings = self.readings(&cells, timer).map_err(|error| {
            let bench = bench.within_suite();
            format!("the times of benchmark `{bench}` cannot be used: {error}")
        })?;
        Ok(Some(Entry {
            caveats: Vec::new(),
            bench,
            facts,
            readings,
        }))
    }

    fn bench(&self, suite: &SuiteName, name: &str) -> Result<BenchId, String> {
        let group = self.title.group.map(|group| ("group", group));
        let id = name.strip_suffix(']').and_then(|name| name.split_once('['));
        let (name, id) = match id.filter(|(_, id)| !id.trim().is_empty()) {
            Some((name, id)) => (name, Some(("id", id))),
            None => (name, None),
        };
        let pairs: Vec<(&str, &str)> = group.into_iter().chain(id).collect();
        bench_id(suite, name, &pairs)
    }

    fn readings(&self, cells: &BTreeMap<&str, &str>, timer: &str) -> Result<Vec<Reading>, String> {
        let first = TIMES.iter().find_map(|(column, _)| cells.get(column));
        if let Some(cell) = first.filter(|cell| self.unit.of_text(cell) == Some(0.0)) {
            return Err(format!("`{}` is rounded to nothing", shown(cell)));
        }
        readings(cells, self.unit, timer)
    }
}

/// Returns what the cells of a row say, each by its column; the times are in one unit.
pub(super) fn readings(
    cells: &BTreeMap<&str, &str>,
    unit: Scale,
    timer: &str,
) -> Result<Vec<Reading>, String> {
    let (metric, _) = times::metric_of(timer)?;
    let count = |column: &str| match cells.get(column) {
        Some(cell) => match cell.parse::<u64>() {
            Ok(count) => Ok(Some(count)),
            Err(_) => Err(format!("`{}` is no count", shown(cell))),
        },
        None => Ok(None),
    };
    let (rounds, iterations) = (count("Rounds")?, count("Iterations")?);
    let total = rounds.zip(iterations).and_then(|(a, b)| a.checked_mul(b));
    let mut readings = Vec::new();
    for (column, part) in TIMES {
        let Some(cell) = cells.get(column) else {
            continue;
        };
        let value = unit.of_text(cell);
        let value = value.ok_or_else(|| format!("`{}` is no time", shown(cell)))?;
        readings.push(match readings.is_empty() {
            true => summary::standing_for(&metric, value, total.filter(|total| *total > 0))?,
            false => summary::part(&metric, part, value)?,
        });
    }
    for (column, cell) in cells {
        if let Some(scale) = rate(column) {
            let value = scale.of_text(cell);
            let value = value.ok_or_else(|| format!("`{}` is no rate", shown(cell)))?;
            let name = "operations_per_second";
            readings.push(summary::beside(name, Unit::PerSecond, value)?);
        }
    }
    // `--benchmark-columns=ops` leaves nothing but the rates, which are results all the same.
    if readings.is_empty() {
        return Err("the table has no column of times or rates".to_owned());
    }
    if let Some(cell) = cells.get("Outliers") {
        let both = cell
            .split_once(';')
            .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let (of_deviation, of_quartiles): (f64, f64) =
            both.ok_or_else(|| format!("`{}` are no two counts", shown(cell)))?;
        readings.push(summary::part_of_count(
            &metric,
            "stddev_outliers",
            of_deviation,
        )?);
        readings.push(summary::part_of_count(
            &metric,
            "quartile_outliers",
            of_quartiles,
        )?);
    }
    readings.extend(rounds.map(summary::rounds).transpose()?);
    Ok(readings)
}

fn is_time(column: &str) -> bool {
    TIMES.iter().any(|(name, _)| *name == column)
}

/// Returns whether a cell of a column is a single word, without how it compares.
fn is_single(column: &str) -> bool {
    matches!(column, "Outliers" | "Rounds" | "Iterations")
}

/// Returns whether a word says how a number compares with the best of its column: `(1.03)`.
fn is_factor(word: &str) -> bool {
    word.starts_with('(') && word.ends_with(')')
}

/// Returns how the numbers of a column of rates become operations per second: `OPS (Kops/s)`.
fn rate(column: &str) -> Option<Scale> {
    let prefix = match column.strip_prefix("OPS")? {
        "" => "",
        unit => unit.strip_prefix(" (")?.strip_suffix("ops/s)")?,
    };
    quantity::prefixed(match prefix {
        "K" => "k",
        prefix => prefix,
    })
}

/// Splits the last word off.
fn last_word(text: &str) -> Option<(&str, &str)> {
    let (rest, word) = text.trim_end().rsplit_once(' ')?;
    Some((rest.trim_end(), word))
}

/// Returns a test's name, and which of several runs it is of: `test_sum[10] (NOW)`. Where runs are compared, each row has
/// its own there, which may be any file; and no test's name ends in a bracket that stands behind a blank.
fn name_and_run(text: &str, is_compared: bool) -> (&str, Option<&str>) {
    let run = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("));
    match run.filter(|(_, run)| is_compared || is_run(run)) {
        Some((name, run)) => (name.trim_end(), Some(run)),
        None => (text, None),
    }
}

/// Returns whether a text is a run as pytest-benchmark names those that it saves: by a number and more of a name, or the
/// number alone with `--benchmark-name=short`. The machine may stand before it.
fn is_run(text: &str) -> bool {
    let (_, file) = text.rsplit_once('/').unwrap_or(("", text));
    let digits = file.bytes().take_while(u8::is_ascii_digit).count();
    text == NOW || digits == 4 && file.len() == 4 || digits >= 4 && file[digits..].starts_with('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_say_group_and_tests() {
        for (text, expected) in [
            ("---- benchmark: 2 tests ----", Some((None, 2, None))),
            (
                "-- benchmark 'a: b': 1 tests --",
                Some((Some("a: b"), 1, None)),
            ),
            (
                "-- benchmark 'a': 2 tests, min 5 rounds (of min 25.00us), 1.00s max time, timer: time.time --",
                Some((Some("a"), 2, Some("time"))),
            ),
            (
                "-- benchmark: 2 tests, min 5 rounds (of min 25.00us) --",
                None,
            ),
            ("benchmark: 2 tests", None),
            ("---------", None),
            ("---- benchmark: x tests ----", None),
        ] {
            let found = title_of(text).map(|title| (title.group, title.promised, title.timer));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn names_end_before_their_run() {
        for (text, expected) in [
            ("test_a[x y] (NOW)", ("test_a[x y]", Some("NOW"))),
            ("test_a (0001_unversi)", ("test_a", Some("0001_unversi"))),
            ("a (0001)", ("a", Some("0001"))),
            ("test_a (Linux/0001_b)", ("test_a", Some("Linux/0001_b"))),
            ("test_a[f (x)]", ("test_a[f (x)]", None)),
            ("test (x)", ("test (x)", None)),
            ("test (12345)", ("test (12345)", None)),
        ] {
            assert_eq!(name_and_run(text, false), expected, "{text}");
        }
        for (text, expected) in [
            ("test_a (/saved/older)", ("test_a", Some("/saved/older"))),
            ("test_a[f (x)] (NOW)", ("test_a[f (x)]", Some("NOW"))),
        ] {
            assert_eq!(name_and_run(text, true), expected, "{text}");
        }
    }

    #[test]
    fn rates_are_per_second() {
        for (column, expected) in [
            ("OPS", Some(2.0)),
            ("OPS (Kops/s)", Some(2e3)),
            ("OPS (Mops/s)", Some(2e6)),
            ("OPS (mops/s)", Some(2e-3)),
            ("OPS (?ops/s)", None),
            ("Mean", None),
        ] {
            let found = rate(column).and_then(|scale| scale.of_text("2"));
            assert_eq!(found, expected, "{column}");
        }
    }

    #[test]
    fn the_clock_is_the_one_that_is_named() {
        let text = "benchmark: 5.3.1 (defaults: timer=time.process_time disable_gc=False)";
        assert_eq!(timer_of(text), Some("process_time"));
        assert_eq!(timer_of("benchmark: none"), None);
    }
}
