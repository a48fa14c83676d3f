//! Everything that can be in the way: what is told, and that nothing was pushed.

use std::fs;
use std::time::Duration;

use tripline_hub::git::{Git, Tries, Why};

use super::yard::{Publisher, Yard, git, told};

/// Returns an error as it is told, without what differs from run to run.
fn stable(yard: &Yard, error: &tripline_hub::git::NotPushed) -> String {
    let folder = yard.path("");
    let text = told(error).replace(folder.to_str().unwrap(), "[yard]/");
    let words = text.split(' ').map(|word| {
        let is_commit =
            |part: &str| part.len() == 40 && part.bytes().all(|b| b.is_ascii_hexdigit());
        match word.split_once(':') {
            Some((commit, rest)) if is_commit(commit) => format!("[commit]:{rest}"),
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_protected_branch_is_tried_once() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    yard.hook(
        "pre-receive",
        "printf x >>asked\necho 'error: GH006: Protected branch update failed for refs/heads/tripline/data.' >&2\nexit 1",
    );
    let error = Publisher::of(&here)
        .append(&[("runs/1", "one")])
        .expect_err("protected");
    insta::assert_snapshot!(stable(&yard, &error), @r"
    `runs/1` did not reach the branch `tripline/data`
    caused by: a rule of the remote is against it: remote: error: GH006: Protected branch update failed for refs/heads/tripline/data.; ! [commit]:refs/heads/tripline/data [remote rejected] (pre-receive hook declined)
    hint: let the pusher past the rules for `tripline/data` (Settings, Rules; Settings, Branches), or publish to another branch
    ");
    assert_eq!(
        fs::read_to_string(yard.remote().join("asked")).unwrap(),
        "x"
    );
    assert_eq!(
        yard.ask(&["for-each-ref", "--format=%(refname)"]),
        "refs/heads/main\n"
    );
}

#[test]
fn an_outage_that_lasts_is_told() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    yard.hook("pre-receive", "echo 'Internal Server Error' >&2; exit 1");
    let error = Publisher::of(&here)
        .once()
        .append(&[("a", "1"), ("b", "2")])
        .expect_err("an outage");
    let Why::GaveUp { tries: 1, time, .. } = error.why else {
        panic!("{error:?}");
    };
    let text =
        stable(&yard, &error).replace(&format!("after {} s", time.as_secs()), "after [time]");
    insta::assert_snapshot!(text, @r"
    2 files, `a` first, did not reach the branch `tripline/data`
    caused by: gave up at try 1, after [time]
    caused by: the remote could not be reached, or broke down: remote: Internal Server Error; ! [commit]:refs/heads/tripline/data [remote rejected] (pre-receive hook declined)
    hint: run it again when the remote answers: nothing is pushed twice
    ");
}

#[test]
fn a_folder_without_a_repository_is_named() {
    let yard = Yard::new();
    let nowhere = yard.path("nowhere");
    fs::create_dir(&nowhere).unwrap();
    // Whatever the folders above are.
    let stand_in = yard.program(&format!(
        "GIT_CEILING_DIRECTORIES='{}' exec git \"$@\"",
        yard.path("").display()
    ));
    let error = Publisher::of(&nowhere)
        .by(stand_in)
        .append(&[("a", "1")])
        .expect_err("no repository");
    insta::assert_snapshot!(stable(&yard, &error), @r"
    `a` did not reach the branch `tripline/data`
    caused by: `[yard]/nowhere` is not in a git repository that can be read: fatal: not a git repository (or any of the parent directories): .git
    hint: check the repository out first, with `actions/checkout`; where another user owns the folder, name it to git with `git config --global --add safe.directory FOLDER`
    ");
}

#[test]
fn an_unknown_remote_is_named() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let error = Publisher::of(&here)
        .to("upstream")
        .append(&[("a", "1")])
        .expect_err("no remote");
    insta::assert_snapshot!(stable(&yard, &error), @r"
    `a` did not reach the branch `tripline/data`
    caused by: the repository knows no remote `upstream`
    hint: add it: `git remote add upstream ADDRESS`
    ");
    let secret = "https://me:hunter2@forge.invalid/a/b";
    let error = Publisher::of(&here)
        .to(secret)
        .append(&[("a", "1")])
        .expect_err("a password");
    assert!(matches!(error.why, Why::PasswordInAddress), "{error:?}");
    assert!(!format!("{} {error:?}", told(&error)).contains("hunter2"));
}

#[test]
fn an_address_with_nothing_behind_it_is_told() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let address = format!("file://{}", yard.path("gone.git").display());
    let error = Publisher::of(&here)
        .to(&address)
        .append(&[("a", "1")])
        .expect_err("nothing there");
    insta::assert_snapshot!(stable(&yard, &error), @r"
    `a` did not reach the branch `tripline/data`
    caused by: the remote has no such repository: fatal: '[yard]/gone.git' does not appear to be a git repository; fatal: Could not read from remote repository.
    hint: check the address; a token that may not read a repository is told that there is none
    ");
    let base = yard.tip("main");
    let error = Publisher::of(&here)
        .to(&address)
        .put(&base, &[("a", "1")])
        .expect_err("nothing there");
    assert!(
        matches!(error.why, Why::NoRemoteRepository { .. }),
        "{error:?}"
    );
}

#[test]
fn a_branch_that_is_checked_out_there_is_refused() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let there = yard.clone("there");
    git(&there, &["checkout", "--quiet", "-b", "tripline/data"]);
    let address = format!("file://{}", there.display());
    let error = Publisher::of(&here)
        .to(&address)
        .append(&[("a", "1")])
        .expect_err("checked out");
    assert!(matches!(error.why, Why::Refused { .. }), "{error:?}");
}

#[test]
fn no_git_an_old_one_and_one_that_never_ends() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let missing = Git::at(yard.path("no-such-program"));
    let error = Publisher::of(&here)
        .by(missing)
        .append(&[("a", "1")])
        .expect_err("no git");
    insta::assert_snapshot!(stable(&yard, &error), @r"
    `a` did not reach the branch `tripline/data`
    caused by: git could not be started
    caused by: No such file or directory (os error 2)
    hint: install git 2.39 or newer, so that it is on PATH
    ");

    let old = yard.program("echo git version 2.20.1");
    let error = Publisher::of(&here)
        .by(old)
        .append(&[("a", "1")])
        .expect_err("an old git");
    insta::assert_snapshot!(stable(&yard, &error), @r"
    `a` did not reach the branch `tripline/data`
    caused by: git 2.20.1 is older than 2.39
    hint: install git 2.39 or newer
    ");

    let endless = yard.program("[ \"$1\" != push ] || exec sleep 1000\nexec git \"$@\"");
    let publisher = Publisher::of(&here).by(endless);
    let tries = Tries {
        time_max: Duration::from_secs(2),
        ..publisher.tries
    };
    let error = Publisher { tries, ..publisher }
        .append(&[("a", "1")])
        .expect_err("no end");
    assert!(
        matches!(&error.why, Why::OutOfTime { verb, .. } if verb == "push"),
        "{error:?}"
    );
    assert!(
        error.to_string().starts_with("it is not known whether"),
        "{error}"
    );
}

#[test]
fn who_is_cut_off_while_pushing_does_not_know() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let deaf = yard.program(
        "[ \"$1\" != push ] || { echo 'fatal: early EOF' >&2; exit 128; }\nexec git \"$@\"",
    );
    let error = Publisher::of(&here)
        .by(deaf)
        .once()
        .append(&[("a", "1")])
        .expect_err("cut off");
    assert!(
        error.is_in_doubt && error.to_string().starts_with("it is not known whether"),
        "{error}"
    );
    // Having looked again, one knows.
    let down = "[ \"$1\" != push ] || { echo 'fatal: early EOF' >&2; exit 128; }\n\
                [ \"$1\" != fetch ] || ! [ -e \"$0.down\" ] || { echo 'fatal: odd' >&2; exit 128; }\nexec git \"$@\"";
    let publisher = Publisher::of(&here).by(yard.program(down));
    std::fs::write(yard.path("git-stand-in.down"), "").unwrap();
    let error = publisher
        .append(&[("a", "1")])
        .expect_err("down before any push");
    assert!(!error.is_in_doubt, "{error}");
}

#[test]
fn a_git_that_floods_is_stopped() {
    let yard = Yard::new();
    let here = yard.clone("here");
    let flood =
        yard.program("[ \"$1\" != push ] || { yes error: flood >&2; exit 1; }\nexec git \"$@\"");
    let error = Publisher::of(&here)
        .by(flood)
        .append(&[("a", "1")])
        .expect_err("a flood");
    assert!(matches!(error.why, Why::Failed { .. }), "{:?}", error.why);
    assert!(told(&error).len() < 1000);
}
