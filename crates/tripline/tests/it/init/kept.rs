//! What is there stays, and what is wrong is said before anything is written.

use super::*;

#[test]
fn a_second_run_changes_nothing() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    init(&repository, &[]).with(0);
    let before = files(&repository.at(""));
    let ended = init(&repository, &[]).with(0);
    assert_eq!(files(&repository.at("")), before);
    let left = ended
        .out
        .lines()
        .filter(|line| line.ends_with("which is as it would be written"));
    assert_eq!(left.count(), 1 + WORKFLOWS.len(), "{}", ended.out);
    assert!(!ended.out.contains("wrote"), "{}", ended.out);
}

#[test]
fn a_dry_run_shows_all_and_writes_nothing() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    let before = files(&repository.at(""));
    let ended = init(&repository, &["--dry-run"]).with(0);
    assert_eq!(files(&repository.at("")), before);
    for line in [
        "would  bench/kv/suite.toml\n",
        "       | harness = \"criterion\"\n",
        "       | name: bench-publish\n",
    ] {
        assert!(ended.out.contains(line), "{line}{}", ended.out);
    }
    init(&repository, &[]).with(0);
    for (name, text) in files(&repository.at(".github")) {
        for line in String::from_utf8(text).unwrap().lines() {
            assert!(
                ended.out.contains(&format!("       | {line}\n")),
                "{name}: {line}"
            );
        }
    }
}

#[test]
fn what_somebody_wrote_stays_and_the_difference_is_said() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "crates/kv/", "kv");
    let mine = "about = \"mine\"\nfolder = \"crates/kv\"\n[[step]]\nname = \"t\"\nharness = \"duet\"\nbench = \"times\"\n";
    repository.write("bench/my-own/suite.toml", mine);
    repository.write("bench/kv/notes.txt", "");
    let workflow =
        "# tripline, changed\nname: bench\non: workflow_dispatch\npermissions: {}\njobs: {}\n";
    repository.write(".github/workflows/bench.yml", workflow);
    let ended = init(&repository, &[]).with(0);
    for place in ["bench/my-own/suite.toml", ".github/workflows/bench.yml"] {
        let line =
            format!("left   {place}, which is there and differs from what would be written\n");
        assert!(ended.out.contains(&line), "{}", ended.out);
    }
    let files = files(&repository.at(""));
    assert_eq!(files["bench/my-own/suite.toml"], mine.as_bytes());
    assert_eq!(files[".github/workflows/bench.yml"], workflow.as_bytes());
    assert!(
        !files.contains_key("bench/kv/suite.toml"),
        "the package has two suites"
    );
    assert!(
        ended
            .out
            .contains("wrote  .github/workflows/bench-pr.yml\n"),
        "{}",
        ended.out
    );
}

#[test]
fn what_a_suite_runs_already_is_not_said_to_be_unused() {
    let repository = Repository::for_cargo();
    repository.write("Cargo.toml", &package("kv", &["own", "other"], ""));
    for file in ["src/lib.rs", "benches/own.rs", "benches/other.rs"] {
        repository.write(file, "fn main() {}\n");
    }
    let mine = "about = \"x\"\nfolder = \".\"\n[[step]]\nname = \"a\"\nharness = \"run-file\"\nbench = \"own\"\n";
    repository.write("bench/mine/suite.toml", mine);
    let ended = init(&repository, &[]).with(0);
    let unused: Vec<&str> = ended
        .out
        .lines()
        .filter(|line| line.starts_with("unused"))
        .collect();
    assert!(
        matches!(unused[..], [only] if only.contains("`other`")),
        "{unused:?}"
    );
}

#[test]
fn a_suite_of_that_name_about_something_else_stays_beside_the_new_one() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "crates/kv/", "kv");
    repository.with_suite();
    let before = files(&repository.at("bench"));
    init(&repository, &[]).with(0);
    let after = files(&repository.at("bench"));
    assert!(before.iter().all(|(name, text)| after[name] == *text));
    assert!(after.contains_key("kv-2/suite.toml"), "{:?}", after.keys());
    let again = init(&repository, &[]).with(0).out;
    assert!(
        again.contains("left   bench/kv-2/suite.toml, which is as it would be written\n"),
        "{again}"
    );
}

#[test]
fn a_workflow_of_somebody_elses_is_not_called() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    repository.write(
        ".github/workflows/bench.yml",
        "name: bench\non: push\njobs: {}\n",
    );
    let before = files(&repository.at(""));
    let ended = init(&repository, &[]).with(4);
    insta::assert_snapshot!(ended.err, @r"
    error: nothing was written: `.github/workflows/bench.yml` is there and is not Tripline's, whose workflows call each other by these names
      hint: rename `.github/workflows/bench.yml`
      hint: then run this again
    ");
    assert_eq!(files(&repository.at("")), before);
}

#[test]
fn a_suite_is_no_package_that_cargo_misses() {
    let repository = Repository::for_cargo();
    let workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\", \"bench/*\"]\n";
    repository.write("Cargo.toml", workspace);
    with_criterion(&repository, "crates/kv/", "kv");
    with_criterion(&repository, "bench/own/", "own");
    let before = files(&repository.at(""));
    let ended = init(&repository, &[]).with(4);
    insta::assert_snapshot!(ended.err, @r#"
    error: nothing was written: the workspace in `Cargo.toml` would take `bench/kv` for a package
      hint: add "bench/kv" to `exclude` of its `[workspace]`
      hint: then run this again
    "#);
    assert_eq!(files(&repository.at("")), before);
    repository.write(
        "Cargo.toml",
        &format!("{workspace}exclude = [\"bench/kv\"]\n"),
    );
    init(&repository, &[]).with(0);
    let mut cargo = scrubbed("cargo");
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let output = cargo.current_dir(repository.at("")).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // A package that lies where its suite would lie is measured there.
    let own = std::fs::read_to_string(repository.at("bench/own/suite.toml")).unwrap();
    assert!(!own.contains("folder"), "{own}");
}

#[test]
fn nothing_is_written_through_a_link() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    let outside = repository.outside("elsewhere");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, repository.at(".github")).unwrap();
    let ended = init(&repository, &[]).with(4);
    assert!(ended.err.contains(".github` is no folder"), "{}", ended.err);
    assert_eq!(std::fs::read_dir(outside).unwrap().count(), 0);
    assert!(!repository.at("bench").exists());
}

#[test]
fn a_build_that_knows_no_actions_says_so_before_anything_is_written() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    let before = files(&repository.at(""));
    let is_release = option_env!("TRIPLINE_RELEASED_FROM").is_some_and(|from| !from.is_empty());
    if !is_release {
        let ended = repository.tripline(&["init"]).with(2);
        assert!(
            ended.err.contains("this build is no release"),
            "{}",
            ended.err
        );
    }
    for wrong in [
        "acme/tripline@main",
        "acme/tripline",
        "@",
        "acme/tripline@0123456",
    ] {
        repository.tripline(&["init", "--actions", wrong]).with(2);
    }
    assert_eq!(files(&repository.at("")), before);
}

#[test]
fn outside_of_a_repository_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = scrubbed(env!("CARGO_BIN_EXE_tripline"));
    command
        .args(["init", "--actions", ACTIONS])
        .current_dir(folder.path())
        .env("GIT_CEILING_DIRECTORIES", folder.path().parent().unwrap());
    let ended = Ended::of(command.output().unwrap(), folder.path()).with(2);
    assert!(
        ended.err.contains("live in a git repository"),
        "{}",
        ended.err
    );
}

#[test]
fn the_default_branch_is_found_out_or_asked_for() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    repository.commit();
    let dry = |repository: &Repository| init(repository, &["--dry-run"]);
    assert!(
        dry(&repository)
            .with(0)
            .out
            .contains("| \x20   branches: [main]\n")
    );
    // Two that it could be: nobody guesses.
    repository.git(&["branch", "master"]);
    let ended = dry(&repository).with(2);
    assert!(
        ended.err.contains("name it with `--branch`"),
        "{}",
        ended.err
    );
    // What the remote said is better than any guess.
    repository.git(&["update-ref", "refs/remotes/origin/dev", "HEAD"]);
    repository.git(&[
        "symbolic-ref",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/dev",
    ]);
    let ended = dry(&repository).with(0);
    assert!(
        ended.out.contains("branches: [dev]\n") && !ended.out.contains("is taken for"),
        "{}",
        ended.out
    );
    // It works from a folder within, and on the whole.
    let mut within = repository.command(&["init", "--actions", ACTIONS, "--dry-run"]);
    within.current_dir(repository.at("benches"));
    let within = Ended::of(within.output().unwrap(), &repository.outside("")).with(0);
    assert_eq!(within.out, ended.out);
}
