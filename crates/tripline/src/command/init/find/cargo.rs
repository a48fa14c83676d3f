//! Cargo packages with bench targets. Cargo itself says which there are; which harness a target is written for is seen
//! from what its package depends on, renamed or not, and which of that its source uses.
//!
//! Tested below and by `tests/it/init`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, MetadataCommand, Package, Target};

use tripline_model::few;

use super::source::{around_each, first_use, without_comments};
use super::{Found, Step, Unused, Work, is_read};
use crate::command::init::tree::{Tree, folder_of};

/// The crates that benches are written against, and the harness each is. Some are stand-ins with another's interface.
const HARNESSES: &[(&str, &str)] = &[
    ("criterion", "criterion"),
    ("codspeed-criterion-compat", "criterion"),
    ("tripline-duet", "duet"),
    ("iai-callgrind", "iai-callgrind"),
    ("gungraun", "gungraun"),
    ("divan", "divan"),
    ("codspeed-divan-compat", "divan"),
    // It prints what libtest does.
    ("bencher", "libtest"),
    ("codspeed-bencher-compat", "libtest"),
    ("iai", "iai"),
    ("tango-bench", "tango"),
    ("brunch", "brunch"),
    ("tiny-bench", "tiny-bench"),
];

/// The most workspaces that cargo is asked about.
const WORKSPACES_MAX: usize = 100;

pub(super) fn look(tree: &Tree, found: &mut Found) {
    let mut manifests: Vec<&Path> = tree.named("Cargo.toml").collect();
    // A workspace's own manifest comes before those of its members.
    few::sort_by_key(&mut manifests, |path| (path.components().count(), *path));
    let mut known: BTreeSet<PathBuf> = BTreeSet::new();
    let mut asked = 0;
    for manifest in manifests {
        if known.contains(manifest) || !is_worth_asking(tree, manifest) {
            continue;
        }
        asked += 1;
        if asked > WORKSPACES_MAX {
            let note =
                format!("cargo was asked about {WORKSPACES_MAX} workspaces, and there are more");
            found.notes.push(note);
            return;
        }
        match metadata(&tree.root().join(manifest)) {
            Ok(metadata) => {
                for package in metadata.workspace_packages() {
                    let manifest = package.manifest_path.as_std_path();
                    if let Ok(inside) = manifest.strip_prefix(tree.root())
                        && known.insert(inside.to_owned())
                    {
                        look_at(tree, package, folder_of(inside), found);
                    }
                }
            }
            Err(why) => found.leave(
                manifest,
                format!("a package that cargo cannot tell about: {why}"),
            ),
        }
    }
}

/// Returns whether a manifest may lead to a bench, so that asking cargo is worth the time.
fn is_worth_asking(tree: &Tree, manifest: &Path) -> bool {
    let benches = folder_of(manifest).join("benches");
    let says_so = |text: String| text.contains("bench") || text.contains("workspace");
    tree.files().any(|file| file.starts_with(&benches)) || tree.read(manifest).is_some_and(says_so)
}

/// Asks cargo, which neither builds nor fetches anything for it, nor may rustup.
fn metadata(manifest: &Path) -> Result<Metadata, String> {
    let mut command = MetadataCommand::new();
    command
        .manifest_path(manifest)
        .no_deps()
        .other_options(["--offline".to_owned()])
        .env("RUSTUP_AUTO_INSTALL", "0");
    command.exec().map_err(|error| {
        let text = error.to_string();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ")
    })
}

fn look_at(tree: &Tree, package: &Package, folder: &Path, found: &mut Found) {
    let manifest = tree.read(&folder.join("Cargo.toml")).unwrap_or_default();
    let manifest: toml::Table = manifest.parse().unwrap_or_default();
    let crates = crates_of(package);
    let mut steps = Vec::new();
    for target in package.targets.iter().filter(|target| target.is_bench()) {
        let place = target.src_path.as_std_path();
        let place = place.strip_prefix(tree.root()).unwrap_or(place);
        let source = tree.read(place).unwrap_or_default();
        match harness_of(target, &without_comments(&source), &crates, &manifest) {
            Ok(harness) if is_read(harness) => steps.push(Step {
                name: target.name.clone(),
                harness,
                work: Work::Bench(target.name.clone()),
            }),
            Ok(harness) => {
                let why = format!("which is written for {harness} and cannot be read yet");
                found.unused.push(unused(place, folder, target, &why));
            }
            Err(why) => found.unused.push(unused(place, folder, target, &why)),
        }
    }
    found.take(package.name.to_string(), folder, steps);
}

/// Names a bench target that gets no step.
fn unused(place: &Path, folder: &Path, target: &Target, why: &str) -> Unused {
    Unused {
        place: place.to_owned(),
        why: format!("the bench target `{}`, {why}", target.name),
        bench: Some((folder.to_owned(), target.name.clone())),
    }
}

/// Returns the crates of a package that benches are written against, by the name its sources have for them.
fn crates_of(package: &Package) -> Vec<(String, &'static str)> {
    let harness = |name: &str| HARNESSES.iter().find(|(crate_, _)| *crate_ == name);
    let known = package.dependencies.iter().filter_map(|dependency| {
        let (_, harness) = harness(&dependency.name)?;
        let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
        Some((name.replace('-', "_"), *harness))
    });
    known.collect()
}

/// Returns the harness a target is written for, or why it gets no step.
fn harness_of(
    target: &Target,
    code: &str,
    crates: &[(String, &'static str)],
    manifest: &toml::Table,
) -> Result<&'static str, String> {
    let uses = crates
        .iter()
        .filter_map(|(name, harness)| Some((first_use(code, name)?, *harness)));
    let used = uses.min().map(|(_, harness)| harness);
    let runs_itself = runs_itself(manifest, &target.name);
    if let (Some(harness), false) = (used, runs_itself) {
        return Err(format!(
            "which is written for {harness} and is run as a libtest one, so that it measures nothing: give it \
             `harness = false` in Cargo.toml"
        ));
    }
    if !target.required_features.is_empty() {
        let features = target.required_features.join("`, `");
        return Err(format!(
            "which needs the features `{features}`, and a step cannot switch them on"
        ));
    }
    match used {
        Some(harness) => Ok(harness),
        None if runs_itself => Err(
            "which runs itself, and by no harness that is known: if it can print a run file, or what a known harness \
             prints, write a step for it"
                .to_owned(),
        ),
        None if has_libtest_bench(code) => Err(
            "whose `#[bench]` are libtest's, which can be read: write a step for it, with a toolchain that runs them"
                .to_owned(),
        ),
        None => Err("in which no benchmark is seen".to_owned()),
    }
}

/// Returns whether a source has benchmarks of the standard library's harness.
pub(super) fn has_libtest_bench(code: &str) -> bool {
    around_each(code, "bench").any(|(before, after)| {
        before.trim_end().ends_with("#[") && after.trim_start().starts_with(']')
    })
}

/// Returns whether a target brings its own `main`: cargo says so nowhere but in the manifest.
fn runs_itself(manifest: &toml::Table, target: &str) -> bool {
    let entries = manifest.get("bench").and_then(toml::Value::as_array);
    let entry = entries
        .into_iter()
        .flatten()
        .find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(target));
    entry.and_then(|entry| entry.get("harness")?.as_bool()) == Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_of_libtest_are_seen() {
        assert!(has_libtest_bench("#[bench]\nfn x(b: &mut Bencher) {}"));
        assert!(has_libtest_bench("#[ bench ]"));
        assert!(!has_libtest_bench(
            "#[cfg(bench)] #[divan::bench] fn bench() {}"
        ));
    }

    #[test]
    fn who_runs_a_target_stands_in_the_manifest() {
        let manifest: toml::Table =
            "[[bench]]\nname = \"a\"\nharness = false\n[[bench]]\nname = \"b\"\n"
                .parse()
                .unwrap();
        assert!(runs_itself(&manifest, "a"));
        assert!(!runs_itself(&manifest, "b"));
        assert!(!runs_itself(&manifest, "c"));
    }
}
