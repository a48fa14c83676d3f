//! The upload to Bencher: only with a key, and only by the program whose hash is committed.

use super::*;

/// Copies the action, with a program of ours in the place of Bencher's.
fn with_program(job: &Job, sum: &str) {
    job.copy(".github/actions/bencher/upload.sh");
    job.copy(".github/actions/setup/fetch.sh");
    let program = job.program("bencher", r#"echo "$*" >"$RUNNER_TEMP/called""#);
    let line = format!("1.2.3 {} {sum} file://{}\n", target(), program.display());
    job.write(
        ".github/actions/bencher/releases.txt",
        &format!("# a table\n{line}"),
    );
}

fn upload(job: &Job, key: &str) -> Ended {
    let home = job.at("checkout/.github/actions/bencher");
    let mut script = job.script(&home, "upload.sh");
    script
        .env("TRIPLINE_BENCHER_HOME", home)
        .env("TRIPLINE_BENCHER_FILE", "bmf.json")
        .env("BENCHER_PROJECT", "acme-demo")
        .env("BENCHER_API_KEY", key);
    job.run(script)
}

#[test]
fn with_a_key_the_program_of_that_hash_is_run() {
    let job = Job::new();
    let program = job.program("bencher", r#"echo "$*" >"$RUNNER_TEMP/called""#);
    with_program(&job, &sum(&program));
    upload(&job, "bencher_run_0").with(0);
    assert_eq!(
        job.said("called"),
        "run --adapter json --hash 0123456789abcdef0123456789abcdef01234567 --file bmf.json\n"
    );
}

#[test]
fn without_a_key_or_with_another_program_nothing_is_run() {
    let job = Job::new();
    with_program(&job, &"0".repeat(64));
    let ended = upload(&job, "").with(2);
    insta::assert_snapshot!(ended.err, @r"
    tripline bencher: nothing was handed on: the project `acme-demo` of Bencher is configured, and its key is not
    tripline bencher:   hint: make a key of the project in Bencher, and store it as the secret BENCHER_API_KEY of this repository or of its environment `bencher`
    ");
    let ended = upload(&job, "bencher_run_0").with(4);
    assert!(ended.err.contains("has another hash"), "{}", ended.err);
    std::fs::remove_file(job.at("programs/bencher")).unwrap();
    upload(&job, "bencher_run_0").with(4);
    assert_eq!(job.said("called"), "");
}

#[test]
fn one_version_is_pinned_for_each_machine_that_runs_this() {
    let table = std::fs::read_to_string(action("bencher").join("releases.txt")).unwrap();
    let mut versions = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [version, target, sum, address] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        assert!(target.ends_with("-unknown-linux-gnu"), "{line}");
        assert!(
            sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{line}"
        );
        let from = format!("https://github.com/bencherdev/bencher/releases/download/v{version}/");
        assert!(address.starts_with(&from), "{line}");
        versions.push(version);
    }
    assert_eq!(versions.len(), 2);
    versions.dedup();
    assert_eq!(versions.len(), 1, "{versions:?}");
}
