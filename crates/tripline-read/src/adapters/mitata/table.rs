//! The table that mitata prints: a line for each benchmark, and from version 1 two or three, with a histogram beside them.
//!
//! The values of arguments stand in the name, and what they are called stands nowhere. Tested by `fixtures/mitata`.

use tripline_model::{Metric, Reading};

use super::{deno, memory};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::{Place, shown};
use crate::quantity::{as_it_is, nanoseconds};
use crate::summary;

/// What stands between the least and the most.
pub(super) const TO: char = '\u{2026}';

/// What is behind the average.
const PER_ITERATION: &str = "/iter";

/// What is before the name of a group.
pub(super) const GROUP: &str = "\u{2022} ";

/// What Deno has there.
pub(super) const GROUP_OF_DENO: &str = "group ";

/// The names of a row's times, in the order in which every version has them.
pub(super) const PARTS: [&str; 6] = ["min", "p75", "p99", "p99.5", "p99.9", "max"];

/// What is said of a row that belongs to no table.
pub(super) const WITHOUT_HEADER: &str = "a row of a table whose header is not there, or is damaged";

/// What is said of the first line of the processor's counters.
const COUNTERS: &str =
    "passed over: the processor's counters, which the table rounds; the JSON has them";

/// What is said of a row that may have lost digits.
pub(super) const CUT: &str = "the text ends within a result";

/// Returns whether a text holds a table.
pub(super) fn is_text(text: &str) -> bool {
    text.lines().any(is_header)
}

/// Returns whether a line is the header of a table.
pub(super) fn is_header(line: &str) -> bool {
    Form::of(line).is_some()
}

/// How a table is written.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// A benchmark has a line, and the last percentile in it is another one than later. Deno's first table is of this
    /// form, and later has one more column.
    Oldest,
    /// A benchmark has a line.
    Older,
    /// A benchmark has lines, and all its percentiles stand in the second: version 1.0.0.
    First,
    /// A benchmark has lines, and one percentile stands in each.
    Newer,
}

impl Form {
    /// Returns the form of the table below a header.
    fn of(line: &str) -> Option<Self> {
        let columns = line.strip_prefix("benchmark ")?.trim();
        match () {
            () if columns.starts_with("time (avg)") => match columns.ends_with(" p995") {
                true => Some(Self::Oldest),
                false => Some(Self::Older),
            },
            () if !columns.starts_with("avg (min ") => None,
            () if columns.ends_with(" p999") => Some(Self::First),
            () => columns
                .ends_with("(min \u{2026} top 1%)")
                .then_some(Self::Newer),
        }
    }

    /// Returns the places of the percentiles among a row's times.
    fn percentiles(self) -> &'static [usize] {
        match self {
            Self::Oldest => &[1, 2, 3],
            Self::Older | Self::First => &[1, 2, 4],
            Self::Newer => &[1, 2],
        }
    }
}

/// A benchmark and its times, as far as the table has them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    average: f64,
    times: [Option<f64>; PARTS.len()],
    /// What stands below the times.
    below: Vec<Reading>,
}

impl Row {
    pub(super) fn new(name: &str, average: f64, times: [Option<f64>; PARTS.len()]) -> Self {
        Self {
            name: name.to_owned(),
            average,
            times,
            below: Vec::new(),
        }
    }

    /// Returns the row with another name.
    pub(super) fn named(self, named: impl Fn(&str) -> String) -> Self {
        let name = named(&self.name);
        Self { name, ..self }
    }

    /// Returns the row with one more reading.
    pub(super) fn beside(mut self, reading: Reading) -> Self {
        self.below.push(reading);
        self
    }

    /// Returns what was measured.
    pub(super) fn readings(&self) -> Result<Vec<Reading>, String> {
        let metric = Metric::known("wall_time").expect("the metric is in the table");
        let mut readings = vec![summary::standing_for(&metric, self.average, None)?];
        for (part, time) in PARTS.iter().zip(self.times) {
            if let Some(time) = time {
                readings.push(summary::part(&metric, part, time)?);
            }
        }
        readings.extend(self.below.iter().cloned());
        Ok(readings)
    }
}

/// Reads the tables of a text.
pub(super) fn read(
    document: &Document<'_>,
    gathered: &mut Gathered,
    mut take: impl FnMut(&Row, Place, &mut Gathered),
) {
    let cut_line = document.cut_line();
    let mut table = Table::default();
    let mut last = 1;
    let mut are_counters_told = false;
    let mut lines = document.lines().peekable();
    while let Some(block) = lines.next() {
        last = block.line;
        let place = document.place(block.line, 1);
        let is_second = table.begun.is_some();
        let mut read = table.line(block.text.trim_end());
        while let Some(below) = lines.next_if(|next| is_second && is_below(next.text)) {
            last = below.line;
            let place = document.place(below.line, 1);
            if memory::is_counters(below.text) {
                if !are_counters_told {
                    gathered.remark(place, COUNTERS.to_owned());
                }
                are_counters_told = true;
            } else if let Ok(Some(row)) = &mut read {
                let is_last = cut_line == Some(below.line);
                match row.take_below(below.text, is_last) {
                    Ok(()) => {}
                    Err(text) => gathered.problem(place, text),
                }
            }
        }
        match read {
            Ok(Some(_)) if cut_line == Some(block.line) => {
                gathered.problem(place, CUT);
            }
            Ok(Some(row)) => take(&row, place, gathered),
            Ok(None) => {}
            Err(text) => gathered.problem(place, text),
        }
    }
    if let Some(row) = table.begun {
        gathered.problem(document.place(last, 1), without_end(&row));
    }
}

/// Says that a line is a result that cannot be read.
pub(super) fn damaged(text: &str) -> String {
    format!("a damaged result: `{}`", shown(text.trim_start()))
}

/// Says why there is no result of a benchmark.
pub(super) fn failed(name: &str, why: &str) -> String {
    format!("benchmark `{}` failed: {}", shown(name), shown(why))
}

/// Returns a name with its group's before it.
pub(super) fn in_group(group: Option<&str>, name: &str) -> String {
    match group {
        Some(group) => format!("{group}/{name}"),
        None => name.to_owned(),
    }
}

fn without_end(row: &Row) -> String {
    let name = shown(&row.name);
    format!("a damaged result: the second line of benchmark `{name}` is not there")
}

/// What is known while a text is read line by line.
#[derive(Default)]
struct Table {
    form: Option<Form>,
    group: Option<String>,
    /// Whether the line above was the group's name.
    is_titled: bool,
    /// The benchmark whose second line comes next.
    begun: Option<Row>,
}

impl Table {
    /// Returns the benchmark that ends in a line, if one does, or says what is wrong with the line.
    fn line(&mut self, text: &str) -> Result<Option<Row>, String> {
        let form = Form::of(text);
        if form.is_some() || deno::is_header(text) {
            let begun = self.begun.take();
            *self = Self {
                form,
                ..Self::default()
            };
            return begun.map_or(Ok(None), |row| Err(without_end(&row)));
        }
        let Some(form) = self.form else {
            return Ok(None);
        };
        if let Some(row) = self.begun.take() {
            return ended(row, text, form).map(Some);
        }
        self.enter_group(text);
        if let Some((name, why)) = failure(text) {
            return Err(failed(&self.named(name), why));
        }
        if !promises(text) {
            return Ok(None);
        }
        let (mut row, is_whole) = begun(text, form).ok_or_else(|| damaged(text))?;
        row.name = self.named(&row.name);
        if row.name.ends_with("..") {
            let name = shown(&row.name);
            return Err(format!(
                "the name of benchmark `{name}` is cut off: leave `name: 'fixed'` out of the format"
            ));
        }
        if is_whole {
            return Ok(Some(row));
        }
        self.begun = Some(row);
        Ok(None)
    }

    /// A group has its name above a line of dashes; what has no group has the dashes alone.
    fn enter_group(&mut self, text: &str) {
        let was_titled = std::mem::take(&mut self.is_titled);
        let of_deno = text.strip_prefix(GROUP_OF_DENO).filter(|_| {
            self.form == Some(Form::Oldest) && !promises(text) && failure(text).is_none()
        });
        if let Some(group) = text.strip_prefix(GROUP).or(of_deno) {
            self.group = Some(group.to_owned());
            self.is_titled = true;
        } else if text.starts_with("-----") && !was_titled {
            self.group = None;
        }
    }

    fn named(&self, name: &str) -> String {
        in_group(self.group.as_deref(), name.trim())
    }
}

/// Returns the name of a benchmark that failed, and why.
pub(super) fn failure(text: &str) -> Option<(&str, &str)> {
    let failure = text.split_once(" error: ");
    failure.filter(|_| !text.starts_with(' '))
}

/// Returns whether a line stands below both lines of a benchmark's times.
fn is_below(text: &str) -> bool {
    memory::is_memory(text) || memory::is_counters(text)
}

/// Returns whether a line has what only benchmarks have.
fn promises(text: &str) -> bool {
    let range = text.find('(').zip(text.find(TO));
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let times = words.windows(2).filter(|pair| {
        let unit = pair[1].split('/').next().unwrap_or_default();
        time(pair[0], unit).is_some()
    });
    let times = times.count();
    // The axis of a plot has times and nothing else.
    let has_times = times >= 2 && times * 2 < words.len();
    text.contains(PER_ITERATION) || range.is_some_and(|(open, to)| open < to) || has_times
}

/// Reads the first line of a benchmark, and returns whether it is the only one.
fn begun(text: &str, form: Form) -> Option<(Row, bool)> {
    let (before, after) = text.rsplit_once(PER_ITERATION)?;
    let (rest, unit) = before.trim_end().rsplit_once(' ')?;
    let (name, number) = rest.trim_end().rsplit_once(' ')?;
    let mut row = Row::new(name.trim(), time(number, unit)?, [None; PARTS.len()]);
    if row.name.is_empty() || name.contains(PER_ITERATION) {
        return None;
    }
    let after = match without_rate(after, form).strip_prefix('(') {
        Some(range) => row.take_range(range)?,
        None => after,
    };
    let (times, others) = times(after);
    let (form_times, is_whole) = match form {
        Form::Oldest | Form::Older if ["", "!"].contains(&others) => ([0, 3], true),
        Form::Oldest | Form::Older => return None,
        // A benchmark that is to take one line only has two times in it.
        Form::First => ([0, 2], times.len() == 2),
        Form::Newer => ([1, 2], times.len() == 2),
    };
    if !form_times.contains(&times.len()) {
        return None;
    }
    row.set(form.percentiles(), &times);
    Some((row, is_whole))
}

/// Returns what is behind a rate that stands between the average and the range, as only Deno has it.
fn without_rate(text: &str, form: Form) -> &str {
    let text = text.trim_start();
    let rate = text.split_once(' ').filter(|_| form == Form::Oldest);
    match rate {
        Some((number, after)) if is_rate(number) && after.trim_start().starts_with('(') => {
            after.trim_start()
        }
        _ => text,
    }
}

/// Returns whether a text is a number whose thousands stand apart as Deno writes them.
pub(super) fn is_rate(text: &str) -> bool {
    as_it_is().of_text(&text.replace(',', "")).is_some()
}

/// Reads the second line of a benchmark.
fn ended(mut row: Row, text: &str, form: Form) -> Result<Row, String> {
    let percentiles = match form {
        Form::First => form.percentiles(),
        Form::Oldest | Form::Older | Form::Newer => &[2],
    };
    let range = text.trim_start().strip_prefix('(');
    let found = range.and_then(|range| row.take_range(range));
    let found = found.map_or(Vec::new(), |after| times(after).0);
    if found.len() < percentiles.len() {
        return Err(without_end(&row));
    }
    row.set(percentiles, &found);
    Ok(row)
}

impl Row {
    pub(super) fn set(&mut self, places: &[usize], times: &[f64]) {
        for (place, time) in places.iter().zip(times) {
            self.times[*place] = Some(*time);
        }
    }

    /// Takes over what stands below the times.
    fn take_below(&mut self, text: &str, is_last: bool) -> Result<(), String> {
        if is_last && memory::may_be_cut(text) {
            return Err(CUT.to_owned());
        }
        let of = || {
            format!(
                "what stands below the times of benchmark `{}`",
                shown(&self.name)
            )
        };
        match memory::readings(text) {
            Some(Ok(readings)) => {
                self.below.extend(readings);
                Ok(())
            }
            Some(Err(error)) => Err(format!("{} cannot be used: {error}", of())),
            None => Err(format!("{} is damaged: `{}`", of(), shown(text.trim()))),
        }
    }

    /// Takes over the least and the most, and returns what is behind them.
    pub(super) fn take_range<'t>(&mut self, range: &'t str) -> Option<&'t str> {
        let (range, after) = range.split_once(')')?;
        let (least, most) = range.split_once(TO)?;
        let one = |text: &str| {
            let (number, unit) = text.trim().split_once(' ')?;
            time(number, unit)
        };
        self.times[0] = Some(one(least)?);
        self.times[PARTS.len() - 1] = Some(one(most)?);
        Some(after)
    }
}

/// Returns the times at the beginning of a text, and what is behind them.
pub(super) fn times(text: &str) -> (Vec<f64>, &str) {
    let mut times = Vec::new();
    let mut rest = text.trim();
    while let Some((number, after)) = rest.split_once(' ') {
        let (unit, after) = after.split_once(' ').unwrap_or((after, ""));
        let Some(time) = time(number, unit) else {
            break;
        };
        times.push(time);
        rest = after.trim_start();
    }
    (times, rest)
}

/// Reads a time, whose thousands the older form sets apart.
pub(super) fn time(number: &str, unit: &str) -> Option<f64> {
    nanoseconds(unit)?.of_text(&number.replace('\'', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_in_every_form() {
        for (form, text, expected) in [
            (
                Form::Older,
                "a b   1.17 ns/iter   (354 ps … 8'382 ns)  509 ps  719 ps 14.59 ns !",
                "a b 1.17 [Some(0.354), Some(0.509), Some(0.719), None, Some(14.59), Some(8382.0)] true",
            ),
            (
                Form::Oldest,
                "a b   1.17 ns/iter   (354 ps … 8'382 ns)  509 ps  719 ps 14.59 ns",
                "a b 1.17 [Some(0.354), Some(0.509), Some(0.719), Some(14.59), None, Some(8382.0)] true",
            ),
            (
                Form::Oldest,
                "a   1.17 µs/iter      855,947.2   (354 ps … 2.74 ms)  509 ps  719 ps 14.59 ns",
                "a 1170 [Some(0.354), Some(0.509), Some(0.719), Some(14.59), None, Some(2740000.0)] true",
            ),
            (
                Form::Older,
                "a   3'483 ns/iter",
                "a 3483 [None, None, None, None, None, None] true",
            ),
            (
                Form::Newer,
                "a   4.20 µs/iter   4.61 µs   ██",
                "a 4200 [None, Some(4610.0), None, None, None, None] false",
            ),
            (
                Form::First,
                "a   4.20 µs/iter ▃▂█ !",
                "a 4200 [None, None, None, None, None, None] false",
            ),
            (
                Form::Newer,
                "a   4.20 µs/iter   4.61 µs   5.00 µs █ !",
                "a 4200 [None, Some(4610.0), Some(5000.0), None, None, None] true",
            ),
        ] {
            let (row, is_whole) = begun(text, form).unwrap();
            let shown = format!("{} {} {:?} {is_whole}", row.name, row.average, row.times);
            assert_eq!(shown, expected, "{text}");
        }
        for text in [
            "a   3'483 ns/iter (354 ps",
            "a   3'483 ns/iter 509 ps",
            "a   3'483 ns/iter b   1 ns/iter",
            "3'483 ns/iter",
            "a   3'483 xs/iter",
            "a   3'483 ns/iter   855,947.2   (354 ps … 2.74 ms)  509 ps  719 ps 14.59 ns",
        ] {
            assert_eq!(begun(text, Form::Older), None, "{text}");
        }
    }
}
