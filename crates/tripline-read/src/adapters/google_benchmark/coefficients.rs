//! The coefficients of a fitted complexity as the console and the CSV print them, and in which unit of time they are.
//!
//! Neither prints it, and none of the rows tells it: it is the nanosecond in old versions, the unit of
//! `--benchmark_time_unit` in those that know this option, whatever unit the rows of the family are in, and from the end of
//! 2026 on that of these rows. So the fit is made again from them. Units are a thousand apart, so that one alone makes the
//! same number of it. Where no fit can be made, as with a function of the benchmark's own, only a report that knows no unit
//! but the nanosecond has no other; elsewhere it is a problem, because a damaged time looks the same. Tested by
//! `fixtures/google_benchmark` and `tests/it/refusals/fixtures/google_benchmark.txt`.

use super::printed::{Printed, Times, time_unit};
use crate::naming::is_decimal;
use crate::place::{Place, shown};
use crate::quantity::{Scale, number};

const UNITS: [&str; 4] = ["ns", "us", "ms", "s"];

/// What of a size is multiplied by a coefficient.
type OfSize = fn(f64) -> f64;

/// What a reporter writes behind a coefficient, and what it is a coefficient of.
const FORMS: &[(&str, Option<OfSize>)] = &[
    ("(1)", Some(|_| 1.0)),
    ("lgN", Some(f64::log2)),
    ("N", Some(|size| size)),
    ("NlgN", Some(|size| size * size.log2())),
    ("N^2", Some(|size| size.powi(2))),
    ("N^3", Some(|size| size.powi(3))),
    // A function of the benchmark's own.
    ("f(N)", None),
];

/// How much a coefficient may differ from one that is made of rounded times. A thousand is not 1024, by which a size may
/// differ from an argument.
const ROUNDING: f64 = 0.01;

/// What a name may say behind its arguments. Before version 1.5 the name of a fit ends before all of it.
const SETTINGS: &[&str] = &["real_time", "process_time", "manual_time"];
const SETTING_KEYS: &[&str] = &[
    "min_time",
    "min_warmup_time",
    "iterations",
    "repeats",
    "threads",
];

/// Returns whether a word is what stands behind a coefficient.
pub(super) fn is_form(word: &str) -> bool {
    FORMS.iter().any(|(form, _)| *form == word)
}

/// The coefficients for the time and for the time of the processor.
#[derive(Debug)]
pub(super) struct Coefficients {
    printed: [f64; 2],
    /// How far each is rounded.
    rounding: [f64; 2],
    /// What of a size is multiplied by them, where that is known.
    of_size: Option<OfSize>,
    /// Their unit, once it is known.
    unit: Option<Scale>,
}

impl Coefficients {
    /// Takes over what is printed; none where it is no coefficient.
    pub(super) fn printed(
        form: &str,
        real: &str,
        cpu: &str,
        rounding: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let (_, of_size) = FORMS.iter().find(|(known, _)| *known == form)?;
        let printed = [number(real)?, number(cpu)?];
        Some(Self {
            printed,
            rounding: printed.map(rounding),
            of_size: *of_size,
            unit: None,
        })
    }

    /// Returns the coefficients in nanoseconds, if their unit is known.
    pub(super) fn nanoseconds(&self, name: &str) -> Result<[f64; 2], String> {
        let family = shown(name.strip_suffix("_BigO").unwrap_or(name));
        let unit = self.unit.ok_or_else(|| {
            format!(
                "the complexity of benchmark `{family}` cannot be used: only the JSON form states its unit, and the times above it do not tell which it is"
            )
        })?;
        Ok(self.printed.map(|number| unit.of(number)))
    }

    /// Returns whether the coefficients are those, once they are in a unit.
    fn are(&self, nanoseconds: [f64; 2], unit: Scale) -> bool {
        let both = self.printed.iter().zip(self.rounding).zip(nanoseconds);
        both.into_iter().all(|((printed, rounding), expected)| {
            let expected = expected / unit.of(1.0);
            (printed - expected).abs() <= rounding + expected.abs() * ROUNDING
        })
    }

    /// Returns the units in which the coefficients are what the runs give.
    fn units(&self, runs: &[Run]) -> Vec<Scale> {
        let Some(of_size) = self.of_size else {
            return Vec::new();
        };
        let sizes = runs.iter().map(|run| run.sizes.len()).min();
        // Which of its arguments is the size of a benchmark is not said. Without any, there is a constant at best.
        let fits = (0..sizes.unwrap_or_default().max(1)).map(|which| fit(runs, which, of_size));
        let fits: Vec<[f64; 2]> = fits.collect();
        let units = UNITS.iter().filter_map(|unit| time_unit(unit));
        units
            .filter(|unit| fits.iter().any(|fit| self.are(*fit, *unit)))
            .collect()
    }
}

/// A run of a family, or the mean of some.
struct Run {
    sizes: Vec<f64>,
    nanoseconds: [f64; 2],
}

/// Fits the times of runs to one of their sizes, as the library does: by the sum of the squares of what is left.
fn fit(runs: &[Run], which: usize, of_size: OfSize) -> [f64; 2] {
    [0, 1].map(|clock| {
        let (mut above, mut below) = (0.0, 0.0);
        for run in runs {
            let size = of_size(run.sizes.get(which).copied().unwrap_or(f64::NAN));
            above += run.nanoseconds[clock] * size;
            below += size * size;
        }
        above / below
    })
}

/// Finds the unit of every fit of a report.
pub(super) fn find_units(rows: &mut [(Place, Printed)]) {
    let units = rows.iter().filter_map(|(_, row)| match row.times {
        Times::Run { unit, .. } => Some(unit),
        _ => None,
    });
    let nanosecond = time_unit("ns");
    let mut units = units.peekable();
    let knows_no_other = units.peek().is_some() && units.all(|unit| Some(unit) == nanosecond);
    // The runs of a family stand between the fit before and its own.
    let mut first = 0;
    for index in 0..rows.len() {
        let (above, rest) = rows.split_at_mut(index);
        let [(_, row), ..] = rest else {
            break;
        };
        let Times::Complexity(coefficients) = &mut row.times else {
            continue;
        };
        let family = row.name.strip_suffix("_BigO").unwrap_or(&row.name);
        let fitting = coefficients.units(&runs_of(family, &above[first..]));
        coefficients.unit = match fitting[..] {
            [unit] => Some(unit),
            _ => nanosecond.filter(|_| knows_no_other),
        };
        first = index;
    }
}

/// Returns the runs of a family; their means, where the runs are not reported.
fn runs_of(family: &str, rows: &[(Place, Printed)]) -> Vec<Run> {
    let called = |suffix: &str| -> Vec<Run> {
        let runs = rows.iter().filter_map(|(_, row)| {
            let name = row.name.strip_suffix(suffix)?;
            let sizes = sizes_of(name, family)?;
            match row.times {
                Times::Run { real, cpu, .. } => Some(Run {
                    sizes,
                    nanoseconds: [real, cpu],
                }),
                _ => None,
            }
        });
        runs.collect()
    };
    let runs = called("");
    if runs.is_empty() {
        return called("_mean");
    }
    runs
}

/// Returns the arguments of a run, if it is one of the family.
fn sizes_of(name: &str, family: &str) -> Option<Vec<f64>> {
    let mut of_family = family.split('/').peekable();
    let mut sizes = Vec::new();
    for part in name.split('/') {
        if of_family.next_if_eq(&part).is_some() {
            continue;
        }
        let (key, value) = part.split_once(':').unwrap_or(("", part));
        if SETTINGS.contains(&part) || SETTING_KEYS.contains(&key) {
            continue;
        }
        let digits = value.strip_prefix('-').unwrap_or(value);
        sizes.push(number(value).filter(|_| is_decimal(digits))?);
    }
    of_family.peek().is_none().then_some(sizes)
}
