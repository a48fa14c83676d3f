//! A branch that only grows: what is added, what is there already, and what is interrupted.

use tripline_hub::git::{Change, Pushed, Why};

use super::yard::{Publisher, Yard, change, files, git};

const DATA: &str = "tripline/data";

fn is_commit(pushed: &Pushed) -> bool {
    matches!(pushed, Pushed::Commit { .. })
}

#[test]
fn a_branch_that_is_not_there_begins_without_a_past() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let pushed =
        Publisher::of(&here).append(&[("runs/1.jsonl", "one\n"), ("runs/2.jsonl", "two\n")]);
    let tip = yard.tip(DATA);
    assert_eq!(pushed.unwrap(), Pushed::Commit { id: tip, tries: 1 });
    assert_eq!(yard.commits(DATA).len(), 1);
    assert_eq!(yard.files(DATA)["runs/2.jsonl"], "two\n");
    assert_eq!(yard.files(DATA).len(), 2);
    assert_eq!(
        yard.ask(&["log", "-1", "--format=%an <%ae>|%cn <%ce>|%B|%P", DATA]),
        "Ada Lovelace <ada@example.org>|Ada Lovelace <ada@example.org>|record: a run\n\nWith a reason.|\n"
    );
}

#[test]
fn what_is_there_stays_and_the_new_comes_on_top() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    Publisher::of(&here)
        .append(&[("runs/1.jsonl", "one\n")])
        .unwrap();
    let first = yard.tip(DATA);
    Publisher::of(&here)
        .append(&[("runs/2.jsonl", "two\n")])
        .unwrap();
    assert_eq!(
        yard.ask(&["log", "-1", "--format=%P", DATA]).trim(),
        first.as_str()
    );
    assert_eq!(yard.files(DATA).len(), 2);
    assert_eq!(yard.commits("main").len(), 1);
}

#[test]
fn the_same_again_is_nothing_to_do() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    publisher.append(&[("a", "1"), ("b/c", "2")]).unwrap();
    let id = yard.tip(DATA);
    assert_eq!(
        publisher.append(&[("b/c", "2")]).unwrap(),
        Pushed::AlreadyThere { id }
    );
    assert_eq!(yard.commits(DATA).len(), 1);
    // What is partly there is completed.
    assert!(is_commit(
        &publisher.append(&[("b/c", "2"), ("b/d", "3")]).unwrap()
    ));
    assert_eq!(yard.files(DATA).len(), 3);
}

#[test]
fn bytes_are_kept_as_they_are() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let odd = "\r\nno\rline\tend\u{0}\u{feff}$Id$";
    Publisher::of(&here)
        .append(&[("odd", odd), ("empty", "")])
        .unwrap();
    assert_eq!(yard.files(DATA)["odd"], odd);
    assert_eq!(yard.files(DATA)["empty"], "");
}

#[test]
fn other_contents_replace_nothing() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    publisher.append(&[("runs/1", "one")]).unwrap();
    let error = publisher
        .append(&[("new", "x"), ("runs/1", "other")])
        .expect_err("another file");
    assert!(
        matches!(&error.why, Why::OtherContents { path } if path.as_str() == "runs/1"),
        "{error:?}"
    );
    for path in ["runs", "runs/1/more"] {
        let error = publisher
            .append(&[(path, "x")])
            .expect_err("a file and a folder");
        let is_known = matches!(
            error.why,
            Why::FileAndFolder { .. } | Why::OtherContents { .. }
        );
        assert!(is_known, "{error:?}");
    }
    assert_eq!(yard.commits(DATA).len(), 1);
    assert_eq!(yard.files(DATA)["runs/1"], "one");
}

#[test]
fn many_files_go_in_one_commit() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let files: Vec<(String, String)> = (0..250)
        .map(|at| (format!("f/{at}"), format!("{at}")))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let publisher = Publisher::of(&here);
    publisher.append(&files).unwrap();
    assert_eq!(yard.commits(DATA).len(), 1);
    assert_eq!(yard.files(DATA).len(), 250);
    assert!(!is_commit(&publisher.append(&files).unwrap()));
}

/// Looking for what records share takes longer than sending it, and the remote would have to put it together again.
#[test]
fn no_file_is_sent_as_its_difference_from_another() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let seen = yard.path("pack");
    let stand_in = yard.program(&format!(
        "[ \"$1\" != push ] || git verify-pack -s \"$GIT_DIR\"/objects/pack/*.idx >'{}'\nexec git \"$@\"",
        seen.display()
    ));
    let alike = "the same words in each of them ".repeat(100);
    let files: Vec<(String, String)> = (0..150)
        .map(|at| (format!("runs/{at}"), format!("{at} {alike}")))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    Publisher::of(&here).by(stand_in).append(&files).unwrap();
    let pack = std::fs::read_to_string(seen).unwrap();
    assert_eq!(pack, "non delta: 150 objects\n");
}

#[test]
fn a_long_past_is_not_fetched() {
    let yard = Yard::growing();
    // As git makes a remote.
    yard.ask(&["config", "uploadpack.allowFilter", "false"]);
    let here = yard.clone("here");
    for at in 0..60 {
        let path = format!("runs/{at}");
        std::fs::write(here.join("x"), format!("{at}").repeat(1000)).unwrap();
        let blob = git(&here, &["hash-object", "-w", "x"]);
        let entry = format!("100644,{},{path}", blob.trim());
        git(&here, &["update-index", "--add", "--cacheinfo", &entry]);
        git(&here, &["commit", "--quiet", "-m", "a run"]);
    }
    git(
        &here,
        &["push", "--quiet", "origin", "HEAD:refs/heads/tripline/data"],
    );
    let seen = yard.path("objects");
    let stand_in = yard.program(&format!(
        "[ \"$1\" != push ] || git count-objects -v >'{}'\nexec git \"$@\"",
        seen.display()
    ));
    Publisher::of(&here)
        .by(stand_in)
        .append(&[("runs/new", "x")])
        .unwrap();
    assert_eq!(yard.commits(DATA).len(), 62);
    // Fetched: the commit, its top folder, and the folders `src` and `runs`. Made: a commit, two folders and a file.
    let objects = std::fs::read_to_string(seen).unwrap();
    assert!(
        objects.contains("in-pack: 4\n") && objects.contains("count: 4\n"),
        "{objects}"
    );
}

#[test]
fn a_remote_in_trouble_is_tried_until_it_is_well() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    // Four bytes, and the remote is well.
    let trouble = "[ \"$(wc -c <trouble 2>/dev/null || echo 0)\" -ge 4 ] && exit 0\nprintf x >>trouble\necho 'Internal Server Error' >&2\nexit 1";
    yard.hook("pre-receive", trouble);
    let pushed = Publisher::of(&here).append(&[("runs/1", "one")]).unwrap();
    assert!(
        matches!(pushed, Pushed::Commit { tries: 5, .. }),
        "{pushed:?}"
    );
    assert_eq!(yard.commits(DATA).len(), 1);
}

#[test]
fn who_dies_before_the_push_leaves_nothing_and_is_run_again() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let before = super::yard::everything_in(&here);
    // Killed, together with git, when all is ready to be pushed.
    let killed = yard.program("[ \"$1\" != push ] || kill -KILL $$\nexec git \"$@\"");
    let error = Publisher::of(&here)
        .by(killed)
        .append(&[("runs/1", "one")])
        .expect_err("killed");
    assert!(matches!(error.why, Why::Failed { .. }), "{error:?}");
    assert_eq!(
        yard.ask(&["for-each-ref", "--format=%(refname)"]),
        "refs/heads/main\n"
    );
    assert_eq!(super::yard::everything_in(&here), before);
    assert!(is_commit(
        &Publisher::of(&here).append(&[("runs/1", "one")]).unwrap()
    ));
    assert_eq!(yard.commits(DATA).len(), 1);
}

#[test]
fn a_lost_answer_pushes_nothing_twice() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let deaf = yard.program(
        "[ \"$1\" = push ] || exec git \"$@\"\ngit \"$@\" >/dev/null 2>&1\necho 'fatal: the remote end hung up unexpectedly' >&2\nexit 128",
    );
    let pushed = Publisher::of(&here)
        .by(deaf)
        .append(&[("runs/1", "one")])
        .unwrap();
    let id = yard.tip(DATA);
    assert_eq!(pushed, Pushed::AlreadyThere { id });
    assert_eq!(yard.commits(DATA).len(), 1);
}

#[test]
fn a_branch_replaced_in_between_is_built_on_anew() {
    let yard = Yard::new();
    let here = yard.clone("here");
    Publisher::of(&here).append(&[("old", "x")]).unwrap();
    // Before the first push, somebody puts the branch back to another past.
    let remote = yard.remote();
    let rude = yard.program(&format!(
        "if [ \"$1\" = push ] && mkdir '{0}/rude' 2>/dev/null; then git --git-dir='{0}' update-ref refs/heads/tripline/data main; fi\nexec git \"$@\"",
        remote.display()
    ));
    let pushed = Publisher::of(&here)
        .by(rude)
        .append(&[("new", "y")])
        .unwrap();
    assert!(
        matches!(pushed, Pushed::Commit { tries: 2, .. }),
        "{pushed:?}"
    );
    assert_eq!(yard.commits(DATA).len(), 2);
    let files = yard.files(DATA);
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        ["README.md", "new", "src/lib.rs"]
    );
}

#[test]
fn what_was_made_of_other_files_is_added_only_where_those_are_as_they_were_read() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    let made = change(&[("s/1", "one two")]).made_of(files(&[("r/1", "one"), ("r/2", "two")]));
    let refused = |missing: &str| {
        let error = publisher
            .append_made(&made)
            .expect_err("it is of elsewhere");
        assert_eq!(
            error.why.to_string(),
            format!("`{missing}` is not on the branch as it was read")
        );
        assert!(error.hint().contains("check it out anew"), "{error}");
    };
    refused("r/1");
    assert!(yard.ask(&["branch", "--list", DATA]).is_empty());
    publisher.append(&[("r/1", "one")]).unwrap();
    refused("r/2");
    publisher.append(&[("r/2", "two")]).unwrap();
    assert!(is_commit(&publisher.append_made(&made).unwrap()));
    assert_eq!(yard.files(DATA).len(), 3);
    publisher.append(&[("r/3", "three")]).unwrap();
    let other = change(&[("s/2", "three")]).made_of(files(&[("r/3", "another")]));
    publisher.append_made(&other).expect_err("it is another");
    assert_eq!(yard.files(DATA).len(), 4);
}

#[test]
fn what_knew_another_end_of_the_branch_is_not_added_to_it() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let publisher = Publisher::of(&here);
    let refused = |made: &Change| {
        let error = publisher.append_made(made).expect_err("it knew another");
        assert!(
            error.why.to_string().contains("does not end where"),
            "{error}"
        );
        assert!(error.hint().contains("git fetch --prune origin"), "{error}");
    };
    let first = change(&[("r/1", "one")]).knowing(None);
    let Pushed::Commit { id, .. } = publisher.append_made(&first).unwrap() else {
        unreachable!("nothing was there");
    };
    // The same once more is there already, whatever was known.
    assert!(!is_commit(&publisher.append_made(&first).unwrap()));
    refused(&change(&[("r/2", "two")]).knowing(None));
    let second = change(&[("r/2", "two")]).knowing(Some(id.clone()));
    assert!(is_commit(&publisher.append_made(&second).unwrap()));
    refused(&change(&[("r/3", "three")]).knowing(Some(id)));
    assert_eq!(yard.files(DATA).len(), 2);
}
