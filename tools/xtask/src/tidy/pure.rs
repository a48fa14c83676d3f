//! What the stages must not reach for: the disk, the network, the clock, a harness by name, a second serializer.
//!
//! The vocabulary, the judge and the renderers are functions of their inputs: that is what makes a verdict replayable
//! from two files. Only the hub talks to the network, and only the wire module decides what stored data looks like.
//! Tests may read fixtures, and so are left out.
//!
//! Tested on small files with one offence each.

use std::collections::BTreeSet;

use super::{Complaint, Rule, line_where};
use crate::{
    modules::packages,
    source::{Kind, Source, Token},
    tree::Tree,
};

pub(super) static RULE: Rule = Rule {
    name: "pure",
    about: "Model, judge, render, history and site do no I/O and read no clock; all but the model name no harness; only `wire` serializes; only the hub has the network.",
    check,
};

const MODEL: &str = "crates/tripline-model/src";
const JUDGE: &str = "crates/tripline-judge/src";
const RENDER: &str = "crates/tripline-render/src";
const HISTORY: &str = "crates/tripline-history/src";
const SITE: &str = "crates/tripline-site/src";
const HUB: &str = "crates/tripline-hub";

/// The crates whose results depend on their arguments alone.
const PURE: &[&str] = &[MODEL, JUDGE, RENDER, HISTORY, SITE];

/// Those that know metrics, and not who measured them.
const WITHOUT_HARNESS: &[&str] = &[JUDGE, RENDER, HISTORY, SITE];

/// Paths that make a result depend on more than the arguments, and where the value comes from instead.
const IMPURE: &[(&str, &str)] = &[
    (
        "std::fs",
        "take the text as an argument; the binary reads and writes files",
    ),
    (
        "std::env",
        "take the value as an argument; the binary reads the environment",
    ),
    (
        "std::process",
        "return a value; the binary starts programs and chooses exit codes",
    ),
    (
        "std::net",
        "take the data as an argument; only the hub has the network",
    ),
    (
        "SystemTime::now",
        "take the time as an argument; the binary reads the clock",
    ),
    (
        "Instant::now",
        "take the time as an argument; the binary reads the clock",
    ),
    (
        "Timestamp::now",
        "take the time as an argument; the binary reads the clock",
    ),
    (
        "Zoned::now",
        "take the time as an argument; the binary reads the clock",
    ),
];

/// Names of harnesses, as words in lower case.
const HARNESSES: &[&str] = &[
    "asv",
    "benchmarkdotnet",
    "callgrind",
    "catch2",
    "criterion",
    "dhat",
    "divan",
    "gungraun",
    "hyperfine",
    "iai",
    "jmh",
    "libtest",
    "massif",
    "pytest",
    "strace",
    "tinybench",
    "vitest",
];

/// Packages that open connections.
const NETWORK: &[&str] = &[
    "curl",
    "git2",
    "hyper",
    "isahc",
    "minreq",
    "octocrab",
    "reqwest",
    "tokio",
    "tungstenite",
    "ureq",
];

fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (path, source) in tree
        .sources()
        .iter()
        .filter(|(path, _)| !tree.is_test_file(path))
    {
        let is_in = |folders: &[&str]| {
            folders
                .iter()
                .any(|folder| path.starts_with(&format!("{folder}/")))
        };
        if is_in(PURE) {
            complaints.extend(impure_paths(path, source));
        }
        if is_in(WITHOUT_HARNESS) {
            complaints.extend(harness_names(path, source));
        }
        if is_in(&[MODEL, JUDGE, RENDER]) && !path.starts_with(&format!("{MODEL}/wire")) {
            complaints.extend(serde_outside_wire(path, source));
        }
        if path.starts_with("crates/tripline") && !is_in(&[HUB]) && !is_in(PURE) {
            let lines = source.lines_with_path("std::net").into_iter();
            complaints.extend(lines.map(|line| network(path, line, "uses `std::net`")));
        }
    }
    complaints.extend(network_packages(tree));
    complaints
}

fn impure_paths(path: &str, source: &Source) -> Vec<Complaint> {
    let found = IMPURE.iter().flat_map(|(name, instead)| {
        let lines = source.lines_with_path(name).into_iter();
        lines.map(move |line| {
            Complaint::new(
                path,
                line,
                format!("uses `{name}` in a pure crate"),
                *instead,
            )
        })
    });
    found.collect()
}

fn network(path: &str, line: usize, what: &str) -> Complaint {
    Complaint::new(
        path,
        line,
        format!("{what} outside the hub"),
        "plan an effect, and let crates/tripline-hub carry it out",
    )
}

fn network_packages(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for package in packages(tree) {
        if !package.folder.starts_with("crates/tripline") || package.folder == HUB {
            continue;
        }
        let path = package.manifest_path();
        let dependencies = package
            .manifest
            .get("dependencies")
            .and_then(toml::Value::as_table)
            .into_iter()
            .flatten();
        for (name, _) in dependencies.filter(|(name, _)| NETWORK.contains(&name.as_str())) {
            let line = line_where(tree.text(&path).unwrap_or(""), |line| {
                line.starts_with(name.as_str())
            });
            complaints.push(network(&path, line, &format!("depends on `{name}`")));
        }
    }
    complaints
}

fn harness_names(path: &str, source: &Source) -> Vec<Complaint> {
    let code = source
        .tokens()
        .iter()
        .filter(|token| !token.in_test && token.kind != Kind::Mark);
    let named = code.filter_map(|token| {
        let name = words(&token.text)
            .into_iter()
            .find(|word| HARNESSES.contains(&word.as_str()))?;
        Some((token.line, name))
    });
    named
        .map(|(line, name)| {
            let what = format!("names the harness `{name}`");
            Complaint::new(path, line, what, "let the metric's unit, nature or direction decide, or a caveat that the adapter sets")
        })
        .collect()
}

/// Splits `IaiCallgrind`, `iai_callgrind` and `"by iai-callgrind"` into words in lower case.
fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut word = String::new();
    let mut before = ' ';
    for letter in text.chars().chain([' ']) {
        let ends = !letter.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase());
        if ends && !word.is_empty() {
            words.insert(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

fn serde_outside_wire(path: &str, source: &Source) -> Vec<Complaint> {
    let derives = source.places("# [ derive (").into_iter().map(|at| at + 3);
    let derived = derives
        .flat_map(|open| source.inside(open))
        .filter(|token| is_serde(token));
    // By hand is no better: `impl<'a> serde::Serialize for X` has the name somewhere before its `for`.
    let by_hand = source.places("impl").into_iter().flat_map(|at| {
        source.tokens()[at..]
            .iter()
            .take_while(|token| !["for", "{", ";"].contains(&token.text.as_str()))
            .filter(|token| is_serde(token))
    });
    let lines: BTreeSet<usize> = derived
        .chain(by_hand)
        .filter(|token| !token.in_test)
        .map(|token| token.line)
        .collect();
    lines
        .into_iter()
        .map(|line| {
            let instead = "write the stored shape in crates/tripline-model/src/wire and convert to and from it there";
            Complaint::new(path, line, "serializes with serde outside the wire module", instead)
        })
        .collect()
}

fn is_serde(token: &Token) -> bool {
    ["Serialize", "Deserialize", "DeserializeOwned"].contains(&token.text.as_str())
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
    fn catches_every_impure_path() {
        for (name, _) in IMPURE {
            let code = format!(
                "fn a() {{ {name}(); }}\n#[cfg(test)]\nmod tests {{ fn b() {{ {name}(); }} }}\n"
            );
            for crate_ in PURE {
                let path = format!("{crate_}/a.rs");
                let wanted = [format!("{path}:1: uses `{name}` in a pure crate")];
                assert_eq!(complaints(&RULE, &[(&path, &code)]), wanted);
            }
            let elsewhere = complaints(&RULE, &[("crates/tripline-read/src/a.rs", &code)]);
            assert_eq!(
                elsewhere.len(),
                usize::from(*name == "std::net"),
                "{elsewhere:?}"
            );
        }
    }

    #[test]
    fn catches_harness_names_in_words_and_strings_but_not_in_tests_or_comments() {
        let code = "/// Unlike criterion.\nfn read_criterion() {}\nfn a() { b(\"run hyperfine again\") }\nstruct IaiRun;\n\
                    const CRITERIA: &str = \"asvab\";\n#[cfg(test)]\nmod tests { fn a() { b(\"divan\") } }\n";
        let wanted = [
            "crates/tripline-judge/src/a.rs:2: names the harness `criterion`",
            "crates/tripline-judge/src/a.rs:3: names the harness `hyperfine`",
            "crates/tripline-judge/src/a.rs:4: names the harness `iai`",
        ];
        assert_eq!(
            complaints(&RULE, &[("crates/tripline-judge/src/a.rs", code)]),
            wanted
        );
        assert_eq!(
            complaints(&RULE, &[("crates/tripline-read/src/a.rs", code)]),
            [""; 0]
        );
    }

    #[test]
    fn catches_serde_outside_the_wire_module() {
        let code = "#[derive(Clone, serde::Serialize)]\nstruct A;\nimpl<'de> Deserialize<'de> for B {}\nimpl Display for C {}\n";
        let wanted = [
            "crates/tripline-model/src/run.rs:1: serializes with serde outside the wire module",
            "crates/tripline-model/src/run.rs:3: serializes with serde outside the wire module",
        ];
        assert_eq!(
            complaints(&RULE, &[("crates/tripline-model/src/run.rs", code)]),
            wanted
        );
        assert_eq!(
            complaints(&RULE, &[("crates/tripline-model/src/wire/v1.rs", code)]),
            [""; 0]
        );
    }

    #[test]
    fn catches_the_network_outside_the_hub() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nureq.workspace = true\n";
        let code = "use std::{net::TcpStream};\n";
        let files = [
            ("crates/tripline/Cargo.toml", manifest),
            ("crates/tripline/src/a.rs", code),
            ("crates/tripline-hub/Cargo.toml", manifest),
            ("crates/tripline-hub/src/a.rs", code),
            ("crates/workload-server/src/a.rs", code),
        ];
        let wanted = [
            "crates/tripline/Cargo.toml:4: depends on `ureq` outside the hub",
            "crates/tripline/src/a.rs:1: uses `std::net` outside the hub",
        ];
        assert_eq!(complaints(&RULE, &files), wanted);
    }
}
