//! What a stranger may leave for the publisher: data that lies, swells, or wants to be something else.

use fake_github::Side;

use super::demo::Demo;
use super::scene::{FORK, HOME, Scene, zipped};

/// Two pull requests are open: one of the project's own, and one of a stranger, whose branch is named as ours is.
fn scene() -> (Scene, Side) {
    let scene = Scene::new();
    let root = scene.at("demo");
    let main = Demo::at(&root).head();
    let (ours, theirs) = ("a".repeat(40), "b".repeat(40));
    scene.pull(7, HOME, "tune", &ours, &main);
    scene.pull(8, FORK, "main", &theirs, &main);
    (scene, Side::new(FORK, "main", &theirs))
}

/// A report of somebody else's making: a benchmark, its params, and the value it was.
fn report(bench: &str, params: &str, value: &str) -> String {
    let side =
        r#"{"measured_at":"2026-01-02T03:04:05Z","environment":{"name":"elsewhere","facts":{}}}"#;
    let about = r#"{"unit":"count","better":"lower","nature":"exact"}"#;
    let center = |value: &str| format!(r#"{{"center":{value},"low":1,"high":2,"count":1}}"#);
    let (base, head) = (center(value), center("2"));
    let evidence = format!(
        r#"{{"method":"exact","base":{base},"head":{head},"change":{{"ratio":2,"low":2,"high":2}},"tolerance":{{"relative":0.01,"floor":0}}}}"#
    );
    let finding = format!(
        r#"{{"benchmark":{bench},"params":{params},"metric":"instructions","about":{about},"verdict":"regressed","gate":"fail","evidence":{evidence}}}"#
    );
    let counts = r#"{"regressed":1}"#;
    format!(
        r#"{{"tripline_report":{{"version":1}},"suite":"kv","gate":"fail","counts":{counts},"base":{side},"head":{side},"findings":[{finding}],"failures":[],"caveats":[]}}"#
    ) + "\n"
}

#[test]
fn bad_artifacts_are_refused_and_nothing_is_written() {
    let (mut scene, theirs) = scene();
    let many: String = (0..100_000).map(|i| format!("{{\"x{i}\":1}}\n")).collect();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        (
            "two files",
            zipped(&[("report.jsonl", b"{}"), ("more", b"x")]),
        ),
        ("a way out", zipped(&[("../report.jsonl", b"{}")])),
        ("an absolute path", zipped(&[("/report.jsonl", b"{}")])),
        ("another name", zipped(&[("report.md", b"# hello")])),
        (
            "no schema",
            zipped(&[("report.jsonl", b"{\"verdict\":\"pass\"}\n")]),
        ),
        (
            "no number",
            zipped(&[("report.jsonl", report("\"get\"", "{}", "NaN").as_bytes())]),
        ),
        ("many lines", zipped(&[("report.jsonl", many.as_bytes())])),
        (
            "a bomb",
            zipped(&[("report.jsonl", &vec![b' '; 200 << 20])]),
        ),
        ("no zip", b"PK\x03\x04 is how one begins".to_vec()),
        ("nothing", Vec::new()),
    ];
    for (index, (what, zip)) in cases.into_iter().enumerate() {
        let played = scene.published_with(900 + index as u64, &theirs, zip);
        assert_eq!(played.jobs["publish"], "failure", "{what}\n{}", played.log);
        assert!(
            played.log.contains("exit status 4"),
            "{what}\n{}",
            played.log
        );
        scene.assert_nothing_was_written();
    }
    scene.assert_contract();
}

#[test]
fn markup_in_names_is_inert_and_the_number_comes_from_the_event() {
    let (mut scene, theirs) = scene();
    let params = r#"{"why":"@ada <img src=x> [a](http://b) | `#7` ::error::x"}"#;
    let zip = zipped(&[("report.jsonl", report("\"get\"", params, "1").as_bytes())]);
    let played = scene.published_with(900, &theirs, zip);
    // It is shown as code, and the other pull request hears nothing of it.
    played.job("publish", "success");
    assert!(scene.comments(7).is_empty());
    let body = &scene.comments(8)[0].body;
    let rows: Vec<&str> = body.lines().filter(|line| line.contains("@ada")).collect();
    assert!(!rows.is_empty(), "{body}");
    for row in rows {
        let name = row.find("@ada").unwrap();
        assert!(row[..name].contains('`'), "{row}");
    }
}

#[test]
fn a_branch_named_as_ours_is_still_theirs() {
    let (mut scene, theirs) = scene();
    let zip = zipped(&[("report.jsonl", report("\"get\"", "{}", "1").as_bytes())]);
    // It says it is ours; the pull request that it belongs to is found by who owns the branch.
    let ours = Side::new(HOME, "main", &theirs.sha);
    scene
        .published_with(900, &ours, zip.clone())
        .job("publish", "success");
    scene.assert_nothing_was_written();
    scene
        .published_with(901, &theirs, zip)
        .job("publish", "success");
    assert_eq!(scene.comments(8).len(), 1);
    assert!(scene.comments(7).is_empty());
    scene.assert_contract();
}
