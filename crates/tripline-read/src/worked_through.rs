//! What Criterion's benchmarks say they work through in an iteration, as the rate that Criterion prints beside the time.
//!
//! It holds nothing that the times do not: so it is one number, all that was worked through in all the time, which stands
//! for the values as the printed one does. Tested below and by `fixtures/criterion` and `fixtures/cargo_criterion`.

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{Reading, Unit};

use crate::json::{self, Members, Text};
use crate::{own, summary};

/// What one iteration works through.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PerIteration {
    count: f64,
    unit: Unit,
}

/// A part of a message of cargo-criterion.
#[derive(Debug, Deserialize)]
pub(crate) struct Stated<'t> {
    per_iteration: f64,
    #[serde(borrow)]
    unit: Text<'t>,
}

/// A part of a file of Criterion's: `{"Bytes": 64}`, or with bytes and things at once.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Kept<'t> {
    #[serde(borrow)]
    members: Members<'t, &'t RawValue>,
}

/// The member that holds more of them.
const BOTH: &str = "ElementsAndBytes";

impl PerIteration {
    /// Reads what a name says the number counts.
    fn named(name: &str, count: f64) -> Result<Self, String> {
        let unit = match name {
            "Bytes" | "BytesDecimal" | "bytes" => Unit::BytePerSecond,
            "Bits" | "bits" => Unit::BitPerSecond,
            "Elements" | "elements" => Unit::PerSecond,
            _ => {
                let name = crate::place::shown(name);
                return Err(format!(
                    "its throughput counts `{name}`, which is not known"
                ));
            }
        };
        Ok(Self { count, unit })
    }

    /// Returns the rate over totals in nanoseconds.
    pub(crate) fn rate(&self, iterations: f64, nanoseconds: f64) -> Result<Reading, String> {
        let rate = self.count * iterations / nanoseconds * 1e9;
        let metric = own::throughput(self.unit.clone());
        summary::standing_for(&metric, rate, None)
            .map_err(|error| format!("its throughput cannot be used: {error}"))
    }
}

impl Stated<'_> {
    /// Returns what it states.
    pub(crate) fn per_iteration(&self) -> Result<PerIteration, String> {
        PerIteration::named(&self.unit, self.per_iteration)
    }
}

impl Kept<'_> {
    /// Returns all that it states.
    pub(crate) fn per_iteration(&self) -> Result<Vec<PerIteration>, String> {
        let mut all = Vec::new();
        for (name, raw) in &self.members.0 {
            if &**name == BOTH {
                let both: Members<'_, f64> = parse(raw)?;
                for (name, count) in &both.0 {
                    all.push(PerIteration::named(name, *count)?);
                }
            } else {
                all.push(PerIteration::named(name, parse(raw)?)?);
            }
        }
        Ok(all)
    }
}

fn parse<'t, T: Deserialize<'t>>(raw: &'t RawValue) -> Result<T, String> {
    json::part(raw).map_err(|error| format!("its throughput cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_criterions_files_is_a_rate() {
        for (json, expected) in [
            (r#"{"Bytes":64}"#, "throughput 64000 B/s"),
            (r#"{"BytesDecimal":64}"#, "throughput 64000 B/s"),
            (r#"{"Bits":64}"#, "bit_throughput 64000 bit/s"),
            (r#"{"Elements":3}"#, "item_throughput 3000 1/s"),
            (
                r#"{"ElementsAndBytes":{"elements":3,"bytes":64}}"#,
                "item_throughput 3000 1/s, throughput 64000 B/s",
            ),
            (
                r#"{"Laps":3}"#,
                "its throughput counts `Laps`, which is not known",
            ),
        ] {
            let kept: Kept<'_> = serde_json::from_str(json).unwrap();
            let shown = kept.per_iteration().map(|all| {
                let shown = all.iter().map(|one| {
                    let reading = one.rate(10.0, 1e7).unwrap();
                    let (metric, value) = (reading.metric, reading.sample.values()[0]);
                    format!("{} {value} {}", metric.name, metric.unit.symbol())
                });
                shown.collect::<Vec<_>>().join(", ")
            });
            assert_eq!(shown.unwrap_or_else(|error| error), expected, "{json}");
        }
    }
}
