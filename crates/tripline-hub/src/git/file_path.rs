//! Paths of files in a branch of ours.
//!
//! Suites and environments become folders and file names, and a branch is checked out on other people's machines, so a
//! path is letters, digits and a few signs in folders: nothing climbs out, meets `.git`, or means something to a shell or
//! to another file system. Tested below; git checks paths once more.

use std::fmt;
use std::str::FromStr;

use super::change::{ChangeError, WRONG_CHARS_MAX};
use crate::text::shown;

/// Names a file from the top of a branch.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath(Box<str>);

impl FilePath {
    /// The longest path that is taken.
    pub const BYTES_MAX: usize = 1024;
    /// The longest name within a path that file systems take.
    const PART_BYTES_MAX: usize = 255;

    /// Returns the path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folders that the file is in, outermost first.
    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(at, _)| &self.0[..at])
    }
}

impl FromStr for FilePath {
    type Err = ChangeError;

    fn from_str(text: &str) -> Result<Self, ChangeError> {
        let is_good = |part: &str| {
            (1..=Self::PART_BYTES_MAX).contains(&part.len())
                && part
                    .chars()
                    .all(|c| c.is_alphanumeric() || "._-+=@,%".contains(c))
                && !part.starts_with('-')
                && !part.ends_with('.')
                && !part.to_lowercase().starts_with(".git")
        };
        if text.len() <= Self::BYTES_MAX && text.split('/').all(is_good) {
            Ok(Self(text.into()))
        } else {
            let given = shown(text, WRONG_CHARS_MAX);
            Err(ChangeError::Path { given })
        }
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngSeed};

    #[test]
    fn paths_are_folders_and_a_name() {
        for good in [
            "a",
            "runs/2026/11/ab12.jsonl",
            "baselines/store/debian-12-x86_64.jsonl",
            ".tripline",
            "größe/名前.txt",
            "a=b,c@d+e%f",
        ] {
            good.parse::<FilePath>().expect(good);
        }
    }

    #[test]
    fn hostile_paths_are_refused() {
        let long_part = "a".repeat(256);
        let long_path = vec!["a".repeat(200); 6].join("/");
        for bad in [
            "",
            "/",
            "/etc/passwd",
            "a/",
            "a//b",
            ".",
            "..",
            "a/../b",
            "a/..",
            ".git",
            ".git/config",
            "a/.GIT/hooks/pre-push",
            ".gitattributes",
            ".gitmodules",
            "GIT~1/config",
            ".g\u{200c}it/config",
            "a\\b",
            "C:/x",
            "a:b",
            "-rf",
            "a/-b",
            "a b",
            "a\nb",
            "a\0b",
            "a\tb",
            "a\u{202e}b",
            "con.",
            "$(id)",
            "`id`",
            "a;b",
            "a*",
            "a?",
            "a|b",
            "a\"b",
            "a'b",
            "<a>",
            &long_part,
            &long_path,
        ] {
            assert!(bad.parse::<FilePath>().is_err(), "{bad:?}");
        }
    }

    proptest! {
        #![proptest_config(Config { rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..Config::default() })]

        #[test]
        fn what_is_a_path_stays_below_the_top(text in "[a./\\\\~:GgIiTt -]{1,16}") {
            if let Ok(path) = text.parse::<FilePath>() {
                let parts: Vec<&str> = path.as_str().split('/').collect();
                prop_assert!(parts.iter().all(|part| !matches!(*part, "" | "." | "..")));
                prop_assert!(parts.iter().all(|part| !part.eq_ignore_ascii_case(".git")));
                prop_assert!(!path.as_str().contains(['\\', ':', '~', ' ']));
            }
        }
    }
}
