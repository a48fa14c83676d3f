//! One play of a workflow by `act`, and what became of its jobs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::demo::workspace;

/// What every shell of a step reads first. act does not wait for the last words of a step that fails, so that they are
/// kept in a file instead; a shell within a step hands its words to whoever started it, as ever.
const KEEP_WORDS: &str = r#"if [ -z "${ARE_WORDS_KEPT:-}" ]; then
  export ARE_WORDS_KEPT=true
  exec >>"$WORDS" 2>&1
fi
"#;

/// What is played, and where.
pub(crate) struct Play {
    /// The project, as it is checked out.
    pub(crate) project: PathBuf,
    /// A folder that act may fill.
    pub(crate) home: PathBuf,
    /// Where artifacts go.
    pub(crate) store: PathBuf,
    /// Where the stand-in for GitHub answers.
    pub(crate) api: String,
    /// The run's number.
    pub(crate) run: u64,
    /// What `github.token` is; the play of a fork has none.
    pub(crate) token: Option<&'static str>,
    /// Further options of act: variables and secrets of the repository, and where more actions are.
    pub(crate) settings: Vec<[String; 2]>,
}

/// What became of a play.
pub(crate) struct Played {
    /// How each job ended, by its name in the workflow's file.
    pub(crate) jobs: BTreeMap<String, String>,
    /// All that was said: by act, and then by the steps.
    pub(crate) log: String,
}

impl Play {
    /// Plays a workflow with an event.
    pub(crate) fn run(&self, workflow: &str, event: &str, payload: &Value) -> Played {
        let event_file = self.home.join("event.json");
        std::fs::write(&event_file, payload.to_string()).unwrap();
        std::fs::write(self.home.join("keep-words"), KEEP_WORDS).unwrap();
        std::fs::write(self.words(), "").unwrap();
        let mut act = Command::new(act());
        act.env_clear();
        act.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            act.envs(toolchain(name, folder).map(|place| (name, place)));
        }
        act.env("HOME", &self.home).current_dir(&self.project);
        act.arg(event).arg("--eventpath").arg(event_file);
        act.args(["--workflows", &format!(".github/workflows/{workflow}.yml")]);
        // Where a payload names no default branch, act says that it is this one: whoever asks there learns nothing.
        act.args(["--defaultbranch", "none"]);
        act.args(["--json", "--pull=false", "--no-cache-server"]);
        act.args(["--platform", "ubuntu-24.04=-self-hosted"]);
        act.arg("--action-cache-path")
            .arg(self.home.join("actions"));
        if let Some(token) = self.token {
            act.args(["--secret", &format!("GITHUB_TOKEN={token}")]);
        }
        act.args([
            "--var",
            &format!("TRIPLINE_BINARY={}", env!("CARGO_BIN_EXE_tripline")),
        ]);
        for (name, value) in self.variables() {
            act.arg("--env").arg(format!("{name}={value}"));
        }
        for (action, stand_in) in stand_ins() {
            let stand_in = stand_in.display();
            act.args(["--local-repository", &format!("{action}={stand_in}")]);
        }
        act.args(self.settings.iter().flatten());
        let output = act.output().unwrap();
        let log = [output.stdout, output.stderr].concat();
        let words = std::fs::read(self.words()).unwrap();
        Played::of(
            &String::from_utf8_lossy(&log),
            &String::from_utf8_lossy(&words),
        )
    }

    /// The file that keeps what the steps say.
    fn words(&self) -> PathBuf {
        self.home.join("words")
    }

    fn variables(&self) -> [(&'static str, String); 7] {
        let keep_words = self.home.join("keep-words");
        [
            ("BASH_ENV", keep_words.display().to_string()),
            ("WORDS", self.words().display().to_string()),
            ("GITHUB_API_URL", self.api.clone()),
            ("GITHUB_REPOSITORY", "acme/demo".to_owned()),
            ("GITHUB_RUN_ID", self.run.to_string()),
            ("ARTIFACT_STORE", self.store.display().to_string()),
            (
                "XDG_CACHE_HOME",
                self.home.join("cache").display().to_string(),
            ),
        ]
    }
}

impl Played {
    fn of(log: &str, words: &str) -> Self {
        let mut jobs = BTreeMap::new();
        let mut said = String::new();
        for line in log.lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else {
                said.push_str(line);
                said.push('\n');
                continue;
            };
            let name = line["jobID"].as_str().unwrap_or_default().to_owned();
            if let Some(result) = line["jobResult"].as_str() {
                jobs.insert(name, result.to_owned());
            }
            said.push_str(line["msg"].as_str().unwrap_or_default().trim_end());
            said.push('\n');
        }
        said.push_str(words);
        Self { jobs, log: said }
    }

    /// Fails the test, showing all that was said, unless a job ended so.
    #[track_caller]
    pub(crate) fn job(&self, name: &str, result: &str) -> &Self {
        let found = self.jobs.get(name).map(String::as_str);
        assert_eq!(
            found,
            Some(result),
            "job {name}; {:?}\n{}",
            self.jobs,
            self.log
        );
        self
    }

    /// Fails the test, showing all that was said, unless this was.
    #[track_caller]
    pub(crate) fn said(&self, text: &str) -> &Self {
        assert!(
            self.log.contains(text),
            "{text:?} was not said:\n{}",
            self.log
        );
        self
    }
}

/// The stand-ins, by the pinned names that stand in the workflows.
fn stand_ins() -> Vec<(String, PathBuf)> {
    let folder = workspace().join("crates/tripline/tests/it/act/stand-ins");
    let mut pins: Vec<(String, PathBuf)> = Vec::new();
    for file in std::fs::read_dir(workspace().join(".github/workflows")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let Some((_, action)) = line.split_once("uses: ") else {
                continue;
            };
            let pin = action.split_whitespace().next().unwrap_or_default();
            let (action, commit) = pin.split_once('@').unwrap_or_default();
            let mut names = action.split('/');
            // What follows is a folder in the repository, as in `actions/cache/restore`.
            if let (Some(owner), Some(repository)) = (names.next(), names.next())
                && folder.join(repository).is_dir()
            {
                let pin = format!("{owner}/{repository}@{commit}");
                pins.push((pin, folder.join(repository)));
            }
        }
    }
    pins.sort();
    pins.dedup();
    pins
}

/// Returns where the Rust toolchain keeps things: jobs have a home of their own, in which it is not.
fn toolchain(variable: &str, folder: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    named.or_else(|| Some(std::env::home_dir()?.join(folder)))
}

/// Returns the program that plays workflows.
fn act() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("act"));
    let found = found.into_iter().find(|program| program.is_file());
    found.expect("`act` is on PATH after `. tools/setup && setup_act`")
}
