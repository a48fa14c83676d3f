//! A copy of this repository, in which a stranger's commands are run.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project::{Ended, git, scrubbed};

/// A copy of this repository's files. Copies of one name are in one folder, where what is as it was is left alone, so that
/// of the next one only that is built which differs; and because it is one folder, they take turns.
pub(crate) struct Checkout {
    folder: PathBuf,
    /// Locked as long as this lives.
    _alone: File,
}

impl Checkout {
    pub(crate) fn new(name: &str) -> Self {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checkouts");
        std::fs::create_dir_all(&place).unwrap();
        let alone = File::create(place.join(format!("{name}.lock"))).unwrap();
        alone.lock().unwrap();
        let folder = place.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        remove_what_was_left(&folder);
        copy_files(&repository(), &folder);
        git(&folder, &["init", "--quiet", "--initial-branch=main"]);
        git(&folder, &["add", "--all"]);
        git(
            &folder,
            &[
                "-c",
                "user.name=test",
                "-c",
                "user.email=test@localhost",
                "commit",
                "--quiet",
                "--message=all",
            ],
        );
        Self {
            folder,
            _alone: alone,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Prepares a shell command, run where a stranger would run it, with this binary and the harnesses on `PATH`.
    pub(crate) fn shell(&self, script: &str) -> Command {
        let binary = Path::new(env!("CARGO_BIN_EXE_tripline")).parent().unwrap();
        let path = std::env::join_paths(
            std::iter::once(binary.to_owned())
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        let mut command = scrubbed("bash");
        command
            .args(["-euo", "pipefail", "-c", script])
            .current_dir(self.path())
            .env("PATH", path.unwrap())
            // The tools stay where they are; what sessions leave goes where other builds of tests do.
            .env("TRIPLINE_TOOLS", tools())
            .env(
                "XDG_CACHE_HOME",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
            );
        command
    }

    pub(crate) fn run(&self, script: &str) -> Ended {
        Ended::of(self.shell(script).output().unwrap(), self.path())
    }

    pub(crate) fn replace(&self, place: &str, from: &str, to: &str) {
        let path = self.path().join(place);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "`{from}` is not in {place}");
        std::fs::write(path, text.replace(from, to)).unwrap();
    }
}

/// Removes the repository of the last copy, and what it left beside what it built.
fn remove_what_was_left(folder: &Path) {
    let remove = |place: PathBuf| match place.is_dir() {
        true => std::fs::remove_dir_all(place).unwrap(),
        false => std::fs::remove_file(place).unwrap(),
    };
    let repository = folder.join(".git");
    if repository.exists() {
        remove(repository);
    }
    for entry in std::fs::read_dir(folder.join("target"))
        .into_iter()
        .flatten()
    {
        let entry = entry.unwrap();
        if !["debug", "fuzz", "release"]
            .map(Some)
            .contains(&entry.file_name().to_str())
        {
            remove(entry.path());
        }
    }
}

/// Makes the files of a folder those of a repository. Who builds looks at their times, so those of files that are the same
/// stay.
fn copy_files(root: &Path, folder: &Path) {
    let listed = git(
        root,
        &[
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ],
    );
    // A file that was deleted and is still listed is no file of the tree.
    let listed = listed.split('\0').filter(|place| !place.is_empty());
    let listed: BTreeSet<PathBuf> = listed
        .map(PathBuf::from)
        .filter(|place| root.join(place).is_file())
        .collect();
    remove_others(folder, folder, &listed);
    for place in &listed {
        let (from, to) = (root.join(place), folder.join(place));
        let mode = |path: &Path| Some(std::fs::metadata(path).ok()?.permissions().mode());
        let is_same = std::fs::read(&to).ok() == Some(std::fs::read(&from).unwrap());
        if !is_same || mode(&from) != mode(&to) {
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(from, to).unwrap();
        }
    }
}

/// Removes the files below a folder that are not listed, but for what was built.
fn remove_others(top: &Path, folder: &Path, listed: &BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let place = path.strip_prefix(top).unwrap();
        if place == Path::new("target") {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            remove_others(top, &path, listed);
            // One that still holds something stays.
            let _ = std::fs::remove_dir(&path);
        } else if !listed.contains(place) {
            std::fs::remove_file(&path).unwrap();
        }
    }
}

/// Returns where `tools/setup` keeps the tools.
fn tools() -> PathBuf {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
    named("TRIPLINE_TOOLS").unwrap_or_else(|| {
        let cache = named("XDG_CACHE_HOME");
        let cache = cache.or_else(|| named("HOME").map(|home| home.join(".cache")));
        cache
            .unwrap_or_else(|| "/tmp/.cache".into())
            .join("tripline/tools")
    })
}

/// Returns the folder of this repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
        .to_owned()
}
