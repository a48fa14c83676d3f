//! What exists on disk is in its list: adapters, renderers, suites, modules, tests.
//!
//! Every list in this repository is written by hand, because a reader finds the whole set by opening one file; the price
//! is that a line can be forgotten, and forgotten things look finished while nothing runs them. This rule pays it.
//!
//! Tested on trees in which one line or file is missing.

use std::collections::BTreeSet;

use super::{Complaint, Rule};
use crate::{
    lists::{ADAPTERS, List, RENDERERS},
    modules::{Package, packages, reached_from, reached_from_src},
    tree::{Tree, is_recorded},
};

pub(super) static RULE: Rule = Rule {
    name: "forgotten",
    about: "Every adapter, renderer, suite, module and test on disk is in its list, and adapters have fixtures.",
    check,
};

fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = [
        unlisted(tree, &ADAPTERS),
        unlisted(tree, &RENDERERS),
        bare_adapters(tree),
        bare_suites(tree),
    ]
    .concat();
    for package in packages(tree) {
        complaints.extend(dead_files(tree, &package));
        complaints.extend(stray_tests(tree, &package));
        complaints.extend(stray_benches(tree, &package));
    }
    complaints
}

/// Returns the modules in the folder of a list: its files, and its folders that have no file of the same name.
fn modules_of(tree: &Tree, list: &List) -> BTreeSet<String> {
    let inside = tree
        .below(list.folder())
        .filter_map(|path| path.strip_prefix(list.folder())?.strip_prefix('/'));
    inside
        .filter(|rest| rest.ends_with(".rs") && !rest.contains('/'))
        .map(|file| file.trim_end_matches(".rs").to_owned())
        .collect()
}

fn unlisted(tree: &Tree, list: &List) -> Vec<Complaint> {
    let on_disk = modules_of(tree, list);
    let Some(source) = tree.sources().get(list.file) else {
        let what = "is missing, and so nothing lists what is beside it";
        return on_disk
            .first()
            .map(|_| Complaint::new(list.file, 1, what, "write it"))
            .into_iter()
            .collect();
    };
    let mut complaints = Vec::new();
    let Some(entries) = list.entries(source) else {
        let instead = format!("write `pub const {}: &[&..] = &[..];`", list.array);
        return vec![Complaint::new(
            list.file,
            1,
            format!("has no array {}", list.array),
            instead,
        )];
    };
    let declared: BTreeSet<String> = source
        .mod_lines()
        .into_iter()
        .filter_map(|line| line.names.into_iter().next_back())
        .collect();
    let listed: BTreeSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    for module in on_disk {
        let path = format!("{}/{module}.rs", list.folder());
        if !declared.contains(&module) {
            let instead = format!("add `mod {module};` to {}", list.file);
            complaints.push(Complaint::new(
                &path,
                1,
                "is not declared, and so never compiled",
                instead,
            ));
        }
        if !listed.contains(module.as_str()) {
            let what = format!("is not in {}, and so never runs", list.array);
            let instead = format!(
                "add `&{module}::{}` to {}; a helper belongs elsewhere",
                list.item, list.file
            );
            complaints.push(Complaint::new(&path, 1, what, instead));
        }
    }
    let mut seen = BTreeSet::new();
    for entry in entries
        .iter()
        .filter(|entry| !seen.insert(entry.name.as_str()))
    {
        complaints.push(Complaint::new(
            list.file,
            entry.line,
            format!("`{}` is listed twice", entry.name),
            "delete one",
        ));
    }
    complaints
}

fn bare_adapters(tree: &Tree) -> Vec<Complaint> {
    let bare = modules_of(tree, &ADAPTERS)
        .into_iter()
        .filter_map(|module| {
            let folder = format!("crates/tripline-read/fixtures/{module}");
            (!tree.has_folder(&folder)).then_some((module, folder))
        });
    bare.map(|(module, folder)| {
        let path = format!("{}/{module}.rs", ADAPTERS.folder());
        let instead = format!("put what the harness really wrote into {folder}/");
        Complaint::new(&path, 1, "is an adapter without a fixture", instead)
    })
    .collect()
}

fn bare_suites(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for suite in tree.folders_in("bench") {
        for (file, instead) in [
            (
                "Cargo.toml",
                "write one, also for a suite that only runs a script: a folder without it breaks the workspace",
            ),
            (
                "suite.toml",
                "write one, or start from `cargo xtask new-suite`",
            ),
        ] {
            let path = format!("bench/{suite}/{file}");
            if !tree.has_file(&path) {
                complaints.push(Complaint::new(&path, 1, "is missing", instead));
            }
        }
    }
    complaints
}

fn dead_files(tree: &Tree, package: &Package) -> Vec<Complaint> {
    let reached = reached_from_src(tree, package);
    let folder = package.file("src");
    let files = tree
        .below(&folder)
        .filter(|path| path.ends_with(".rs") && !is_recorded(path));
    files
        .filter(|path| !reached.contains_key(*path))
        .map(|path| {
            Complaint::new(
                path,
                1,
                "is reached by no `mod` line",
                "add the line, or delete the file",
            )
        })
        .collect()
}

/// Complains about more than one test program, and about files that no test program reaches.
fn stray_tests(tree: &Tree, package: &Package) -> Vec<Complaint> {
    let folder = package.file("tests");
    let files = tree
        .below(&folder)
        .filter(|path| path.ends_with(".rs") && !is_recorded(path));
    let (programs, parts): (Vec<&str>, Vec<&str>) =
        files.partition(|path| is_program(&path[folder.len() + 1..]));
    // All others must be its modules: a program more is linked once more, and shares no helper with the first.
    let main = programs
        .iter()
        .find(|path| path.ends_with("/main.rs"))
        .or(programs.first());
    let mut complaints = Vec::new();
    for path in programs.iter().filter(|path| Some(*path) != main) {
        let instead = format!(
            "make it a module of {}: one program links once",
            main.unwrap_or(path)
        );
        complaints.push(Complaint::new(path, 1, "is a second test program", instead));
    }
    let reached = main
        .map(|main| reached_from(tree, main))
        .unwrap_or_default();
    for path in parts
        .into_iter()
        .filter(|path| !reached.contains_key(*path))
    {
        let instead = "add a `mod` line to the test program, or delete the file";
        complaints.push(Complaint::new(
            path,
            1,
            "is a test that nothing runs",
            instead,
        ));
    }
    complaints
}

/// Tells whether cargo builds a program of a file, by its path below `tests`.
fn is_program(path: &str) -> bool {
    !path.contains('/') || (path.ends_with("/main.rs") && path.matches('/').count() == 1)
}

/// Complains about benches that the manifest does not name: cargo would run them under libtest, which measures nothing.
fn stray_benches(tree: &Tree, package: &Package) -> Vec<Complaint> {
    let folder = package.file("benches");
    let named = package.targets("bench", "name");
    let paths: Vec<String> = package
        .targets("bench", "path")
        .into_iter()
        .map(|path| package.file(path))
        .collect();
    let files = tree.below(&folder).filter_map(|path| {
        let name = path[folder.len() + 1..].strip_suffix(".rs")?;
        (!name.contains('/')).then_some((path, name))
    });
    files
        .filter(|(path, name)| !named.contains(name) && !paths.iter().any(|known| known == path))
        .map(|(path, name)| {
            let instead = format!("add `[[bench]]` with `name = \"{name}\"` and `harness = false`");
            Complaint::new(
                path,
                1,
                "is a bench that its manifest does not name",
                instead,
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{assert_kept, complaints};

    const MANIFEST: &str = "[package]\nname = \"a\"\n[[bench]]\nname = \"counts\"\n";

    /// A tree of which nothing is forgotten.
    const WHOLE: &[(&str, &str)] = &[
        ("bench/a/Cargo.toml", MANIFEST),
        ("bench/a/benches/counts.rs", ""),
        ("bench/a/suite.toml", ""),
        ("crates/tripline-read/Cargo.toml", MANIFEST),
        ("crates/tripline-read/fixtures/go_test/first/output.txt", ""),
        (
            "crates/tripline-read/src/adapters.rs",
            "mod go_test;\nconst ADAPTERS: &[&Adapter] = &[&go_test::ADAPTER];\n",
        ),
        (
            "crates/tripline-read/src/adapters/go_test.rs",
            "mod parts;\n",
        ),
        ("crates/tripline-read/src/adapters/go_test/parts.rs", ""),
        ("crates/tripline-read/src/lib.rs", "mod adapters;\n"),
        ("crates/tripline-read/tests/it/data.txt", ""),
        ("crates/tripline-read/tests/it/main.rs", "mod sniff;\n"),
        ("crates/tripline-read/tests/it/sniff.rs", ""),
        ("crates/tripline-render/Cargo.toml", MANIFEST),
        ("crates/tripline-render/src/lib.rs", "mod renderers;\n"),
        (
            "crates/tripline-render/src/renderers.rs",
            "mod csv;\nconst RENDERERS: &[&Renderer] = &[&csv::RENDERER];\n",
        ),
        ("crates/tripline-render/src/renderers/csv.rs", ""),
    ];

    fn without(path: &str) -> Vec<String> {
        let files: Vec<(&str, &str)> = WHOLE
            .iter()
            .filter(|(name, _)| *name != path)
            .copied()
            .collect();
        assert_eq!(files.len(), WHOLE.len() - 1);
        complaints(&RULE, &files)
    }

    fn with(path: &str, text: &str) -> Vec<String> {
        let others = WHOLE.iter().filter(|(name, _)| *name != path).copied();
        complaints(&RULE, &others.chain([(path, text)]).collect::<Vec<_>>())
    }

    #[test]
    fn the_tree_keeps_it() {
        assert_kept(&RULE);
    }

    #[test]
    fn a_whole_tree_is_fine() {
        assert_eq!(complaints(&RULE, WHOLE), [""; 0]);
    }

    #[test]
    fn catches_an_adapter_or_renderer_outside_its_list() {
        let adapters = "crates/tripline-read/src/adapters";
        let list = "mod go_test;\nconst ADAPTERS: &[&Adapter] = &[];\nconst OTHER: X = go_test::ADAPTER;\n";
        let wanted = [format!(
            "{adapters}/go_test.rs:1: is not in ADAPTERS, and so never runs"
        )];
        assert_eq!(with(&format!("{adapters}.rs"), list), wanted);
        let renderers = "crates/tripline-render/src/renderers";
        let wanted = [
            format!("{renderers}/json.rs:1: is not declared, and so never compiled"),
            format!("{renderers}/json.rs:1: is not in RENDERERS, and so never runs"),
            format!("{renderers}/json.rs:1: is reached by no `mod` line"),
        ];
        let mut found = with(&format!("{renderers}/json.rs"), "");
        found.sort_by_key(|complaint| wanted.iter().position(|line| line == complaint));
        assert_eq!(found, wanted);
    }

    #[test]
    fn catches_a_list_that_lists_twice_or_not_at_all() {
        let list = "crates/tripline-render/src/renderers.rs";
        let twice = "mod csv;\nconst RENDERERS: &[&Renderer] = &[\n    &csv::RENDERER,\n    &csv::RENDERER,\n];\n";
        assert_eq!(
            with(list, twice),
            [format!("{list}:4: `csv` is listed twice")]
        );
        assert_eq!(
            with(list, "mod csv;\n"),
            [format!("{list}:1: has no array RENDERERS")]
        );
        assert!(without(list).contains(&format!(
            "{list}:1: is missing, and so nothing lists what is beside it"
        )));
    }

    #[test]
    fn catches_an_adapter_without_a_fixture() {
        let wanted =
            ["crates/tripline-read/src/adapters/go_test.rs:1: is an adapter without a fixture"];
        assert_eq!(
            without("crates/tripline-read/fixtures/go_test/first/output.txt"),
            wanted
        );
    }

    #[test]
    fn catches_a_suite_without_its_files() {
        assert_eq!(
            without("bench/a/Cargo.toml"),
            ["bench/a/Cargo.toml:1: is missing"]
        );
        assert_eq!(
            without("bench/a/suite.toml"),
            ["bench/a/suite.toml:1: is missing"]
        );
    }

    #[test]
    fn catches_a_dead_file() {
        let path = "crates/tripline-read/src/adapters/go_test/dead.rs";
        assert_eq!(
            with(path, ""),
            [format!("{path}:1: is reached by no `mod` line")]
        );
    }

    #[test]
    fn catches_tests_that_are_programs_of_their_own_or_that_nothing_runs() {
        let tests = "crates/tripline-read/tests/it";
        let wanted = [format!("{tests}/deep/er.rs:1: is a test that nothing runs")];
        assert_eq!(with(&format!("{tests}/deep/er.rs"), ""), wanted);
        let wanted = ["crates/tripline-read/tests/more.rs:1: is a second test program"];
        assert_eq!(with("crates/tripline-read/tests/more.rs", ""), wanted);
        let wanted = [format!("{tests}/sniff.rs:1: is a test that nothing runs")];
        assert_eq!(without(&format!("{tests}/main.rs")), wanted);
    }

    #[test]
    fn a_single_test_program_may_have_any_name() {
        assert_eq!(
            with("crates/tripline-render/tests/escaping.rs", ""),
            [""; 0]
        );
    }

    #[test]
    fn catches_a_bench_without_a_manifest_entry() {
        let wanted = ["bench/a/benches/times.rs:1: is a bench that its manifest does not name"];
        assert_eq!(with("bench/a/benches/times.rs", ""), wanted);
    }
}
