//! The work trees of a session: they hold what is to be measured, and nothing of the person's repository is touched by
//! them, whatever state either is in.

use tripline_model::WorkTree;

use crate::project::{Ended, below_a_hook_of};
use crate::repository::{Repository, SUITE, times_of};

/// All that a session must leave as it is.
fn persons(repository: &Repository) -> Vec<String> {
    let asked: [&[&str]; 7] = [
        &["status", "--porcelain", "--branch"],
        &["diff", "--cached"],
        &["diff"],
        &["stash", "list"],
        &["for-each-ref"],
        &["ls-files", "--stage"],
        &["symbolic-ref", "HEAD"],
    ];
    asked.iter().map(|args| repository.git(args)).collect()
}

#[test]
fn what_is_in_no_commit_is_measured_and_left_alone() {
    let repository = Repository::with_times("get 1000", "get 1000");
    repository.script("cat ns extra 2>/dev/null | print_run");
    repository.commit();
    repository.times("get 2000");
    repository.write("bench/kv/extra", "new 500\n");
    repository.write("bench/kv/staged", "x\n");
    repository.git(&["add", "--", ":(glob)**/staged"]);
    repository.write("bench/kv/staged", "y\n");
    let before = persons(&repository);
    let args = ["measure", "--against", "HEAD", "--seed", "7"];
    repository.tripline(&args).with(0);
    assert_eq!(persons(&repository), before);
    let (base, head) = (repository.run("base"), repository.run("run"));
    assert_eq!(times_of(&base, "get").1, [1_000.0; 9]);
    assert_eq!(times_of(&head, "get").1, [2_000.0; 9]);
    assert_eq!(times_of(&head, "new").1, [500.0; 3]);
    let work_tree = |run: &tripline_model::Run| run.revision.as_ref().unwrap().work_tree;
    assert_eq!(work_tree(&base), WorkTree::Clean);
    assert_eq!(work_tree(&head), WorkTree::Modified);
}

/// Where the run goes is opened before anything is measured, and is no change of what is measured.
#[test]
fn what_is_being_written_does_not_modify_a_work_tree() {
    let repository = Repository::with_times("get 1000", "get 1000");
    let args = ["measure", "--suite", "kv", "--out", "own/kv.run.jsonl"];
    repository.tripline(&args).with(0);
    let written = std::fs::read_to_string(repository.at("own/kv.run.jsonl")).unwrap();
    assert!(written.contains("\"work_tree\":\"clean\""), "{written}");
}

#[test]
fn a_project_in_a_folder_of_its_repository_is_measured_with_what_is_around_it() {
    let repository = Repository::with_project_in("deep down/project");
    repository.with_suite();
    repository.script("print_run < ../../../../ns");
    repository.write("../../ns", "get 1000\n");
    repository.commit();
    repository.write("../../ns", "get 2000\n");
    let args = ["measure", "--against", "HEAD", "--seed", "7"];
    repository.tripline(&args).with(0);
    assert_eq!(times_of(&repository.run("base"), "get").1, [1_000.0; 9]);
    assert_eq!(times_of(&repository.run("run"), "get").1, [2_000.0; 9]);
}

#[test]
fn the_variables_of_a_hook_lead_nowhere() {
    let repository = Repository::with_times("get 1000", "get 1100");
    let other = Repository::with_times("get 1", "get 2");
    repository.times("get 1200");
    let before = (persons(&repository), persons(&other));
    let mut command = repository.command(&["measure", "--against", "HEAD", "--seed", "7"]);
    below_a_hook_of(&mut command, &other.at(""));
    let output = command.output().unwrap();
    Ended::of(output, &repository.outside("")).with(0);
    assert_eq!((persons(&repository), persons(&other)), before);
    assert_eq!(times_of(&repository.run("base"), "get").1, [1_100.0; 9]);
    assert_eq!(times_of(&repository.run("run"), "get").1, [1_200.0; 9]);
}

#[test]
fn a_suite_that_git_ignores_is_named() {
    let repository = Repository::with_times("get 1000", "get 1000");
    repository.write(".gitignore", "hidden\n");
    repository.write("bench/hidden/suite.toml", SUITE);
    let ended = repository.tripline(&["measure", "--against", "HEAD"]);
    let ended = ended.with(4);
    assert!(ended.err.contains("git ignores `"), "{}", ended.err);
}

#[test]
fn trees_that_are_broken_are_made_anew() {
    let repository = Repository::with_times("get 1000", "get 1100");
    let works = || {
        let args = ["measure", "--against", "HEAD~1", "--seed", "7"];
        repository.tripline(&args).with(0);
        assert_eq!(times_of(&repository.run("base"), "get").1, [1_000.0; 9]);
    };
    works();
    let sessions = repository.sessions();
    std::fs::write(sessions.join("base/.git"), "garbage\n").unwrap();
    std::fs::write(sessions.join("base/bench/kv/ns"), "get 7\n").unwrap();
    std::fs::remove_file(sessions.join("head/.git")).unwrap();
    std::fs::remove_dir_all(sessions.join("tree")).unwrap();
    std::fs::write(sessions.join("index.lock"), "").unwrap();
    repository.write("bench/kv/untracked", "x");
    works();
    std::fs::write(sessions.join("base/bench/kv/ns"), "get 7\n").unwrap();
    std::fs::write(sessions.join("base/bench/kv/left"), "by a bench\n").unwrap();
    works();
    assert!(!sessions.join("base/bench/kv/left").exists());
    std::fs::remove_dir_all(&sessions).unwrap();
    works();
}

/// A folder that only looks like a tree of ours must not be taken for a part of the repository it lies in.
#[test]
fn a_cache_within_the_repository_is_no_danger_to_it() {
    let repository = Repository::with_times("get 1000", "get 1100");
    repository.write(".gitignore", "cache\n");
    repository.write("precious", "in no commit\n");
    repository.times("get 1200");
    let before = persons(&repository);
    let measure = || {
        let mut command = repository.command(&["measure", "--against", "HEAD", "--seed", "7"]);
        let output = command
            .env("XDG_CACHE_HOME", repository.at("cache"))
            .output();
        Ended::of(output.unwrap(), &repository.outside("")).with(0);
        assert_eq!(times_of(&repository.run("run"), "get").1, [1_200.0; 9]);
        assert_eq!(persons(&repository), before);
    };
    measure();
    let sessions = std::fs::read_dir(repository.at("cache/tripline/sessions")).unwrap();
    for session in sessions {
        let mark = session.unwrap().path().join("tree/.git");
        std::fs::remove_file(&mark).unwrap();
        std::fs::create_dir(&mark).unwrap();
    }
    measure();
}

#[test]
fn trees_of_a_project_that_is_gone_are_removed() {
    let repository = Repository::with_times("get 1000", "get 1100");
    let args = ["measure", "--against", "HEAD~1", "--seed", "7"];
    let gone = Repository::with_times("get 1000", "get 1100");
    let mut command = gone.command(&args);
    command.env("XDG_CACHE_HOME", repository.cache());
    Ended::of(command.output().unwrap(), &gone.outside("")).with(0);
    let left = repository.sessions();
    drop(gone);
    repository.tripline(&args).with(0);
    assert_ne!(repository.sessions(), left);
}

#[test]
fn a_work_tree_that_is_somewhere_else_for_now_is_not_forgotten() {
    let repository = Repository::with_times("get 1000", "get 1100");
    let away = repository.outside("away");
    let place = away.to_str().unwrap();
    repository.git(&["worktree", "add", "--quiet", "--detach", place]);
    std::fs::rename(&away, repository.outside("unplugged")).unwrap();
    let args = ["measure", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(0);
    std::fs::remove_dir_all(repository.sessions()).unwrap();
    repository.tripline(&args).with(0);
    let known = repository.git(&["worktree", "list"]);
    assert!(known.contains("away"), "{known}");
}

#[test]
fn two_sessions_of_one_project_do_not_meet() {
    let repository = Repository::with_times("get 1000", "get 1100");
    let args = ["measure", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(0);
    let lock = std::fs::File::open(repository.sessions().join("lock")).unwrap();
    lock.try_lock().unwrap();
    let ended = repository.tripline(&args).with(3);
    assert!(
        ended.err.contains("another tripline is measuring"),
        "{}",
        ended.err
    );
}
