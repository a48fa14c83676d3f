//! The pull request that we propose: opened once, and after that kept at what we say now.

use std::fmt;

use serde_json::json;

use super::{Listed, Pull, open_from, unexpected};
use crate::address::Address;
use crate::client::{Call, Client};
use crate::error::{HubError, Problem};
use crate::names::Branch;

const NEEDS: &str = "pull-requests: write";

/// A pull request as it shall be, from one branch of the repository to another. The branch has been pushed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The branch that it comes from.
    pub branch: Branch,
    /// The branch that it is to change.
    pub base: Branch,
    /// Its title.
    pub title: String,
    /// What it says about itself, in Markdown.
    pub body: String,
}

/// What became of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposed {
    /// It was opened.
    Opened(Pull),
    /// It was open, and now says what we say.
    Refreshed(Pull),
    /// It was open and said all of it already.
    Unchanged(Pull),
    /// The repository lets no workflow open one; people can, on this page.
    NotPermitted {
        /// The page where somebody can open it.
        page: String,
        /// What GitHub says.
        why: String,
    },
}

impl fmt::Display for Proposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Opened(pull) => write!(f, "opened pull request {}", pull.number),
            Self::Refreshed(pull) => write!(f, "brought pull request {} up to date", pull.number),
            Self::Unchanged(pull) => write!(f, "left pull request {} as it was", pull.number),
            Self::NotPermitted { page, why } => {
                write!(f, "opened no pull request ({why}); somebody can at {page}")
            }
        }
    }
}

/// Opens a pull request, or brings the open one to what it shall be.
///
/// # Errors
/// GitHub did not answer, or refused for another reason than the setting that forbids it to workflows.
pub fn propose(
    client: &Client,
    server: &Address,
    proposal: &Proposal,
) -> Result<Proposed, HubError> {
    if let Some(done) = refresh(client, proposal)? {
        return Ok(done);
    }
    let error = match open(client, proposal) {
        Ok(pull) => return Ok(Proposed::Opened(pull)),
        Err(error) => error,
    };
    match error.problem() {
        Problem::Refused {
            status: 403,
            message,
        } if message.contains("not permitted to create") => Ok(Proposed::NotPermitted {
            page: compare_page(client, server, proposal),
            why: message.clone(),
        }),
        // Somebody opened it between our question and our request, or we did and did not hear of it.
        Problem::Refused { status: 422, .. } | Problem::Uncertain { .. } => {
            client.pause();
            refresh(client, proposal)?.ok_or(error)
        }
        _ => Err(error),
    }
}

/// Brings the open pull request to what it shall be, where there is one.
fn refresh(client: &Client, proposal: &Proposal) -> Result<Option<Proposed>, HubError> {
    let owner = client.repository().owner();
    let (call, listed) = open_from(client, owner, &proposal.branch)?;
    let is_ours = |listed: &&Listed| {
        let same = listed.head.repo.as_ref().map(|repo| repo.id)
            == listed.base.repo.as_ref().map(|repo| repo.id);
        same && listed.base.branch == proposal.base.as_str()
    };
    let Some(listed) = listed.iter().find(is_ours) else {
        return Ok(None);
    };
    let pull = Pull::try_from(listed).map_err(|error| unexpected(&call, &error))?;
    let says = listed
        .body
        .as_deref()
        .unwrap_or_default()
        .replace("\r\n", "\n");
    if listed.title == proposal.title && says.trim_end() == proposal.body.trim_end() {
        return Ok(Some(Proposed::Unchanged(pull)));
    }
    let number = pull.number.to_string();
    let body = json!({"title": proposal.title, "body": proposal.body});
    let call = Call::patch(&["pulls", &number], body).or_say(
        format!("pull request {number} was not brought up to date"),
        NEEDS,
    );
    client.send(&call)?;
    Ok(Some(Proposed::Refreshed(pull)))
}

fn open(client: &Client, proposal: &Proposal) -> Result<Pull, HubError> {
    let body = json!({
        "title": proposal.title,
        "body": proposal.body,
        "head": proposal.branch.as_str(),
        "base": proposal.base.as_str(),
    });
    let call = Call::post(&["pulls"], body).or_say(
        format!("no pull request from `{}` was opened", proposal.branch),
        NEEDS,
    );
    let listed: Listed = client.send(&call)?.json()?;
    Pull::try_from(&listed).map_err(|error| unexpected(&call, &error))
}

fn compare_page(client: &Client, server: &Address, proposal: &Proposal) -> String {
    let repository = client.repository();
    let sides = format!("{}...{}", proposal.base.as_str(), proposal.branch.as_str());
    let path = [
        repository.owner().as_str(),
        repository.name(),
        "compare",
        &sides,
    ];
    let mut page = server.below(path);
    page.set_query(Some("expand=1"));
    page.into()
}
