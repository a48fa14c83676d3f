//! The top of the tree is a table of contents: a new name there is a decision, not an accident.
//!
//! Tested on one stray name.

use super::{Complaint, Rule};
use crate::tree::Tree;

pub(super) static RULE: Rule = Rule {
    name: "top-level",
    about: "Only the known names stand at the top of the tree.",
    check,
};

/// What may stand at the top, in the order a newcomer meets it.
const NAMES: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "crates",
    "bench",
    "baselines",
    "docs",
    "tools",
    "tripline.toml",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "clippy.toml",
    "deny.toml",
    ".cargo",
    ".ci",
    ".github",
    ".gitattributes",
    ".gitignore",
];

fn check(tree: &Tree) -> Vec<Complaint> {
    let stray = tree
        .paths()
        .filter(|path| !NAMES.contains(&path.split('/').next().unwrap_or(path)));
    stray
        .map(|path| {
            let instead = "move it into a folder that is there, or argue for the name in tools/xtask/src/tidy/top_level.rs";
            Complaint::new(path, 1, "is a new name at the top of the tree", instead)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{assert_kept, complaints};

    #[test]
    fn the_tree_keeps_it() {
        assert_kept(&RULE);
    }

    #[test]
    fn catches_a_stray_file_and_a_stray_folder() {
        let found = complaints(
            &RULE,
            &[
                ("README.md", ""),
                ("crates/a/b.rs", ""),
                ("notes.txt", ""),
                ("scripts/a.sh", ""),
            ],
        );
        assert_eq!(
            found,
            ["notes.txt", "scripts/a.sh"]
                .map(|path| format!("{path}:1: is a new name at the top of the tree"))
        );
    }
}
