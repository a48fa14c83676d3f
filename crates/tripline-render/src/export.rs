//! What is handed on to other services, and what can go wrong with it.
//!
//! Each form is one file under `exporters/`. Tested by `tests/render/export`.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tripline_model::{CommitId, CommitSubject, Run};

use crate::escape;
use crate::link::Link;

/// Describes one form in which runs are handed to another service.
#[derive(Debug)]
pub struct Exporter {
    /// The name by which it is asked for.
    pub name: &'static str,
    /// What takes it, in a few words.
    pub about: &'static str,
    /// Writes runs in that form.
    pub export: fn(&Export<'_>) -> Result<String, ExportError>,
}

/// What is handed on, and what else is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The runs, of any number of suites and commits.
    pub runs: &'a [Run],
    /// What is known of their commits.
    pub commits: &'a BTreeMap<CommitId, CommitNote>,
    /// The address of their repository's page.
    pub repository: Option<&'a Link>,
    /// What is there already, where a form can be added to.
    pub existing: Option<Existing<'a>>,
}

/// A history that somebody keeps, as the texts it is made of.
#[derive(Debug, Clone, Copy)]
pub struct Existing<'a> {
    /// Its members, in order; in the place of `entries` stand the suites.
    pub members: &'a [(String, &'a str)],
    /// The runs of each suite, a list in JSON.
    pub suites: &'a [(String, &'a str)],
}

impl<'a> Export<'a> {
    /// Hands on runs of which nothing else is known.
    #[must_use]
    pub fn of(runs: &'a [Run]) -> Self {
        static NOTHING: BTreeMap<CommitId, CommitNote> = BTreeMap::new();
        Self {
            runs,
            commits: &NOTHING,
            repository: None,
            existing: None,
        }
    }
}

/// What is known of a commit besides its hash.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommitNote {
    /// The first line of its message.
    pub subject: Option<CommitSubject>,
    /// When it was made.
    pub committed_at: Option<Timestamp>,
}

/// Says why runs were not handed on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The form is written whole each time.
    #[error("{0} is written whole each time, and cannot be added to what is there")]
    Existing(&'static str),
    /// The form has room for one value of each, and runs hold several.
    #[error("{form} holds one run of each benchmark, and `{bench}` stands in several of these")]
    Twice {
        /// The form.
        form: &'static str,
        /// A benchmark that stands in several runs.
        bench: String,
    },
    /// Two names would become one.
    #[error("{form} would know two things by the one name `{name}`")]
    Alike {
        /// The form.
        form: &'static str,
        /// The name there.
        name: String,
    },
}

/// Refuses to add to what is there, for forms that are written whole each time.
pub(crate) fn is_new(told: &Export<'_>, form: &'static str) -> Result<(), ExportError> {
    match told.existing {
        None => Ok(()),
        Some(_) => Err(ExportError::Existing(form)),
    }
}

/// Refuses several runs of one benchmark, for forms in which they would take each other's place.
pub(crate) fn is_once(told: &Export<'_>, form: &'static str) -> Result<(), ExportError> {
    let mut seen = BTreeSet::new();
    let mut benches = told.runs.iter().flat_map(Run::measurements);
    match benches.find(|measurement| !seen.insert(measurement.bench())) {
        None => Ok(()),
        Some(twice) => Err(ExportError::Twice {
            form,
            bench: escape::visible(&twice.bench().to_string()),
        }),
    }
}
