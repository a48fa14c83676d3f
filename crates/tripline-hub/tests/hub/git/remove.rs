//! Files go from a data branch after what holds them is there, and not before.

use tripline_hub::git::{Identity, Pushed, Removal, Why};

use super::yard::{Publisher, Yard, files};

const DATA: &str = "tripline/data";

fn removal(read: &[(&str, &str)], held_by: &[&str]) -> Removal {
    let held_by = held_by.iter().map(|path| path.parse().unwrap());
    let author = Identity::new("Ada Lovelace", "ada@example.org").unwrap();
    Removal::new(files(read), held_by.collect(), "compact", author).unwrap()
}

#[test]
fn what_is_held_elsewhere_goes_and_all_else_stays() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    let files = [
        ("r/1", "one"),
        ("r/2", "two"),
        ("r/3", "three"),
        ("s/1", "one two"),
    ];
    publisher.append(&files).unwrap();
    let gone = removal(&[("r/1", "one"), ("r/2", "two")], &["s/1"]);
    let done = publisher.remove(&gone).unwrap();
    assert!(matches!(done, Pushed::Commit { tries: 1, .. }), "{done:?}");
    assert_eq!(
        yard.files(DATA).into_keys().collect::<Vec<_>>(),
        ["r/3", "s/1"]
    );
    assert_eq!(yard.commits(DATA).len(), 2);

    let id = yard.tip(DATA);
    assert_eq!(
        publisher.remove(&gone).unwrap(),
        Pushed::AlreadyThere { id }
    );
}

#[test]
fn nothing_goes_before_what_holds_it_is_there() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    let gone = removal(&[("r/1", "one")], &["s/1", "s/2"]);
    let error = publisher.remove(&gone).expect_err("there is no branch");
    assert!(matches!(error.why, Why::NotHeld { .. }), "{error}");
    publisher.append(&[("r/1", "one"), ("s/1", "one")]).unwrap();
    let error = publisher.remove(&gone).expect_err("a part is missing");
    assert_eq!(
        error.why.to_string(),
        "`s/2`, which is to hold what goes, is not on the branch"
    );
    assert_eq!(yard.files(DATA).len(), 2);
}

#[test]
fn whoever_adds_meanwhile_is_not_undone() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let there = yard.clone("there");
    Publisher::of(&here)
        .append(&[("r/1", "one"), ("s/1", "one")])
        .unwrap();
    Publisher::of(&there).append(&[("r/2", "two")]).unwrap();
    Publisher::of(&here)
        .remove(&removal(&[("r/1", "one")], &["s/1"]))
        .unwrap();
    assert_eq!(
        yard.files(DATA).into_keys().collect::<Vec<_>>(),
        ["r/2", "s/1"]
    );
}

#[test]
fn a_file_that_is_another_than_the_one_that_was_read_stays_and_so_do_all() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    let there = [("r/1", "one"), ("r/2", "another"), ("s/1", "one two")];
    publisher.append(&there).unwrap();
    let gone = removal(&[("r/1", "one"), ("r/2", "two")], &["s/1"]);
    let error = publisher.remove(&gone).expect_err("it is another");
    assert_eq!(
        error.why.to_string(),
        "`r/2` is not on the branch as it was read"
    );
    assert_eq!(yard.files(DATA).len(), 3);
}
