//! What people say in comments, and what they may: for commands such as `/tripline accept`.
//!
//! Who may is asked of GitHub each time; what an event says about somebody grants nothing. Tested in `tests/hub/issue`.

use serde::Deserialize;
use serde_json::json;

use crate::client::{Call, Client, Repeat};
use crate::error::{HubError, Problem};
use crate::names::Login;

/// A comment that somebody wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Its number.
    pub id: u64,
    /// Who wrote it; nobody, where the account was deleted.
    pub author: Option<Login>,
    /// What it says.
    pub body: String,
}

/// What somebody may do in the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// Nothing that not everybody may.
    None,
    /// Read.
    Read,
    /// Read, and sort issues.
    Triage,
    /// Write.
    Write,
    /// Write, and manage the repository.
    Maintain,
    /// Everything.
    Admin,
}

impl Permission {
    /// Returns whether they may push.
    #[must_use]
    pub fn may_write(self) -> bool {
        self >= Self::Write
    }
}

/// What a reaction looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// It was seen.
    Eyes,
    /// It was done.
    ThumbsUp,
    /// It was refused.
    ThumbsDown,
    /// It was not understood.
    Confused,
}

impl Reaction {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Eyes => "eyes",
            Self::ThumbsUp => "+1",
            Self::ThumbsDown => "-1",
            Self::Confused => "confused",
        }
    }
}

#[derive(Deserialize)]
struct Listed {
    id: u64,
    body: Option<String>,
    user: Option<ListedUser>,
}

#[derive(Deserialize)]
struct ListedUser {
    login: String,
}

#[derive(Deserialize)]
struct ListedPermission {
    permission: String,
    /// Finer than the other, and missing on older servers.
    role_name: Option<String>,
}

/// Reads a comment as it is now; what an event says about it may have been edited since. Nothing, where it is gone.
///
/// # Errors
/// GitHub did not answer.
pub fn remark(client: &Client, id: u64) -> Result<Option<Remark>, HubError> {
    let number = id.to_string();
    let call = Call::get(&["issues", "comments", &number])
        .or_say(format!("comment {number} was not read"), "issues: read");
    let listed: Listed = match client.send(&call) {
        Err(error) if matches!(error.status(), Some(404 | 410)) => return Ok(None),
        answer => answer?.json()?,
    };
    let author = listed.user.map(|user| user.login.parse()).transpose();
    let author = author.map_err(|error: crate::names::NameError| {
        call.failed(Problem::Unexpected {
            why: error.to_string(),
        })
    })?;
    Ok(Some(Remark {
        id: listed.id,
        author,
        body: listed.body.unwrap_or_default(),
    }))
}

/// Adds a reaction of ours to a comment. One that is there already stays the only one.
///
/// # Errors
/// GitHub did not answer or refused.
pub fn react(client: &Client, comment: u64, reaction: Reaction) -> Result<(), HubError> {
    let number = comment.to_string();
    let body = json!({ "content": reaction.name() });
    let call = Call::post(&["issues", "comments", &number, "reactions"], body)
        .repeating(Repeat::Harmless)
        .or_say(
            format!("no reaction was added to comment {number}"),
            "issues: write",
        );
    client.send(&call).map(drop)
}

/// Returns what somebody may do. Who is no collaborator may nothing.
///
/// # Errors
/// GitHub did not answer, or answered with what it does not describe.
pub fn permission(client: &Client, login: &Login) -> Result<Permission, HubError> {
    let call = Call::get(&["collaborators", login.as_str(), "permission"]).or_say(
        format!("what `{login}` may do was not found out, so they may nothing"),
        "metadata: read",
    );
    let listed: ListedPermission = match client.send(&call) {
        Err(error) if error.status() == Some(404) => return Ok(Permission::None),
        result => result?.json()?,
    };
    // The role says more, but an organization names its own as it likes: who may write is in the other word.
    let permission = by_name(&listed.permission).map(|permission| {
        let role = listed.role_name.as_deref().and_then(by_name);
        let role = role.filter(|role| role.may_write() == permission.may_write());
        role.unwrap_or(permission)
    });
    permission.ok_or_else(|| {
        let why = "it names a permission that we do not know".to_owned();
        call.failed(Problem::Unexpected { why })
    })
}

fn by_name(name: &str) -> Option<Permission> {
    Some(match name {
        "none" => Permission::None,
        "read" => Permission::Read,
        "triage" => Permission::Triage,
        "write" => Permission::Write,
        "maintain" => Permission::Maintain,
        "admin" => Permission::Admin,
        _ => return None,
    })
}
