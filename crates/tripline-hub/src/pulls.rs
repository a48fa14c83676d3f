//! Pull requests: which one a workflow run belongs to, and the one that we propose ourselves.
//!
//! The number of a pull request is never taken from anything that its author could write. Tested in `tests/hub/pulls`.

mod by_number;
mod identity;
mod proposal;

use serde::Deserialize;

use crate::client::{Call, Client, PAGE_ENTRIES};
use crate::error::{HubError, Problem};
use crate::names::{Branch, CommitId, Login, NameError};

pub use by_number::{OpenPull, by_number};
pub use identity::{Identity, of_run};
pub use proposal::{Proposal, Proposed, propose};

/// An open pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pull {
    /// Its number.
    pub number: u64,
    /// The commit it brings.
    pub head: CommitId,
    /// The commit it is to change.
    pub base: CommitId,
    /// The branch it is to change.
    pub base_branch: Branch,
    /// Its page.
    pub page: String,
}

/// A pull request as GitHub lists it, as far as we read it.
#[derive(Deserialize)]
struct Listed {
    number: u64,
    html_url: String,
    title: String,
    body: Option<String>,
    head: ListedSide,
    base: ListedSide,
}

#[derive(Deserialize)]
struct ListedSide {
    #[serde(rename = "ref")]
    branch: String,
    sha: String,
    /// Nothing, where the repository was deleted.
    repo: Option<ListedRepository>,
}

#[derive(Deserialize)]
struct ListedRepository {
    id: u64,
}

impl ListedSide {
    fn is_in(&self, repository: u64) -> bool {
        self.repo.as_ref().is_some_and(|repo| repo.id == repository)
    }
}

impl TryFrom<&Listed> for Pull {
    type Error = NameError;

    fn try_from(listed: &Listed) -> Result<Self, NameError> {
        Ok(Self {
            number: listed.number,
            head: listed.head.sha.parse()?,
            base: listed.base.sha.parse()?,
            base_branch: listed.base.branch.parse()?,
            page: listed.html_url.clone(),
        })
    }
}

/// Returns the open pull requests that come from a branch of somebody's.
///
/// *Note:* GitHub may understand the question more widely than it was meant: an owner can have several repositories of one
/// network. Whoever asks looks at the repository's number, too.
fn open_from(
    client: &Client,
    owner: &Login,
    branch: &Branch,
) -> Result<(Call, Vec<Listed>), HubError> {
    let call = Call::get(&["pulls"])
        .asking("state", "open")
        .asking("head", format!("{}:{}", owner.as_str(), branch.as_str()))
        .asking("per_page", PAGE_ENTRIES)
        .or_say(
            format!("the open pull requests from {owner}:{branch} were not listed"),
            "pull-requests: read",
        );
    let listed = client.send_for_list(&call, |page: Vec<Listed>| page)?;
    let wanted = |pull: &Listed| pull.head.branch == branch.as_str();
    Ok((call, listed.into_iter().filter(wanted).collect()))
}

/// Says that GitHub's answer holds a name that cannot be one.
fn unexpected(call: &Call, error: &NameError) -> HubError {
    let why = error.to_string();
    call.failed(Problem::Unexpected { why })
}
