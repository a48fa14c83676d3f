//! Which pull request a workflow run belongs to.
//!
//! The run's event names a commit, a branch and a repository; GitHub is asked which open pull requests come from there,
//! and exactly one must fit in all of it. What the run itself uploaded is not asked: its author could write any number.
//! Nothing is written where this leaves a doubt. *Note:* GitHub can list the pull requests of a commit, but not those
//! from forks; and the event names them, but again not those from forks.

use std::fmt;

use super::{Listed, Pull, open_from, unexpected};
use crate::client::Client;
use crate::error::HubError;
use crate::event::WorkflowRun;

/// Which pull request a run belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// This one, and it still brings the commit that the run was about.
    One(Pull),
    /// One that has moved on: what the run says is no longer true of it.
    Stale {
        /// The pull request, and where it is now.
        why: String,
    },
    /// None, or nobody can tell which.
    None {
        /// Why not.
        why: String,
    },
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(pull) => write!(f, "pull request {} at {}", pull.number, pull.head.short()),
            Self::Stale { why } | Self::None { why } => f.write_str(why),
        }
    }
}

/// Finds the pull request that a run belongs to. One request, for as long as nobody has a hundred from one branch.
///
/// Ask this after the work and before the first write, so that little can happen in between.
///
/// # Errors
/// GitHub did not answer.
pub fn of_run(client: &Client, run: &WorkflowRun) -> Result<Identity, HubError> {
    let none = |why: String| Ok(Identity::None { why });
    if run.event.as_str() != "pull_request" {
        return none(format!(
            "the run was caused by `{}`, not by a pull request",
            run.event
        ));
    }
    let Some(repository) = &run.head.repository else {
        return none("the repository that the run's code came from was deleted".to_owned());
    };
    let Some(branch) = &run.head.branch else {
        return none("the run's code came from no branch".to_owned());
    };
    let (call, listed) = open_from(client, &repository.owner, branch)?;
    let is_ours =
        |pull: &&Listed| pull.head.is_in(repository.id) && pull.base.is_in(run.repository_id);
    let pulls = listed.iter().filter(is_ours).map(Pull::try_from);
    let pulls = pulls.collect::<Result<Vec<_>, _>>();
    let pulls = pulls.map_err(|error| unexpected(&call, &error))?;
    let place = format!("{}:{branch}", repository.owner);
    let (at_head, elsewhere): (Vec<Pull>, Vec<Pull>) = pulls
        .into_iter()
        .partition(|pull| pull.head == run.head.commit);
    Ok(match (&at_head[..], &elsewhere[..]) {
        ([pull], _) => Identity::One(pull.clone()),
        ([], []) => Identity::None {
            why: format!("no pull request from {place} is open"),
        },
        ([], moved) => Identity::Stale {
            why: format!(
                "{} has moved on from {}: {}",
                place,
                run.head.commit.short(),
                moved.iter().map(shown).collect::<Vec<_>>().join(", ")
            ),
        },
        (several, _) => Identity::None {
            why: format!(
                "several pull requests come from {place}: {}",
                several.iter().map(shown).collect::<Vec<_>>().join(", ")
            ),
        },
    })
}

fn shown(pull: &Pull) -> String {
    format!("{} is at {}", pull.number, pull.head.short())
}
