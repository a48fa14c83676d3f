//! The table of the console, with counters behind each row or in columns of their own.
//!
//! The header says how wide the names are. Numbers are rounded, and a counter's prefix says how far. Versions before 1.8
//! wrote `G` for powers of 1024 too: the rate of bytes is known to have these, and the counters of a benchmark's own are
//! taken for powers of 1000. Tested by `fixtures/google_benchmark`.

use super::coefficients::{self, Coefficients};
use super::metrics::known;
use super::printed::{Counter, Printed, Times, time_unit};
use super::row;
use crate::place::shown;
use crate::quantity::{Scale, number, percent, prefixed};

/// How wide a time is, and a column of a counter at the least.
const NUMBER_WIDTH: usize = 10;

/// How far the ends of these words are behind the names.
const HEADER_ENDS: &[(&str, usize)] = &[(" Time", 14), (" CPU", 30)];

/// How far the end of the column of CPU times is behind the names before version 1.5.
const OLDER_CPU_END: usize = 28;

/// How far a coefficient is rounded.
const HALF_A_DIGIT: f64 = 0.005;

/// From where on a counter has a prefix: a tenth more than 1024 in old versions.
const PREFIXED_FROM: f64 = 1127.0;

/// How many digits a counter has at the most, with zeros before them: `0.0123456`.
const DIGITS_MAX: usize = 8;

const ERROR: &str = "ERROR OCCURRED:";
const SKIPPED: &str = "SKIPPED:";

/// Returns whether a line begins a table, even where one of its words is damaged.
pub(super) fn is_header(line: &str) -> bool {
    let words = ["Benchmark ", " Time ", " CPU ", " Iterations"];
    words.iter().filter(|word| line.contains(**word)).count() >= 3
}

/// The columns of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    name_bytes: usize,
    /// The names of the columns that counters have; none where they stand behind each row.
    counters: Option<Vec<String>>,
    /// Whether a version before 1.5 wrote it, which has rates apart from the counters.
    is_older: bool,
    /// Whether what looks like counters is of labels. Where the header names no counters the first run has none, and so it
    /// is known from its row.
    pub(super) has_labels: Option<bool>,
    /// Whether a row has what may be a counter or the beginning of its label.
    pub(super) is_doubtful: bool,
}

impl Table {
    pub(super) fn of_header(line: &str) -> Option<Self> {
        let name_bytes = HEADER_ENDS.iter().find_map(|(word, behind)| {
            let end = line.find(word)? + word.len();
            end.checked_sub(*behind)
        });
        let (_, counters) = line.split_once("Iterations")?;
        let has_labels = (!counters.trim().is_empty()).then_some(false);
        let counters = match counters.trim() {
            "UserCounters..." => None,
            _ => Some(columns(counters)),
        };
        let is_whole = line.starts_with("Benchmark") && !line.contains("----");
        let name_bytes = name_bytes?;
        let cpu_end = line.find(" CPU").map(|at| at + " CPU".len());
        is_whole.then_some(Self {
            name_bytes,
            counters,
            is_older: cpu_end == Some(name_bytes + OLDER_CPU_END),
            has_labels,
            is_doubtful: false,
        })
    }

    /// Returns whether this is of another report than the table above it. Within one, other counters have other columns.
    pub(super) fn begins_report(&self, above: &Self) -> bool {
        self.counters.is_none() || self.counters == above.counters || above.counters.is_none()
    }

    /// Reads a line; none where it is no row of the table.
    pub(super) fn row(&mut self, text: &str) -> Option<Result<Option<Printed>, String>> {
        (looks_like_row(text) || self.lacks_units(text)).then(|| {
            let refused = || format!("a damaged row of the table: `{}`", shown(text));
            let row = self.parsed(text).map(Some).ok_or_else(refused);
            // Of a first row that failed or is damaged nobody knows what it had.
            self.has_labels.get_or_insert(false);
            row
        })
    }

    /// Returns whether a line has the numbers of a row in their place, and none of the units.
    fn lacks_units(&self, text: &str) -> bool {
        let Some((name, rest)) = text.split_at_checked(self.name_bytes) else {
            return false;
        };
        let mut words = rest.split_ascii_whitespace();
        let is_number = |word: Option<&str>| word.is_some_and(|word| number(word).is_some());
        let has_name = !name.trim_end().is_empty() && rest.starts_with(' ');
        has_name && (0..3).all(|_| is_number(words.next()))
    }

    fn parsed(&mut self, text: &str) -> Option<Printed> {
        let (name, rest) = text.split_at_checked(self.name_end(text)?)?;
        let name = Some(name.trim_end()).filter(|name| !name.is_empty())?;
        let rest = rest.strip_prefix(' ')?;
        let (times, counters) = match failure(rest.trim()) {
            Some(failure) => (Times::Missing(failure), Vec::new()),
            None => self.numbers(name, rest)?,
        };
        Some(Printed {
            name: name.to_owned(),
            times,
            counters,
        })
    }

    /// Returns where a row's name ends. The column is as wide as the names of runs, and those of fits may be wider.
    fn name_end(&self, text: &str) -> Option<usize> {
        let wider = text.get(self.name_bytes..)?.find(' ')?;
        let end = self.name_bytes + wider;
        let is_fit = ["_BigO", "_RMS"].iter().any(|of| text[..end].ends_with(of));
        Some(if is_fit { end } else { self.name_bytes })
    }

    fn numbers(&mut self, name: &str, rest: &str) -> Option<(Times, Vec<Counter>)> {
        let mut words = rest.split_ascii_whitespace();
        let (real, unit, cpu) = (words.next()?, words.next()?, words.next()?);
        // A row that something else was written before is not in its columns.
        let is_in_column = rest.starts_with(real) || rest.find(real)? + real.len() == NUMBER_WIDTH;
        if !is_in_column || words.next()? != unit {
            return None;
        }
        let is_fit = coefficients::is_form(unit) || unit == "%" && name.ends_with("_RMS");
        let count = if is_fit { None } else { Some(words.next()?) };
        let times = times(unit, real, cpu, count)?;
        let mut words: Vec<&str> = words.collect();
        // What follows may be a label, which can be anything but a row.
        let is_row = words.windows(4).any(is_times) || words.iter().any(|word| is_failure(word));
        let columns = self.counters.as_deref().unwrap_or_default();
        let rates = match self.is_older {
            true => take_rates(&mut words, columns.len()),
            false => Vec::new(),
        };
        let has_numbers = words.iter().any(|word| pair(word).is_some());
        let (mut counters, is_doubtful) = match columns {
            [] => written(&words),
            names => (in_columns(names, &words)?, false),
        };
        if is_row {
            return None;
        }
        let has_labels = *self.has_labels.get_or_insert(has_numbers);
        counters.retain(|_| !has_labels);
        self.is_doubtful |= is_doubtful;
        counters.extend(rates);
        Some((times, counters))
    }
}

fn in_columns(names: &[String], words: &[&str]) -> Option<Vec<Counter>> {
    let cells = names.iter().zip(words.get(..names.len())?);
    Some(cells.map(|(name, cell)| counter(name, cell)).collect())
}

/// Returns the names of columns, each of which is as wide as its name, or as a number.
fn columns(header: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = header.trim_end();
    while let Some(cell) = rest.strip_prefix(' ') {
        let width = cell
            .char_indices()
            .nth(NUMBER_WIDTH)
            .map_or(cell.len(), |(at, _)| at);
        let end = cell[width..].find(' ').map_or(cell.len(), |at| width + at);
        names.push(cell[..end].trim().to_owned());
        rest = &cell[end..];
    }
    names
}

fn times(unit: &str, real: &str, cpu: &str, count: Option<&str>) -> Option<Times> {
    let both = |scale: Scale| Some((scale.of_text(real)?, scale.of_text(cpu)?));
    let Some(count) = count else {
        return Some(match unit {
            "%" => Times::Misfit(both(percent())?.1),
            _ => Times::Complexity(Coefficients::printed(unit, real, cpu, |_| HALF_A_DIGIT)?),
        });
    };
    let count: u64 = count.parse().ok()?;
    if unit == "%" {
        let (real, cpu) = both(percent())?;
        return Some(Times::Share {
            real,
            cpu,
            of: count,
        });
    }
    let unit = time_unit(unit)?;
    let (real, cpu) = both(unit)?;
    Some(Times::Run {
        real,
        cpu,
        unit,
        iterations: count,
    })
}

/// Takes the rates out of what stands behind so many columns of counters: `1.5GB/s`, and `12M items/s`. They stand before
/// the counters that have no columns or behind them, and before the label.
fn take_rates(words: &mut Vec<&str>, columns: usize) -> Vec<Counter> {
    let (mut rates, mut at) = (Vec::new(), columns);
    while let Some(word) = words.get(at).copied() {
        if word.contains('=') {
            at += 1;
            continue;
        }
        let is_of_items = words.get(at + 1) == Some(&"items/s");
        let (name, text, end) = match word.strip_suffix("B/s") {
            Some(text) => ("bytes_per_second", text, at),
            None if is_of_items => ("items_per_second", word, at + 1),
            None => break,
        };
        let value = split_prefix(text).and_then(|(digits, prefix)| {
            let scale = prefixed_in_1024s(prefix);
            scale?.of_text(digits)
        });
        rates.push(Counter::new(name, word, value));
        words.drain(at..=end);
    }
    rates
}

/// Reads `hits=12.5 keys=355.07M/s` and so on, up to the label. Names may hold blanks. They stand in their order, so that
/// one which does not is of the label, as is what a sign of punctuation ends, or a number as no counter is written.
///
/// Where a label is left, the last of them may be the beginning of it: then this is said, and it is left out where its name
/// has several words.
fn written(words: &[&str]) -> (Vec<Counter>, bool) {
    let mut counters = Vec::new();
    let mut newest = String::new();
    let mut is_sure = true;
    let mut name: Vec<&str> = Vec::new();
    for word in words {
        let Some((last, value)) = pair(word) else {
            if word.contains('=') {
                break;
            }
            name.push(word);
            continue;
        };
        name.push(last);
        let whole = name.join(" ");
        let is_behind = counters.is_empty() || whole > newest;
        let is_of_label = whole.contains(", ") || value.ends_with([',', ';', ')', ']']);
        if !is_behind || is_of_label || is_written_else(value) {
            break;
        }
        counters.push(counter(&whole, value));
        // A prefix comes and goes with the value, and with it the counter would.
        is_sure = known(&whole) || value.ends_with(['s', '%']);
        newest = whole;
        name.clear();
    }
    let is_doubtful = !is_sure && !name.is_empty();
    if is_doubtful && newest.contains(' ') {
        counters.pop();
    }
    (counters, is_doubtful)
}

/// Returns the name and the number of what may be a counter.
fn pair(word: &str) -> Option<(&str, &str)> {
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.');
    let is_number =
        |text: &str| text.starts_with(begins) || text.contains("nan") || text.contains("inf");
    word.split_once('=').filter(|(_, value)| is_number(value))
}

/// Returns whether a number is none that is written for a counter, which has a prefix from a thousand on and six digits at most.
fn is_written_else(text: &str) -> bool {
    let has_zeros = text.contains('.') && text.ends_with('0');
    let has_digits = text.bytes().filter(u8::is_ascii_digit).count() > DIGITS_MAX;
    number(text).is_some_and(|number| {
        !text.contains('e') && (number.abs() >= PREFIXED_FROM || has_zeros || has_digits)
    })
}

/// Returns the digits of a number, and its prefix.
fn split_prefix(text: &str) -> Option<(&str, &str)> {
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    Some(text.split_at(end))
}

/// Returns what a prefix stands for where older versions wrote powers of 1024 without the `i`, and `k` for the first.
fn prefixed_in_1024s(prefix: &str) -> Option<Scale> {
    match prefix {
        "k" => prefixed("Ki"),
        _ if prefix.len() == 1 => prefixed(&format!("{prefix}i")),
        _ => prefixed(prefix),
    }
}

/// Reads a number such as `1.5Mi`, `355.07M/s`, `511.407ps` or `2.70%`.
fn counter(name: &str, text: &str) -> Counter {
    let value = || {
        if let Some(share) = text.strip_suffix('%') {
            return percent().of_text(share);
        }
        let per_second = text.strip_suffix("/s");
        let rest = per_second
            .or_else(|| text.strip_suffix('s'))
            .unwrap_or(text);
        let (digits, prefix) = split_prefix(rest)?;
        let scale = match name {
            "bytes_per_second" => prefixed_in_1024s(prefix),
            _ => prefixed(prefix),
        };
        scale?.of_text(digits)
    };
    Counter::new(name, text, value())
}

fn failure(text: &str) -> Option<String> {
    let (message, words) = match (text.strip_prefix(ERROR), text.strip_prefix(SKIPPED)) {
        (Some(message), _) => (message, "failed"),
        (None, message) => (message?, row::SKIPPED),
    };
    let message = message.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    Some(format!("{words}: {}", shown(message)))
}

fn is_failure(word: &str) -> bool {
    matches!(word, "OCCURRED:" | SKIPPED)
}

fn is_time(pair: &[&str]) -> bool {
    let [value, unit] = pair else {
        return false;
    };
    let is_unit = *unit == "%" || time_unit(unit).is_some() || coefficients::is_form(unit);
    is_unit && number(value).is_some()
}

fn is_times(words: &[&str]) -> bool {
    is_time(&words[..2]) && is_time(&words[2..])
}

/// Returns whether something of a row is left in a line, however damaged the rest is.
pub(super) fn looks_like_row(text: &str) -> bool {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    words.windows(2).any(is_time) || words.iter().any(|word| is_failure(word))
}
