//! One file prints, and no library ends the program.
//!
//! stdout is data and stderr is talk; that only holds while a single file decides which is which, strips colour and
//! survives a closed pipe. Clippy holds the macros; this rule also sees the handles and the places behind an `expect`.
//!
//! Tested on small files with one offence each.

use std::collections::BTreeSet;

use super::{Complaint, Rule};
use crate::{source::Source, tree::Tree};

pub(super) static RULE: Rule = Rule {
    name: "printing",
    about: "Below crates/ only talk.rs of the binary, and `main` of a workload that is a program, print, and nothing calls `exit`.",
    check,
};

/// The one file that prints.
const TALK: &str = "crates/tripline/src/talk.rs";

/// The one file that needs the standard streams and prints nothing: it takes them away from a bench that serves, to keep
/// the driver's messages and what the bench prints apart.
const CHANNEL: &str = "crates/tripline-duet/src/facade/channel.rs";

/// The programs under measurement are no part of Tripline: what they print is their own, and goes through the handles.
const WORKLOADS: &str = "crates/workload-";

const MACROS: &[&str] = &["println", "print", "eprintln", "eprint", "dbg"];
const HANDLES: &[&str] = &["stdout", "stderr"];

fn check(tree: &Tree) -> Vec<Complaint> {
    let ours = tree
        .sources()
        .iter()
        .filter(|(path, _)| path.starts_with("crates/"));
    let mut complaints = Vec::new();
    for (path, source) in ours {
        // `exit` skips destructors wherever it stands: a test would leave its processes behind.
        complaints.extend(exits(source).into_iter().map(|line| {
            let instead = "return an error or an exit code, and let `main` return it";
            Complaint::new(path, line, "ends the program with `exit`", instead)
        }));
        if path != TALK && path.contains("/src/") && !tree.is_test_file(path) {
            let prints = prints(source).into_iter();
            let has_handles = path == CHANNEL || is_workload_program(path);
            let prints = prints.filter(|(_, name)| !has_handles || name.ends_with('!'));
            complaints.extend(prints.map(|(line, name)| {
                let what = format!("prints with `{name}`");
                Complaint::new(
                    path,
                    line,
                    what,
                    format!("return what is to be said; only {TALK} prints"),
                )
            }));
        }
    }
    complaints
}

fn is_workload_program(path: &str) -> bool {
    path.starts_with(WORKLOADS) && path.ends_with("/src/main.rs")
}

fn exits(source: &Source) -> BTreeSet<usize> {
    let called = source
        .places("process : : exit")
        .into_iter()
        .map(|at| source.tokens()[at].line);
    called
        .chain(source.lines_with_path("std::process::exit"))
        .collect()
}

fn prints(source: &Source) -> BTreeSet<(usize, String)> {
    let macros = MACROS.iter().flat_map(|name| {
        source
            .places(&format!("{name} !"))
            .into_iter()
            .map(move |at| (at, format!("{name}!")))
    });
    let handles = HANDLES.iter().flat_map(|name| {
        let calls = source.places(&format!("{name} ( )")).into_iter();
        // `child.stdout()` and a function of that name are other things.
        let calls = calls.filter(|at| !matches!(source.text_at(at.checked_sub(1)), "." | "fn"));
        calls.map(move |at| (at, format!("{name}()")))
    });
    let found = macros
        .chain(handles)
        .filter(|(at, _)| !source.tokens()[*at].in_test);
    found
        .map(|(at, name)| (source.tokens()[at].line, name))
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
    fn catches_every_way_to_print() {
        let code = "fn a() {\n    println!();\n    std::eprint!(\"\");\n    dbg!(b);\n    write!(io::stdout(), \"\");\n    stderr().lock();\n}\n\
                    fn stdout() -> u8 { child.stdout() }\n/// println!()\nfn b(stdout: u8) -> &str { \"print!\" }\n";
        let path = "crates/tripline-read/src/a.rs";
        let found = complaints(&RULE, &[(path, code), (TALK, code)]);
        let wanted = [
            (2, "println!"),
            (3, "eprint!"),
            (4, "dbg!"),
            (5, "stdout()"),
            (6, "stderr()"),
        ];
        assert_eq!(
            found,
            wanted.map(|(line, name)| format!("{path}:{line}: prints with `{name}`"))
        );
    }

    #[test]
    fn catches_printing_beside_the_channel() {
        let code = "fn a() {\n    dup(stdout());\n    println!();\n}\n";
        for path in [CHANNEL, "crates/workload-a/src/main.rs"] {
            let wanted = format!("{path}:3: prints with `println!`");
            assert_eq!(complaints(&RULE, &[(path, code)]), [wanted]);
        }
        let library = complaints(&RULE, &[("crates/workload-a/src/lib.rs", code)]);
        assert_eq!(library.len(), 2);
    }

    #[test]
    fn tests_and_tools_may_print() {
        let in_tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { println!() }\n}\n";
        let files = [
            ("crates/tripline-read/src/a.rs", in_tests),
            (
                "crates/tripline-read/tests/main.rs",
                "fn a() { println!() }\n",
            ),
            ("tools/xtask/src/main.rs", "fn main() { println!() }\n"),
        ];
        assert_eq!(complaints(&RULE, &files), [""; 0]);
    }

    #[test]
    fn catches_exit_even_where_printing_is_allowed() {
        let found = complaints(
            &RULE,
            &[(
                TALK,
                "use std::process::{self, exit};\nfn a() { process::exit(1) }\n",
            )],
        );
        assert_eq!(
            found,
            [1, 2].map(|line| format!("{TALK}:{line}: ends the program with `exit`"))
        );
        assert_eq!(
            complaints(
                &RULE,
                &[(
                    "crates/tripline/tests/main.rs",
                    "fn a() { std::process::exit(1) }\n"
                )]
            )
            .len(),
            1
        );
    }
}
