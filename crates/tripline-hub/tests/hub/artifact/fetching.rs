//! Found, downloaded and taken, or refused before that.

use fake_github::{FaultKind, Run, World};
use tripline_hub::artifact::{self, ArtifactError, Refusal, Wanted};
use tripline_hub::{Client, RunId};

use crate::support::{
    BASE, HEAD, HOME, Hub, READ_TOKEN, Scripted, TOKEN, answer, clock, deflated, settings, told,
    world,
};

const RUN: RunId = RunId { id: 42, attempt: 1 };
/// The list that holds one artifact.
const LIST: &str = r#"{"total_count": 1, "artifacts": [{"id": 1, "name": "tripline-report", "size_in_bytes": 9, "expired": false}]}"#;
const REPORT: &[u8] = b"{\"format\":\"tripline-report\"}\n";

fn wanted() -> Wanted {
    Wanted {
        artifact: "tripline-report".to_owned(),
        file: "report.jsonl".to_owned(),
        zip_bytes_max: 100_000,
        file_bytes_max: 1_000_000,
    }
}

fn with_report() -> World {
    world().with_artifact(42, "tripline-report", deflated("report.jsonl", REPORT))
}

fn fetch(hub: &Hub) -> Result<Vec<u8>, ArtifactError> {
    fetched(&hub.client())
}

fn fetched(client: &Client) -> Result<Vec<u8>, ArtifactError> {
    artifact::fetch(client, RUN, None, &wanted()).map(|found| found.bytes)
}

fn refusal(hub: &Hub) -> Refusal {
    match fetch(hub) {
        Err(ArtifactError::Refused { refusal, .. }) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn is_found_by_its_exact_name_and_comes_in_one_piece() {
    let other = deflated("report.jsonl", b"other");
    let world = world()
        .with_artifact(41, "tripline-report", other.clone())
        .with_artifact(42, "tripline-report-2", other.clone())
        .with_artifact(42, "Tripline-Report", other)
        .with_artifact(42, "tripline-report", deflated("report.jsonl", REPORT));
    let hub = Hub::start(world);
    assert_eq!(fetch(&hub).unwrap(), REPORT);
    let requests = hub.requests();
    assert_eq!(requests.len(), 3, "{requests:?}");
    assert_eq!(requests[0], "GET actions/runs/42/artifacts 200");
    assert!(requests[1].starts_with("GET actions/artifacts/") && requests[1].ends_with("/zip 302"));
    let store = &hub.fake.seen()[2];
    assert_eq!(
        (store.token.as_deref(), store.status),
        (None, 200),
        "the store sees no token"
    );
}

#[test]
fn of_several_attempts_the_latest_counts() {
    let world = world()
        .with_artifact(42, "tripline-report", deflated("report.jsonl", b"first"))
        .with_artifact(42, "tripline-report", deflated("report.jsonl", b"second"));
    assert_eq!(fetch(&Hub::start(world)).unwrap(), b"second");
}

#[test]
fn what_is_not_there_is_said() {
    let hub = Hub::start(world().with_artifact(42, "logs", deflated("x", b"x")));
    let error = fetch(&hub).expect_err("there is none");
    insta::assert_snapshot!(told(&error), @r"
        artifact `tripline-report` of run 42 was not read
          caused by: the run has no artifact of that name
        ");
}

#[test]
fn what_has_expired_is_said() {
    let mut world = with_report();
    world.artifacts[0].expired = true;
    let hub = Hub::start(world);
    assert_eq!(refusal(&hub), Refusal::Expired);
    assert_eq!(hub.requests().len(), 1, "nothing was downloaded");
    // It can expire between question and download, too.
    let hub = Hub::start(with_report());
    hub.fail("GET", "actions/artifacts", FaultKind::Status(410), 1);
    assert_eq!(refusal(&hub), Refusal::Expired);
}

#[test]
fn what_is_too_large_is_not_downloaded() {
    let mut world = with_report();
    world.artifacts[0].size_in_bytes = 5_000_000_000;
    let hub = Hub::start(world);
    let error = fetch(&hub).expect_err("it is too large");
    insta::assert_snapshot!(told(&error), @r"
        artifact `tripline-report` of run 42 was not read
          caused by: it is larger than 100000 bytes: 5000000000
        ");
    assert_eq!(hub.requests().len(), 1);
}

#[test]
fn what_is_larger_than_it_says_is_not_read_to_its_end() {
    let mut world = world().with_artifact(42, "tripline-report", vec![0; 100_001]);
    world.artifacts[0].size_in_bytes = 7;
    let hub = Hub::start(world);
    let refusal = refusal(&hub);
    assert_eq!(
        refusal,
        Refusal::ZipTooLarge {
            bytes: None,
            bytes_max: 100_000
        }
    );
    assert_eq!(refusal.to_string(), "it is larger than 100000 bytes");
}

#[test]
fn a_hostile_file_is_a_refusal_and_an_outage_is_not() {
    let hub = Hub::start(world().with_artifact(42, "tripline-report", "no zip"));
    let error = fetch(&hub).expect_err("it is no zip file");
    insta::assert_snapshot!(told(&error), @r"
        artifact `tripline-report` of run 42 was not read
          caused by: it is no zip file as runners make it: it does not end where a zip file ends
        ");
    let hub = Hub::start(with_report());
    hub.fail("GET", "actions/artifacts", FaultKind::Status(502), 9);
    assert!(matches!(fetch(&hub), Err(ArtifactError::Hub(_))));
}

#[test]
fn the_store_is_asked_again_through_the_interface_and_never_sees_the_token() {
    let cut = b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nPK".to_vec();
    let [late, ill] =
        ["403 Forbidden", "503 Service Unavailable"].map(|status| answer(status, "", ""));
    for trouble in [cut, late, ill] {
        let server = Scripted::start_with(|url| {
            let away = answer(
                "302 Found",
                &format!("location: {url}/store/1.zip?sig=x\r\n"),
                "",
            );
            let zip = answer("200 OK", "", deflated("report.jsonl", REPORT));
            vec![answer("200 OK", "", LIST), away.clone(), trouble, away, zip]
        });
        let clock = clock();
        let client = Client::new(settings(&server.url(), TOKEN, clock.clone()));
        assert_eq!(fetched(&client).unwrap(), REPORT);
        let heard = server.heard();
        let knows = |at: usize| heard[at].contains(TOKEN);
        assert_eq!(
            [0, 1, 2, 3, 4].map(knows),
            [true, true, false, true, false],
            "{heard:?}"
        );
        assert_eq!(clock.sleeps().len(), 1);
    }
}

#[test]
fn a_circle_has_an_end() {
    let hub = Hub::start(with_report());
    hub.fail("GET", "actions/artifacts", FaultKind::Redirect, 99);
    let error = fetch(&hub).expect_err("it goes in a circle");
    assert!(
        told(&error).ends_with("GitHub sends us on more than 3 times"),
        "{}",
        told(&error)
    );
    assert_eq!(
        hub.fake
            .seen()
            .iter()
            .filter(|seen| seen.token.is_some())
            .count(),
        2,
        "the list and the first hop"
    );
}

#[test]
fn where_the_token_could_be_read_along_we_do_not_go() {
    for location in [
        "location: http://store.example/x.zip\r\n",
        "location: ftp://127.0.0.1/x.zip\r\n",
        "location: file:///etc/passwd\r\n",
        "location: http://[\r\n",
        "",
    ] {
        let away = answer("302 Found", location, "");
        let server = Scripted::start(&[answer("200 OK", "", LIST), away]);
        let client = Client::new(settings(&server.url(), TOKEN, clock()));
        let error = fetched(&client).expect_err("nobody goes there");
        assert!(
            told(&error).contains("GitHub sends us on"),
            "{}",
            told(&error)
        );
        assert_eq!(server.heard().len(), 2);
        assert!(server.heard()[1].contains(&format!("/repos/{HOME}/actions/artifacts/1/zip")));
    }
}

#[test]
fn reading_takes_no_right_to_write() {
    let hub = Hub::start(with_report());
    let bytes = fetched(&hub.client_with(READ_TOKEN)).unwrap();
    assert_eq!(bytes, REPORT);
}

#[test]
fn what_an_earlier_attempt_left_is_not_what_this_one_measured() {
    let old = deflated("report.jsonl", b"first");
    let mut world = world().with_artifact(42, "tripline-report", old);
    world.artifacts[0].created_at = "2026-02-01T10:00:00Z".to_owned();
    let hub = Hub::start(world);
    let since = |start: &str| {
        let start = Some(start.parse().unwrap());
        artifact::fetch(&hub.client(), RUN, start, &wanted()).map(|found| found.bytes)
    };
    assert_eq!(since("2026-02-01T09:30:00Z").unwrap(), b"first");
    assert_eq!(since("2026-02-01T10:00:00Z").unwrap(), b"first");
    let late = since("2026-02-01T10:00:01Z");
    assert!(
        matches!(
            late,
            Err(ArtifactError::Refused {
                refusal: Refusal::Missing,
                ..
            })
        ),
        "{late:?}"
    );

    let new = deflated("report.jsonl", b"second");
    let mut world = std::mem::take(&mut *hub.fake.world());
    world = world.with_artifact(42, "tripline-report", new);
    world.artifacts[1].created_at = "2026-02-01T11:00:00Z".to_owned();
    *hub.fake.world() = world;
    assert_eq!(since("2026-02-01T10:30:00Z").unwrap(), b"second");
}

/// A world with the run that left artifact `NUMBER`, on a commit of a branch of the repository itself or of a fork.
fn with_run(repository: &str) -> (World, u64) {
    let world = with_report().with_fork("mallory/demo").with_run(Run {
        id: 42,
        head_repository: repository.to_owned(),
        head_branch: "feature".to_owned(),
        head_sha: HEAD.to_owned(),
        ..Run::default()
    });
    let number = world.artifacts[0].id;
    (world, number)
}

#[test]
fn a_number_stands_for_one_upload_at_one_commit() {
    let (world, number) = with_run(HOME);
    let hub = Hub::start(world);
    let asked = |number: u64, head: &str| {
        let head = head.parse().unwrap();
        artifact::fetch_numbered(&hub.client(), number, (&head, &|_| Ok(false)), &wanted())
    };
    let (of, found) = asked(number, HEAD).unwrap();
    assert_eq!(of.as_str(), HEAD);
    assert_eq!((found.number, &found.bytes[..]), (number, REPORT));
    assert_eq!(hub.requests().len(), 3, "{:?}", hub.requests());
    let error = asked(number, BASE).expect_err("it is of another commit");
    assert_eq!(
        told(&error),
        format!(
            "artifact {number} was not read\n  caused by: no run of this repository on 2222222222 left one of that number"
        )
    );
    let foreign = |result: Result<_, ArtifactError>| {
        matches!(
            result,
            Err(ArtifactError::Refused {
                refusal: Refusal::Foreign { .. },
                ..
            })
        )
    };
    assert!(foreign(asked(1, HEAD)), "there is none");
    hub.fake.world().artifacts[0].name = "coverage".to_owned();
    assert!(foreign(asked(number, HEAD)), "it is another's");
    hub.fake.world().artifacts[0].name = "tripline-report".to_owned();
    hub.fake.world().artifacts[0].expired = true;
    assert!(matches!(
        asked(number, HEAD),
        Err(ArtifactError::Refused {
            refusal: Refusal::Expired,
            ..
        })
    ));
}

#[test]
fn a_forks_upload_on_the_same_commit_is_not_the_repositorys() {
    let (world, number) = with_run("mallory/demo");
    let hub = Hub::start(world);
    let head = HEAD.parse().unwrap();
    artifact::fetch_numbered(&hub.client(), number, (&head, &|_| Ok(false)), &wanted())
        .expect_err("it is a fork's");
}
