//! How runs lie in a folder, so that one verb finds what another left: a folder for each suite, and in it `run.jsonl`,
//! the run that was measured beside it as `base.jsonl`, and what the canary gave as `healthy.jsonl` and `planted.jsonl`.
//!
//! The one idea: a file's name says which side it is, since the run itself does not. Where several machines measured the
//! canary, each has its own pair, from the second on with a number: `healthy-2.jsonl`.
//!
//! Tested below.

use std::path::{Path, PathBuf};

use tripline_model::SuiteName;
use tripline_model::few;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// The note on how long steps took.
const DURATIONS: &str = "durations.tsv";

/// How deep runs may lie below a folder that is searched for them.
const DEPTH_MAX: usize = 6;

/// Which side of a comparison a run file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// What is judged.
    Head,
    /// What was measured beside it.
    Base,
    /// A canary in which nothing is planted. Canaries are numbered from 1.
    Healthy(usize),
    /// The same canary, with something planted in it.
    Planted(usize),
}

impl Role {
    /// Returns the role of a run file, by its name.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let stem = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        let number = |rest: &str| match rest.strip_prefix('-') {
            None => rest.is_empty().then_some(1),
            Some(digits) => digits
                .parse()
                .ok()
                .filter(|number: &usize| *number > 1 && number.to_string() == digits),
        };
        match stem {
            "run" => Some(Self::Head),
            "base" => Some(Self::Base),
            _ => stem
                .strip_prefix("healthy")
                .and_then(number)
                .map(Self::Healthy)
                .or_else(|| {
                    let rest = stem.strip_prefix("planted")?;
                    number(rest).map(Self::Planted)
                }),
        }
    }

    fn file(self) -> String {
        let numbered = |name: &str, number: usize| match number {
            1 => format!("{name}.jsonl"),
            more => format!("{name}-{more}.jsonl"),
        };
        match self {
            Self::Head => "run.jsonl".to_owned(),
            Self::Base => "base.jsonl".to_owned(),
            Self::Healthy(number) => numbered("healthy", number),
            Self::Planted(number) => numbered("planted", number),
        }
    }
}

/// A folder of runs.
#[derive(Debug, Clone)]
pub(crate) struct RunFolder {
    root: PathBuf,
}

impl RunFolder {
    pub(crate) fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the place of a suite's run.
    pub(crate) fn place(&self, suite: &SuiteName, role: Role) -> PathBuf {
        self.root.join(suite.as_str()).join(role.file())
    }

    /// Returns the place where it says how long steps took.
    pub(crate) fn durations(&self) -> PathBuf {
        self.root.join(DURATIONS)
    }

    /// Returns the suites that there are runs of, with their files, in order.
    pub(crate) fn files(&self) -> Outcome<Vec<(PathBuf, Role)>> {
        let mut files = Vec::new();
        for folder in entries(&self.root)?
            .into_iter()
            .filter(|path| path.is_dir())
        {
            files.extend(entries(&folder)?.into_iter().filter_map(with_role));
        }
        Ok(files)
    }

    /// Returns the pairs of a suite's canary runs: healthy, then planted. One whose other half is missing is an error.
    pub(crate) fn canaries(&self, suite: &SuiteName) -> Outcome<Vec<[PathBuf; 2]>> {
        let folder = self.root.join(suite.as_str());
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut pairs = Vec::new();
        for (path, role) in entries(&folder)?.into_iter().filter_map(with_role) {
            let (number, other) = match role {
                Role::Head | Role::Base => continue,
                Role::Healthy(number) => (number, Role::Planted(number)),
                Role::Planted(number) => (number, Role::Healthy(number)),
            };
            let other = self.place(suite, other);
            if !other.exists() {
                return Err(half(&path, &other));
            }
            if matches!(role, Role::Healthy(_)) {
                pairs.push((number, [path, other]));
            }
        }
        few::sort_by_key(&mut pairs, |(number, _)| *number);
        Ok(pairs.into_iter().map(|(_, pair)| pair).collect())
    }

    /// Removes the runs of canaries: they vouch for what was measured with them, and for nothing after it.
    pub(crate) fn forget_canaries(&self) -> Outcome<()> {
        for (path, role) in self.files()? {
            if matches!(role, Role::Healthy(_) | Role::Planted(_)) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Removes what was measured beside a suite's run: the next run may have nothing beside it.
    pub(crate) fn forget_base(&self, suite: &SuiteName) -> Outcome<()> {
        remove(&self.place(suite, Role::Base))
    }
}

/// What lies below a folder.
#[derive(Debug, Default)]
pub(crate) struct Below {
    /// The run files, in order.
    pub(crate) runs: Vec<(PathBuf, Role)>,
    /// The notes on how long steps took.
    pub(crate) durations: Vec<PathBuf>,
}

impl Below {
    /// Looks for runs below a folder, wherever they lie.
    pub(crate) fn find(folder: &Path) -> Outcome<Self> {
        let mut below = Self::default();
        let mut ahead = vec![(folder.to_owned(), 0)];
        while let Some((folder, depth)) = ahead.pop() {
            // A link may lead anywhere, also back.
            for path in entries(&folder)?
                .into_iter()
                .filter(|path| !path.is_symlink())
            {
                if path.is_dir() {
                    ahead.push((path, depth + 1));
                } else if path.file_name().is_some_and(|name| name == DURATIONS) {
                    below.durations.push(path);
                } else {
                    below.runs.extend(with_role(path));
                }
            }
            ahead.retain(|(_, depth)| *depth <= DEPTH_MAX);
        }
        few::sort(&mut below.runs);
        few::sort(&mut below.durations);
        Ok(below)
    }
}

fn with_role(path: PathBuf) -> Option<(PathBuf, Role)> {
    let role = Role::of(&path)?;
    Some((path, role))
}

/// Returns what is in a folder, in order; nothing where there is no folder.
fn entries(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let not_listed = |error: std::io::Error| {
        let what = format!("the runs in `{}` were not listed", folder.display());
        CommandError::new(Exit::BadInput, what)
            .because(error)
            .hint("make the folder readable")
    };
    let listed = match std::fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(not_listed(error)),
    };
    let paths = listed.map(|entry| Ok(entry.map_err(not_listed)?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Outcome<_>>()?;
    few::sort(&mut paths);
    Ok(paths)
}

fn remove(path: &Path) -> Outcome<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let what = format!(
                "`{}` is of an earlier measurement, and was not removed",
                path.display()
            );
            Err(CommandError::new(Exit::BadInput, what)
                .because(error)
                .hint("make its folder writable"))
        }
        _ => Ok(()),
    }
}

fn half(there: &Path, missing: &Path) -> CommandError {
    let what = format!(
        "the canary was not judged: `{}` is there, and `{}` is not",
        there.display(),
        missing.display()
    );
    CommandError::new(Exit::BadInput, what)
        .hint("measure again with `--canary`, or bring both files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_which_side_it_is() {
        for role in [
            Role::Head,
            Role::Base,
            Role::Healthy(1),
            Role::Planted(1),
            Role::Healthy(2),
            Role::Planted(12),
        ] {
            assert_eq!(Role::of(Path::new(&role.file())), Some(role));
        }
        for name in [
            "run.json",
            "report.jsonl",
            "run-2.jsonl",
            "healthy-1.jsonl",
            "healthy-02.jsonl",
            "healthy-.jsonl",
            "healthy2.jsonl",
            "planted--2.jsonl",
            ".jsonl",
        ] {
            assert_eq!(Role::of(Path::new(name)), None, "{name}");
        }
    }

    #[test]
    fn runs_are_found_wherever_they_lie_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let write = |place: &str| {
            let path = folder.path().join(place);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            path
        };
        let found = [
            write("a/kv/base.jsonl"),
            write("a/kv/run.jsonl"),
            write("b/run.jsonl"),
        ];
        let durations = write("a/durations.tsv");
        write("a/report.jsonl");
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
        let below = Below::find(folder.path()).unwrap();
        let runs: Vec<PathBuf> = below.runs.into_iter().map(|(path, _)| path).collect();
        assert_eq!(runs, found);
        assert_eq!(below.durations, [durations]);
    }

    #[test]
    fn canaries_are_pairs_and_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let runs = RunFolder::new(folder.path());
        let suite = SuiteName::new("watch").unwrap();
        assert_eq!(
            runs.canaries(&suite).unwrap(),
            [[""; 2]; 0].map(|pair| pair.map(PathBuf::from))
        );
        std::fs::create_dir_all(folder.path().join("watch")).unwrap();
        let places = [Role::Healthy(1), Role::Planted(1), Role::Healthy(2)]
            .map(|role| runs.place(&suite, role));
        for place in &places {
            std::fs::write(place, "").unwrap();
        }
        assert!(runs.canaries(&suite).is_err());
        std::fs::write(runs.place(&suite, Role::Planted(2)), "").unwrap();
        assert_eq!(runs.canaries(&suite).unwrap().len(), 2);
        std::fs::write(runs.place(&suite, Role::Head), "").unwrap();
        runs.forget_canaries().unwrap();
        assert_eq!(
            runs.files().unwrap(),
            [(runs.place(&suite, Role::Head), Role::Head)]
        );
    }
}
