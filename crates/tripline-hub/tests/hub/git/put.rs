//! A branch that is one proposal: made, refreshed, left alone, and never forced on anybody.

use tripline_hub::git::{Pushed, Why};

use super::yard::{Publisher, Yard, git};

const PROPOSAL: &str = "tripline/baselines";

/// Moves `main` of the remote on by one commit, and returns it.
fn move_main(yard: &Yard) -> tripline_hub::CommitId {
    let first = yard.path("first");
    git(
        &first,
        &["commit", "--quiet", "--allow-empty", "-m", "more"],
    );
    git(&first, &["push", "--quiet", &yard.address(), "main"]);
    yard.tip("main")
}

#[test]
fn the_branch_is_one_commit_on_top_of_the_base() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let base = yard.tip("main");
    let pushed = Publisher::of(&here).put(
        &base,
        &[("baselines/a.jsonl", "1\n"), ("src/lib.rs", "fn b() {}\n")],
    );
    let tip = yard.tip(PROPOSAL);
    assert_eq!(pushed.unwrap(), Pushed::Commit { id: tip, tries: 1 });
    assert_eq!(
        yard.ask(&["log", "-1", "--format=%P", PROPOSAL]).trim(),
        base.as_str()
    );
    assert_eq!(
        yard.ask(&["diff", "--name-status", "main", PROPOSAL]),
        "A\tbaselines/a.jsonl\nM\tsrc/lib.rs\n"
    );
    assert_eq!(yard.tip("main"), base);
}

#[test]
fn a_new_proposal_replaces_the_last() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    publisher
        .put(&yard.tip("main"), &[("a", "1"), ("gone", "x")])
        .unwrap();
    let base = move_main(&yard);
    publisher.put(&base, &[("a", "2")]).unwrap();
    assert_eq!(
        yard.ask(&["log", "--format=%P", "-1", PROPOSAL]).trim(),
        base.as_str()
    );
    assert_eq!(
        yard.ask(&["diff", "--name-status", "main", PROPOSAL]),
        "A\ta\n"
    );
    yard.ask(&["fsck", "--full", "--strict"]);
}

#[test]
fn what_says_the_same_is_left_as_it_was_reviewed() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    publisher.put(&yard.tip("main"), &[("a", "1")]).unwrap();
    let id = yard.tip(PROPOSAL);
    // A later base with the same files changes nothing about the proposal.
    let base = move_main(&yard);
    assert_eq!(
        publisher.put(&base, &[("a", "1")]).unwrap(),
        Pushed::AlreadyThere { id: id.clone() }
    );
    assert_eq!(yard.tip(PROPOSAL), id);
}

#[test]
fn what_the_base_says_already_is_not_proposed() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let base = yard.tip("main");
    let nothing = Publisher::of(&here)
        .put(&base, &[("README.md", "a project\n")])
        .unwrap();
    assert_eq!(nothing, Pushed::NothingToPropose);
    assert_eq!(
        yard.ask(&["branch", "--list", "--format=%(refname:short)"]),
        "main\n"
    );
}

#[test]
fn somebody_else_is_not_overwritten_unseen() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let base = yard.tip("main");
    Publisher::of(&here).put(&base, &[("a", "1")]).unwrap();
    // Between our look and our push, the branch changes: the push is refused, and we look again.
    let moved = yard.remote().join("moved");
    let rude = yard.program(&format!(
        "if [ \"$1\" = push ] && mkdir '{}' 2>/dev/null; then git --git-dir='{}' update-ref refs/heads/{PROPOSAL} main; fi\nexec git \"$@\"",
        moved.display(),
        yard.remote().display()
    ));
    let pushed = Publisher::of(&here)
        .by(rude)
        .put(&base, &[("a", "2")])
        .unwrap();
    assert!(
        matches!(pushed, Pushed::Commit { tries: 2, .. }),
        "{pushed:?}"
    );
    assert_eq!(yard.files(PROPOSAL)["a"], "2");
}

#[test]
fn a_branch_made_in_between_is_not_overwritten_unseen() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let base = yard.tip("main");
    let moved = yard.remote().join("moved");
    let rude = yard.program(&format!(
        "if [ \"$1\" = push ] && mkdir '{}' 2>/dev/null; then git --git-dir='{}' branch {PROPOSAL} main; fi\nexec git \"$@\"",
        moved.display(),
        yard.remote().display()
    ));
    let pushed = Publisher::of(&here)
        .by(rude)
        .put(&base, &[("a", "2")])
        .unwrap();
    assert!(
        matches!(pushed, Pushed::Commit { tries: 2, .. }),
        "{pushed:?}"
    );
}

#[test]
fn the_default_branch_is_never_replaced() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let base = yard.tip("main");
    let error = Publisher::of(&here)
        .put_on("main", &base)
        .expect_err("the default branch");
    assert!(matches!(error.why, Why::DefaultBranch), "{error:?}");
    assert_eq!(yard.tip("main"), base);
}

#[test]
fn a_base_that_was_not_pushed_is_no_base() {
    let yard = Yard::new();
    let here = yard.clone("here");
    git(&here, &["commit", "--quiet", "--allow-empty", "-m", "mine"]);
    let mine = git(&here, &["rev-parse", "HEAD"]).trim().parse().unwrap();
    let error = Publisher::of(&here)
        .put(&mine, &[("a", "1")])
        .expect_err("not pushed");
    assert!(
        matches!(&error.why, Why::NoBase { base, .. } if *base == mine),
        "{error:?}"
    );
}

#[test]
fn a_folder_is_not_replaced_by_a_file() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let base = yard.tip("main");
    for path in ["src", "README.md/x"] {
        let error = Publisher::of(&here)
            .put(&base, &[(path, "x")])
            .expect_err("a folder");
        assert!(matches!(error.why, Why::FileAndFolder { .. }), "{error:?}");
    }
}

#[test]
fn a_remote_that_only_grows_refuses_a_second_proposal() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let base = yard.tip("main");
    let publisher = Publisher::of(&here);
    publisher.put(&base, &[("a", "1")]).unwrap();
    let error = publisher.put(&base, &[("a", "2")]).expect_err("no force");
    assert!(matches!(error.why, Why::Refused { .. }), "{error:?}");
    assert_eq!(yard.files(PROPOSAL)["a"], "1");
}
