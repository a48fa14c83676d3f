//! Which state of the code was measured.

use std::fmt;

use crate::names::NameError;

/// Names a git commit by its full hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(Box<str>);

impl CommitId {
    /// Checks a full hexadecimal hash, of SHA-1 or SHA-256, and keeps it in lower case.
    ///
    /// # Errors
    /// The text is no full hash.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hash {
            let shown: String = text.chars().filter(|c| !c.is_control()).take(80).collect();
            return Err(NameError::Form {
                what: "the commit",
                text: shown,
                form: "40 or 64 hexadecimal digits",
            });
        }
        Ok(Self(text.to_ascii_lowercase().into()))
    }

    /// Returns the full hash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first ten digits, enough for a table.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..10]
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Says whether the work tree held what the commit holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WorkTree {
    /// It did.
    Clean,
    /// It held changes that are in no commit.
    Modified,
}

/// Names the state of the code that was measured.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Revision {
    /// The commit that was checked out.
    pub commit: CommitId,
    /// Whether the work tree was that commit.
    pub work_tree: WorkTree,
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.commit.short())?;
        match self.work_tree {
            WorkTree::Clean => Ok(()),
            WorkTree::Modified => f.write_str(" with changes"),
        }
    }
}
