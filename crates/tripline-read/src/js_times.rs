//! Statistics of times as tinybench computes them, and vitest and mitata in their own words.
//!
//! Names of one number differ from one to the other and from version to version; here they are one. Tested by the
//! fixtures of these three.

use std::fmt;

use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use tripline_model::{Metric, Reading, Sample, SuiteName};

use crate::entry::Entry;
use crate::json::{MaybeNumber, Number};
use crate::naming::bench_id;
use crate::place::shown;
use crate::quantity::Scale;
use crate::summary;

/// What vitest and mitata call what they measure.
pub(crate) const BENCHMARK: &str = "benchmark";

/// What tinybench calls it.
pub(crate) const TASK: &str = "task";

/// Returns what was measured under a name, or why it cannot be used, in the harness's own word for it.
pub(crate) fn entry(
    suite: &SuiteName,
    word: &str,
    name: &str,
    pairs: &[(String, String)],
    readings: Result<Vec<Reading>, String>,
) -> Result<Entry, String> {
    let said = |error| format!("{word} `{}` cannot be used: {error}", shown(name));
    let bench = bench_id(suite, name, pairs).map_err(said)?;
    Ok(Entry::new(bench, readings.map_err(said)?))
}

/// What was measured, in whatever unit.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Times<'t> {
    #[serde(borrow)]
    samples: Option<RawTimes<'t>>,
    #[serde(borrow, alias = "samplesCount")]
    sample_count: Option<Number<'t>>,
    #[serde(borrow)]
    min: Option<MaybeNumber<'t>>,
    #[serde(borrow)]
    max: Option<MaybeNumber<'t>>,
    #[serde(borrow, alias = "avg")]
    mean: Option<MaybeNumber<'t>>,
    #[serde(borrow, alias = "p50")]
    median: Option<MaybeNumber<'t>>,
    #[serde(borrow)]
    p75: Option<MaybeNumber<'t>>,
    #[serde(borrow)]
    p99: Option<MaybeNumber<'t>>,
    #[serde(borrow)]
    p995: Option<MaybeNumber<'t>>,
    #[serde(borrow)]
    p999: Option<MaybeNumber<'t>>,
    #[serde(borrow)]
    sd: Option<MaybeNumber<'t>>,
    /// What mitata alone has: what the heap grew by, how long collecting garbage took, and the processor's counters.
    #[serde(borrow)]
    pub(crate) heap: Option<&'t RawValue>,
    #[serde(borrow)]
    pub(crate) gc: Option<&'t RawValue>,
    #[serde(borrow)]
    pub(crate) counters: Option<&'t RawValue>,
}

/// The raw times, of which there are none where vitest left them out.
struct RawTimes<'t>(Vec<MaybeNumber<'t>>);

/// What vitest before version 1.6 writes in place of raw times where the report goes to the standard output.
const LEFT_OUT: &str = "ignore on terminal";

impl<'de: 't, 't> Deserialize<'de> for RawTimes<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfRawTimes)
    }
}

struct OfRawTimes;

impl<'de> Visitor<'de> for OfRawTimes {
    type Value = RawTimes<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut times = Vec::new();
        while let Some(time) = list.next_element()? {
            times.push(time);
        }
        Ok(RawTimes(times))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        match text {
            LEFT_OUT => Ok(RawTimes(Vec::new())),
            _ => Err(E::invalid_type(Unexpected::Str(text), &self)),
        }
    }
}

impl Times<'_> {
    /// Returns the raw times where there are some, and else the median or the mean with what is known beside it.
    pub(crate) fn readings(&self, scale: Scale) -> Result<Vec<Reading>, String> {
        let metric = Metric::known("wall_time").expect("the metric is in the table");
        let in_scale = |number: Number<'_>| number.in_scale(scale);
        let samples = self.samples.as_ref().map(|samples| &*samples.0);
        let samples = samples.unwrap_or_default();
        if !samples.is_empty() {
            let values: Option<Vec<f64>> = samples
                .iter()
                .map(|sample| sample.number().map(in_scale))
                .collect();
            let values = values.ok_or("one of its times is no number")?;
            let sample = Sample::new(values).map_err(|error| error.to_string())?;
            return Ok(vec![Reading { metric, sample }]);
        }
        let value =
            |number: Option<MaybeNumber<'_>>| number.and_then(MaybeNumber::number).map(in_scale);
        let center = value(self.median).or_else(|| value(self.mean));
        let center = center.ok_or("it has no times: it failed, or was not run")?;
        let mut readings = vec![summary::standing_for(&metric, center, None)?];
        let mean = self.mean.filter(|_| value(self.median).is_some());
        for (part, number) in [
            ("min", self.min),
            ("mean", mean),
            ("p75", self.p75),
            ("p99", self.p99),
            ("p99.5", self.p995),
            ("p99.9", self.p999),
            ("max", self.max),
            ("stddev", self.sd),
        ] {
            if let Some(value) = value(number) {
                readings.push(summary::part(&metric, part, value)?);
            }
        }
        if let Some(count) = self.sample_count.and_then(Number::count) {
            readings.push(summary::rounds(count)?);
        }
        Ok(readings)
    }
}
