//! Flame graphs of real profiles: a program under callgrind, before and after it got slower.

use std::process::Command;

use crate::project::Project;

/// Runs a program under callgrind.
fn profiled(project: &Project, words: u32, file: &str) {
    let mut valgrind = Command::new("valgrind");
    valgrind.args([
        "--quiet",
        "--tool=callgrind",
        &format!("--callgrind-out-file={file}"),
    ]);
    let script = format!("i=0; while [ $i -lt {words} ]; do i=$((i+1)); done");
    let status = valgrind
        .args(["sh", "-c", &script])
        .current_dir(project.path())
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn a_profile_becomes_a_picture_and_two_a_difference() {
    let project = Project::new();
    profiled(&project, 10, "base.out");
    profiled(&project, 2000, "head.out");
    let alone = project.tripline(&["explain", "head.out"]).with(0).out;
    assert!(
        alone.starts_with("<svg ") && alone.contains(" instructions, "),
        "{alone}"
    );
    project
        .tripline(&[
            "explain",
            "head.out",
            "--base",
            "base.out",
            "--out",
            "flame.svg",
        ])
        .with(0);
    let beside = project.read("flame.svg");
    assert!(
        beside.contains("class=\"m5\"") && beside.contains("in the base"),
        "{beside}"
    );
    // In the middle, after a whole line: half a line may be wrong in itself, and that would be said first.
    let whole = project.read("head.out");
    let half = whole[..whole.len() / 2].rfind('\n').unwrap();
    project.write("cut.out", &whole[..=half]);
    let ended = project
        .tripline(&["explain", "cut.out", "--out", "flame.svg"])
        .with(4);
    assert!(
        ended.err.contains("its totals are missing"),
        "{}",
        ended.err
    );
    assert_eq!(project.read("flame.svg"), beside);
}

#[test]
fn profiles_of_two_kinds_are_not_compared() {
    let project = Project::new();
    project.write("a.txt", "sh 1 1.5: 1 cpu-clock:\n\t55 main (/bin/sh)\n\n");
    project.write("b.out", "events: Ir\nfn=main\n1 5\ntotals: 5\n");
    let ended = project
        .tripline(&["explain", "a.txt", "--base", "b.out"])
        .with(4);
    assert!(
        ended
            .err
            .contains("the base counts instructions and the head samples"),
        "{}",
        ended.err
    );
}
