//! Reads out of git's words why the remote did not do what it was asked: whether trying again can help, and what to do.
//!
//! git ends with 1 or 128 whatever happened, so its words are all there is. They are read in the C locale. What is not
//! known is final: repeating what nobody understands helps nobody. Tested below on words of git and GitHub.

use super::error::Why;
use super::said::Said;

/// Why a try failed, and whether another can do better.
#[derive(Debug)]
pub(super) enum Setback {
    /// Somebody else was faster: build on theirs.
    Overtaken(Why),
    /// The remote is in trouble: wait longer each time.
    Outage(Why),
    /// Trying again changes nothing.
    Final(Why),
}

impl From<Why> for Setback {
    fn from(why: Why) -> Self {
        match why {
            Why::Overtaken { .. } => Self::Overtaken(why),
            Why::Unreachable { .. } => Self::Outage(why),
            why => Self::Final(why),
        }
    }
}

/// Words that say that the remote does not know us.
const UNKNOWN: &[&str] = &[
    "returned error: 401",
    "Authentication failed",
    "could not read Username",
    "could not read Password",
    "Invalid username or password",
    "Permission denied (publickey",
    "Host key verification failed",
];

/// Words that say that we may not.
const FORBIDDEN: &[&str] = &[
    "returned error: 403",
    "Write access to repository not granted",
    "Resource not accessible by integration",
    "refusing to allow",
    "Permission to ",
    "The project you were looking for could not be found or you don't have permission",
];

/// Words that say that there is nothing at the address.
const NO_REPOSITORY: &[&str] = &[
    "Repository not found",
    "returned error: 404",
    "does not appear to be a git repository",
    "repository not found",
    "' not found",
];

/// Words that say that the remote or the way to it is in trouble.
const OUTAGE: &[&str] = &[
    "Could not resolve host",
    "Failed to connect",
    "Couldn't connect",
    "Connection refused",
    "Connection reset",
    "Connection closed",
    "timed out",
    "Timeout was reached",
    "Operation too slow",
    "early EOF",
    "unexpected disconnect",
    "hung up unexpectedly",
    "RPC failed",
    "transfer closed",
    "Empty reply from server",
    "SSL_ERROR_SYSCALL",
    "gnutls_handshake() failed",
    "returned error: 429",
    "returned error: 5",
    "Internal Server Error",
    "Service Unavailable",
    "Bad Gateway",
    "fatal error in commit_refs",
];

/// Reasons for which a reference was not changed because somebody else just changed it.
const OVERTAKEN: &[&str] = &[
    "cannot lock ref",
    "failed to lock",
    "failed to update ref",
    "incorrect old value",
    "reference already exists",
    "fetch first",
    "stale info",
    // Our parent is gone from the remote: somebody replaced or deleted the branch.
    "shallow update not allowed",
];

/// Says why `git fetch` or `git ls-remote` did not get an answer.
pub(super) fn of_question(verb: &str, words: &str, said: Said) -> Why {
    let has = |table: &[&str]| table.iter().any(|word| words.contains(word));
    // git adds that the remote hung up to most of the others, so that comes last.
    if has(UNKNOWN) {
        Why::Unknown { said }
    } else if has(FORBIDDEN) {
        Why::Forbidden { said }
    } else if has(NO_REPOSITORY) {
        Why::NoRemoteRepository { said }
    } else if has(OUTAGE) {
        Why::Unreachable { said }
    } else {
        Why::Failed {
            verb: verb.to_owned(),
            said,
        }
    }
}

/// Returns whether a push that failed certainly changed nothing: the remote said so, or did not let us in.
pub(super) fn has_answered(report: &str, why: &Why) -> bool {
    report.lines().any(|line| line.starts_with('!'))
        || !matches!(why, Why::Unreachable { .. } | Why::Failed { .. })
}

/// Says why `git push` did not push, from its report and its words.
pub(super) fn of_push(report: &str, words: &str, said: Said) -> Why {
    let Some(line) = report.lines().find(|line| line.starts_with('!')) else {
        return of_question("push", words, said);
    };
    let has = |table: &[&str]| {
        table
            .iter()
            .any(|word| line.contains(word) || words.contains(word))
    };
    let is_ours = line.contains("[rejected]");
    if is_ours || has(OVERTAKEN) {
        Why::Overtaken { said }
    } else if has(FORBIDDEN) {
        Why::Forbidden { said }
    } else if has(OUTAGE) || line.contains("(failure)") || line.contains("[remote failure]") {
        Why::Unreachable { said }
    } else {
        Why::Refused { said }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said() -> Said {
        Said::new(b"", &[])
    }

    #[test]
    fn questions_fail_for_known_reasons() {
        let kind = |words: &str| of_question("fetch", words, said());
        for words in [
            "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
            "git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.",
            "remote: Invalid username or password.\nfatal: Authentication failed for 'https://github.com/a/b/'",
        ] {
            assert!(matches!(kind(words), Why::Unknown { .. }), "{words}");
        }
        for words in [
            "remote: Permission to a/b.git denied to github-actions[bot].\nfatal: unable to access 'x': The requested URL returned error: 403",
            "remote: Write access to repository not granted.\nfatal: unable to access 'x': The requested URL returned error: 403",
        ] {
            assert!(matches!(kind(words), Why::Forbidden { .. }), "{words}");
        }
        for words in [
            "fatal: '/x' does not appear to be a git repository\nfatal: Could not read from remote repository.",
            "remote: Repository not found.\nfatal: repository 'https://github.com/a/b/' not found",
        ] {
            assert!(
                matches!(kind(words), Why::NoRemoteRepository { .. }),
                "{words}"
            );
        }
        for words in [
            "fatal: unable to access 'x': Could not resolve host: github.com",
            "fatal: unable to access 'x': The requested URL returned error: 502",
            "error: RPC failed; curl 56\nfatal: early EOF",
        ] {
            assert!(matches!(kind(words), Why::Unreachable { .. }), "{words}");
        }
        assert!(matches!(kind("fatal: odd"), Why::Failed { .. }));
    }

    #[test]
    fn pushes_fail_for_known_reasons() {
        let kind = |reason: &str, words: &str| {
            of_push(
                &format!("To x\n!\tabc:refs/heads/d\t{reason}\nDone\n"),
                words,
                said(),
            )
        };
        for reason in [
            "[rejected] (fetch first)",
            "[rejected] (non-fast-forward)",
            "[rejected] (stale info)",
            "[remote rejected] (failed to update ref)",
            "[remote rejected] (cannot lock ref 'refs/heads/d': is at a but expected b)",
            "[remote rejected] (incorrect old value provided)",
        ] {
            assert!(
                matches!(kind(reason, ""), Why::Overtaken { .. }),
                "{reason}"
            );
        }
        for (reason, words) in [
            (
                "[remote rejected] (protected branch hook declined)",
                "remote: error: GH006: Protected branch update failed for refs/heads/d.",
            ),
            (
                "[remote rejected] (push declined due to repository rule violations)",
                "remote: error: GH013: Repository rule violations found for refs/heads/d.",
            ),
            (
                "[remote rejected] (non-fast-forward)",
                "remote: error: denying non-fast-forward",
            ),
            ("[remote rejected] (branch is currently checked out)", ""),
        ] {
            assert!(
                matches!(kind(reason, words), Why::Refused { .. }),
                "{reason}"
            );
        }
        let workflow = "[remote rejected] (refusing to allow a GitHub App to create or update workflow `.github/workflows/x.yml` without `workflows` permission)";
        assert!(matches!(kind(workflow, ""), Why::Forbidden { .. }));
        let trouble = kind("[remote rejected] (Internal Server Error)", "");
        assert!(matches!(trouble, Why::Unreachable { .. }));
        let cut = of_push(
            "",
            "send-pack: unexpected disconnect while reading sideband packet",
            said(),
        );
        assert!(matches!(cut, Why::Unreachable { .. }));
    }
}
