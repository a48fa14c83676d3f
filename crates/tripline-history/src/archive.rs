//! Reads a history: every file is looked at, and one that is damaged hides none of the others.
//!
//! Tested below.

mod compact;
mod plain;

use std::collections::BTreeMap;

use tripline_model::few;
use tripline_model::{
    Block, Digest, Environment, EnvironmentName, Head, Record, Segment, SeriesSet, wire,
};

use crate::file::{self, ENVIRONMENTS, File, RECORDS, SEGMENTS, SERIES};
use crate::segment;

pub use compact::Spent;
pub use plain::Plain;

/// The fewest files that a thread of its own is worth.
const SHARE_MIN: usize = 200;

/// A file that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Damage {
    /// Where it lies.
    pub path: String,
    /// What is wrong with it.
    pub why: String,
}

/// A record with what it refers to.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'a> {
    /// The record.
    pub record: &'a Record,
    /// The series of its points.
    pub series: &'a SeriesSet,
    /// Where it was measured.
    pub environment: &'a Environment,
}

/// A record that a history has, perhaps without its numbers.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a> {
    /// The record. Where it is in a segment that was not read, it has no points.
    pub record: &'a Record,
    /// What its environment is called.
    pub environment: &'a EnvironmentName,
    /// The series of its points.
    pub series: &'a SeriesSet,
    /// The segment, if it has no file of its own.
    pub segment: Option<&'a str>,
}

/// A history, as it was read.
#[derive(Debug, Default)]
pub struct Archive {
    records: BTreeMap<String, Record>,
    series: BTreeMap<Digest, SeriesSet>,
    environments: BTreeMap<Digest, Environment>,
    segments: BTreeMap<String, Segment>,
    damaged: Vec<Damage>,
}

impl Archive {
    /// Reads the files of a history, in whatever order they come. What lies beside it is left alone.
    #[must_use]
    pub fn read<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Self {
        let is_block = |(path, _): &(&str, &[u8])| is_block(path);
        let (blocks, files): (BTreeMap<_, _>, BTreeMap<_, _>) =
            files.into_iter().partition(is_block);
        let mut archive = Self::index(files);
        archive.look_at_orphans(blocks.iter().map(|(path, bytes)| (*path, *bytes)));
        archive.unpack(|path| {
            let block = blocks.get(path).ok_or("it is missing")?;
            Ok(block.to_vec())
        });
        archive
    }

    /// Reads all files but the blocks of segments, whose records are not there yet.
    #[must_use]
    pub fn index<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Self {
        let files: Vec<_> = files.into_iter().collect();
        Self::parsed(&files).checked()
    }

    /// Takes out the records that refer to what is not there.
    fn checked(mut self) -> Self {
        let records = std::mem::take(&mut self.records);
        for (path, record) in records {
            match self.lacks(&record) {
                Some(why) => self.damage(&path, why),
                None => drop(self.records.insert(path, record)),
            }
        }
        few::sort(&mut self.damaged);
        self
    }

    /// Reads files each for itself: many of them on all processors.
    fn parsed(files: &[(&str, &[u8])]) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = files.len().div_ceil(threads).max(SHARE_MIN);
        let mut shares = files.chunks(share);
        std::thread::scope(|scope| {
            let first = shares.next().unwrap_or_default();
            let others: Vec<_> = shares
                .map(|some| scope.spawn(move || Self::default().with(some)))
                .collect();
            let mut archive = Self::default().with(first);
            for other in others {
                let other = other.join();
                archive.append(other.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            archive
        })
    }

    fn with(mut self, files: &[(&str, &[u8])]) -> Self {
        for (path, bytes) in files {
            if let Err(why) = self.take(path, bytes) {
                self.damage(path, why);
            }
        }
        self
    }

    fn append(&mut self, mut other: Self) {
        self.records.append(&mut other.records);
        self.series.append(&mut other.series);
        self.environments.append(&mut other.environments);
        self.segments.append(&mut other.segments);
        self.damaged.append(&mut other.damaged);
    }

    /// Looks whether blocks hold what they were named after, and returns whether all do. What does not is damaged: nothing is
    /// put in its place, and no segment is made that would bring a block of that name.
    pub fn look_at<'f>(&mut self, blocks: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> bool {
        let known = self.damaged.len();
        for (path, bytes) in blocks {
            if let Err(why) = named_after(path, bytes) {
                self.damage(path, why);
            }
        }
        let is_whole = self.damaged.len() == known;
        few::sort(&mut self.damaged);
        is_whole
    }

    /// Does the same with those blocks that no segment names, which nobody looks at who reads the segments.
    pub fn look_at_orphans<'f>(&mut self, blocks: impl IntoIterator<Item = (&'f str, &'f [u8])>) {
        let named = few::set_of(self.segments().flat_map(|(_, blocks)| blocks));
        let blocks = blocks.into_iter();
        self.look_at(blocks.filter(|(path, _)| !named.contains(*path)));
    }

    /// Reads the records of the segments out of their blocks, each of which is asked for by its path.
    pub fn unpack(&mut self, block: impl Fn(&str) -> Result<Vec<u8>, String> + Sync) {
        let segments = std::mem::take(&mut self.segments);
        let unpacked = self.unpacked(&segments, block);
        for ((path, segment), unpacked) in segments.into_iter().zip(unpacked) {
            for (path, why) in unpacked.lost {
                self.damage(&path, why);
            }
            self.series.extend(unpacked.sets);
            let mut is_missing = vec![true; segment.heads.len()];
            for (at, record) in unpacked.records {
                is_missing[at] = false;
                match self.lacks(&record) {
                    Some(why) => self.damage(&path, why),
                    // A record that has a file of its own, or is in another segment, is the same.
                    None => {
                        let place = path_of(&segment, &segment.heads[at]);
                        self.records.entry(place).or_insert(record);
                    }
                }
            }
            let lost = segment.heads.iter().zip(is_missing);
            for (head, _) in lost.filter(|(_, is_missing)| *is_missing) {
                let why = self.missing(&head.record);
                let not_whole = || format!("its record of {} is not whole", head.record.commit);
                self.damage(&path, why.unwrap_or_else(not_whole));
            }
        }
        few::sort(&mut self.damaged);
        self.damaged.dedup();
    }

    /// Reads segments each for itself, on all processors.
    fn unpacked(
        &self,
        segments: &BTreeMap<String, Segment>,
        block: impl Fn(&str) -> Result<Vec<u8>, String> + Sync,
    ) -> Vec<segment::Unpacked> {
        let one = |segment: &Segment| {
            segment::unpack(segment, &self.series, |path| {
                let bytes = block(path)?;
                named_after(path, &bytes)?;
                Ok(bytes)
            })
        };
        let segments: Vec<&Segment> = segments.values().collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = segments.len().div_ceil(threads).max(1);
        std::thread::scope(|scope| {
            let one = &one;
            let reading = segments.chunks(share).map(|some| {
                let all = some.iter().copied();
                scope.spawn(move || all.map(one).collect::<Vec<_>>())
            });
            let reading: Vec<_> = reading.collect();
            let read = reading.into_iter().flat_map(|thread| {
                let read = thread.join();
                read.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            read.collect()
        })
    }

    fn damage(&mut self, path: &str, why: String) {
        let path = path.to_owned();
        self.damaged.push(Damage { path, why });
    }

    fn take(&mut self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let text = |error: wire::ReadError| error.to_string();
        match path.split('/').next().unwrap_or_default() {
            _ if is_block(path) => {}
            RECORDS => {
                let record = wire::read_record(bytes).map_err(text)?;
                self.records.insert(path.to_owned(), record);
            }
            SERIES => {
                let digest = named_after(path, bytes)?;
                self.series
                    .insert(digest, wire::read_series(bytes).map_err(text)?);
            }
            ENVIRONMENTS => {
                let digest = named_after(path, bytes)?;
                self.environments
                    .insert(digest, wire::read_environment(bytes).map_err(text)?);
            }
            SEGMENTS => {
                named_after(path, bytes)?;
                let segment = wire::read_segment(bytes).map_err(text)?;
                self.segments.insert(path.to_owned(), segment);
            }
            _ => {}
        }
        Ok(())
    }

    /// Says what a record refers to and is not there, if anything.
    fn missing(&self, record: &Record) -> Option<String> {
        let Record {
            series,
            environment,
            ..
        } = record;
        if !self.series.contains_key(series) {
            return Some(format!("its series, {SERIES}/{series}.json, are missing"));
        }
        let is_there = self.environments.contains_key(environment);
        let file = format!("{ENVIRONMENTS}/{environment}.json");
        (!is_there).then(|| format!("its environment, {file}, is missing"))
    }

    /// Says what a record lacks, if anything.
    fn lacks(&self, record: &Record) -> Option<String> {
        let Some(set) = self.series.get(&record.series) else {
            return self.missing(record);
        };
        let (series, points) = (set.all().len(), record.points.len());
        if set.suite() != &record.suite {
            Some(format!("its series are of suite `{}`", set.suite()))
        } else if series != points {
            Some(format!("it has {points} points for {series} series"))
        } else if record.origin.is_some() && set.rows().is_empty() && series > 0 {
            let why = "its series do not say what they were called where it was taken over";
            Some(why.to_owned())
        } else {
            self.missing(record)
        }
    }

    /// Returns the records that are whole, ordered by suite, and then by when they were measured.
    #[must_use]
    pub fn records(&self) -> Vec<Kept<'_>> {
        let mut all: Vec<Kept<'_>> = self
            .records
            .values()
            .map(|record| Kept {
                record,
                series: &self.series[&record.series],
                environment: &self.environments[&record.environment],
            })
            .collect();
        few::sort_by_key(&mut all, |kept| {
            (&kept.record.suite, kept.record.measured_at)
        });
        all
    }

    /// Returns every record, also one whose numbers were not asked of its segment yet.
    #[must_use]
    pub fn listed(&self) -> Vec<Listed<'_>> {
        let mut all: BTreeMap<String, Listed<'_>> = BTreeMap::new();
        for (path, record) in &self.records {
            all.extend(Some(path.clone()).zip(self.listed_as(record, None)));
        }
        for (path, segment) in &self.segments {
            for head in &segment.heads {
                if let Some(listed) = self.listed_as(&head.record, Some(path)) {
                    all.entry(path_of(segment, head)).or_insert(listed);
                }
            }
        }
        let mut all: Vec<Listed<'_>> = all.into_values().collect();
        few::sort_by_key(&mut all, |listed| {
            let Record {
                suite, measured_at, ..
            } = listed.record;
            (suite, listed.environment, measured_at)
        });
        all
    }

    fn listed_as<'a>(&'a self, record: &'a Record, segment: Option<&'a str>) -> Option<Listed<'a>> {
        Some(Listed {
            record,
            environment: &self.environments.get(&record.environment)?.name,
            series: self.series.get(&record.series)?,
            segment,
        })
    }

    /// Returns the segments and the blocks of each.
    pub fn segments(&self) -> impl Iterator<Item = (&str, Vec<String>)> {
        let blocks = |segment: &Segment| {
            let path = |block: &Block| File::block_path(&segment.suite, &block.digest);
            segment.blocks.iter().map(path).collect()
        };
        let segments = self.segments.iter();
        segments.map(move |(path, segment)| (&**path, blocks(segment)))
    }

    /// Returns what cannot be used, by path.
    #[must_use]
    pub fn damaged(&self) -> &[Damage] {
        &self.damaged
    }
}

/// Returns where a record of a segment lies as long as it has a file of its own.
pub(crate) fn path_of(segment: &Segment, head: &Head) -> String {
    File::record_path(&head.record, &segment.environment, &head.digest)
}

/// Says whether a file is a block of a segment, which is read only when it is asked for.
#[must_use]
pub fn is_block(path: &str) -> bool {
    path.starts_with(SEGMENTS) && path.ends_with(".parquet")
}

/// Checks that a file holds what its name says.
fn named_after(path: &str, bytes: &[u8]) -> Result<Digest, String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let digest = file::digest(bytes);
    match name.split_once('.') {
        Some((name, _)) if name == digest.as_str() => Ok(digest),
        _ => Err("what it holds is not what it was named after".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{
        BenchId, BenchName, CommitId, EnvironmentName, Measurement, Metric, NAME_BYTES_MAX, Params,
        Producer, Reading, Revision, Run, Sample, SuiteName, WorkTree,
    };

    use super::*;
    use crate::keep::keep_run;

    fn run(second: i64, instructions: f64) -> Run {
        let suite = SuiteName::new("kv").unwrap();
        let environment = Environment::new(EnvironmentName::new("debian-12").unwrap());
        let producer = Producer {
            name: "tripline".to_owned(),
            version: "0.1.0".to_owned(),
        };
        let time = jiff::Timestamp::from_second(second).unwrap();
        let mut run = Run::new(suite.clone(), time, environment, producer);
        run.revision = Some(Revision {
            commit: CommitId::new(&"ab".repeat(20)).unwrap(),
            work_tree: WorkTree::Clean,
        });
        let bench = BenchId {
            suite,
            name: BenchName::new("get").unwrap(),
            params: Params::new(),
        };
        let reading = |name, values: &[f64]| Reading {
            metric: Metric::known(name).unwrap(),
            sample: Sample::new(values).unwrap(),
        };
        let readings = vec![
            reading("wall_time", &[1.0, 2.0, 3.0, 4.0, 5.0]),
            reading("instructions", &[instructions]),
        ];
        let measurement = Measurement::new(bench, readings, None, Vec::new()).unwrap();
        run.insert(measurement).unwrap();
        run
    }

    fn files() -> Vec<File> {
        let mut files: Vec<File> = [run(1_700_000_000, 7.0), run(1_800_000_000, 8.0)]
            .iter()
            .flat_map(|run| keep_run(run).unwrap())
            .collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    fn archive(files: &[File]) -> Archive {
        Archive::read(files.iter().map(|file| (&*file.path, &*file.bytes)))
    }

    #[test]
    fn two_runs_share_what_they_have_in_common() {
        let paths: Vec<String> = files().into_iter().map(|file| file.path).collect();
        assert_eq!(
            paths,
            [
                "environments/3f0e09468fabcd499f01db6d134eeee4.json",
                "records/kv/2023/11/14/abababababab-debian-12-3d91c886.json",
                "records/kv/2027/01/15/abababababab-debian-12-0eab8f97.json",
                "series/d80b23002b9e33b71992d0fb94df5ef6.json",
            ]
        );
    }

    #[test]
    fn what_was_kept_is_read_in_any_order() {
        let mut files = files();
        for _ in 0..files.len() {
            files.rotate_left(1);
            let archive = archive(&files);
            assert_eq!(archive.damaged(), []);
            let centers: Vec<Vec<f64>> = archive
                .records()
                .iter()
                .map(|kept| kept.record.points.iter().map(|p| p.center).collect())
                .collect();
            assert_eq!(centers, [[7.0, 3.0], [8.0, 3.0]]);
            let metrics: Vec<&str> = archive.records()[0]
                .series
                .all()
                .iter()
                .map(|series| series.metric.name.as_str())
                .collect();
            assert_eq!(metrics, ["instructions", "wall_time"]);
            assert_eq!(archive.records()[0].record.points[1].ends(), (2.0, 4.0));
        }
    }

    #[test]
    fn a_file_that_is_gone_or_damaged_is_named_and_hides_no_other() {
        let whole = files();
        for (at, file) in whole.iter().enumerate() {
            let mut without = whole.clone();
            without.remove(at);
            let mut damaged = whole.clone();
            damaged[at].bytes.truncate(file.bytes.len() / 2);
            let is_record = file.path.starts_with(RECORDS);
            let left = if is_record { 1 } else { 0 };
            assert_eq!(archive(&without).records().len(), left, "{}", file.path);
            assert_eq!(archive(&damaged).records().len(), left, "{}", file.path);
            assert_eq!(archive(&without).damaged().is_empty(), is_record);
            let archive = archive(&damaged);
            let named = |damage: &Damage| damage.path == file.path;
            assert!(archive.damaged().iter().any(named), "{}", file.path);
        }
    }

    #[test]
    fn what_is_of_no_commit_is_not_kept() {
        let mut modified = run(0, 1.0);
        modified.revision.as_mut().unwrap().work_tree = WorkTree::Modified;
        let error = keep_run(&modified).expect_err("it is of no commit");
        assert_eq!(
            error.to_string(),
            "suite `kv` was measured with changes that are in no commit"
        );
        modified.revision = None;
        keep_run(&modified).expect_err("it is of no commit");
    }

    /// What is kept has to be read again: here the series, whose names are as long as names may be.
    #[test]
    fn what_could_not_be_read_again_is_not_kept() {
        let kept = |count: usize| {
            let mut many = run(0, 1.0);
            let one = many.measurements().next().unwrap().clone();
            for number in 0..count {
                let name = format!("{number:0>NAME_BYTES_MAX$}");
                let bench = BenchId {
                    name: BenchName::new(&name).unwrap(),
                    ..one.bench().clone()
                };
                let readings: Vec<_> = one.readings().cloned().collect();
                many.insert(Measurement::new(bench, readings, None, Vec::new()).unwrap())
                    .unwrap();
            }
            keep_run(&many)
        };
        let files = kept(10).unwrap();
        assert_eq!(archive(&files).damaged(), []);
        assert_eq!(archive(&files).records().len(), 1);
        let error = kept(16_000).expect_err("its series are too long");
        assert!(
            error.to_string().contains("of suite `kv` a file of"),
            "{error}"
        );
    }

    #[test]
    fn what_lies_beside_a_history_is_left_alone() {
        let archive = Archive::read([("README.md", &b"hello"[..]), ("notes/a.json", b"{")]);
        assert!(archive.records().is_empty() && archive.damaged().is_empty());
    }
}
