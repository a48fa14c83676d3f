//! The project under test: two steps that print counts from a file, so that a change of the file is a change of speed.

use std::path::{Path, PathBuf};

use crate::project::git;

/// A step that prints the run in a file, whose counts the test sets.
const SUITE: &str = r#"about = "counts that a file says"

[[step]]
name = "reads"
harness = "run-file"
command = ["cat", "reads.jsonl"]

[[step]]
name = "writes"
harness = "run-file"
command = ["cat", "writes.jsonl"]
"#;

/// A git repository with the project in it, and the workflows of this one.
pub(crate) struct Demo<'a> {
    root: &'a Path,
}

impl<'a> Demo<'a> {
    /// Makes the project, commits it to `main`, and gives it a remote.
    pub(crate) fn make(root: &'a Path, remote: &Path) -> Self {
        let demo = Self { root };
        std::fs::create_dir_all(root).unwrap();
        demo.git(&["init", "--quiet", "--initial-branch", "main"]);
        let settings = [
            ("user.name", "Ada"),
            ("user.email", "ada@example.org"),
            ("commit.gpgsign", "false"),
        ];
        for (key, value) in settings {
            demo.git(&["config", key, value]);
        }
        demo.copy(&workspace().join(".github"), ".github");
        demo.write("bench/kv/suite.toml", SUITE);
        demo.write(".gitignore", "target\n");
        demo.counts(1000, 2000);
        demo.commit("the project");
        let remote = remote.display().to_string();
        let init = ["init", "--quiet", "--bare", "--initial-branch", "main"];
        demo.git(&[&init[..], &[&remote]].concat());
        demo.git(&["remote", "add", "origin", &remote]);
        demo.git(&["push", "--quiet", "origin", "main"]);
        demo
    }

    /// The project that stands there.
    pub(crate) fn at(root: &'a Path) -> Self {
        Self { root }
    }

    /// Sets what the benchmarks count.
    pub(crate) fn counts(&self, get: u64, set: u64) {
        self.write("bench/kv/reads.jsonl", &run("kv/get", get));
        self.write("bench/kv/writes.jsonl", &run("kv/set", set));
    }

    pub(crate) fn write(&self, place: &str, text: &str) {
        let path = self.place(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Returns a place in the project.
    pub(crate) fn place(&self, place: &str) -> PathBuf {
        self.root.join(place)
    }

    /// Copies a file or a folder into the project.
    pub(crate) fn copy(&self, from: &Path, place: &str) {
        copy(from, &self.place(place));
    }

    /// Changes a text in a file, which must be there.
    pub(crate) fn replace(&self, place: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.place(place)).unwrap();
        assert!(text.contains(from), "`{from}` is not in {place}");
        self.write(place, &text.replace(from, to));
    }

    /// Commits all there is, and returns the commit.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.head()
    }

    /// Begins or goes on with a branch.
    pub(crate) fn switch(&self, branch: &str) {
        let known = self.git(&["branch", "--list", branch]);
        let create: &[&str] = if known.is_empty() { &["--create"] } else { &[] };
        self.git(&[&["switch", "--quiet"], create, &[branch]].concat());
    }

    /// Stands on the merge of a branch into `main`, as the runner does on a pull request, and returns the branch's head.
    pub(crate) fn merge(&self, branch: &str) -> String {
        let head = self.git(&["rev-parse", branch]);
        self.git(&["switch", "--quiet", "--detach", "main"]);
        self.git(&["merge", "--quiet", "--no-ff", "--message", "merge", branch]);
        head
    }

    pub(crate) fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(self.root, args)
    }
}

/// A run with one benchmark, as another program would write it.
fn run(name: &str, count: u64) -> String {
    let header = r#"{"tripline_run":{"version":1,"suite":"kv","measured_at":"2026-01-02T03:04:05Z","producer":{"name":"demo","version":"0"},"environment":{"name":"elsewhere","facts":{}},"metrics":{"instructions":{"unit":"count","better":"lower","nature":"exact"}}}}"#;
    format!(
        "{header}\n{{\"measured\":{{\"benchmark\":\"{name}\",\"readings\":{{\"instructions\":{{\"values\":[{count}]}}}}}}}}\n{{\"end\":{{}}}}\n"
    )
}

/// Returns the root of this workspace.
pub(crate) fn workspace() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap()
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from, to).unwrap();
        return;
    }
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}
