//! What the table and the CSV have in common: a row for each metric, and rows of one benchmark behind one another.
//!
//! The score is the mean of all iterations, or for some of a profiler's metrics their sum. It is rounded to digits behind
//! the point, so that a score of a large unit may not be told at all. Tested by `fixtures/jmh`.

use std::collections::BTreeSet;

use tripline_model::{Metric, Reading, SuiteName};

use super::group::Whose;
use super::metric::{NO_UNIT, PERCENTILES, label, own_metric, score_of};
use super::{bench, table, table_csv};
use crate::apart::{Facts, UNSAID};
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::place::{Place, shown};
use crate::quantity::{Scale, number};
use crate::summary;

/// What stands for no score where there is one that is smaller than what is printed.
const ABOUT: [char; 3] = ['\u{2248}', LOST[0], LOST[1]];

/// What is written in place of signs that the machine's language cannot write.
pub(super) const LOST: [char; 2] = ['?', '\u{fffd}'];

/// The digits of an exponent.
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// The mode in which percentiles are given.
const SAMPLED: &str = "sample";

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Row {
    /// The benchmark, with its package as far as that is said.
    pub(super) benchmark: String,
    /// What was measured beside the score.
    pub(super) metric: Option<String>,
    pub(super) mode: String,
    pub(super) threads: Option<u64>,
    /// What it was compiled for, where there are several.
    pub(super) target: Option<String>,
    /// Of how many iterations the score is, or of how many operations.
    pub(super) count: Option<u64>,
    pub(super) score: String,
    pub(super) error: Option<String>,
    pub(super) unit: String,
    pub(super) params: Vec<(String, String)>,
}

/// Returns the benchmark and the metric of a name such as `a.Kv.get:gc.count`, without what is left of a sign before that.
pub(super) fn split_name(name: &str) -> (String, Option<String>) {
    match name.split_once(':') {
        Some((benchmark, metric)) => {
            let metric = metric.trim_start_matches(LOST);
            (benchmark.to_owned(), Some(metric.to_owned()))
        }
        None => (name.to_owned(), None),
    }
}

pub(super) fn is_header(line: &str) -> bool {
    table::is_header(line) || table_csv::is_header(line)
}

/// Reads the tables of a document.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let is_csv = document.text().lines().any(table_csv::is_header);
    let rows = match is_csv {
        true => table_csv::rows(document, gathered),
        false => table::rows(document, gathered),
    };
    let mut open = Open::default();
    for (place, row) in rows {
        if row.metric.is_some() {
            open.add(&row, place, gathered);
        } else {
            open.close(gathered);
            open = Open::begin(row, suite, place, gathered);
        }
    }
    open.close(gathered);
}

/// A benchmark to which the next row may belong.
#[derive(Default)]
struct Open {
    first: Option<Row>,
    /// What is known of it; none where its score cannot be used.
    entry: Option<(Entry, Place)>,
    /// The metrics that it has.
    known: BTreeSet<String>,
}

impl Open {
    fn begin(row: Row, suite: &SuiteName, place: Place, gathered: &mut Gathered) -> Self {
        let entry = row
            .entry(suite)
            .map_err(|error| gathered.problem(place.clone(), error));
        let entry = entry.ok();
        let readings = entry.iter().flat_map(|entry| &entry.readings);
        Self {
            first: Some(row),
            known: readings
                .map(|reading| reading.metric.name.to_string())
                .collect(),
            entry: entry.map(|entry| (entry, place)),
        }
    }

    fn add(&mut self, row: &Row, place: Place, gathered: &mut Gathered) {
        if !self.first.as_ref().is_some_and(|first| first.has(row)) {
            let name = shown(&row.benchmark);
            return gathered.problem(
                place,
                format!("a metric of benchmark `{name}` without its score"),
            );
        }
        let Some((entry, _)) = &mut self.entry else {
            return;
        };
        match row.secondary() {
            Ok(readings) => {
                let is_known =
                    |reading: &Reading| !self.known.insert(reading.metric.name.to_string());
                if readings.first().is_some_and(is_known) {
                    gathered.problem(place, row.refused("it stands twice, and the first is kept"));
                } else {
                    entry.readings.extend(readings);
                }
            }
            Err(error) => gathered.problem(place, row.refused(&error)),
        }
    }

    fn close(&mut self, gathered: &mut Gathered) {
        if let Some((entry, place)) = self.entry.take() {
            gathered.take(Ok(entry), place);
        }
    }
}

impl Row {
    /// Returns whether another row is of the same benchmark, mode and params.
    fn has(&self, other: &Self) -> bool {
        (&self.benchmark, &self.mode) == (&other.benchmark, &other.mode)
            && (self.threads, &self.params) == (other.threads, &other.params)
            && self.target == other.target
    }

    /// Returns the share of sampled times that are below this row's.
    fn share(&self) -> Option<f64> {
        let name = self.metric.as_deref().filter(|_| self.mode == SAMPLED)?;
        let share = label(name).strip_prefix('p').and_then(number);
        share.filter(|share| *share <= 1.0)
    }

    fn entry(&self, suite: &SuiteName) -> Result<Entry, String> {
        let params = self.params.iter();
        let params = params.map(|(key, value)| (&**key, value.clone()));
        let bench = bench(suite, &self.benchmark, params.collect(), self.threads)?;
        let mut facts = Facts::from(["forks", "jdk", "vm"].map(|key| (key, UNSAID.to_owned())));
        facts.insert("jmh_mode", self.mode.clone());
        facts.extend(self.target.clone().map(|target| ("target", target)));
        Ok(Entry {
            caveats: Vec::new(),
            readings: self.primary().map_err(|error| self.refused(&error))?,
            facts,
            bench,
        })
    }

    fn refused(&self, error: &str) -> String {
        let name = shown(&self.benchmark);
        let what = match &self.metric {
            Some(metric) => format!("metric `{}`", shown(metric)),
            None => "score".to_owned(),
        };
        format!("the {what} of benchmark `{name}` cannot be used: {error}")
    }

    fn primary(&self) -> Result<Vec<Reading>, String> {
        let (metric, scale) = score_of(&self.unit).ok_or_else(|| {
            let (unit, mode) = (shown(&self.unit), shown(&self.mode));
            format!("`{unit}` is no unit of the mode `{mode}`")
        })?;
        let score = self.score(scale)?;
        if score == 0.0 {
            let (score, unit) = (shown(&self.score), shown(&self.unit));
            return Err(format!("`{score}` {unit} is rounded to nothing"));
        }
        let mut readings = vec![summary::standing_for(&metric, score, None)?];
        readings.extend(self.error_of(&metric, scale)?);
        if let Some(count) = self.count {
            readings.push(summary::rounds(count)?);
        }
        Ok(readings)
    }

    fn error_of(&self, metric: &Metric, scale: Scale) -> Result<Option<Reading>, String> {
        let error = self.error.as_deref().filter(|error| *error != "NaN");
        let error = error.map(|error| summary::part(metric, "error", decimal(error, scale)?));
        error.transpose()
    }

    /// Returns what was measured beside the score, and its error; none where it is a text, or a percentile that no version gives.
    fn secondary(&self) -> Result<Vec<Reading>, String> {
        let name = self.metric.as_deref().unwrap_or_default();
        if self.unit == NO_UNIT {
            return Ok(Vec::new());
        }
        if let Some(share) = self.share() {
            let (metric, scale) = score_of(&self.unit).ok_or("its unit is none of a time")?;
            let known = PERCENTILES
                .iter()
                .find(|(percent, _)| is_percent(percent, share));
            return match known {
                Some((_, part)) => Ok(vec![summary::part(&metric, part, self.score(scale)?)?]),
                None => Ok(Vec::new()),
            };
        }
        let (metric, scale) = own_metric(name, &self.unit, Whose::of_mode(&self.mode))?;
        // To a profiler's metric its power of ten is near enough: left out, what allocated nothing before would be new once it
        // allocates.
        let score = match self.power() {
            Some(power) => scale.of_text(&power).ok_or("it is no number")?,
            None => self.score(scale)?,
        };
        let mut readings = vec![summary::standing_for(&metric, score, None)?];
        readings.extend(self.error_of(&metric, scale)?);
        Ok(readings)
    }

    /// Returns `1e-6` for `≈ 10⁻⁶`.
    fn power(&self) -> Option<String> {
        let raised = self.score.strip_prefix(ABOUT)?.trim().strip_prefix("10")?;
        let digit = |c: char| match c {
            '\u{207b}' => Some('-'),
            _ => {
                let digit = SUPERSCRIPTS.iter().position(|sign| *sign == c)?;
                char::from_digit(u32::try_from(digit).ok()?, 10)
            }
        };
        let exponent: Option<String> = raised.chars().map(digit).collect();
        exponent.map(|exponent| format!("1e{exponent}"))
    }

    fn score(&self, scale: Scale) -> Result<f64, String> {
        match self.score.strip_prefix(ABOUT).map(str::trim) {
            Some("0") => Ok(0.0),
            Some(about) => Err(format!(
                "it is told as about {}, and the file of `-rf json` has its digits",
                shown(about)
            )),
            None => decimal(&self.score, scale),
        }
    }
}

/// Reads a number whose point may be a comma, as the machine's language has it. Thousands are never set apart.
fn decimal(text: &str, scale: Scale) -> Result<f64, String> {
    let number = match text.contains('.') {
        true => text.to_owned(),
        false => text.replacen(',', ".", 1),
    };
    let value = (!number.contains(',')).then(|| scale.of_text(&number));
    value
        .flatten()
        .ok_or_else(|| format!("`{}` is no number", shown(text)))
}

/// Returns whether a percentile is the one of a share, which a division may have moved by a digit far behind.
fn is_percent(percent: &str, share: f64) -> bool {
    let percent: Result<f64, _> = percent.parse();
    percent.is_ok_and(|percent| (percent - 100.0 * share).abs() < 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_percentile_is_known_by_the_share_that_is_printed() {
        for (share, part) in [
            ("0.00", "min"),
            ("0.50", "p50"),
            ("0.999", "p99.9"),
            ("0.99999", "p99.999"),
            ("0.999999", "p99.9999"),
            ("1.00", "max"),
        ] {
            let share = share.parse().unwrap();
            let mut known = PERCENTILES
                .iter()
                .filter(|(percent, _)| is_percent(percent, share));
            assert_eq!(known.next().map(|(_, part)| *part), Some(part));
            assert_eq!(known.next(), None, "{share}");
        }
    }
}
