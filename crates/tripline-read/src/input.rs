//! What an adapter reads from: one text, or a tree of files. Only this module touches the disk.
//!
//! A tree may come out of an artifact that somebody else packed. So its size, depth and number of files are bounded, and
//! links in it are not followed: whatever they lead to within the tree is met under its own name. What its files hold
//! stays on the disk until it is read, one file at a time: Criterion's trees have a gigabyte, and each file some
//! kilobytes. Tested by `tests/it/inputs.rs`.

mod below;
mod walk;

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::buffer::spare_capacity;

pub use below::Root;

use crate::encoding::begins_as_text;
use crate::file_names::is_read;
use crate::place::{is_plain, shown};

/// The most bytes of one file. A suite of a hundred thousand benchmarks writes less.
pub const INPUT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// The most bytes of a tree's files together.
pub const TREE_BYTES_MAX: u64 = 16 * 1024 * 1024 * 1024;

/// The most files that are read from a tree. Criterion writes up to ten for each benchmark, a gigabyte of which is more than a
/// million of them.
pub const TREE_FILES_MAX: usize = 4_000_000;

/// The most directory entries that are looked at. Harnesses keep their results beside reports, profiles and logs.
pub const TREE_ENTRIES_MAX: usize = 5_000_000;

/// How deep a tree may be. Criterion's directories lie four deep, those of the callgrind harnesses five.
pub const TREE_DEPTH_MAX: usize = 32;

/// How much of a file is looked at to tell whether it is text.
const BEGINNING_BYTES: usize = 4096;

/// What an adapter reads from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// One file, or what came through a pipe.
    Text {
        /// What it is called in messages.
        name: String,
        /// What it holds.
        bytes: Vec<u8>,
    },
    /// A directory.
    Tree {
        /// The directory.
        root: Root,
        /// Its files that an adapter may read, ordered by path.
        files: Vec<TreeFile>,
    },
}

/// A file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Its path below the root.
    pub path: PathBuf,
    /// What it holds.
    pub content: Content,
}

/// What a file of a tree holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// What stands on the disk when it is read.
    OnDisk {
        /// How many bytes it had when the tree was gone through, if that was asked.
        bytes: Option<u64>,
    },
    /// These bytes.
    Held(Vec<u8>),
}

/// Says why an input cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A file or directory cannot be read, or is gone.
    #[error("cannot read `{}`", shown_path(.path))]
    Read {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is too large.
    #[error("`{}` has more than the {max} bytes allowed", shown_path(.path))]
    TooLarge {
        /// Which one.
        path: PathBuf,
        /// The limit.
        max: u64,
    },
    /// A tree holds too much.
    #[error("`{}` holds more than the {max} {what} allowed: name the harness's own directory", shown_path(.path))]
    TooMany {
        /// The tree.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        max: u64,
    },
    /// A tree is too deep.
    #[error("`{}` lies more than {TREE_DEPTH_MAX} directories deep", shown_path(.path))]
    TooDeep {
        /// The directory that is too deep.
        path: PathBuf,
    },
    /// A link leads back to where it stands.
    #[error("the link `{}` leads back to itself or to a directory it lies in: remove it", shown_path(.path))]
    Loop {
        /// The link.
        path: PathBuf,
    },
    /// What was a file of a tree when the tree was gone through is none any more.
    #[error("`{}` was a file, and now it is none or lies behind a link: read the directory when nothing changes it", shown_path(.path))]
    Replaced {
        /// Which one.
        path: PathBuf,
    },
    /// A result is a link to a file elsewhere.
    #[error("the link `{}` leads out of the directory: put the file itself there", shown_path(.path))]
    Outside {
        /// The link.
        path: PathBuf,
    },
}

impl Input {
    /// Opens a file, a pipe or a directory.
    ///
    /// # Errors
    /// Something cannot be read, is too large, or a link leads in a circle; the error names it.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let metadata = fs::metadata(path).map_err(|source| link_error(path, source))?;
        if metadata.is_dir() {
            return walk::Walk::new(path)?.run();
        }
        Ok(Self::Text {
            name: path.display().to_string(),
            bytes: read_file(path)?,
        })
    }

    /// Takes bytes that are already there, as from standard input.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self::Text {
            name: name.into(),
            bytes,
        }
    }

    /// Leaves only some files of a tree, by their paths below its root.
    pub fn retain_files(&mut self, mut keep: impl FnMut(&Path) -> bool) {
        if let Self::Tree { files, .. } = self {
            files.retain(|file| keep(&file.path));
        }
    }

    /// Returns the files, in order.
    pub(crate) fn files(&self) -> impl Iterator<Item = InputFile<'_>> {
        let count = match self {
            Self::Text { .. } => 1,
            Self::Tree { files, .. } => files.len(),
        };
        (0..count).map(move |index| match self {
            Self::Text { name, bytes } => InputFile::Single { name, bytes },
            Self::Tree { root, files } => InputFile::OfTree {
                root,
                file: &files[index],
            },
        })
    }

    /// Returns whether a tree holds a file of that path.
    pub(crate) fn has(&self, path: &Path) -> bool {
        match self {
            Self::Text { .. } => false,
            Self::Tree { files, .. } => files
                .binary_search_by(|file| (*file.path).cmp(path))
                .is_ok(),
        }
    }

    /// Returns the input's name, safe to show.
    pub(crate) fn shown_name(&self) -> String {
        match self {
            Self::Text { name, .. } => shown(name),
            Self::Tree { root, .. } => shown_path(root),
        }
    }
}

/// One file of an input.
#[derive(Debug, Clone, Copy)]
pub(crate) enum InputFile<'i> {
    Single { name: &'i str, bytes: &'i [u8] },
    OfTree { root: &'i Root, file: &'i TreeFile },
}

impl<'i> InputFile<'i> {
    /// Returns where it stands, if it is of a tree.
    pub(crate) fn path(self) -> Option<PathBuf> {
        match self {
            Self::Single { .. } => None,
            Self::OfTree { root, file } => Some(joined(root, &file.path)),
        }
    }

    /// Returns its name behind that of its directory, if it is of a tree, and perhaps more of what stands before. The root may
    /// itself be a harness's directory, so it takes part where the file lies in it.
    pub(crate) fn path_from_directory(self) -> Option<Cow<'i, Path>> {
        let path = self.path_in_tree()?;
        match path.as_os_str().as_bytes().contains(&b'/') {
            true => Some(Cow::Borrowed(path)),
            false => self.path().map(Cow::Owned),
        }
    }

    /// Returns its path below the root, if it is of a tree.
    pub(crate) fn path_in_tree(self) -> Option<&'i Path> {
        match self {
            Self::Single { .. } => None,
            Self::OfTree { file, .. } => Some(&file.path),
        }
    }

    /// Returns whether an adapter that reads certain files of a tree reads this one.
    pub(crate) fn is_wanted(self, files: fn(&Path) -> bool) -> bool {
        self.path_in_tree().is_none_or(files)
    }

    /// Returns its name, safe to show.
    pub(crate) fn shown_name(self) -> String {
        match self {
            Self::Single { name, .. } => shown(name),
            Self::OfTree { root, file } => shown_path(&joined(root, &file.path)),
        }
    }

    /// Returns what it holds.
    pub(crate) fn bytes(self) -> Result<Cow<'i, [u8]>, InputError> {
        match self {
            Self::Single { bytes, .. } => Ok(Cow::Borrowed(bytes)),
            Self::OfTree { root, file } => match &file.content {
                Content::Held(bytes) => Ok(Cow::Borrowed(bytes)),
                Content::OnDisk { bytes } => {
                    read_tree_file(root, &file.path, *bytes).map(Cow::Owned)
                }
            },
        }
    }

    /// Returns what it holds; nothing where its beginning is no text, and its name does not promise any.
    pub(crate) fn bytes_of_text(self) -> Result<Option<Cow<'i, [u8]>>, InputError> {
        let is_text = |bytes: &[u8]| begins_as_text(&bytes[..bytes.len().min(BEGINNING_BYTES)]);
        match self {
            Self::OfTree { root, file } if !is_read(&file.path) => match &file.content {
                Content::Held(bytes) => Ok(is_text(bytes).then_some(Cow::Borrowed(bytes))),
                Content::OnDisk { .. } => {
                    read_if_text(root, &file.path).map(|text| text.map(Cow::Owned))
                }
            },
            _ => self.bytes().map(Some),
        }
    }
}

/// Joins two paths as `Path::join` does, which makes room for the first alone and then for both: of every file of a tree
/// there is one.
fn joined(directory: &Path, rest: impl AsRef<Path>) -> PathBuf {
    let rest = rest.as_ref();
    let bytes = directory.as_os_str().len() + "/".len() + rest.as_os_str().len();
    let mut path = PathBuf::with_capacity(bytes);
    path.push(directory);
    path.push(rest);
    path
}

/// Returns a path, safe to show.
pub(crate) fn shown_path(path: &Path) -> String {
    if let Some(text) = path.to_str().filter(|text| is_shown_as_it_stands(text)) {
        return text.to_owned();
    }
    let mut out = String::new();
    // A path is longer than what messages otherwise repeat, and its end is what tells it from others.
    for part in path.components() {
        if !out.is_empty() && !out.ends_with('/') {
            out.push('/');
        }
        out.push_str(&shown(&part.as_os_str().to_string_lossy()));
    }
    out
}

/// Returns whether a path is plain, and nothing in it is left out by going through its parts.
fn is_shown_as_it_stands(path: &str) -> bool {
    is_plain(path)
        && !["//", "/./"].iter().any(|idle| path.contains(idle))
        && !["/", "/."].iter().any(|idle| path.ends_with(idle))
}

/// Tells a link that leads in a circle from what else can go wrong.
fn link_error(path: &Path, source: io::Error) -> InputError {
    let path = path.to_owned();
    // The kind for it has no stable name yet; so it is told by what else a link that cannot be resolved can suffer from.
    let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
    let is_loop = is_link
        && !matches!(
            source.kind(),
            io::ErrorKind::NotFound
                | io::ErrorKind::PermissionDenied
                | io::ErrorKind::NotADirectory
        );
    if is_loop {
        return InputError::Loop { path };
    }
    InputError::Read { path, source }
}

/// Reads a file or a pipe.
fn read_file(path: &Path) -> Result<Vec<u8>, InputError> {
    let file = File::open(path).map_err(|source| failed(path, source))?;
    let metadata = file.metadata().map_err(|source| failed(path, source))?;
    read_to_end(&|| path.to_owned(), &file, Vec::new(), metadata.len())
}

/// Reads what was a file when its tree was gone through, and had so many bytes, if it was asked.
fn read_tree_file(root: &Root, path: &Path, known: Option<u64>) -> Result<Vec<u8>, InputError> {
    let file = open_tree_file(root, path)?;
    let mut bytes = Vec::new();
    // What gives as much as it had is what it was: its size need not be asked again, and there are very many files.
    if let Some(known) = known.filter(|known| *known > 0)
        && given(&file, &mut bytes, known).is_ok_and(|given| given == known)
    {
        return Ok(bytes);
    }
    let claimed = size_of_file(root, path, &file)?;
    read_to_end(&|| root.join(path), &file, bytes, claimed)
}

/// Reads what a file gives at once, where it has so many bytes, and leaves room for one more.
fn given(file: &File, bytes: &mut Vec<u8>, known: u64) -> rustix::io::Result<u64> {
    let room = usize::try_from(known.min(INPUT_BYTES_MAX)).unwrap_or_default() + 1;
    bytes.reserve_exact(room);
    rustix::io::read(file, spare_capacity(bytes)).map(|given| given as u64)
}

/// Reads what was a file of a tree, if it is text as far as its beginning tells.
fn read_if_text(root: &Root, path: &Path) -> Result<Option<Vec<u8>>, InputError> {
    let file = open_tree_file(root, path)?;
    let claimed = size_of_file(root, path, &file)?;
    let path = &|| root.join(path);
    let mut bytes = Vec::with_capacity(BEGINNING_BYTES);
    let beginning = (&file).take(BEGINNING_BYTES as u64).read_to_end(&mut bytes);
    beginning.map_err(|source| failed(&path(), source))?;
    if !begins_as_text(&bytes) {
        return Ok(None);
    }
    read_to_end(path, &file, bytes, claimed).map(Some)
}

/// Opens what was a file when its tree was gone through. Since then it may have become a link that leads elsewhere, as may a
/// directory above it, or a pipe that nobody writes to; none is waited for or followed.
fn open_tree_file(root: &Root, path: &Path) -> Result<File, InputError> {
    match root.open_below(path) {
        Ok(file) => Ok(File::from(file)),
        Err(rustix::io::Errno::LOOP) => Err(replaced(root, path)),
        Err(source) => Err(failed(&root.join(path), source.into())),
    }
}

/// Returns the size of what was opened, if it is a file still.
fn size_of_file(root: &Root, path: &Path, file: &File) -> Result<u64, InputError> {
    let metadata = file.metadata();
    let metadata = metadata.map_err(|source| failed(&root.join(path), source))?;
    match metadata.is_file() {
        true => Ok(metadata.len()),
        false => Err(replaced(root, path)),
    }
}

fn replaced(root: &Root, path: &Path) -> InputError {
    let path = root.join(path);
    InputError::Replaced { path }
}

fn failed(path: &Path, source: io::Error) -> InputError {
    InputError::Read {
        path: path.to_owned(),
        source,
    }
}

/// Reads on to the end of what claims a size, up to the limit. A pipe claims none, and a file may grow meanwhile.
///
/// Where a file gives all it claims and there was room for more, it is at its end, and need not be asked again: trees
/// have very many small files.
fn read_to_end(
    path: &impl Fn() -> PathBuf,
    mut file: &File,
    mut bytes: Vec<u8>,
    claimed: u64,
) -> Result<Vec<u8>, InputError> {
    let too_large = || InputError::TooLarge {
        path: path(),
        max: INPUT_BYTES_MAX,
    };
    if claimed > INPUT_BYTES_MAX {
        return Err(too_large());
    }
    let claimed = usize::try_from(claimed).unwrap_or_default();
    bytes.reserve_exact(claimed.saturating_sub(bytes.len()) + 1);
    while claimed > 0 && bytes.len() < claimed {
        match rustix::io::read(file, spare_capacity(&mut bytes)) {
            Ok(0) => return Ok(bytes),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(source) => return Err(failed(&path(), source.into())),
        }
    }
    if claimed > 0 && bytes.len() == claimed {
        return Ok(bytes);
    }
    let limit = INPUT_BYTES_MAX + 1 - bytes.len() as u64;
    let rest = Read::by_ref(&mut file).take(limit).read_to_end(&mut bytes);
    rest.map_err(|source| failed(&path(), source))?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(too_large());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shown_by_its_parts() {
        let long = "a".repeat(150);
        let two = format!("{long}/{long}");
        for (path, expected) in [
            ("/", "/"),
            ("", ""),
            ("/tmp/.hidden/a.json", "/tmp/.hidden/a.json"),
            ("./a", "./a"),
            ("a//b/./c/", "a/b/c"),
            ("a/b/.", "a/b"),
            ("/a\u{1b}/b", "/a\\u{1b}/b"),
            (&two, &two),
        ] {
            assert_eq!(shown_path(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn two_paths_are_joined_in_room_for_both() {
        for (directory, rest) in [("a", "b/c"), ("a/", "b"), ("/", "b"), ("", "b"), ("a", "")] {
            let directory = Path::new(directory);
            assert_eq!(joined(directory, rest), directory.join(rest));
        }
    }

    /// The size that a file had when the tree was gone through spares a call; it is no promise.
    #[test]
    fn a_file_that_changed_its_size_is_read_as_it_stands() {
        let directory = tempfile::TempDir::new().unwrap();
        let place = directory.path().join("summary.json");
        for before in ["", "abc"] {
            fs::write(&place, before).unwrap();
            let input = Input::open(directory.path()).unwrap();
            for now in ["", "a", "abc", "abcd", &"a".repeat(100_000)] {
                fs::write(&place, now).unwrap();
                let file = input.files().next().unwrap();
                assert_eq!(*file.bytes().unwrap(), *now.as_bytes(), "{before:?}");
            }
        }
    }

    #[test]
    fn a_file_of_the_root_is_known_by_the_roots_name() {
        let root = &Root::from("target/get/new");
        for (path, expected) in [
            ("sample.json", "target/get/new/sample.json"),
            ("other/sample.json", "other/sample.json"),
        ] {
            let file = TreeFile {
                path: path.into(),
                content: Content::OnDisk { bytes: None },
            };
            let file = InputFile::OfTree { root, file: &file };
            assert_eq!(file.path_from_directory().unwrap(), Path::new(expected));
        }
    }
}
