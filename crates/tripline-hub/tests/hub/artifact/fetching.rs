//! Found, downloaded and taken, or refused before that.

use fake_github::{FaultKind, World};
use tripline_hub::artifact::{self, ArtifactError, Refusal, Wanted};
use tripline_hub::{Client, RunId};

use crate::support::{
    HOME, Hub, READ_TOKEN, Scripted, TOKEN, answer, clock, deflated, settings, told, world,
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
    artifact::fetch(&hub.client(), RUN, &wanted())
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
        assert_eq!(artifact::fetch(&client, RUN, &wanted()).unwrap(), REPORT);
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
        let error = artifact::fetch(&client, RUN, &wanted()).expect_err("nobody goes there");
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
    let bytes = artifact::fetch(&hub.client_with(READ_TOKEN), RUN, &wanted()).unwrap();
    assert_eq!(bytes, REPORT);
}
