//! Where the two sides of a session come from.

use std::path::{Path, PathBuf};

use tripline_model::Revision;

use super::{SideName, Trees};
use crate::error::Outcome;
use crate::measure::cargo::Build;
use crate::measure::{PLANTED, revision};
use crate::project::Project;
use crate::suite::Suite;

/// What makes one side differ from the other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ground<'a> {
    /// Two revisions of the project.
    Revisions(&'a Trees),
    /// One revision, where the trees hold it or else where it is; the head is built with features more.
    Features(&'a Project, Option<&'a Trees>, &'a [String]),
}

impl Ground<'_> {
    /// Puts a side's files where they are built.
    pub(super) fn enter(&self, side: SideName) -> Outcome<()> {
        match self {
            Self::Revisions(trees) => trees.enter(side),
            // One of two sides that are built from the same files.
            Self::Features(_, Some(trees), _) => trees.enter(SideName::Head),
            Self::Features(_, None, _) => Ok(()),
        }
    }

    /// Returns the project's folder where a side is built.
    pub(super) fn built_at(&self) -> PathBuf {
        match self {
            Self::Revisions(trees) | Self::Features(_, Some(trees), _) => trees.built_at(),
            Self::Features(project, None, _) => project.root().to_owned(),
        }
    }

    /// Returns the project's folder where a side is run.
    pub(super) fn run_at(&self, side: SideName) -> PathBuf {
        match self {
            Self::Revisions(trees) => trees.run_at(side),
            Self::Features(..) => self.built_at(),
        }
    }

    /// Returns what a side is called, in as many letters as the other: it is a part of the path that both run under.
    pub(super) fn word(&self, side: SideName) -> &'static str {
        match (self, side) {
            (Self::Revisions(_), side) => side.word(),
            (Self::Features(..), SideName::Base) => PLANTED[0],
            (Self::Features(..), SideName::Head) => PLANTED[1],
        }
    }

    /// Returns what a side has of a suite, where its files are; nothing where it does not have it.
    pub(super) fn suite_at(&self, root: &Path, asked: &Suite) -> Outcome<Option<Suite>> {
        if matches!(self, Self::Features(_, None, _)) {
            return Ok(Some(asked.clone()));
        }
        let folder = root.join("bench").join(asked.name.as_str());
        if folder.join("suite.toml").is_file() {
            Suite::load(asked.name.clone(), folder).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Returns how a side is built.
    pub(super) fn build(&self, side: SideName) -> Build {
        match (self, side) {
            (Self::Revisions(trees), _) => Build {
                target: Some(trees.target()),
                features: Vec::new(),
                letters: Some(trees.letters()),
            },
            (Self::Features(_, trees, features), side) => Build {
                target: trees.map(Trees::target),
                features: match side {
                    SideName::Base => Vec::new(),
                    SideName::Head => features.to_vec(),
                },
                letters: None,
            },
        }
    }

    /// Returns how a side is built where it is run. To cargo, two trees of one workspace are the same: in one folder it would
    /// take the executable of one side for the other's, or write over it.
    pub(super) fn build_to_run(&self, side: SideName) -> Build {
        let build = self.build(side);
        match self {
            Self::Revisions(_) => Build {
                target: build.target.map(|target| target.join(side.word())),
                ..build
            },
            // Features are a part of the name that cargo gives an executable.
            Self::Features(..) => build,
        }
    }

    /// Returns which state of the code a side is.
    pub(super) fn revision(&self, side: SideName) -> Option<Revision> {
        match self {
            Self::Revisions(trees) => Some(trees.revision(side)),
            Self::Features(project, ..) => revision::of(project.root()),
        }
    }
}
