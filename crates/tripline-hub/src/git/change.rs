//! What is to be pushed: files, a message and an author, none of which can lead git anywhere else.
//!
//! All of it is checked here, once, so that git is never asked for something that it would understand otherwise. Tested
//! below.

use std::collections::BTreeSet;
use std::fmt;

use tripline_model::few;

use super::file_path::FilePath;
use crate::CommitId;
use crate::text::shown;

/// The most characters of a wrong value that a message repeats.
pub(super) const WRONG_CHARS_MAX: usize = 80;

/// Says what is wrong with a change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// It cannot be a path in a branch of ours.
    #[error(
        "`{given}` is no path for a file, which is folders and a name of letters, digits and `._-+=@,%` with `/` between \
         them, none beginning with `.git` or ending with a dot, at most {} bytes long",
        FilePath::BYTES_MAX
    )]
    Path {
        /// What was given, safe to show.
        given: String,
    },
    /// It cannot be an author.
    #[error(
        "`{given}` is no name or address of an author, which is visible characters without `<` and `>`"
    )]
    Identity {
        /// What was given, safe to show.
        given: String,
    },
    /// Two files have one path, or one is a folder of the other.
    #[error("`{path}` is there twice, or as a file and as a folder")]
    Twice {
        /// The path of the second.
        path: FilePath,
    },
    /// It is larger than anything that is meant to be pushed this way.
    #[error(
        "{files} files of {bytes} bytes together are more than the {} files or {} bytes allowed",
        Change::FILES_MAX,
        Change::BYTES_MAX
    )]
    TooLarge {
        /// How many files.
        files: usize,
        /// How many bytes together.
        bytes: usize,
    },
    /// There is no file in it.
    #[error("there is no file in the change")]
    Empty,
    /// The message cannot be one.
    #[error(
        "the message is empty, longer than {} bytes, or has a zero byte",
        Change::MESSAGE_BYTES_MAX
    )]
    Message,
}

/// One file as it shall stand in the branch.
#[derive(Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Where.
    pub path: FilePath,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for NewFile {
    /// Shows how much is in it, not what: a list of planned effects is read by people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} bytes)", self.path, self.bytes.len())
    }
}

/// Who a commit is by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    name: Box<str>,
    address: Box<str>,
}

impl Identity {
    /// The longest name or address that is taken.
    const CHARS_MAX: usize = 256;

    /// Takes a name and a mail address.
    ///
    /// # Errors
    /// One of them is empty, long, or holds what would end it in a commit.
    pub fn new(name: &str, address: &str) -> Result<Self, ChangeError> {
        for text in [name, address] {
            // What git strips from either end of a name; nothing else in it is no name to git.
            let stripped = text.trim_matches(|c: char| c == ' ' || ".,:;\"\\'".contains(c));
            let is_good = text
                .chars()
                .all(|c| !c.is_control() && c != '<' && c != '>');
            if stripped.is_empty() || !is_good || text.chars().count() > Self::CHARS_MAX {
                let given = shown(text, WRONG_CHARS_MAX);
                return Err(ChangeError::Identity { given });
            }
        }
        Ok(Self {
            name: name.into(),
            address: address.into(),
        })
    }

    /// Returns who commits in GitHub Actions: the account that its own token belongs to.
    #[must_use]
    pub fn actions_bot() -> Self {
        Self {
            name: "github-actions[bot]".into(),
            address: "41898282+github-actions[bot]@users.noreply.github.com".into(),
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the mail address.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// Files to push, as one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    files: Vec<NewFile>,
    made_of: Vec<NewFile>,
    known_end: Option<Option<CommitId>>,
    message: String,
    author: Identity,
}

impl Change {
    /// The most files of one commit.
    pub const FILES_MAX: usize = 2000;
    /// The most bytes of all files together; the remote takes no file above 100 MiB.
    pub const BYTES_MAX: usize = 64 << 20;
    /// The longest message of a commit.
    pub const MESSAGE_BYTES_MAX: usize = 16 << 10;

    /// Takes files, the message of their commit, and who it is by.
    ///
    /// # Errors
    /// There is no file, too much of them, two in one place, or no fit message.
    pub fn new(
        files: Vec<NewFile>,
        message: impl Into<String>,
        author: Identity,
    ) -> Result<Self, ChangeError> {
        let message = message.into();
        if message.trim().is_empty()
            || message.len() > Self::MESSAGE_BYTES_MAX
            || message.contains('\0')
        {
            return Err(ChangeError::Message);
        }
        if files.is_empty() {
            return Err(ChangeError::Empty);
        }
        let bytes = files.iter().map(|file| file.bytes.len()).sum();
        if files.len() > Self::FILES_MAX || bytes > Self::BYTES_MAX {
            let files = files.len();
            return Err(ChangeError::TooLarge { files, bytes });
        }
        check_places(&files)?;
        Ok(Self {
            files,
            made_of: Vec::new(),
            known_end: None,
            message,
            author,
        })
    }

    /// Says what the files were made of: they are appended only to a branch that holds all of it as it was read.
    #[must_use]
    pub fn made_of(self, read: Vec<NewFile>) -> Self {
        Self {
            made_of: read,
            ..self
        }
    }

    /// Says how much of the branch was known when it was thought of: its end, or that there is none. It is appended to nothing
    /// else, because what came since may hold the same.
    #[must_use]
    pub fn knowing(self, end: Option<CommitId>) -> Self {
        Self {
            known_end: Some(end),
            ..self
        }
    }

    /// Returns whether it may be appended to a branch that ends so.
    pub(super) fn knows(&self, end: Option<&CommitId>) -> bool {
        let known = self.known_end.as_ref();
        known.is_none_or(|known| known.as_ref() == end)
    }

    /// Returns the files.
    #[must_use]
    pub fn files(&self) -> &[NewFile] {
        &self.files
    }

    /// Returns the message.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns who it is by.
    #[must_use]
    pub fn author(&self) -> &Identity {
        &self.author
    }

    /// Returns the files, and after them those that they were made of.
    pub(super) fn with_sources(&self) -> impl Iterator<Item = &NewFile> {
        self.files.iter().chain(&self.made_of)
    }

    /// Returns what is in it, in a few words.
    pub(super) fn about(&self) -> String {
        counted_files(&self.files[0].path, self.files.len())
    }
}

/// Returns files in a few words.
pub(super) fn counted_files(first: &FilePath, count: usize) -> String {
    let first = shown(first.as_str(), WRONG_CHARS_MAX);
    match count {
        1 => format!("`{first}`"),
        files => format!("{files} files, `{first}` first,"),
    }
}

/// Complains about two files in one place: git would take one of them without a word.
fn check_places(files: &[NewFile]) -> Result<(), ChangeError> {
    let folders = few::set_of(files.iter().flat_map(|file| file.path.folders()));
    let mut seen = BTreeSet::new();
    let clash = files
        .iter()
        .find(|file| !seen.insert(&file.path) || folders.contains(file.path.as_str()));
    match clash {
        Some(file) => Err(ChangeError::Twice {
            path: file.path.clone(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> NewFile {
        NewFile {
            path: path.parse().unwrap(),
            bytes: b"x".to_vec(),
        }
    }

    fn change(files: Vec<NewFile>, message: &str) -> Result<Change, ChangeError> {
        Change::new(files, message, Identity::actions_bot())
    }

    #[test]
    fn two_files_in_one_place_are_refused() {
        for paths in [["a/b", "a/b"], ["a/b", "a"], ["a", "a/b/c"]] {
            let error = change(paths.map(file).into(), "m").expect_err("one place");
            assert!(matches!(error, ChangeError::Twice { .. }), "{error}");
        }
        change(["a/b", "a/c", "ab"].map(file).into(), "m").expect("three places");
    }

    #[test]
    fn a_change_has_files_a_message_and_a_limit() {
        assert_eq!(change(vec![], "m"), Err(ChangeError::Empty));
        for message in [
            "",
            " \n",
            "a\0b",
            &"x".repeat(Change::MESSAGE_BYTES_MAX + 1),
        ] {
            assert_eq!(change(vec![file("a")], message), Err(ChangeError::Message));
        }
        let many = (0..=Change::FILES_MAX).map(|at| file(&format!("f{at}")));
        let error = change(many.collect(), "m").expect_err("too many");
        assert!(matches!(error, ChangeError::TooLarge { .. }), "{error}");
    }

    #[test]
    fn authors_cannot_end_themselves() {
        Identity::new("Ada Lovelace", "ada@example.org").expect("an author");
        for (name, address) in [
            ("", "a@b"),
            ("Ada", ""),
            (".", "a@b"),
            ("Ada <x@y>", "a@b"),
            ("Ada\nparent 0", "a@b"),
            ("Ada", "a@b>\n"),
            (&"x".repeat(300), "a@b"),
        ] {
            assert!(
                Identity::new(name, address).is_err(),
                "{name:?} {address:?}"
            );
        }
    }

    #[test]
    fn a_change_is_shown_without_what_is_in_it() {
        let one = change(vec![file("a/b")], "m").unwrap();
        assert_eq!(one.about(), "`a/b`");
        assert_eq!(format!("{:?}", one.files()), "[a/b (1 bytes)]");
        let two = change(["a/b", "c"].map(file).into(), "m").unwrap();
        assert_eq!(two.about(), "2 files, `a/b` first,");
    }
}
