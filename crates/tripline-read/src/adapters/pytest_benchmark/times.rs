//! What was measured of a test: its raw times, or where a report does not keep them, what was made of them.
//!
//! Which metric the times are is decided by the clock that took them: pytest-benchmark lets a test choose any. Tested
//! below.

use serde::Deserialize;
use tripline_model::{Better, Caveat, Metric, MetricName, Nature, Reading, Sample, Unit};

use crate::place::shown;
use crate::{summary, wall_time};

/// A second, in nanoseconds: pytest-benchmark takes what a clock gives for seconds.
const SECOND: f64 = 1e9;

/// Python's own clocks: what they measure, and the unit they give, in nanoseconds.
const CLOCKS: &[(&str, &str, f64)] = &[
    ("perf_counter", "wall_time", SECOND),
    ("perf_counter_ns", "wall_time", 1.0),
    ("monotonic", "wall_time", SECOND),
    ("monotonic_ns", "wall_time", 1.0),
    ("time", "wall_time", SECOND),
    ("time_ns", "wall_time", 1.0),
    ("process_time", "cpu_time", SECOND),
    ("process_time_ns", "cpu_time", 1.0),
    ("thread_time", "cpu_time", SECOND),
    ("thread_time_ns", "cpu_time", 1.0),
];

/// What was made of the times, and the times themselves where they were kept. All are times of one iteration.
#[derive(Debug, Deserialize)]
pub(super) struct Stats {
    median: f64,
    min: f64,
    max: f64,
    mean: f64,
    stddev: f64,
    q1: f64,
    q3: f64,
    /// How many times there are.
    rounds: u64,
    /// Over how many iterations each was taken.
    iterations: u64,
    data: Option<Vec<f64>>,
}

/// Returns what was measured, the time itself first.
pub(super) fn readings(timer: &str, mut stats: Stats) -> Result<Vec<Reading>, String> {
    let (metric, factor) = metric_of(timer)?;
    match stats.data.take() {
        Some(data) => stats.of_data(data, metric, factor).map(|one| vec![one]),
        None => stats.summarized(&metric, factor),
    }
}

/// Returns what is to be said about a time.
pub(super) fn caveats(reading: &Reading) -> Vec<Caveat> {
    match reading.metric.nature {
        Nature::Sampled => wall_time::caveats(reading),
        Nature::Exact | Nature::Summarized => Vec::new(),
    }
}

/// Returns what a clock measures, and its unit in nanoseconds. A clock of the project's own is a metric of its own.
pub(super) fn metric_of(timer: &str) -> Result<(Metric, f64), String> {
    let known = CLOCKS.iter().find(|(clock, ..)| *clock == timer);
    if let Some((_, metric, factor)) = known {
        let metric = Metric::known(metric).expect("the metric is in the table");
        return Ok((metric, *factor));
    }
    let name = timer.to_ascii_lowercase();
    match MetricName::new(&name) {
        Ok(name) if Metric::known(name.as_str()).is_none() => {
            let metric = Metric {
                name,
                unit: Unit::Nanosecond,
                better: Better::Lower,
                nature: Nature::Sampled,
            };
            Ok((metric, SECOND))
        }
        _ => Err(format!(
            "their timer `{}` cannot be named after: give it a name of letters, digits and `_`",
            shown(timer)
        )),
    }
}

impl Stats {
    fn of_data(self, data: Vec<f64>, metric: Metric, factor: f64) -> Result<Reading, String> {
        let values = data.len();
        if values as u64 != self.rounds {
            let rounds = self.rounds;
            return Err(format!("there are {values} of them for {rounds} rounds"));
        }
        let data: Vec<f64> = data.into_iter().map(|time| time * factor).collect();
        let sample = Sample::with_iterations(data, vec![self.iterations; values]);
        let sample = sample.map_err(|error| error.to_string())?;
        Ok(Reading { metric, sample })
    }

    /// The median stands for the times, as it does where they are known; the rest is kept beside it and never judged.
    fn summarized(&self, metric: &Metric, factor: f64) -> Result<Vec<Reading>, String> {
        let total = self.rounds.checked_mul(self.iterations);
        let total = total.ok_or("there are more iterations than can be counted")?;
        let center = summary::standing_for(metric, self.median * factor, Some(total))?;
        let mut readings = vec![center];
        for (part, value) in [
            ("min", self.min),
            ("q1", self.q1),
            ("mean", self.mean),
            ("q3", self.q3),
            ("max", self.max),
            ("stddev", self.stddev),
        ] {
            readings.push(summary::part(metric, part, value * factor)?);
        }
        readings.push(summary::rounds(self.rounds)?);
        Ok(readings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(data: Option<Vec<f64>>) -> Stats {
        Stats {
            median: 2e-9,
            min: 1e-9,
            max: 4e-9,
            mean: 2.5e-9,
            stddev: 1e-9,
            q1: 1e-9,
            q3: 3e-9,
            rounds: 3,
            iterations: 10,
            data,
        }
    }

    #[test]
    fn raw_times_are_kept_in_order_with_their_iterations() {
        let data = vec![2e-9, 4e-9, 1e-9];
        let readings = readings("perf_counter", stats(Some(data))).unwrap();
        assert_eq!(readings.len(), 1);
        assert_eq!(readings[0].metric, Metric::known("wall_time").unwrap());
        assert_eq!(readings[0].sample.values(), [2.0, 4.0, 1.0]);
        assert_eq!(readings[0].sample.iterations(), Some(&[10, 10, 10][..]));
    }

    #[test]
    fn a_summary_is_no_sample_and_keeps_what_it_says() {
        let readings = readings("process_time", stats(None)).unwrap();
        let shown: Vec<String> = readings
            .iter()
            .map(|reading| format!("{} {}", reading.metric.name, reading.sample.values()[0]))
            .collect();
        let expected = [
            "cpu_time 2",
            "cpu_time_min 1",
            "cpu_time_q1 1",
            "cpu_time_mean 2.5",
            "cpu_time_q3 3",
            "cpu_time_max 4",
            "cpu_time_stddev 1",
            "rounds 3",
        ];
        assert_eq!(shown, expected);
        assert_eq!(readings[0].metric.better, Better::Lower);
        assert_eq!(readings[0].sample.iterations(), Some(&[30][..]));
        let natures = readings.iter().map(|reading| reading.metric.nature);
        assert!(natures.eq([Nature::Summarized; 8]));
        assert!(caveats(&readings[0]).is_empty());
    }

    #[test]
    fn clocks_decide_metric_and_unit() {
        for (timer, expected) in [
            ("perf_counter", "wall_time x1000000000"),
            ("perf_counter_ns", "wall_time x1"),
            ("thread_time", "cpu_time x1000000000"),
            ("read_Device", "read_device x1000000000"),
            ("cpu_time", "refused"),
            ("<Clock object at 0x7f71cf74d830>", "refused"),
            ("", "refused"),
        ] {
            let shown = match metric_of(timer) {
                Ok((metric, factor)) => format!("{} x{factor}", metric.name),
                Err(_) => "refused".to_owned(),
            };
            assert_eq!(shown, expected, "{timer}");
        }
    }

    #[test]
    fn times_and_rounds_must_agree() {
        let said = readings("time", stats(Some(vec![1e-9]))).expect_err("a time is missing");
        assert_eq!(said, "there are 1 of them for 3 rounds");
    }
}
