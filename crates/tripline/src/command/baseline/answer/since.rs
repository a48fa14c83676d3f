//! Whether a report still speaks of what a branch brings: it does where nothing but acceptances was committed since.
//!
//! An acceptance is a commit on the branch, and a push by a workflow starts no run; without this, whoever takes two
//! regressions for two reasons would have to measure in between. Tested below and by `tests/it/publish/answer`.

use tripline_hub::commit::{self, Changes};
use tripline_hub::{Client, CommitId, HubError};
use tripline_model::SuiteName;

use crate::accepted;

/// More commits than anybody makes of acceptances in a row.
const COMMITS_MAX: usize = 50;

/// Finds out whether the head of a branch builds on a commit by acceptances alone. The project is at a prefix of the
/// repository.
pub(super) fn only_acceptances(
    client: &Client,
    prefix: &str,
    heads: (&CommitId, &CommitId),
) -> Result<bool, HubError> {
    walk(prefix, heads, |at| commit::changes(client, at))
}

/// Goes from the head down to the commit, over what each commit on the way changes.
fn walk<E>(
    prefix: &str,
    (of, head): (&CommitId, &CommitId),
    changes: impl Fn(&CommitId) -> Result<Changes, E>,
) -> Result<bool, E> {
    let mut at = head.clone();
    for _ in 0..COMMITS_MAX {
        if at == *of {
            return Ok(true);
        }
        let changes = changes(&at)?;
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

    const ACCEPTED: &str = "baselines/kv/accepted.jsonl";

    fn commit(number: usize) -> CommitId {
        format!("{number:040x}").parse().unwrap()
    }

    /// Tells whether a row of commits is one of acceptances alone, from the first on which they stand: what each of the
    /// others writes, nothing where it does anything else.
    fn is_row(row: &[Option<&[&str]>]) -> bool {
        walk("", (&commit(0), &commit(row.len())), |at| {
            let at = (1..=row.len()).find(|number| commit(*number) == *at);
            let at = at.ok_or("what the report is of need not be looked at")?;
            let written = row[at - 1].map(|files| files.iter().map(|it| (*it).to_owned()));
            Ok::<_, &str>(Changes {
                parent: Some(commit(at - 1)),
                written: written.map(Iterator::collect),
            })
        })
        .unwrap()
    }

    #[test]
    fn a_branch_is_followed_down_to_the_report_over_acceptances_alone() {
        let good = Some(&[ACCEPTED][..]);
        assert!(is_row(&[]), "it is where the report is of");
        assert!(is_row(&[good]));
        assert!(is_row(&[
            good,
            Some(&["baselines/a/accepted.jsonl", ACCEPTED]),
            good
        ]));
        for other in [
            Some(&["src/lib.rs"][..]),
            Some(&[ACCEPTED, "src/lib.rs"][..]),
            // It writes nothing, as a merge that was taken back; or it removes or renames.
            Some(&[][..]),
            None,
        ] {
            for row in [
                [other, good, good],
                [good, other, good],
                [good, good, other],
            ] {
                assert!(!is_row(&row), "{row:?}");
            }
        }
    }

    #[test]
    fn the_way_down_ends_at_a_merge_at_the_first_commit_and_after_many() {
        let changes = |parent: Option<CommitId>| Changes {
            parent,
            written: Some(vec![ACCEPTED.to_owned()]),
        };
        let heads = (&commit(0), &commit(9));
        // One that has no parent, or several.
        let walked = walk("", heads, |_| Ok::<_, ()>(changes(None)));
        assert_eq!(walked, Ok(false));
        let asked = std::cell::Cell::new(0);
        let walked = walk("", heads, |at| {
            asked.set(asked.get() + 1);
            Ok::<_, ()>(changes(Some(at.clone())))
        });
        assert_eq!((walked, asked.get()), (Ok(false), COMMITS_MAX));
        let most = vec![Some(&[ACCEPTED][..]); COMMITS_MAX - 1];
        assert!(is_row(&most));
        // That GitHub does not answer is no answer.
        assert_eq!(walk("", heads, |_| Err("out")), Err("out"));
    }

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
