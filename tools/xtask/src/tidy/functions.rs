//! Functions fit a screen, and files an afternoon.
//!
//! Clippy counts statements of what it expands; this rule counts the lines a reader scrolls through, in every Rust file
//! of the repository, also inside macros and in packages outside the workspace. The inner lines of a string are data.
//!
//! Tested on generated code one line below and one line above each limit.

use super::{Complaint, Rule};
use crate::tree::{Tree, is_recorded};

pub(super) static RULE: Rule = Rule {
    name: "functions",
    about: "No function is longer than 70 lines, and no file longer than 600 lines of code.",
    check,
};

/// The same number as `too-many-lines-threshold` in clippy.toml.
const FUNCTION_LINES_MAX: usize = 70;
/// Beyond this a file holds two things.
const FILE_LINES_MAX: usize = 600;

fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (path, source) in tree.sources().iter().filter(|(path, _)| !is_recorded(path)) {
        if let Some((line, error)) = source.error() {
            complaints.push(Complaint::new(
                path,
                *line,
                format!("is no Rust: {error}"),
                "mend it, or give it another ending",
            ));
        }
        let long = source
            .functions()
            .into_iter()
            .filter(|function| function.lines > FUNCTION_LINES_MAX);
        complaints.extend(long.map(|function| {
            let what = format!(
                "`{}` has {} lines, more than {FUNCTION_LINES_MAX}",
                function.name, function.lines
            );
            Complaint::new(
                path,
                function.line,
                what,
                "keep the branching here and move the leaves into functions of their own",
            )
        }));
        let lines = source.lines_of_code();
        if lines > FILE_LINES_MAX {
            let what = format!("has {lines} lines of code, more than {FILE_LINES_MAX}");
            complaints.push(Complaint::new(
                path,
                1,
                what,
                "find the second thing in it, and give it a file",
            ));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{assert_kept, complaints};

    #[test]
    fn the_tree_keeps_it() {
        assert_kept(&RULE);
    }

    fn function(lines: usize) -> String {
        format!(
            "/// A.\nfn long() {{\n{}}}\n",
            "    x();\n".repeat(lines - 2)
        )
    }

    #[test]
    fn catches_the_first_function_that_is_too_long() {
        assert_eq!(
            complaints(&RULE, &[("a.rs", &function(FUNCTION_LINES_MAX))]),
            [""; 0]
        );
        let found = complaints(&RULE, &[("a.rs", &function(FUNCTION_LINES_MAX + 1))]);
        assert_eq!(found, ["a.rs:2: `long` has 71 lines, more than 70"]);
    }

    #[test]
    fn catches_the_first_file_that_is_too_long() {
        let file = |lines| "const A: u8 = 0; // a\n\n// b\n".repeat(lines);
        assert_eq!(
            complaints(&RULE, &[("a.rs", &file(FILE_LINES_MAX))]),
            [""; 0]
        );
        let found = complaints(
            &RULE,
            &[
                ("a.rs", &file(FILE_LINES_MAX + 1)),
                ("fixtures/a.rs", &file(FILE_LINES_MAX + 1)),
            ],
        );
        assert_eq!(found, ["a.rs:1: has 601 lines of code, more than 600"]);
    }

    #[test]
    fn catches_what_it_cannot_read() {
        let found = complaints(&RULE, &[("a.rs", "fn a() {\n")]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn clippy_holds_the_same_limit() {
        let tree = crate::tidy::testing::repository();
        let wanted = format!("too-many-lines-threshold = {FUNCTION_LINES_MAX}\n");
        assert!(tree.text("clippy.toml").unwrap().contains(&wanted));
    }
}
