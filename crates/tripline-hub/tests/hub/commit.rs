//! What a commit changes.

use fake_github::{Commit, FaultKind};
use tripline_hub::commit::{self, Changes};

use crate::support::{HOME, Hub, world};

#[test]
fn a_commit_says_what_it_writes_and_what_it_builds_on() {
    let world = world()
        .with_file("main", "a.txt", b"a")
        .with_file("main", "b.txt", b"b");
    let tip = world.home().unwrap().refs["refs/heads/main"].clone();
    let hub = Hub::start(world);
    let client = hub.client();
    let changes = commit::changes(&client, &tip.parse().unwrap()).unwrap();
    assert_eq!(changes.written.as_deref(), Some(&["b.txt".to_owned()][..]));
    let before = commit::changes(&client, &changes.parent.unwrap()).unwrap();
    assert_eq!(before.written.as_deref(), Some(&["a.txt".to_owned()][..]));
    hub.fail("GET", "commits", FaultKind::Status(500), 9);
    commit::changes(&client, &tip.parse().unwrap()).expect_err("nobody answers");
}

/// Puts a commit with so many files on top of others, and returns what it changes.
fn changes_of(parents: &[&str], files: usize) -> Changes {
    let mut world = world().with_file("main", "a.txt", b"a");
    let tip = world.home().unwrap().refs["refs/heads/main"].clone();
    let home = world.repository_mut(HOME).unwrap();
    let files = (0..files).map(|at| (at.to_string(), "0".repeat(40)));
    home.trees.insert("of-it".to_owned(), files.collect());
    let parents = parents.iter().map(|parent| parent.replace("tip", &tip));
    let commit = Commit {
        message: "it".to_owned(),
        tree: "of-it".to_owned(),
        parents: parents.collect(),
        date: "2026-01-02T03:04:05Z".to_owned(),
    };
    let id = "c".repeat(40);
    home.commits.insert(id.clone(), commit);
    let hub = Hub::start(world);
    commit::changes(&hub.client(), &id.parse().unwrap()).unwrap()
}

#[test]
fn a_commit_that_does_anything_else_than_write_a_few_files_has_no_list() {
    let removes = changes_of(&["tip"], 0);
    assert!(removes.parent.is_some() && removes.written.is_none());
    assert_eq!(changes_of(&[], 299).written.unwrap().len(), 299);
    assert_eq!(changes_of(&[], 300).written, None, "there may be more");
    let other = "d".repeat(40);
    assert_eq!(
        changes_of(&["tip", &other], 1).parent,
        None,
        "it is a merge"
    );
}
