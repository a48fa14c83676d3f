//! Which commit a tag stands for.

use tripline_hub::git::{Git, Why, tagged};

use super::yard::Yard;

#[test]
fn a_tag_stands_for_its_commit_with_and_without_a_text_of_its_own() {
    let yard = Yard::new();
    let commit = yard.tip("main");
    yard.ask(&["tag", "v1.0.0", "main"]);
    yard.ask(&["tag", "--annotate", "--message", "a text", "v1.1.0", "main"]);
    // A name that only ends like it is another one.
    yard.ask(&["update-ref", "refs/heads/refs/tags/v2.0.0", "main"]);
    let ask = |tag| tagged(&Git::on_path(), &yard.address(), tag).unwrap();
    assert_eq!(ask("v1.0.0"), Some(commit.clone()));
    assert_eq!(ask("v1.1.0"), Some(commit));
    assert_eq!(ask("v2.0.0"), None);
    assert_eq!(ask("v1.0"), None);
}

#[test]
fn what_cannot_be_asked_is_no_missing_tag() {
    let yard = Yard::new();
    let nowhere = format!("file://{}", yard.path("nowhere").display());
    let why = tagged(&Git::on_path(), &nowhere, "v1.0.0").unwrap_err();
    assert!(matches!(why, Why::Unreachable { .. }), "{why}");
    let confused = yard.program("#!/bin/sh\nprintf 'none\\trefs/tags/v1.0.0\\n'\n");
    let why = tagged(&confused, &yard.address(), "v1.0.0").unwrap_err();
    assert!(matches!(why, Why::Failed { .. }), "{why}");
    let absent = Git::at(yard.path("no-git"));
    let why = tagged(&absent, &yard.address(), "v1.0.0").unwrap_err();
    assert!(matches!(why, Why::NoGit(_)), "{why}");
}
