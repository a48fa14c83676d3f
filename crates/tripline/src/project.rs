//! Where things are: the project's root, its suites, its baselines, and the place for what is measured.

use std::path::{Path, PathBuf};

use tripline_model::SuiteName;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::suite::Suite;

/// The folders of a project.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    root: PathBuf,
}

impl Project {
    /// Finds the project: the given folder, or the nearest one upwards that holds `bench/<suite>/suite.toml`.
    pub(crate) fn find(given: Option<&Path>) -> Outcome<Self> {
        let start = match given {
            Some(root) => root.to_owned(),
            None => std::env::current_dir().map_err(|error| {
                CommandError::new(Exit::Usage, "no project was found").because(error)
            })?,
        };
        let candidates: Vec<&Path> = match given {
            Some(root) => vec![root],
            None => start.ancestors().collect(),
        };
        for folder in candidates {
            let project = Self {
                root: folder.to_owned(),
            };
            if !project.suite_folders()?.is_empty() {
                let root = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
                return Ok(Self { root });
            }
        }
        let what = format!("no suite was found from `{}` upwards", start.display());
        Err(CommandError::new(Exit::NothingMeasured, what)
            .hint("a suite is a folder `bench/<suite>/` with a `suite.toml`; see CONTRIBUTING.md")
            .hint("name the project's folder with `--root`"))
    }

    /// Returns the folder everything else is in.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of a suite's kept runs.
    pub(crate) fn baselines(&self, suite: &SuiteName) -> PathBuf {
        self.root.join("baselines").join(suite.as_str())
    }

    /// Returns the folder for everything measured here, by cargo's own rule for its target folder.
    pub(crate) fn output(&self) -> PathBuf {
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| PathBuf::from("target"), PathBuf::from);
        self.root.join(target).join("tripline")
    }

    /// Returns the place of a suite's latest run.
    pub(crate) fn latest_run(&self, suite: &SuiteName) -> PathBuf {
        self.output().join(suite.as_str()).join("run.jsonl")
    }

    /// Loads the suites that were asked for, or all.
    pub(crate) fn suites(&self, asked: &[SuiteName]) -> Outcome<Vec<Suite>> {
        let there = self.suite_folders()?;
        for name in asked {
            if !there.iter().any(|(suite, _)| suite == name) {
                return Err(no_such_suite(name, &there));
            }
        }
        let wanted = there
            .into_iter()
            .filter(|(suite, _)| asked.is_empty() || asked.contains(suite));
        wanted
            .map(|(name, folder)| Suite::load(name, folder))
            .collect()
    }

    /// Returns the name and folder of every suite, ordered by name.
    fn suite_folders(&self) -> Outcome<Vec<(SuiteName, PathBuf)>> {
        let bench = self.root.join("bench");
        let Ok(entries) = std::fs::read_dir(&bench) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for entry in entries {
            let folder = entry
                .map_err(|error| {
                    let what = format!("the suites in `{}` were not listed", bench.display());
                    CommandError::new(Exit::BadInput, what).because(error)
                })?
                .path();
            if !folder.join("suite.toml").is_file() {
                continue;
            }
            let name = folder
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let suite = SuiteName::new(&name).map_err(|error| {
                let what = format!("the suite in `{}` was not loaded", folder.display());
                CommandError::new(Exit::BadInput, what)
                    .because(error)
                    .hint("rename the folder")
            })?;
            found.push((suite, folder));
        }
        found.sort();
        Ok(found)
    }
}

fn no_such_suite(name: &SuiteName, there: &[(SuiteName, PathBuf)]) -> CommandError {
    let names: Vec<&str> = there.iter().map(|(suite, _)| suite.as_str()).collect();
    let error = CommandError::new(
        Exit::Usage,
        format!("there is no suite `{name}`, so nothing was done"),
    );
    match crate::suite::near_miss(name.as_str(), names.iter().copied()) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint(format!("the suites are: {}", names.join(", "))),
    }
}
