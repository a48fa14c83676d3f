//! Asks git about the folder it is asked in, whoever started this program.
//!
//! Below one of git's hooks, variables name the repository and the index that the hook is about. A command that was to
//! change a tree of ours would follow them and change the person's, and one that was to read a history would read
//! another's, so none of them is handed on.
//!
//! Tested by `tests/it/trees` and `tests/it/history`, with the variables of a hook.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tripline_model::CommitId;

/// The variables that lead git away from the repository of its folder, or change how it reads a path.
const LEADING_AWAY: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_QUARANTINE_PATH",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];

/// Has git do something in a folder, and returns what it said on stdout; or else, in a sentence, why it did not.
pub(crate) fn git<A: AsRef<OsStr>>(
    folder: &Path,
    args: &[A],
    variables: &[(&str, &OsStr)],
) -> Result<Vec<u8>, String> {
    let ran = command(folder, args)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output();
    said(args, ran)
}

/// What to do about a commit that is not here.
pub(crate) const FETCH_FIRST: &str =
    "in a shallow clone, fetch it first: `git fetch --depth=1 origin <revision>`";

/// Returns the commit that a person named; none where there is no such commit here.
pub(crate) fn commit_of(folder: &Path, name: &str) -> Option<CommitId> {
    let wanted = format!("{name}^{{commit}}");
    let verify = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &wanted,
    ];
    let said = git(folder, &verify, &[]).ok()?;
    CommitId::new(std::str::from_utf8(&said).ok()?.trim_end()).ok()
}

/// Returns a file as a commit holds it, by its path from the folder that git is asked in; none where it holds none.
pub(crate) fn file_at(folder: &Path, commit: &CommitId, path: &str) -> Option<Vec<u8>> {
    git(folder, &["show", &format!("{commit}:./{path}")], &[]).ok()
}

/// Does the same with a git that reads something on stdin.
pub(crate) fn git_reading<A: AsRef<OsStr>>(
    folder: &Path,
    args: &[A],
    text: &[u8],
    variables: &[(&str, &OsStr)],
) -> Result<Vec<u8>, String> {
    let child = command(folder, args)
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|error| failed(args, &error.to_string()))?;
    let mut stdin = child.stdin.take().expect("it is piped");
    // Written by a thread of its own: git answers while it still reads.
    let (written, ran) = std::thread::scope(|scope| {
        let writing = scope.spawn(move || stdin.write_all(text));
        let ran = child.wait_with_output();
        let written = writing.join();
        let written = written.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (written, ran)
    });
    let said = said(args, ran)?;
    written.map_err(|error| failed(args, &error.to_string()))?;
    Ok(said)
}

/// What the person's hooks do on a check-out is not wanted, nor that looking at a work tree writes its index anew.
fn command<A: AsRef<OsStr>>(folder: &Path, args: &[A]) -> Command {
    let mut command = Command::new("git");
    for name in LEADING_AWAY {
        command.env_remove(name);
    }
    command
        .arg("--no-optional-locks")
        .args(["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0"])
        .args(args)
        .current_dir(folder);
    command
}

fn said<A: AsRef<OsStr>>(args: &[A], ran: io::Result<Output>) -> Result<Vec<u8>, String> {
    let Output {
        status,
        stdout,
        stderr,
    } = ran.map_err(|error| failed(args, &error.to_string()))?;
    if status.success() {
        Ok(stdout)
    } else {
        Err(failed(args, &String::from_utf8_lossy(&stderr)))
    }
}

fn failed<A: AsRef<OsStr>>(args: &[A], why: &str) -> String {
    let verb = args.first().map_or(OsStr::new(""), AsRef::as_ref);
    format!("`git {}` failed: {}", verb.display(), why.trim())
}
