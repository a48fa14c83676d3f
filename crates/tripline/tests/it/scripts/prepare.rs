//! The project's own script, which makes a machine ready to measure.

use super::*;

fn prepare(job: &Job, named: &str) -> Ended {
    let mut script = job.script(&action("measure"), "prepare.sh");
    script.env("TRIPLINE_PREPARE", named);
    job.run(script)
}

#[test]
fn what_is_committed_is_run_and_nothing_else() {
    let job = Job::new();
    assert_eq!(prepare(&job, "").with(0).err, "");
    job.write(
        ".github/tripline-prepare.sh",
        "echo usual >\"$RUNNER_TEMP/ran\"\n",
    );
    job.write("a b/$(touch x).sh", "echo own >\"$RUNNER_TEMP/ran\"\n");
    let ended = prepare(&job, "").with(2);
    insta::assert_snapshot!(ended.err, @r"
    tripline prepare: nothing was measured: `.github/tripline-prepare.sh` is no file that is committed in this repository
    tripline prepare:   hint: the input `prepare` is the path of a script, from the top folder; commit it, or leave the input away
    ");
    assert_eq!(job.said("ran"), "");
    job.commit();
    prepare(&job, "").with(0);
    assert_eq!(job.said("ran"), "usual\n");
    prepare(&job, "a b/$(touch x).sh").with(0);
    assert_eq!(job.said("ran"), "own\n");
    for wrong in [
        "no.sh",
        "a b",
        "*",
        ":(glob)**/*.sh",
        "../temp/ran",
        "-x",
        "echo hello",
    ] {
        prepare(&job, wrong).with(2);
    }
    let outside = job.at("checkout/.github/tripline-prepare.sh");
    prepare(&job, &outside.display().to_string()).with(2);
    assert!(!job.at("checkout/x").exists());
}

#[test]
fn a_script_that_fails_ends_the_step_as_it_ended() {
    let job = Job::new();
    job.write(".github/tripline-prepare.sh", "exit 7\n");
    job.commit();
    prepare(&job, "").with(7);
}
