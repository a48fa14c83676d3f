//! Reads github-action-benchmark's own lists: values with a name and a unit.
//!
//! The list does not say whether larger or smaller values are better, so both adapters recognize it and somebody has to
//! say which is meant. The unit decides the metric; what our own exporter writes gives the same benchmarks, metrics and
//! values again. `extra` is a text for people and is left out, but where it alone tells entries apart. Tested by
//! `fixtures/custom_bigger_is_better` and `fixtures/custom_smaller_is_better`.

mod twins;
mod unit;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::number::plural;
use tripline_model::{BenchId, Better, Metric, MetricName, Nature, Reading, Sample, SuiteName};

use crate::adapter::Adapter;
use crate::entry::Entry;
use crate::input::Input;
use crate::json::Text;
use crate::naming::{bench_id, bench_of_name, bench_of_text};
use crate::pieces::{heads, opening};
use crate::place::{Place, ReadError, shown};
use crate::quantity::{Scale, number, percent};
use crate::reports::{read_documents, read_marked};
use crate::{Observed, summary};
use twins::{EXTRA, Twins};
pub(crate) use unit::{Quantity, quantity};

/// What every entry has. Some have no unit, and some members of their own.
const MEMBERS: [&str; 2] = ["name", "value"];

/// What to do where there is no list.
pub(crate) const HINT: &str =
    "give JSON such as [{\"name\": \"get\", \"unit\": \"ms\", \"value\": 12.5}]";

/// Returns whether a text holds such a list. One without any unit may be anybody's.
pub(crate) fn is_list(text: &str) -> bool {
    may_be_list(text) && text.contains("\"unit\"")
}

/// Returns whether a text holds what may be meant for such a list.
fn may_be_list(text: &str) -> bool {
    text.contains("\"value\"") && heads(text).any(begins_as_list)
}

/// Looks at the keys of the first entry.
fn begins_as_list(text: &str) -> bool {
    let (signs, texts) = opening(text);
    let keys = signs.strip_prefix("[{").map(|entry| keys(entry, &texts));
    keys.is_some_and(|keys| MEMBERS.iter().all(|member| keys.contains(member)))
}

/// Returns the texts before a colon, without those of what stands within a member.
fn keys<'t>(entry: &str, texts: &[&'t str]) -> Vec<&'t str> {
    let (mut keys, mut depth) = (Vec::new(), 0_usize);
    let mut texts = texts.iter();
    for (at, sign) in entry.char_indices() {
        match sign {
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 0 => break,
            '}' | ']' => depth -= 1,
            's' => {
                let is_key = depth == 0 && entry[at + 1..].starts_with(':');
                keys.extend(texts.next().filter(|_| is_key));
            }
            _ => {}
        }
    }
    keys
}

/// Reads the list, of whose values the larger or the smaller are better.
pub(crate) fn read(
    input: &Input,
    suite: &SuiteName,
    adapter: &'static Adapter,
    better: Better,
) -> Result<Observed, ReadError> {
    read_documents(input, adapter, |document, gathered| {
        let text = document.text();
        let is_list = may_be_list(text);
        let is_marked = |text: &str| is_list && text.contains("\"value\"");
        read_marked(&document, is_marked, gathered, |report, gathered| {
            let list: Vec<&RawValue> = report.parse(gathered).unwrap_or_default();
            let twins = Twins::of(&list);
            let mut without_unit: Option<(Place, usize)> = None;
            report.each(list, gathered, |value: Value<'_>, place, gathered| {
                let said = |error| format!("`{}` cannot be used: {error}", shown(&value.name));
                let (entry, problem) = value.entry(suite, better, &twins).map_err(said)?;
                if let Some(text) = problem {
                    gathered.problem(place.clone(), text);
                }
                if value.unit.is_none() {
                    without_unit.get_or_insert_with(|| (place.clone(), 0)).1 += 1;
                }
                Ok(entry)
            });
            if let Some((place, count)) = without_unit {
                let entries = plural(count, "entry has", "entries have");
                let text = format!("{entries} no `unit`, which is read as having none");
                gathered.remark(place, text);
            }
        });
    })
}

/// One entry of the list.
#[derive(Deserialize)]
struct Value<'t> {
    #[serde(borrow)]
    name: Text<'t>,
    /// Whoever reads these lists elsewhere takes an entry without one.
    #[serde(borrow)]
    unit: Option<Text<'t>>,
    #[serde(borrow)]
    value: &'t RawValue,
    #[serde(borrow)]
    range: Option<&'t RawValue>,
    #[serde(borrow)]
    extra: Option<&'t RawValue>,
}

impl Value<'_> {
    fn unit(&self) -> &str {
        self.unit.as_deref().unwrap_or_default()
    }

    /// Returns the entry, and what is wrong with its range: the value is good without it.
    fn entry(
        &self,
        suite: &SuiteName,
        better: Better,
        twins: &Twins,
    ) -> Result<(Entry, Option<String>), String> {
        let own = self.exported(suite, better);
        let (bench, metric, scale) = match own {
            Some((bench, metric)) => (bench, metric, crate::quantity::as_it_is()),
            None => {
                let Quantity { metric, scale } = quantity(self.unit(), better)?;
                (self.bench(suite, twins)?, metric, scale)
            }
        };
        let value = number_of(self.value, scale).ok_or_else(|| {
            format!(
                "its value is {}, which is no number",
                shown(self.value.get())
            )
        })?;
        if value < 0.0 {
            return Err(format!(
                "its value is {}, and none below zero is taken: list what it is the difference of, each with a name of its own",
                shown(self.value.get())
            ));
        }
        let (range, problem) = match self.range(&metric, value, scale) {
            Ok(range) => (range, None),
            Err(error) => (None, Some(error)),
        };
        let sample = Sample::new([value]).map_err(|error| error.to_string())?;
        let mut readings = vec![Reading { metric, sample }];
        readings.extend(range);
        Ok((Entry::new(bench, readings), problem))
    }

    /// Returns the benchmark, whose label is a param where others are of the same name and unit.
    fn bench(&self, suite: &SuiteName, twins: &Twins) -> Result<BenchId, String> {
        let extra = self.extra.filter(|_| twins.has(&self.name, self.unit()));
        let label: Option<Text<'_>> = extra.and_then(|raw| serde_json::from_str(raw.get()).ok());
        match label {
            Some(label) => bench_id(suite, &self.name, &[(EXTRA, label.trim())]),
            None => bench_of_name(suite, &self.name),
        }
    }

    /// Returns how far the value may be off.
    fn range(&self, metric: &Metric, value: f64, scale: Scale) -> Result<Option<Reading>, String> {
        let Some(raw) = self.range else {
            return Ok(None);
        };
        let text: String = serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned());
        if text.trim().is_empty() {
            return Ok(None);
        }
        let reading = reach(&text, value, scale)
            .ok_or_else(|| "it is no number, and no share of the value".to_owned())
            .and_then(|reach| summary::part(metric, "range", reach));
        let said = |error| {
            let (name, text) = (shown(&self.name), shown(&text));
            format!("the range `{text}` of `{name}` cannot be used: {error}")
        };
        reading.map(Some).map_err(said)
    }

    /// Returns what our exporter made a name of: an id, and the name of the metric.
    fn exported(&self, suite: &SuiteName, better: Better) -> Option<(BenchId, Metric)> {
        let own = format!("{suite}/");
        let (text, metric) = self
            .name
            .rsplit_once(' ')
            .filter(|_| self.name.starts_with(&own))?;
        let bench = bench_of_text(suite, text)
            .ok()
            .filter(|bench| bench.to_string() == text)?;
        let name = MetricName::new(metric).ok()?;
        let unit = tripline_model::Unit::from_symbol(self.unit()).ok()?;
        let known = Metric::known(metric);
        let fits = |known: &Metric| known.unit == unit && known.better == better;
        let nature = match &known {
            Some(known) if !fits(known) => return None,
            Some(known) if known.nature == Nature::Exact => Nature::Exact,
            _ => Nature::Summarized,
        };
        Some((
            bench,
            Metric {
                name,
                unit,
                better,
                nature,
            },
        ))
    }
}

/// Returns a number, or a text that is one: whoever reads these lists elsewhere takes both.
fn number_of(raw: &RawValue, scale: Scale) -> Option<f64> {
    let text: Result<String, _> = serde_json::from_str(raw.get());
    match text {
        Ok(text) => scale.of_text(text.trim()),
        Err(_) => scale.of_text(raw.get()),
    }
}

/// Returns how far a value may be off: by a number in its own unit, or by percents of it, as benchmark.js has them.
fn reach(text: &str, value: f64, scale: Scale) -> Option<f64> {
    let signs = ["\u{b1}", "+/-"];
    let text = text.trim();
    let sign = signs.iter().find_map(|sign| text.strip_prefix(sign));
    let text = sign.unwrap_or(text).trim();
    match text.strip_suffix('%') {
        Some(share) => percent_of(value.abs(), share.trim()),
        None => scale.of_text(text),
    }
}

/// Returns so many percents of a value. The point is moved last, so that 1.5 % of 100 are 1.5.
fn percent_of(value: f64, share: &str) -> Option<f64> {
    let reach = percent().of(number(share)? * value);
    reach.is_finite().then_some(reach)
}
