//! Reads a history: every file is looked at, and one that is damaged hides none of the others.
//!
//! Tested below.

use std::collections::BTreeMap;

use tripline_model::{Digest, Environment, Record, SeriesSet, wire};

use crate::file::{self, ENVIRONMENTS, RECORDS, SERIES};

/// A file that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// A history, as it was read.
#[derive(Debug, Default)]
pub struct Archive {
    records: BTreeMap<String, Record>,
    series: BTreeMap<Digest, SeriesSet>,
    environments: BTreeMap<Digest, Environment>,
    damaged: Vec<Damage>,
}

impl Archive {
    /// Reads the files of a history, in whatever order they come. What lies beside it is left alone.
    #[must_use]
    pub fn read<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Self {
        let mut archive = Self::default();
        for (path, bytes) in files {
            if let Err(why) = archive.take(path, bytes) {
                let path = path.to_owned();
                archive.damaged.push(Damage { path, why });
            }
        }
        let lost: Vec<Damage> = archive
            .records
            .iter()
            .filter_map(|(path, record)| archive.lost(path, record))
            .collect();
        for Damage { path, .. } in &lost {
            archive.records.remove(path);
        }
        archive.damaged.extend(lost);
        archive.damaged.sort_by(|a, b| a.path.cmp(&b.path));
        archive
    }

    fn take(&mut self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let text = |error: wire::ReadError| error.to_string();
        let Some((folder, name)) = path.split_once('/') else {
            return Ok(());
        };
        match folder {
            RECORDS => {
                let record = wire::read_record(bytes).map_err(text)?;
                self.records.insert(path.to_owned(), record);
            }
            SERIES => {
                let digest = named_after(name, bytes)?;
                self.series
                    .insert(digest, wire::read_series(bytes).map_err(text)?);
            }
            ENVIRONMENTS => {
                let digest = named_after(name, bytes)?;
                self.environments
                    .insert(digest, wire::read_environment(bytes).map_err(text)?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Says what a record lacks, if anything.
    fn lost(&self, path: &str, record: &Record) -> Option<Damage> {
        let why = match self.series.get(&record.series) {
            None => format!("its series, {SERIES}/{}.json, are missing", record.series),
            Some(set) if set.suite() != &record.suite => {
                format!("its series are of suite `{}`", set.suite())
            }
            Some(set) if set.all().len() != record.points.len() => format!(
                "it has {} points for {} series",
                record.points.len(),
                set.all().len()
            ),
            Some(set)
                if record.origin.is_some() && set.rows().is_empty() && !set.all().is_empty() =>
            {
                "its series do not say what they were called where it was taken over".to_owned()
            }
            Some(_) if !self.environments.contains_key(&record.environment) => format!(
                "its environment, {ENVIRONMENTS}/{}.json, is missing",
                record.environment
            ),
            Some(_) => return None,
        };
        let path = path.to_owned();
        Some(Damage { path, why })
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
        all.sort_by_key(|kept| (&kept.record.suite, kept.record.measured_at));
        all
    }

    /// Returns what cannot be used, by path.
    #[must_use]
    pub fn damaged(&self) -> &[Damage] {
        &self.damaged
    }
}

/// Checks that a file holds what its name says.
fn named_after(name: &str, bytes: &[u8]) -> Result<Digest, String> {
    let text = str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let digest = file::digest(text);
    if name == format!("{digest}.json") {
        return Ok(digest);
    }
    Err("what it holds is not what it was named after".to_owned())
}

#[cfg(test)]
mod tests {
    use tripline_model::{
        BenchId, BenchName, CommitId, EnvironmentName, Measurement, Metric, NAME_BYTES_MAX, Params,
        Producer, Reading, Revision, Run, Sample, SuiteName, WorkTree,
    };

    use super::*;
    use crate::file::File;
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
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup();
        files
    }

    fn archive(files: &[File]) -> Archive {
        Archive::read(files.iter().map(|file| (&*file.path, file.text.as_bytes())))
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
            damaged[at].text.truncate(file.text.len() / 2);
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
