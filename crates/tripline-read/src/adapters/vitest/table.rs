//! The tables that vitest prints up to version 4, one for each group, and below them a summary of which benchmarks were the
//! fastest.
//!
//! Times have four digits behind the point of a millisecond; so of a short one the rate says more, which is made of the
//! same mean. Version 3 may print a table more than once, and none of a group in which a benchmark failed. Tested by
//! `fixtures/vitest`.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::{Metric, Reading, Unit};

use super::joined;
use super::tree::{Title, Tree};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::{Place, shown};
use crate::quantity::{nanoseconds, number, percent};
use crate::summary;

/// The columns between a benchmark's name and how far its mean may be off.
pub(super) const COLUMNS: [&str; 8] = ["hz", "min", "max", "mean", "p75", "p99", "p995", "p999"];

/// The columns that are parts of a summary, with the names that these have in all harnesses.
const PARTS: [(&str, &str); 6] = [
    ("min", "min"),
    ("p75", "p75"),
    ("p99", "p99"),
    ("p995", "p99.5"),
    ("p999", "p99.9"),
    ("max", "max"),
];

/// What stands above the summary.
const SUMMARY: &str = "BENCH  Summary";

/// What stands behind what an earlier run measured, which `--compare` shows.
const BASELINE: &str = "(baseline)";

/// What is said of it.
const EARLIER: &str = "passed over: rows of an earlier run, `(baseline)`, from here on; only those of the run itself are read";

/// What stands before how far a mean may be off.
const ERROR: char = '\u{b1}';

/// Returns whether a text holds a table.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(is_header)
}

fn is_header(line: &str) -> bool {
    is_header_of("name", line)
}

/// Returns whether a line is the head of a table whose first column has this name.
pub(super) fn is_header_of(first: &str, line: &str) -> bool {
    let columns = [first].into_iter().chain(COLUMNS);
    line.split_ascii_whitespace()
        .eq(columns.chain(["rme", "samples"]))
}

/// Reads the tables of a text, row by row.
pub(super) fn read(
    document: &Document<'_>,
    gathered: &mut Gathered,
    mut take: impl FnMut(&Row<'_>, Place, &mut Gathered),
) {
    if !is_text(document.text()) {
        return;
    }
    let cut_line = document.cut_line();
    let mut tables = Tables::default();
    let mut last = 1;
    let mut earlier = None;
    let mut lines = document.lines().peekable();
    while let Some(block) = lines.next() {
        last = block.line;
        let is_title = lines.peek().is_some_and(|next| is_header(next.text));
        let place = document.place(block.line, 1);
        match tables.line(block.text.trim_end(), is_title) {
            Ok(Some(_)) if cut_line == Some(block.line) => {
                gathered.problem(place, "the text ends within a row of a table");
            }
            Ok(Some(row)) if tables.is_new(&row, block.text) => take(&row, place, gathered),
            Ok(None) if is_earlier(block.text.trim_end()) => _ = earlier.get_or_insert(place),
            Ok(_) => {}
            Err(text) => gathered.problem(place, text),
        }
    }
    if let Some(place) = earlier {
        gathered.remark(place, EARLIER.to_owned());
    }
    if !tables.is_summed_up {
        let text = "the text has no summary below its tables: it is cut off";
        gathered.problem(document.place(last, 1), text);
    }
}

/// What is known while a text is read line by line.
#[derive(Default)]
struct Tables<'t> {
    /// The group of the table, as its title says.
    group: Option<String>,
    /// The titles above the table, where each stands on a line of its own.
    tree: Option<Tree<'t>>,
    is_open: bool,
    is_summed_up: bool,
    /// The row of each benchmark.
    rows: BTreeMap<String, &'t str>,
    /// The benchmarks as the summary names them.
    names: BTreeSet<String>,
}

impl<'t> Tables<'t> {
    /// Returns the row in a line, if it is one, or says what is wrong with the line.
    fn line(&mut self, text: &'t str, is_title: bool) -> Result<Option<Row<'t>>, String> {
        let was_open = std::mem::replace(&mut self.is_open, false);
        if is_header(text) {
            self.is_open = true;
            self.is_summed_up = false;
            return match (&self.group, &self.tree) {
                (Some(_), _) => Ok(None),
                (None, Some(_)) => Err(
                    "a table whose file or group is not known: lines above it are missing"
                        .to_owned(),
                ),
                (None, None) => Err("a table without its title above it".to_owned()),
            };
        }
        if let Some(title) = Title::of(text) {
            return self.enter(&title).map(|()| None);
        }
        if is_title {
            self.tree = None;
            self.group = title(text).map(str::to_owned);
            return Ok(None);
        }
        if text.trim_start() == SUMMARY {
            self.is_summed_up = true;
            let tree = self.tree.take();
            return tree.map_or(Ok(()), |tree| tree.check()).map(|()| None);
        }
        if self.is_summed_up {
            return self.check(text).map(|()| None);
        }
        let row = Row::behind_symbol(text);
        // In a tree, more benchmarks of a group may stand below those of a group in it.
        let goes_on = was_open || self.tree.is_some() && row.is_some();
        self.is_open = goes_on && text.starts_with("  ");
        if self.is_open && is_benchmark(text) {
            self.take_benchmark();
        }
        let group = self.group.as_ref().filter(|_| self.is_open);
        match (row, group) {
            (Some(mut row), Some(group)) => {
                row.bench = joined(group, row.name);
                self.names.insert(format!("{} - {group}", row.name));
                Ok(Some(row))
            }
            (None, None) => Ok(None),
            // One that was left out, or what an older run measured.
            (None, _) if text.ends_with("[skipped]") => Ok(None),
            (None, _) if is_earlier(text) => Ok(None),
            _ => Err(format!("a damaged row of a table: `{}`", shown(text))),
        }
    }

    /// Enters a file or a group, and says what is missing of the file above it.
    fn enter(&mut self, title: &Title<'t>) -> Result<(), String> {
        let tree = self.tree.get_or_insert_default();
        let checked = match title.is_file {
            true => tree.check(),
            false => Ok(()),
        };
        tree.enter(title);
        self.group = tree.group();
        checked
    }

    /// Takes note of a line that is a benchmark's, also if nothing was measured.
    fn take_benchmark(&mut self) {
        if let Some(tree) = &mut self.tree {
            tree.leave();
            self.group = tree.group();
            tree.take(1);
        }
    }

    /// Says which benchmark of the summary stands in no table.
    fn check(&self, text: &str) -> Result<(), String> {
        let fastest = text.strip_prefix("  ").unwrap_or_default();
        let fastest = without_project(fastest).trim_end_matches(" >");
        let is_name = fastest.contains(" - ") && !fastest.starts_with(' ');
        if !is_name || self.names.contains(fastest) {
            return Ok(());
        }
        Err(format!(
            "`{}` of the summary stands in no table: vitest 3 and 4 print none where a benchmark of the group failed; \
             give the file of `--outputJson`",
            shown(fastest)
        ))
    }

    /// Returns whether a row is not one that was printed before.
    fn is_new(&mut self, row: &Row<'_>, text: &'t str) -> bool {
        self.rows.insert(row.bench.clone(), text) != Some(text)
    }
}

/// Returns the group in a title, behind a symbol of how it went, and before how long it took if that was long.
pub(super) fn title(line: &str) -> Option<&str> {
    let title = without_project(behind_symbol(line.strip_prefix(' ')?)?);
    let is_duration = |text: &str| {
        let digits = text.strip_suffix("ms").unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let timed = title.rsplit_once(' ').filter(|(_, last)| is_duration(last));
    Some(timed.map_or(title, |(title, _)| title))
}

/// Returns whether a line is a benchmark's, behind a symbol of how it went.
fn is_benchmark(text: &str) -> bool {
    text.strip_prefix("   ").and_then(behind_symbol).is_some()
}

/// Returns whether a row is what an earlier run measured.
fn is_earlier(text: &str) -> bool {
    text.ends_with(BASELINE) && is_one_row(text)
}

fn is_one_row(text: &str) -> bool {
    text.matches(ERROR).count() == 1
}

fn behind_symbol(text: &str) -> Option<&str> {
    let (symbol, rest) = text.split_once(' ')?;
    (symbol.chars().count() == 1).then_some(rest)
}

/// Takes off the project, which stands between strokes, or from version 3 on, with colours, between blanks.
fn without_project(text: &str) -> &str {
    let stroked = || text.strip_prefix('|')?.split_once("| ");
    let coloured = || {
        let rest = text.strip_prefix(' ')?;
        rest.split_once("  ").filter(|_| !rest.starts_with(' '))
    };
    stroked().or_else(coloured).map_or(text, |(_, rest)| rest)
}

/// A row of a table.
pub(super) struct Row<'t> {
    /// The benchmark with its file and groups.
    pub(super) bench: String,
    pub(super) name: &'t str,
    cells: [&'t str; COLUMNS.len()],
    /// How far the mean may be off, in percent.
    error: &'t str,
    samples: &'t str,
}

impl<'t> Row<'t> {
    /// Reads a row whose name stands behind a symbol, as it does up to version 4.
    fn behind_symbol(text: &'t str) -> Option<Self> {
        let row = Self::of(text)?;
        let name = behind_symbol(row.name)?.trim();
        Some(Self { name, ..row })
    }

    pub(super) fn of(text: &'t str) -> Option<Self> {
        // Where there are two of them, a line lost its end.
        let (mut before, after) = text.split_once(ERROR).filter(|_| is_one_row(text))?;
        let mut cells = [""; COLUMNS.len()];
        for cell in cells.iter_mut().rev() {
            (before, *cell) = before.trim_end().rsplit_once(' ')?;
            number(cell)?;
        }
        let (error, after) = after.split_once('%')?;
        let (samples, place) = match after.trim_start().split_once(' ') {
            Some((samples, place)) => (samples, place.trim()),
            None => (after.trim_start(), ""),
        };
        // How it compares to others, or to an older run, and how much of the heap was in use.
        let is_known = ["", "fastest", "slowest"].contains(&place)
            || place.starts_with('[')
            || place.ends_with("heap used");
        let is_count = samples.bytes().all(|byte| byte.is_ascii_digit());
        (is_known && is_count).then_some(Self {
            bench: String::new(),
            name: before.trim(),
            cells,
            error,
            samples,
        })
    }

    fn cell(&self, column: &str) -> &'t str {
        let at = COLUMNS.iter().position(|known| *known == column);
        at.map_or("", |at| self.cells[at])
    }

    /// Returns what was measured, of a row whose rate is that of its mean.
    pub(super) fn readings(&self) -> Result<Vec<Reading>, String> {
        self.readings_with(Self::mean)
    }

    /// Returns what was measured, of a row whose rate is the mean of all rates, and so says nothing of the times' mean.
    pub(super) fn readings_of_times(&self) -> Result<Vec<Reading>, String> {
        self.readings_with(Self::mean_as_shown)
    }

    /// Returns what was measured. All times are milliseconds.
    fn readings_with(
        &self,
        mean: impl Fn(&Self) -> Result<f64, String>,
    ) -> Result<Vec<Reading>, String> {
        let count = self.samples.parse::<u64>().ok();
        let count = count.ok_or("its samples are no number")?;
        if count == 0 {
            return Err("it has no times: it failed, or was not run".to_owned());
        }
        let metric = Metric::known("wall_time").expect("the metric is in the table");
        let mut readings = vec![summary::standing_for(&metric, mean(self)?, None)?];
        for (column, part) in PARTS {
            readings.push(summary::part(
                &metric,
                part,
                milliseconds(self.cell(column))?,
            )?);
        }
        let error = percent()
            .of_text(self.error)
            .ok_or("its error is no number")?;
        readings.push(summary::beside("wall_time_mean_rme", Unit::Ratio, error)?);
        readings.push(summary::rounds(count)?);
        Ok(readings)
    }

    /// Returns the mean, of the mean itself or of the rate: whichever has more digits.
    fn mean(&self) -> Result<f64, String> {
        let (rate, mean) = (self.cell("hz"), self.cell("mean"));
        let hz = number(rate).ok_or("its rate is no number")?;
        let time = milliseconds(mean)?;
        let off = 1e6 * half_of_last_digit(mean);
        let most = hz - half_of_last_digit(rate);
        let is_above = time + off >= 1e9 / (hz + half_of_last_digit(rate));
        let is_below = most <= 0.0 || time - off <= 1e9 / most;
        if !is_above || !is_below {
            return Err(format!(
                "its rate of {rate} and its mean of {mean} ms do not agree"
            ));
        }
        match digits(rate) > digits(mean) {
            true => Ok(1e9 / hz),
            false => Ok(time),
        }
    }

    /// Returns the mean, which lies between the other times.
    fn mean_as_shown(&self) -> Result<f64, String> {
        let text = self.cell("mean");
        let mean = milliseconds(text)?;
        if digits(text) == 0 {
            return Err(format!(
                "its mean of {text} ms is shorter than the table can say: give the file of `--reporter=json`"
            ));
        }
        let times = PARTS.map(|(column, _)| milliseconds(self.cell(column)));
        let times: Vec<f64> = times.into_iter().collect::<Result<_, _>>()?;
        let is_within = times.first() <= Some(&mean) && Some(&mean) <= times.last();
        match is_within && times.is_sorted() {
            true => Ok(mean),
            false => Err("its times are not in order".to_owned()),
        }
    }
}

fn milliseconds(text: &str) -> Result<f64, String> {
    let scale = nanoseconds("ms").expect("the unit is a constant");
    let time = scale.of_text(text);
    time.ok_or_else(|| format!("`{}` is no time", shown(text)))
}

/// Returns by how much a number may be off that was rounded to the digits it has, and a little more.
fn half_of_last_digit(text: &str) -> f64 {
    let decimals = text
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    (0..decimals).fold(0.501, |step, _| step / 10.0)
}

/// Returns how many digits of a number say something.
fn digits(text: &str) -> usize {
    let digits = text.chars().filter(char::is_ascii_digit);
    digits.skip_while(|digit| *digit == '0').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_stands_between_how_it_went_and_how_long_it_took() {
        for (line, expected) in [
            (" \u{2713} a.bench.ts > sort", Some("a.bench.ts > sort")),
            (
                " \u{2713} a.bench.ts > sort 1234ms",
                Some("a.bench.ts > sort"),
            ),
            (
                " \u{2713} |kv| a.bench.ts > 10 ms",
                Some("a.bench.ts > 10 ms"),
            ),
            (
                " \u{2713}  kv  a.bench.ts > 10  ms 12ms",
                Some("a.bench.ts > 10  ms"),
            ),
            (" BENCH  Summary", None),
            ("a.bench.ts > sort", None),
        ] {
            assert_eq!(title(line), expected, "{line}");
        }
    }

    #[test]
    fn a_row_is_read_with_what_stands_behind_it() {
        let row = "   \u{b7} merge  sort  96.3000  8.6462  16.7297  10.3842  8.6818  14.7307  15.5780  16.7297  \u{b1}12.73%  400";
        for after in ["", "   slowest", "  [1.05x] \u{21d1}", " 12 MB heap used"] {
            let row = format!("{row}{after}");
            let row = Row::behind_symbol(&row).unwrap();
            assert_eq!((row.name, row.samples), ("merge  sort", "400"));
            assert_eq!(row.mean(), Ok(10_384_200.0));
        }
        let short = "   \u{b7} x  1,367,989.06  0.0003  0.0025  0.0007  0.0006  0.0025  0.0025  0.0025  \u{b1}87.10%  8";
        let mean = Row::of(short).unwrap().mean().unwrap();
        assert!((mean - 731.0).abs() < 0.01, "{mean}");
        let other = short.replace("0.0007", "0.0017");
        assert!(Row::of(&other).unwrap().mean().is_err());
        assert!(Row::of(&format!("{short} 9")).is_none());
    }
}
