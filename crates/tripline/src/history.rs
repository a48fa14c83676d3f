//! The history as it lies in this clone: the files of the branch of data, read without checking it out.
//!
//! Tested by `tests/it/history`.

mod known;
mod title;

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use tripline_history::{Archive, Kept};
use tripline_hub::Branch;
use tripline_model::{
    CommitId, FactValue, Measurement, Point, Reading, Revision, Run, Sample, SeriesSet, Spread,
    SuiteName, WorkTree,
};
use tripline_render::{CommitNote, Taken};

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::git::{git, git_reading};
use crate::talk;
pub(crate) use known::{Known, TakenRun};
pub(crate) use title::{read_title, written_title};

const NOT_READ: &str = "the history was not read";

/// The fact that says what a suite was called in the history it was taken over from.
pub(crate) const IMPORTED_AS: &str = "imported_as";

/// The fact that says at which place the suite stood there, from 1.
pub(crate) const IMPORTED_PLACE: &str = "imported_place";

/// The fact that says which repository's page that history named.
pub(crate) const IMPORTED_FROM: &str = "imported_from";

/// Reads the history from the branch of data: what the remote has, as far as it was fetched, or else the branch here.
pub(crate) fn read(root: &Path, branch: &Branch) -> Outcome<Archive> {
    let archive = read_if_any(root, branch)?.ok_or_else(|| no_branch(branch))?;
    if archive.records().is_empty() {
        return Err(nothing_in(branch, &archive));
    }
    Ok(archive)
}

/// Reads the history, if this clone has one.
pub(crate) fn read_if_any(root: &Path, branch: &Branch) -> Outcome<Option<Archive>> {
    let failed = |why: String| CommandError::new(Exit::BadInput, NOT_READ).because(why);
    let Some(tip) = tip(root, branch) else {
        return Ok(None);
    };
    let listed = git(root, &["ls-tree", "-r", "-z", &tip], &[]).map_err(failed)?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let entries: Vec<(&str, &str)> = listed.split_terminator('\0').filter_map(blob).collect();
    let given = contents(root, entries.iter().map(|(id, _)| *id)).map_err(failed)?;
    let contents = answers(&given, entries.len())
        .ok_or_else(|| failed("git did not give every file".to_owned()))?;
    let files = entries.iter().zip(contents);
    let archive = Archive::read(files.map(|((_, path), bytes)| (*path, bytes)));
    for damage in archive.damaged() {
        let text = format!("warning: `{}` is left out: {}", damage.path, damage.why);
        talk::say(&talk::shown(&text));
    }
    Ok(Some(archive))
}

/// Says why a history without a record is none: it was never begun, or nothing of it can be read.
fn nothing_in(branch: &Branch, archive: &Archive) -> CommandError {
    if archive.damaged().is_empty() {
        return CommandError::new(Exit::NothingMeasured, NOT_READ)
            .because(format!("the branch `{branch}` holds no record"))
            .hint("begin one: `tripline record`");
    }
    CommandError::new(Exit::BadInput, NOT_READ)
        .because(format!("no record of the branch `{branch}` can be read"))
        .hint(format!(
            "go back to a commit of `{branch}` before the damage"
        ))
}

fn tip(root: &Path, branch: &Branch) -> Option<String> {
    let names = [
        format!("refs/remotes/origin/{}", branch.as_str()),
        branch.reference(),
    ];
    for name in &names {
        let args = [
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{name}^{{commit}}"),
        ];
        if let Ok(id) = git(root, &args, &[]) {
            return Some(String::from_utf8_lossy(&id).trim().to_owned());
        }
    }
    None
}

fn no_branch(branch: &Branch) -> CommandError {
    CommandError::new(Exit::NothingMeasured, NOT_READ)
        .because(format!("there is no branch `{branch}` in this clone"))
        .hint(format!(
            "fetch it: `git fetch origin {branch}:refs/remotes/origin/{branch}`"
        ))
}

/// Returns id and path of a line of `git ls-tree`, if it is a file.
fn blob(line: &str) -> Option<(&str, &str)> {
    let (about, path) = line.split_once('\t')?;
    let mut words = about.split(' ');
    let is_file = matches!(words.next()?, "100644" | "100755");
    let id = words.nth(1)?;
    is_file.then_some((id, path))
}

/// Returns what files hold, all asked of one git.
fn contents<'i>(root: &Path, ids: impl Iterator<Item = &'i str>) -> Result<Vec<u8>, String> {
    let questions = ids.map(|id| format!("{id}\n")).collect::<String>();
    git_reading(root, &["cat-file", "--batch"], questions.as_bytes())
}

/// Takes the answers of `git cat-file --batch` apart: a line that ends in a size, so many bytes, and a line's end.
fn answers(mut bytes: &[u8], count: usize) -> Option<Vec<&[u8]>> {
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head = str::from_utf8(&bytes[..end]).ok()?;
        let size: usize = head.rsplit(' ').next()?.parse().ok()?;
        let rest = &bytes[end + 1..];
        all.push(rest.get(..size)?);
        bytes = rest.get(size + 1..)?;
    }
    Some(all)
}

/// What is known of commits without their repository.
pub(crate) type Notes = BTreeMap<CommitId, CommitNote>;

/// Returns the runs that were taken over and can be handed back as they were, by suite, in the order they had there; and
/// the others. Suites come in the order they had there, and where that is not known, in the order in which they were begun.
pub(crate) fn taken(archive: &Archive) -> (Vec<Taken<'_>>, Vec<Kept<'_>>) {
    let mut taken = Vec::new();
    let mut others = Vec::new();
    let mut begun: BTreeMap<&SuiteName, (u32, Timestamp)> = BTreeMap::new();
    for kept in archive.records() {
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
            record,
            origin,
            series,
        });
    }
    taken.sort_by_key(|taken| {
        let suite = &taken.record.suite;
        let (latest, places) = match taken.origin.behind {
            Some(behind) => (behind.latest, behind.places),
            None => (taken.record.measured_at, 0),
        };
        (begun[suite], suite, latest, places)
    });
    (taken, others)
}

/// Returns the history as runs, with what was kept of their commits.
pub(crate) fn runs(kept: &[Kept<'_>]) -> Outcome<(Vec<Run>, Notes)> {
    let mut runs = Vec::new();
    let mut notes = Notes::new();
    let mut left_out = 0;
    for kept in kept {
        let (run, skipped) = run_of(*kept)
            .map_err(|why| CommandError::new(Exit::BadInput, NOT_READ).because(why))?;
        left_out += skipped;
        let record = kept.record;
        notes
            .entry(record.commit.clone())
            .or_insert_with(|| CommitNote {
                subject: record.subject.clone(),
                committed_at: record.committed_at,
            });
        runs.push(run);
    }
    if left_out > 0 {
        talk::say(&format!(
            "warning: {} below zero or beyond 2^53 left out, which no run can hold",
            talk::counted(left_out, "value")
        ));
    }
    Ok((runs, notes))
}

fn run_of(kept: Kept<'_>) -> Result<(Run, usize), String> {
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
    let mut skipped = 0;
    for (bench, readings) in by_bench(series, &record.points) {
        let count = readings.len();
        let readings: Vec<Reading> = readings.into_iter().flatten().collect();
        skipped += count - readings.len();
        if !readings.is_empty() {
            let measurement = Measurement::new(bench, readings, None, Vec::new());
            let measurement = measurement.map_err(|error| error.to_string())?;
            run.insert(measurement).map_err(|error| error.to_string())?;
        }
    }
    Ok((run, skipped))
}

/// Returns the readings of each benchmark; none in place of a point that no sample can hold.
fn by_bench(
    series: &SeriesSet,
    points: &[Point],
) -> BTreeMap<tripline_model::BenchId, Vec<Option<Reading>>> {
    let mut all: BTreeMap<_, Vec<Option<Reading>>> = BTreeMap::new();
    for (series, point) in series.all().iter().zip(points) {
        let reading = sample(point).map(|sample| Reading {
            metric: series.metric.clone(),
            sample,
        });
        all.entry(series.bench.clone()).or_default().push(reading);
    }
    all
}

/// Returns a sample with the center and the spread of a point.
fn sample(point: &Point) -> Option<Sample> {
    let (low, high) = match point.spread {
        Spread::Nothing => return Sample::new([point.center]).ok(),
        Spread::Reach(_) | Spread::Quartiles { .. } => point.ends(),
    };
    // A range that was written with a value may be wider than the value, and no value is below zero.
    Sample::new([low.max(0.0), point.center, high])
        .or_else(|_| Sample::new([point.center]))
        .ok()
}
