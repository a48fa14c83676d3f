//! Where the written workflows take Tripline's actions from: a repository at a commit, never at a name that can move.
//!
//! A release knows its repository and its version, but not the commit: that one holds the hashes of the release, which
//! were not known when it was built. So the repository is asked for the tag, once, and what is written is the commit.
//! Tested below and by `tests/it/init`.

use std::str::FromStr;

use tripline_hub::git::{self, Git};
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

/// What a release build was told of itself: the address of the repository it was built from.
const RELEASED_FROM: Option<&str> = option_env!("TRIPLINE_RELEASED_FROM");

/// The version that a release is tagged with.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What to do where it is not known which actions to take.
const NAME_THEM: &str = "name them: `--actions OWNER/REPO@COMMIT`, with the full hash of a commit of Tripline's repository";

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
    /// Returns the actions that were named, or else those of this release, whose repository is asked.
    pub(super) fn chosen(named: Option<&Self>) -> Outcome<Self> {
        Self::chosen_of(named, RELEASED_FROM)
    }

    fn chosen_of(named: Option<&Self>, released_from: Option<&str>) -> Outcome<Self> {
        if let Some(named) = named {
            return Ok(named.clone());
        }
        if let Some(address) = released_from.filter(|address| !address.is_empty()) {
            return Self::released(address);
        }
        let what = "nothing was written: this build is no release, and does not know where its actions are";
        Err(CommandError::new(Exit::Usage, what).hint(NAME_THEM))
    }

    /// Asks a repository for the commit of this release.
    fn released(address: &str) -> Outcome<Self> {
        let repository = repository_at(address).map_err(|why| {
            let what =
                "nothing was written: this release was built with a wrong TRIPLINE_RELEASED_FROM";
            CommandError::new(Exit::Bug, what).because(why)
        })?;
        let tag = format!("v{VERSION}");
        let failed = |what: String| {
            CommandError::new(Exit::HubFailed, format!("nothing was written: {what}"))
        };
        let commit = git::tagged(&Git::on_path(), address, &tag).map_err(|why| {
            failed(format!("`{address}` was not asked which commit {tag} is"))
                .because(why)
                .hint("run it again with a network that reaches the address; nothing else of it needs one")
                .hint(format!("or {NAME_THEM}"))
        })?;
        let commit =
            commit.ok_or_else(|| failed(format!("`{address}` has no {tag}")).hint(NAME_THEM))?;
        Ok(Self {
            repository,
            commit,
            version: Some(VERSION),
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

/// Returns the owner and the name at the end of an address.
fn repository_at(address: &str) -> Result<RepositoryName, String> {
    let mut names = address.rsplit('/');
    let name = names.next().unwrap_or_default();
    let owner = names.next().unwrap_or_default();
    let repository = format!("{owner}/{name}").parse();
    repository.map_err(|error: tripline_hub::NameError| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    /// Has git do something, and returns what it said.
    fn git(folder: &Path, args: &[&str]) -> String {
        let set = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
        let said = crate::git::git(folder, &[&set, args].concat(), &[]).unwrap();
        String::from_utf8_lossy(&said).trim().to_owned()
    }

    /// Makes a repository with two commits.
    fn repository() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("acme/tripline");
        std::fs::create_dir_all(&root).unwrap();
        git(&root, &["init", "--quiet"]);
        for message in ["what was built", "its hashes"] {
            let commit = ["commit", "--quiet", "--allow-empty", "--message", message];
            git(&root, &commit);
        }
        let address = format!("file://{}", root.display());
        (folder, address)
    }

    #[test]
    fn a_release_asks_for_its_tag_and_pins_the_commit() {
        let (folder, address) = repository();
        let root = folder.path().join("acme/tripline");
        let error = Actions::chosen_of(None, Some(&address)).expect_err("it is not tagged yet");
        assert_eq!(error.exit, Exit::HubFailed);
        assert!(
            error.to_string().contains("--actions OWNER/REPO@COMMIT"),
            "{error}"
        );
        git(&root, &["tag", &format!("v{VERSION}")]);
        git(
            &root,
            &["commit", "--quiet", "--allow-empty", "--message", "later"],
        );
        let tagged = git(&root, &["rev-parse", "HEAD~1"]);
        let actions = Actions::chosen_of(None, Some(&address)).unwrap();
        assert_eq!(
            actions.reference("setup"),
            format!("acme/tripline/.github/actions/setup@{tagged} # v{VERSION}")
        );
        // Nobody is asked where they were named.
        let named = format!("else/where@{}", COMMIT.to_uppercase())
            .parse()
            .unwrap();
        let actions = Actions::chosen_of(Some(&named), Some("file:///nowhere")).unwrap();
        assert_eq!(
            actions.reference("setup"),
            format!("else/where/.github/actions/setup@{COMMIT}")
        );
    }

    #[test]
    fn a_release_that_reaches_nobody_says_what_to_do() {
        let (folder, address) = repository();
        drop(folder);
        let error = Actions::chosen_of(None, Some(&address)).expect_err("nobody is there");
        assert_eq!(error.exit, Exit::HubFailed);
        let said = error.to_string();
        assert!(
            said.contains("was not asked which commit")
                && said.contains("--actions OWNER/REPO@COMMIT"),
            "{said}"
        );
    }

    #[test]
    fn a_build_that_knows_nothing_says_so() {
        for released_from in [None, Some("")] {
            let error = Actions::chosen_of(None, released_from).expect_err("nobody named any");
            assert_eq!(error.exit, Exit::Usage);
        }
        for wrong in [
            "main",
            "https://github.com/acme/",
            "https://github.com/a b/c",
        ] {
            let error = Actions::chosen_of(None, Some(wrong)).expect_err(wrong);
            assert_eq!(error.exit, Exit::Bug, "{wrong}");
        }
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
