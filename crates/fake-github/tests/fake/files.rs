//! Files and branches: written through GitHub, or read from a repository on disk.

use std::{path::Path, process::Command};

use fake_github::Fake;
use serde_json::json;

use crate::client::{Client, MAIN, world};

#[test]
fn a_file_is_written_and_read() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let one = json!({"message": "Add", "content": "b25l\n", "branch": "main"});
    let made = bot.put("/contents/a/b.txt", &one);
    assert_eq!(made.status, 201);
    let sha = made.body["content"]["sha"].clone();
    let commit = made.body["commit"]["sha"].as_str().unwrap();
    assert_eq!(bot.get("/branches/main").body["commit"]["sha"], commit);
    assert_eq!(
        bot.get(&format!("/commits/{commit}")).body["parents"][0]["sha"],
        MAIN
    );

    let two = json!({"message": "Change", "content": "dHdv", "sha": sha});
    assert_eq!(bot.put("/contents/a/b.txt", &two).status, 200);
    let read = bot.get("/contents/a/b.txt");
    assert_eq!(
        (&read.body["content"], &read.body["size"]),
        (&json!("dHdv"), &json!(3))
    );
    let old = bot.get(&format!("/contents/a/b.txt?ref={commit}"));
    assert_eq!(old.body["content"], "b25l");
    let folder = bot.get("/contents/a");
    assert_eq!(folder.body[0]["path"], "a/b.txt");
    assert_eq!(bot.get("/contents/c").status, 404);
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn commits_are_compared() {
    let fake = Fake::start(world().with_file("main", "a.txt", b"one"));
    let bot = Client::new(&fake, "t-write");
    let main = bot.get("/git/ref/heads/main").body["object"]["sha"].clone();
    bot.post("/git/refs", &json!({"ref": "refs/heads/side", "sha": main}));
    for (branch, path) in [("side", "b.txt"), ("side", "c.txt"), ("main", "d.txt")] {
        let file = json!({"message": "Add", "content": "", "branch": branch});
        assert_eq!(bot.put(&format!("/contents/{path}"), &file).status, 201);
    }
    let compared = bot.get("/compare/main...side").body;
    assert_eq!(compared["status"], "diverged");
    assert_eq!([&compared["ahead_by"], &compared["behind_by"]], [2, 1]);
    assert_eq!(compared["merge_base_commit"]["sha"], main);
    assert_eq!(bot.get("/compare/main...main").body["status"], "identical");
    let side = bot.get("/commits?sha=side&per_page=2");
    assert_eq!(side.body.as_array().unwrap().len(), 2);
    assert!(side.link("next").is_some());
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn names_with_slashes_are_one_name() {
    let fake = Fake::start(world());
    let bot = Client::new(&fake, "t-write");
    let new = json!({"ref": "refs/heads/tripline/baselines", "sha": MAIN});
    assert_eq!(bot.post("/git/refs", &new).status, 201);
    for path in [
        "/branches/tripline/baselines",
        "/branches/tripline%2Fbaselines",
        "/git/ref/heads/tripline/baselines",
        "/commits/tripline/baselines",
    ] {
        assert_eq!(bot.get(path).status, 200, "{path}");
    }
    let found = bot.get("/git/matching-refs/heads/tripline/").body;
    assert_eq!(found[0]["ref"], "refs/heads/tripline/baselines");
    assert_eq!(found.as_array().unwrap().len(), 1);
}

#[test]
fn branches_may_come_from_a_repository_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| run_git(folder.path(), arguments);
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["commit", "--quiet", "--allow-empty", "--message=One"]);
    let mut world = world();
    world.repositories[0].git = Some(folder.path().join(".git"));
    let fake = Fake::start(world);
    let bot = Client::new(&fake, "t-write");
    assert_eq!(
        bot.get("/branches/main").body["commit"]["sha"],
        git(&["rev-parse", "main"])
    );
    git(&["switch", "--quiet", "--create", "baselines"]);
    git(&["commit", "--quiet", "--allow-empty", "--message=Two"]);
    let new = json!({"title": "Baselines", "head": "baselines", "base": "main"});
    let made = bot.post("/pulls", &new);
    assert_eq!(
        (made.status, &made.body["head"]["sha"]),
        (201, &json!(git(&["rev-parse", "HEAD"])))
    );
    git(&["commit", "--quiet", "--allow-empty", "--message=Three"]);
    let number = &made.body["number"];
    let head = bot.get(&format!("/pulls/{number}")).body["head"]["sha"].clone();
    assert_eq!(head, git(&["rev-parse", "HEAD"]));
}

fn run_git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .args(["-c", "user.name=test", "-c", "user.email=test@localhost"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
