//! What is kept of a run for ever: one point of each series, so little that years of them can be held.
//!
//! Which series there are changes rarely, and so stands in a file of its own that many records refer to by its digest;
//! the same goes for what is known of the environment. A record then is little more than numbers.

use jiff::Timestamp;

use crate::bench_id::BenchId;
use crate::metric::{Metric, Nature};
use crate::names::{CommitSubject, Digest, SuiteName};
use crate::origin::{Origin, Row};
use crate::revision::CommitId;
use crate::run::Producer;
use crate::sample::Sample;

/// The digits that are kept of a number that is no count: more than any benchmark can mean.
const DIGITS: usize = 6;

/// One metric of one benchmark, over time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Series {
    /// The benchmark.
    pub bench: BenchId,
    /// What is measured of it.
    pub metric: Metric,
}

impl Series {
    /// What series are ordered by, and told apart.
    fn key(&self) -> (&BenchId, &str) {
        (&self.bench, self.metric.name.as_str())
    }
}

/// The series of a record, in order. Records with the same series share it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SeriesSet {
    suite: SuiteName,
    all: Box<[Series]>,
    rows: Box<[Row]>,
}

/// Says why series are not a set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeriesError {
    /// One is of another suite.
    #[error("benchmark `{bench}` does not belong to suite `{suite}`")]
    OtherSuite {
        /// The benchmark.
        bench: BenchId,
        /// The suite.
        suite: SuiteName,
    },
    /// They are not in order, or one stands twice.
    #[error("series `{metric}` of benchmark `{bench}` stands twice, or not in its place")]
    Order {
        /// Its benchmark.
        bench: BenchId,
        /// Its metric.
        metric: String,
    },
    /// What they were called elsewhere is not said once of each.
    #[error("{rows} rows are not one of each of {series} series")]
    Rows {
        /// How many rows there are.
        rows: usize,
        /// How many series.
        series: usize,
    },
}

impl SeriesSet {
    /// Takes series that are in order: by benchmark, and then by the metric's name.
    ///
    /// # Errors
    /// One is out of place, or stands twice, or belongs to another suite.
    pub fn new(suite: SuiteName, all: impl Into<Box<[Series]>>) -> Result<Self, SeriesError> {
        let all = all.into();
        if let Some(other) = all.iter().find(|series| series.bench.suite != suite) {
            let bench = other.bench.clone();
            return Err(SeriesError::OtherSuite { bench, suite });
        }
        match all.windows(2).find(|two| two[0].key() >= two[1].key()) {
            None => Ok(Self {
                suite,
                all,
                rows: Box::default(),
            }),
            Some(two) => Err(SeriesError::Order {
                bench: two[1].bench.clone(),
                metric: two[1].metric.name.to_string(),
            }),
        }
    }

    /// Says what the series were called in the history they were taken over from, and in which order they stood there.
    ///
    /// # Errors
    /// There is not one row of each series.
    pub fn with_rows(mut self, rows: impl Into<Box<[Row]>>) -> Result<Self, SeriesError> {
        let rows = rows.into();
        let mut is_there = vec![false; self.all.len()];
        let mut first = |row: &Row| {
            let place = is_there.get_mut(row.series);
            place.is_some_and(|is_there| !std::mem::replace(is_there, true))
        };
        if rows.len() != self.all.len() || !rows.iter().all(&mut first) {
            return Err(SeriesError::Rows {
                rows: rows.len(),
                series: self.all.len(),
            });
        }
        self.rows = rows;
        Ok(self)
    }

    /// Returns what they were called where they were taken over from, in the order they had there; nothing of our own.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the suite that all of them belong to.
    #[must_use]
    pub fn suite(&self) -> &SuiteName {
        &self.suite
    }

    /// Returns the series, in order.
    #[must_use]
    pub fn all(&self) -> &[Series] {
        &self.all
    }
}

/// What a record keeps of the values of one series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The median.
    pub center: f64,
    /// What else there is to say.
    pub spread: Spread,
}

/// How far the values of a series lay from their middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spread {
    /// There was one value, or nothing is known.
    Nothing,
    /// The middle half of the values lies between these.
    Quartiles {
        /// Below it lies a quarter of the values.
        low: f64,
        /// Above it lies a quarter of the values.
        high: f64,
        /// How many values there were.
        count: u32,
    },
    /// Give or take so much, as somebody else says of values we never saw. It is kept as it was said, because center and
    /// reach give the ends, and the ends do not give the reach: `105.5 ± 2.3` ends at 107.8, 2.299999999999997 away.
    Reach(f64),
}

impl Point {
    /// Sums up the values of a metric. Counts stay as they are; of all else six digits are kept.
    #[must_use]
    pub fn of(sample: &Sample, nature: Nature) -> Self {
        let kept = |value: f64| match nature {
            Nature::Exact => value,
            Nature::Sampled | Nature::Summarized => rounded(value),
        };
        let (low, high) = sample.quartiles();
        let (low, high) = (kept(low), kept(high));
        let count = u32::try_from(sample.values().len()).unwrap_or(u32::MAX);
        let spread = if low < high || count != 1 {
            Spread::Quartiles { low, high, count }
        } else {
            Spread::Nothing
        };
        Self {
            center: kept(sample.median()),
            spread,
        }
    }

    /// Returns the point of a single value.
    #[must_use]
    pub fn single(value: f64) -> Self {
        Self {
            center: value,
            spread: Spread::Nothing,
        }
    }

    /// Returns between which values the middle lies.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        match self.spread {
            Spread::Nothing => (self.center, self.center),
            Spread::Quartiles { low, high, .. } => (low, high),
            Spread::Reach(reach) => (self.center - reach, self.center + reach),
        }
    }
}

/// Rounds to the digits that are kept.
fn rounded(value: f64) -> f64 {
    let digits = DIGITS - 1;
    let text = format!("{value:.digits$e}");
    text.parse().expect("what was formatted as a number is one")
}

/// What is kept of one run for ever.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The suite.
    pub suite: SuiteName,
    /// The commit that was measured.
    pub commit: CommitId,
    /// When it was made, where that is known without its repository.
    pub committed_at: Option<Timestamp>,
    /// The first line of its message, where that is known without its repository.
    pub subject: Option<CommitSubject>,
    /// When measuring began.
    pub measured_at: Timestamp,
    /// What wrote the values.
    pub producer: Producer,
    /// The digest of the environment's file.
    pub environment: Digest,
    /// The digest of the file of its series.
    pub series: Digest,
    /// A point of each series, in its order.
    pub points: Box<[Point]>,
    /// What else the history says that it was taken over from.
    pub origin: Option<Box<Origin>>,
}

/// What is kept of one run, and of which of a list of series sets it holds the points.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Which set of series, from 0.
    pub series: usize,
    /// The commit that was measured.
    pub commit: CommitId,
    /// When it was made, where that is known without its repository.
    pub committed_at: Option<Timestamp>,
    /// The first line of its message, where that is known without its repository.
    pub subject: Option<CommitSubject>,
    /// When measuring began.
    pub measured_at: Timestamp,
    /// What wrote the values.
    pub producer: Producer,
    /// A point of each series of the set.
    pub points: Box<[Point]>,
    /// What else the history says that it was taken over from.
    pub origin: Option<Box<Origin>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_id::Params;
    use crate::names::BenchName;

    fn series(name: &str, metric: &str) -> Series {
        Series {
            bench: BenchId {
                suite: SuiteName::new("kv").unwrap(),
                name: BenchName::new(name).unwrap(),
                params: Params::new(),
            },
            metric: Metric::known(metric).unwrap(),
        }
    }

    #[test]
    fn a_set_is_in_order_and_of_one_suite() {
        let kv = SuiteName::new("kv").unwrap();
        let get = [series("get", "allocations"), series("get", "instructions")];
        assert_eq!(SeriesSet::new(kv.clone(), get.clone()).unwrap().all(), &get);
        for wrong in [[1, 0], [0, 0]] {
            let all: Vec<Series> = wrong.map(|at: usize| get[at].clone()).into();
            SeriesSet::new(kv.clone(), all).expect_err("it is not in order");
        }
        let other = SuiteName::new("other").unwrap();
        SeriesSet::new(other, get).expect_err("it is of another suite");
    }

    #[test]
    fn rows_are_one_of_each_series() {
        let kv = SuiteName::new("kv").unwrap();
        let get = [series("get", "allocations"), series("get", "instructions")];
        let set = SeriesSet::new(kv, get).unwrap();
        let with = |places: &[usize]| {
            let row = |series: &usize| Row {
                series: *series,
                ..Row::default()
            };
            let rows: Vec<Row> = places.iter().map(row).collect();
            set.clone().with_rows(rows)
        };
        assert_eq!(with(&[1, 0]).unwrap().rows()[0].series, 1);
        for wrong in [&[0][..], &[0, 0], &[0, 2], &[0, 1, 1]] {
            with(wrong).expect_err("it is not one of each");
        }
    }

    #[test]
    fn counts_stay_and_times_keep_six_digits() {
        let sample = Sample::new([1_234_567.25, 3.0, 1_234_567.0]).unwrap();
        let exact = Point::of(&sample, Nature::Exact);
        assert_eq!(exact.center, 1_234_567.0);
        assert!(matches!(exact.spread, Spread::Quartiles { count: 3, .. }));
        let sampled = Point::of(&sample, Nature::Sampled);
        assert_eq!(sampled.center, 1_234_570.0);
        assert_eq!(sampled.ends(), (3.0, 1_234_570.0));
        let one = Sample::new([3.0]).unwrap();
        assert_eq!(Point::of(&one, Nature::Sampled), Point::single(3.0));
        assert_eq!(rounded(0.0), 0.0);
        assert_eq!(rounded(0.000_123_456_78), 0.000_123_457);
    }
}
