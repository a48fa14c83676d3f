//! How a repository is set up, as far as we look at it. Tested in `tests/hub/repository`.

use serde::Deserialize;

use crate::client::{Call, Client};
use crate::error::{HubError, Problem};
use crate::names::{Branch, NameError};
use crate::text::shown;

/// The most of the scopes of a token that is repeated.
const SCOPES_CHARS_MAX: usize = 200;

/// What workflows may do besides what each asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkflowRights {
    /// Whether one may open a pull request.
    pub may_create_pulls: bool,
}

/// What it says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The default branch.
    pub default_branch: Branch,
    /// Whether whoever asks may push.
    pub push: Push,
}

/// Whether a token may push. It may what its owner's role and its own rights both allow; GitHub says the role of every
/// person, and the rights of classic tokens alone, by their scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Push {
    /// It may.
    Allowed,
    /// Its owner may not.
    ForbiddenByRole,
    /// It has these scopes, which are not enough.
    ForbiddenByScopes(String),
    /// Nothing is said about a token of this kind: that of a job, of an app, or a fine-grained one of a person.
    Unsaid,
}

/// What may run there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actions {
    /// No workflow does.
    Off,
    /// Workflows do, with anybody's actions.
    All,
    /// Workflows do, with actions of the same owner.
    OfOwner,
    /// Workflows do, with the actions of a list.
    Listed,
}

#[derive(Deserialize)]
struct Listed {
    default_branch: String,
    private: bool,
    permissions: Option<ListedPermissions>,
}

impl Listed {
    /// Returns whether a token of these scopes may push. What is said of the permissions is the role alone; an app has none.
    fn push(&self, scopes: Option<&str>) -> Push {
        let (Some(scopes), Some(role)) = (scopes, &self.permissions) else {
            return Push::Unsaid;
        };
        let is_enough = |scope: &str| match scope.trim() {
            "repo" => true,
            "public_repo" => !self.private,
            _ => false,
        };
        if !scopes.split(',').any(is_enough) {
            return Push::ForbiddenByScopes(shown(scopes, SCOPES_CHARS_MAX));
        }
        match role.push {
            true => Push::Allowed,
            false => Push::ForbiddenByRole,
        }
    }
}

#[derive(Deserialize)]
struct ListedPermissions {
    push: bool,
}

#[derive(Deserialize)]
struct ListedActions {
    enabled: bool,
    allowed_actions: Option<String>,
}

#[derive(Deserialize)]
struct ListedRights {
    can_approve_pull_request_reviews: bool,
}

#[derive(Deserialize)]
struct ListedFile {
    name: String,
}

/// Returns what the repository says of itself to whoever asks.
///
/// # Errors
/// GitHub did not answer, or there is no such repository for us.
pub fn about(client: &Client) -> Result<About, HubError> {
    let call = Call::get(&[]).or_say(
        format!("the repository {} was not looked at", client.repository()),
        "metadata: read",
    );
    let answer = client.send(&call)?;
    let listed: Listed = answer.json()?;
    let push = listed.push(answer.header("x-oauth-scopes"));
    let default_branch = listed.default_branch.parse().map_err(|error: NameError| {
        let why = error.to_string();
        call.failed(Problem::Unexpected { why })
    })?;
    Ok(About {
        default_branch,
        push,
    })
}

/// Returns what may run; nothing where the token may not see the settings.
///
/// # Errors
/// GitHub did not answer, or says something that we do not know.
pub fn actions(client: &Client) -> Result<Option<Actions>, HubError> {
    let call = Call::get(&["actions", "permissions"])
        .or_say("what may run was not looked at", "administration: read");
    let listed: ListedActions = match client.send(&call) {
        Err(error) if matches!(error.status(), Some(403 | 404)) => return Ok(None),
        result => result?.json()?,
    };
    match (listed.enabled, listed.allowed_actions.as_deref()) {
        (false, _) => Ok(Some(Actions::Off)),
        (true, Some("all")) => Ok(Some(Actions::All)),
        (true, Some("local_only")) => Ok(Some(Actions::OfOwner)),
        (true, Some("selected")) => Ok(Some(Actions::Listed)),
        (true, _) => {
            let why = "it does not say whose actions are allowed".to_owned();
            Err(call.failed(Problem::Unexpected { why }))
        }
    }
}

/// Returns what workflows may do; nothing where the token may not see the settings.
///
/// # Errors
/// GitHub did not answer.
pub fn workflow_rights(client: &Client) -> Result<Option<WorkflowRights>, HubError> {
    let call = Call::get(&["actions", "permissions", "workflow"]).or_say(
        "what workflows may do was not looked at",
        "administration: read",
    );
    match client.send(&call) {
        Err(error) if matches!(error.status(), Some(403 | 404)) => Ok(None),
        result => {
            let listed: ListedRights = result?.json()?;
            let may_create_pulls = listed.can_approve_pull_request_reviews;
            Ok(Some(WorkflowRights { may_create_pulls }))
        }
    }
}

/// Returns the names of what is in a folder of the default branch; none where there is no such folder.
///
/// # Errors
/// GitHub did not answer, or it is no folder.
pub fn names_in(client: &Client, folder: &[&str]) -> Result<Vec<String>, HubError> {
    let path: Vec<&str> = ["contents"].iter().chain(folder).copied().collect();
    let call = Call::get(&path).or_say(
        format!("`{}` was not listed", folder.join("/")),
        "contents: read",
    );
    match client.send(&call) {
        Err(error) if error.status() == Some(404) => Ok(Vec::new()),
        result => {
            let listed: Vec<ListedFile> = result?.json()?;
            Ok(listed.into_iter().map(|file| file.name).collect())
        }
    }
}
