//! A place to push to and to push from: a bare repository, clones of it, and programs that stand in for git.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tripline_hub::git::{
    Change, Git, Identity, NewFile, NotPushed, Place, Pushed, Removal, Tries, append, extend,
    put_branch, remove,
};
use tripline_hub::{Branch, CommitId, SystemClock, Token};

/// A remote with one commit on `main`.
pub(super) struct Yard {
    folder: TempDir,
}

impl Yard {
    pub(super) fn new() -> Self {
        let yard = Self {
            folder: TempDir::new().unwrap(),
        };
        let remote = yard.remote();
        fs::create_dir(&remote).unwrap();
        git(
            &remote,
            &["init", "--quiet", "--bare", "--initial-branch=main"],
        );
        git(&remote, &["config", "uploadpack.allowFilter", "true"]);
        git(&remote, &["config", "http.receivepack", "true"]);
        git(&remote, &["config", "receive.fsckObjects", "true"]);
        let first = yard.path("first");
        fs::create_dir(&first).unwrap();
        git(&first, &["init", "--quiet", "--initial-branch=main"]);
        reach_loopback(&first);
        fs::write(first.join("README.md"), "a project\n").unwrap();
        fs::create_dir(first.join("src")).unwrap();
        fs::write(first.join("src/lib.rs"), "fn work() {}\n").unwrap();
        git(&first, &["add", "."]);
        git(&first, &["commit", "--quiet", "-m", "first"]);
        git(&first, &["push", "--quiet", &yard.address(), "main"]);
        yard
    }

    /// A remote whose branches only grow.
    pub(super) fn growing() -> Self {
        let yard = Self::new();
        git(
            &yard.remote(),
            &["config", "receive.denyNonFastForwards", "true"],
        );
        yard
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn remote(&self) -> PathBuf {
        self.path("remote.git")
    }

    pub(super) fn address(&self) -> String {
        format!("file://{}", self.remote().display())
    }

    pub(super) fn clone(&self, name: &str) -> PathBuf {
        let into = self.path(name);
        let name = into.to_str().unwrap();
        git(
            self.folder.path(),
            &["clone", "--quiet", &self.address(), name],
        );
        reach_loopback(&into);
        into
    }

    /// Has the remote run a script at each push.
    pub(super) fn hook(&self, name: &str, script: &str) {
        write_script(&self.remote().join("hooks").join(name), script);
    }

    /// Returns a stand-in for git: a script that may hand on to the real one by `exec git "$@"`.
    pub(super) fn program(&self, script: &str) -> Git {
        let path = self.path("git-stand-in");
        write_script(&path, script);
        Git::at(path)
    }

    /// Asks the remote.
    pub(super) fn ask(&self, args: &[&str]) -> String {
        git(&self.remote(), args)
    }

    /// Returns the ids of a branch's commits, newest first.
    pub(super) fn commits(&self, branch: &str) -> Vec<String> {
        let commits = self.ask(&["rev-list", branch]);
        commits.lines().map(str::to_owned).collect()
    }

    /// Returns what is in the files of a branch.
    pub(super) fn files(&self, branch: &str) -> BTreeMap<String, String> {
        let paths = self.ask(&["ls-tree", "-r", "--name-only", branch]);
        let read = |path: &str| {
            (
                path.to_owned(),
                self.ask(&["show", &format!("{branch}:{path}")]),
            )
        };
        paths.lines().map(read).collect()
    }

    pub(super) fn tip(&self, branch: &str) -> CommitId {
        self.ask(&["rev-parse", branch]).trim().parse().unwrap()
    }
}

/// Who pushes, and how.
pub(super) struct Publisher<'a> {
    pub(super) git: Git,
    pub(super) repository: &'a Path,
    pub(super) remote: &'a str,
    pub(super) token: Option<Token>,
    pub(super) tries: Tries,
}

impl<'a> Publisher<'a> {
    pub(super) fn of(repository: &'a Path) -> Self {
        Self {
            git: Git::on_path(),
            repository,
            remote: "origin",
            token: None,
            tries: tries(1),
        }
    }

    pub(super) fn by(self, git: Git) -> Self {
        Self { git, ..self }
    }

    pub(super) fn to(self, remote: &'a str) -> Self {
        Self { remote, ..self }
    }

    pub(super) fn with(self, token: &str) -> Self {
        let token = Some(Token::new(token).unwrap());
        Self { token, ..self }
    }

    pub(super) fn once(self) -> Self {
        let tries = Tries {
            count_max: 1,
            ..self.tries
        };
        Self { tries, ..self }
    }

    fn place(&self) -> Place<'_> {
        Place {
            git: &self.git,
            repository: self.repository,
            remote: self.remote,
            token: self.token.as_ref(),
            tries: self.tries,
            clock: &SystemClock,
        }
    }

    pub(super) fn append(&self, files: &[(&str, &str)]) -> Result<Pushed, NotPushed> {
        self.append_made(&change(files))
    }

    pub(super) fn append_made(&self, change: &Change) -> Result<Pushed, NotPushed> {
        append(&self.place(), &data(), change)
    }

    pub(super) fn put(&self, base: &CommitId, files: &[(&str, &str)]) -> Result<Pushed, NotPushed> {
        put_branch(&self.place(), &proposal(), base, &change(files))
    }

    pub(super) fn extend(
        &self,
        branch: &str,
        tip: &CommitId,
        files: &[(&str, &str)],
    ) -> Result<Pushed, NotPushed> {
        let branch: Branch = branch.parse().unwrap();
        extend(&self.place(), &branch, tip, &change(files))
    }

    pub(super) fn remove(&self, removal: &Removal) -> Result<Pushed, NotPushed> {
        remove(&self.place(), &data(), removal)
    }

    pub(super) fn put_on(&self, branch: &str, base: &CommitId) -> Result<Pushed, NotPushed> {
        let branch: Branch = branch.parse().unwrap();
        put_branch(&self.place(), &branch, base, &change(&[("a", "a")]))
    }
}

pub(super) fn data() -> Branch {
    "tripline/data".parse().unwrap()
}

pub(super) fn proposal() -> Branch {
    "tripline/baselines".parse().unwrap()
}

/// Short pauses, and more tries and time than any test needs.
pub(super) fn tries(seed: u64) -> Tries {
    Tries {
        count_max: 400,
        time_max: Duration::from_secs(300),
        pause_min: Duration::from_millis(1),
        pause_max: Duration::from_millis(30),
        seed,
    }
}

pub(super) fn files(all: &[(&str, &str)]) -> Vec<NewFile> {
    let file = |(path, text): &(&str, &str)| NewFile {
        path: path.parse().unwrap(),
        bytes: (*text).into(),
    };
    all.iter().map(file).collect()
}

pub(super) fn change(all: &[(&str, &str)]) -> Change {
    let author = Identity::new("Ada Lovelace", "ada@example.org").unwrap();
    Change::new(files(all), "record: a run\n\nWith a reason.", author).unwrap()
}

/// Returns how an error is told: what did not happen, the chain of reasons, and what to do.
pub(super) fn told(error: &NotPushed) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.extend(["\ncaused by: ", &error.to_string()]);
        cause = error.source();
    }
    text + "\nhint: " + &error.hint()
}

/// Runs the real git as nobody in particular, and returns what it printed.
pub(super) fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    let who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    let output = command
        .args(who)
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?}: {words}");
    String::from_utf8(output.stdout).unwrap()
}

/// Has git ask no proxy, whatever the environment says: the forge of a test is on this machine.
fn reach_loopback(repository: &Path) {
    git(repository, &["config", "http.proxy", ""]);
}

/// Writes a script by another process: while one of our threads held it open for writing, another could not start it.
fn write_script(path: &Path, script: &str) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod +x \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!("#!/bin/sh\n{script}\n");
    shell
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    assert!(shell.wait().unwrap().success());
}

/// Returns every file below a folder and what is in it, of the repository's own files, too.
pub(super) fn everything_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(everything_in(&path));
            found.insert(path, Vec::new());
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

/// Returns whether some bytes stand in others.
pub(super) fn holds(bytes: &[u8], part: &str) -> bool {
    bytes
        .windows(part.len())
        .any(|window| window == part.as_bytes())
}
