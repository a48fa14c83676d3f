//! The run file.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::caveat::CaveatV1;
use super::part::PartV1;
use super::parts::{
    EnvironmentV1, FailureV1, MetricV1, Number, ProducerV1, RevisionV1, VersionProbe,
    named_metrics, params_into_domain, params_of, unique, version,
};
use super::{LINE_BYTES_MAX, ReadError, lines};
use crate::few;
use crate::{
    BenchId, BenchName, Digest, Measurement, Metric, NameError, Reading, Run, Sample, SessionId,
    SuiteName,
};

/// One line of a run file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum LineV1 {
    /// The first line: what all measurements share.
    TriplineRun(HeaderV1),
    /// What one benchmark gave.
    Measured(MeasuredV1),
    /// What was to be measured and was not.
    Failed(FailureV1),
    /// The last line: without it the file is a cut one.
    End(EndV1),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct HeaderV1 {
    #[serde(deserialize_with = "version")]
    version: u32,
    suite: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revision: Option<RevisionV1>,
    /// When measuring began, as RFC 3339.
    measured_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// Which of the suite's steps it holds; all of them where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<Box<PartV1>>,
    producer: ProducerV1,
    environment: EnvironmentV1,
    #[serde(deserialize_with = "unique")]
    metrics: BTreeMap<String, MetricV1>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct HeaderProbe {
    tripline_run: Option<VersionProbe>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct MeasuredV1 {
    benchmark: String,
    #[serde(
        default,
        deserialize_with = "unique",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    params: BTreeMap<String, String>,
    #[serde(deserialize_with = "unique")]
    readings: BTreeMap<String, ReadingV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    caveats: Vec<CaveatV1>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct ReadingV1 {
    values: Vec<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    iterations: Option<Vec<u64>>,
    /// The round of the session each value was taken in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounds: Option<Vec<u32>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct EndV1 {}

/// Writes a run. The same run gives the same bytes.
#[must_use]
pub fn write_run(run: &Run) -> String {
    let measured = run
        .measurements()
        .map(|m| LineV1::Measured(MeasuredV1::of(m)));
    let failed = run
        .failures
        .iter()
        .map(|failure| LineV1::Failed(FailureV1::of(failure)));
    let all = std::iter::once(LineV1::TriplineRun(HeaderV1::of(run)))
        .chain(measured)
        .chain(failed)
        .chain(std::iter::once(LineV1::End(EndV1 {})));
    let mut text = String::new();
    for line in all {
        let line = serde_json::to_string(&line);
        text.push_str(&line.expect("texts and finite numbers can always be written"));
        text.push('\n');
    }
    text
}

/// Reads a run.
///
/// # Errors
/// Names the line and column of the first thing that is wrong. A file that was cut is wrong at its end.
pub fn read_run(bytes: &[u8]) -> Result<Run, ReadError> {
    let mut lines = lines(bytes, LINE_BYTES_MAX);
    let (number, first) = lines.next().expect("splitting gives at least one part")?;
    let header = read_header(number, first)?;
    let metrics = header.metrics_by_name(number)?;
    let mut run = header.into_run(number)?;
    let mut last = number;
    while let Some(line) = lines.next() {
        let (number, line) = line?;
        last = number;
        match serde_json::from_slice(line).map_err(|error| ReadError::json(number, &error))? {
            LineV1::TriplineRun(_) => return Err(ReadError::at(number, "a second header")),
            LineV1::Measured(measured) => {
                let measurement = measured
                    .into_domain(&run.suite, &metrics)
                    .map_err(|problem| ReadError::at(number, problem))?;
                run.insert(measurement)
                    .map_err(|error| ReadError::at(number, error))?;
            }
            LineV1::Failed(failure) => {
                let failure = failure.into_domain();
                run.failures
                    .push(failure.map_err(|problem| ReadError::at(number, problem))?);
            }
            LineV1::End(EndV1 {}) => {
                return match lines.next() {
                    None => Ok(run),
                    Some(_) => Err(ReadError::at(number + 1, "something follows the end mark")),
                };
            }
        }
    }
    let problem = "the file ends without its end mark: it was cut, or is still being written";
    Err(ReadError::at(last + 1, problem))
}

fn read_header(number: usize, line: &[u8]) -> Result<HeaderV1, ReadError> {
    let json = |error| ReadError::json(number, &error);
    let no_run = || {
        let problem = "the first line is no `tripline_run` header, so this is no run file";
        ReadError::at(number, problem)
    };
    let probe: HeaderProbe = serde_json::from_slice(line).map_err(json)?;
    if probe.tripline_run.is_none() {
        return Err(no_run());
    }
    match serde_json::from_slice(line).map_err(json)? {
        LineV1::TriplineRun(header) => Ok(header),
        _ => Err(no_run()),
    }
}

impl HeaderV1 {
    fn of(run: &Run) -> Self {
        let described = |metric: &Metric| (metric.name.to_string(), MetricV1::of(metric));
        Self {
            version: 1,
            suite: run.suite.to_string(),
            revision: run.revision.as_ref().map(RevisionV1::of),
            measured_at: run.measured_at.to_string(),
            session: run.session.as_ref().map(ToString::to_string),
            part: run.part.as_ref().map(|part| Box::new(PartV1::of(part))),
            producer: ProducerV1::of(&run.producer),
            environment: EnvironmentV1::of(&run.environment),
            metrics: few::map_of(run.metrics().map(described)),
        }
    }

    fn metrics_by_name(&self, number: usize) -> Result<BTreeMap<String, Metric>, ReadError> {
        named_metrics(&self.metrics).map_err(|error| ReadError::at(number, error))
    }

    fn into_run(self, number: usize) -> Result<Run, ReadError> {
        let name = |error: NameError| ReadError::at(number, error);
        let measured_at: Timestamp = self.measured_at.parse().map_err(|error| {
            ReadError::at(
                number,
                format!("`measured_at` is no RFC 3339 time ({error})"),
            )
        })?;
        let suite = SuiteName::new(self.suite).map_err(name)?;
        let environment = self.environment.into_domain().map_err(name)?;
        let mut run = Run::new(suite, measured_at, environment, self.producer.into_domain());
        run.revision = self
            .revision
            .map(RevisionV1::into_domain)
            .transpose()
            .map_err(name)?;
        run.session = self.session.map(SessionId::new).transpose().map_err(name)?;
        let part = self.part.map(|part| part.into_domain()).transpose();
        run.part = part.map_err(|problem| ReadError::at(number, problem))?;
        Ok(run)
    }
}

impl MeasuredV1 {
    fn of(measurement: &Measurement) -> Self {
        let reading = |reading: &Reading| {
            let values = reading
                .sample
                .values()
                .iter()
                .copied()
                .map(Number)
                .collect();
            let iterations = reading.sample.iterations().map(<[u64]>::to_vec);
            let rounds = reading.sample.rounds().map(<[u32]>::to_vec);
            let reading_v1 = ReadingV1 {
                values,
                iterations,
                rounds,
            };
            (reading.metric.name.to_string(), reading_v1)
        };
        Self {
            benchmark: measurement.bench().name.to_string(),
            params: params_of(&measurement.bench().params),
            readings: few::map_of(measurement.readings().map(reading)),
            answer: measurement.answer().map(ToString::to_string),
            caveats: measurement.caveats().iter().map(CaveatV1::of).collect(),
        }
    }

    fn into_domain(
        self,
        suite: &SuiteName,
        metrics: &BTreeMap<String, Metric>,
    ) -> Result<Measurement, String> {
        let text = |error: NameError| error.to_string();
        let bench = BenchId {
            suite: suite.clone(),
            name: BenchName::new(self.benchmark).map_err(text)?,
            params: params_into_domain(self.params).map_err(text)?,
        };
        let mut readings = Vec::with_capacity(self.readings.len());
        for (name, reading) in self.readings {
            let metric = metrics.get(&name).cloned().ok_or_else(|| {
                format!("metric `{name}` of benchmark `{bench}` is not described in the header")
            })?;
            let sample = reading
                .into_sample()
                .map_err(|error| format!("metric `{name}` of benchmark `{bench}`: {error}"))?;
            readings.push(Reading { metric, sample });
        }
        let answer = self.answer.map(Digest::new).transpose().map_err(text)?;
        let caveats = self.caveats.into_iter().map(CaveatV1::into_domain);
        let caveats = caveats.collect::<Result<_, _>>().map_err(text)?;
        Measurement::new(bench, readings, answer, caveats).map_err(|error| error.to_string())
    }
}

impl ReadingV1 {
    fn into_sample(self) -> Result<Sample, crate::SampleError> {
        let values: Box<[f64]> = self.values.iter().map(|number| number.0).collect();
        let sample = match self.iterations {
            Some(iterations) => Sample::with_iterations(values, iterations)?,
            None => Sample::new(values)?,
        };
        match self.rounds {
            Some(rounds) => sample.in_rounds(rounds),
            None => Ok(sample),
        }
    }
}

/// Returns the JSON Schema of one line of a run file.
#[must_use]
pub fn run_schema() -> String {
    let schema = schemars::schema_for!(LineV1);
    serde_json::to_string_pretty(&schema).expect("a schema can always be written") + "\n"
}
