//! Which records of a history are put into segments, and which have been, so that their files can go.
//!
//! The two never happen in one commit: a record's file goes after its segment is there, has been read, and has given the
//! very same record back. Tested below.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::few;
use tripline_model::{Digest, EnvironmentName, Record, SeriesSet, SuiteName, wire};

use super::{Archive, named_after, path_of};
use crate::file::{ENVIRONMENTS, File, SERIES};
use crate::keep::{NotKept, SEGMENT_RUNS, segments};
use crate::segment::{self, Member};

/// A record's file that is not needed any more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spent {
    /// Where it lies.
    pub path: String,
    /// The segment that holds it too.
    pub segment: String,
}

impl Archive {
    /// Returns the files of segments of so many records each. The latest records, which are fewer, stay as they are, and so
    /// does what a segment would not give back as it is, and what would lie where something damaged is: it is not written over.
    #[must_use]
    pub fn close(&self, runs: usize) -> Vec<File> {
        let mut files = Vec::new();
        let mut sets: BTreeMap<&Digest, &SeriesSet> = BTreeMap::new();
        sets.extend(self.series.iter());
        let damaged = few::set_of(self.damaged.iter().map(|damage| &*damage.path));
        for ((suite, environment), mut members) in self.open_records() {
            members.sort_by(Member::order);
            for members in members.chunks_exact(runs.max(1)) {
                // What would be too large stays in the files it is in.
                let made = segments(suite, environment, &sets, members).unwrap_or_default();
                if !made.iter().any(|file| damaged.contains(&*file.path)) {
                    files.extend(made);
                }
            }
        }
        files
    }

    /// Returns the files of the whole history with every record in a segment, but for those that a segment would not give
    /// back as they are: they stay the files they are.
    ///
    /// # Errors
    /// A file would be larger than what is read again.
    pub fn closed(&self) -> Result<Vec<File>, NotKept> {
        let environments = self.environments.values();
        let mut files: Vec<File> = environments
            .map(|of| File::of_content(ENVIRONMENTS, wire::write_environment(of)).1)
            .collect();
        let sets = self.series.values();
        files.extend(sets.map(|set| File::of_content(SERIES, wire::write_series(set)).1));
        let mut sets: BTreeMap<&Digest, &SeriesSet> = BTreeMap::new();
        sets.extend(self.series.iter());
        for ((suite, environment), mut members) in self.open_records() {
            members.sort_by(Member::order);
            for members in members.chunks(SEGMENT_RUNS) {
                files.extend(segments(suite, environment, &sets, members)?);
            }
        }
        let stays = |(path, record): &(&String, &Record)| self.packed(path, record).is_none();
        files.extend(self.records.iter().filter(stays).map(|(path, record)| {
            let bytes = wire::write_record(record).into_bytes();
            let path = path.clone();
            File { path, bytes }
        }));
        Ok(files)
    }

    /// Returns the records that have files and are in no segment, by suite and environment.
    fn open_records(&self) -> BTreeMap<(&SuiteName, &EnvironmentName), Vec<Member<'_>>> {
        let mut closed: BTreeSet<String> = BTreeSet::new();
        for segment in self.segments.values() {
            closed.extend(segment.heads.iter().map(|head| path_of(segment, head)));
        }
        let mut open: BTreeMap<_, Vec<Member<'_>>> = BTreeMap::new();
        for (path, record) in &self.records {
            let environment = &self.environments[&record.environment].name;
            let member = self.packed(path, record);
            let member = member.filter(|_| !closed.contains(path));
            let of = (&record.suite, environment);
            open.entry(of).or_default().extend(member);
        }
        open
    }

    /// Returns a record as a segment holds it, if that gives it back as it is, and where it is.
    fn packed<'a>(&self, path: &str, record: &'a Record) -> Option<Member<'a>> {
        let environment = &self.environments[&record.environment].name;
        member(path, record).filter(|member| {
            let place = File::record_path(record, environment, &member.digest);
            place == path && member.comes_back()
        })
    }

    /// Returns the records whose files say nothing that a segment does not: it was read, and gave each back as it is.
    #[must_use]
    pub fn spent(&self, block: impl Fn(&str) -> Result<Vec<u8>, String>) -> Vec<Spent> {
        let mut spent = Vec::new();
        for (path, segment) in &self.segments {
            let of = |head| self.records.get_key_value(&path_of(segment, head));
            if !segment.heads.iter().any(|head| of(head).is_some()) {
                continue;
            }
            let unpacked = segment::unpack(segment, &self.series, |path| {
                let bytes = block(path)?;
                named_after(path, &bytes)?;
                Ok(bytes)
            });
            for (at, record) in &unpacked.records {
                if let Some((file, known)) = of(&segment.heads[*at])
                    && known == record
                {
                    spent.push(Spent {
                        path: file.clone(),
                        segment: path.clone(),
                    });
                }
            }
        }
        few::sort(&mut spent);
        spent.dedup_by(|a, b| a.path == b.path);
        spent
    }
}

/// Takes a record by the digest in the name of its file.
fn member<'a>(path: &str, record: &'a Record) -> Option<Member<'a>> {
    let name = path.strip_suffix(".json")?.rsplit('-').next()?;
    let digest = Digest::new(name).ok()?;
    Some(Member { digest, record })
}
