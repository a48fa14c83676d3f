//! What a command wrote of its output, and what it left lying there, which would be read as a new measurement.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use tripline_read::{Input, Place, Problem};

/// How deep a folder of output is looked into; readers go no deeper.
const DEPTH_MAX: usize = 32;

/// What harnesses keep beside their results and write anew only where it changed: it says how they are to be read.
const DESCRIBING: [(&str, &[&str]); 1] = [("asv", &["benchmarks.json", "machine.json"])];

/// Returns what a harness keeps beside its results.
pub(super) fn describing(harness: &str) -> &'static [&'static str] {
    let found = DESCRIBING.iter().find(|(name, _)| *name == harness);
    found.map_or(&[], |(_, names)| names)
}

/// What stands where a step writes: each file, and which of its writings it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp(BTreeMap<PathBuf, Writing>);

/// One writing of a file: another one has another time of change, whatever the file is dated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Writing {
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// Looks at a file, or at everything in a folder, which may itself be a link to one.
    pub(super) fn of(path: &Path) -> Self {
        let mut files = BTreeMap::new();
        let place = path.canonicalize();
        add(place.as_deref().unwrap_or(path), DEPTH_MAX, &mut files);
        Self(files)
    }

    /// Leaves of a folder only what was written since, but for what a harness keeps to say how its results are to be read. It
    /// says what was there before the first run of all as well; what another run wrote was read then.
    pub(super) fn leave_new(
        &self,
        first: &Self,
        (input, folder): (&mut Input, &Path),
        describing: &[&str],
    ) -> Option<Problem> {
        let now = Self::of(folder);
        let place = folder.canonicalize().ok()?;
        let is_of = |before: &Self, path: &Path| {
            let writing = before.0.get(path);
            writing.is_some() && writing == now.0.get(path)
        };
        let mut old = Vec::new();
        input.retain_files(|below| {
            let path = place.join(below);
            let is_left = is_named(below, describing) || !is_of(self, &path);
            if !is_left && is_of(first, &path) {
                old.push(below.display().to_string());
            }
            is_left
        });
        let first = old.first()?;
        let them = match old.len() - 1 {
            0 => "it was not written by this step, and is".to_owned(),
            more => format!("it and {more} more were not written by this step, and are"),
        };
        let text = format!(
            "{them} passed over: have the step write all its results, or empty the folder first"
        );
        let (file, line, column) = (first.clone(), 1, 1);
        let place = Place { file, line, column };
        Some(Problem { place, text })
    }
}

fn is_named(path: &Path, names: &[&str]) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| names.contains(&name))
}

fn add(path: &Path, depth: usize, files: &mut BTreeMap<PathBuf, Writing>) {
    let Ok(here) = path.symlink_metadata() else {
        return;
    };
    if here.is_dir() && depth > 0 {
        let inside = std::fs::read_dir(path).into_iter().flatten().flatten();
        for entry in inside {
            add(&entry.path(), depth - 1, files);
        }
        return;
    }
    // What a link leads to may be written without the link being touched.
    let there = path.metadata().unwrap_or(here);
    files.insert(path.to_owned(), Writing::of(&there));
}

impl Writing {
    fn of(found: &Metadata) -> Self {
        Self {
            inode: found.ino(),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{File, create_dir, write};
    use std::time::{Duration, SystemTime};

    use super::*;

    /// The clock of a file system is coarse, so a second writing is dated by hand.
    fn write_again(path: &Path) {
        let later = SystemTime::now() + Duration::from_secs(5);
        File::open(path).unwrap().set_modified(later).unwrap();
    }

    #[test]
    fn only_what_was_written_is_fresh() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("out");
        let nothing = Stamp::of(&place);
        create_dir(&place).unwrap();
        write(place.join("a.json"), "1").unwrap();
        let first = Stamp::of(&place);
        assert_ne!(first, nothing);
        assert_eq!(Stamp::of(&place), first);
        write_again(&place.join("a.json"));
        assert_ne!(Stamp::of(&place), first);
    }

    #[test]
    fn what_was_there_before_is_passed_over_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("out");
        create_dir(&place).unwrap();
        for name in ["again.json", "left.json", "machine.json", "older.json"] {
            write(place.join(name), "1").unwrap();
        }
        let before = Stamp::of(&place);
        write_again(&place.join("again.json"));
        write(place.join("new.json"), "1").unwrap();
        let mut input = Input::open(&place).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&place, &link).unwrap();
        let of_asv = describing("asv");
        let told = before.leave_new(&before, (&mut input, &link), of_asv);
        let told = told.unwrap();
        assert_eq!(told.place.file, "left.json");
        let begin = "it and 1 more were not written by this step";
        assert!(told.text.starts_with(begin), "{}", told.text);
        assert_eq!(describing("custom-smaller-is-better"), [""; 0]);
        let mut left = Vec::new();
        input.retain_files(|path| {
            left.push(path.display().to_string());
            true
        });
        assert_eq!(left, ["again.json", "machine.json", "new.json"]);
    }
}
