//! Pull requests: measured by code of theirs that may write nothing, told by code of ours.

use fake_github::PullState;

use super::demo::Demo;
use super::scene::{FORK, HOME, Scene};

/// Commits counts to a branch, pushes it, and stands on its merge.
fn pushed(scene: &Scene, (number, repository, branch): (u64, &str, &str), (get, set): (u64, u64)) {
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    demo.switch(branch);
    demo.counts(get, set);
    demo.commit("tune get");
    let head = demo.merge(branch);
    let base = demo.git(&["rev-parse", "main"]);
    scene.pull(number, repository, branch, &head, &base);
}

#[test]
fn one_comment_follows_a_pull_request_from_red_to_green() {
    let mut scene = Scene::new();
    let tune = (7, HOME, "tune");

    pushed(&scene, tune, (1500, 2000));
    let (run, measured) = scene.measured(7);
    // act plays nothing after a workflow that failed; GitHub would still rehearse.
    measured.job("judge", "failure").said("exit status 10");
    measured.said("::error file=bench/kv/suite.toml,line=1,title=kv/kv/get regressed::");
    scene.assert_nothing_was_written();
    let before = scene.requests();
    scene.published(7, run).job("publish", "success");
    assert!(scene.requests() - before <= 6, "{:#?}", scene.fake.seen());
    let (red, verdict) = scene.only_comment(7);
    assert!(
        verdict.contains("FAIL") && verdict.contains("1 regressed"),
        "{verdict}"
    );
    assert!(
        scene.comments(7)[0].body.contains("kv/get"),
        "{:#?}",
        scene.comments(7)
    );

    // The second push mends it: the same comment says so.
    pushed(&scene, tune, (1000, 2000));
    let (run, measured) = scene.measured(7);
    measured.job("judge", "success").job("rehearse", "success");
    scene.published(7, run).job("publish", "success");
    let (green, verdict) = scene.only_comment(7);
    assert_eq!(red, green);
    assert!(verdict.contains("PASS"), "{verdict}");

    // Closed in between: what comes late is not told.
    pushed(&scene, tune, (1700, 2000));
    let (run, _) = scene.measured(7);
    scene.set_state(7, PullState::Closed);
    scene.published(7, run).job("publish", "success");
    assert_eq!(scene.only_comment(7), (green, verdict));

    let checks = scene.fake.world().check_runs.clone();
    let conclusions: Vec<_> = checks
        .iter()
        .filter_map(|check| check.conclusion.as_deref())
        .collect();
    assert_eq!(conclusions, ["failure", "success"]);
    let places = checks[0].annotations.iter().map(|it| &it["path"]);
    assert_eq!(places.collect::<Vec<_>>(), ["bench/kv/suite.toml"]);
    scene.assert_contract();
}

#[test]
fn a_fork_is_told_like_anybody() {
    let mut scene = Scene::new();
    pushed(&scene, (8, FORK, "tune"), (1000, 2400));
    let (run, measured) = scene.measured(8);
    // There was no token, and GitHub was not even asked.
    measured.job("judge", "failure").said("exit status 10");
    assert_eq!(scene.requests(), 0, "{:#?}", scene.fake.seen());
    scene.assert_nothing_was_written();
    scene.published(8, run).job("publish", "success");
    let (_, verdict) = scene.only_comment(8);
    assert!(verdict.contains("FAIL"), "{verdict}");
    scene.assert_contract();
}

#[test]
fn a_head_that_moved_on_is_not_told() {
    let mut scene = Scene::new();
    let tune = (7, HOME, "tune");
    pushed(&scene, tune, (1500, 2000));
    let (run, _) = scene.measured(7);
    let old = scene.fake.world().pull(7).unwrap().head.clone();
    let report = scene.at(&format!("store/{run}/tripline-report/report.jsonl"));
    let zip = super::scene::zipped(&[("report.jsonl", &std::fs::read(report).unwrap())]);
    pushed(&scene, tune, (1000, 2000));
    scene
        .published_with(run, &old, zip)
        .job("publish", "success");
    scene.assert_nothing_was_written();
}

#[test]
fn a_run_that_left_no_report_is_told_as_an_outage() {
    let mut scene = Scene::new();
    pushed(&scene, (7, HOME, "tune"), (1500, 2000));
    let head = scene.fake.world().pull(7).unwrap().head.clone();
    scene
        .published_of(900, &head, "failure", None)
        .job("publish", "success");
    let (_, verdict) = scene.only_comment(7);
    assert!(verdict.contains("Nothing was judged"), "{verdict}");
    let check = scene.fake.world().check_runs[0].clone();
    assert_eq!(check.conclusion.as_deref(), Some("failure"));
    scene.assert_contract();
}
