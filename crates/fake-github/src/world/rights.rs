//! Who may do what: people by their role, tokens by what they were given.

use serde::{Deserialize, Serialize};

/// Who comments with the token of a workflow.
pub const BOT: &str = "github-actions[bot]";

/// A person's role in the repository under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Nothing but what everybody may.
    None,
    /// Look.
    Read,
    /// Look, and tend to issues.
    Triage,
    /// Push.
    Write,
    /// Push, and tend to the repository.
    Maintain,
    /// Everything.
    Admin,
}

/// How far a right goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Not at all: as if it was not there.
    #[default]
    None,
    /// Look.
    Read,
    /// Change.
    Write,
}

/// What a right is about: the names of `permissions:` in a workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Workflow runs and artifacts.
    Actions,
    /// Settings. No token of a workflow has it.
    Administration,
    /// Check runs.
    Checks,
    /// Files, commits and branches.
    Contents,
    /// Issues, and the comments on them.
    Issues,
    /// Published sites.
    Pages,
    /// Pull requests, and the comments on them.
    PullRequests,
    /// Commit statuses.
    Statuses,
}

impl Scope {
    /// What GitHub calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Actions => "actions",
            Self::Administration => "administration",
            Self::Checks => "checks",
            Self::Contents => "contents",
            Self::Issues => "issues",
            Self::Pages => "pages",
            Self::PullRequests => "pull_requests",
            Self::Statuses => "statuses",
        }
    }
}

/// Whom a token stands for, and what it may be used for in the repository under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    missing_docs,
    reason = "each right is named after the variant of `Scope` that explains it"
)]
pub struct Rights {
    /// Who acts.
    pub login: String,
    /// The scopes of a classic token, as GitHub says them in a header. Tokens of other kinds have none.
    pub scopes: Option<String>,
    pub actions: Access,
    pub administration: Access,
    pub checks: Access,
    pub contents: Access,
    pub issues: Access,
    pub pages: Access,
    pub pull_requests: Access,
    pub statuses: Access,
}

impl Default for Rights {
    fn default() -> Self {
        Self::all(BOT, Access::None)
    }
}

impl Rights {
    /// The token of a workflow that was given everything such a token can have.
    pub fn bot() -> Self {
        Self::all(BOT, Access::Write)
    }

    /// The token of a workflow that may only look, as with a pull request from a fork.
    pub fn read_only() -> Self {
        Self::all(BOT, Access::Read)
    }

    /// A person's own classic token. It may do what the person may.
    pub fn person(login: &str) -> Self {
        Self::classic(login, "repo, workflow")
    }

    /// A person's own classic token with these scopes. Without `repo`, or `public_repo`, it may only look.
    pub fn classic(login: &str, scopes: &str) -> Self {
        let mut each = scopes.split(", ");
        let may_write = each.any(|scope| ["repo", "public_repo"].contains(&scope));
        let access = if may_write {
            Access::Write
        } else {
            Access::Read
        };
        Self {
            administration: access,
            scopes: Some(scopes.to_owned()),
            ..Self::all(login, access)
        }
    }

    /// A person's own fine-grained token, which may so much and does not say so.
    pub fn fine_grained(login: &str, access: Access) -> Self {
        Self {
            administration: access,
            ..Self::all(login, access)
        }
    }

    /// The same, but for one right.
    #[must_use]
    pub fn with(mut self, scope: Scope, access: Access) -> Self {
        *self.right_mut(scope) = access;
        self
    }

    /// Tells how far a right goes.
    pub fn right(&self, scope: Scope) -> Access {
        match scope {
            Scope::Actions => self.actions,
            Scope::Administration => self.administration,
            Scope::Checks => self.checks,
            Scope::Contents => self.contents,
            Scope::Issues => self.issues,
            Scope::Pages => self.pages,
            Scope::PullRequests => self.pull_requests,
            Scope::Statuses => self.statuses,
        }
    }

    /// Tells whether a program acts, not a person.
    pub fn is_bot(&self) -> bool {
        self.login.ends_with("[bot]")
    }

    fn right_mut(&mut self, scope: Scope) -> &mut Access {
        match scope {
            Scope::Actions => &mut self.actions,
            Scope::Administration => &mut self.administration,
            Scope::Checks => &mut self.checks,
            Scope::Contents => &mut self.contents,
            Scope::Issues => &mut self.issues,
            Scope::Pages => &mut self.pages,
            Scope::PullRequests => &mut self.pull_requests,
            Scope::Statuses => &mut self.statuses,
        }
    }

    fn all(login: &str, access: Access) -> Self {
        Self {
            login: login.to_owned(),
            scopes: None,
            actions: access,
            administration: Access::None,
            checks: access,
            contents: access,
            issues: access,
            pages: access,
            pull_requests: access,
            statuses: access,
        }
    }
}
