//! One commit on top of somebody's branch, or none.

use tripline_hub::git::{Pushed, Why};

use super::yard::{Publisher, Yard};

const BRANCH: &str = "tune";

#[test]
fn the_commit_goes_on_top() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let base = yard.tip("main");
    yard.ask(&["branch", BRANCH, "main"]);
    let pushed = Publisher::of(&here).extend(BRANCH, &base, &[("accepted.jsonl", "1\n")]);
    let tip = yard.tip(BRANCH);
    assert_eq!(
        pushed.unwrap(),
        Pushed::Commit {
            id: tip.clone(),
            tries: 1
        }
    );
    assert_eq!(
        yard.ask(&["log", "-1", "--format=%P", BRANCH]).trim(),
        base.as_str()
    );
    assert_eq!(
        yard.ask(&["diff", "--name-status", "main", BRANCH]),
        "A\taccepted.jsonl\n"
    );

    let again = Publisher::of(&here).extend(BRANCH, &tip, &[("accepted.jsonl", "1\n")]);
    assert_eq!(again.unwrap(), Pushed::AlreadyThere { id: tip });
}

#[test]
fn a_branch_that_moved_on_is_gone_or_is_everybodys_stays() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let base = yard.tip("main");
    let files = [("accepted.jsonl", "1\n")];
    let error = Publisher::of(&here)
        .extend(BRANCH, &base, &files)
        .expect_err("it is not there");
    assert!(matches!(error.why, Why::MovedOn { .. }), "{error:?}");

    yard.ask(&["branch", BRANCH, "main"]);
    let publisher = Publisher::of(&here);
    publisher.extend(BRANCH, &base, &[("other", "x")]).unwrap();
    let moved = yard.tip(BRANCH);
    let error = publisher
        .extend(BRANCH, &base, &files)
        .expect_err("it moved on");
    assert!(matches!(error.why, Why::MovedOn { .. }), "{error:?}");
    assert_eq!(yard.tip(BRANCH), moved);

    let error = publisher
        .extend("main", &base, &files)
        .expect_err("it is everybody's");
    assert!(matches!(error.why, Why::DefaultBranch), "{error:?}");
    assert_eq!(yard.tip("main"), base);
}
