//! Reads Dart's `benchmark_harness`: lines such as `Get(RunTime): 12.5 us.`
//!
//! A metric other than the run time is one of the benchmark's own, because nobody says which direction is better. Tested
//! by `fixtures/dart`.

use tripline_model::{Metric, Reading, Unit, UnitSymbol};

use crate::adapter::{Adapter, Mark};
use crate::file_names::is_text;
use crate::place::shown;
use crate::quantity::{Scale, as_it_is, bytes, nanoseconds, number};
use crate::result_lines::{self, Line};
use crate::units_written::{Written, written};
use crate::{own, summary};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "dart",
    about: "Dart's benchmark_harness 1 and 2: lines such as `Get(RunTime): 12.5 us.`",
    files: is_text,
    mark: Mark::Line(|line| is_run_time(line) && is_result(without_log(line))),
    hint: "run the benchmarks with `dart run` and give their standard output",
    read: |input, suite| result_lines::read(input, suite, &ADAPTER, || line_of),
};

/// What the harness itself measures. Some call it raw, because it is that of ten calls.
const RUN_TIME: &[&str] = &["RunTime", "RunTimeRaw"];

fn is_run_time(text: &str) -> bool {
    text.contains("(RunTime")
}

fn is_result(text: &str) -> bool {
    parse(text).is_some_and(|found| !found.name.is_empty())
}

fn line_of(text: &str) -> Line {
    let text = without_log(text);
    if let Some(found) = parse(text) {
        if found.name.is_empty() {
            return Line::Problem(format!(
                "a result without the name of its benchmark: `{}`",
                shown(text)
            ));
        }
        return Line::Result {
            is_closed: found.is_closed,
            name: found.name.to_owned(),
            readings: found.readings(),
        };
    }
    // One of these stays where one byte is wrong.
    let is_marked = text.contains("RunTime") || text.contains("):");
    let has_quantity = text.contains('(') && ends_in_quantity(text);
    let is_damaged = is_marked || has_quantity || is_broken_off(text);
    match is_damaged {
        true => Line::Problem(format!("a damaged result: `{}`", shown(text))),
        false => Line::Other,
    }
}

/// Takes off what Flutter sets before each line that a program prints on a telephone: `flutter: ` or `I/flutter (123): `.
fn without_log(text: &str) -> &str {
    let logged = || {
        let (number, rest) = text.strip_prefix("I/flutter (")?.split_once("): ")?;
        let is_number = number.trim().bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(rest)
    };
    let rest = text.strip_prefix("flutter: ").or_else(logged);
    rest.unwrap_or(text)
}

/// Returns whether the last word follows a number, and that something like a metric in brackets.
fn ends_in_quantity(text: &str) -> bool {
    let mut words = text.trim_end_matches('.').rsplit(' ');
    let (_, number, before) = (words.next(), words.next(), words.next());
    let is_number = number.is_some_and(|number| as_it_is().of_text(number).is_some());
    is_number && before.is_some_and(|before| before.contains(')') || before.ends_with(':'))
}

/// Returns whether a line is what follows the brackets of a metric, where a line end got between the two.
fn is_broken_off(text: &str) -> bool {
    let rest = text.trim_start_matches([':', ' ']);
    let quantity = rest.split_once(' ').filter(|_| rest.len() < text.len());
    quantity.is_some_and(|(number, unit)| {
        as_it_is().of_text(number).is_some() && !unit.trim_end().contains(' ')
    })
}

/// Returns the scale of a unit that is told from the beginning of another one.
fn time_unit(unit: &str) -> Option<Scale> {
    nanoseconds(unit).filter(|_| unit.ends_with('s'))
}

struct Found<'t> {
    /// Empty where the benchmark has none, which is no result.
    name: &'t str,
    metric: &'t str,
    value: &'t str,
    unit: Option<&'t str>,
    /// Whether the line ends in a full stop, as it does in version 1.
    is_closed: bool,
}

/// Version 1 ends its lines in a full stop; version 2 has no unit where the emitter is told none.
fn parse(text: &str) -> Option<Found<'_>> {
    let (head, value) = text.rsplit_once("): ")?;
    let (name, metric) = head.rsplit_once('(')?;
    let value = value.trim_end();
    let is_closed = value.ends_with('.');
    let value = value.strip_suffix('.').unwrap_or(value);
    let (value, unit) = match value.split_once(' ') {
        Some((value, unit)) => (value, Some(unit)),
        None => (value, None),
    };
    as_it_is().of_text(value)?;
    // Others say a unit in such brackets: what has none has its metric right behind the name.
    (unit.is_some() || !name.ends_with(' ')).then_some(())?;
    // Two results on one line are none.
    (!head.contains("): ")).then_some(())?;
    let is_word = |text: &str| !text.is_empty() && !text.contains([' ', '(', ')']);
    (is_word(metric) && unit.is_none_or(is_word)).then_some(Found {
        name: name.trim(),
        metric,
        value,
        unit,
        is_closed,
    })
}

impl Found<'_> {
    fn readings(&self) -> Result<Vec<Reading>, String> {
        let text = |error: tripline_model::NameError| error.to_string();
        let is_run_time = RUN_TIME.contains(&self.metric);
        let Some(unit) = self.unit else {
            return self.count();
        };
        let (metric, scale) = match (time_unit(unit), is_run_time) {
            (Some(scale), true) => (
                Metric::known("wall_time").expect("the metric is in the table"),
                scale,
            ),
            (None, true) => return Err(format!("`{}` is no unit of time", shown(unit))),
            (Some(scale), false) => (
                own::metric(self.metric, Unit::Nanosecond).map_err(text)?,
                scale,
            ),
            (None, false) => {
                let (unit, scale) = match (bytes(unit), written(unit)) {
                    (Some(scale), _) => (Unit::Byte, scale),
                    (None, Some(Written { metric, scale, .. }))
                        if metric.unit != Unit::Nanosecond =>
                    {
                        (metric.unit, scale)
                    }
                    _ => {
                        let symbol = UnitSymbol::new(unit).map_err(text)?;
                        (Unit::Other(symbol), as_it_is())
                    }
                };
                (own::metric(self.metric, unit).map_err(text)?, scale)
            }
        };
        let value = scale.of_text(self.value).ok_or("its value is no number")?;
        Ok(vec![summary::standing_for(&metric, value, None)?])
    }

    /// Returns a number without a unit, which no time is.
    fn count(&self) -> Result<Vec<Reading>, String> {
        if RUN_TIME.contains(&self.metric) {
            return Err("its time has no unit".to_owned());
        }
        let metric = own::metric(self.metric, Unit::Count).map_err(|error| error.to_string())?;
        let value = number(self.value).ok_or("its value is no number")?;
        Ok(vec![summary::standing_for(&metric, value, None)?])
    }
}
