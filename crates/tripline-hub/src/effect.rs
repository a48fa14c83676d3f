//! What is going to be written, as values: planned first, shown by a dry run, carried out one by one.
//!
//! Deciding what to write is a function of what was read; nothing is written while deciding. So a dry run shows exactly what
//! would be done, on every pull request, and cannot rot. Tested in `tests/hub/effect.rs`.

use std::fmt;
use std::path::Path;

use crate::address::Address;
use crate::check::{self, Check, CheckMade};
use crate::client::Client;
use crate::comment::{self, Comment, Posted};
use crate::error::HubError;
use crate::git::{self, Change, NotPushed, Place, Pushed, Removal, Why};
use crate::issue::{self, Reaction};
use crate::names::{Branch, CommitId};
use crate::pulls::{self, Proposal, Proposed};
use crate::runner::commands::{self, Annotation};
use crate::runner::outputs::{self, OutputError};
use crate::runner::{NotAdded, summary};
use crate::text::shown;

/// The most characters of a title that a line about it repeats.
const TITLE_CHARS_MAX: usize = 80;

/// One planned write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// The one comment on a pull request.
    Comment(Comment),
    /// A check on a commit.
    Check(Box<Check>),
    /// A pull request of our own.
    Propose(Proposal),
    /// A reaction to a comment.
    React {
        /// The comment's number.
        comment: u64,
        /// What it looks like.
        reaction: Reaction,
    },
    /// Files on a data branch.
    Append {
        /// The branch.
        branch: Branch,
        /// The files.
        change: Change,
    },
    /// Files that go from a data branch, because others hold what they do.
    Remove {
        /// The branch.
        branch: Branch,
        /// The files.
        removal: Removal,
    },
    /// A branch of ours, made anew on top of a commit.
    Put {
        /// The branch.
        branch: Branch,
        /// What it is on top of.
        base: CommitId,
        /// What it changes.
        change: Change,
    },
    /// One commit on top of a branch of somebody's.
    Extend {
        /// The branch.
        branch: Branch,
        /// Where it must still be.
        tip: CommitId,
        /// What the commit changes.
        change: Change,
    },
    /// Markdown on the page of the run.
    Summary(String),
    /// Outputs of the step, by name.
    Outputs(Vec<(String, String)>),
    /// Remarks that the runner shows, printed by whoever prints.
    Annotate(Vec<Annotation>),
}

/// What effects are carried out with. What a plan does not need may be missing.
#[derive(Debug, Clone, Copy)]
pub struct Hands<'a> {
    /// Asks GitHub.
    pub client: Option<&'a Client>,
    /// GitHub's pages, for links.
    pub server: Option<&'a Address>,
    /// Where to push.
    pub place: Option<&'a Place<'a>>,
    /// Where the summary of the step goes.
    pub summary_file: Option<&'a Path>,
    /// Where outputs of the step go.
    pub output_file: Option<&'a Path>,
}

/// What became of an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// The comment is what it shall be, or is newer.
    Commented(Posted),
    /// The check was made.
    Checked(CheckMade),
    /// The pull request is open, or cannot be opened by a workflow.
    Proposed(Proposed),
    /// The branch is what it shall be.
    Pushed(Pushed),
    /// It was written, and there is nothing more to say.
    Written,
    /// This is to be printed, for the runner to read.
    Print(String),
}

/// Says why an effect was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum EffectError {
    /// GitHub did not do it.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// It was not pushed.
    #[error(transparent)]
    NotPushed(#[from] NotPushed),
    /// A file of the runner's was not added to.
    #[error(transparent)]
    NotAdded(#[from] NotAdded),
    /// An output was not set.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// There is nothing to carry it out with.
    #[error("{what} has nowhere to go: {missing} is not known")]
    NoHands {
        /// What was to be written.
        what: &'static str,
        /// What is missing.
        missing: &'static str,
    },
}

impl EffectError {
    /// Returns whether somebody else pushed in between, so that it has to be thought of anew.
    #[must_use]
    pub fn is_overtaken(&self) -> bool {
        let Self::NotPushed(error) = self else {
            return false;
        };
        matches!(
            error.why.last(),
            Why::MovedOn { .. } | Why::Overtaken { .. }
        )
    }

    /// Returns what to do about it, where that is known.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Hub(error) => error.hint().map(str::to_owned),
            Self::NotPushed(error) => Some(error.hint()),
            Self::NoHands { .. } => {
                Some("run it in a job of GitHub Actions, or as a dry run".to_owned())
            }
            Self::NotAdded(_) | Self::Output(_) => None,
        }
    }
}

impl Effect {
    /// Says what will be done, in one line.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Comment(comment) => format!(
                "write the comment about `{}` on pull request {}, for {}: {}",
                comment.marker.set,
                comment.pull,
                comment.marker.head.short(),
                counted(comment.text.chars().count(), "character"),
            ),
            Self::Check(check) => format!(
                "make the check `{}` on {}: {}, {}",
                shown(&check.name, TITLE_CHARS_MAX),
                check.head.short(),
                check.conclusion.name(),
                counted(check.annotations.len(), "annotation"),
            ),
            Self::Propose(proposal) => format!(
                "open or refresh a pull request from `{}` to `{}`: {}",
                proposal.branch,
                proposal.base,
                shown(&proposal.title, TITLE_CHARS_MAX),
            ),
            Self::React { comment, reaction } => {
                format!("react to comment {comment} with `{}`", reaction.name())
            }
            Self::Append { branch, change } => {
                format!("add {} to the branch `{branch}`", files(change))
            }
            Self::Remove { branch, removal } => format!(
                "take {} from the branch `{branch}`, which other files hold too",
                counted(removal.files().len(), "file")
            ),
            Self::Put {
                branch,
                base,
                change,
            } => format!(
                "put {} on the branch `{branch}`, on top of {}",
                files(change),
                base.short()
            ),
            Self::Extend {
                branch,
                tip,
                change,
            } => format!(
                "commit {} to the branch `{branch}`, which is at {}",
                files(change),
                tip.short()
            ),
            Self::Summary(text) => {
                format!("add {} to the summary", counted(text.len(), "byte"))
            }
            Self::Outputs(outputs) => {
                let names = outputs.iter().map(|(name, _)| shown(name, TITLE_CHARS_MAX));
                format!("set the outputs {}", names.collect::<Vec<_>>().join(", "))
            }
            Self::Annotate(all) => format!("print {}", counted(all.len(), "annotation")),
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// It could not be done, or not be known to be done.
    pub fn carry_out(&self, hands: Hands<'_>) -> Result<Done, EffectError> {
        Ok(match self {
            Self::Comment(comment) => {
                Done::Commented(comment::publish(hands.client("the comment")?, comment)?)
            }
            Self::Check(check) => Done::Checked(check::create(hands.client("the check")?, check)?),
            Self::Propose(proposal) => {
                let what = "the pull request";
                let server = known(hands.server, what, "the address of GitHub's pages")?;
                Done::Proposed(pulls::propose(hands.client(what)?, server, proposal)?)
            }
            Self::React { comment, reaction } => {
                issue::react(hands.client("the reaction")?, *comment, *reaction)?;
                Done::Written
            }
            Self::Append { branch, change } => {
                let place = known(hands.place, "the change", "where to push")?;
                Done::Pushed(git::append(place, branch, change)?)
            }
            Self::Remove { branch, removal } => {
                let place = known(hands.place, "the removal", "where to push")?;
                Done::Pushed(git::remove(place, branch, removal)?)
            }
            Self::Put {
                branch,
                base,
                change,
            } => {
                let place = known(hands.place, "the change", "where to push")?;
                Done::Pushed(git::put_branch(place, branch, base, change)?)
            }
            Self::Extend {
                branch,
                tip,
                change,
            } => {
                let place = known(hands.place, "the change", "where to push")?;
                Done::Pushed(git::extend(place, branch, tip, change)?)
            }
            Self::Summary(text) => {
                let file = known(hands.summary_file, "the summary", "`GITHUB_STEP_SUMMARY`")?;
                summary::append(file, text)?;
                Done::Written
            }
            Self::Outputs(outputs) => {
                let file = known(hands.output_file, "the output", "`GITHUB_OUTPUT`")?;
                let outputs = outputs.iter();
                let outputs: Vec<(&str, &str)> = outputs
                    .map(|(name, value)| (name.as_str(), value.as_str()))
                    .collect();
                outputs::set(file, &outputs, &mut fastrand::Rng::new())?;
                Done::Written
            }
            Self::Annotate(all) => Done::Print(commands::annotations(all)),
        })
    }
}

impl<'a> Hands<'a> {
    fn client(self, what: &'static str) -> Result<&'a Client, EffectError> {
        known(self.client, what, "a token for GitHub")
    }
}

fn known<T>(hand: Option<T>, what: &'static str, missing: &'static str) -> Result<T, EffectError> {
    hand.ok_or(EffectError::NoHands { what, missing })
}

fn files(change: &Change) -> String {
    match change.files() {
        [file] => format!("`{}`", file.path),
        files => counted(files.len(), "file"),
    }
}

fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

impl fmt::Display for Done {
    /// Says what was done, in one line; what is to be printed is only counted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commented(posted) => posted.fmt(f),
            Self::Checked(made) => write!(f, "made check {}", made.id),
            Self::Proposed(proposed) => proposed.fmt(f),
            Self::Pushed(pushed) => match pushed {
                Pushed::Commit { id, tries } => {
                    write!(f, "pushed {} at try {tries}", id.short())
                }
                Pushed::AlreadyThere { id } => write!(f, "all of it was in {}", id.short()),
                Pushed::NothingToPropose => f.write_str("the base says all of it already"),
            },
            Self::Written => f.write_str("written"),
            Self::Print(text) => write!(f, "{} to print", counted(text.lines().count(), "line")),
        }
    }
}
