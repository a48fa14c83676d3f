//! How many requests the way from a finished run to a comment takes, and what it writes on the way.

use std::num::NonZeroU32;

use tripline_hub::artifact::{self, Wanted};
use tripline_hub::check::{self, Check, Conclusion};
use tripline_hub::comment;
use tripline_hub::jobs::{self, Left};
use tripline_hub::pulls::{self, Identity};
use tripline_hub::runner::commands::{Annotation, Level};

use crate::comment::comment;
use crate::support::{HEAD, HOME, Hub, deflated, run_of, world};

/// The most requests to the interface in the common case; where GitHub keeps artifacts is elsewhere.
const REQUESTS_MAX: usize = 6;

/// A regression is marked beside the code.
fn annotation(line: u32) -> Annotation {
    Annotation {
        level: Level::Error,
        file: Some("bench/kv/suite.toml".to_owned()),
        line: NonZeroU32::new(line),
        title: None,
        message: "it got slower".to_owned(),
    }
}

fn publish(hub: &Hub, run: u64) {
    let client = hub.client();
    let mut ended = run_of(&hub.fake.world(), HOME, "feature", HEAD);
    ended.run.id = run;
    let wanted = Wanted {
        artifact: "tripline-report".to_owned(),
        file: "report.jsonl".to_owned(),
        zip_bytes_max: 1 << 20,
        file_bytes_max: 1 << 20,
    };
    assert_eq!(
        jobs::left_by(&client, ended.run, "judge").unwrap(),
        Left::Any
    );
    artifact::fetch(&client, ended.run, None, &wanted).unwrap();
    let identity = pulls::of_run(&client, &ended).unwrap();
    let Identity::One(pull) = identity else {
        panic!("{identity}");
    };
    assert_eq!(pull.number, 7);
    comment::publish(&client, &comment(run)).unwrap();
    let check = Check {
        name: "tripline".to_owned(),
        head: pull.head,
        conclusion: Conclusion::Success,
        title: "Nothing got slower".to_owned(),
        summary: "All of it.".to_owned(),
        text: None,
        annotations: (1..=3).map(annotation).collect(),
        details_page: None,
    };
    check::create(&client, &check).unwrap();
}

#[test]
fn a_first_and_a_second_push_take_six_requests_each() {
    let zip = deflated("report.jsonl", b"{}\n");
    let world = world()
        .with_artifact(42, "tripline-report", zip.clone())
        .with_artifact(43, "tripline-report", zip);
    let hub = Hub::start(world);
    let mut before = 0;
    for run in [42, 43] {
        publish(&hub, run);
        let all: Vec<String> = hub
            .requests()
            .into_iter()
            .filter(|it| !it.contains("/_artifacts/"))
            .collect();
        let requests = &all[before..];
        assert!(requests.len() <= REQUESTS_MAX, "{requests:?}");
        before = all.len();
    }
    assert_eq!(hub.fake.world().comments_on(7).len(), 1);
}
