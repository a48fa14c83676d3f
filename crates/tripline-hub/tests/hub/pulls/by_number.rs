//! One pull request by its number.

use fake_github::{Pull, PullState, Side};
use tripline_hub::pulls;

use crate::support::{BASE, HEAD, HOME, Hub, world};

#[test]
fn it_is_open_and_of_the_repository_or_of_a_fork() {
    let fork = Pull::new(
        8,
        Side::new("mallory/demo", "main", BASE),
        Side::new(HOME, "main", BASE),
    );
    let hub = Hub::start(world().with_fork("mallory/demo").with_pull(fork));
    let ours = pulls::by_number(&hub.client(), 7).unwrap().unwrap();
    assert_eq!(
        (ours.number, ours.head.as_str(), ours.is_of_repository),
        (7, HEAD, true)
    );
    assert_eq!(ours.branch.as_str(), "feature");
    let theirs = pulls::by_number(&hub.client(), 8).unwrap().unwrap();
    assert!(!theirs.is_of_repository);
    hub.fake.world().pull_mut(7).unwrap().state = PullState::Closed;
    assert_eq!(pulls::by_number(&hub.client(), 7).unwrap(), None);
    pulls::by_number(&hub.client(), 99).expect_err("there is none");
}
