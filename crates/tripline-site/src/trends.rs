//! What the pages are made of.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use tripline_model::{
    Acceptance, BenchId, Budget, CommitId, CommitSubject, Environment, EnvironmentName, MetricName,
    Point, Series,
};

/// The history as the pages show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trends {
    /// The commits that were measured, oldest first; their index is their place.
    pub commits: Vec<Commit>,
    /// Where the order of the commits comes from.
    pub order: Order,
    /// Where was measured: each state of each environment once.
    pub environments: Vec<Environment>,
    /// What was measured over time.
    pub lines: Vec<Line>,
}

/// A commit that was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The commit.
    pub id: CommitId,
    /// The first line of its message, where it is known.
    pub subject: Option<CommitSubject>,
    /// When it was made; where that is not known, when it was first measured.
    pub at: Timestamp,
    /// How many commits of the branch are older. Where it is not known, how many that were measured.
    pub height: u64,
}

/// Where the order of the commits comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The repository: each commit comes after its first parent.
    FirstParent,
    /// The records: whatever was made or measured later comes later.
    Records,
}

/// One metric of one benchmark in one environment, over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Of what.
    pub series: Series,
    /// Where it was measured.
    pub environment: EnvironmentName,
    /// The points, oldest first; at most one for each commit.
    pub points: Vec<Placed>,
    /// Where the level changed, oldest first.
    pub changes: Vec<Change>,
    /// What somebody took on purpose, and why.
    pub acceptance: Option<Acceptance>,
    /// How much further than what was accepted a level may seem to have moved, as a share, where it is no count.
    pub accepted_within: f64,
    /// What it must not cross.
    pub budget: Option<Budget>,
    /// The value it is compared with.
    pub baseline: Option<f64>,
    /// The smallest change, as a share, that a single value shows, where that can be said.
    pub detectable: Option<f64>,
    /// What sessions of it show, in which base and head take turns.
    pub pairs: Option<Pairs>,
    /// What it is computed from, where it was not measured itself: a metric of each benchmark.
    pub terms: Vec<(BenchId, MetricName)>,
}

impl Line {
    /// Makes one of which only the points are known.
    #[must_use]
    pub fn of(series: Series, environment: EnvironmentName, points: Vec<Placed>) -> Self {
        Self {
            series,
            environment,
            points,
            changes: Vec::new(),
            acceptance: None,
            accepted_within: 0.0,
            budget: None,
            baseline: None,
            detectable: None,
            pairs: None,
            terms: Vec::new(),
        }
    }
}

/// What the pairs of sessions show.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    /// How much the logarithms of single pairs scatter, as a standard deviation: the middle of some sessions.
    pub noise: f64,
    /// How many sessions that says.
    pub sessions: usize,
    /// The smallest change, as a share, that so many pairs show.
    pub detectable: Vec<(u32, f64)>,
}

/// A point, and where it belongs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Which commit, by its place in the list.
    pub place: usize,
    /// Which state of the environment, by its place in the list.
    pub environment: usize,
    /// The values.
    pub point: Point,
}

/// A change of level.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The first point of the new level, by its place among the points of the line.
    pub at: usize,
    /// Where that point may be.
    pub range: RangeInclusive<usize>,
    /// The level before.
    pub before: f64,
    /// The level after.
    pub after: f64,
    /// The size, as a share of the level before.
    pub shift: f64,
    /// Between what the size lies, where that can be said.
    pub interval: Option<Interval>,
    /// What became of it.
    pub status: Status,
}

/// Between what a share lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// There are few values since: it may go away.
    Pending,
    /// It lasted, so far.
    Confirmed,
    /// It was undone later.
    Reverted,
}

/// What the pages say about themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// What is measured: the name of the project.
    pub title: String,
    /// What made the pages.
    pub version: String,
    /// When they were made.
    pub made_at: Timestamp,
    /// Where the repository is shown.
    pub repository: Option<RepositoryPage>,
    /// The suite whose verdict is known in advance, if there is one.
    pub canary: Option<Canary>,
    /// Files that could not be used, and so are missing here.
    pub damaged: usize,
    /// Where, below `data/`, the list of the history's own files is, if they are to lie beside the pages.
    pub history: Option<String>,
}

/// The suite whose verdict is known in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canary {
    /// When it was measured last.
    pub at: Timestamp,
    /// What it did before, as far as that was kept.
    pub tally: Option<Tally>,
}

/// How often the canary was held against what was known of it in advance, and how often it did otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// How many of its last runs are counted.
    pub runs: usize,
    /// The findings in which nothing was planted.
    pub equal: usize,
    /// Those of them that were called worse or better.
    pub false_alarms: usize,
    /// The findings in which something was planted.
    pub planted: usize,
    /// Those of them in which it was not found.
    pub missed: usize,
}

/// The address of a repository's page, from which those of its commits follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryPage(Box<str>);

impl RepositoryPage {
    /// Takes an address that begins with `https://` or `http://` and holds nothing but letters, digits and `.-_~:/%`.
    #[must_use]
    pub fn new(address: &str) -> Option<Self> {
        let rest = ["https://", "http://"]
            .iter()
            .find_map(|scheme| address.strip_prefix(scheme))?;
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || ".-_~:/%".contains(c);
        let is_address = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        let is_sound = is_address && rest.chars().all(is_allowed);
        is_sound.then(|| Self(address.trim_end_matches('/').into()))
    }

    /// Returns the address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the address of a commit.
    #[must_use]
    pub fn commit(&self, id: &CommitId) -> String {
        format!("{}/commit/{id}", self.0)
    }

    /// Returns the address of what lies between two commits.
    #[must_use]
    pub fn compare(&self, before: &CommitId, after: &CommitId) -> String {
        format!("{}/compare/{before}...{after}", self.0)
    }
}
