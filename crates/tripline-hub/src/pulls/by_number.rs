//! One pull request, by its number. Tested in `tests/hub/pulls/by_number.rs`.

use super::{ListedSide, unexpected};
use crate::client::{Call, Client};
use crate::error::HubError;
use crate::names::{Branch, CommitId};

/// A pull request that can be pushed to, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPull {
    /// Its number.
    pub number: u64,
    /// The branch that it comes from.
    pub branch: Branch,
    /// Where that branch is.
    pub head: CommitId,
    /// Whether the branch is in the repository itself, and not in a fork.
    pub is_of_repository: bool,
}

#[derive(serde::Deserialize)]
struct Listed {
    number: u64,
    state: String,
    head: ListedSide,
    base: ListedSide,
}

/// Returns a pull request that is open.
///
/// # Errors
/// GitHub did not answer, or there is none of that number.
pub fn by_number(client: &Client, number: u64) -> Result<Option<OpenPull>, HubError> {
    let text = number.to_string();
    let call = Call::get(&["pulls", &text]).or_say(
        format!("pull request {number} was not looked at"),
        "pull-requests: read",
    );
    let listed: Listed = client.send(&call)?.json()?;
    if listed.state != "open" {
        return Ok(None);
    }
    let id = |side: &ListedSide| side.repo.as_ref().map(|repository| repository.id);
    let is_of_repository = id(&listed.head).is_some() && id(&listed.head) == id(&listed.base);
    let wrong = |error| unexpected(&call, &error);
    Ok(Some(OpenPull {
        number: listed.number,
        branch: listed.head.branch.parse().map_err(wrong)?,
        head: listed.head.sha.parse().map_err(wrong)?,
        is_of_repository,
    }))
}
