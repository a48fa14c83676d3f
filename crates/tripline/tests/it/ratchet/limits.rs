//! How far a limit may be crossed is no longer accepted once it is kept by far.

use tripline_model::wire::read_acceptances;

use super::ACCEPTED;
use crate::repository::{Repository, SUITE};

#[test]
fn what_was_accepted_of_the_limit_of_a_time_ends_where_it_is_well_within() {
    let repository = Repository::with_times("get 1100", "get 1200");
    let limit = "[[policy]]\nbecause = \"it is waited for\"\nmetric = \"wall_time\"\nmax = 1000\n";
    repository.write("bench/kv/suite.toml", &format!("{SUITE}{limit}"));
    repository.commit();
    for (key, value) in [
        ("user.name", "Ada Lovelace"),
        ("user.email", "ada@example.org"),
    ] {
        repository.git(&["config", key, value]);
    }
    let updated = |check: i32| {
        repository.tripline(&["check"]).with(check);
        repository.tripline(&["baseline", "update"]).with(0).err
    };
    let accepted = || read_acceptances(&std::fs::read(repository.at(ACCEPTED)).unwrap()).unwrap();
    updated(10);
    let accept = ["baseline", "accept", "get", "--because", "for now"];
    repository.tripline(&accept).with(0);
    updated(0);
    assert_eq!(accepted().iter().count(), 1);
    repository.times("get 990");
    updated(0);
    assert_eq!(accepted().iter().count(), 1);
    repository.times("get 500");
    let said = updated(0);
    assert!(said.contains("is no longer accepted"), "{said}");
    assert_eq!(accepted().iter().count(), 0);
    repository.times("get 1200");
    updated(10);
}
