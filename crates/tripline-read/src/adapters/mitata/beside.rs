//! What mitata's JSON has beside times: what the heap grew by, how long collecting garbage took, and the processor's counters.
//!
//! All of it explains and is never judged. Tested below and by `fixtures/mitata`.

use serde::Deserialize;
use serde_json::Value;
use tripline_model::few;
use tripline_model::{Reading, Unit};

use crate::js_times::Times;
use crate::json::{self, MaybeNumber};
use crate::{own, summary};

#[derive(Deserialize)]
struct Range<'t> {
    #[serde(borrow)]
    avg: Option<MaybeNumber<'t>>,
    #[serde(borrow)]
    min: Option<MaybeNumber<'t>>,
    #[serde(borrow)]
    max: Option<MaybeNumber<'t>>,
}

/// Returns what stands beside the times of one run.
pub(super) fn readings(times: &Times<'_>) -> Result<Vec<Reading>, String> {
    let mut readings = Vec::new();
    for (name, unit, member, range) in [
        ("heap_growth", Unit::Byte, "heap", times.heap),
        ("gc_time", Unit::Nanosecond, "gc", times.gc),
    ] {
        let range = range.map(|raw| json::member(member, raw));
        let range: Option<Range<'_>> = range.transpose()?;
        let Some(range) = range else {
            continue;
        };
        for (part, number) in [("", range.avg), ("_min", range.min), ("_max", range.max)] {
            if let Some(number) = number.and_then(MaybeNumber::number) {
                let name = format!("{name}{part}");
                readings.push(summary::beside(&name, unit.clone(), number.value())?);
            }
        }
    }
    let counters = times
        .counters
        .map(|raw| json::member("counters", raw))
        .transpose()?;
    for (name, average) in counters.map(averages).unwrap_or_default() {
        let name = own::metric_name(&name).map_err(|error| error.to_string())?;
        readings.push(summary::beside(name.as_str(), Unit::Count, average)?);
    }
    Ok(readings)
}

/// Returns the average of each counter, one of which may be part of another.
fn averages(counters: Value) -> Vec<(String, f64)> {
    let mut averages = Vec::new();
    let mut left = vec![(String::new(), counters)];
    while let Some((name, counter)) = left.pop() {
        let Value::Object(members) = counter else {
            continue;
        };
        for (key, value) in members {
            match (key.as_str(), value.as_f64()) {
                ("avg", Some(average)) => averages.push((name.clone(), average)),
                _ if name.is_empty() => left.push((key, value)),
                _ => left.push((format!("{name}_{key}"), value)),
            }
        }
    }
    few::sort_by(&mut averages, |(one, _), (other, _)| one.cmp(other));
    averages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_times_has_names_of_its_own() {
        let stats = r#"{"avg": 2, "heap": {"_": 1, "avg": 512.5, "min": 1, "max": null}, "gc": {"avg": 1000},
            "counters": {"cycles": {"avg": 100, "stalls": {"avg": 5}}, "instructions": {"avg": 500, "min": 1}}}"#;
        let read = |text| readings(&serde_json::from_str(text).unwrap());
        let shown: Vec<String> = read(stats)
            .unwrap()
            .iter()
            .map(|of| {
                let (name, value) = (&of.metric.name, of.sample.values()[0]);
                format!("{name} {value} {}", of.metric.unit.symbol())
            })
            .collect();
        let expected = [
            "heap_growth 512.5 B",
            "heap_growth_min 1 B",
            "gc_time 1000 ns",
            "cycles 100 count",
            "cycles_stalls 5 count",
            "own_instructions 500 count",
        ];
        assert_eq!(shown, expected);
        assert!(read("{\"avg\": 2}").unwrap().is_empty());
        assert!(read("{\"avg\": 2, \"heap\": null}").unwrap().is_empty());
        assert!(read("{\"avg\": 2, \"gc\": 5}").is_err());
    }
}
