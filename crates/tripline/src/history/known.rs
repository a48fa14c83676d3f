//! The runs that were taken over already: a run is the same where suite, commit, date, tool and values are.
//!
//! What stood before it there says nothing about it: the service drops the oldest runs, and what is left of a history is
//! taken over again. Two runs that are alike are two, so each that is known stands for one. Tested by `tests/it/history/again`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;
use tripline_history::Kept;
use tripline_model::{CommitId, Entry, Origin, Point, SeriesSet, SuiteName};
use tripline_render::{Taken, is_title_of};

/// A run as far as it is compared.
#[derive(Debug, Clone)]
pub(crate) struct TakenRun<'r> {
    title: Cow<'r, str>,
    commit: &'r CommitId,
    measured_at: Timestamp,
    tool: &'r str,
    series: &'r SeriesSet,
    points: &'r [Point],
    origin: Option<&'r Origin>,
}

/// Runs that may be met again, by when they were measured.
#[derive(Debug, Default)]
pub(crate) struct Known<'r>(BTreeMap<Timestamp, Vec<TakenRun<'r>>>);

impl<'r> Known<'r> {
    pub(crate) fn new(runs: impl IntoIterator<Item = TakenRun<'r>>) -> Self {
        let mut known = Self::default();
        for run in runs {
            known.0.entry(run.measured_at).or_default().push(run);
        }
        known
    }

    /// Returns whether a run is known, which is then not known a second time.
    pub(crate) fn take(&mut self, run: &TakenRun<'_>) -> bool {
        let Some(known) = self.0.get_mut(&run.measured_at) else {
            return false;
        };
        let same = known.iter().position(|one| one.is(run));
        same.map(|at| known.swap_remove(at)).is_some()
    }
}

/// Our own runs, by commit and by when they were measured, as far as the service keeps that: to the millisecond.
#[derive(Debug, Default)]
pub(crate) struct Ours<'r>(BTreeMap<(&'r CommitId, i64), Vec<&'r SuiteName>>);

impl<'r> Ours<'r> {
    pub(crate) fn new(kept: &[Kept<'r>]) -> Self {
        let mut ours: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for kept in kept {
            let record = kept.record;
            let place = (&record.commit, record.measured_at.as_millisecond());
            ours.entry(place).or_default().push(&record.suite);
        }
        Self(ours)
    }

    /// Returns whether a run is one of ours that was handed on: it is called as we call it there.
    pub(crate) fn has(&self, title: &str, entry: &Entry) -> bool {
        let place = (&entry.commit, entry.measured_at.as_millisecond());
        let mut suites = self.0.get(&place).into_iter().flatten();
        suites.any(|suite| is_title_of(title, suite))
    }
}

impl<'r> TakenRun<'r> {
    pub(crate) fn of_entry(title: &'r str, entry: &'r Entry, series: &'r SeriesSet) -> Self {
        Self {
            title: title.into(),
            commit: &entry.commit,
            measured_at: entry.measured_at,
            tool: &entry.producer.version,
            series,
            points: &entry.points,
            origin: entry.origin.as_deref(),
        }
    }

    pub(crate) fn of_record(taken: &Taken<'r>) -> Self {
        Self {
            title: taken.title.clone(),
            commit: &taken.record.commit,
            measured_at: taken.record.measured_at,
            tool: &taken.record.producer.version,
            series: taken.series,
            points: &taken.record.points,
            origin: Some(taken.origin),
        }
    }

    fn is(&self, other: &TakenRun<'_>) -> bool {
        let is_named_so = self.title == other.title && self.commit == other.commit;
        is_named_so && self.tool == other.tool && self.rows().eq(other.rows())
    }

    /// Returns every value with what was written beside it, in the order it has there.
    fn rows(&self) -> impl Iterator<Item = impl PartialEq> {
        let said = |row| {
            let origin = self.origin?;
            Some((
                origin.value(row),
                origin.ranges.of(row),
                origin.extras.of(row),
                origin.members.of(row),
            ))
        };
        let rows = self.series.rows().iter().enumerate();
        rows.map(move |(at, row)| {
            let bench = self.series.all()[row.series].bench.name.as_str();
            let name = row.name.as_deref().unwrap_or(bench);
            (name, row.unit.as_deref(), self.points[row.series], said(at))
        })
    }
}
