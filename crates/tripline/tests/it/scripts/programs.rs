//! The tools that suites measure programs under: those that are named and are not there, and no others.

use std::os::unix::fs::symlink;

use super::*;

const BUILDS: &str = r#"echo "$(basename "$0") $*" >>"$RUNNER_TEMP/built""#;

/// A job on a machine that has none of the tools, whose sudo and cargo write down what they are to do.
fn job() -> Job {
    let job = Job::new();
    for name in ["sudo", "cargo"] {
        job.program(name, BUILDS);
    }
    let path = std::env::var_os("PATH").unwrap();
    for name in ["sh", "bash", "git", "basename"] {
        let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
        let place = places.find(|place| place.is_file()).expect(name);
        symlink(place, job.at("programs").join(name)).unwrap();
    }
    job
}

fn programs(job: &Job) -> String {
    let mut script = job.script(&action("setup"), "programs.sh");
    script.env("PATH", job.at("programs"));
    job.run(script).with(0);
    let said = job.said("built");
    let _ = std::fs::remove_file(job.at("temp/built"));
    said
}

fn suite(tools: &str) -> String {
    format!("about = \"x\"\n[[step]]\nname = \"scan\"\nharness = \"process\"\ntools = [{tools}]\n")
}

#[test]
fn who_names_no_tool_gets_none() {
    let job = job();
    assert_eq!(programs(&job), "");
    job.write("bench/scan/suite.toml", &suite(""));
    job.write("docs/suite.md", &suite("\"strace\""));
    job.commit();
    assert_eq!(programs(&job), "");
}

#[test]
fn what_suites_name_is_installed_once() {
    let job = job();
    job.write("bench/a b/suite.toml", &suite("\"hyperfine\", \"strace\""));
    job.write("bench/heap/suite.toml", &suite("\"massif\""));
    job.commit();
    assert_eq!(
        programs(&job),
        "sudo apt-get update -qq\n\
         sudo apt-get install -y -qq --no-install-recommends strace valgrind\n\
         cargo install --locked --quiet --version =1.20.0 hyperfine\n"
    );
    for name in ["strace", "valgrind"] {
        job.program(name, "true");
    }
    job.program("hyperfine", "echo hyperfine 1.15.0");
    assert_eq!(
        programs(&job),
        "cargo install --locked --quiet --version =1.20.0 hyperfine\n"
    );
    job.program("hyperfine", "echo hyperfine 1.20.0");
    assert_eq!(programs(&job), "");
}

#[test]
fn one_version_of_hyperfine_is_pinned() {
    let pin = |place: &str| {
        let text = std::fs::read_to_string(repository().join(place)).unwrap();
        let line = text.lines().find(|line| line.starts_with("HYPERFINE="));
        let line = line.expect(place).to_owned();
        line.split(' ').next().map(str::to_owned)
    };
    assert_eq!(pin("tools/setup"), pin(".github/actions/setup/programs.sh"));
}
