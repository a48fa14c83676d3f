//! What an adapter is, and how the right one is found.
//!
//! Sniffing is exclusive: an input that two adapters take for theirs is an error, because the order of a list must not
//! decide what a number means. Tested by `tests/it/sniffing.rs` on every fixture.

use std::path::Path;

use tripline_model::SuiteName;

use crate::adapters::ADAPTERS;
use crate::document::blocks;
use crate::input::{Input, InputError, InputFile, shown_path};
use crate::routing::{marked, owner, tell_of_others};
use crate::{Observed, ReadError};

/// Reads the output of one harness.
#[derive(Debug)]
pub struct Adapter {
    /// The name under which configuration and command line know it.
    pub name: &'static str,
    /// What it reads, in a few words.
    pub about: &'static str,
    /// Which files of a directory it reads whatever they hold; the others are those that have its mark. A single file is read
    /// whatever it is called.
    pub(crate) files: fn(&Path) -> bool,
    /// What tells the harness's output from all others, however damaged it may be.
    pub(crate) mark: Mark,
    /// What to do where an input holds no result.
    pub(crate) hint: &'static str,
    /// Reads the adapter's own files of an input.
    pub(crate) read: fn(&Input, &SuiteName) -> Result<Observed, ReadError>,
}

impl Adapter {
    /// Reads an input as results of the suite. What a directory holds of other harnesses is a problem.
    ///
    /// # Errors
    /// Nothing can be read; the error names the place, and says what to do.
    pub fn read(&self, input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
        let mut observed = (self.read)(input, suite)?;
        tell_of_others(self, input, &mut observed)
            .map_err(|error| ReadError::unreadable(&input.shown_name(), &error))?;
        Ok(observed)
    }
}

/// Where an adapter finds its mark.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mark {
    /// In a line.
    Line(fn(&str) -> bool),
    /// In what was meant as an object, on one line or many.
    Object(fn(&str) -> bool),
    /// In a text as a whole.
    Text(fn(&str) -> bool),
    /// In the path of a file, below the directory that was named. Such a file is nobody else's, whatever it holds.
    Path(fn(&Path) -> bool),
}

impl Mark {
    /// Returns whether a text has the mark.
    pub(crate) fn is_in(self, text: &str) -> bool {
        match self {
            Self::Line(is_marked) => text.lines().any(is_marked),
            Self::Object(is_marked) => {
                blocks(text).any(|block| block.is_object() && is_marked(block.text))
            }
            Self::Text(is_marked) => is_marked(text),
            Self::Path(_) => false,
        }
    }

    /// Returns whether a path is one.
    pub(crate) fn is_path(self, path: &Path) -> bool {
        matches!(self, Self::Path(is_marked) if is_marked(path))
    }
}

/// Says why no adapter was chosen for an input.
#[derive(Debug, thiserror::Error)]
pub enum SniffError {
    /// No adapter takes the input for its own.
    #[error(
        "no harness is known to write what `{input}` holds: name the harness, one of {}, or check that its output is whole",
        names().join(", ")
    )]
    Unknown {
        /// The input's name.
        input: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] InputError),
    /// More than one adapter takes the input for its own.
    #[error(
        "`{input}` could be the output of {}: name the harness, or give the files of each on their own",
        .adapters.join(" or ")
    )]
    Ambiguous {
        /// The input's name.
        input: String,
        /// The adapters that recognize it, and of a directory the first file of each.
        adapters: Vec<String>,
    },
}

fn names() -> Vec<&'static str> {
    ADAPTERS.iter().map(|adapter| adapter.name).collect()
}

/// Returns the adapter of that name.
#[must_use]
pub fn adapter(name: &str) -> Option<&'static Adapter> {
    ADAPTERS
        .iter()
        .copied()
        .find(|adapter| adapter.name == name)
}

/// Returns the adapters that recognize an input.
///
/// Only what is text is looked at; what is wrong with the rest is for reading to say.
///
/// # Errors
/// A file of a directory cannot be read.
pub fn recognized(input: &Input) -> Result<Vec<&'static Adapter>, InputError> {
    let found = first_files(input)?.into_iter();
    Ok(found.map(|(adapter, _)| adapter).collect())
}

/// Returns the adapters that recognize an input, and the first file in which each does.
fn first_files(input: &Input) -> Result<Vec<(&'static Adapter, InputFile<'_>)>, InputError> {
    let mut found: Vec<(&'static Adapter, InputFile<'_>)> = Vec::new();
    for file in input.files() {
        let is_found = |one: &Adapter| found.iter().any(|(other, _)| other.name == one.name);
        let new = match owner(file) {
            Some(owner) if is_found(owner) => Vec::new(),
            Some(owner) => vec![owner],
            None => marked(file, input, |one| !is_found(one))?,
        };
        found.extend(new.into_iter().map(|adapter| (adapter, file)));
    }
    let place = |one: &Adapter| ADAPTERS.iter().position(|other| other.name == one.name);
    found.sort_by_key(|(adapter, _)| place(adapter));
    Ok(found)
}

/// Returns the one adapter that recognizes the input.
///
/// # Errors
/// None does, or more than one does; the error says what to do.
pub fn sniff(input: &Input) -> Result<&'static Adapter, SniffError> {
    let found = first_files(input)?;
    match found[..] {
        [] => Err(SniffError::Unknown {
            input: input.shown_name(),
        }),
        [(adapter, _)] => Ok(adapter),
        _ => Err(SniffError::Ambiguous {
            input: input.shown_name(),
            adapters: found
                .iter()
                .map(|(adapter, file)| match file.path_in_tree() {
                    Some(path) => format!("{} (`{}`)", adapter.name, shown_path(path)),
                    None => adapter.name.to_owned(),
                })
                .collect(),
        }),
    }
}
