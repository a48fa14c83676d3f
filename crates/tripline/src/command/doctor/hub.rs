//! What GitHub says of the repository: whether it can be reached, what the token may, whether workflows run at all and may
//! open pull requests, and whether they are where GitHub looks for them.
//!
//! It is asked only with a token, and only where the address that the token belongs to is known. Tested by
//! `tests/it/doctor/hub`, against the stand-in.

use std::sync::Arc;
use std::time::Duration;

use tripline_hub::repository::{About, Actions, Push};
use tripline_hub::{
    Address, Branch, Client, HubError, Patience, RepositoryName, Settings, SystemClock, Token,
    repository,
};

use super::finding::Finding;
use crate::command::checkout::Checkout;
use crate::command::init::workflow_names;

/// Whose interface it is, where the runner does not say.
const PUBLIC_API: &str = "https://api.github.com";
/// The host whose interface that is.
const PUBLIC_HOST: &str = "github.com";

/// What the setting is called, and where it is.
const SETTING: &str =
    "Settings, Actions, General: \"Allow GitHub Actions to create and approve pull requests\"";

/// Where it is said what may run.
const ACTIONS: &str = "Settings, Actions, General: \"Actions permissions\"";

pub(super) fn look(checkout: Option<&Checkout>) -> Vec<Finding> {
    let Some(token) = variable("GITHUB_TOKEN") else {
        return vec![Finding::note(
            "GitHub was not asked about the repository: there is no token",
            format!(
                "set GITHUB_TOKEN to have it asked; by hand, look at {SETTING}, which proposals of baselines need"
            ),
        )];
    };
    match client(&token, checkout) {
        Ok(client) => asked(&client),
        Err(finding) => vec![finding],
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Makes the client, or says why GitHub cannot be asked.
fn client(token: &str, checkout: Option<&Checkout>) -> Result<Client, Finding> {
    let token = Token::new(token).map_err(|error| {
        Finding::bad(
            format!("GitHub was not asked: {error}"),
            "set GITHUB_TOKEN to a token, or to nothing",
        )
    })?;
    let remote = checkout.and_then(Checkout::origin);
    let (api, named) = (variable("GITHUB_API_URL"), variable("GITHUB_REPOSITORY"));
    let is_public = remote
        .as_ref()
        .is_none_or(|remote| remote.host == PUBLIC_HOST);
    // A token goes to no host but the one that it is known to be for.
    let api = match api {
        Some(api) => api,
        None if is_public => PUBLIC_API.to_owned(),
        None => {
            return Err(Finding::note(
                "GitHub was not asked about the repository: `origin` is on another host than github.com",
                "set GITHUB_API_URL to the address of its interface, such as `https://github.example/api/v3`",
            ));
        }
    };
    let api: Address = api.parse().map_err(|error: tripline_hub::AddressError| {
        Finding::bad(
            format!("GitHub was not asked: {error}"),
            "set GITHUB_API_URL to its interface, or to nothing",
        )
    })?;
    let repository = match (named, remote) {
        (Some(named), _) => named.parse().map_err(|error: tripline_hub::NameError| {
            Finding::bad(
                format!("GitHub was not asked: {error}"),
                "set GITHUB_REPOSITORY to `owner/name`, or to nothing",
            )
        }),
        (None, Some(remote)) => Ok(remote.repository),
        (None, None) => Err(Finding::note(
            "GitHub was not asked about the repository: which one it is is not known",
            "add the remote `origin`, or set GITHUB_REPOSITORY to `owner/name`",
        )),
    }?;
    Ok(Client::new(settings(api, repository, token)))
}

/// A look is not worth a long wait.
fn settings(api: Address, repository: RepositoryName, token: Token) -> Settings {
    Settings {
        api,
        repository,
        token,
        patience: Patience {
            tries_max: 2,
            wait_max: Duration::from_secs(5),
            timeout: Duration::from_secs(10),
        },
        clock: Arc::new(SystemClock),
        jitter_seed: 0,
    }
}

fn asked(client: &Client) -> Vec<Finding> {
    let about = match repository::about(client) {
        Ok(about) => about,
        // Whoever is not let in has nothing further to ask.
        Err(error) => return vec![unanswered(&error)],
    };
    let branch = &about.default_branch;
    let reached = format!(
        "`{}` is reached on GitHub, and its default branch is `{branch}`",
        client.repository()
    );
    let mut findings = vec![Finding::good(reached), of_token(&about), runs(client)];
    findings.extend([rights(client), workflows(client, branch)]);
    findings
}

/// History, proposals and acceptances are pushes, and all else that is written needs less. To find out by trying would be to
/// write.
fn of_token(about: &About) -> Finding {
    const NEEDS: &str = "`bench-main` pushes history and proposals and `baseline` pushes acceptances, each job with \
        `permissions: contents: write`";
    match &about.push {
        Push::Allowed => {
            Finding::good("the token may push, as whoever keeps history and baselines does")
        }
        Push::ForbiddenByRole => Finding::note(
            "the token may not push, because its owner may not: with it no history, no baseline and no acceptance is written",
            format!("{NEEDS}; to push by hand, take a token of somebody with the role Write"),
        ),
        Push::ForbiddenByScopes(scopes) => Finding::note(
            format!(
                "the token may not push, with the scopes `{scopes}`: with it no history, no baseline and no acceptance is \
                 written"
            ),
            format!("{NEEDS}; to push by hand, give the token the scope `repo`"),
        ),
        Push::Unsaid => Finding::note(
            "whether the token may push cannot be told: GitHub says it of classic tokens alone",
            format!(
                "{NEEDS}; who may not is refused when it writes, and told which right it takes"
            ),
        ),
    }
}

/// Where Actions are off nothing is ever started, and nothing says so.
fn runs(client: &Client) -> Finding {
    match repository::actions(client) {
        Ok(Some(Actions::All)) => Finding::good("workflows run, and may use anybody's actions"),
        Ok(Some(Actions::Off)) => Finding::bad(
            "Actions are off, so that no workflow runs",
            format!("allow them: {ACTIONS}"),
        ),
        Ok(Some(Actions::OfOwner)) => Finding::bad(
            "only actions of the repository's owner may run, and the workflows use others",
            format!("allow those that they use, by `uses:`: {ACTIONS}"),
        ),
        Ok(Some(Actions::Listed)) => Finding::note(
            "only actions of a list may run",
            format!("see that it has those that the workflows use, by `uses:`: {ACTIONS}"),
        ),
        Ok(None) => Finding::note(
            "whether Actions are on is not known: this token may not see the settings",
            format!("look at {ACTIONS}"),
        ),
        Err(error) => unanswered(&error),
    }
}

fn rights(client: &Client) -> Finding {
    match repository::workflow_rights(client) {
        Ok(Some(rights)) if rights.may_create_pulls => {
            Finding::good("workflows may open pull requests, as proposals of baselines do")
        }
        Ok(Some(_)) => Finding::bad(
            "workflows may not open pull requests, so that a proposal of baselines ends as a branch",
            format!("allow it: {SETTING}"),
        ),
        Ok(None) => Finding::note(
            "whether workflows may open pull requests is not known: this token may not see the settings, as none of a \
             workflow may",
            format!("look at {SETTING}"),
        ),
        Err(error) => unanswered(&error),
    }
}

/// GitHub starts what publishes and what answers from the default branch alone.
fn workflows(client: &Client, branch: &Branch) -> Finding {
    let there = match repository::names_in(client, &[".github", "workflows"]) {
        Ok(there) => there,
        Err(error) => return unanswered(&error),
    };
    let ours = workflow_names();
    let is_missing = |name: &&str| !there.iter().any(|file| file == name);
    let missing: Vec<&str> = ours.into_iter().filter(is_missing).collect();
    match missing[..] {
        [] => Finding::good(format!("the workflows are on `{branch}`")),
        _ if missing.len() == ours.len() => Finding::note(
            format!(
                "no workflow of Tripline's is on `{branch}`, so that nothing is measured on GitHub"
            ),
            "`tripline init` writes them",
        ),
        _ => Finding::bad(
            format!(
                "on `{branch}` there is no `{}`, and GitHub looks nowhere else",
                missing.join("`, no `")
            ),
            "`tripline init` writes what is missing; merge it",
        ),
    }
}

fn unanswered(error: &HubError) -> Finding {
    let what = format!("{error}: {}", error.problem());
    Finding::bad(what, error.hint().unwrap_or("try again later"))
}
