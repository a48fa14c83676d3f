//! The scripts of the actions, each run as a step of a job runs it: the real file, with the variables of a runner, in a
//! repository that was made up. Programs that would reach out are replaced by ones that write down how they were called.

mod bencher;
mod counters;
mod prepare;
mod programs;
mod release;
mod setup;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::checkout::repository;
use crate::project::{Ended, git, scrubbed};

/// A job on a runner: a checkout, and the folder of its temporary files beside it.
struct Job {
    folder: TempDir,
}

impl Job {
    /// Begins with an empty repository, in which everything is committed by [`Job::commit`].
    fn new() -> Self {
        let job = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for place in ["checkout", "temp", "programs"] {
            std::fs::create_dir(job.at(place)).unwrap();
        }
        job.git(&["init", "--quiet", "--initial-branch", "main"]);
        job
    }

    fn at(&self, place: &str) -> PathBuf {
        self.folder.path().join(place)
    }

    /// Writes a file of the checkout.
    fn write(&self, place: &str, text: &str) {
        let path = self.at("checkout").join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Copies a file of this repository into the checkout.
    fn copy(&self, place: &str) {
        self.write(
            place,
            &std::fs::read_to_string(repository().join(place)).unwrap(),
        );
    }

    /// Puts a program before those of the machine.
    fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.at("programs").join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "a state"]);
        self.git(&["rev-parse", "HEAD"])
    }

    #[track_caller]
    fn git(&self, args: &[&str]) -> String {
        let set = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
        git(&self.at("checkout"), &[&set, args].concat())
    }

    /// Prepares a script of an action; `home` is the folder of `.github/actions` it is in.
    fn script(&self, home: &Path, name: &str) -> Command {
        let mut script = scrubbed("bash");
        let inherited = std::env::var_os("PATH").unwrap();
        let places = std::iter::once(self.at("programs")).chain(std::env::split_paths(&inherited));
        script
            .arg(home.join(name))
            .current_dir(self.at("checkout"))
            .env("PATH", std::env::join_paths(places).unwrap())
            .env("RUNNER_TEMP", self.at("temp"))
            .env("GITHUB_PATH", self.at("temp/path"))
            .env("GITHUB_OUTPUT", self.at("temp/output"))
            .env("GITHUB_SERVER_URL", "https://github.com")
            .env("GITHUB_REPOSITORY", "acme/tripline")
            .env("GITHUB_SHA", "0123456789abcdef0123456789abcdef01234567");
        script
    }

    /// Runs a command to its end.
    fn run(&self, mut command: Command) -> Ended {
        Ended::of(command.output().unwrap(), self.folder.path())
    }

    /// What a program wrote down; nothing if it was not called.
    fn said(&self, place: &str) -> String {
        std::fs::read_to_string(self.at("temp").join(place)).unwrap_or_default()
    }
}

/// Returns the folder of an action of ours.
fn action(name: &str) -> PathBuf {
    repository().join(".github/actions").join(name)
}

/// Returns the hash that stands in a table of releases.
fn sum(file: &Path) -> String {
    let sum = Sha256::digest(std::fs::read(file).unwrap());
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns what this machine is called there.
fn target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}
