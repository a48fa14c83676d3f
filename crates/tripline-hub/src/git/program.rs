//! Runs git: with an environment that leads it nowhere else, for no longer than it is given, and with bounded output.
//!
//! Tested by everything in `tests/hub/git`, some of it with programs that stand in for git and write down how they were
//! called, or never end.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::error::Why;

/// The oldest git that is known to do.
pub(super) const MINIMUM: (u32, u32) = (2, 39);

/// The most that is taken of what git prints. One that prints more is stopped by its closed pipe.
const OUTPUT_BYTES_MAX: u64 = 8 << 20;

/// The git program.
#[derive(Debug, Clone)]
pub struct Git {
    program: OsString,
}

impl Git {
    /// Takes the git that is found on PATH.
    #[must_use]
    pub fn on_path() -> Self {
        Self::at("git")
    }

    /// Takes a git that is elsewhere.
    #[must_use]
    pub fn at(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
        }
    }
}

/// Whose variables git sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// The caller's settings count: git is asked about the caller's repository.
    Callers,
    /// Ours alone count.
    Ours,
}

impl Surroundings {
    /// Returns whether a variable of git's is handed on. Below one of git's hooks there are variables that name the
    /// repository and the index the hook is about, and others make git tell more than we want to hear.
    fn keeps(self, name: &str) -> bool {
        let says_how_to_reach = [
            "GIT_SSH",
            "GIT_SSL_",
            "GIT_PROXY_",
            "GIT_HTTP_",
            "GIT_ASKPASS",
            "GIT_EXEC_PATH",
            "GIT_ALLOW_PROTOCOL",
        ];
        let says_how_to_ask = [
            "GIT_CONFIG_",
            "GIT_CEILING_DIRECTORIES",
            "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        ];
        let begins = |with: &&str| name.starts_with(with);
        says_how_to_reach.iter().any(begins)
            || (self == Self::Callers && says_how_to_ask.iter().any(begins))
    }
}

/// One call of git.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) args: &'a [&'a str],
    pub(super) folder: &'a Path,
    pub(super) surroundings: Surroundings,
    pub(super) variables: Vec<(String, OsString)>,
    pub(super) input: &'a [u8],
    pub(super) time: Duration,
}

/// What came of a call that ended by itself.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) is_success: bool,
    pub(super) out: Vec<u8>,
    pub(super) err: Vec<u8>,
}

impl Git {
    /// Runs git and waits for its end, or for the end of its time.
    pub(super) fn run(&self, call: &Call<'_>) -> Result<Answer, Why> {
        let end = Instant::now() + call.time;
        let mut child = self.command(call)?.spawn().map_err(Why::NoGit)?;
        let (send, receive) = mpsc::channel();
        let pipes = [
            child
                .stdout
                .take()
                .map(|pipe| read_along(pipe, Stream::Out, send.clone())),
            child
                .stderr
                .take()
                .map(|pipe| read_along(pipe, Stream::Err, send)),
        ];
        let mut answer = Answer {
            is_success: false,
            out: Vec::new(),
            err: Vec::new(),
        };
        for _ in pipes.iter().flatten() {
            match receive.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((Stream::Out, bytes)) => answer.out = bytes,
                Ok((Stream::Err, bytes)) => answer.err = bytes,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    // Its children end with it, or when their connection does; nobody waits for them.
                    drop(child.kill());
                    drop(child.wait());
                    return Err(Why::OutOfTime {
                        verb: verb(call.args),
                        time: call.time,
                    });
                }
            }
        }
        answer.is_success = child.wait().map_err(Why::NoGit)?.success();
        Ok(answer)
    }

    fn command(&self, call: &Call<'_>) -> Result<Command, Why> {
        let mut command = Command::new(&self.program);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("GIT_") && !call.surroundings.keeps(&name) {
                command.env_remove(name.as_ref());
            }
        }
        command
            .args(call.args)
            .current_dir(call.folder)
            // Its words are read by a program.
            .env_remove("LANGUAGE")
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .envs(call.variables.iter().map(|(name, value)| (name, value)))
            .stdin(input(call.input).map_err(Why::NoRoom)?)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Ok(command)
    }
}

/// Returns the settings as the variables that git reads them from, so that no process list and no file shows them.
pub(super) fn as_variables(settings: &[(String, String)]) -> Vec<(String, OsString)> {
    let count = settings.len().to_string();
    let mut variables = vec![("GIT_CONFIG_COUNT".to_owned(), count.into())];
    for (at, (key, value)) in settings.iter().enumerate() {
        variables.push((format!("GIT_CONFIG_KEY_{at}"), key.into()));
        variables.push((format!("GIT_CONFIG_VALUE_{at}"), value.into()));
    }
    variables
}

/// Returns which command of git's the arguments are for.
pub(super) fn verb(args: &[&str]) -> String {
    args.first().copied().unwrap_or_default().to_owned()
}

/// Returns bytes as the input of a program: a file without a name, so that no thread has to feed it.
fn input(bytes: &[u8]) -> io::Result<Stdio> {
    if bytes.is_empty() {
        return Ok(Stdio::null());
    }
    let mut file: File = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}

enum Stream {
    Out,
    Err,
}

/// Reads what a program prints as it prints it, and hands it over when the pipe is closed.
fn read_along(
    pipe: impl Read + Send + 'static,
    stream: Stream,
    send: Sender<(Stream, Vec<u8>)>,
) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks has said all it will.
        drop(pipe.take(OUTPUT_BYTES_MAX).read_to_end(&mut bytes));
        // Nobody listens any more when the time is up.
        drop(send.send((stream, bytes)));
    })
}

/// Says whether the version that git told is new enough.
pub(super) fn is_new_enough(words: &str) -> bool {
    let version = words
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let mut numbers = version
        .unwrap_or_default()
        .split('.')
        .map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= MINIMUM,
        _ => false,
    }
}

/// Returns a path as a value of a variable.
pub(super) fn value(path: &Path) -> OsString {
    OsStr::new(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        for (words, expected) in [
            ("git version 2.39.5", true),
            ("git version 2.39.5 (Apple Git-154)\n", true),
            ("git version 2.100.0.windows.1", true),
            ("git version 3.0.rc1", true),
            ("git version 2.38.9", false),
            ("git version 1.99", false),
            ("git version two", false),
            ("", false),
        ] {
            assert_eq!(is_new_enough(words), expected, "{words}");
        }
    }

    #[test]
    fn only_how_to_reach_a_remote_is_handed_on() {
        for name in ["GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "GIT_ASKPASS"] {
            assert!(Surroundings::Ours.keeps(name), "{name}");
        }
        for name in [
            "GIT_DIR",
            "GIT_INDEX_FILE",
            "GIT_CONFIG",
            "GIT_TRACE_CURL",
            "GIT_CURL_VERBOSE",
            "GIT_AUTHOR_NAME",
        ] {
            assert!(!Surroundings::Ours.keeps(name), "{name}");
            assert!(!Surroundings::Callers.keeps(name), "{name}");
        }
        assert!(Surroundings::Callers.keeps("GIT_CONFIG_GLOBAL"));
        assert!(!Surroundings::Ours.keeps("GIT_CONFIG_GLOBAL"));
    }
}
