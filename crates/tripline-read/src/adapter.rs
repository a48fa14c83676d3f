//! What an adapter is, and how the right one is found.
//!
//! Sniffing is exclusive: an input that two adapters take for theirs is an error, because the order of a list must not
//! decide what a number means. Tested by `tests/it/sniffing.rs` on every fixture.

use std::path::Path;

use tripline_model::SuiteName;

use crate::adapters::ADAPTERS;
use crate::colours::without_colours;
use crate::document::blocks;
use crate::encoding;
use crate::input::{Input, InputError};
use crate::{Observed, ReadError};

/// Reads the output of one harness.
#[derive(Debug)]
pub struct Adapter {
    /// The name under which configuration and command line know it.
    pub name: &'static str,
    /// What it reads, in a few words.
    pub about: &'static str,
    /// Which files of a directory it reads. A single file is read whatever it is called.
    pub(crate) files: fn(&Path) -> bool,
    /// What tells the harness's output from all others, however damaged it may be.
    pub(crate) mark: Mark,
    /// What to do where an input holds no result.
    pub(crate) hint: &'static str,
    /// Reads an input as results of the suite.
    pub read: fn(&Input, &SuiteName) -> Result<Observed, ReadError>,
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
    fn is_in(self, text: &str) -> bool {
        match self {
            Self::Line(is_marked) => text.lines().any(is_marked),
            Self::Object(is_marked) => {
                blocks(text).any(|block| block.is_object() && is_marked(block.text))
            }
            Self::Text(is_marked) => is_marked(text),
            Self::Path(_) => false,
        }
    }

    fn is_path(self, path: &Path) -> bool {
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
        /// The adapters that recognize it.
        adapters: Vec<&'static str>,
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
    let mut is_found = vec![false; ADAPTERS.len()];
    for file in input.files() {
        let owner = file.path().and_then(|path| {
            ADAPTERS
                .iter()
                .position(|adapter| adapter.mark.is_path(&path))
        });
        if let Some(owner) = owner {
            is_found[owner] = true;
            continue;
        }
        // Each file is read once for all adapters that have not found their mark yet.
        let open: Vec<usize> = (0..ADAPTERS.len())
            .filter(|index| !is_found[*index] && file.is_wanted(ADAPTERS[*index].files))
            .collect();
        if open.is_empty() {
            continue;
        }
        let bytes = file.bytes()?;
        let text = encoding::beginning(&bytes);
        let text = without_colours(&text);
        for index in open {
            is_found[index] = ADAPTERS[index].mark.is_in(&text);
        }
    }
    let adapters = ADAPTERS.iter().zip(is_found);
    let found = adapters
        .filter_map(|(adapter, is_found)| is_found.then_some(*adapter))
        .collect();
    Ok(found)
}

/// Returns the one adapter that recognizes the input.
///
/// # Errors
/// None does, or more than one does; the error says what to do.
pub fn sniff(input: &Input) -> Result<&'static Adapter, SniffError> {
    let found = recognized(input)?;
    match found[..] {
        [] => Err(SniffError::Unknown {
            input: input.shown_name(),
        }),
        [adapter] => Ok(adapter),
        _ => Err(SniffError::Ambiguous {
            input: input.shown_name(),
            adapters: found.iter().map(|adapter| adapter.name).collect(),
        }),
    }
}
