//! Where things are: the project's root, its suites, its baselines, and the place for what is measured.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tripline_model::SuiteName;
use tripline_model::few;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::run_folder::{Role, RunFolder};
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
            .hint("`tripline init` looks for benches and writes suites for them: a suite is a folder `bench/<suite>/` with a `suite.toml`")
            .hint("name the project's folder with `--root`"))
    }

    /// Finds the project, or the repository that has no suite yet: whoever changes over brings a history first.
    pub(crate) fn find_or_repository(given: Option<&Path>) -> Outcome<Self> {
        let found = Self::find(given);
        let Ok(start) = fs::canonicalize(given.unwrap_or(Path::new("."))) else {
            return found;
        };
        let is_top = |folder: &&Path| folder.join(".git").exists();
        let top = match given {
            // Who names a folder means no other.
            Some(_) => Some(&*start).filter(is_top),
            None => start.ancestors().find(is_top),
        };
        let is_above = |root: &Path, top: &Path| {
            fs::canonicalize(root).is_ok_and(|root| root != top && top.starts_with(root))
        };
        match (found, top) {
            // A suite of the repository around this one is none of its own.
            (Ok(project), Some(top)) if !is_above(&project.root, top) => Ok(project),
            (Err(error), _) if error.exit != Exit::NothingMeasured => Err(error),
            (_, Some(top)) => Ok(Self {
                root: top.to_owned(),
            }),
            (found, None) => found,
        }
    }

    /// Returns the folder everything else is in.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder that a suite of this name is described in, if there is one.
    pub(crate) fn suite_folder(&self, suite: &SuiteName) -> PathBuf {
        self.root.join("bench").join(suite.as_str())
    }

    /// Returns the folder of a suite's kept runs.
    pub(crate) fn baselines(&self, suite: &SuiteName) -> PathBuf {
        self.root.join("baselines").join(suite.as_str())
    }

    /// Opens a file in the folder for what is measured, for verbs that must not run side by side to lock.
    pub(crate) fn lock_file(&self, name: &str) -> io::Result<File> {
        fs::create_dir_all(self.output())?;
        // Nothing in there is a change of the project, also where nobody told git to ignore it.
        fs::write(self.output().join(".gitignore"), "*\n")?;
        File::create(self.output().join(name))
    }

    /// Returns the folder for everything measured here: in cargo's target folder where the environment names one.
    pub(crate) fn output(&self) -> PathBuf {
        let named = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"]
            .iter()
            .filter_map(std::env::var_os);
        let target = named
            .map(PathBuf::from)
            .find(|target| *target != Path::new(""));
        // What the environment names is relative to where the command was called, as it is for cargo.
        let target = target.and_then(|target| std::path::absolute(target).ok());
        target
            .unwrap_or_else(|| self.root.join("target"))
            .join("tripline")
    }

    /// Returns the folder of the latest runs.
    pub(crate) fn latest_runs(&self) -> RunFolder {
        RunFolder::new(self.output())
    }

    /// Returns the place of a suite's latest run.
    pub(crate) fn latest_run(&self, suite: &SuiteName) -> PathBuf {
        self.latest_runs().place(suite, Role::Head)
    }

    /// Returns the place of the run that was measured beside a suite's latest run.
    pub(crate) fn latest_base(&self, suite: &SuiteName) -> PathBuf {
        self.latest_runs().place(suite, Role::Base)
    }

    /// Loads the suites that were asked for, or all but those that want to be asked for.
    pub(crate) fn suites(&self, asked: &[SuiteName]) -> Outcome<Vec<Suite>> {
        let mut suites = self.suites_on_demand_too(asked)?;
        if asked.is_empty() {
            suites.retain(|suite| !suite.on_demand);
            if suites.is_empty() {
                let what = "nothing was done: every suite is one that is only measured on demand";
                return Err(
                    CommandError::new(Exit::NothingMeasured, what).hint("name one with `--suite`")
                );
            }
        }
        Ok(suites)
    }

    /// Loads the suites that were asked for, or all there are.
    pub(crate) fn suites_on_demand_too(&self, asked: &[SuiteName]) -> Outcome<Vec<Suite>> {
        let there = self.suite_folders()?;
        for name in asked {
            if !there.iter().any(|(suite, _)| suite == name) {
                return Err(no_such_suite(name, &there));
            }
        }
        self.check_that_none_vanished(&there)?;
        let wanted = there
            .into_iter()
            .filter(|(suite, _)| asked.is_empty() || asked.contains(suite));
        wanted
            .map(|(name, folder)| Suite::load(name, folder))
            .collect()
    }

    /// Loads the suites that are canaries.
    pub(crate) fn canaries(&self) -> Outcome<Vec<Suite>> {
        let mut canaries = self.suites_on_demand_too(&[])?;
        canaries.retain(|suite| suite.canary.is_some());
        Ok(canaries)
    }

    /// Loads a suite, if there is one of that name.
    pub(crate) fn suite_if_any(&self, name: &SuiteName) -> Outcome<Option<Suite>> {
        let there = self.suite_folders()?;
        let found = there.into_iter().find(|(suite, _)| suite == name);
        found
            .map(|(name, folder)| Suite::load(name, folder))
            .transpose()
    }

    /// Returns the name and folder of every suite, ordered by name. What is there and cannot be used is an error:
    /// passing over it would look like having nothing to measure.
    fn suite_folders(&self) -> Outcome<Vec<(SuiteName, PathBuf)>> {
        let mut found = Vec::new();
        for folder in folders_in(&self.root.join("bench"))? {
            if !holds_suite_file(&folder)? {
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
        few::sort(&mut found);
        Ok(found)
    }

    /// A suite whose file is gone takes all its benchmarks along, which must not pass in silence.
    fn check_that_none_vanished(&self, there: &[(SuiteName, PathBuf)]) -> Outcome<()> {
        for folder in folders_in(&self.root.join("baselines"))? {
            let name = folder
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if there.iter().any(|(suite, _)| suite.as_str() == name) {
                continue;
            }
            let what = format!(
                "nothing was done: `{name}` has baselines, and no suite `bench/{name}/suite.toml`"
            );
            return Err(CommandError::new(Exit::BadInput, what)
                .hint("bring the suite back; or, if it was dropped on purpose, remove its baselines in the same commit"));
        }
        Ok(())
    }
}

/// Returns the folders in a folder, ordered; none where the folder does not exist.
fn folders_in(place: &Path) -> Outcome<Vec<PathBuf>> {
    let not_listed = |error: std::io::Error| {
        CommandError::new(
            Exit::BadInput,
            format!("nothing was done: `{}` was not listed", place.display()),
        )
        .because(error)
        .hint("make the folder readable")
    };
    let entries = match std::fs::read_dir(place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(not_listed(error)),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(not_listed)?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    few::sort(&mut folders);
    Ok(folders)
}

/// Returns whether a folder holds a suite's file. One that is there and cannot be read, or that is named a little
/// wrongly, is an error.
fn holds_suite_file(folder: &Path) -> Outcome<bool> {
    let file = folder.join("suite.toml");
    let unusable = |why: String, hint: &str| {
        let what = format!("nothing was done: `{}` {why}", file.display());
        CommandError::new(Exit::BadInput, what).hint(hint)
    };
    match std::fs::metadata(&file) {
        Ok(found) if found.is_file() => return Ok(true),
        Ok(_) => return Err(unusable("is no file".to_owned(), "make it a regular file")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !file.is_symlink() => {}
        Err(error) => {
            return Err(unusable(
                format!("cannot be read: {error}"),
                "make it readable, or mend the link",
            ));
        }
    }
    let Ok(entries) = std::fs::read_dir(folder) else {
        let why = "cannot be looked for: its folder is not readable".to_owned();
        return Err(unusable(why, "make the folder readable"));
    };
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let alike = |name: &String| {
        name.ends_with(".toml") && strsim::damerau_levenshtein(name, "suite.toml") <= 2
    };
    match names.into_iter().find(alike) {
        None => Ok(false),
        Some(name) => Err(unusable(
            format!("is missing, and `{name}` is there"),
            "rename it: a suite's file is `suite.toml`",
        )),
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
