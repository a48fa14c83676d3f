//! Payloads that lack something, are cut, or are full of somebody's mischief.

use proptest::prelude::*;
use serde_json::{Value, json};
use tripline_hub::EventError;

use super::{PAYLOADS, read, variables};
use crate::support::same_each_time;

/// What each kind of event cannot do without.
const NEEDED: &[(usize, &[&str])] = &[
    (
        0,
        &[
            "/action",
            "/pull_request/number",
            "/pull_request/head/sha",
            "/pull_request/head/ref",
            "/pull_request/head/repo/id",
            "/pull_request/head/repo/owner/login",
            "/pull_request/base/sha",
            "/pull_request/base/ref",
        ],
    ),
    (
        2,
        &[
            "/workflow_run",
            "/workflow_run/id",
            "/workflow_run/run_attempt",
            "/workflow_run/path",
            "/workflow_run/event",
            "/workflow_run/head_sha",
            "/workflow_run/repository/id",
            "/workflow_run/head_repository/id",
            "/workflow_run/head_repository/owner/login",
        ],
    ),
    (4, &["/ref", "/before", "/after"]),
    (
        6,
        &[
            "/comment/id",
            "/comment/body",
            "/comment/user/login",
            "/comment/author_association",
            "/issue/number",
        ],
    ),
];

fn read_value(at: usize, payload: &Value) -> Result<tripline_hub::Context, EventError> {
    let (name, repository, _) = PAYLOADS[at];
    read(&variables(name, repository), payload.to_string().as_bytes())
}

fn payload(at: usize) -> Value {
    serde_json::from_str(PAYLOADS[at].2).unwrap()
}

#[test]
fn what_is_missing_is_named_with_its_file_and_place() {
    for (at, pointers) in NEEDED {
        for pointer in *pointers {
            for (wrong, why) in [(Value::Null, "is missing"), (json!([{}]), "is ")] {
                let mut payload = payload(*at);
                *payload.pointer_mut(pointer).unwrap() = wrong;
                let told = read_value(*at, &payload).expect_err(pointer).to_string();
                let start =
                    format!("the event was not read: in `/github/workflow/event.json`, {pointer}");
                assert!(told.starts_with(&start) && told.contains(why), "{told}");
            }
        }
    }
}

#[test]
fn names_that_cannot_be_are_refused() {
    for (at, pointer, name) in [
        (2, "/workflow_run/head_branch", "a b".to_owned()),
        (2, "/workflow_run/head_branch", "x".repeat(5000)),
        (2, "/workflow_run/head_sha", "HEAD".to_owned()),
        (
            2,
            "/workflow_run/head_repository/owner/login",
            "ada:main&state=closed".to_owned(),
        ),
        (2, "/workflow_run/path", "x".repeat(5000)),
        (0, "/pull_request/head/ref", "a\nb".to_owned()),
        (6, "/comment/body", "x".repeat(400_000)),
        (4, "/repository/default_branch", "-f".to_owned()),
    ] {
        let mut payload = payload(at);
        *payload.pointer_mut(pointer).unwrap() = name.into();
        let told = read_value(at, &payload).expect_err(pointer).to_string();
        assert!(told.contains(pointer) && told.len() < 400, "{told}");
    }
}

#[test]
fn names_that_only_look_dangerous_are_names() {
    for branch in [
        "main",
        "$(id)",
        "`id`",
        "a\"b'c",
        "<!--x-->",
        "@everyone",
        "=error=",
        "a&b=c#d%2f",
    ] {
        let mut payload = payload(2);
        payload["workflow_run"]["head_branch"] = branch.into();
        read_value(2, &payload).expect(branch);
    }
}

#[test]
fn a_fork_that_was_deleted_is_no_error() {
    let mut payload = payload(2);
    payload["workflow_run"]["head_repository"] = Value::Null;
    payload["workflow_run"]["head_branch"] = Value::Null;
    payload["workflow_run"]["conclusion"] = Value::Null;
    read_value(2, &payload).unwrap();
}

#[test]
fn another_repositorys_payload_is_none_of_ours() {
    let mut payload = payload(2);
    payload["repository"]["full_name"] = "mallory/octo-repo".into();
    let error = read_value(2, &payload).expect_err("it is another repository");
    insta::assert_snapshot!(error, @"the event was not read: in `/github/workflow/event.json`, /repository/full_name is not octo-org/octo-repo, as `GITHUB_REPOSITORY` says");
    payload["repository"]["full_name"] = "Octo-Org/Octo-Repo".into();
    read_value(2, &payload).unwrap();
}

proptest! {
    #![proptest_config(same_each_time())]

    #[test]
    fn a_cut_payload_is_an_error(which in 0..PAYLOADS.len(), part in 0.0..1.0_f64) {
        let (name, repository, payload) = PAYLOADS[which];
        let cut = (payload.trim_end().len() as f64 * part) as usize;
        let told = read(&variables(name, repository), &payload.as_bytes()[..cut]);
        let told = told.expect_err("it is cut").to_string();
        prop_assert!(told.contains("`/github/workflow/event.json`, the whole file is no JSON"), "{}", told);
    }

    #[test]
    fn a_damaged_payload_is_read_or_refused(which in 0..PAYLOADS.len(), hits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let (name, repository, payload) = PAYLOADS[which];
        let mut bytes = payload.as_bytes().to_vec();
        for (at, byte) in hits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = read(&variables(name, repository), &bytes) {
            prop_assert!(error.to_string().chars().all(|c| !c.is_control()), "{}", error);
        }
    }
}
