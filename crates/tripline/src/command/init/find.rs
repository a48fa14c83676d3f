//! What benches a repository has: one file per kind of project that a suite can be written for, and one for the rest,
//! which is named and not dropped.
//!
//! Nothing is built and nothing of the project is run. Tested by `tests/it/init`, on whole repositories.

mod cargo;
mod go;
mod javascript;
mod others;
mod python;
mod source;

use std::path::{Path, PathBuf};

use super::tree::{Tree, folder_of};
use crate::suite::Harness;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What can be measured, each a suite.
    pub(super) groups: Vec<Group>,
    /// What looks like benches and gets no suite.
    pub(super) unused: Vec<Unused>,
    /// What whoever reads on should know.
    pub(super) notes: Vec<String>,
}

/// The benches of one package, module or project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// What it is called there.
    pub(super) name: String,
    /// Its folder, from the repository's; empty for that one itself.
    pub(super) folder: String,
    /// What is run.
    pub(super) steps: Vec<Step>,
}

/// One thing that is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// What it is called there.
    pub(super) name: String,
    /// What runs its benchmarks.
    pub(super) harness: &'static str,
    /// What is run.
    pub(super) work: Work,
}

/// What a step runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Work {
    /// A bench target of the package.
    Bench(String),
    /// A command, and what is to be known about it.
    Command(&'static [&'static str], &'static str),
}

/// What looks like benches and gets no suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unused {
    /// Where it is.
    pub(super) place: PathBuf,
    /// What it is, and why it gets none.
    pub(super) why: String,
    /// The bench target it is, with the folder of its package: somebody may have written a step for it.
    pub(super) bench: Option<(PathBuf, String)>,
}

/// What is looked for, in words.
pub(super) const LOOKED_FOR: &str = "bench targets of cargo packages, `func Benchmark...` in `*_test.go` of Go modules, tests of pytest with the fixture \
     `benchmark`, `*.bench.ts` and the like of vitest, scripts of npm that print tinybench's table";

/// Looks for benches.
pub(super) fn benches(tree: &Tree) -> Found {
    let mut found = Found::default();
    cargo::look(tree, &mut found);
    go::look(tree, &mut found);
    python::look(tree, &mut found);
    javascript::look(tree, &mut found);
    others::look(tree, &mut found);
    if tree.is_cut() {
        found.notes.push(
            "the repository is so large that not all of it was looked at: suites of what was missed are written by hand"
                .to_owned(),
        );
    }
    found
}

impl Found {
    /// Takes the benches of one place.
    fn take(&mut self, name: String, folder: &Path, steps: Vec<Step>) {
        match folder.to_str() {
            Some(_) if steps.is_empty() => {}
            Some(folder) => self.groups.push(Group {
                name,
                folder: folder.to_owned(),
                steps,
            }),
            None => self.leave(
                folder,
                "benches in a folder whose name is no UTF-8, which no suite can name",
            ),
        }
    }

    /// Returns whether a suite runs the benches of a harness that are in a file.
    fn has(&self, harness: &str, file: &Path) -> bool {
        let mut groups = self.groups.iter();
        groups.any(|group| {
            let runs = group.steps.iter().any(|step| step.harness == harness);
            runs && file.starts_with(&group.folder)
        })
    }

    /// Names what gets no suite.
    fn leave(&mut self, place: &Path, why: impl Into<String>) {
        self.unused.push(Unused {
            place: place.to_owned(),
            why: why.into(),
            bench: None,
        });
    }
}

/// Returns the nearest folder upwards that holds one of some files, of a list of such folders.
fn nearest<'a>(file: &Path, folders: &'a [&Path]) -> Option<&'a Path> {
    let upwards = folder_of(file).ancestors();
    upwards
        .filter_map(|folder| folders.iter().find(|known| **known == folder))
        .next()
        .copied()
}

/// Returns whether a suite can name a harness.
fn is_read(harness: &str) -> bool {
    Harness::named(harness).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_by_default_can_be_read() {
        for harness in [
            "criterion",
            "duet",
            "iai-callgrind",
            "gungraun",
            "divan",
            "iai",
            "libtest",
            go::HARNESS,
            python::HARNESS,
            javascript::VITEST,
            javascript::TINYBENCH,
        ] {
            assert!(is_read(harness), "{harness}");
        }
    }
}
