//! Where the written workflows take Tripline's actions from: a repository at a commit, never at a name that can move.
//!
//! A release knows its own. Tested below and by `tests/it/init`.

use std::str::FromStr;

use tripline_hub::{CommitId, RepositoryName};

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// A repository with our actions, at a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Actions {
    repository: RepositoryName,
    commit: CommitId,
    /// What is said beside the commit, for people and for the programs that keep pins fresh.
    version: Option<&'static str>,
}

/// What a release build was told of itself.
const BUILT_FROM: Option<&str> = option_env!("TRIPLINE_ACTIONS");

/// The length of a commit's hash, of the kind that GitHub has.
const HASH_DIGITS: usize = 40;

impl FromStr for Actions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |why: String| format!("{why}; actions are named as OWNER/REPO@COMMIT");
        let (repository, commit) = text
            .split_once('@')
            .ok_or_else(|| wrong("there is no `@` in it".to_owned()))?;
        if commit.len() != HASH_DIGITS {
            let why = format!(
                "the commit must be {HASH_DIGITS} hexadecimal digits: a tag or a branch can be moved"
            );
            return Err(wrong(why));
        }
        let repository: RepositoryName = repository
            .parse()
            .map_err(|error: tripline_hub::NameError| wrong(error.to_string()))?;
        // The account of an app owns nothing.
        if repository.owner().as_str().contains('[') {
            return Err(wrong("the owner is no user and no organization".to_owned()));
        }
        let commit = commit
            .parse()
            .map_err(|error: tripline_hub::NameError| wrong(error.to_string()))?;
        Ok(Self {
            repository,
            commit,
            version: None,
        })
    }
}

impl Actions {
    /// Returns the actions that were named, or else those of this release.
    pub(super) fn chosen(named: Option<&Self>) -> Outcome<Self> {
        Self::chosen_of(named, BUILT_FROM)
    }

    fn chosen_of(named: Option<&Self>, built_from: Option<&str>) -> Outcome<Self> {
        if let Some(named) = named {
            return Ok(named.clone());
        }
        let Some(own) = built_from.filter(|own| !own.is_empty()) else {
            let what = "nothing was written: this build is no release, and does not know where its actions are";
            return Err(CommandError::new(Exit::Usage, what)
                .hint("name them: `--actions OWNER/REPO@COMMIT`, with the full hash of a commit of Tripline's repository"));
        };
        let own: Self = own.parse().map_err(|why: String| {
            CommandError::new(
                Exit::Bug,
                "nothing was written: this release was built with a wrong TRIPLINE_ACTIONS",
            )
            .because(why)
        })?;
        Ok(Self {
            version: Some(env!("CARGO_PKG_VERSION")),
            ..own
        })
    }

    /// Returns what stands after `uses:` for one of them.
    pub(super) fn reference(&self, action: &str) -> String {
        let version = self
            .version
            .map_or(String::new(), |version| format!(" # v{version}"));
        format!(
            "{}/.github/actions/{action}@{}{version}",
            self.repository, self.commit
        )
    }

    /// Returns the repository they are in.
    pub(super) fn repository(&self) -> &RepositoryName {
        &self.repository
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn a_release_knows_its_own_actions_and_says_its_version() {
        let own = format!("acme/tripline@{COMMIT}");
        let actions = Actions::chosen_of(None, Some(&own)).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            actions.reference("setup"),
            format!("acme/tripline/.github/actions/setup@{COMMIT} # v{version}")
        );
        let named = format!("else/where@{}", COMMIT.to_uppercase())
            .parse()
            .unwrap();
        let actions = Actions::chosen_of(Some(&named), Some(&own)).unwrap();
        assert_eq!(
            actions.reference("setup"),
            format!("else/where/.github/actions/setup@{COMMIT}")
        );
    }

    #[test]
    fn a_build_that_knows_nothing_says_so() {
        for built_from in [None, Some("")] {
            let error = Actions::chosen_of(None, built_from).expect_err("nobody named any");
            assert_eq!(error.exit, Exit::Usage);
        }
        let error = Actions::chosen_of(None, Some("main")).expect_err("that names none");
        assert_eq!(error.exit, Exit::Bug);
    }

    #[test]
    fn only_a_whole_hash_is_a_commit() {
        for wrong in [
            "acme/tripline".to_owned(),
            "acme/tripline@v1".to_owned(),
            format!("acme/tripline@{}", &COMMIT[1..]),
            format!("acme/tripline@{}", "g".repeat(40)),
            format!("acme/tripline@{COMMIT}{}", "0".repeat(24)),
            format!("acme@{COMMIT}"),
            format!("acme/trip line@{COMMIT}"),
            format!("acme[bot]/tripline@{COMMIT}"),
            format!("acme/tripline\n@{COMMIT}"),
        ] {
            wrong.parse::<Actions>().expect_err(&wrong);
        }
    }
}
