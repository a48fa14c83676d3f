//! Whether a report still speaks of what a branch brings: it does where nothing but acceptances was committed since.
//!
//! An acceptance is a commit on the branch, and a push by a workflow starts no run; without this, whoever takes two
//! regressions for two reasons would have to measure in between. Tested below and by `tests/it/publish/answer`.

use tripline_hub::{Client, CommitId, HubError, commit};
use tripline_model::SuiteName;

use crate::accepted;

/// More commits than anybody makes of acceptances in a row.
const COMMITS_MAX: usize = 50;

/// Finds out whether the head of a branch builds on a commit by acceptances alone. The project is at a prefix of the
/// repository.
pub(super) fn only_acceptances(
    client: &Client,
    prefix: &str,
    (of, head): (&CommitId, &CommitId),
) -> Result<bool, HubError> {
    let mut at = head.clone();
    for _ in 0..COMMITS_MAX {
        if at == *of {
            return Ok(true);
        }
        let changes = commit::changes(client, &at)?;
        let written = changes.written.unwrap_or_default();
        match changes.parent {
            Some(parent) if !written.is_empty() && written.iter().all(|it| is_one(it, prefix)) => {
                at = parent;
            }
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// Returns whether a file holds acceptances of a suite.
fn is_one(path: &str, prefix: &str) -> bool {
    let parts: Option<Vec<&str>> = path.strip_prefix(prefix).map(|it| it.split('/').collect());
    matches!(parts.as_deref(), Some(["baselines", suite, accepted::FILE]) if SuiteName::new(*suite).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acceptances_are_one_file_of_a_suite() {
        assert!(is_one("baselines/kv/accepted.jsonl", ""));
        assert!(is_one("sub/baselines/kv/accepted.jsonl", "sub/"));
        for other in [
            "baselines/kv/debian-12-x86_64.jsonl",
            "baselines/kv/x/accepted.jsonl",
            "baselines/../accepted.jsonl",
            "accepted.jsonl",
            "sub/baselines/kv/accepted.jsonl",
        ] {
            assert!(!is_one(other, ""), "{other}");
        }
    }
}
