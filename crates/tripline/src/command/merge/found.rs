//! The run files that are to be joined: those that were named, and those in the folders that were.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tripline_model::Run;

use super::refused;
use crate::baselines;
use crate::error::{CommandError, Outcome};
use crate::run_folder::{Below, Role};

/// A run file.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) role: Role,
    pub(super) run: Run,
}

/// All that was found.
pub(super) struct Inputs {
    /// The runs, in the order in which they were named.
    pub(super) runs: Vec<Found>,
    /// The notes on how long steps took.
    pub(super) durations: Vec<PathBuf>,
}

impl Inputs {
    /// Loads what was named. A file that is reached in two ways is one file.
    pub(super) fn gather(named: &[PathBuf]) -> Outcome<Self> {
        let mut seen = BTreeSet::new();
        let mut inputs = Self {
            runs: Vec::new(),
            durations: Vec::new(),
        };
        for path in named {
            let files = if path.is_dir() {
                let below = Below::find(path)?;
                inputs.durations.extend(below.durations);
                below.runs
            } else {
                vec![(path.clone(), named_role(path)?)]
            };
            if files.is_empty() {
                let what = format!("there is no run in `{}`", path.display());
                return Err(
                    refused(&what).hint("name folders that `measure` wrote, or run files in them")
                );
            }
            for (file, role) in files {
                let run = baselines::load_any_run(&file)?;
                if seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())) {
                    inputs.runs.push(Found {
                        path: file,
                        role,
                        run,
                    });
                }
            }
        }
        Ok(inputs)
    }
}

/// The name of a file says which side of a comparison it is; the run does not.
fn named_role(path: &Path) -> Outcome<Role> {
    Role::of(path).ok_or_else(|| {
        let what = format!("`{}` is neither a folder nor named as a run", path.display());
        refused(&what)
            .hint("a run is named `run.jsonl`, and what was measured beside it `base.jsonl`; check the path")
    })
}

/// Checks that all runs say the same of something.
pub(super) fn agree<'a, T: PartialEq + ToString>(
    otherwise: &str,
    mut runs: impl Iterator<Item = &'a Found>,
    says: impl Fn(&Run) -> T,
) -> Outcome<()> {
    let Some(first) = runs.next() else {
        return Ok(());
    };
    let wanted = says(&first.run);
    match runs.find(|one| says(&one.run) != wanted) {
        None => Ok(()),
        Some(other) => Err(differ(
            otherwise,
            (first, &wanted),
            (other, &says(&other.run)),
        )),
    }
}

/// Says that two runs differ in something in which they may not.
pub(super) fn differ(
    otherwise: &str,
    (one, its): (&Found, &impl ToString),
    (other, others): (&Found, &impl ToString),
) -> CommandError {
    let what = format!(
        "the parts are {otherwise}: `{}` says {}, `{}` says {}",
        one.path.display(),
        its.to_string(),
        other.path.display(),
        others.to_string()
    );
    refused(&what).hint("join only what one measurement left; measure all shards again in one way")
}
