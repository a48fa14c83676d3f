//! Counts that follow from the seed alone: what a world does, it does again.

use std::time::Duration;

use workload_transport::Line;

use crate::pair::{MILLISECOND, ONE, Pair, TWO, content};

#[test]
fn the_same_seed_gives_the_same_packets() {
    let run = |seed| {
        let line = Line {
            lost: 50_000,
            repeated: 50_000,
            late: 50_000,
            changed: 50_000,
            rate: Some(100_000_000),
            ..Line::new(5 * MILLISECOND)
        };
        let mut pair = Pair::new(seed, line, Default::default());
        let message = content(300_000, 1);
        pair.send(ONE, message.clone());
        pair.run(Duration::from_secs(30));
        assert_eq!(pair.messages(TWO), [&message[..]]);
        let id = pair.id(ONE);
        let ended = pair.seen[TWO].streams[&0].1;
        let statistics = pair.world.endpoint(ONE).statistics(id);
        (pair.world.carried(), statistics, ended)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn two_streams_share_a_slow_line_evenly_and_queues_stay_at_the_target() {
    let line = Line {
        rate: Some(20_000_000),
        queue: 4 << 20,
        ..Line::new(10 * MILLISECOND)
    };
    let mut pair = Pair::new(1, line, Default::default());
    pair.run(Duration::from_secs(1));
    for _ in 0..2 {
        pair.send(ONE, content(3 << 20, 1));
    }
    // Long before the end, and long after the beginning.
    pair.run(Duration::from_millis(1_500));
    let read: Vec<usize> = pair.seen[TWO]
        .streams
        .values()
        .map(|(bytes, _)| bytes.len())
        .collect();
    assert!(read[0].abs_diff(read[1]) <= 64 << 10, "{read:?}");
    let id = pair.id(ONE);
    let statistics = pair.world.endpoint(ONE).statistics(id).unwrap();
    assert!(statistics.queueing <= 90 * MILLISECOND, "{statistics:?}");
    assert_eq!(statistics.packets_lost, 0);
    // The line is busy: of the 50 bits that it could carry each 2.5 bytes' time, nearly all are ours.
    let total: usize = read.iter().sum();
    assert!(total > 3_200_000, "{total}");
}
