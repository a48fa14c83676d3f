//! Several environments keep a baseline each, and share what was accepted: whose acceptance it is decides who ends it.

use super::{ACCEPTED, accept, kept, measured};
use crate::project::run_file;

#[test]
fn an_update_elsewhere_ends_no_acceptance_of_another_environment() {
    let project = kept();
    measured(&project, 1_100_000, 2_000_000);
    accept(&project, &["get", "--because", "it does more"]).with(0);
    let before = project.read(ACCEPTED);
    // The second pair could be of the change that was accepted here, and is no other for that.
    for gets in [[500_000, 400_000], [1_050_000, 1_040_000]] {
        for get in gets {
            let run = run_file(&[("get", get), ("set", 2_000_000)]);
            project.write("other.jsonl", &run.replace("elsewhere", "another"));
            let args = ["baseline", "update", "--head", "other.jsonl"];
            project.tripline(&args).with(0);
            assert_eq!(project.read(ACCEPTED), before);
        }
        std::fs::remove_file(project.path().join("baselines/kv/another.jsonl")).unwrap();
    }
    project.tripline(&["check"]).with(0);
}

/// Where nobody keeps a baseline no update would ever end it.
#[test]
fn an_acceptance_of_an_environment_without_a_baseline_ends_with_the_one_that_it_fits() {
    let project = kept();
    measured(&project, 1_100_000, 2_000_000);
    accept(&project, &["get", "--because", "it does more"]).with(0);
    let accepted = project.read(ACCEPTED);
    let (_, own) = accepted.split_once("\"environment\":\"").unwrap();
    let (own, _) = own.split_once('"').unwrap();
    project.write(ACCEPTED, &accepted.replace(own, "a-laptop"));
    let another = project.read(&format!("baselines/kv/{own}.jsonl"));
    let another = another.replace(own, "another");
    project.write("baselines/kv/another.jsonl", &another);
    measured(&project, 900_000, 2_000_000);
    let ended = project.tripline(&["baseline", "update"]).with(0);
    assert!(ended.err.contains("is no longer accepted"), "{}", ended.err);
}
