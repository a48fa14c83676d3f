//! The caller's repository: whatever state and shape it has, it is only read.

use std::fs;
use std::path::Path;

use tripline_hub::git::Pushed;

use super::yard::{Publisher, Yard, everything_in, git};

fn assert_pushed(publisher: &Publisher<'_>, path: &str) {
    let pushed = publisher.append(&[(path, "x")]).unwrap();
    assert!(matches!(pushed, Pushed::Commit { .. }), "{pushed:?}");
}

/// A clone in the middle of somebody's work: staged, changed and unknown files, hooks that refuse, a stash.
fn make_busy(here: &Path) {
    fs::write(here.join("README.md"), "stashed\n").unwrap();
    git(here, &["stash", "--quiet"]);
    fs::write(here.join("src/lib.rs"), "fn staged() {}\n").unwrap();
    git(here, &["add", "."]);
    fs::write(here.join("src/lib.rs"), "fn changed() {}\n").unwrap();
    fs::write(here.join("unknown"), "?").unwrap();
    git(here, &["checkout", "--quiet", "--detach"]);
    for hook in [
        "pre-push",
        "pre-commit",
        "post-index-change",
        "reference-transaction",
    ] {
        let path = here.join(".git/hooks").join(hook);
        fs::write(&path, "#!/bin/sh\necho ran >>\"$0.ran\"\nexit 1\n").unwrap();
        let all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&path, all).unwrap();
    }
}

#[test]
fn a_work_tree_full_of_work_is_left_alone() {
    let yard = Yard::new();
    let here = yard.clone("here");
    make_busy(&here);
    let before = everything_in(&here);
    assert_pushed(&Publisher::of(&here), "runs/1");
    assert_pushed(&Publisher::of(&here), "runs/2");
    let base = yard.tip("main");
    Publisher::of(&here)
        .put(&base, &[("src/lib.rs", "fn proposed() {}\n")])
        .unwrap();
    let after = everything_in(&here);
    let changed: Vec<_> = after
        .iter()
        .filter(|(path, bytes)| before.get(*path) != Some(*bytes))
        .collect();
    assert!(changed.is_empty(), "{changed:?}");
    assert_eq!(before.len(), after.len());
}

#[test]
fn settings_of_the_user_do_not_get_in_the_way() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let home = yard.path("home");
    fs::create_dir_all(home.join("hooks")).unwrap();
    fs::create_dir_all(home.join("template/hooks")).unwrap();
    let settings = format!(
        "[commit]\ngpgSign = true\n[push]\ngpgSign = true\nfollowTags = true\npushOption = x\ndefault = nothing\n\
         [core]\nhooksPath = {0}/hooks\nfsmonitor = false-program\nautocrlf = true\nattributesFile = {0}/attributes\n\
         [init]\ntemplateDir = {0}/template\n[user]\nuseConfigOnly = true\n[transfer]\nfsckObjects = true\n\
         [fetch]\nprune = true\nrecurseSubmodules = yes\n[i18n]\ncommitEncoding = latin1\n[log]\nshowSignature = true\n",
        home.display()
    );
    fs::write(home.join(".gitconfig"), settings).unwrap();
    fs::write(home.join("attributes"), "* text eol=crlf ident\n").unwrap();
    let stand_in = yard.program(&format!("HOME='{}' exec git \"$@\"", home.display()));
    let publisher = Publisher::of(&here).by(stand_in);
    publisher.append(&[("größe", "a\nb\r\n$Id$ é\n")]).unwrap();
    let files = yard.ask(&[
        "-c",
        "core.quotePath=false",
        "ls-tree",
        "--name-only",
        "tripline/data",
    ]);
    assert_eq!(files, "größe\n");
    assert_eq!(
        yard.ask(&["show", "tripline/data:größe"]),
        "a\nb\r\n$Id$ é\n"
    );
    assert_eq!(
        yard.ask(&["log", "-1", "--format=%G?%e", "tripline/data"]),
        "N\n"
    );
}

#[test]
fn clones_of_every_shape_will_do() {
    let yard = Yard::growing();
    let folder = yard.path("");
    let address = yard.address();
    git(
        &folder,
        &["clone", "--quiet", "--depth=1", &address, "shallow"],
    );
    git(
        &folder,
        &[
            "clone",
            "--quiet",
            "--filter=blob:none",
            &address,
            "partial",
        ],
    );
    git(
        &folder,
        &["clone", "--quiet", "--bare", &address, "bare.git"],
    );
    for shape in ["shallow", "partial", "bare.git"] {
        let here = yard.path(shape);
        let before = everything_in(&here);
        assert_pushed(&Publisher::of(&here), shape);
        assert_eq!(everything_in(&here), before, "{shape}");
    }
    let below = yard.path("shallow/src");
    assert_pushed(&Publisher::of(&below), "below");
    let linked = yard.path("linked");
    git(
        &yard.path("first"),
        &[
            "worktree",
            "add",
            "--quiet",
            "--detach",
            linked.to_str().unwrap(),
        ],
    );
    assert_pushed(&Publisher::of(&linked).to(&address), "linked");
    assert_eq!(yard.files("tripline/data").len(), 5);
    yard.ask(&["fsck", "--full", "--strict"]);
}

#[test]
fn a_remote_is_a_name_an_address_or_a_path_from_the_top() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    let address = yard.address();
    assert_pushed(&Publisher::of(&here).to(&address), "by-address");
    git(&here, &["remote", "add", "beside", "../remote.git"]);
    let below = here.join("src");
    assert_pushed(&Publisher::of(&below).to("beside"), "by-path");
    git(
        &here,
        &[
            "remote",
            "add",
            "renamed",
            "https://forge.invalid/acme/demo",
        ],
    );
    let rewrite = format!("url.{address}.insteadOf");
    git(
        &here,
        &["config", &rewrite, "https://forge.invalid/acme/demo"],
    );
    assert_pushed(&Publisher::of(&here).to("renamed"), "rewritten");
    git(&here, &["config", "remote.renamed.pushurl", &address]);
    assert_pushed(&Publisher::of(&here).to("renamed"), "pushed-elsewhere");
    assert_eq!(yard.files("tripline/data").len(), 4);
}

#[test]
fn settings_of_the_environment_count() {
    let yard = Yard::growing();
    let here = yard.clone("here");
    git(
        &here,
        &[
            "remote",
            "set-url",
            "origin",
            "https://forge.invalid/acme/demo",
        ],
    );
    // For the questions to the repository alone: what is set here would hide what we set.
    let stand_in = yard.program(&format!(
        "[ -n \"$GIT_DIR\" ] || export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0='url.{}.insteadOf' \
         GIT_CONFIG_VALUE_0=https://forge.invalid/acme/demo\nexec git \"$@\"",
        yard.address()
    ));
    assert_pushed(&Publisher::of(&here).by(stand_in), "runs/1");
    assert_eq!(yard.commits("tripline/data").len(), 1);
}
