//! Artifacts: found by run and name, kept elsewhere, and gone after a while.

use std::fs;

use fake_github::{Artifact, Fake};
use serde_json::json;

use crate::client::{Client, world};

#[test]
fn they_are_found_by_run_and_name() {
    let world = world()
        .with_artifact(42, "tripline-report", *b"old")
        .with_artifact(42, "tripline-report", *b"new")
        .with_artifact(42, "tripline-report-2", *b"other")
        .with_artifact(43, "tripline-report", *b"of another run");
    let fake = Fake::start(world);
    let bot = Client::new(&fake, "t-read");
    let found = bot.get("/actions/runs/42/artifacts?name=tripline-report&per_page=100");
    assert_eq!(found.body["total_count"], 2);
    let first = &found.body["artifacts"][0];
    assert_eq!(first["size_in_bytes"], 3);
    assert_eq!(first["workflow_run"]["id"], 42);
    let created = |at: usize| found.body["artifacts"][at]["created_at"].as_str();
    assert!(created(0) > created(1), "each has its own time");
    assert!(
        first["id"].as_u64() > found.body["artifacts"][1]["id"].as_u64(),
        "the newest first"
    );
    assert_eq!(bot.get("/actions/runs/42/artifacts").body["total_count"], 3);
    assert_eq!(bot.get("/actions/artifacts").body["total_count"], 4);
    assert_eq!(bot.get("/actions/runs/44/artifacts").status, 404);
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn bytes_are_kept_at_another_host() {
    let fake = Fake::start(world().with_artifact(42, "tripline-report", *b"PK"));
    let id = fake.world().artifacts[0].id;
    let place = format!("/actions/artifacts/{id}/zip");
    let answer = Client::new(&fake, "t-read").get(&place);
    assert_eq!((answer.status, answer.bytes.len()), (302, 0));
    assert_eq!(answer.header("content-type"), None);
    let elsewhere = answer.header("location").unwrap().to_owned();
    assert!(
        elsewhere.starts_with(&format!("http://localhost:{}/", fake.port())),
        "{elsewhere}"
    );

    let stranger = Client::at("", None).get(&elsewhere);
    assert_eq!(
        (stranger.status, stranger.bytes.as_slice()),
        (200, b"PK".as_slice())
    );
    assert_eq!(stranger.header("content-type"), Some("application/zip"));
    assert_eq!(fake.violations(), [""; 0]);
    // Whoever sends the token along has shown it to somebody else.
    assert_eq!(Client::new(&fake, "t-read").get(&elsewhere).status, 400);
    assert_eq!(
        fake.violations(),
        ["a token was sent to where artifacts are kept"]
    );
    // And without any token, even what is public is not handed out.
    assert_eq!(Client::at(&fake.url(), None).get(&place).status, 401);
}

#[test]
fn what_expired_is_listed_and_gone() {
    let fake = Fake::start(world().with_artifact(42, "tripline-report", *b"PK"));
    fake.world().artifacts[0].expired = true;
    let bot = Client::new(&fake, "t-read");
    let listed = bot.get("/actions/runs/42/artifacts");
    assert_eq!(listed.body["artifacts"][0]["expired"], true);
    let id = listed.body["artifacts"][0]["id"].as_u64().unwrap();
    let gone = bot.get(&format!("/actions/artifacts/{id}/zip"));
    let wanted = json!({
        "message": "Artifact has expired",
        "documentation_url": "https://docs.github.com/rest/actions/artifacts#download-an-artifact",
        "status": "410",
    });
    assert_eq!((gone.status, gone.body), (410, wanted));
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn files_of_a_folder_are_artifacts_from_when_they_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = world();
    world.artifact_folder = Some(folder.path().to_owned());
    let fake = Fake::start(world);
    let bot = Client::new(&fake, "t-read");
    assert_eq!(bot.get("/actions/runs/42/artifacts").body["total_count"], 0);
    fs::create_dir(folder.path().join("42")).unwrap();
    fs::write(folder.path().join("42/tripline-report.zip"), b"PK").unwrap();
    let found = bot.get("/actions/runs/42/artifacts?name=tripline-report");
    assert_eq!(found.body["artifacts"][0]["size_in_bytes"], 2);
    let place = found.body["artifacts"][0]["archive_download_url"]
        .as_str()
        .unwrap();
    let elsewhere = bot.get(place).header("location").unwrap().to_owned();
    assert_eq!(Client::at("", None).get(&elsewhere).bytes, b"PK");
    // Asked again, it is the same one.
    assert_eq!(bot.get("/actions/artifacts").body["total_count"], 1);
}

#[test]
fn a_size_may_be_a_lie() {
    let mut world = world();
    world.artifacts.push(Artifact {
        size_in_bytes: 1 << 40,
        ..Artifact::new(1, 42, "tripline-report", b"PK".to_vec())
    });
    let fake = Fake::start(world);
    let listed = Client::new(&fake, "t-read").get("/actions/runs/42/artifacts");
    assert_eq!(listed.body["artifacts"][0]["size_in_bytes"], 1_u64 << 40);
}
