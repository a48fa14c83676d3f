//! Who may depend on whom, and that every dependency has a reason.
//!
//! The code is a star: stages know the vocabulary and not each other, benches know what they measure and not Tripline. A
//! shortcut between two of them compiles just fine, so the allowed edges are a table here. The same file holds that
//! versions are written in one place, the root manifest, and that each entry there says what it is for.
//!
//! Tested on a workspace written into a temporary folder, because the edges are read as cargo sees them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use anyhow::{Context as _, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package};

use super::{Complaint, Rule, line_where};
use crate::tree::Tree;

pub(super) static RULE: Rule = Rule {
    name: "edges",
    about: "Packages depend only along the allowed edges, through the workspace's list with a reason for each, from crates.io.",
    check,
};

/// The allowed edges, by the folders of the packages, for normal, build and test dependencies alike. The first row that
/// fits counts; a `*` stands for the rest of a name.
const EDGES: &[(&str, &[&str])] = &[
    ("crates/tripline-model", &[]),
    ("crates/tripline-read", &["crates/tripline-model"]),
    ("crates/tripline-judge", &["crates/tripline-model"]),
    ("crates/tripline-render", &["crates/tripline-model"]),
    ("crates/tripline-history", &["crates/tripline-model"]),
    ("crates/tripline-site", &["crates/tripline-model"]),
    (
        "crates/tripline-hub",
        &["crates/tripline-model", "crates/fake-github"],
    ),
    ("crates/fake-github", &[]),
    // A change of Tripline must not move the numbers of a bench that is linked with it.
    ("crates/tripline-duet", &[]),
    ("crates/tripline", &STAGES),
    ("crates/workload-*", &["crates/workload-*"]),
    // The one suite whose workload is Tripline itself: its libraries, not its binary.
    ("bench/self", &STAGES),
    ("bench/*", &["crates/workload-*", "crates/tripline-duet"]),
    ("tools/xtask", &[]),
];

/// How the lock file names crates.io.
const REGISTRY: &str = "\"registry+https://github.com/rust-lang/crates.io-index\"";

/// Everything the binary wires together, and what its tests stand on. Nothing depends on the binary.
const STAGES: [&str; 9] = [
    "crates/tripline-model",
    "crates/tripline-read",
    "crates/tripline-judge",
    "crates/tripline-render",
    "crates/tripline-history",
    "crates/tripline-site",
    "crates/tripline-hub",
    "crates/tripline-duet",
    "crates/fake-github",
];

fn check(tree: &Tree) -> Vec<Complaint> {
    let metadata = match metadata(tree.root()) {
        Ok(metadata) => metadata,
        Err(error) => {
            // Cargo tells it in several lines, and a complaint is one.
            let lines = format!("{error:#}");
            let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
            return vec![Complaint::new(
                "Cargo.toml",
                1,
                lines.collect::<Vec<_>>().join(" "),
                "run `cargo metadata` and mend the manifest",
            )];
        }
    };
    let members = metadata.workspace_packages();
    let mut complaints: Vec<Complaint> = members
        .iter()
        .flat_map(|package| [wrong_edges(tree, package), own_versions(tree, package)].concat())
        .collect();
    complaints.extend(missing_reasons(tree));
    complaints.extend(unused(tree, &members));
    complaints.extend(foreign_sources(tree));
    complaints
}

fn metadata(root: &Path) -> Result<Metadata> {
    MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_owned()])
        .exec()
        .context("cannot read the workspace")
}

/// Returns a path inside the repository as rules write it: from the root, with `/`.
fn from_root(tree: &Tree, path: &Path) -> String {
    // Cargo resolves symbolic links in its answers, and the root may be named through one.
    let root = tree
        .root()
        .canonicalize()
        .unwrap_or_else(|_| tree.root().to_path_buf());
    let inside = path
        .strip_prefix(tree.root())
        .or_else(|_| path.strip_prefix(root))
        .unwrap_or(path);
    inside.to_string_lossy().replace('\\', "/")
}

fn fits(pattern: &str, folder: &str) -> bool {
    pattern
        .strip_suffix('*')
        .map_or(pattern == folder, |start| folder.starts_with(start))
}

fn wrong_edges(tree: &Tree, package: &Package) -> Vec<Complaint> {
    let manifest = from_root(tree, package.manifest_path.as_std_path());
    let folder = manifest
        .trim_end_matches("Cargo.toml")
        .trim_end_matches('/')
        .to_owned();
    let Some((_, allowed)) = EDGES.iter().find(|(from, _)| fits(from, &folder)) else {
        let what = format!(
            "`{}` has no row in the table of allowed edges",
            package.name
        );
        return vec![Complaint::new(
            &manifest,
            1,
            what,
            "add one, with the reason, to tools/xtask/src/tidy/edges.rs",
        )];
    };
    let ours = package
        .dependencies
        .iter()
        .filter_map(|dependency| Some((dependency, dependency.path.as_ref()?)));
    ours.map(|(dependency, path)| (dependency, from_root(tree, path.as_std_path())))
        .filter(|(_, to)| !allowed.iter().any(|pattern| fits(pattern, to)))
        .map(|(dependency, to)| {
            let line = line_of_dependency(tree.text(&manifest).unwrap_or(""), &dependency.name);
            let what = format!("{folder} must not depend on {to}");
            Complaint::new(&manifest, line, what, instead(allowed))
        })
        .collect()
}

fn instead(allowed: &[&str]) -> String {
    if allowed.is_empty() {
        return "it stands alone; move what both need to where both may reach it".to_owned();
    }
    format!(
        "it may depend on {}; what two stages share belongs into the vocabulary",
        allowed.join(", ")
    )
}

fn line_of_dependency(manifest: &str, name: &str) -> usize {
    let starts = |line: &str| {
        let rest = line.trim_start().trim_start_matches('"').strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(['.', ' ', '=', '"']))
    };
    line_where(manifest, starts)
}

/// Complains about dependencies whose version or path does not come from the root manifest.
fn own_versions(tree: &Tree, package: &Package) -> Vec<Complaint> {
    let path = from_root(tree, package.manifest_path.as_std_path());
    let text = tree.text(&path).unwrap_or("");
    let Ok(manifest) = text.parse::<toml::Table>() else {
        return vec![Complaint::new(
            &path,
            1,
            "cannot be read as TOML",
            "mend it",
        )];
    };
    let own = dependencies(&manifest)
        .into_iter()
        .filter(|(_, value)| value.get("workspace").and_then(toml::Value::as_bool) != Some(true));
    own.map(|(name, _)| {
        let what = format!("`{name}` does not come from the workspace");
        let instead = format!(
            "write `{name}.workspace = true`, and its version with a reason into the root manifest"
        );
        Complaint::new(&path, line_of_dependency(text, name), what, instead)
    })
    .collect()
}

/// Returns the entries of every dependency table of a manifest, those for single targets included.
fn dependencies(manifest: &toml::Table) -> Vec<(&str, &toml::Value)> {
    let targets = manifest
        .get("target")
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(toml::Table::values);
    let places = [manifest]
        .into_iter()
        .chain(targets.filter_map(toml::Value::as_table));
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables =
        places.flat_map(|place| kinds.iter().filter_map(|kind| place.get(*kind)?.as_table()));
    tables
        .flatten()
        .map(|(name, value)| (name.as_str(), value))
        .collect()
}

/// Returns the names in `[workspace.dependencies]` with their lines, and whether a comment stands above them in their
/// group; a blank line ends a group.
fn shared_dependencies(manifest: &str) -> Vec<(&str, usize, bool)> {
    let mut entries = Vec::new();
    let (mut inside, mut explained) = (false, false);
    for (at, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.trim_end() == "[workspace.dependencies]";
            explained = false;
        } else if line.trim().is_empty() {
            explained = false;
        } else if line.starts_with('#') {
            explained = true;
        } else if inside
            && let Some((name, _)) = line.split_once('=')
            && line.starts_with(|first: char| first.is_ascii_alphanumeric())
        {
            entries.push((name.trim(), at + 1, explained));
        }
    }
    entries
}

fn missing_reasons(tree: &Tree) -> Vec<Complaint> {
    let bare = shared_dependencies(tree.text("Cargo.toml").unwrap_or(""))
        .into_iter()
        .filter(|(.., explained)| !explained);
    bare.map(|(name, line, _)| {
        let what = format!("`{name}` is a dependency without a reason");
        Complaint::new(
            "Cargo.toml",
            line,
            what,
            "write a comment above it that says what we need it for",
        )
    })
    .collect()
}

fn unused(tree: &Tree, members: &[&Package]) -> Vec<Complaint> {
    let names = members.iter().flat_map(|package| &package.dependencies);
    let used: BTreeSet<&str> = names.map(|dependency| dependency.name.as_str()).collect();
    let renamed: BTreeMap<String, String> = renamed(tree);
    let entries = shared_dependencies(tree.text("Cargo.toml").unwrap_or(""));
    entries
        .into_iter()
        .filter(|(name, ..)| !used.contains(renamed.get(*name).map_or(*name, String::as_str)))
        .map(|(name, line, _)| {
            let what = format!("no package uses `{name}`");
            Complaint::new(
                "Cargo.toml",
                line,
                what,
                "delete the line; whoever needs it again adds it back",
            )
        })
        .collect()
}

/// Complains about packages that come from anywhere but the public registry, such as one machine's copy of it.
fn foreign_sources(tree: &Tree) -> Vec<Complaint> {
    let lines = tree.text("Cargo.lock").unwrap_or("").lines().enumerate();
    let foreign =
        lines.filter(|(_, line)| line.starts_with("source = ") && !line.contains(REGISTRY));
    foreign
        .map(|(at, line)| {
            let what = format!("a package comes from {}", line.trim_start_matches("source = "));
            let instead = "take it from crates.io, and leave a replacement of that to the machine's own cargo configuration";
            Complaint::new("Cargo.lock", at + 1, what, instead)
        })
        .collect()
}

/// Returns the real names of entries that are listed under another one (`package = ".."`).
fn renamed(tree: &Tree) -> BTreeMap<String, String> {
    let manifest: toml::Table = tree
        .text("Cargo.toml")
        .and_then(|text| text.parse().ok())
        .unwrap_or_default();
    let entries = manifest
        .get("workspace")
        .and_then(|workspace| workspace.get("dependencies"));
    let entries = entries
        .and_then(toml::Value::as_table)
        .into_iter()
        .flatten();
    entries
        .filter_map(|(name, entry)| {
            Some((name.clone(), entry.get("package")?.as_str()?.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{
        tidy::{
            run,
            testing::{assert_kept, shown},
        },
        tree::git,
    };

    #[test]
    fn the_tree_keeps_it() {
        assert_kept(&RULE);
    }

    /// Writes a workspace of the given packages (folder and lines of its manifest) and runs the rule on it.
    fn complaints(shared: &str, packages: &[(&str, &str)]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        assert!(
            git(root.path())
                .args(["init", "--quiet"])
                .status()
                .unwrap()
                .success()
        );
        let members: Vec<&str> = packages.iter().map(|(folder, _)| *folder).collect();
        let manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n[workspace.dependencies]\n{shared}"
        );
        fs::write(root.path().join("Cargo.toml"), manifest).unwrap();
        for (folder, lines) in packages {
            let folder = root.path().join(folder);
            fs::create_dir_all(folder.join("src")).unwrap();
            fs::write(folder.join("src/lib.rs"), "").unwrap();
            let name = folder.file_name().unwrap().to_str().unwrap();
            fs::write(
                folder.join("Cargo.toml"),
                format!("[package]\nname = \"{name}\"\n{lines}"),
            )
            .unwrap();
        }
        shown(run(&[&RULE], &Tree::read(root.path()).unwrap()))
    }

    const MODEL: (&str, &str) = ("crates/tripline-model", "");
    const SHARED: &str = "# Ours.\ntripline-model = { path = \"crates/tripline-model\" }\n";

    #[test]
    fn catches_an_edge_that_is_not_in_the_table() {
        let shared = format!("{SHARED}tripline = {{ path = \"crates/tripline\" }}\n");
        let on_model = "[dependencies]\ntripline-model.workspace = true\n";
        let on_binary = "[dev-dependencies]\ntripline.workspace = true\n";
        let packages = [
            MODEL,
            ("crates/tripline", on_model),
            ("crates/tripline-read", on_model),
            ("crates/workload-a", on_model),
            ("bench/self", on_model),
            (
                "bench/a",
                "[build-dependencies]\ntripline-model = { workspace = true }\n",
            ),
            ("tools/xtask", on_binary),
        ];
        let wanted = [
            "bench/a/Cargo.toml:4: bench/a must not depend on crates/tripline-model",
            "crates/workload-a/Cargo.toml:4: crates/workload-a must not depend on crates/tripline-model",
            "tools/xtask/Cargo.toml:4: tools/xtask must not depend on crates/tripline",
        ];
        assert_eq!(complaints(&shared, &packages), wanted);
    }

    #[test]
    fn catches_a_package_nobody_has_thought_about() {
        let packages = [
            MODEL,
            (
                "crates/extra",
                "[dependencies]\ntripline-model.workspace = true\n",
            ),
        ];
        let wanted =
            ["crates/extra/Cargo.toml:1: `extra` has no row in the table of allowed edges"];
        assert_eq!(complaints(SHARED, &packages), wanted);
    }

    #[test]
    fn catches_a_dependency_beside_the_list() {
        let read = "[dependencies]\ntripline-model = { path = \"../tripline-model\" }\n[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n";
        let judge = "[dependencies]\ntripline-model.workspace = true\n";
        let packages = [
            MODEL,
            ("crates/tripline-read", read),
            ("crates/tripline-judge", judge),
        ];
        let wanted = [
            "crates/tripline-read/Cargo.toml:4: `tripline-model` does not come from the workspace",
            "crates/tripline-read/Cargo.toml:6: `libc` does not come from the workspace",
        ];
        assert_eq!(complaints(SHARED, &packages), wanted);
    }

    #[test]
    fn catches_an_entry_without_a_reason_and_one_without_a_user() {
        let shared = format!(
            "{SHARED}anyhow = \"1\"\n\ntoml = \"1\"\nown = {{ package = \"serde\", version = \"1\" }}\n"
        );
        let user = "[dependencies]\ntripline-model.workspace = true\nanyhow.workspace = true\nown.workspace = true\n";
        let wanted = [
            "Cargo.toml:9: `toml` is a dependency without a reason",
            "Cargo.toml:9: no package uses `toml`",
            "Cargo.toml:10: `own` is a dependency without a reason",
        ];
        assert_eq!(
            complaints(&shared, &[MODEL, ("crates/tripline-read", user)]),
            wanted
        );
    }

    #[test]
    fn catches_a_package_from_elsewhere() {
        let lock = format!(
            "[[package]]\nsource = {REGISTRY}\n\n[[package]]\nsource = \"git+https://example.org/a\"\n"
        );
        let tree = Tree::of(&[("Cargo.lock", &lock)]);
        let lines: Vec<usize> = foreign_sources(&tree)
            .iter()
            .map(|complaint| complaint.line)
            .collect();
        assert_eq!(lines, [5]);
    }

    #[test]
    fn catches_a_workspace_that_cargo_cannot_read() {
        let found = complaints(
            "",
            &[(
                "crates/tripline-read",
                "[dependencies]\nmissing.workspace = true\n",
            )],
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("Cargo.toml:1: cannot read the workspace"),
            "{found:?}"
        );
    }
}
