//! Packages of the tree and the files their `mod` lines reach.
//!
//! A file that no `mod` line reaches is never compiled, formatted or tested, and looks alive all the same; so the rules
//! need to follow the lines as the compiler does. Tested below on trees of a few lines.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    source::ModLine,
    tree::{Tree, is_recorded},
};

/// A package of ours: a folder with a manifest.
pub(crate) struct Package {
    /// The folder, from the root of the repository.
    pub(crate) folder: String,
    pub(crate) manifest: toml::Table,
}

impl Package {
    /// Returns the path of a file in this package.
    pub(crate) fn file(&self, path: &str) -> String {
        if self.folder.is_empty() {
            path.to_owned()
        } else {
            format!("{}/{path}", self.folder)
        }
    }

    /// Returns the path of the manifest.
    pub(crate) fn manifest_path(&self) -> String {
        self.file("Cargo.toml")
    }

    /// Returns the `name` or `path` of every target in a manifest array such as `bin` or `bench`.
    pub(crate) fn targets(&self, kind: &str, key: &str) -> Vec<&str> {
        let targets = match self.manifest.get(kind) {
            Some(toml::Value::Array(targets)) => targets.iter().collect(),
            Some(single @ toml::Value::Table(_)) => vec![single],
            _ => Vec::new(),
        };
        targets
            .into_iter()
            .filter_map(|target| target.get(key)?.as_str())
            .collect()
    }

    /// Returns the files the compiler starts from below `src`.
    fn roots(&self, tree: &Tree) -> BTreeSet<String> {
        let mut roots: BTreeSet<String> = ["src/lib.rs", "src/main.rs"]
            .map(|path| self.file(path))
            .into();
        roots.extend(
            ["lib", "bin"]
                .iter()
                .flat_map(|kind| self.targets(kind, "path"))
                .map(|path| self.file(path)),
        );
        let programs = self.file("src/bin");
        roots.extend(
            tree.below(&programs)
                .filter(|path| is_program(path, &programs))
                .map(str::to_owned),
        );
        roots.retain(|path| tree.has_file(path));
        roots
    }
}

/// Tells whether cargo takes a file below `src/bin` for a program of its own.
fn is_program(path: &str, folder: &str) -> bool {
    let inside: Vec<&str> = path[folder.len() + 1..].split('/').collect();
    matches!(inside.as_slice(), [file] if file.ends_with(".rs"))
        || matches!(inside.as_slice(), [_, "main.rs"])
}

/// Returns every package of the tree whose manifest can be read, members of the workspace or not.
pub(crate) fn packages(tree: &Tree) -> Vec<Package> {
    let manifests = tree.texts().filter(|(path, _)| !is_recorded(path));
    manifests
        .filter_map(|(path, text)| {
            let folder = path.strip_suffix("Cargo.toml")?;
            let manifest: toml::Table = text.parse().ok()?;
            manifest.contains_key("package").then(|| Package {
                folder: folder.trim_end_matches('/').to_owned(),
                manifest,
            })
        })
        .collect()
}

/// How a file is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Always,
    OnlyInTests,
}

/// Returns the files reached from the package's library and programs.
pub(crate) fn reached_from_src(tree: &Tree, package: &Package) -> BTreeMap<String, Reach> {
    let mut reached = BTreeMap::new();
    for root in package.roots(tree) {
        follow(tree, &root, Root::Yes, Reach::Always, &mut reached);
    }
    reached
}

/// Returns the files reached from one file that the compiler starts from.
pub(crate) fn reached_from(tree: &Tree, root: &str) -> BTreeMap<String, Reach> {
    let mut reached = BTreeMap::new();
    follow(tree, root, Root::Yes, Reach::Always, &mut reached);
    reached
}

/// Returns the files below some `src` that only tests compile.
pub(crate) fn test_files(tree: &Tree) -> BTreeSet<String> {
    let reached = packages(tree)
        .into_iter()
        .flat_map(|package| reached_from_src(tree, &package));
    reached
        .filter(|(_, reach)| *reach == Reach::OnlyInTests)
        .map(|(path, _)| path)
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Yes,
    No,
}

fn follow(
    tree: &Tree,
    path: &str,
    root: Root,
    reach: Reach,
    reached: &mut BTreeMap<String, Reach>,
) {
    // Reached before, and not in a weaker way: nothing new lies behind it.
    if reached
        .get(path)
        .is_some_and(|before| *before == Reach::Always || *before == reach)
    {
        return;
    }
    reached.insert(path.to_owned(), reach);
    let Some(source) = tree.sources().get(path) else {
        return;
    };
    for line in source.mod_lines() {
        let reach = if line.in_test {
            Reach::OnlyInTests
        } else {
            reach
        };
        if let Some(next) = file_of(tree, path, root, &line) {
            follow(tree, &next, Root::No, reach, reached);
        }
    }
}

/// Returns the file that a `mod` line in `path` stands for, if there is one.
fn file_of(tree: &Tree, path: &str, root: Root, line: &ModLine) -> Option<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let candidates = if let Some(named) = &line.path {
        vec![join(folder, named)]
    } else {
        let stem = file.trim_end_matches(".rs");
        let home = if root == Root::Yes || stem == "mod" {
            folder.to_owned()
        } else {
            join(folder, stem)
        };
        let module = join(&home, &line.names.join("/"));
        vec![format!("{module}.rs"), format!("{module}/mod.rs")]
    };
    candidates
        .into_iter()
        .find(|candidate| tree.has_file(candidate))
}

/// Joins two paths and takes out `.` and `..`.
pub(crate) fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"a\"\n[[bin]]\npath = \"src/other.rs\"\n";

    #[test]
    fn follows_the_lines_as_the_compiler_does() {
        let tree = Tree::of(&[
            ("a/Cargo.toml", MANIFEST),
            (
                "a/src/lib.rs",
                "mod b;\nmod c { mod d; }\n#[cfg(test)]\nmod e;\n#[path = \"odd/name.rs\"]\nmod f;\n",
            ),
            ("a/src/b.rs", "mod g;\nmod missing;\n"),
            ("a/src/b/g.rs", ""),
            ("a/src/c/d/mod.rs", "mod h;\n"),
            ("a/src/c/d/h.rs", ""),
            ("a/src/e.rs", "mod i;\n"),
            ("a/src/e/i.rs", ""),
            ("a/src/odd/name.rs", ""),
            ("a/src/other.rs", ""),
            ("a/src/bin/tool.rs", ""),
            ("a/src/bin/big/main.rs", "mod part;\n"),
            ("a/src/bin/big/part.rs", ""),
            ("a/src/dead.rs", ""),
        ]);
        let package = packages(&tree).remove(0);
        let reached = reached_from_src(&tree, &package);
        let all: Vec<&str> = tree
            .below("a/src")
            .filter(|path| *path != "a/src/dead.rs")
            .collect();
        assert_eq!(reached.keys().map(String::as_str).collect::<Vec<_>>(), all);
        assert!(
            tree.is_test_file("a/src/e.rs")
                && tree.is_test_file("a/src/e/i.rs")
                && !tree.is_test_file("a/src/b.rs")
        );
    }

    #[test]
    fn paths_are_joined_without_dots() {
        assert_eq!(join("a/b", "../c/./d.rs"), "a/c/d.rs");
        assert_eq!(join("", "a.rs"), "a.rs");
    }
}
