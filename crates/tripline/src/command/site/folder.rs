//! The folder of the pages. What was written is listed in it, so that what is no longer there can be taken away, and so that
//! no folder of anybody's is filled or emptied by mistake. The first page is written when all else is there, so that whoever
//! finds it in a folder that was empty finds all.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use tripline_model::few;
use tripline_site::Files;

use super::NOT_DONE;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// The list of what was written.
const LIST: &str = ".tripline-site";

/// The copies of the history's files, for the next time pages are made here.
const COPIES: &str = ".tripline-history";

/// The page that leads to all others.
const FIRST: &str = "index.html";

/// A folder for pages, and what was written into it before.
#[derive(Debug)]
pub(super) struct Folder {
    place: PathBuf,
    before: BTreeSet<String>,
}

impl Folder {
    /// Opens a folder that is not there yet, or empty, or holds pages.
    pub(super) fn open(place: &Path) -> Outcome<Self> {
        let failed = |error: io::Error| {
            let what = format!("{NOT_DONE}: `{}` cannot be used", place.display());
            CommandError::new(Exit::BadInput, what)
                .because(error)
                .hint("choose another folder with `--out`")
        };
        std::fs::create_dir_all(place).map_err(failed)?;
        let list = place.join(LIST);
        let before = match std::fs::read_to_string(&list) {
            Ok(text) => text.lines().map(str::to_owned).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let entries = std::fs::read_dir(place).map_err(failed)?;
                let names: io::Result<Vec<_>> =
                    entries.map(|entry| Ok(entry?.file_name())).collect();
                // A run that was interrupted early leaves copies and no more.
                let is_ours = |name: &OsString| name == COPIES;
                if !names.map_err(failed)?.iter().all(is_ours) {
                    let what = format!(
                        "{NOT_DONE}: `{}` holds something that are no pages of ours",
                        place.display()
                    );
                    return Err(CommandError::new(Exit::BadInput, what).hint(
                        "choose an empty folder with `--out`, or one that is not there yet",
                    ));
                }
                BTreeSet::new()
            }
            Err(error) => return Err(failed(error)),
        };
        let place = place.to_owned();
        Ok(Self { place, before })
    }

    /// Returns where it is.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// Returns where copies of the history's files are kept.
    pub(super) fn copies(&self) -> PathBuf {
        self.place.join(COPIES)
    }

    /// Writes the files that are new or changed, and takes away those that are no longer there. Returns how many were
    /// written.
    pub(super) fn write(self, files: &Files) -> Outcome<usize> {
        self.written(files).map_err(|error| {
            let what = format!(
                "the pages in `{}` were not made completely",
                self.place.display()
            );
            CommandError::new(Exit::BadInput, what)
                .because(error)
                .hint("check the space and the permissions, and make them again")
        })
    }

    fn written(&self, files: &Files) -> io::Result<usize> {
        // Named before they are written: what a run that is interrupted leaves behind is known to the next.
        let mut all = few::set_of(files.keys().map(String::as_str));
        all.extend(self.before.iter().map(String::as_str));
        self.list(&all)?;
        let others = files.iter().filter(|(name, _)| *name != FIRST);
        let count = self.some(&others.collect::<Vec<_>>())?;
        for gone in self.before.iter().filter(|name| !files.contains_key(*name)) {
            // A list that somebody else wrote leads nowhere out of the folder.
            if gone.split('/').all(|part| !matches!(part, "" | "." | "..")) {
                match std::fs::remove_file(self.place.join(gone)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
        }
        self.list(&files.keys().map(String::as_str).collect())?;
        let first = files.get_key_value(FIRST);
        Ok(count + self.some(first.as_slice())?)
    }

    /// Writes those of some files that are new or changed. Returns how many those are.
    ///
    /// All are written before the first is replaced: where there is no room for them, the pages stay as they are.
    fn some(&self, files: &[(&String, &Vec<u8>)]) -> io::Result<usize> {
        let drafts = on_all_processors(files, |(name, bytes)| self.drafted(name, bytes))?;
        let drafts: Vec<(PathBuf, PathBuf)> = drafts.into_iter().flatten().collect();
        on_all_processors(&drafts, |(draft, place)| replace(draft, place))?;
        Ok(drafts.len())
    }

    /// Writes what is to take the place of a file, if that holds something else. Returns where it is, and the place.
    fn drafted(&self, name: &str, bytes: &[u8]) -> io::Result<Option<(PathBuf, PathBuf)>> {
        let place = self.place.join(name);
        if is_unchanged(&place, bytes) {
            return Ok(None);
        }
        let draft = match (draft(&place, bytes), place.parent()) {
            // Most files lie in a folder that is there.
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                std::fs::create_dir_all(folder)?;
                draft(&place, bytes)
            }
            (draft, _) => draft,
        };
        Ok(Some((draft?, place)))
    }

    fn list(&self, names: &BTreeSet<&str>) -> io::Result<()> {
        let names: Vec<&str> = names.iter().copied().collect();
        let text = [&names.join("\n"), "\n"].concat();
        let place = self.place.join(LIST);
        if is_unchanged(&place, text.as_bytes()) {
            return Ok(());
        }
        replace(&draft(&place, text.as_bytes())?, &place)
    }
}

fn is_unchanged(place: &Path, bytes: &[u8]) -> bool {
    let size = std::fs::metadata(place).map(|found| found.len());
    size.is_ok_and(|size| size == bytes.len() as u64)
        && std::fs::read(place).is_ok_and(|there| there == bytes)
}

/// Does something with each, and returns what comes of it, or what failed.
fn on_all_processors<T: Sync, R: Send>(
    all: &[T],
    work: impl Fn(&T) -> io::Result<R> + Sync,
) -> io::Result<Vec<R>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = all.len().div_ceil(threads).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let shares = all.chunks(share);
        let working = shares
            .map(|some| scope.spawn(move || some.iter().map(work).collect::<io::Result<Vec<R>>>()));
        let working: Vec<_> = working.collect();
        let done = working.into_iter().map(|thread| {
            let done = thread.join();
            done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        let done: io::Result<Vec<Vec<R>>> = done.collect();
        Ok(done?.into_iter().flatten().collect())
    })
}

/// Writes what is to take the place of a file, and returns where it is.
fn draft(place: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut draft = place.as_os_str().to_owned();
    draft.push(".draft");
    std::fs::write(&draft, bytes)?;
    Ok(draft.into())
}

/// Replaces a file whole: whoever reads it meanwhile reads the one or the other.
///
/// Where there is a file, the two change places and the old one is taken away. To rename over it would do as much, and has
/// many a file system write the new one to the disk at once: a thousand times that is most of what such a run takes.
fn replace(draft: &Path, place: &Path) -> io::Result<()> {
    let is_file = std::fs::symlink_metadata(place).is_ok_and(|there| there.is_file());
    let exchange = || renameat_with(CWD, draft, CWD, place, RenameFlags::EXCHANGE);
    // Not every file system can.
    if is_file && exchange().is_ok() {
        return std::fs::remove_file(draft);
    }
    std::fs::rename(draft, place)
}
