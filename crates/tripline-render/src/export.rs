//! What is handed on to other services, and what can go wrong with it.
//!
//! Each form is one file under `exporters/`. Tested by `tests/render/export`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::Timestamp;
use tripline_model::{
    Better, CommitId, CommitSubject, Measurement, Origin, Record, Run, SeriesSet, WorkTree,
};

use crate::directed::{Directed, IsHeld};
use crate::escape;
use crate::link::Link;

/// Describes one form in which runs are handed to another service.
#[derive(Debug)]
pub struct Exporter {
    /// The name by which it is asked for.
    pub name: &'static str,
    /// What takes it, in a few words.
    pub about: &'static str,
    /// Whether it is the form that histories are taken over from, and hands those runs back as they were.
    pub hands_back: bool,
    /// Writes runs in that form.
    pub export: for<'a> fn(&Export<'a>) -> Result<Exported<'a>, ExportError>,
}

/// What is handed on, in pieces: a history may have a hundred megabytes, and what is there already is not copied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exported<'a> {
    pieces: Vec<Cow<'a, str>>,
    notes: Vec<String>,
}

impl<'a> Exported<'a> {
    /// Adds a piece.
    pub(crate) fn push(&mut self, piece: impl Into<Cow<'a, str>>) {
        self.pieces.push(piece.into());
    }

    /// Adds what whoever asked for the form is to be told beside it.
    pub(crate) fn note(&mut self, notes: impl IntoIterator<Item = String>) {
        self.notes.extend(notes);
    }

    /// Returns the pieces, in order.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| &**piece)
    }

    /// Returns what is to be told beside it, such as what the form has no room for.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().map(|note| &**note)
    }
}

impl From<String> for Exported<'_> {
    fn from(text: String) -> Self {
        Self {
            pieces: vec![text.into()],
            notes: Vec::new(),
        }
    }
}

impl fmt::Display for Exported<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}

/// What is handed on, and what else is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The runs, of any number of suites and commits.
    pub runs: &'a [Run],
    /// Runs that were taken over, for a form that hands them back: by suite, and in the order in which they stood there.
    pub taken: &'a [Taken<'a>],
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
    pub members: &'a [(String, Cow<'a, str>)],
    /// The runs of each suite, a list in JSON.
    pub suites: &'a [(String, Cow<'a, str>)],
}

/// A run that was taken over.
#[derive(Debug, Clone)]
pub struct Taken<'a> {
    /// What its suite was called there.
    pub title: Cow<'a, str>,
    /// The address of the page of the repository there.
    pub repository: Option<&'a str>,
    /// When the whole was last written, in milliseconds since 1970.
    pub last_update: Option<f64>,
    /// What was kept of it.
    pub record: &'a Record,
    /// What else it says.
    pub origin: &'a Origin,
    /// The series of its points.
    pub series: &'a SeriesSet,
    /// Whether its tool's ranges stood in front of their units there.
    pub has_range_first: bool,
}

impl<'a> Export<'a> {
    /// Hands on runs of which nothing else is known.
    #[must_use]
    pub fn of(runs: &'a [Run]) -> Self {
        static NOTHING: BTreeMap<CommitId, CommitNote> = BTreeMap::new();
        Self {
            runs,
            taken: &[],
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
    #[error("{form} would know {both} by the one name `{name}`")]
    Alike {
        /// The form.
        form: &'static str,
        /// The name there.
        name: String,
        /// The two things.
        both: String,
    },
    /// The form holds metrics of one direction, and the runs have none of it.
    #[error(
        "{form} holds what is {wanted}, and of that these runs have nothing: they have {there}"
    )]
    OtherDirection {
        /// The form.
        form: &'static str,
        /// The direction.
        wanted: &'static str,
        /// What the runs have.
        there: String,
        /// The form that holds it.
        instead: Option<&'static str>,
    },
    /// The form tells runs apart by their commits.
    #[error("{form} is kept by commit, and the run of `{suite}` was measured at none")]
    NoCommit {
        /// The form.
        form: &'static str,
        /// The suite.
        suite: String,
    },
    /// What was measured is the state of no commit.
    #[error(
        "{form} is kept by commit, and the run of `{suite}` was measured with changes that are in none"
    )]
    Modified {
        /// The form.
        form: &'static str,
        /// The suite.
        suite: String,
    },
}

impl ExportError {
    /// Says which two things would have one name.
    pub(crate) fn alike(form: &'static str, name: &str, both: [&str; 2]) -> Self {
        let [one, other] = both.map(escape::visible);
        Self::Alike {
            form,
            name: escape::visible(name).to_string(),
            both: format!("`{one}` and `{other}`"),
        }
    }
}

/// Refuses to add to what is there, for forms that are written whole each time.
pub(crate) fn is_new(told: &Export<'_>, form: &'static str) -> Result<(), ExportError> {
    match told.existing {
        None => Ok(()),
        Some(_) => Err(ExportError::Existing(form)),
    }
}

/// Refuses runs of which nothing is better in a direction, for forms that ask for one: a history or table of nothing would
/// be taken for benchmarks that are gone.
pub(crate) fn is_directed(
    told: &Export<'_>,
    form: &'static str,
    is_held: IsHeld,
) -> Result<(), ExportError> {
    let mut readings = told
        .runs
        .iter()
        .flat_map(Run::measurements)
        .flat_map(Measurement::readings);
    let has_direction = readings.any(|reading| reading.metric.better != Better::Neither);
    match Directed::of(told.runs, Better::Neither, is_held) {
        Some(undirected) if !has_direction && told.taken.is_empty() => {
            Err(ExportError::OtherDirection {
                form,
                wanted: "better in one direction",
                there: undirected.to_string(),
                instead: None,
            })
        }
        _ => Ok(()),
    }
}

/// Refuses runs of what no commit holds, for forms that are kept by commit: they would be taken for its values for ever.
pub(crate) fn is_of_commit(told: &Export<'_>, form: &'static str) -> Result<(), ExportError> {
    let suite = |run: &Run| escape::visible(run.suite.as_str());
    told.runs.iter().try_for_each(|run| match &run.revision {
        None => Err(ExportError::NoCommit {
            form,
            suite: suite(run),
        }),
        Some(revision) if revision.work_tree == WorkTree::Modified => Err(ExportError::Modified {
            form,
            suite: suite(run),
        }),
        Some(_) => Ok(()),
    })
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
