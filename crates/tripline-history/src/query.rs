//! What is asked of a history: one series over a range of commits, two commits, or all series at once.
//!
//! Where a commit stands is told from outside: its place along the first parents of the default branch, which a repository
//! knows and a history does not. Times say nothing about it. Where several runs of one place were kept in one environment,
//! the one that was measured last speaks, because a correction is a later record.
//!
//! This is the whole interface: whatever else can answer it, such as an engine for larger histories, stands behind the same
//! trait and has to give the same answers.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::Timestamp;
use tripline_model::{BenchId, CommitId, EnvironmentName, Metric, MetricName, Point};

use crate::archive::Damage;

/// Which place each commit has. A commit that has none is in no answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places(BTreeMap<CommitId, usize>);

impl Places {
    /// Takes commits in their order, the oldest first.
    #[must_use]
    pub fn of(commits: impl IntoIterator<Item = CommitId>) -> Self {
        let mut places = BTreeMap::new();
        for commit in commits {
            let next = places.len();
            places.entry(commit).or_insert(next);
        }
        Self(places)
    }

    /// Returns the place of a commit.
    #[must_use]
    pub fn place(&self, commit: &CommitId) -> Option<usize> {
        self.0.get(commit).copied()
    }

    /// Returns how many places there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// One series in one environment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The benchmark.
    pub bench: BenchId,
    /// The name of the metric.
    pub metric: MetricName,
    /// What the environment is called.
    pub environment: EnvironmentName,
}

/// A point of a series, at its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The place of its commit.
    pub place: usize,
    /// The commit.
    pub commit: CommitId,
    /// When it was measured.
    pub measured_at: Timestamp,
    /// The metric, as it was then.
    pub metric: Metric,
    /// The point.
    pub point: Point,
}

/// What a series was at two commits; at least one of them has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The series.
    pub line: Line,
    /// At the first commit.
    pub base: Option<Placed>,
    /// At the second.
    pub head: Option<Placed>,
}

/// A series summed up over a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Total {
    /// The series.
    pub line: Line,
    /// How many places have a point.
    pub count: usize,
    /// The first of them.
    pub first: Placed,
    /// The last of them.
    pub last: Placed,
    /// The smallest center.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

/// An answer, and what could not be used for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// What was found.
    pub found: T,
    /// The files that it lacks.
    pub damaged: Vec<Damage>,
}

/// Answers what is asked of a history.
pub trait Query {
    /// Returns the points of a series within a range of places, in order.
    fn series(&self, line: &Line, range: Range<usize>) -> Answer<Vec<Placed>>;

    /// Returns all series that one of two commits has, in order.
    fn pair(&self, base: &CommitId, head: &CommitId) -> Answer<Vec<Pair>>;

    /// Sums up every series that has a point within a range of places, in order.
    fn totals(&self, range: Range<usize>) -> Answer<Vec<Total>>;
}
