//! What counting benches need: the version stands in a lock file, wherever that is.

use super::*;

const BUILDS: &str = r#"echo "$*" >>"$RUNNER_TEMP/built""#;

/// A lock file with one package.
fn lock(name: &str, version: &str) -> String {
    format!("version = 4\n\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n")
}

/// A job with valgrind, and a cargo that writes down what it is to build.
fn job() -> Job {
    let job = Job::new();
    job.program("cargo", BUILDS);
    job.program("valgrind", "true");
    job.program("sudo", BUILDS);
    for runner in ["iai-callgrind-runner", "gungraun-runner"] {
        job.program(runner, "exit 1");
    }
    job
}

fn counters(job: &Job) -> Ended {
    job.run(job.script(&action("setup"), "counters.sh"))
}

#[test]
fn a_project_that_counts_nothing_gets_nothing() {
    let job = job();
    assert_eq!(counters(&job).with(0).err, "");
    job.write("Cargo.lock", &lock("serde", "1.0.0"));
    job.commit();
    assert_eq!(counters(&job).with(0).err, "");
    assert_eq!(job.said("built"), "");
}

#[test]
fn the_lock_file_of_a_suite_that_works_in_another_folder_is_found() {
    let job = job();
    job.write("Cargo.lock", &lock("serde", "1.0.0"));
    job.write("engines/a b/Cargo.lock", &lock("iai-callgrind", "0.16.1"));
    job.write("other/Cargo.lock", &lock("gungraun", "0.17.0"));
    job.commit();
    // What git does not track was built here, or belongs to somebody else.
    job.write("target/package/Cargo.lock", &lock("iai-callgrind", "0.1.0"));
    counters(&job).with(0);
    assert_eq!(
        job.said("built"),
        "install --locked --quiet --version =0.16.1 iai-callgrind-runner\n\
         install --locked --quiet --version =0.17.0 gungraun-runner\n"
    );
    // What is there already is not built again.
    job.program("iai-callgrind-runner", "echo iai-callgrind-runner 0.16.1");
    job.program("gungraun-runner", "echo gungraun-runner 0.17.0");
    std::fs::remove_file(job.at("temp/built")).unwrap();
    counters(&job).with(0);
    assert_eq!(job.said("built"), "");
}

#[test]
fn of_two_versions_the_one_nearer_to_the_top_is_installed_and_the_other_named() {
    let job = job();
    job.write("a/b/Cargo.lock", &lock("iai-callgrind", "0.14.0"));
    job.write("z/Cargo.lock", &lock("iai-callgrind", "0.16.1"));
    job.commit();
    let ended = counters(&job).with(0);
    assert_eq!(
        job.said("built"),
        "install --locked --quiet --version =0.16.1 iai-callgrind-runner\n"
    );
    insta::assert_snapshot!(ended.err, @r"
    tripline setup: iai-callgrind 0.14.0 stands in a/b/Cargo.lock, and only one runner can be installed: its benches will fail
    tripline setup:   hint: lock iai-callgrind 0.16.1 there as well
    tripline setup: building iai-callgrind-runner 0.16.1
    ");
}
