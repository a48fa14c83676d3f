//! Keeping, comparing, listing and verifying baselines.

use crate::project::{Project, run_file};

/// Returns the place of the only baseline.
fn kept(project: &Project) -> String {
    let entry = std::fs::read_dir(project.at("baselines/kv"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    format!("baselines/kv/{}", entry.file_name().to_string_lossy())
}

#[test]
fn without_a_baseline_it_is_a_first_run_and_passes_with_the_caveat() {
    let shown = Project::with_suite().tripline(&["check"]).with(0).out;
    assert!(shown.contains("first run"), "{shown}");
    assert!(shown.contains("tripline baseline update"), "{shown}");
}

#[test]
fn an_update_changes_one_line_per_changed_benchmark() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let before = project.read(&kept(&project));
    project.tripline(&["measure"]).with(0);
    let said = project.tripline(&["baseline", "update"]).with(0).out;
    assert!(said.contains("nothing changed"), "{said}");
    assert_eq!(project.read(&kept(&project)), before);

    project.measures(&[("get", 500_000), ("set", 2_000_100)]);
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "diff"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let after = project.read(&kept(&project));
    let changed: Vec<&str> = before
        .lines()
        .zip(after.lines())
        .skip(1)
        .filter(|(a, b)| a != b)
        .map(|(_, b)| b)
        .collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].contains("\"get\"") && changed[0].contains("500000"));
    project.tripline(&["baseline", "diff"]).with(0);
}

#[test]
fn an_update_on_another_machine_leaves_no_time_of_the_first() {
    let measures = |project: &Project, get: u64, time: f64, count: u64| {
        let timed = run_file(&[("get", get)]).replace(
            "{\"end\":{}}",
            &format!(
                r#"{{"measured":{{"benchmark":"wait","readings":{{"instructions":{{"values":[{count}]}},"wall_time":{{"values":[{time:?},{time:?}]}}}}}}}}
{{"end":{{}}}}"#
            ),
        );
        let metric = r#""wall_time":{"unit":"ns","better":"lower","nature":"sampled"}"#;
        let timed = timed.replace("\"metrics\":{", &format!("\"metrics\":{{{metric},"));
        project.write("bench/kv/head.jsonl", &timed);
        project.tripline(&["measure"]).with(0);
    };
    let project = Project::with_suite();
    measures(&project, 1_000_000, 100.0, 2_000_000);
    project.tripline(&["baseline", "update"]).with(0);
    measures(&project, 900_000, 100.5, 2_000_000);
    project.tripline(&["baseline", "update"]).with(0);
    let here = project.read(&kept(&project));
    assert!(
        here.contains("[900000") && here.contains("[100,100]"),
        "of the same machine, a time that did not change stays: {here}"
    );

    let elsewhere = here.replace("\"cpu_model\":\"", "\"cpu_model\":\"another ");
    assert_ne!(elsewhere, here);
    project.write(&kept(&project), &elsewhere);
    measures(&project, 800_000, 100.5, 2_001_500);
    project.tripline(&["baseline", "update"]).with(0);
    let now = project.read(&kept(&project));
    assert!(
        now.contains("[800000") && now.contains("[100.5,100.5]"),
        "the facts are this machine's, and so must the times be: {now}"
    );
    assert!(
        now.contains("[2000000") && !now.contains("[2001500"),
        "a count may be told on either, and loosens nothing: {now}"
    );
}

#[test]
fn a_renamed_benchmark_is_removed_and_added() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project.measures(&[("fetch", 1_000_000), ("set", 2_000_000)]);
    let shown = project.tripline(&["check"]).with(0).out;
    assert!(
        shown.contains("1 removed") && shown.contains("1 added"),
        "{shown}"
    );
}

#[test]
fn a_broken_run_is_not_kept() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let before = project.read(&kept(&project));
    project.write("bench/kv/head.jsonl", "garbage");
    project.tripline(&["measure"]).with(11);
    project.tripline(&["baseline", "update"]).with(11);
    assert_eq!(project.read(&kept(&project)), before);
}

#[test]
fn an_unreadable_baseline_stops_the_check_before_anything_is_measured() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let place = kept(&project);
    let whole = project.read(&place);
    std::fs::remove_dir_all(project.at("target")).unwrap();
    for (broken, said) in [
        (whole[..whole.len() - 12].to_owned(), "without its end mark"),
        (whole.replace("\"version\":1", "\"version\":2"), "version 2"),
        (whole.replace("[1000000]", "[-1]"), "below zero"),
        (whole.replace("\"set\"", "\"get\""), "stands twice"),
        (String::new(), "line 1 column"),
        ("<<<<<<< HEAD\n".to_owned() + &whole, "line 1 column 1"),
    ] {
        project.write(&place, &broken);
        for verb in [
            &["check"][..],
            &["baseline", "check"],
            &["baseline", "list"],
        ] {
            let ended = project.tripline(verb).with(4);
            assert!(
                ended.err.contains(said),
                "`{said}` is not in\n{}",
                ended.err
            );
            assert!(ended.err.contains(&place), "{}", ended.err);
        }
        assert_eq!(project.read(&place), broken, "the file was touched");
    }
    assert!(
        !project.at("target/tripline/kv/run.jsonl").exists(),
        "something was measured"
    );
}

#[test]
fn a_baseline_in_the_wrong_place_or_edited_by_hand_is_found() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project.tripline(&["baseline", "check"]).with(0);
    let (place, whole) = (kept(&project), project.read(&kept(&project)));
    project.write(&place, &whole.replace("1000000", "1000000.0"));
    let ended = project.tripline(&["baseline", "check"]).with(4);
    assert!(
        ended.err.contains("no baseline as tripline writes it"),
        "{}",
        ended.err
    );
    project.write(&place, &whole);
    std::fs::rename(
        project.at(&place),
        project.at("baselines/kv/elsewhere.jsonl"),
    )
    .unwrap();
    let ended = project.tripline(&["baseline", "check"]).with(4);
    assert!(ended.err.contains("it holds environment"), "{}", ended.err);
}

#[test]
fn another_environment_is_named_and_fails_nothing() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let place = kept(&project);
    let elsewhere = project
        .read(&place)
        .replace("\"rustc\":\"rustc ", "\"rustc\":\"rustc 0.9, not ");
    project.write(&place, &elsewhere);
    project.measures(&[("get", 5_000_000), ("set", 2_000_000)]);
    let shown = project.tripline(&["check"]).with(0).out;
    assert!(
        shown.contains("inconclusive") && shown.contains("rustc was `rustc 0.9"),
        "{shown}"
    );
}

#[test]
fn a_suite_that_vanished_is_not_passed_over() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project.write(
        "bench/other/suite.toml",
        &project.read("bench/kv/suite.toml"),
    );
    std::fs::rename(
        project.at("bench/kv/suite.toml"),
        project.at("bench/kv/suites.toml"),
    )
    .unwrap();
    let ended = project.tripline(&["check"]).with(4);
    assert!(
        ended.err.contains("`suites.toml` is there"),
        "{}",
        ended.err
    );
    std::fs::remove_dir_all(project.at("bench/kv")).unwrap();
    for verb in [&["check"][..], &["plan"], &["baseline", "check"]] {
        let ended = project.tripline(verb).with(4);
        assert!(
            ended.err.contains("`kv` has baselines, and no suite"),
            "{}",
            ended.err
        );
    }
}

#[test]
fn a_baseline_that_is_a_link_to_nowhere_is_not_taken_for_missing() {
    let project = Project::with_suite();
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let place = project.at(&kept(&project));
    for target in [place.file_name().unwrap(), std::ffi::OsStr::new("nowhere")] {
        std::fs::remove_file(&place).unwrap();
        std::os::unix::fs::symlink(target, &place).unwrap();
        let ended = project.tripline(&["baseline", "update"]).with(4);
        assert!(ended.err.contains("was not read"), "{}", ended.err);
        assert!(place.is_symlink(), "the link was replaced");
    }
}

#[test]
fn a_run_from_a_file_can_be_compared_and_kept() {
    let project = Project::with_suite();
    project
        .tripline(&["measure", "--out", "artifact.jsonl"])
        .with(0);
    project.tripline(&["baseline", "update"]).with(3);
    let said = project
        .tripline(&["baseline", "update", "--head", "artifact.jsonl"])
        .with(0)
        .out;
    assert!(
        said.contains("2 benchmarks kept, from artifact.jsonl"),
        "{said}"
    );
    project
        .tripline(&["baseline", "diff", "--head", "artifact.jsonl"])
        .with(0);
}
