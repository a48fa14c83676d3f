//! Reads Ruby's benchmark-ips: the lines of its report, or the file of `json!`.
//!
//! The rate is what was measured. The lines give it rounded; what follows under `Comparison:` is the same again. Tested
//! by `fixtures/benchmark_ips`.

mod warmed;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{Metric, Reading, SuiteName, Unit};

use crate::adapter::{Adapter, Mark};
use crate::entry::Entry;
use crate::file_names::has_extension;
use crate::input::Input;
use crate::json::{Number, Text};
use crate::listing::Listing;
use crate::naming::bench_of_name;
use crate::place::{ReadError, shown};
use crate::quantity::{number, percent};
use crate::reports::{read_documents, read_marked};
use crate::result_lines::{self, Line, uncommented};
use crate::{Observed, own, summary};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "benchmark-ips",
    about: "Ruby's benchmark-ips 2: its report, or the JSON of `json!`",
    files: |path| has_extension(path, &["json", "txt"]),
    mark: Mark::Text(|text| {
        is_json(text)
            || text
                .lines()
                .any(|line| line.contains(MARK) && Rate::parse(line).is_some())
    }),
    hint: "run `Benchmark.ips` and give its standard output, or the file of `json!`",
    read,
};

/// What stands in each line with a result.
const MARK: &str = "i/s";

/// What ends the lines that benchmark-ipsa adds: how many objects and texts were allocated and kept.
const ALLOCATED_MARK: &str = "strings/ret";

const JSON_MARK: &str = "\"central_tendency\"";

fn is_json(text: &str) -> bool {
    text.contains(JSON_MARK) || text.contains("\"ips\"") && text.contains("\"stddev\"")
}

fn is_marked(text: &str) -> bool {
    [JSON_MARK, "\"microseconds\"", "\"ips\""]
        .iter()
        .any(|mark| text.contains(mark))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        let text = document.text();
        if !is_marked(text) {
            let listing = Listing {
                document: &document,
                suite,
                gathered,
            };
            let mut before: Option<String> = None;
            result_lines::read_listing(listing, |text| line_of(uncommented(text), &mut before));
            return warmed::tell(&document, gathered);
        }
        read_marked(&document, is_marked, gathered, |report, gathered| {
            let list: Vec<&RawValue> = report.parse(gathered).unwrap_or_default();
            report.each(list, gathered, |item: Item<'_>, _, _| {
                let readings = item.readings()?;
                Ok(Entry::new(bench_of_name(suite, &item.name)?, readings))
            });
        });
    })
}

/// One benchmark of the file.
#[derive(Deserialize)]
struct Item<'t> {
    #[serde(borrow)]
    name: Text<'t>,
    #[serde(borrow)]
    central_tendency: Option<Number<'t>>,
    /// What stands alone in the first versions.
    #[serde(borrow)]
    ips: Option<Number<'t>>,
    #[serde(borrow)]
    stddev: Option<Number<'t>>,
    #[serde(borrow)]
    error: Option<Number<'t>>,
    #[serde(borrow)]
    iterations: Option<Number<'t>>,
}

impl Item<'_> {
    fn readings(&self) -> Result<Vec<Reading>, String> {
        let of_name = |error: String| {
            format!(
                "the rate of benchmark `{}` cannot be used: {error}",
                shown(&self.name)
            )
        };
        let rate = self.central_tendency.or(self.ips);
        let rate = rate.ok_or_else(|| of_name("there is none".to_owned()))?;
        let error = self.error.or(self.stddev).map(Number::value);
        let iterations = self.iterations.and_then(Number::count);
        readings(rate.value(), error, iterations).map_err(of_name)
    }
}

fn readings(
    rate: f64,
    error: Option<f64>,
    iterations: Option<u64>,
) -> Result<Vec<Reading>, String> {
    let metric: Metric = own::item_throughput();
    let iterations = iterations.filter(|iterations| *iterations > 0);
    let mut readings = vec![summary::standing_for(&metric, rate, iterations)?];
    if let Some(error) = error {
        readings.push(summary::part(&metric, "stddev", error)?);
    }
    Ok(readings)
}

/// A long name stands on the line above its result.
fn line_of(text: &str, before: &mut Option<String>) -> Line {
    let above = before.replace(text.trim().to_owned());
    let Some(rate) = Rate::parse(text) else {
        let is_ratio =
            text.contains("slower") || text.contains("faster") || text.contains("same-ish");
        let is_comparison = is_ratio || Rate::is_compared(text);
        if text.ends_with(ALLOCATED_MARK) {
            let text = format!("what was allocated is not read: `{}`", shown(text.trim()));
            return Line::Problem(text);
        }
        let is_damaged = text.contains(MARK) || text.contains("(\u{b1}");
        return match is_damaged && !text.contains("i/100ms") {
            _ if is_comparison => Line::Known,
            true => Line::Problem(format!("a damaged result: `{}`", shown(text))),
            false => Line::Other,
        };
    };
    match name_of(rate.name, above.as_deref()) {
        Some(name) => Line::Result {
            is_closed: rate.is_closed,
            name: name.to_owned(),
            readings: rate.readings(),
        },
        None => Line::Problem("a result without a name".to_owned()),
    }
}

/// Returns the name of a job, which stands on the line above where it is a long one. No name is the rule below a heading.
fn name_of<'t>(name: &'t str, above: Option<&'t str>) -> Option<&'t str> {
    match name.is_empty() {
        true => above.filter(|name| !name.is_empty() && !name.ends_with('-')),
        false => Some(name),
    }
}

/// One line of the report: `get  1.008M (± 0.2%) i/s  (992.35 ns/i) -  5.040M in  5.010000s`.
struct Rate<'t> {
    name: &'t str,
    rate: f64,
    /// The standard deviation, as a share of the rate.
    deviation: f64,
    /// Whether the time it took stands at the end, as all but old versions write it.
    is_closed: bool,
}

impl<'t> Rate<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let (head, tail) = text.split_once("%) i/s")?;
        // Where there are two of them, a line lost its end.
        if tail.contains("%) i/s") {
            return None;
        }
        let (head, deviation) = head.rsplit_once("(\u{b1}")?;
        let head = head.trim_end();
        let (name, rate) = head.rsplit_once(' ').unwrap_or(("", head));
        // What comes after tells a whole line from one that was cut.
        let (_, iterations) = tail.rsplit_once(" - ")?;
        let iterations = without_cycle(iterations.trim_end());
        let is_closed = match iterations.trim().split_once(" in ") {
            Some((count, time)) => {
                scaled(count)?;
                number(time.trim().strip_suffix('s')?)?;
                true
            }
            None => {
                scaled(iterations)?;
                false
            }
        };
        Some(Self {
            name: name.trim(),
            rate: scaled(rate)?,
            deviation: percent().of_text(deviation.trim())?,
            is_closed,
        })
    }

    /// Returns whether a line compares: the first one has no ratio.
    fn is_compared(text: &str) -> bool {
        let rate = text
            .strip_suffix(" i/s")
            .and_then(|rest| rest.rsplit_once(':'));
        rate.is_some_and(|(_, rate)| number(rate.trim()).is_some())
    }

    fn readings(&self) -> Result<Vec<Reading>, String> {
        let metric = own::item_throughput();
        Ok(vec![
            summary::standing_for(&metric, self.rate, None)?,
            summary::beside("item_throughput_rsd", Unit::Ratio, self.deviation)?,
        ])
    }
}

/// Takes away what the first versions write behind the time: `(cycle=71254)`, of how many iterations a turn is.
fn without_cycle(text: &str) -> &str {
    let (before, cycle) = text.rsplit_once(" (cycle=").unwrap_or((text, ""));
    let cycle = cycle.strip_suffix(')').and_then(number);
    if cycle.is_some() { before } else { text }
}

/// Reads a number that was scaled for people: `68.786k` is 68786.
fn scaled(text: &str) -> Option<f64> {
    let text = text.trim();
    let exponents = [('k', 3), ('M', 6), ('B', 9), ('T', 12), ('Q', 15)];
    let found = exponents
        .iter()
        .find_map(|(sign, digits)| Some((text.strip_suffix(*sign)?, *digits)));
    let (digits, exponent) = found.unwrap_or((text, 0));
    number(digits)?;
    number(&format!("{}e{exponent}", digits.replace(',', "")))
}
