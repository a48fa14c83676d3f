//! Where a file says which test holds it, there is that test.
//!
//! The words at the top of a file are where a newcomer looks for its tests. They rot in silence: nothing breaks when a test
//! moves, or was never written.
//!
//! Tested on a small crate with a promise that is kept and one that is not.

use super::{Complaint, Rule};
use crate::tree::Tree;

pub(super) static RULE: Rule = Rule {
    name: "tested",
    about: "A test that a comment names by its path is there, as a file or as a folder.",
    check,
};

/// Where the tests of a crate are, seen from it.
const TESTS: &str = "tests/";

fn check(tree: &Tree) -> Vec<Complaint> {
    let sources = tree.texts().filter(|(path, _)| path.ends_with(".rs"));
    let mut complaints = Vec::new();
    for (path, text) in sources {
        let Some(crate_) = crate_of(tree, path) else {
            continue;
        };
        for (at, line) in text.lines().enumerate() {
            let missing = named(line).filter(|name| !is_there(tree, crate_, name));
            complaints.extend(missing.map(|name| {
                let what = format!("names `{name}`, which is not in `{crate_}`");
                Complaint::new(
                    path,
                    at + 1,
                    what,
                    "write the test, or name the one that there is",
                )
            }));
        }
    }
    complaints
}

/// Returns the folder of the crate that a file is of.
fn crate_of<'a>(tree: &Tree, path: &'a str) -> Option<&'a str> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        if tree.has_file(&format!("{above}/Cargo.toml")) {
            return Some(above);
        }
        folder = above;
    }
    None
}

/// Returns the tests that a line names, where it is a comment.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let comment = line.trim_start();
    let words = comment.split('`').skip(1).step_by(2);
    words.filter(move |word| comment.starts_with("//") && word.starts_with(TESTS))
}

fn is_there(tree: &Tree, crate_: &str, name: &str) -> bool {
    let place = format!("{crate_}/{}", name.trim_end_matches('/'));
    tree.has_file(&place) || tree.has_file(&format!("{place}.rs")) || tree.has_folder(&place)
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
    fn catches_a_test_that_is_not_there() {
        let promises = "//! Tested by `tests/it/a`, `tests/it` and `tests/it/b.rs`.\n//! And by `tests/it/c`.\n";
        let found = complaints(
            &RULE,
            &[
                ("crates/x/Cargo.toml", ""),
                ("crates/x/src/deep/x.rs", promises),
                ("crates/x/src/y.rs", "const A: &str = \"`tests/it/d`\";\n"),
                ("crates/x/tests/it/a.rs", ""),
                ("crates/x/tests/it/b.rs", ""),
            ],
        );
        assert_eq!(
            found,
            ["crates/x/src/deep/x.rs:2: names `tests/it/c`, which is not in `crates/x`"]
        );
    }
}
