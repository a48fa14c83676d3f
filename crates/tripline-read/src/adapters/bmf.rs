//! Reads Bencher Metric Format: benchmarks by name, each with its measures and their values.
//!
//! A measure is known by its slug alone, so its unit and direction are known only where the slug is; of any other, nobody
//! knows which direction is better. What our own exporter writes gives the same benchmarks and values again. Of a number
//! that stands twice the last is kept, as Bencher does, and that is told. Tested by `fixtures/bmf`.

mod measure;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{BenchId, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::entry::Entry;
use crate::file_names::is_json;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::json::{Members, Number};
use crate::naming::{bench_id, bench_of_text};
use crate::pieces::{heads, opening};
use crate::place::{Place, ReadError, shown};
use crate::reports::{Report, read_documents, read_marked};
use measure::Measure;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "bmf",
    about: "Bencher Metric Format: JSON of benchmarks, their measures and values",
    files: is_json,
    mark: Mark::Text(is_report),
    hint: "give JSON such as {\"get\": {\"latency\": {\"value\": 12.5}}}",
    read,
};

/// The members of a value.
const VALUES: &[&str] = &["value", "lower_value", "upper_value"];

/// The limits of a value, now and formerly: what has none may say so by `null`.
const LIMITS: &[&str] = &[
    "lower_value",
    "upper_value",
    "lower_bound",
    "upper_bound",
    "low_value",
    "high_value",
];

/// The members of a list's elements: benchmarks with params, as the newer form writes them.
const ELEMENT: &[&str] = &["parameters", "measures"];

fn is_report(text: &str) -> bool {
    let has = |members: &[&str]| members.iter().any(|member| text.contains(member));
    (has(VALUES) || has(ELEMENT)) && heads(text).any(begins_as_report)
}

fn begins_as_report(text: &str) -> bool {
    let (signs, texts) = opening(text);
    let has = |index: usize, members: &[&str]| {
        texts.get(index).is_some_and(|text| members.contains(text))
    };
    let is_plain = signs.starts_with("{s:{s:{s:") && has(2, VALUES);
    is_plain || (signs.starts_with("{s:[{s:") && has(1, ELEMENT))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        let text = document.text();
        let is_report = is_report(text);
        let has_number = |text: &str| text.contains("value\"") || text.contains("\"measures\"");
        let is_marked = |text: &str| is_report && has_number(text);
        gathered.keep_last();
        read_marked(&document, is_marked, gathered, |report, gathered| {
            read_report(report, suite, gathered);
        });
    })
}

/// What stands under a benchmark's name: its measures, or a list of such with params.
#[derive(Deserialize)]
struct Element<'t> {
    #[serde(borrow, default)]
    parameters: Members<'t, &'t RawValue>,
    #[serde(borrow)]
    measures: Members<'t, &'t RawValue>,
}

fn read_report(report: &mut Report<'_, '_>, suite: &SuiteName, gathered: &mut Gathered) {
    let benchmarks: Option<Members<'_, &RawValue>> = report.parse(gathered);
    for (name, part) in benchmarks.into_iter().flat_map(|members| members.0) {
        let Some((elements, place)) = elements(report, part, gathered) else {
            continue;
        };
        if elements.iter().all(|element| element.measures.0.is_empty()) {
            let text = format!("benchmark `{}` has no measure", shown(&name));
            gathered.problem(place, text);
            continue;
        }
        for element in elements {
            match element.bench(suite, &name) {
                Ok(bench) => element.read(&bench, report, gathered),
                Err(text) => gathered.problem(place.clone(), text),
            }
        }
    }
}

/// Returns what stands under a benchmark's name: a list, or the measures of its only element.
fn elements<'t>(
    report: &mut Report<'_, 't>,
    part: &'t RawValue,
    gathered: &mut Gathered,
) -> Option<(Vec<Element<'t>>, Place)> {
    if part.get().starts_with('[') {
        return report.part(part, gathered);
    }
    let (measures, place) = report.part(part, gathered)?;
    let parameters = Members::default();
    Some((
        vec![Element {
            parameters,
            measures,
        }],
        place,
    ))
}

impl<'t> Element<'t> {
    fn bench(&self, suite: &SuiteName, name: &str) -> Result<BenchId, String> {
        let bench = bench_of_text(suite, name)?;
        if self.parameters.0.is_empty() {
            return Ok(bench);
        }
        let pairs: Vec<(&str, String)> = self
            .parameters
            .0
            .iter()
            .map(|(key, value)| (&**key, param(value)))
            .collect();
        bench_id(suite, bench.name.as_str(), &pairs)
    }

    /// Each number is gathered on its own: where one stands twice, the others are not touched.
    fn read(&self, bench: &BenchId, report: &mut Report<'_, 't>, gathered: &mut Gathered) {
        for (name, part) in &self.measures.0 {
            let told: Option<(Members<'t, &'t RawValue>, Place)> = report.part(part, gathered);
            let Some((Members(members), place)) = told else {
                continue;
            };
            let shown = || {
                format!(
                    "measure `{}` of benchmark `{}`",
                    shown(name),
                    bench.within_suite()
                )
            };
            let wrong = |error: String| format!("{} cannot be used: {error}", shown());
            // Any name is one of a number in the newer form, such as that of a percentile.
            let numbers: Vec<_> = members
                .into_iter()
                .filter(|(name, raw)| raw.get() != "null" || !LIMITS.contains(&&**name))
                .collect();
            if numbers.is_empty() {
                gathered.problem(place, format!("{} has no value", shown()));
                continue;
            }
            let measure = match Measure::of(name) {
                Ok(measure) => measure,
                Err(error) => {
                    gathered.problem(place, wrong(error));
                    continue;
                }
            };
            for (name, raw) in numbers {
                report.each([raw], gathered, |number: Number<'_>, _, _| {
                    let reading = measure.reading(&name, number).map_err(wrong)?;
                    Ok(Entry::new(bench.clone(), vec![reading]))
                });
            }
        }
    }
}

/// Returns a param as text: `16`, `16.0` and `1.6e1` are one number to whoever made the format.
fn param(raw: &RawValue) -> String {
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        return text;
    }
    match serde_json::from_str::<Number<'_>>(raw.get()) {
        Ok(number) => number.value().to_string(),
        Err(_) => raw.get().to_owned(),
    }
}
