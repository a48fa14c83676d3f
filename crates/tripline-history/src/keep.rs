//! Makes the files of a history out of runs.
//!
//! Tested below, and by `archive`, which reads them back.

use std::collections::BTreeMap;

use tripline_model::few;
use tripline_model::{
    Digest, Entry, Environment, EnvironmentName, Point, Record, Revision, Run, Series, SeriesError,
    SeriesSet, SuiteName, WorkTree, wire,
};

use crate::file::{ENVIRONMENTS, File, SERIES};
use crate::segment::{Member, pack};

/// How many records a segment has: about as many as a year brings.
pub const SEGMENT_RUNS: usize = 1000;

/// The largest file that is kept: what reading takes.
const FILE_BYTES_MAX: usize = wire::v1::LINE_BYTES_MAX;

/// Says why a run cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotKept {
    /// Nobody could say which commit it is of.
    #[error("suite `{0}` was measured at no commit")]
    NoCommit(SuiteName),
    /// It is of a state that no commit holds.
    #[error("suite `{0}` was measured with changes that are in no commit")]
    Modified(SuiteName),
    /// Its metrics are no series.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// It would be kept and never read again.
    #[error(
        "of suite `{suite}` a file of {bytes} bytes would be kept, and at most {FILE_BYTES_MAX} are read again"
    )]
    TooLarge {
        /// The suite.
        suite: SuiteName,
        /// How large a file would be.
        bytes: usize,
    },
}

/// Returns the files of one run.
///
/// # Errors
/// The run is of no commit.
pub fn keep_run(run: &Run) -> Result<Vec<File>, NotKept> {
    let commit = match &run.revision {
        None => return Err(NotKept::NoCommit(run.suite.clone())),
        Some(revision) if revision.work_tree == WorkTree::Modified => {
            return Err(NotKept::Modified(run.suite.clone()));
        }
        Some(Revision { commit, .. }) => commit.clone(),
    };
    let (series, points) = series_of(run)?;
    let entry = Entry {
        series: 0,
        commit,
        committed_at: None,
        subject: None,
        measured_at: run.measured_at,
        producer: run.producer.clone(),
        points,
        origin: None,
    };
    keep(&[series], &run.environment, [entry])
}

fn series_of(run: &Run) -> Result<(SeriesSet, Box<[Point]>), SeriesError> {
    let mut all = Vec::new();
    let mut points = Vec::new();
    for measurement in run.measurements() {
        let by_name = few::map_of(
            measurement
                .readings()
                .map(|reading| (&reading.metric.name, reading)),
        );
        for reading in by_name.into_values() {
            all.push(Series {
                bench: measurement.bench().clone(),
                metric: reading.metric.clone(),
            });
            points.push(Point::of(&reading.sample, reading.metric.nature));
        }
    }
    let series = SeriesSet::new(run.suite.clone(), all)?;
    Ok((series, points.into()))
}

/// Returns the files of entries of one environment: what they share first, and then a record of each.
///
/// # Errors
/// A file would be larger than what is read again.
///
/// # Panics
/// An entry names a set that is not in the list, or has not as many points as its set has series.
pub fn keep(
    sets: &[SeriesSet],
    environment: &Environment,
    entries: impl IntoIterator<Item = Entry>,
) -> Result<Vec<File>, NotKept> {
    let (mut files, shared) = Shared::of(sets, environment)?;
    for entry in entries {
        let record = shared.record(entry);
        let text = wire::write_record(&record);
        let file = File::of_record(&record, &environment.name, text);
        check(&record.suite, &file)?;
        files.push(file);
    }
    Ok(in_order(files))
}

/// Returns the files of entries that nothing will be added to: what they share, and segments instead of records.
///
/// # Errors
/// A file would be larger than what is read again.
///
/// # Panics
/// An entry names a set that is not in the list, or has not as many points as its set has series.
pub fn keep_closed(
    sets: &[SeriesSet],
    environment: &Environment,
    entries: impl IntoIterator<Item = Entry>,
) -> Result<Vec<File>, NotKept> {
    let (mut files, shared) = Shared::of(sets, environment)?;
    let mut by_suite: BTreeMap<SuiteName, Vec<Record>> = BTreeMap::new();
    for entry in entries {
        let record = shared.record(entry);
        by_suite
            .entry(record.suite.clone())
            .or_default()
            .push(record);
    }
    let mut of_digest: BTreeMap<&Digest, &SeriesSet> = BTreeMap::new();
    of_digest.extend(shared.digests.iter().zip(sets));
    for (suite, records) in &by_suite {
        let mut members: Vec<Member<'_>> = records.iter().map(Member::of).collect();
        members.sort_by(Member::order);
        members.dedup_by(|a, b| (&a.digest, a.record) == (&b.digest, b.record));
        for members in members.chunks(SEGMENT_RUNS) {
            files.extend(segments(suite, &environment.name, &of_digest, members)?);
        }
    }
    Ok(in_order(files))
}

/// Returns the files of a segment, or of more where one would be too large.
pub(crate) fn segments(
    suite: &SuiteName,
    environment: &EnvironmentName,
    sets: &BTreeMap<&Digest, &SeriesSet>,
    members: &[Member<'_>],
) -> Result<Vec<File>, NotKept> {
    let used = |digest: &&Digest, _: &mut &SeriesSet| {
        members
            .iter()
            .any(|member| member.record.series == **digest)
    };
    let mut own = sets.clone();
    own.retain(used);
    let files = pack(suite, environment, &own, members);
    match files.iter().try_for_each(|file| check(suite, file)) {
        Ok(()) => Ok(files),
        Err(why) if members.len() < 2 => Err(why),
        Err(_) => {
            let (first, second) = members.split_at(members.len() / 2);
            let mut files = segments(suite, environment, sets, first)?;
            files.extend(segments(suite, environment, sets, second)?);
            Ok(files)
        }
    }
}

fn check(suite: &SuiteName, file: &File) -> Result<(), NotKept> {
    match file.bytes.len() {
        0..=FILE_BYTES_MAX => Ok(()),
        bytes => Err(NotKept::TooLarge {
            suite: suite.clone(),
            bytes,
        }),
    }
}

fn in_order(mut files: Vec<File>) -> Vec<File> {
    files.sort_unstable();
    files.dedup();
    files
}

/// What records share: it stands in files of its own.
struct Shared<'a> {
    sets: &'a [SeriesSet],
    digests: Vec<Digest>,
    environment: Digest,
}

impl<'a> Shared<'a> {
    fn of(sets: &'a [SeriesSet], environment: &Environment) -> Result<(Vec<File>, Self), NotKept> {
        let (place, file) = File::of_content(ENVIRONMENTS, wire::write_environment(environment));
        let mut files = vec![file];
        let mut digests = Vec::with_capacity(sets.len());
        for set in sets {
            let (digest, file) = File::of_content(SERIES, wire::write_series(set));
            check(set.suite(), &file)?;
            digests.push(digest);
            files.push(file);
        }
        let shared = Self {
            sets,
            digests,
            environment: place,
        };
        Ok((files, shared))
    }

    fn record(&self, entry: Entry) -> Record {
        let set = &self.sets[entry.series];
        assert_eq!(
            entry.points.len(),
            set.all().len(),
            "a point of each series"
        );
        Record {
            suite: set.suite().clone(),
            commit: entry.commit,
            committed_at: entry.committed_at,
            subject: entry.subject,
            measured_at: entry.measured_at,
            producer: entry.producer,
            environment: self.environment.clone(),
            series: self.digests[entry.series].clone(),
            points: entry.points,
            origin: entry.origin,
        }
    }
}
