//! Files of commits.

use fake_github::FaultKind;
use tripline_hub::contents;

use crate::support::{Hub, told, world};

const PLACE: &str = "baselines/kv/accepted.jsonl";

#[test]
fn a_file_is_read_whole_and_one_that_is_not_there_is_none() {
    let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let world = world().with_file("main", PLACE, &bytes);
    let commit = world.home().unwrap().refs["refs/heads/main"]
        .parse()
        .unwrap();
    let hub = Hub::start(world);
    let read = |place: &str| contents::file_at(&hub.client(), &commit, &place.parse().unwrap());
    assert_eq!(read(PLACE).unwrap(), Some(bytes));
    assert_eq!(read("baselines/kv/other.jsonl").unwrap(), None);
    let error = read("baselines/kv").expect_err("it is a folder");
    assert!(told(&error).contains("was not read"), "{}", told(&error));
    hub.fail("GET", "contents", FaultKind::Status(500), 9);
    read(PLACE).expect_err("nobody answers");
}
