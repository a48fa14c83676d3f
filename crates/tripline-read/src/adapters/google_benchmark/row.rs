//! One row of a report: a run of a benchmark, something that was made of several runs, or of several benchmarks.
//!
//! Which of its members is what is fixed by the reporter; a number under any other name is a counter of the
//! benchmark's own. Tested by `fixtures/google_benchmark`.

use serde_json::value::RawValue;
use tripline_model::Metric;

use super::metrics::{TWICE, Values, known, metric_of};
use crate::json::{self, Members, Number, Text};
use crate::place::shown;
use crate::quantity::{Scale, nanoseconds};

/// What a report before version 1.5 tells an aggregate by.
const SUFFIXES: &[&str] = &["mean", "median", "stddev", "cv", "BigO", "RMS"];

/// Members with a number that says nothing of the benchmark's speed.
const BOOKKEEPING: &[&str] = &[
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
];

/// What a row is about.
#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    /// A run, over so many iterations.
    Run(u64),
    /// A number of that name made of so many runs; a share of their mean if it is a percentage.
    Aggregate {
        name: String,
        of: u64,
        is_share: bool,
    },
    /// Coefficients of the complexity, or how badly they fit.
    Fit,
}

/// How it begins to be said that a benchmark gave nothing on purpose.
pub(super) const SKIPPED: &str = "was skipped";

/// A row, taken apart.
#[derive(Debug)]
pub(super) struct Row {
    /// The benchmark's name, without what an aggregate adds.
    pub(super) name: String,
    /// Which registered benchmark it is: two may have one name.
    pub(super) family: Option<(u64, u64)>,
    pub(super) kind: Kind,
    pub(super) values: Vec<(Metric, f64)>,
    /// What cannot be used, each with the reason.
    pub(super) refused: Vec<String>,
    /// Why the benchmark gave nothing.
    pub(super) failure: Option<String>,
    /// Whether rows of this benchmark may be missing, and nobody knows.
    pub(super) may_lack_rows: bool,
}

type Raw<'t> = Members<'t, &'t RawValue>;

impl Row {
    /// Takes a row apart, or says what is wrong with all of it.
    pub(super) fn of(raw: &Raw<'_>) -> Result<Self, String> {
        let full_name = text(raw, "name")?.ok_or("a row has no name")?;
        let run_name = text(raw, "run_name")?;
        let aggregate = aggregate_name(raw, &full_name, run_name.is_some())?;
        let name = match (&run_name, &aggregate) {
            (Some(name), _) => name.to_string(),
            (None, Some(aggregate)) => {
                let suffix = format!("_{aggregate}");
                full_name
                    .strip_suffix(&suffix)
                    .unwrap_or(&full_name)
                    .to_owned()
            }
            (None, None) => full_name.to_string(),
        };
        let family = count(raw, "family_index")?.zip(count(raw, "per_family_instance_index")?);
        let iterations = count(raw, "iterations")?;
        let is_share = text(raw, "aggregate_unit")?.as_deref() == Some("percentage");
        let kind = match aggregate {
            Some(_) if iterations.is_none() => Kind::Fit,
            Some(name) => Kind::Aggregate {
                is_share: is_share || name == "cv",
                name,
                of: iterations.unwrap_or_default(),
            },
            None => Kind::Run(iterations.ok_or("a run has no number of iterations")?),
        };
        let mut row = Self {
            name,
            family,
            kind,
            values: Vec::new(),
            refused: Vec::new(),
            failure: failure(raw)?,
            may_lack_rows: false,
        };
        if row.failure.is_none() {
            row.read_values(raw)?;
        }
        Ok(row)
    }

    fn read_values(&mut self, raw: &Raw<'_>) -> Result<(), String> {
        let scale = match text(raw, "time_unit")? {
            Some(unit) => nanoseconds(&unit)
                .ok_or_else(|| format!("`{}` is no unit of time", shown(&unit)))?,
            None if member(raw, "real_coefficient").is_some() => {
                return Err("a complexity without the unit of its time".to_owned());
            }
            None => nanoseconds("ns").ok_or("there is no nanosecond")?,
        };
        let is_share = matches!(&self.kind, Kind::Aggregate { is_share: true, .. });
        let (mut values, mut has_time) = (Values::default(), false);
        for (key, raw) in &raw.0 {
            if BOOKKEEPING.contains(&&**key) || is_text(raw) {
                continue;
            }
            has_time |= matches!(&**key, "real_time" | "real_coefficient" | "rms");
            match value(key, raw, (!is_share).then_some(scale)) {
                Ok(Some((metric, value))) => {
                    if !values.keep(metric, value) {
                        self.refused.push(format!("`{}` {TWICE}", shown(key)));
                    }
                }
                Ok(None) => {}
                Err(error) => self.refused.push(format!("`{}`: {error}", shown(key))),
            }
        }
        self.values = values.kept();
        if has_time {
            return Ok(());
        }
        Err("a row has no time".to_owned())
    }
}

fn value(key: &str, raw: &RawValue, scale: Option<Scale>) -> Result<Option<(Metric, f64)>, String> {
    // A number in a text, or anything else, is none.
    if !known(key) && !is_number(raw) {
        return Ok(None);
    }
    let (metric, is_time) = metric_of(key)?;
    let Ok(number) = serde_json::from_str::<Number<'_>>(raw.get()) else {
        return Err(format!("{} is no finite number", shown(raw.get())));
    };
    let value = match scale {
        Some(scale) if is_time => number.in_scale(scale),
        _ => number.value(),
    };
    Ok(Some((metric, value)))
}

fn is_number(raw: &RawValue) -> bool {
    raw.get().starts_with(|c: char| c.is_ascii_digit() || c == '-')
        // What was no JSON was made a text.
        || matches!(raw.get(), "\"NaN\"" | "\"-NaN\"" | "\"Infinity\"" | "\"-Infinity\"")
}

fn is_text(raw: &RawValue) -> bool {
    raw.get().starts_with('"') && !is_number(raw)
}

fn member<'r, 't>(raw: &'r Raw<'t>, key: &str) -> Option<&'r &'t RawValue> {
    let found = raw.0.iter().find(|(known, _)| &**known == key);
    found.map(|(_, raw)| raw)
}

fn text<'t>(raw: &Raw<'t>, key: &str) -> Result<Option<Text<'t>>, String> {
    let Some(raw) = member(raw, key) else {
        return Ok(None);
    };
    json::member(key, raw).map(Some)
}

fn count(raw: &Raw<'_>, key: &str) -> Result<Option<u64>, String> {
    let Some(raw) = member(raw, key) else {
        return Ok(None);
    };
    let number: Option<Number<'_>> = serde_json::from_str(raw.get()).ok();
    let count = number.and_then(Number::count);
    let refused = || format!("`{key}` is {}, which is no count", shown(raw.get()));
    count.map(Some).ok_or_else(refused)
}

fn aggregate_name(raw: &Raw<'_>, name: &str, is_new: bool) -> Result<Option<String>, String> {
    if let Some(name) = text(raw, "aggregate_name")? {
        return Ok(Some(name.to_string()));
    }
    match text(raw, "run_type")?.as_deref() {
        Some("iteration") => return Ok(None),
        Some("aggregate") => return Err("an aggregate without a name".to_owned()),
        Some(other) => return Err(format!("`{}` is no kind of run", shown(other))),
        None if is_new => return Ok(None),
        None => {}
    }
    let found = SUFFIXES.iter().find(|suffix| {
        name.strip_suffix(**suffix)
            .is_some_and(|name| name.ends_with('_'))
    });
    Ok(found.map(|suffix| (*suffix).to_owned()))
}

/// Returns why a benchmark gave nothing. Version 1.8 began to tell what was skipped from what failed.
fn failure(raw: &Raw<'_>) -> Result<Option<String>, String> {
    for (flag, message, words) in [
        ("error_occurred", "error_message", "failed"),
        ("skipped", "skip_message", SKIPPED),
    ] {
        if member(raw, flag).is_some_and(|raw| raw.get() == "true") {
            let why = text(raw, message)?;
            let why = why.as_deref().map(shown).unwrap_or_default();
            return Ok(Some(format!("{words}: {why}")));
        }
    }
    Ok(None)
}
