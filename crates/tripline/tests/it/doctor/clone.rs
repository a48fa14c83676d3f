//! Clones that lack something.

use super::found;
use crate::project::Ended;
use crate::repository::Repository;

/// Runs the doctor in a clone of a repository with two commits.
fn in_clone(repository: &Repository, more: &[&str]) -> Ended {
    let clone = repository.outside("clone");
    let from = format!("file://{}", repository.at("").display());
    let to = clone.to_str().unwrap();
    let args = [&["clone", "--quiet"], more, &[&from, to]].concat();
    repository.git(&args);
    let mut command = repository.command(&["doctor"]);
    command.current_dir(&clone);
    Ended::of(command.output().unwrap(), &clone)
}

fn with_two_commits() -> Repository {
    let repository = Repository::for_cargo();
    repository.with_suite();
    repository.commit();
    repository.times("get 1");
    repository.commit();
    repository
}

#[test]
fn a_shallow_clone_lacks_what_bases_and_order_need() {
    let ended = in_clone(&with_two_commits(), &["--depth", "1"]).with(0);
    let what = "note  the clone is shallow: a base that was not fetched cannot be measured (`--against`), and of commits that \
                are not there nobody knows which came first";
    let fix = found(&ended, what);
    assert_eq!(
        fix,
        "run `git fetch --unshallow`; in a workflow, give the checkout `fetch-depth: 0`"
    );
}

#[test]
fn a_whole_clone_knows_its_history_and_default_branch() {
    let ended = in_clone(&with_two_commits(), &[]).with(0);
    found(&ended, "good  the clone has the whole history");
    found(
        &ended,
        "good  the default branch is `main`, as the remote `origin` says",
    );
}

#[test]
fn a_default_branch_that_is_not_known_is_said() {
    let repository = with_two_commits();
    let ended = repository.tripline(&["doctor"]).with(0);
    found(
        &ended,
        "note  the default branch seems to be `main`, going by the branches there are",
    );
    repository.git(&["branch", "master"]);
    let ended = repository.tripline(&["doctor"]).with(0);
    let fix = found(
        &ended,
        "note  which branch is the default one is not known here",
    );
    assert!(fix.contains("git remote set-head origin --auto"), "{fix}");
}

#[test]
fn a_script_that_the_workflows_would_not_run_is_bad() {
    let repository = with_two_commits();
    let place = ".github/tripline-prepare.sh";
    repository.write(place, "true\n");
    let ended = repository.tripline(&["doctor"]).with(11);
    let what = format!("bad   `{place}` is not in the repository, so that no workflow runs it");
    let fix = found(&ended, &what);
    assert_eq!(
        fix,
        format!("-> run `git add --force {place}`, and commit it")
    );
    repository.git(&["add", "--force", place]);
    let ended = repository.tripline(&["doctor"]).with(0);
    found(
        &ended,
        &format!("good  the workflows run `{place}` before they measure"),
    );
}
