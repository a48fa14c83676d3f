//! A row of the console or the CSV, of which the name alone says what was made of several runs.
//!
//! Which of two benchmarks with one name a row belongs to is not said. Tested by `fixtures/google_benchmark`.

use std::collections::BTreeSet;

use tripline_model::Metric;

use super::coefficients::Coefficients;
use super::metrics::{TWICE, Values, metric_of};
use super::row::{Kind, Row};
use super::series::STANDARD;
use crate::place::shown;
use crate::quantity::{Scale, nanoseconds};

/// Fewer iterations of one run than this may as well be a number of repetitions.
const REPETITIONS_MAX: u64 = 1000;

/// What a row says.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) name: String,
    pub(super) times: Times,
    pub(super) counters: Vec<Counter>,
}

/// What stands in the columns of times.
#[derive(Debug)]
pub(super) enum Times {
    /// Nanoseconds, of a run or of several, and the unit in which they stood.
    Run {
        real: f64,
        cpu: f64,
        unit: Scale,
        iterations: u64,
    },
    /// Shares of the mean of so many runs.
    Share { real: f64, cpu: f64, of: u64 },
    /// Coefficients, whose unit no form but JSON states.
    Complexity(Coefficients),
    /// How badly these fit.
    Misfit(f64),
    /// Why there are none.
    Missing(String),
}

/// A counter, if its value is a number.
#[derive(Debug)]
pub(super) struct Counter {
    name: String,
    text: String,
    value: Option<f64>,
}

impl Counter {
    pub(super) fn new(name: &str, text: &str, value: Option<f64>) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            value,
        }
    }
}

impl Printed {
    /// Returns whether the row cannot go on: a message ends with a quote.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self.times, Times::Missing(_))
    }
}

impl Times {
    /// Returns of how many iterations, or of how many runs.
    fn count(&self) -> Option<u64> {
        match self {
            Self::Run { iterations, .. } => Some(*iterations),
            Self::Share { of, .. } => Some(*of),
            Self::Complexity(_) | Self::Misfit(_) | Self::Missing(_) => None,
        }
    }
}

/// Returns the unit of a time, if a reporter writes it.
pub(super) fn time_unit(unit: &str) -> Option<Scale> {
    let is_known = matches!(unit, "ns" | "us" | "ms" | "s");
    nanoseconds(unit).filter(|_| is_known)
}

/// The benchmark of the rows just above.
#[derive(Debug, Default)]
pub(super) struct Newest {
    name: String,
    /// How many of its runs were seen.
    runs: u64,
    /// Of how many runs its aggregates are.
    of: Option<u64>,
    /// The names of those that the benchmark itself asked for.
    own: BTreeSet<String>,
}

impl Newest {
    /// Returns a row with the benchmark that it belongs to, which may depend on the row that follows.
    pub(super) fn row(&mut self, printed: Printed, next: Option<&Printed>) -> Result<Row, String> {
        let aggregate = self.aggregate(&printed, next)?;
        let name = match &aggregate {
            Some(_) => self.name.clone(),
            None => printed.name,
        };
        let (mut row, times) = printed_row(name, printed.times, aggregate)?;
        if let Kind::Run(_) = row.kind {
            self.add_run(&row.name);
        }
        (row.values, row.refused) = values(&times, &printed.counters)?;
        Ok(row)
    }

    fn of(name: &str, of: Option<u64>) -> Self {
        Self {
            name: name.to_owned(),
            runs: 0,
            of,
            own: BTreeSet::new(),
        }
    }

    fn add_run(&mut self, name: &str) {
        if self.name != name || self.of.is_some() {
            *self = Self::of(name, None);
        }
        self.runs += 1;
    }

    /// Returns by which name something was made of several runs, if the row is not a run itself.
    fn aggregate(
        &mut self,
        row: &Printed,
        next: Option<&Printed>,
    ) -> Result<Option<String>, String> {
        let Some(count) = row.times.count() else {
            return Ok(None);
        };
        if let Some(word) = self.word_of(&row.name)
            && self.of.unwrap_or(self.runs) == count
            && count > 1
            && (STANDARD.contains(&word) || self.is_own(word, row, next))
        {
            let word = word.to_owned();
            if !STANDARD.contains(&&*word) {
                self.own.insert(word.clone());
            }
            self.of = Some(count);
            return Ok(Some(word));
        }
        let Some(name) = row.name.strip_suffix("_mean") else {
            return Ok(None);
        };
        if is_followed_by_median(row, next) {
            *self = Self::of(name, Some(count));
            return Ok(Some("mean".to_owned()));
        }
        if next.is_none() && count <= REPETITIONS_MAX {
            let name = shown(name);
            return Err(format!(
                "the aggregates of benchmark `{name}` are cut off here"
            ));
        }
        Ok(None)
    }

    /// Returns what a name adds to that of the benchmark.
    fn word_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let rest = name.strip_prefix(&*self.name)?;
        rest.strip_prefix('_').filter(|_| !self.name.is_empty())
    }

    /// Returns whether a word is the name of an aggregate that the benchmark asked for. Those stand once, behind the
    /// standard ones; a benchmark that was called so has runs or aggregates of its own.
    fn is_own(&self, word: &str, row: &Printed, next: Option<&Printed>) -> bool {
        let has_rows = next.is_some_and(|next| {
            let rest = next.name.strip_prefix(&*row.name);
            matches!(rest, Some("" | "_mean"))
        });
        let is_first = self.of.is_some() && !self.own.contains(word);
        is_first && !has_rows && !is_followed_by_median(row, next)
    }
}

/// Returns whether a row and the next one are the first aggregates of a benchmark.
fn is_followed_by_median(row: &Printed, next: Option<&Printed>) -> bool {
    let name = row.name.strip_suffix("_mean");
    let is_median = |next: &Printed| {
        let of_next = next.name.strip_suffix("_median");
        of_next.is_some() && of_next == name && next.times.count() == row.times.count()
    };
    next.is_some_and(is_median)
}

/// By which names the columns of times are known.
type Named = Vec<(&'static str, f64)>;

/// Returns what a row is about, and its times.
fn printed_row(
    name: String,
    times: Times,
    aggregate: Option<String>,
) -> Result<(Row, Named), String> {
    let (kind, times, failure) = match (times, aggregate) {
        (Times::Missing(why), _) => (Kind::Fit, vec![], Some(why)),
        (
            Times::Run {
                real,
                cpu,
                iterations,
                ..
            },
            None,
        ) => (Kind::Run(iterations), both(real, cpu), None),
        (
            Times::Run {
                real,
                cpu,
                iterations: of,
                ..
            },
            Some(name),
        ) => {
            let is_share = false;
            (
                Kind::Aggregate { name, of, is_share },
                both(real, cpu),
                None,
            )
        }
        (Times::Share { real, cpu, of }, Some(name)) => {
            let is_share = true;
            (
                Kind::Aggregate { name, of, is_share },
                both(real, cpu),
                None,
            )
        }
        (Times::Share { .. }, None) => {
            let name = shown(&name);
            return Err(format!(
                "a row of benchmark `{name}` is made of runs that are missing"
            ));
        }
        (Times::Complexity(coefficients), _) => {
            let [real, cpu] = coefficients.nanoseconds(&name)?;
            let times = vec![("cpu_coefficient", cpu), ("real_coefficient", real)];
            (Kind::Fit, times, None)
        }
        (Times::Misfit(rms), _) => (Kind::Fit, vec![("rms", rms)], None),
    };
    let is_fit = kind == Kind::Fit && failure.is_none();
    let row = Row {
        name: if is_fit { of_family(name) } else { name },
        family: None,
        kind,
        values: Vec::new(),
        refused: Vec::new(),
        failure,
        may_lack_rows: true,
    };
    Ok((row, times))
}

/// Returns which benchmarks a fit is of, by the name of its row.
fn of_family(name: String) -> String {
    let mut suffixes = ["_BigO", "_RMS"].iter();
    let family = suffixes.find_map(|suffix| name.strip_suffix(suffix));
    family.map(ToOwned::to_owned).unwrap_or(name)
}

fn both(real: f64, cpu: f64) -> Named {
    vec![("real_time", real), ("cpu_time", cpu)]
}

type Taken = (Vec<(Metric, f64)>, Vec<String>);

/// Returns the values of a row, and what is wrong with the others.
fn values(times: &[(&str, f64)], counters: &[Counter]) -> Result<Taken, String> {
    let mut values = Values::default();
    for (name, value) in times {
        values.keep(metric_of(name)?.0, *value);
    }
    let mut refused = Vec::new();
    for Counter { name, text, value } in counters {
        match (metric_of(name), value) {
            (Ok((metric, _)), Some(value)) => {
                if !values.keep(metric, *value) {
                    refused.push(format!("`{}` {TWICE}", shown(name)));
                }
            }
            (Ok(_), None) => {
                let (name, text) = (shown(name), shown(text));
                refused.push(format!("`{name}`: {text} is no finite number"));
            }
            (Err(error), _) => refused.push(format!("`{}`: {error}", shown(name))),
        }
    }
    Ok((values.kept(), refused))
}
