//! The folder of a log: the names in it, and the lock on it.
//!
//! Tests: names are made and read here; the lock is tested through the log.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind::{InvalidInput, PermissionDenied};
use std::path::{Path, PathBuf};

use super::error::{Error, Refused as _, Result};
use super::media::{Media, folder_of, or_here};

/// Locked as long as the log is open. The file stays; the lock goes with the handle, also if the process dies.
const LOCK: &str = "lock";

/// Ends the name of a file that is being made. What is still called so when a log is opened, a crash left.
const UNFINISHED: &str = "unfinished";

const SEGMENT: &str = "segment";
const SNAPSHOT: &str = "snapshot";

/// A file of the log with the number in its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbered {
    pub(crate) number: u64,
    pub(crate) path: PathBuf,
}

/// Returns the path of the segment that begins with a record.
pub(crate) fn segment(folder: &Path, first: u64) -> PathBuf {
    folder.join(format!("{first:020}.{SEGMENT}"))
}

/// Returns the path of the snapshot that covers all records before one.
pub(crate) fn snapshot(folder: &Path, covers: u64) -> PathBuf {
    folder.join(format!("{covers:020}.{SNAPSHOT}"))
}

/// Returns the path that a file has while it is made.
pub(crate) fn unfinished_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(UNFINISHED);
    PathBuf::from(name)
}

/// Returns the segments, in order.
pub(crate) fn segments(folder: &Path) -> Result<Vec<Numbered>> {
    numbered(folder, SEGMENT)
}

/// Returns the snapshots, in order.
pub(crate) fn snapshots(folder: &Path) -> Result<Vec<Numbered>> {
    numbered(folder, SNAPSHOT)
}

fn numbered(folder: &Path, ending: &str) -> Result<Vec<Numbered>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).not("listed", folder)? {
        let path = entry.not("listed", folder)?.path();
        if let Some(number) = number_of(&path, ending) {
            found.push(Numbered { number, path });
        }
    }
    found.sort_by_key(|file| file.number);
    Ok(found)
}

/// Reads the number in a name that this module makes; any other name is not ours.
fn number_of(path: &Path, ending: &str) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let digits = name.strip_suffix(ending)?.strip_suffix('.')?;
    let number = digits.parse().ok()?;
    (format!("{number:020}") == digits).then_some(number)
}

/// The lock on a folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Said, and not left to the closing of the handle: a process that is just being started has a copy of that.
        let _ = self.0.unlock();
    }
}

/// Makes the folder if it is not there, and those that it is in, each with its name on the disk.
///
/// One by one, from the top: whoever comes after a crash finds at most the last one made without a name on the disk.
fn make(folder: &Path, media: &dyn Media) -> Result<()> {
    let folder = or_here(folder);
    let missing: Vec<_> = folder
        .ancestors()
        .take_while(|it| !or_here(it).is_dir())
        .collect();
    let there = missing.last().map_or(folder, |top| folder_of(top));
    let there = there.canonicalize().not("found", there)?;
    match media.sync_folder(folder_of(&there)) {
        // Who may not look into a folder made no name in it, and some systems have folders that cannot be synced.
        Err(error) if matches!(error.kind(), PermissionDenied | InvalidInput) => {}
        synced => synced.not("synced", folder_of(&there))?,
    }
    for made in missing.into_iter().rev() {
        match fs::create_dir(made) {
            // Somebody else was quicker, or the path leads back up.
            Err(_) if made.is_dir() => {}
            done => done.not("made", made)?,
        }
        let synced = media.sync_folder(folder_of(made));
        synced.not("synced", folder_of(made))?;
    }
    Ok(())
}

/// Makes the folder if it is not there, and locks it.
pub(crate) fn lock(folder: &Path, media: &dyn Media) -> Result<Lock> {
    make(folder, media)?;
    let path = folder.join(LOCK);
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .not("opened for writing", &path)?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => Err(Error::InUse { file: path }),
        Err(TryLockError::Error(error)) => Err(error).not("locked", &path),
    }
}

/// Removes files that a crash kept from being finished: nothing in them was ever acknowledged.
pub(crate) fn remove_unfinished(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).not("listed", folder)? {
        let path = entry.not("listed", folder)?.path();
        if is_unfinished(&path) {
            fs::remove_file(&path).not("removed", &path)?;
        }
    }
    Ok(())
}

fn is_unfinished(path: &Path) -> bool {
    let made = path.with_extension("");
    path.extension().is_some_and(|ending| ending == UNFINISHED)
        && (number_of(&made, SEGMENT).is_some() || number_of(&made, SNAPSHOT).is_some())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{SEGMENT, is_unfinished, number_of, segment, snapshot, unfinished_of};

    #[test]
    fn only_names_made_here_are_read() {
        let made = segment(Path::new("folder"), 42);
        assert_eq!(number_of(&made, SEGMENT), Some(42));
        for other in [
            "42.segment",
            "00000000000000000042.snapshot",
            "lock",
            "x0000000000000000042.segment",
            "00000000000000000042segment",
            "99999999999999999999.segment",
        ] {
            assert_eq!(number_of(Path::new(other), SEGMENT), None, "{other}");
        }
    }

    #[test]
    fn only_our_own_unfinished_files_are_removed() {
        let folder = Path::new("folder");
        assert!(is_unfinished(&unfinished_of(&segment(folder, 1))));
        assert!(is_unfinished(&unfinished_of(&snapshot(folder, 1))));
        assert!(!is_unfinished(&segment(folder, 1)));
        assert!(!is_unfinished(Path::new("folder/letter.unfinished")));
    }
}
