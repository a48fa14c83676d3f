//! The files of a history: records, the series they are of, the environments they were measured in, and closed segments.
//!
//! Each is one JSON object. A record refers to the other two by digest; so what a thousand records share stands once. All
//! are small because history grows for ever: what is no more than its center stands in one array of numbers.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::origin::{OriginV1, RowV1};
use super::parts::{
    EnvironmentV1, MetricV1, ProducerV1, Real, VersionProbe, named_metrics, params_into_domain,
    params_of, unique, version,
};
use super::segment::SegmentV1;
use super::{LINE_BYTES_MAX, ReadError};
use crate::names::NameError;
use crate::{
    BenchId, BenchName, CommitId, CommitSubject, Digest, Environment, Point, Record, Row, Segment,
    Series, SeriesError, SeriesSet, Spread, SuiteName,
};

/// A file of a history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
enum FileV1 {
    /// What is kept of one run.
    #[serde(rename = "tripline_record")]
    Record(Box<RecordV1>),
    /// The series of records.
    #[serde(rename = "tripline_series")]
    Series(SeriesSetV1),
    /// Where records were measured.
    #[serde(rename = "tripline_environment")]
    Environment(PlaceV1),
    /// Many records without their numbers.
    #[serde(rename = "tripline_segment")]
    Segment(SegmentV1),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct RecordV1 {
    #[serde(deserialize_with = "version")]
    version: u32,
    suite: String,
    commit: String,
    /// When the commit was made, as RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    committed_at: Option<String>,
    /// The first line of the commit's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    /// When measuring began, as RFC 3339.
    measured_at: String,
    producer: ProducerV1,
    /// The digest of the environment's file.
    environment: String,
    /// The digest of the file of series.
    series: String,
    /// The median of each series, in their order.
    centers: Vec<Real>,
    /// Where there is more to say than the median: which series, and between which values the middle half lies of how
    /// many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    spreads: Vec<SpreadV1>,
    /// Give or take how much each series is, in their order, where somebody else said so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reaches: Vec<Option<Real>>,
    /// What else the history says that the run was taken over from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Box<OriginV1>>,
}

/// Which series, from, to, and how many values there were.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct SpreadV1(usize, Real, Real, u32);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct SeriesSetV1 {
    #[serde(deserialize_with = "version")]
    version: u32,
    suite: String,
    #[serde(deserialize_with = "unique")]
    metrics: BTreeMap<String, MetricV1>,
    benchmarks: Vec<BenchmarkV1>,
    /// What the series were called in the history they were taken over from, in the order they had there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<RowV1>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct BenchmarkV1 {
    benchmark: String,
    #[serde(
        default,
        deserialize_with = "unique",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    params: BTreeMap<String, String>,
    metrics: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct PlaceV1 {
    #[serde(deserialize_with = "version")]
    version: u32,
    environment: EnvironmentV1,
}

/// What a file says it is, whatever else it holds.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Probe {
    tripline_record: Option<VersionProbe>,
    tripline_series: Option<VersionProbe>,
    tripline_environment: Option<VersionProbe>,
    tripline_segment: Option<VersionProbe>,
}

/// Writes a record. The same record gives the same bytes.
#[must_use]
pub fn write_record(record: &Record) -> String {
    write(&FileV1::Record(Box::new(RecordV1::of(record))))
}

/// Writes series. The same series give the same bytes.
#[must_use]
pub fn write_series(series: &SeriesSet) -> String {
    write(&FileV1::Series(SeriesSetV1::of(series)))
}

/// Writes what a segment holds besides numbers. The same segment gives the same bytes.
#[must_use]
pub fn write_segment(segment: &Segment) -> String {
    write(&FileV1::Segment(SegmentV1::of(segment)))
}

/// Writes an environment. The same environment gives the same bytes.
#[must_use]
pub fn write_environment(environment: &Environment) -> String {
    write(&FileV1::Environment(PlaceV1 {
        version: 1,
        environment: EnvironmentV1::of(environment),
    }))
}

fn write(file: &FileV1) -> String {
    serde_json::to_string(file).expect("texts and finite numbers can always be written") + "\n"
}

/// Reads a record.
///
/// # Errors
/// Names the line and column of the first thing that is wrong.
pub fn read_record(bytes: &[u8]) -> Result<Record, ReadError> {
    match read(bytes)? {
        FileV1::Record(record) => record.into_domain().map_err(at_start),
        _ => Err(at_start("the file is no `tripline_record`")),
    }
}

/// Reads series.
///
/// # Errors
/// Names the line and column of the first thing that is wrong.
pub fn read_series(bytes: &[u8]) -> Result<SeriesSet, ReadError> {
    match read(bytes)? {
        FileV1::Series(series) => series.into_domain().map_err(at_start),
        _ => Err(at_start("the file is no `tripline_series`")),
    }
}

/// Reads an environment.
///
/// # Errors
/// Names the line and column of the first thing that is wrong.
pub fn read_environment(bytes: &[u8]) -> Result<Environment, ReadError> {
    match read(bytes)? {
        FileV1::Environment(place) => place.environment.into_domain().map_err(at_start),
        _ => Err(at_start("the file is no `tripline_environment`")),
    }
}

/// Reads what a segment holds besides numbers.
///
/// # Errors
/// Names the line and column of the first thing that is wrong.
pub fn read_segment(bytes: &[u8]) -> Result<Segment, ReadError> {
    match read(bytes)? {
        FileV1::Segment(segment) => segment.into_domain().map_err(at_start),
        _ => Err(at_start("the file is no `tripline_segment`")),
    }
}

fn at_start(problem: impl ToString) -> ReadError {
    ReadError::at(1, problem)
}

fn read(bytes: &[u8]) -> Result<FileV1, ReadError> {
    if bytes.len() > LINE_BYTES_MAX {
        let problem = format!(
            "a file of {} bytes, more than the {LINE_BYTES_MAX} allowed",
            bytes.len()
        );
        return Err(at_start(problem));
    }
    let json = |error: serde_json::Error| {
        let line = error.line().max(1);
        ReadError::json(line, &error)
    };
    // What can be read is of one kind and of this version. Most files can, and a history has thousands.
    let error = match serde_json::from_slice(bytes) {
        Ok(file) => return Ok(file),
        Err(error) => error,
    };
    // Of what cannot, the version is looked at before anything else: what a later one means is not to be guessed.
    let probe: Probe = serde_json::from_slice(bytes).map_err(json)?;
    let kinds = [
        probe.tripline_record.is_some(),
        probe.tripline_series.is_some(),
        probe.tripline_environment.is_some(),
        probe.tripline_segment.is_some(),
    ];
    if kinds.iter().filter(|kind| **kind).count() != 1 {
        return Err(at_start("this is no file of a history"));
    }
    Err(json(error))
}

impl RecordV1 {
    pub(super) fn of(record: &Record) -> Self {
        let points = record.points.iter();
        let spread = |(index, point): (usize, &Point)| match point.spread {
            Spread::Quartiles { low, high, count } => {
                Some(SpreadV1(index, Real(low), Real(high), count))
            }
            Spread::Nothing | Spread::Reach(_) => None,
        };
        let reach = |point: &Point| match point.spread {
            Spread::Reach(reach) => Some(Real(reach)),
            Spread::Nothing | Spread::Quartiles { .. } => None,
        };
        let mut reaches: Vec<Option<Real>> = points.clone().map(reach).collect();
        if reaches.iter().all(Option::is_none) {
            reaches.clear();
        }
        Self {
            version: 1,
            suite: record.suite.to_string(),
            commit: record.commit.to_string(),
            committed_at: record.committed_at.as_ref().map(ToString::to_string),
            subject: record.subject.as_ref().map(ToString::to_string),
            measured_at: record.measured_at.to_string(),
            producer: ProducerV1::of(&record.producer),
            environment: record.environment.to_string(),
            series: record.series.to_string(),
            centers: points.clone().map(|p| Real(p.center)).collect(),
            spreads: points.enumerate().filter_map(spread).collect(),
            reaches,
            origin: record.origin.as_deref().map(OriginV1::of).map(Box::new),
        }
    }

    pub(super) fn into_domain(self) -> Result<Record, String> {
        let text = |error: NameError| error.to_string();
        let time = |what: &str, text: &str| -> Result<Timestamp, String> {
            let time = text.parse();
            time.map_err(|error| format!("`{what}` is no RFC 3339 time ({error})"))
        };
        let points = points(&self.centers, self.spreads, &self.reaches)?;
        let origin = self.origin.map(|origin| origin.into_domain(points.len()));
        let committed_at = self.committed_at.map(|at| time("committed_at", &at));
        Ok(Record {
            suite: SuiteName::new(self.suite).map_err(text)?,
            commit: CommitId::new(&self.commit).map_err(text)?,
            committed_at: committed_at.transpose()?,
            subject: self
                .subject
                .map(CommitSubject::new)
                .transpose()
                .map_err(text)?,
            measured_at: time("measured_at", &self.measured_at)?,
            producer: self.producer.into_domain(),
            environment: Digest::new(self.environment).map_err(text)?,
            series: Digest::new(self.series).map_err(text)?,
            points,
            origin: origin.transpose()?.map(Box::new),
        })
    }
}

fn points(
    centers: &[Real],
    spreads: Vec<SpreadV1>,
    reaches: &[Option<Real>],
) -> Result<Box<[Point]>, String> {
    let mut points: Box<[Point]> = centers.iter().map(|c| Point::single(c.0)).collect();
    if !reaches.is_empty() && reaches.len() != points.len() {
        let (reaches, points) = (reaches.len(), points.len());
        return Err(format!("there are {reaches} reaches of {points} series"));
    }
    for (index, (point, reach)) in points.iter_mut().zip(reaches).enumerate() {
        if let Some(Real(reach)) = *reach {
            if !(reach >= 0.0 && (point.center.abs() + reach).is_finite()) {
                return Err(format!("the reach of series {index} is none"));
            }
            point.spread = Spread::Reach(reach);
        }
    }
    let mut next = 0;
    for SpreadV1(index, low, high, count) in spreads {
        let count_of_points = points.len();
        let point = points.get_mut(index).filter(|_| index >= next);
        let point = point.ok_or_else(|| {
            format!("a spread of series {index} is out of place among {count_of_points} series")
        })?;
        let (low, high) = (low.0, high.0);
        let is_new = point.spread == Spread::Nothing;
        if !is_new || low > point.center || point.center > high || count == 0 {
            return Err(format!("the spread of series {index} is none"));
        }
        point.spread = Spread::Quartiles { low, high, count };
        next = index + 1;
    }
    Ok(points)
}

impl SeriesSetV1 {
    fn of(set: &SeriesSet) -> Self {
        let mut metrics = BTreeMap::new();
        let mut benchmarks: Vec<BenchmarkV1> = Vec::new();
        let mut last: Option<&BenchId> = None;
        for Series { bench, metric } in set.all() {
            let name = metric.name.to_string();
            metrics
                .entry(name.clone())
                .or_insert_with(|| MetricV1::of(metric));
            match benchmarks.last_mut() {
                Some(known) if last == Some(bench) => known.metrics.push(name),
                _ => benchmarks.push(BenchmarkV1 {
                    benchmark: bench.name.to_string(),
                    params: params_of(&bench.params),
                    metrics: vec![name],
                }),
            }
            last = Some(bench);
        }
        Self {
            version: 1,
            suite: set.suite().to_string(),
            metrics,
            benchmarks,
            rows: set.rows().iter().map(RowV1::of).collect(),
        }
    }

    fn into_domain(self) -> Result<SeriesSet, String> {
        let text = |error: NameError| error.to_string();
        let suite = SuiteName::new(self.suite).map_err(text)?;
        let metrics = named_metrics(&self.metrics).map_err(text)?;
        let mut all = Vec::new();
        for benchmark in self.benchmarks {
            let bench = BenchId {
                suite: suite.clone(),
                name: BenchName::new(benchmark.benchmark).map_err(text)?,
                params: params_into_domain(benchmark.params).map_err(text)?,
            };
            for name in benchmark.metrics {
                let metric = metrics.get(&name).cloned().ok_or_else(|| {
                    format!("metric `{name}` of benchmark `{bench}` is not described")
                })?;
                let bench = bench.clone();
                all.push(Series { bench, metric });
            }
        }
        let text = |error: SeriesError| error.to_string();
        let set = SeriesSet::new(suite, all).map_err(text)?;
        if self.rows.is_empty() {
            return Ok(set);
        }
        let rows: Vec<Row> = self.rows.into_iter().map(RowV1::into_domain).collect();
        set.with_rows(rows).map_err(text)
    }
}

/// Returns the JSON Schema of a file of a history.
#[must_use]
pub fn history_schema() -> String {
    let schema = schemars::schema_for!(FileV1);
    serde_json::to_string_pretty(&schema).expect("a schema can always be written") + "\n"
}
