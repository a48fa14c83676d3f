//! What an adapter is, and how the right one is found.
//!
//! Sniffing is exclusive: an input that two adapters take for theirs is an error, because the order of a list must not
//! decide what a number means. Tested by `tests/it/sniffing.rs` on every fixture.

use std::path::Path;

use tripline_model::SuiteName;
use tripline_model::few;

use crate::adapters::ADAPTERS;
use crate::document::blocks;
use crate::input::{Input, InputError, InputFile, shown_path};
use crate::routing::{Marked, marked, others_beside, owner, tell_of_others};
use crate::{Observed, Problem, ReadError};

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
    /// Reads an input as results of the suite. What a directory holds of other harnesses is a problem, and what it may hold of
    /// them is passed over.
    ///
    /// # Errors
    /// Nothing can be read; the error names the place, and says what to do.
    pub fn read(&self, input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
        let mut observed = (self.read)(input, suite)?;
        tell_of_others(self, input, &mut observed)
            .map_err(|error| ReadError::unreadable(&input.shown_name(), &error))?;
        Ok(observed)
    }

    /// Says which results of other harnesses an input holds beside those of this one, each of which is passed over when it is
    /// read. Where the harness was recognized there are none; whoever named it may not know of them.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn others_in(&self, input: &Input) -> Result<Vec<Problem>, ReadError> {
        let others = others_beside(self, input);
        others.map_err(|error| ReadError::unreadable(&input.shown_name(), &error))
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
    /// By the first, or faintly by the second: in a form that others write as well, so that it proves nothing by itself.
    OrFaintly(&'static Self, fn(&str) -> bool),
    /// In the path of a file, below the directory that was named. Such a file is nobody else's, whatever it holds.
    Path(fn(&Path) -> bool),
}

impl Mark {
    /// Returns whether a text surely has the mark.
    pub(crate) fn is_in(self, text: &str) -> bool {
        match self {
            Self::Line(is_marked) => text.lines().any(is_marked),
            Self::Object(is_marked) => {
                blocks(text).any(|block| block.is_object() && is_marked(block.text))
            }
            Self::Text(is_marked) => is_marked(text),
            Self::OrFaintly(sure, _) => sure.is_in(text),
            Self::Path(_) => false,
        }
    }

    /// Returns whether a text may have the mark, as far as its form tells.
    pub(crate) fn is_faintly_in(self, text: &str) -> bool {
        matches!(self, Self::OrFaintly(_, is_marked) if is_marked(text))
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
    /// A directory holds nothing but what others may have written as well.
    #[error(
        "no file of `{input}` is surely a harness's, though {} may be: name the harness, if it wrote them",
        .adapters.join(" and ")
    )]
    Unsure {
        /// The input's name.
        input: String,
        /// The adapters whose form files have, and the first file of each.
        adapters: Vec<String>,
    },
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

/// Returns all names, in the order in which a name is looked for.
fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = ADAPTERS.iter().map(|adapter| adapter.name).collect();
    names.sort_unstable();
    names
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
    let found = First::of(input)?.recognized(input).into_iter();
    Ok(found.map(|(adapter, _)| adapter).collect())
}

/// The adapters that recognize an input, and the first file in which each does.
#[derive(Default)]
struct First<'i> {
    sure: Vec<(&'static Adapter, InputFile<'i>)>,
    faint: Vec<(&'static Adapter, InputFile<'i>)>,
}

impl<'i> First<'i> {
    fn of(input: &'i Input) -> Result<Self, InputError> {
        let mut first = Self::default();
        for file in input.files() {
            let is_found =
                |one: &Adapter| first.sure.iter().any(|(other, _)| other.name == one.name);
            let found = match owner(file) {
                Some(owner) if is_found(owner) => Marked::default(),
                Some(owner) => Marked::surely(owner),
                None => marked(file, input, |one| !is_found(one))?,
            };
            let in_file = |adapter| (adapter, file);
            first.sure.extend(found.sure.into_iter().map(in_file));
            for adapter in found.faint {
                if first.faint.iter().all(|(one, _)| one.name != adapter.name) {
                    first.faint.push((adapter, file));
                }
            }
        }
        let place = |one: &Adapter| ADAPTERS.iter().position(|other| other.name == one.name);
        for found in [&mut first.sure, &mut first.faint] {
            few::sort_by_key(found, |(adapter, _)| place(adapter));
        }
        Ok(first)
    }

    /// Returns those that count. Whoever names one file means it; in a directory lies anything, so what is no proof there
    /// claims nothing.
    fn recognized(&self, input: &Input) -> Vec<(&'static Adapter, InputFile<'i>)> {
        match input {
            Input::Text { .. } if self.sure.is_empty() => self.faint.clone(),
            _ => self.sure.clone(),
        }
    }
}

/// Returns the one adapter that recognizes the input.
///
/// # Errors
/// None does, none does surely, or more than one does; the error says what to do.
pub fn sniff(input: &Input) -> Result<&'static Adapter, SniffError> {
    let first = First::of(input)?;
    let name = input.shown_name();
    match first.recognized(input)[..] {
        [] if first.faint.is_empty() => Err(SniffError::Unknown { input: name }),
        [] => Err(SniffError::Unsure {
            input: name,
            adapters: with_files(&first.faint),
        }),
        [(adapter, _)] => Ok(adapter),
        ref found => Err(SniffError::Ambiguous {
            input: name,
            adapters: with_files(found),
        }),
    }
}

/// Returns the names of adapters, and of a directory the first file of each.
fn with_files(found: &[(&'static Adapter, InputFile<'_>)]) -> Vec<String> {
    let named = found
        .iter()
        .map(|(adapter, file)| match file.path_in_tree() {
            Some(path) => format!("{} (`{}`)", adapter.name, shown_path(path)),
            None => adapter.name.to_owned(),
        });
    named.collect()
}
