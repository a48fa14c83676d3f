//! Asks git about the folder it is asked in, whoever started this program.
//!
//! Below one of git's hooks, variables name the repository and the index that the hook is about. A command that was to
//! change a tree of ours would follow them and change the person's, so none of them is handed on.
//!
//! Tested by `tests/it/trees`, with the variables of a hook.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

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
///
/// What the person's hooks do on a check-out is not wanted, nor that looking at a work tree writes its index anew.
pub(crate) fn git<A: AsRef<OsStr>>(
    folder: &Path,
    args: &[A],
    variables: &[(&str, &OsStr)],
) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    for name in LEADING_AWAY {
        command.env_remove(name);
    }
    let ran = command
        .arg("--no-optional-locks")
        .args(["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0"])
        .args(args)
        .current_dir(folder)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output();
    let verb = args.first().map_or(OsStr::new(""), AsRef::as_ref);
    let failed = |why: &str| format!("`git {}` failed: {}", verb.display(), why.trim());
    let Output {
        status,
        stdout,
        stderr,
    } = ran.map_err(|error| failed(&error.to_string()))?;
    if status.success() {
        Ok(stdout)
    } else {
        Err(failed(&String::from_utf8_lossy(&stderr)))
    }
}
