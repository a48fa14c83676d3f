//! What each job of ours may do, and what it says it may.
//!
//! Tests: those of the rule `workflows`, which holds the one against the other.

use super::Workflow;

/// What each job may do.
pub(crate) const RIGHTS: &[(&str, &str, &[&str])] = &[
    (
        "baseline.yml",
        "answer",
        &[
            "actions: read",
            "contents: write",
            "issues: write",
            "pull-requests: write",
        ],
    ),
    ("bench-export.yml", "benchmark-action", READ),
    ("bench-export.yml", "bencher", READ),
    ("bench-main.yml", "bench", READ),
    (
        "bench-main.yml",
        "keep",
        &["contents: write", "pull-requests: write"],
    ),
    ("bench-main.yml", "pages", READ),
    (
        "bench-main.yml",
        "deploy",
        &["id-token: write", "pages: write"],
    ),
    ("bench-main.yml", "export", READ),
    ("bench-main.yml", "gate", &[]),
    ("bench-pr.yml", "bench", READ),
    ("bench-pr.yml", "rehearse", READ),
    (
        "bench-publish.yml",
        "publish",
        &[
            "actions: read",
            "checks: write",
            "contents: read",
            "pull-requests: write",
        ],
    ),
    ("bench.yml", "plan", READ),
    ("bench.yml", "measure", READ),
    ("bench.yml", "judge", READ),
    ("ci.yml", "test", READ),
    ("release.yml", "build", READ),
    (
        "release.yml",
        "release",
        &["attestations: write", "contents: write", "id-token: write"],
    ),
];

/// What a job may do that runs anybody's code.
const READ: &[&str] = &["contents: read"];

/// Returns the rights of a job in words; nothing where it does not say.
pub(crate) fn given(workflow: &Workflow, job: &str) -> Option<Vec<String>> {
    let whole = workflow.text(&["jobs", job, "permissions"])?;
    let path = ["jobs", job, "permissions", "*"];
    let words = workflow.at(&path);
    let mut words: Vec<String> = words
        .map(|right| format!("{}: {}", right.path[3], right.text))
        .collect();
    // Some words give many rights at once.
    if !["", "{}"].contains(&whole) {
        words.push(whole.to_owned());
    }
    words.sort();
    Some(words)
}
