//! Copies of a history's files, so that git, which has to unpack each, is asked for new ones alone.
//!
//! Git calls a file by the digest of what it holds, so a copy is never out of date. They stand one after another in parts,
//! each below its own digest and length, and what is new becomes a part at the end. What follows a part that is not as it
//! was written is no copy: all are written anew then. Tested below, and by `tests/it/site`.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The copies in a file, by the name that git has for what they are of.
#[derive(Debug)]
pub(super) struct Copies {
    place: PathBuf,
    bytes: Vec<u8>,
    found: BTreeMap<String, Range<usize>>,
    is_whole: bool,
}

impl Copies {
    /// Reads what there is, which may be nothing.
    pub(super) fn read(place: &Path) -> Self {
        let bytes = fs::read(place).unwrap_or_default();
        let mut found = BTreeMap::new();
        let mut rest = &bytes[..];
        while let Some((part, after)) = sound_part(rest) {
            let begin = bytes.len() - after.len() - part.len();
            let copies = copies(part).into_iter();
            found.extend(copies.map(|(id, at)| (id, begin + at.start..begin + at.end)));
            rest = after;
        }
        Self {
            place: place.to_owned(),
            is_whole: rest.is_empty(),
            found,
            bytes,
        }
    }

    /// Returns what git calls so.
    pub(super) fn get(&self, id: &str) -> Option<&[u8]> {
        let at = self.found.get(id)?;
        Some(&self.bytes[at.clone()])
    }

    /// Keeps these files and no others: adds those that are new, or else writes all.
    pub(super) fn keep(&self, files: &BTreeMap<&str, &[u8]>) -> Result<(), String> {
        let kept = self.kept(files);
        kept.map_err(|error| format!("no copies are kept in `{}`: {error}", self.place.display()))
    }

    fn kept(&self, files: &BTreeMap<&str, &[u8]>) -> io::Result<()> {
        let is_wanted = |id: &String| files.contains_key(id.as_str());
        if !self.is_whole || !self.found.keys().all(is_wanted) {
            let mut draft = self.place.as_os_str().to_owned();
            draft.push(".draft");
            fs::write(&draft, part_of(files.iter()))?;
            return fs::rename(&draft, &self.place);
        }
        let new = files.iter().filter(|(id, _)| self.get(id).is_none());
        let new: Vec<_> = new.collect();
        if new.is_empty() {
            return Ok(());
        }
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.place)?;
        file.write_all(&part_of(new.into_iter()))
    }
}

/// Writes files as a part: a digest of the rest, how long that is, and each file after a line with its name and its length.
fn part_of<'f>(files: impl Iterator<Item = (&'f &'f str, &'f &'f [u8])>) -> Vec<u8> {
    let mut part = Vec::new();
    for (id, bytes) in files {
        part.extend_from_slice(format!("{id} {}\n", bytes.len()).as_bytes());
        part.extend_from_slice(bytes);
    }
    let head = format!("{} {}\n", digest(&part), part.len());
    [head.as_bytes(), &part].concat()
}

/// Returns the part that stands first, if it is as it was written, and what comes after it.
fn sound_part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (name, at) = named(bytes, 0)?;
    let part = &bytes[at.clone()];
    (digest(part) == name).then_some((part, &bytes[at.end..]))
}

/// Returns where in a part each file is, with its name.
fn copies(part: &[u8]) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    let mut begin = 0;
    while let Some((name, at)) = named(part, begin) {
        begin = at.end;
        found.push((name.to_owned(), at));
    }
    found
}

/// Reads a line with a name and a length, and returns where what it names is, if there is so much.
fn named(bytes: &[u8], begin: usize) -> Option<(&str, Range<usize>)> {
    let rest = bytes.get(begin..)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (name, length) = str::from_utf8(&rest[..end]).ok()?.split_once(' ')?;
    let first = begin + end + 1;
    let last = first.checked_add(length.parse().ok()?)?;
    (last <= bytes.len()).then_some((name, first..last))
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(&str, &[u8]); 3] = [("a1", b"one\n"), ("b2", b""), ("c3", b"3 3\nthree")];

    fn kept(place: &Path, files: &[(&str, &[u8])]) {
        let files = files.iter().copied().collect();
        Copies::read(place).keep(&files).unwrap();
    }

    fn found(place: &Path) -> Vec<&'static str> {
        let copies = Copies::read(place);
        let is_found = |(id, bytes): &&(&str, &[u8])| copies.get(id) == Some(bytes);
        FILES.iter().filter(is_found).map(|(id, _)| *id).collect()
    }

    #[test]
    fn what_was_kept_is_found_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("copies");
        kept(&place, &FILES[..1]);
        let first = fs::read(&place).unwrap();
        kept(&place, &FILES);
        assert_eq!(found(&place), ["a1", "b2", "c3"]);
        // What was there stays as it is, and what is new follows.
        assert!(fs::read(&place).unwrap().starts_with(&first));
        kept(&place, &FILES[1..]);
        assert_eq!(found(&place), ["b2", "c3"]);
    }

    #[test]
    fn what_was_damaged_or_cut_is_no_copy_and_is_kept_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("copies");
        kept(&place, &FILES[..1]);
        kept(&place, &FILES);
        let whole = fs::read(&place).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            for bytes in [&damaged[..], &whole[..at]] {
                fs::write(&place, bytes).unwrap();
                let copies = Copies::read(&place);
                let is_right =
                    |(id, bytes): &(&str, &[u8])| copies.get(id).is_none_or(|copy| copy == *bytes);
                assert!(FILES.iter().all(is_right), "at {at}");
                kept(&place, &FILES);
                assert_eq!(found(&place), ["a1", "b2", "c3"], "at {at}");
            }
        }
    }
}
