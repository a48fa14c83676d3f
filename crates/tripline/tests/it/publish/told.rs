//! What a pull request is told: which report it was, and how to answer it.

use std::io::{Cursor, Write as _};

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, ZipArchive};

use super::stage::{FORK, HOME, Stage};

const BEGAN: &str = "2026-01-01T00:00:00Z";
const LATER: &str = "2026-01-01T09:00:00Z";
/// A job that comes after the report and takes nothing from it.
const REHEARSAL: &str = "rehearse what main publishes";

#[test]
fn a_regression_says_how_it_is_accepted_from_where_it_is_read() {
    let stage = Stage::new();
    let number = stage.uploaded(41, HOME, &stage.report);
    let before = stage.requests();
    stage.told(HOME, (41, 1), "failure").with(0);
    assert!(stage.requests() - before <= 6, "{:#?}", stage.fake.seen());
    let told = &stage.said(7)[0].body;
    let command = format!("`/tripline accept <benchmark> --report {number} because <why>`");
    assert!(told.contains(&command), "{told}");

    // Nobody may commit to a stranger's branch.
    stage.uploaded(42, FORK, &stage.report);
    stage.told(FORK, (42, 1), "failure").with(0);
    let told = &stage.said(8)[0].body;
    assert!(told.contains("`tripline baseline accept"), "{told}");
    assert!(!told.contains("/tripline accept"), "{told}");
}

#[test]
fn the_check_marks_the_line_of_the_suite_that_holds_what_regressed() {
    let stage = Stage::new();
    stage.uploaded(41, HOME, &stage.report);
    stage.told(HOME, (41, 1), "failure").with(0);
    let world = stage.fake.world();
    let [annotation] = &world.check_runs[0].annotations[..] else {
        panic!("{:#?}", world.check_runs[0].annotations);
    };
    assert_eq!(annotation["path"], "bench/kv/suite.toml");
    assert_eq!(annotation["start_line"], 2);
    assert_eq!(annotation["title"], "kv/get regressed");
}

#[test]
fn a_suite_that_the_default_branch_does_not_have_is_marked_nowhere() {
    let stage = Stage::new();
    std::fs::remove_file(stage.project.at("bench/kv/suite.toml")).unwrap();
    stage.uploaded(41, HOME, &stage.report);
    stage.told(HOME, (41, 1), "failure").with(0);
    assert_eq!(stage.fake.world().check_runs[0].annotations, [""; 0]);
}

#[test]
fn a_hundred_and_twenty_regressions_are_marked_by_three_requests() {
    let stage = Stage::new();
    let names: Vec<String> = (0..120).map(|index| format!("get{index}")).collect();
    let all = |count| -> Vec<(&str, u64)> {
        let benches = names.iter().map(|name| (name.as_str(), count));
        benches.collect()
    };
    stage.project.measures(&all(1_000_000));
    stage
        .project
        .tripline(&["measure", "--out", "target/base.jsonl"])
        .with(0);
    stage.project.measures(&all(1_500_000));
    stage
        .project
        .tripline(&["measure", "--out", "target/head.jsonl"])
        .with(0);
    let report = "target/many.jsonl";
    let judged = [
        "judge",
        "--base",
        "target/base.jsonl",
        "--head",
        "target/head.jsonl",
        "--out",
        report,
    ];
    stage.project.tripline(&judged).with(10);
    let report = std::fs::read(stage.project.at(report)).unwrap();
    stage.uploaded(41, HOME, &report);
    stage.told(HOME, (41, 1), "failure").with(0);
    assert_eq!(stage.fake.world().check_runs[0].annotations.len(), 120);
    let seen = stage.fake.seen();
    let checks = seen.iter().filter(|it| it.path.contains("/check-runs"));
    let methods: Vec<String> = checks.map(|it| it.method.to_string()).collect();
    assert_eq!(methods, ["POST", "PATCH", "PATCH"]);
}

#[test]
fn where_no_workflow_answers_comments_none_is_asked_for() {
    let stage = Stage::new();
    let answerer = stage.project.at(".github/workflows/baseline.yml");
    std::fs::remove_file(answerer).unwrap();
    stage.uploaded(41, HOME, &stage.report);
    stage.told(HOME, (41, 1), "failure").with(0);
    let told = &stage.said(7)[0].body;
    assert!(told.contains("`tripline baseline accept"), "{told}");
}

/// Fails the test unless the pull request is told by one comment, which says that nothing was judged.
#[track_caller]
fn assert_nothing_was_judged(stage: &Stage) {
    let told = stage.said(7);
    assert_eq!(told.len(), 1);
    let body = &told[0].body;
    assert!(body.starts_with("**Nothing was judged"), "{body}");
    assert!(!body.contains("regressed"), "{body}");
}

#[test]
fn an_attempt_that_died_is_not_told_with_the_report_of_the_one_before() {
    let stage = Stage::new();
    stage.uploaded(41, HOME, &stage.report);
    stage.told(HOME, (41, 1), "failure").with(0);
    assert!(stage.said(7)[0].body.contains("1 regressed"));

    // It ran again and left nothing, or did not come to run.
    for (attempt, how) in [(2, "failure"), (3, "skipped")] {
        stage.tried((41, attempt), &[("bench / judge", how, LATER)]);
        stage.told(HOME, (41, attempt), "failure").with(0);
        assert_nothing_was_judged(&stage);
    }
    // Nor is it there again because another job was run again.
    stage.tried((41, 4), &[(REHEARSAL, "success", LATER)]);
    stage.told(HOME, (41, 4), "success").with(0);
    assert_nothing_was_judged(&stage);
}

#[test]
fn a_report_stands_where_only_other_jobs_were_run_again() {
    let stage = Stage::new();
    stage.uploaded(41, HOME, &stage.report);
    stage.told(HOME, (41, 1), "failure").with(0);
    // GitHub may list what did not run again, or leave it out.
    let again = (REHEARSAL, "failure", LATER);
    stage.tried((41, 2), &[again]);
    stage.tried((41, 3), &[("bench / judge", "failure", BEGAN), again]);
    for attempt in [2, 3] {
        stage.told(HOME, (41, attempt), "failure").with(0);
        let told = stage.said(7);
        assert_eq!(told.len(), 1);
        assert!(told[0].body.contains("1 regressed"), "{}", told[0].body);
    }
    let page = "https://github.com/acme/demo/actions/runs/41";
    assert!(stage.said(7)[0].body.contains(page), "of the run it is of");
}

type Packer = ZipWriter<Cursor<Vec<u8>>>;

/// Packs what somebody would rather have unpacked elsewhere.
fn packed(
    pack: impl FnOnce(&mut Packer, SimpleFileOptions) -> zip::result::ZipResult<()>,
) -> Vec<u8> {
    let mut packer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    pack(&mut packer, options).unwrap();
    packer.finish().unwrap().into_inner()
}

#[test]
fn what_a_stranger_uploads_is_one_small_file_or_is_refused_before_the_first_write() {
    let stage = Stage::new();
    let file = |name: &'static str, bytes: Vec<u8>| {
        packed(|packer, options| {
            packer.start_file(name, options)?;
            Ok(packer.write_all(&bytes)?)
        })
    };
    let report = stage.report.clone();
    let link = packed(|packer, options| packer.add_symlink("report.jsonl", "/etc/passwd", options));
    ZipArchive::new(Cursor::new(&link)).expect("it is a sound zip file");
    let cases = [
        (link, "what is in it is no regular file"),
        (
            packed(|packer, options| packer.add_directory("report.jsonl", options)),
            "what is in it is no regular file",
        ),
        (
            packed(|packer, options| {
                packer.add_symlink("elsewhere", "/tmp", options)?;
                packer.start_file("elsewhere/report.jsonl", options)?;
                Ok(packer.write_all(&report)?)
            }),
            "there are 2 entries in it instead of one",
        ),
        (
            file("a/b/report.jsonl", report.clone()),
            "the file in it is called `a/b/report.jsonl` instead of `report.jsonl`",
        ),
        (
            file("a/../../report.jsonl", report.clone()),
            "which leads out of its folder",
        ),
        (
            file("report.jsonl", vec![b' '; 16 << 20]),
            "it is larger than 16777216 bytes",
        ),
        (
            file("report.jsonl", report.repeat(201)),
            "201 reports with 402 findings are too many",
        ),
    ];
    for (run, (zip, why)) in (50..).zip(cases) {
        stage.uploaded_zip(run, FORK, zip);
        let ended = stage.told(FORK, (run, 1), "success").with(4);
        assert!(ended.err.contains(why), "`{why}` is not in\n{}", ended.err);
        assert_eq!(stage.writes(), 0, "{why}");
    }
}
