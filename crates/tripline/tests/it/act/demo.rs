//! The project under test: two steps that print counts from a file, so that a change of the file is a change of speed.

use std::path::Path;
use std::process::Command;

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
        copy(&workspace().join(".github"), &root.join(".github"));
        demo.write("bench/kv/suite.toml", SUITE);
        demo.write(".gitignore", "target\n");
        demo.counts(1000, 2000);
        demo.commit("the project");
        let bare = Command::new("git")
            .args(["init", "--quiet", "--bare", "--initial-branch", "main"])
            .arg(remote)
            .status();
        assert!(bare.unwrap().success());
        demo.git(&["remote", "add", "origin", &remote.display().to_string()]);
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
        let path = self.root.join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
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
        let mut command = Command::new("git");
        command.args(args).current_dir(self.root);
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
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
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &place);
        } else {
            std::fs::copy(entry.path(), place).unwrap();
        }
    }
}
