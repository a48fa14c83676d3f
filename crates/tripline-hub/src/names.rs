//! Names and ids as GitHub and git allow them: what is one of these types can stand in an address, a message or a
//! command without further thought.
//!
//! A branch of a fork is named by whoever forked. Each type checks its form once, where the name comes in. Tested below.

use std::fmt;
use std::str::FromStr;

use crate::text::shown;

/// The most characters of a wrong name that a message repeats.
const WRONG_CHARS_MAX: usize = 80;

/// Says that a name cannot be one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no {what}, which is {form}")]
pub struct NameError {
    /// What it should have been.
    pub what: &'static str,
    /// What was given, safe to show.
    pub given: String,
    /// What such a name looks like.
    pub form: &'static str,
}

impl NameError {
    fn new(what: &'static str, given: &str, form: &'static str) -> Self {
        Self {
            what,
            given: shown(given, WRONG_CHARS_MAX),
            form,
        }
    }
}

/// Writes what every kind of name here has: its text, how it is shown, and how it is parsed.
macro_rules! name {
    ($name:ident) => {
        impl $name {
            /// Returns the name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            /// Shows the name harmlessly; what is sent to GitHub or git is [`as_str`](Self::as_str).
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&shown(&self.0, usize::MAX))
            }
        }
    };
}

/// Names a git commit by its full hash, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(Box<str>);
name!(CommitId);

impl CommitId {
    /// Returns the first ten digits, enough for a message.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..10]
    }
}

impl FromStr for CommitId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
        if is_hash {
            Ok(Self(text.to_ascii_lowercase().into()))
        } else {
            Err(NameError::new(
                "commit",
                text,
                "40 or 64 hexadecimal digits",
            ))
        }
    }
}

/// Names a branch, without `refs/heads/`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch(Box<str>);
name!(Branch);

impl Branch {
    /// The longest name that is taken; no file system that git writes to allows one as long.
    pub const BYTES_MAX: usize = 1024;

    /// Returns the full name of the reference.
    #[must_use]
    pub fn reference(&self) -> String {
        format!("refs/heads/{}", self.0)
    }
}

impl FromStr for Branch {
    type Err = NameError;

    /// Follows the rules of `git check-ref-format --branch`.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let is_bad = |c: char| c == ' ' || "~^:?*[\\".contains(c) || c.is_control();
        let is_good_part =
            |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
        let is_branch = text.len() <= Self::BYTES_MAX
            && text.split('/').all(is_good_part)
            && !text.contains(is_bad)
            && !text.contains("..")
            && !text.contains("@{")
            && !text.starts_with('-')
            && !text.ends_with('.')
            && !matches!(text, "@" | "HEAD");
        if is_branch {
            Ok(Self(text.into()))
        } else {
            let form = "what `git check-ref-format --branch` accepts";
            Err(NameError::new("branch", text, form))
        }
    }
}

/// Names a user, an organization or a bot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Login(Box<str>);
name!(Login);

impl Login {
    /// The longest login that is taken.
    pub const CHARS_MAX: usize = 100;

    /// Returns whether two logins name one account: GitHub tells no upper from lower case.
    #[must_use]
    pub fn is_same_as(&self, other: &str) -> bool {
        self.0.eq_ignore_ascii_case(other)
    }
}

impl FromStr for Login {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let account = text.strip_suffix("[bot]").unwrap_or(text);
        if is_plain(account, "-_.") {
            Ok(Self(text.into()))
        } else {
            let form = "letters, digits, `-`, `_` and `.`, with `[bot]` at the end for an app";
            Err(NameError::new("login", text, form))
        }
    }
}

/// A short text that somebody else wrote, such as the name of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Box<str>);
name!(Text);

impl Text {
    /// The longest text that is taken.
    pub const BYTES_MAX: usize = 2048;
}

impl FromStr for Text {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        if text.len() <= Self::BYTES_MAX {
            Ok(Self(text.into()))
        } else {
            Err(NameError::new("short text", text, "at most 2048 bytes"))
        }
    }
}

/// Names what is published together and so has one comment: a name of our own choice, never one out of a report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetName(Box<str>);
name!(SetName);

impl FromStr for SetName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        // Two hyphens in a row could end the hidden comment that carries the name.
        if is_plain(text, "-_.") && !text.contains("--") {
            Ok(Self(text.into()))
        } else {
            let form = "up to 100 letters, digits, single `-`, `_` and `.`";
            Err(NameError::new("name of a set of suites", text, form))
        }
    }
}

/// Names a repository by its owner and its own name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepositoryName {
    owner: Login,
    name: Box<str>,
}

impl RepositoryName {
    /// Returns who owns it.
    #[must_use]
    pub fn owner(&self) -> &Login {
        &self.owner
    }

    /// Returns its own name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether two names lead to one repository: GitHub tells no upper from lower case.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.owner.is_same_as(other.owner.as_str()) && self.name.eq_ignore_ascii_case(&other.name)
    }
}

impl FromStr for RepositoryName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let parts = text.split_once('/').and_then(|(owner, name)| {
            let is_name = is_plain(name, "-_.") && !matches!(name, "." | "..");
            is_name.then_some((owner.parse().ok()?, name))
        });
        match parts {
            Some((owner, name)) => Ok(Self {
                owner,
                name: name.into(),
            }),
            None => Err(NameError::new("repository", text, "`owner/name`")),
        }
    }
}

impl fmt::Display for RepositoryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

/// Returns whether a name has letters, digits and some signs alone.
fn is_plain(text: &str, signs: &str) -> bool {
    const CHARS_MAX: usize = 100;
    (1..=CHARS_MAX).contains(&text.len())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_branch(text: &str, expected: bool) {
        assert_eq!(text.parse::<Branch>().is_ok(), expected, "{text:?}");
    }

    #[test]
    fn branches_are_what_git_allows() {
        for good in [
            "main",
            "feature/x",
            "user@host",
            "ä-ö",
            "a.b",
            "1",
            "$(id)",
            "a'b\"c",
        ] {
            assert_branch(good, true);
        }
        for bad in [
            "", "/a", "a/", "a//b", ".a", "a/.b", "a.lock", "a.lock/b", "a..b", "a b", "a~1", "a^",
            "a:b", "a?", "a*", "a[", "a\\b", "a\nb", "a\u{7f}", "a@{1}", "@", "-a", "a.", "HEAD",
        ] {
            assert_branch(bad, false);
        }
        assert_branch(&"a".repeat(Branch::BYTES_MAX), true);
        assert_branch(&"a".repeat(Branch::BYTES_MAX + 1), false);
    }

    #[test]
    fn a_wrong_name_is_shown_harmlessly() {
        let error = "a\u{1b}[2Jb".parse::<Branch>().expect_err("no branch");
        insta::assert_snapshot!(error, @r"`a\u{1b}[2Jb` is no branch, which is what `git check-ref-format --branch` accepts");
        let error = "x".repeat(500).parse::<CommitId>().expect_err("no commit");
        assert!(error.to_string().len() < 200, "{error}");
    }

    #[test]
    fn what_others_wrote_is_short_and_shown_harmlessly() {
        let text: Text = "a\u{202e}b\n".parse().unwrap();
        assert_eq!(
            (text.as_str(), text.to_string().as_str()),
            ("a\u{202e}b\n", "a\\u{202e}b\\n")
        );
        let branch: Branch = "a\u{202e}b".parse().unwrap();
        assert_eq!(branch.to_string(), "a\\u{202e}b");
        "x".repeat(Text::BYTES_MAX + 1)
            .parse::<Text>()
            .expect_err("it is long");
    }

    #[test]
    fn repositories_have_an_owner_and_a_name() {
        let demo: RepositoryName = "Acme/demo.rs".parse().unwrap();
        assert_eq!((demo.owner().as_str(), demo.name()), ("Acme", "demo.rs"));
        assert!(demo.is_same_as(&"acme/Demo.rs".parse().unwrap()));
        assert!(!demo.is_same_as(&"acme/demo".parse().unwrap()));
        for bad in [
            "",
            "acme",
            "acme/",
            "/demo",
            "acme/demo/x",
            "acme/..",
            "acme/.",
            "a b/demo",
            "acme/de?mo",
        ] {
            bad.parse::<RepositoryName>().expect_err(bad);
        }
    }

    #[test]
    fn logins_of_bots_are_logins() {
        let bot: Login = "github-actions[bot]".parse().unwrap();
        assert!(bot.is_same_as("GitHub-Actions[bot]"));
        assert!(!bot.is_same_as("github-actions"));
        for bad in ["", "[bot]", "a[bot]b", "a b", "ada:main", "ada/x"] {
            bad.parse::<Login>().expect_err(bad);
        }
    }

    #[test]
    fn a_set_cannot_end_the_hidden_comment_it_stands_in() {
        assert_eq!(
            "all-suites".parse::<SetName>().unwrap().as_str(),
            "all-suites"
        );
        for bad in ["", "a b", "a-->", "a--b", "a>b", "a=b"] {
            bad.parse::<SetName>().expect_err(bad);
        }
    }

    #[test]
    fn commits_are_full_hashes_in_lower_case() {
        let commit: CommitId = "EC26C3E57CA3A959CA5AAD62DE7213C562F8C821".parse().unwrap();
        assert_eq!(commit.short(), "ec26c3e57c");
        for bad in ["", "ec26c3e", "main", &"g".repeat(40)] {
            bad.parse::<CommitId>().expect_err(bad);
        }
    }
}
