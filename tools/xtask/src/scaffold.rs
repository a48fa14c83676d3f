//! Starting what is added often: an adapter, a suite, a renderer.
//!
//! A scaffold writes stubs that compile and are registered, so that a newcomer's first build is green and the tests tell
//! what is left to do. The stubs are the text files below `templates/`; here is only where they go. A plan is made
//! whole before anything is written: a refused name changes no byte.
//!
//! Tested on a copy of this repository: the rules still hold there, the packages compile, and the same name again is
//! refused.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};

use crate::{
    lists::{ADAPTERS, List, RENDERERS},
    tree::Tree,
};

/// What can be started.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scaffold {
    Adapter,
    Suite,
    Renderer,
}

/// Everything a scaffold will do.
pub(crate) struct Plan {
    writes: Vec<Write>,
    /// What to do next, for the person who asked.
    pub(crate) next: String,
}

struct Write {
    path: String,
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Create,
    Change,
}

const ADAPTER: &[(&str, &str)] = &[
    (
        "crates/tripline-read/fuzz/corpus/<name>/first",
        include_str!("../templates/adapter/output.jsonl.txt"),
    ),
    (
        "crates/tripline-read/fixtures/<module>/first/output.jsonl",
        include_str!("../templates/adapter/output.jsonl.txt"),
    ),
    (
        "crates/tripline-read/src/adapters/<module>.rs",
        include_str!("../templates/adapter/adapter.rs.txt"),
    ),
];
const ADAPTER_TARGETS: &str = "crates/tripline-read/fuzz/Cargo.toml";
const ADAPTER_TARGET: &str = include_str!("../templates/adapter/target.toml.txt");
const ADAPTER_NEXT: &str = include_str!("../templates/adapter/next.txt");

const RENDERER: &[(&str, &str)] = &[(
    "crates/tripline-render/src/renderers/<module>.rs",
    include_str!("../templates/renderer/renderer.rs.txt"),
)];
const RENDERER_NEXT: &str = include_str!("../templates/renderer/next.txt");

const SUITE: &[(&str, &str)] = &[
    (
        "bench/<name>/Cargo.toml",
        include_str!("../templates/suite/Cargo.toml.txt"),
    ),
    (
        "bench/<name>/suite.toml",
        include_str!("../templates/suite/suite.toml.txt"),
    ),
    (
        "bench/<name>/src/lib.rs",
        include_str!("../templates/suite/lib.rs.txt"),
    ),
    (
        "bench/<name>/benches/answers.rs",
        include_str!("../templates/suite/answers.rs.txt"),
    ),
    (
        "bench/<name>/benches/counts.rs",
        include_str!("../templates/suite/counts.rs.txt"),
    ),
    (
        "bench/<name>/benches/times.rs",
        include_str!("../templates/suite/times.rs.txt"),
    ),
];
const SUITE_NEXT: &str = include_str!("../templates/suite/next.txt");

/// Names that are no module names.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

impl Scaffold {
    /// Plans what a scaffold of this name writes, or says why it cannot be.
    pub(crate) fn plan(self, tree: &Tree, name: &str) -> Result<Plan> {
        check_name(name)?;
        let (files, list, next): (_, Option<&List>, _) = match self {
            Self::Adapter => (ADAPTER, Some(&ADAPTERS), ADAPTER_NEXT),
            Self::Suite => (SUITE, None, SUITE_NEXT),
            Self::Renderer => (RENDERER, Some(&RENDERERS), RENDERER_NEXT),
        };
        let mut writes = Vec::new();
        for (path, template) in files {
            let path = fill(path, name);
            writes.push(Write {
                path,
                text: fill(template, name),
                kind: Kind::Create,
            });
        }
        if let Some(list) = list {
            let text = tree
                .text(list.file)
                .with_context(|| format!("cannot read the list `{}`", list.file))?;
            writes.push(Write {
                path: list.file.to_owned(),
                text: list.with(text, &module(name))?,
                kind: Kind::Change,
            });
        }
        if matches!(self, Self::Adapter) {
            let targets = tree
                .text(ADAPTER_TARGETS)
                .with_context(|| format!("cannot read the fuzz targets in `{ADAPTER_TARGETS}`"))?;
            writes.push(Write {
                path: ADAPTER_TARGETS.to_owned(),
                text: format!("{targets}\n{}", fill(ADAPTER_TARGET, name)),
                kind: Kind::Change,
            });
        }
        let plan = Plan {
            writes,
            next: fill(next, name),
        };
        plan.refuse_existing(tree, self, name)?;
        Ok(plan)
    }
}

impl Plan {
    fn refuse_existing(&self, tree: &Tree, scaffold: Scaffold, name: &str) -> Result<()> {
        // On disk and not in the tree alone: what git ignores would be overwritten just the same.
        let existing = self
            .writes
            .iter()
            .filter(|write| write.kind == Kind::Create)
            .find(|write| tree.root().join(&write.path).exists());
        let existing = existing.map(|write| write.path.clone());
        let folder = format!("bench/{name}");
        let folder = matches!(scaffold, Scaffold::Suite)
            .then_some(folder)
            .filter(|folder| tree.root().join(folder).exists());
        match existing.or(folder) {
            Some(path) => {
                Err(anyhow::anyhow!("`{path}` exists already")).context("nothing was written")
            }
            None => Ok(()),
        }
    }

    /// Writes the files below `root`.
    pub(crate) fn carry_out(&self, root: &Path) -> Result<()> {
        for Write { path, text, .. } in &self.writes {
            let full = root.join(path);
            let folder = full
                .parent()
                .with_context(|| format!("`{path}` is in no folder"))?;
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder of `{path}`"))?;
            fs::write(&full, text).with_context(|| format!("cannot write `{path}`"))?;
        }
        Ok(())
    }

    /// Returns the paths that are written, each with the word for it.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.writes.iter().map(|write| {
            let what = match write.kind {
                Kind::Create => "created",
                Kind::Change => "changed",
            };
            (write.path.as_str(), what)
        })
    }
}

fn check_name(name: &str) -> Result<()> {
    let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
    let goes_on = name
        .chars()
        .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    ensure!(
        starts && goes_on,
        "`{name}` is no name: use `[a-z][a-z0-9-]*`"
    );
    ensure!(
        !KEYWORDS.contains(&name),
        "`{name}` is no name: it means something in Rust"
    );
    Ok(())
}

fn module(name: &str) -> String {
    name.replace('-', "_")
}

fn fill(template: &str, name: &str) -> String {
    template
        .replace("<name>", name)
        .replace("<module>", &module(name))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, env, fs::File, path::PathBuf, process::Command};

    use super::*;
    use crate::{
        tidy::{self, RULES},
        tree::{find_root, git},
    };

    const ALL: [Scaffold; 3] = [Scaffold::Adapter, Scaffold::Suite, Scaffold::Renderer];

    /// Returns the paths of what differs between two states of a tree.
    fn differences<'a>(one: &'a Tree, other: &'a Tree) -> BTreeSet<&'a str> {
        let paths = one.paths().chain(other.paths());
        paths
            .filter(|path| one.bytes(path) != other.bytes(path))
            .collect()
    }

    /// Copies the repository to `copy`, writing only what differs, so that cargo recognizes what it has built before.
    fn copy_repository(copy: &Path) -> Tree {
        fs::create_dir_all(copy).unwrap();
        assert!(
            git(copy)
                .args(["init", "--quiet"])
                .status()
                .unwrap()
                .success()
        );
        let tree = Tree::read(&find_root(&env::current_dir().unwrap()).unwrap()).unwrap();
        let old = Tree::read(copy).unwrap();
        for path in old.paths().filter(|path| !tree.has_file(path)) {
            fs::remove_file(copy.join(path)).unwrap();
            // And the folders that only it was in.
            let folders = Path::new(path).ancestors().skip(1);
            let _ = folders
                .map_while(|folder| fs::remove_dir(copy.join(folder)).ok())
                .count();
        }
        for path in tree
            .paths()
            .filter(|path| old.bytes(path) != tree.bytes(path))
        {
            let full = copy.join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, tree.bytes(path).unwrap()).unwrap();
        }
        Tree::read(copy).unwrap()
    }

    fn complaints(tree: &Tree) -> Vec<String> {
        tidy::run(RULES, tree)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// The build folder this test was built into: target/debug/deps/xtask-0123.
    fn build_folder() -> PathBuf {
        env::current_exe()
            .unwrap()
            .ancestors()
            .nth(3)
            .unwrap()
            .to_path_buf()
    }

    /// Asserts that a program succeeds, and returns what it said on the way.
    fn assert_runs(command: &mut Command) -> String {
        let output = command.output().unwrap();
        let told = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .concat();
        assert!(output.status.success(), "{command:?} failed:\n{told}");
        told
    }

    /// Asserts that rustfmt would change nothing. Through its standard input, it leaves other modules alone.
    fn assert_formatted(path: &Path) {
        let mut rustfmt = Command::new("rustfmt");
        assert_runs(
            rustfmt
                .args(["--check", "--edition", "2024"])
                .stdin(File::open(path).unwrap()),
        );
    }

    /// Compiles the packages that a scaffold touches, and returns what clippy says of them.
    fn clippy(copy: &Path) -> String {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args([
            "clippy",
            "--quiet",
            "--offline",
            "--no-deps",
            "--message-format",
            "short",
        ]);
        cargo.args([
            "-p",
            "tripline-read",
            "-p",
            "tripline-render",
            "-p",
            "bench-new-thing",
        ]);
        cargo.args(["--lib", "--bench", "*"]);
        assert_runs(
            cargo
                .current_dir(copy)
                .env("CARGO_TARGET_DIR", build_folder()),
        )
    }

    /// All three at once: one copy and one build tell what three would.
    #[test]
    fn what_is_started_keeps_the_rules_and_compiles_and_is_not_started_twice() {
        let folder = build_folder().join("tmp");
        fs::create_dir_all(&folder).unwrap();
        // A second run of the tests at the same time must not change the copy under the first one's feet.
        let lock = File::create(folder.join("xtask-scaffold.lock")).unwrap();
        lock.lock().unwrap();
        let copy = folder.join("xtask-scaffold");

        let before = complaints(&copy_repository(&copy));
        for scaffold in ALL {
            let plan = scaffold
                .plan(&Tree::read(&copy).unwrap(), "new-thing")
                .unwrap();
            plan.carry_out(&copy).unwrap();
            for write in plan
                .writes
                .iter()
                .filter(|write| write.path.ends_with(".rs"))
            {
                assert_formatted(&copy.join(&write.path));
            }
        }
        let tree = Tree::read(&copy).unwrap();
        assert_eq!(complaints(&tree), before, "a scaffold breaks a rule");

        let told = clippy(&copy);
        // What clippy says of other files is for others to mend.
        let ours = told
            .lines()
            .filter(|line| line.contains("new-thing") || line.contains("new_thing"));
        assert_eq!(ours.collect::<Vec<_>>(), [""; 0], "a scaffold is not clean");

        // Read again, because cargo has added the new package to its lock file.
        let tree = Tree::read(&copy).unwrap();
        for scaffold in ALL {
            assert!(
                scaffold.plan(&tree, "new-thing").is_err(),
                "{scaffold:?} was started twice"
            );
        }
        assert_eq!(
            differences(&tree, &Tree::read(&copy).unwrap()),
            BTreeSet::new()
        );
    }

    #[test]
    fn what_a_scaffold_says_next_is_about_the_name() {
        let tree = Tree::read(&find_root(&env::current_dir().unwrap()).unwrap()).unwrap();
        for scaffold in ALL {
            let plan = scaffold.plan(&tree, "new-thing").unwrap();
            assert!(plan.next.contains("new-thing"), "{}", plan.next);
            assert!(plan.changes().count() > 1);
            let texts = plan
                .writes
                .iter()
                .map(|write| &write.text)
                .chain([&plan.next]);
            assert!(
                texts
                    .into_iter()
                    .all(|text| !text.contains("<name>") && !text.contains("<module>"))
            );
        }
    }

    #[test]
    fn odd_names_are_refused() {
        for name in [
            "", "A", "1a", "-a", "a_b", "a b", "a/b", "../a", "ä", "type", "self",
        ] {
            assert!(check_name(name).is_err(), "{name}");
        }
        for name in ["a", "go-test", "catch2"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_suite_does_not_move_into_a_folder_that_is_there() {
        let tree = Tree::read(&find_root(&env::current_dir().unwrap()).unwrap()).unwrap();
        assert!(Scaffold::Suite.plan(&tree, "store").is_err());
    }
}
