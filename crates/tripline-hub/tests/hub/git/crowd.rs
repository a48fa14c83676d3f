//! Many publishers at once: one wins a round, and in the end nothing is lost and nothing is there twice.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

use tripline_hub::git::Pushed;

use super::yard::{Publisher, Yard, tries};

const PUBLISHERS: usize = 12;

/// All begin at once on a branch that is not there, so the first round is a race to create it.
#[test]
fn twelve_publishers_lose_nothing() {
    let yard = Yard::growing();
    let clones: Vec<_> = (0..PUBLISHERS)
        .map(|at| yard.clone(&format!("clone{at}")))
        .collect();
    let begin = Barrier::new(PUBLISHERS);
    let publish = |at: usize| {
        let publisher = Publisher {
            tries: tries(at as u64),
            ..Publisher::of(&clones[at])
        };
        let path = format!("runs/{at}.jsonl");
        let text = format!("run {at}\n");
        begin.wait();
        publisher
            .append(&[(&path, &text), ("format", "1\n")])
            .unwrap()
    };
    let publish = &publish;
    let pushed: Vec<Pushed> = thread::scope(|scope| {
        let threads: Vec<_> = (0..PUBLISHERS)
            .map(|at| scope.spawn(move || publish(at)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });

    let files = yard.files("tripline/data");
    assert_eq!(files.len(), PUBLISHERS + 1);
    for at in 0..PUBLISHERS {
        assert_eq!(files[&format!("runs/{at}.jsonl")], format!("run {at}\n"));
    }
    let commits: BTreeSet<String> = yard.commits("tripline/data").into_iter().collect();
    let theirs = pushed.iter().map(|pushed| match pushed {
        Pushed::Commit { id, .. } => id.to_string(),
        other => panic!("{other:?}"),
    });
    assert_eq!(
        commits,
        theirs.collect::<BTreeSet<_>>(),
        "one commit each, and no other"
    );
    assert_eq!(commits.len(), PUBLISHERS);
    let roots = yard.ask(&["rev-list", "--max-parents=0", "tripline/data"]);
    assert_eq!(roots.lines().count(), 1, "one race, one beginning");
    assert_eq!(yard.ask(&["rev-list", "--merges", "tripline/data"]), "");
    yard.ask(&["fsck", "--full", "--strict"]);
}
