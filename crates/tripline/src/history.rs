//! The history as runs, which all else knows how to hand on; where it lies, and where its commits stand.
//!
//! Tested by `tests/it/history`.

mod copies;
mod known;
mod places;
mod source;
mod title;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::Path;

use jiff::Timestamp;

use tripline_history::{Archive, Kept};
use tripline_hub::Branch;
use tripline_model::few;
use tripline_model::{
    BenchId, CommitId, EnvironmentName, FactValue, Measurement, MetricName, Point, Reading,
    Revision, Run, Sample, SeriesSet, SuiteName, WorkTree,
};
use tripline_render::{CommitNote, Taken};

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::heard;
use crate::scatter;
use copies::Copies;
pub(crate) use known::{Known, Ours, TakenRun};
pub(crate) use title::{read_title, written_title};

pub(crate) use places::{commit, places, places_before};
use source::NOT_READ;
pub(crate) use source::{Contents, Source, end};

/// The environment of what was taken over.
pub(crate) const IMPORTED: &str = "imported";

/// The fact that says what a suite was called in the history it was taken over from.
pub(crate) const IMPORTED_AS: &str = "imported_as";

/// The fact that says at which place the suite stood there, from 1.
pub(crate) const IMPORTED_PLACE: &str = "imported_place";

/// The fact that says which repository's page that history named.
pub(crate) const IMPORTED_FROM: &str = "imported_from";

/// The fact that says when that history was last written, in milliseconds since 1970.
pub(crate) const IMPORTED_UPDATED: &str = "imported_updated";

/// The tools whose ranges github-action-benchmark writes before their units (`src/extract.ts`).
const RANGE_FIRST: [&str; 3] = ["cargo", "benchmarkjs", "catch2"];

/// Reads the history of a branch of data, which may not be there yet.
pub(crate) fn read_if_any(root: &Path, branch: &Branch) -> Outcome<Archive> {
    let source = Source::branch_if_any(root, branch)?;
    source.map_or_else(|| Ok(Archive::default()), |source| source.read_if_any())
}

/// Reads the history from a folder that holds its files, or else from the branch of that name.
pub(crate) fn read_from(root: &Path, place: &str) -> Outcome<Archive> {
    found(root, place)?.read()
}

/// Does the same, and keeps copies of what it took of a branch in a file, for the next time.
pub(crate) fn read_with_copies(root: &Path, place: &str, copies: &Path) -> Outcome<Archive> {
    let (source, copies) = std::thread::scope(|scope| {
        let copies = scope.spawn(|| Copies::read(copies));
        let source = found(root, place);
        let copies = copies.join();
        (source, copies.unwrap_or_else(|panic| resume_unwind(panic)))
    });
    source?.with_copies(copies).read()
}

fn found(root: &Path, place: &str) -> Outcome<Source> {
    let folder = Path::new(place);
    if folder.is_dir() {
        return Source::folder(folder);
    }
    let branch = place.parse().map_err(|error| {
        let what = format!("{NOT_READ}: `{place}` is neither a folder nor a branch");
        CommandError::new(Exit::Usage, what).because(error)
    })?;
    Source::branch(root, &branch)
}

/// What is known of commits without their repository.
pub(crate) type Notes = BTreeMap<CommitId, CommitNote>;

/// Returns the records of what was measured, without what was kept beside it of canaries and of sessions.
pub(crate) fn measured(archive: &Archive) -> Vec<Kept<'_>> {
    let mut records = archive.records();
    records.retain(|kept| !is_aside(kept.series, &kept.environment.name));
    records
}

/// Returns whether series are kept beside what was measured: of canaries, or of sessions. Others call theirs what they like.
pub(crate) fn is_aside(series: &SeriesSet, environment: &EnvironmentName) -> bool {
    let is_ours = environment.as_str() != IMPORTED;
    is_ours && (heard::is_tally(series) || scatter::is_scatter(series))
}

/// Returns whether a metric is called as those that are kept beside what was measured.
pub(crate) fn is_named_aside(metric: &MetricName, environment: &EnvironmentName) -> bool {
    environment.as_str() != IMPORTED
        && (heard::is_of_tally(metric) || scatter::is_of_scatter(metric))
}

/// Returns the runs that were taken over and can be handed back as they were, by suite, in the order they had there; and
/// the others. Suites come in the order they had there, and where that is not known, in the order in which they were begun.
pub(crate) fn taken(archive: &Archive) -> (Vec<Taken<'_>>, Vec<Kept<'_>>) {
    let mut taken = Vec::new();
    let mut others = Vec::new();
    let mut begun: BTreeMap<&SuiteName, (u32, Timestamp)> = BTreeMap::new();
    for kept in measured(archive) {
        let Kept {
            record,
            series,
            environment,
        } = kept;
        let fact = |name| environment.fact(name).map(FactValue::as_str);
        let Some((origin, title)) = record.origin.as_deref().zip(fact(IMPORTED_AS)) else {
            others.push(kept);
            continue;
        };
        let place = fact(IMPORTED_PLACE).and_then(|place| place.parse().ok());
        let place = (place.unwrap_or(u32::MAX), record.measured_at);
        let first = begun.entry(&record.suite).or_insert(place);
        *first = place.min(*first);
        taken.push(Taken {
            title: read_title(title),
            repository: fact(IMPORTED_FROM),
            last_update: fact(IMPORTED_UPDATED).and_then(|time| time.parse().ok()),
            record,
            origin,
            series,
            has_range_first: RANGE_FIRST.contains(&&*record.producer.version),
        });
    }
    few::sort_by_key(&mut taken, |taken| {
        let suite = &taken.record.suite;
        let (latest, places) = match taken.origin.behind {
            Some(behind) => (behind.latest, behind.places),
            None => (taken.record.measured_at, 0),
        };
        (begun[suite], suite, latest, places)
    });
    (taken, others)
}

/// Returns the suites of a history, each with every title that it was taken over by, in the order in which these were begun.
pub(crate) fn known_suites(archive: &Archive) -> Vec<(SuiteName, Option<String>)> {
    type Titled<'a> = (&'a SuiteName, Option<&'a str>);
    let mut begun: BTreeMap<Titled<'_>, (Timestamp, Option<u32>)> = BTreeMap::new();
    for kept in archive.records() {
        let fact = |name| kept.environment.fact(name).map(FactValue::as_str);
        let place = fact(IMPORTED_PLACE).and_then(|place| place.parse().ok());
        let at = (kept.record.measured_at, place);
        let first = begun.entry((&kept.record.suite, fact(IMPORTED_AS)));
        let first = first.or_insert(at);
        *first = at.min(*first);
    }
    let mut suites: Vec<_> = begun.into_iter().collect();
    few::sort_by_key(&mut suites, |(_, begun)| *begun);
    let title = |written: &str| read_title(written).into_owned();
    let suite = |((name, written), _): (Titled<'_>, _)| (name.clone(), written.map(title));
    suites.into_iter().map(suite).collect()
}

/// Returns the sets of series of a history, each once.
pub(crate) fn known_series(archive: &Archive) -> Vec<&SeriesSet> {
    let records = archive.records();
    let sets = records
        .iter()
        .map(|kept| (&kept.record.series, kept.series));
    few::map_of(sets).into_values().collect()
}

/// Returns the history as runs, with what was kept of their commits.
pub(crate) fn runs(kept: &[Kept<'_>]) -> Outcome<(Vec<Run>, Notes)> {
    let mut runs = Vec::new();
    let mut notes = Notes::new();
    for kept in kept {
        let run = run_of(*kept)
            .map_err(|why| CommandError::new(Exit::BadInput, NOT_READ).because(why))?;
        let record = kept.record;
        notes
            .entry(record.commit.clone())
            .or_insert_with(|| CommitNote {
                subject: record.subject.clone(),
                committed_at: record.committed_at,
            });
        runs.push(run);
    }
    Ok((runs, notes))
}

fn run_of(kept: Kept<'_>) -> Result<Run, String> {
    let Kept {
        record,
        series,
        environment,
    } = kept;
    let mut run = Run::new(
        record.suite.clone(),
        record.measured_at,
        environment.clone(),
        record.producer.clone(),
    );
    run.revision = Some(Revision {
        commit: record.commit.clone(),
        work_tree: WorkTree::Clean,
    });
    for (bench, readings) in by_bench(series, &record.points)? {
        let measurement = Measurement::new(bench, readings, None, Vec::new());
        let measurement = measurement.map_err(|error| error.to_string())?;
        run.insert(measurement).map_err(|error| error.to_string())?;
    }
    Ok(run)
}

/// Returns the readings of each benchmark.
fn by_bench(
    series: &SeriesSet,
    points: &[Point],
) -> Result<BTreeMap<BenchId, Vec<Reading>>, String> {
    let mut all: BTreeMap<_, Vec<Reading>> = BTreeMap::new();
    for (series, point) in series.all().iter().zip(points) {
        let sample = Sample::of_point(point).map_err(|error| error.to_string())?;
        let reading = Reading {
            metric: series.metric.clone(),
            sample,
        };
        all.entry(series.bench.clone()).or_default().push(reading);
    }
    Ok(all)
}
