//! The scores of one metric, in whatever unit the benchmark asked for.
//!
//! An operation's time and operations per time are told by the unit alone. A profiler's metric keeps its unit unless it
//! is one of time or size, and has no direction; nor has a counter. Tested by `fixtures/jmh` and below.

use serde::Deserialize;
use tripline_model::{Better, Metric, Nature, Reading, Sample, Unit, UnitSymbol};

use super::group::Whose;
use crate::json::{MaybeNumber, Members, Number, Text};
use crate::place::shown;
use crate::quantity::{Scale, as_it_is, nanoseconds, per_second};
use crate::{own, summary};

/// Percentiles that stand beside sampled times, and the names they get.
pub(super) const PERCENTILES: &[(&str, &str)] = &[
    ("0.0", "min"),
    ("50.0", "p50"),
    ("90.0", "p90"),
    ("95.0", "p95"),
    ("99.0", "p99"),
    ("99.9", "p99.9"),
    ("99.99", "p99.99"),
    ("99.999", "p99.999"),
    ("99.9999", "p99.9999"),
    ("100.0", "max"),
];

/// What a profiler calls the bytes that an operation allocates. Versions before 1.36 set a dot before it.
const ALLOCATED: &str = "gc.alloc.rate.norm";

/// The unit of what a profiler tells in words, such as where the stacks were.
pub(super) const NO_UNIT: &str = "---";

/// The mode in which the time of single operations is sampled, as JSON says it.
const SAMPLED: &str = "sample";

/// Returns what a metric is called behind the method's name and a dot, which versions before 1.36 set before it.
pub(super) fn label(name: &str) -> &str {
    name.rsplit_once('\u{b7}').map_or(name, |(_, label)| label)
}

/// One metric of a benchmark: by fork, the scores of its iterations.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Scores<'t> {
    #[serde(borrow)]
    score: MaybeNumber<'t>,
    #[serde(borrow)]
    score_unit: Text<'t>,
    #[serde(borrow, default)]
    score_percentiles: Members<'t, MaybeNumber<'t>>,
    #[serde(borrow)]
    raw_data: Option<Vec<Vec<MaybeNumber<'t>>>>,
    /// By fork and iteration: times, and how often each was seen.
    #[serde(borrow)]
    raw_data_histogram: Option<Vec<Vec<Vec<Bucket<'t>>>>>,
}

#[derive(Deserialize)]
struct Bucket<'t>(#[serde(borrow)] Number<'t>, #[serde(borrow)] Number<'t>);

impl Scores<'_> {
    /// Returns what was measured. The mode is named where the unit does not fit it.
    pub(super) fn primary(&self, mode: &str) -> Result<Vec<Reading>, String> {
        let (metric, scale) = score_of(&self.score_unit).ok_or_else(|| {
            let unit = shown(&self.score_unit);
            format!("`{unit}` is no unit of the mode `{}`", shown(mode))
        })?;
        let mut readings = vec![self.reading(&metric, scale)?];
        if self.is_sampled(mode) {
            for (percentile, name) in PERCENTILES {
                let found = self
                    .score_percentiles
                    .0
                    .iter()
                    .find(|(key, _)| &**key == *percentile);
                if let Some(number) = found.and_then(|(_, number)| number.number()) {
                    readings.push(summary::part(&metric, name, number.in_scale(scale))?);
                }
            }
        }
        Ok(readings)
    }

    /// Returns the score as it stands.
    pub(super) fn score(&self) -> Option<f64> {
        self.score.number().map(Number::value)
    }

    pub(super) fn unit(&self) -> &str {
        &self.score_unit
    }

    /// Returns whether its percentiles are of times that were sampled, and not of the scores of iterations.
    fn is_sampled(&self, mode: &str) -> bool {
        let has_only_percentiles = self.raw_data.is_none() && !self.score_percentiles.0.is_empty();
        self.raw_data_histogram.is_some() || (mode == SAMPLED && has_only_percentiles)
    }

    /// Returns whether a metric is a percentile of the sampled times: `p0.50`, where all of them are known.
    pub(super) fn has_percentile(&self, name: &str, mode: &str) -> bool {
        let is_share = |text: &str| text.parse::<f64>().is_ok_and(|share| share <= 1.0);
        self.is_sampled(mode) && label(name).strip_prefix('p').is_some_and(is_share)
    }

    /// Returns what was measured beside the score; none where it is a text.
    pub(super) fn secondary(&self, name: &str, whose: Whose) -> Result<Option<Reading>, String> {
        if &*self.score_unit == NO_UNIT {
            return Ok(None);
        }
        let (metric, scale) = own_metric(name, &self.score_unit, whose)?;
        self.reading(&metric, scale).map(Some)
    }

    fn reading(&self, metric: &Metric, scale: Scale) -> Result<Reading, String> {
        let (values, iterations) = match (&self.raw_data_histogram, &self.raw_data) {
            (Some(forks), _) => histogram(forks, scale)?,
            (None, Some(forks)) => {
                let numbers = forks.iter().flatten();
                let values = numbers.map(|number| number.number().map(|n| n.in_scale(scale)));
                (values.collect::<Option<_>>(), None)
            }
            (None, None) => return self.summarized(metric, scale),
        };
        let values: Vec<f64> = values.ok_or("one of its values is no number")?;
        // A metric may be computed over all iterations, and then has no values of its own.
        if values.is_empty() {
            return self.summarized(metric, scale);
        }
        let sample = match iterations {
            Some(iterations) => Sample::with_iterations(values, iterations),
            None => Sample::new(values),
        };
        Ok(Reading {
            metric: metric.clone(),
            sample: sample.map_err(|error| error.to_string())?,
        })
    }

    fn summarized(&self, metric: &Metric, scale: Scale) -> Result<Reading, String> {
        let score = self.score.number().ok_or("it is no number")?;
        summary::standing_for(metric, score.in_scale(scale), None)
    }
}

/// Values, if all are numbers, and over how many operations each was taken.
type Values = (Option<Vec<f64>>, Option<Vec<u64>>);

/// Returns the mean of each iteration: the order of the times in it is lost, and there may be millions.
fn histogram(forks: &[Vec<Vec<Bucket<'_>>>], scale: Scale) -> Result<Values, String> {
    let (mut means, mut counts) = (Vec::new(), Vec::new());
    for buckets in forks.iter().flatten() {
        let (mut sum, mut count) = (0.0, 0_u64);
        for Bucket(time, times) in buckets {
            let times = times
                .count()
                .ok_or("a time was seen so often as is no count")?;
            sum += time.in_scale(scale) * times as f64;
            count = count.saturating_add(times);
        }
        if count > 0 {
            means.push(sum / count as f64);
            counts.push(count);
        }
    }
    Ok((Some(means), Some(counts)))
}

/// Returns the metric of a score: a time per operation, or operations per time.
pub(super) fn score_of(unit: &str) -> Option<(Metric, Scale)> {
    if let Some(time) = unit.strip_suffix("/op") {
        let time = nanoseconds(time)?;
        return Some((Metric::known("wall_time")?, time));
    }
    let time = unit.strip_prefix("ops/")?;
    Some((own::throughput(Unit::PerSecond), per_second(time)?))
}

/// Returns the metric of a profiler or counter, or of a method of a group.
pub(super) fn own_metric(name: &str, unit: &str, whose: Whose) -> Result<(Metric, Scale), String> {
    if name.trim_start_matches('\u{b7}') == ALLOCATED && unit == "B/op" {
        // The profiler's own allocations are in it, so it is no exact count.
        let allocated = Metric::known("allocated_bytes").expect("the metric is in the table");
        let metric = Metric {
            nature: Nature::Sampled,
            ..allocated
        };
        return Ok((metric, as_it_is()));
    }
    if let Some((score, scale)) = score_of(unit) {
        // A time and a rate are two metrics; and so are those of a method, which have a direction, and those of a counter.
        let behind = match (whose, &score.unit) {
            (Whose::Method, Unit::PerSecond) => "_throughput",
            (Whose::Method, _) => "",
            (Whose::Counter, Unit::PerSecond) => "_per_second",
            (Whose::Counter, _) => "_interval",
        };
        let metric = own::metric(&format!("{name}{behind}"), score.unit);
        let metric = metric.map_err(|error| error.to_string())?;
        let better = match whose {
            Whose::Method => score.better,
            Whose::Counter => Better::Neither,
        };
        return Ok((Metric { better, ..metric }, scale));
    }
    let (unit, scale) = match unit {
        "counts" | "#" => (Unit::Count, as_it_is()),
        "B" | "B/op" => (Unit::Byte, as_it_is()),
        _ => match nanoseconds(unit) {
            Some(scale) => (Unit::Nanosecond, scale),
            None => {
                let symbol = UnitSymbol::new(unit).map_err(|error| error.to_string())?;
                (Unit::Other(symbol), as_it_is())
            }
        },
    };
    let metric = own::metric(name, unit).map_err(|error| error.to_string())?;
    Ok((metric, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_sampled_times_are_read_without_their_histogram() {
        let read = |mode: &str, rest: &str| {
            let text = format!(
                r#"{{"score": 2, "scoreUnit": "ns/op", "scorePercentiles": {{"50.0": 1.5, "99.0": 9}}{rest}}}"#
            );
            let scores: Scores<'_> = serde_json::from_str(&text).unwrap();
            let readings = scores.primary(mode).unwrap();
            (readings.len(), scores.has_percentile("p0.50", mode))
        };
        assert_eq!(read(SAMPLED, ""), (3, true));
        assert_eq!(
            read(SAMPLED, r#", "rawDataHistogram": [[[[2, 1]]]]"#),
            (3, true)
        );
        assert_eq!(read(SAMPLED, r#", "rawData": [[2]]"#), (1, false));
        assert_eq!(read("avgt", ""), (1, false));
    }

    #[test]
    fn units_are_times_rates_or_kept() {
        for (unit, expected) in [
            ("ns/op", Some("wall_time 2.5")),
            ("us/op", Some("wall_time 2500")),
            ("s/op", Some("wall_time 2500000000")),
            ("ops/s", Some("item_throughput 2.5")),
            ("ops/us", Some("item_throughput 2500000")),
            ("ops/min", Some("item_throughput 0.041666666666666664")),
            ("MB/sec", None),
        ] {
            let shown = score_of(unit).map(|(metric, scale)| {
                format!("{} {}", metric.name, scale.of_text("2.5").unwrap())
            });
            assert_eq!(shown.as_deref(), expected, "{unit}");
        }
        let (metric, _) = own_metric("\u{b7}gc.alloc.rate", "MB/sec", Whose::Counter).unwrap();
        assert_eq!(
            (metric.name.as_str(), metric.unit.symbol()),
            ("gc.alloc.rate", "MB/sec")
        );
        let (metric, _) = own_metric("\u{b7}gc.alloc.rate.norm", "B/op", Whose::Counter).unwrap();
        assert_eq!(metric.name.as_str(), "allocated_bytes");
    }
}
