//! Things as GitHub shows them: what means something. The rest of each is filled in by the description.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::world::{PullState, Repository, World, digest};

mod commits;
mod issues;
mod runs;

/// Shows things with addresses below that which the client called.
pub(crate) struct Views {
    /// What API paths are below.
    pub(crate) api: String,
}

/// Where people look, as opposed to programs.
const PAGES: &str = "https://github.com";

/// What stays as it is in the path of an address.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Writes a name as part of an address.
pub(crate) fn escape(name: &str) -> String {
    utf8_percent_encode(name, PLAIN).to_string()
}

/// A number that is always the same for a name.
pub(crate) fn number_of(name: &str) -> u64 {
    let digits = digest("number", name.to_lowercase().as_bytes());
    u64::from_str_radix(&digits[..7], 16).unwrap_or_default()
}

impl Views {
    pub(crate) fn account(&self, login: &str) -> Value {
        let is_bot = login.ends_with("[bot]");
        let page = login.strip_suffix("[bot]").unwrap_or(login);
        json!({
            "login": login,
            "id": number_of(login),
            "type": if is_bot { "Bot" } else { "User" },
            "url": format!("{}/users/{}", self.api, escape(login)),
            "html_url": format!("{PAGES}/{}{page}", if is_bot { "apps/" } else { "" }),
        })
    }

    pub(crate) fn repository(&self, world: &World, repository: &Repository) -> Value {
        let name = &repository.name;
        let issues = world.pulls.iter();
        let open = issues.filter(|pull| pull.state == PullState::Open).count();
        json!({
            "id": repository.id,
            "name": repository.short_name(),
            "full_name": name,
            "owner": self.account(repository.owner()),
            "private": repository.private,
            "visibility": if repository.private { "private" } else { "public" },
            "fork": repository.fork_of.is_some(),
            "default_branch": repository.default_branch,
            "has_issues": true,
            "open_issues": open,
            "open_issues_count": open,
            "url": format!("{}/repos/{name}", self.api),
            "html_url": format!("{PAGES}/{name}"),
            "clone_url": format!("{PAGES}/{name}.git"),
        })
    }

    /// The few words about a repository that stand inside other things.
    fn repository_in_short(&self, repository: &Repository) -> Value {
        json!({
            "id": repository.id,
            "url": format!("{}/repos/{}", self.api, repository.name),
            "name": repository.short_name(),
        })
    }
}

/// The name of the repository under test.
pub(crate) fn home_name(world: &World) -> String {
    world
        .home()
        .map(|home| home.name.clone())
        .unwrap_or_default()
}
