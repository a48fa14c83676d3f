//! Several environments keep a baseline each, and share what was accepted: whose acceptance it is decides who ends it.

use super::{ACCEPTED, accept, kept, kept_run, measured};
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

/// No update there would end it, so that nobody could do what is asked; but a change of as much would pass.
#[test]
fn an_idle_acceptance_stops_another_environment_only_where_its_own_keeps_no_baseline() {
    let project = kept();
    measured(&project, 1_100_000, 2_000_000);
    accept(&project, &["get", "--because", "it does more"]).with(0);
    let here = kept_run(&project).environment.name;
    let other = project.read("target/tripline/kv/run.jsonl");
    let other = other.replace(&format!("\"name\":\"{here}\""), "\"name\":\"another\"");
    let other = other.replace("[1100000", "[900000");
    project.write("other.jsonl", &other);
    let update = || project.tripline(&["baseline", "update", "--head", "other.jsonl"]);
    update().with(0);
    project.write("tripline.toml", "[outcomes]\nstale = \"fail\"\n");
    let judged = || project.tripline(&["judge", "--head", "other.jsonl"]);
    let ended = judged().with(0);
    let said = "a regression was accepted at 1,100,000";
    assert!(ended.out.contains(said), "{}", ended.out);
    std::fs::remove_file(project.at(&format!("baselines/kv/{here}.jsonl"))).unwrap();
    judged().with(10);
    let ended = update().with(0).err;
    assert!(ended.contains("is no longer accepted"), "{ended}");
    judged().with(0);
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

#[test]
fn another_name_for_the_environment_loosens_nothing() {
    let project = kept();
    let here = kept_run(&project).environment.name;
    let other = "baselines/kv/a-laptop.jsonl";
    let update = |get: u64, code: i32| {
        measured(&project, get, 2_000_000);
        let run = project.read("target/tripline/kv/run.jsonl");
        let name = format!("\"name\":\"{here}\"");
        project.write("head.jsonl", &run.replace(&name, "\"name\":\"a-laptop\""));
        let args = ["baseline", "update", "--head", "head.jsonl"];
        project.tripline(&args).with(code).err
    };
    let err = update(1_100_000, 10);
    for said in [
        "the baseline of `kv` stays: 1 metric got worse",
        "get instructions: 1000000 became 1100000",
    ] {
        assert!(err.contains(said), "`{said}` is not in\n{err}");
    }
    assert!(!project.at(other).exists());
    let there = format!("baselines/kv/{here}.jsonl");
    let before = project.read(&there);
    let err = update(900_000, 0);
    let said = format!(
        "note: it is the first baseline of `kv` in environment `a-laptop`; it was held against that of `{here}`"
    );
    assert!(
        err.contains(&said) && !err.contains("keeps its line"),
        "{err}"
    );
    let first = project.read(other);
    assert!(first.contains("[900000"), "{first}");
    assert_eq!(project.read(&there), before);
    let err = update(890_000, 0);
    assert!(!err.contains("it is the first baseline"), "{err}");
}
