//! Lines that lose, repeat, reorder and change; sides that move, vanish or wake up much later.

use std::time::Duration;

use bytes::Bytes;
use workload_transport::{Ended, Event, Line, Settings, Time, World};

use crate::pair::{MILLISECOND, ONE, Pair, TWO, content};

/// Sends a message a second each way for a minute, over a line that loses a third of all, and then lets a line that loses
/// nothing bring what is left. Returns what each side sent.
fn talked_for_a_minute(pair: &mut Pair, messages: &[Bytes]) -> [Vec<Bytes>; 2] {
    let line = Line::new(20 * MILLISECOND);
    let lossy = Line {
        lost: 300_000,
        ..line
    };
    let mut sent = [Vec::new(), Vec::new()];
    pair.world.set_line(lossy);
    for second in 0..60 {
        for side in [ONE, TWO] {
            if pair.seen[side].id.is_some() && pair.seen[side].ended.is_none() {
                let message = &messages[(second + side) % messages.len()];
                let stream = pair.send(side, message.clone());
                assert_eq!(stream, sent[side].len() as u64);
                sent[side].push(message.clone());
            }
        }
        pair.run(Duration::from_secs(1));
    }
    pair.world.set_line(line);
    pair.run(Duration::from_secs(40));
    sent
}

#[test]
fn a_third_lost_for_a_minute_and_everything_arrives_once_or_an_error_comes() {
    let mut failed = 0;
    let messages = [1, 300, 5_000].map(|length| content(length, length));
    for seed in 0..1_000 {
        let line = Line::new(20 * MILLISECOND);
        let mut pair = Pair::new(seed, line, Default::default());
        let sent = talked_for_a_minute(&mut pair, &messages);
        for side in [ONE, TWO] {
            pair.has_read_only(side, &sent[1 - side]);
            if let Some((when, ended)) = pair.seen[side].ended {
                assert!(when < Time::ZERO + Duration::from_secs(100), "{seed}");
                let is_of_the_line = matches!(ended, Ended::NoAnswer | Ended::Silent);
                assert!(is_of_the_line, "{seed}: {ended}");
            }
        }
        if pair.seen.iter().any(|seen| seen.ended.is_some()) {
            failed += 1;
            continue;
        }
        for side in [ONE, TWO] {
            assert!(sent[side].len() > 40, "{seed}");
            assert_eq!(pair.messages(1 - side), sent[side], "{seed}");
            assert_eq!(pair.seen[side].delivered.len(), sent[side].len(), "{seed}");
        }
    }
    // Ten seconds without a first message, or thirty without any packet, hardly ever happen.
    assert!(failed <= 10, "{failed}");
}

#[test]
fn every_fault_at_once_changes_nothing() {
    for seed in 0..100 {
        let line = Line {
            lost: 100_000,
            repeated: 100_000,
            late: 100_000,
            changed: 100_000,
            ..Line::new(MILLISECOND)
        };
        let mut pair = Pair::new(seed, line, Default::default());
        let message = content(100_000, seed as usize);
        pair.send(ONE, message.clone());
        pair.run(Duration::from_secs(30));
        assert_eq!(pair.messages(TWO), [&message[..]], "{seed}");
        assert_eq!(pair.seen.each_ref().map(|seen| seen.ended), [None; 2]);
        let [one, two] = [ONE, TWO].map(|side| {
            let id = pair.id(side);
            pair.world.endpoint(side).statistics(id).unwrap()
        });
        assert!(two.refused > 0 && two.repeated > 0 && one.packets_lost > 0);
    }
}

#[test]
fn one_lost_packet_comes_again_long_before_a_timeout() {
    let mut pair = Pair::connected(10 * MILLISECOND);
    pair.run(Duration::from_secs(1));
    let line = Line::new(10 * MILLISECOND);
    let began = pair.world.now();
    pair.send(ONE, content(1_000, 1));
    pair.world.set_line(Line {
        lost: 1_000_000,
        ..line
    });
    pair.world.flush();
    pair.world.set_line(line);
    pair.send(ONE, content(20_000, 1));
    pair.run(Duration::from_secs(1));
    let ended = pair.seen[TWO].streams[&0].1.unwrap();
    assert!(
        ended.since(began) < 35 * MILLISECOND,
        "{:?}",
        ended.since(began)
    );
    let id = pair.id(ONE);
    let statistics = pair.world.endpoint(ONE).statistics(id).unwrap();
    assert_eq!((statistics.packets_lost, statistics.timeouts), (1, 0));
}

#[test]
fn a_line_slower_than_any_wait_delivers_and_is_measured() {
    for millis in [1_100, 2_000] {
        let line = Line::new(millis * MILLISECOND);
        let mut pair = Pair::new(1, line, Default::default());
        let message = content(100, 1);
        pair.send(ONE, message.clone());
        pair.run(Duration::from_secs(30));
        assert_eq!(pair.messages(TWO), [&message[..]], "{millis}");
        assert_eq!(pair.seen[ONE].delivered.len(), 1, "{millis}");
        let id = pair.id(ONE);
        let statistics = pair.world.endpoint(ONE).statistics(id).unwrap();
        assert!(statistics.round_trip >= line.delay * 2, "{statistics:?}");
        // Once it is known how long an answer takes, nothing is sent twice.
        let before = statistics.timeouts;
        pair.send(ONE, content(20_000, 2));
        pair.run(Duration::from_secs(60));
        let statistics = pair.world.endpoint(ONE).statistics(id).unwrap();
        assert_eq!((statistics.timeouts, statistics.buffered), (before, 0));
        assert_eq!(pair.seen.each_ref().map(|seen| seen.ended), [None; 2]);
    }
}

#[test]
fn a_peer_that_vanishes_is_noticed() {
    let mut pair = Pair::connected(MILLISECOND);
    let line = Line {
        lost: 1_000_000,
        ..Line::new(MILLISECOND)
    };
    pair.world.set_line(line);
    let began = pair.world.now();
    pair.send(ONE, content(1 << 20, 1));
    let before = pair.world.carried().datagrams;
    pair.run(Duration::from_secs(31));
    for seen in &pair.seen {
        let (when, ended) = seen.ended.unwrap();
        assert_eq!(ended, Ended::Silent);
        assert!(when.since(began) <= Duration::from_secs(31));
    }
    // It asks less and less often.
    let asked = pair.world.carried().datagrams - before;
    assert!(asked < 100, "{asked}");
    let [one, two] = [ONE, TWO].map(|side| pair.world.endpoint(side).connections());
    assert_eq!((one, two), (0, 0));
}

#[test]
fn what_nobody_read_goes_with_the_connection_when_it_is_closed() {
    let mut pair = Pair::connected(MILLISECOND);
    pair.reads[TWO] = false;
    pair.send(ONE, content(100, 1));
    pair.run(2 * MILLISECOND);
    pair.close(ONE, 0);
    pair.run(Duration::from_secs(5));
    assert_eq!(pair.seen[TWO].ended.unwrap().1, Ended::There(0));
    assert_eq!(pair.world.endpoint(TWO).connections(), 1);
    pair.close(TWO, 0);
    pair.world.flush();
    assert_eq!(pair.world.endpoint(TWO).connections(), 0);
}

#[test]
fn an_idle_connection_stays_and_without_a_sign_of_life_it_ends() {
    let mut pair = Pair::connected(MILLISECOND);
    let before = pair.world.carried().datagrams;
    pair.run(Duration::from_secs(3_600));
    assert_eq!(pair.seen.each_ref().map(|seen| seen.ended), [None; 2]);
    let signs = pair.world.carried().datagrams - before;
    assert!((600..=1_500).contains(&signs), "{signs}");

    let quiet = Settings {
        keep_alive: None,
        ..Settings::default()
    };
    let mut pair = Pair::new(1, Line::new(MILLISECOND), [quiet.clone(), quiet]);
    pair.run(Duration::from_secs(29));
    assert_eq!(pair.seen[ONE].ended, None);
    pair.run(Duration::from_secs(2));
    assert_eq!(pair.seen[ONE].ended.unwrap().1, Ended::Silent);
}

#[test]
fn a_side_that_moves_goes_on_and_its_end_is_heard() {
    let mut pair = Pair::connected(MILLISECOND);
    let message = content(200_000, 1);
    pair.send(ONE, message.clone());
    pair.run(2 * MILLISECOND);
    pair.world.move_to(ONE, World::address(77));
    pair.run(Duration::from_secs(5));
    assert_eq!(pair.messages(TWO), [&message[..]]);
    let id = pair.id(TWO);
    assert_eq!(
        pair.world.endpoint(TWO).statistics(id).unwrap().migrations,
        1
    );
    // The other side closes at the moment of another move: its word goes to where nobody is any more.
    pair.send(ONE, content(100, 1));
    pair.close(TWO, 9);
    pair.world.flush();
    pair.world.move_to(ONE, World::address(78));
    pair.run(Duration::from_secs(2));
    assert_eq!(pair.seen[ONE].ended.unwrap().1, Ended::There(9));
}

#[test]
fn an_address_that_does_not_answer_gets_little() {
    let mut pair = Pair::connected(MILLISECOND);
    let message = content(100_000, 1);
    pair.send(TWO, message.clone());
    // Somebody passes one packet on, from where nobody is.
    pair.send(ONE, content(100, 1));
    let now = pair.world.now();
    let mut passed_on = Vec::new();
    let one = pair.world.endpoint(ONE);
    one.poll_transmit(now, 1, &mut passed_on).unwrap();
    let nobody = World::address(99);
    pair.world.inject(TWO, nobody, &passed_on);
    let two = pair.world.endpoint(TWO);
    let (mut out, mut bytes) = (Vec::new(), 0);
    while let Some(sent) = two.poll_transmit(now, 44, &mut out) {
        assert_eq!(sent.to, nobody);
        bytes += sent.bytes;
    }
    assert!((1..=3 * passed_on.len()).contains(&bytes), "{bytes}");
    // The other side goes on from where it is.
    pair.run(Duration::from_secs(10));
    assert_eq!(pair.messages(ONE), [&message[..]]);
}

#[test]
fn a_side_that_moves_to_where_nothing_reaches_it_is_given_up() {
    let mut pair = Pair::connected(MILLISECOND);
    pair.send(TWO, content(1 << 20, 1));
    pair.run(10 * MILLISECOND);
    pair.world.move_to(ONE, World::address(99));
    pair.send(ONE, content(100, 1));
    pair.world.flush();
    pair.world.set_line(Line {
        lost: 1_000_000,
        ..Line::new(MILLISECOND)
    });
    pair.run(Duration::from_secs(31));
    assert_eq!(pair.seen[TWO].ended.unwrap().1, Ended::Silent);
}

#[test]
fn a_clock_that_jumps_breaks_nothing() {
    let mut pair = Pair::connected(MILLISECOND);
    let back = Time::from_nanos(1);
    let id = pair.id(ONE);
    let one = pair.world.endpoint(ONE);
    one.send(id, content(5_000, 1)).unwrap();
    let mut out = Vec::new();
    one.handle_timeout(back);
    let sent = one.poll_transmit(back, 44, &mut out).unwrap();
    assert_eq!(sent.bytes, out.len());
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.seen[ONE].ended, None);
    // What was taken out and not sent came again.
    assert_eq!(pair.messages(TWO).len(), 1);
    let one = pair.world.endpoint(ONE);
    one.handle_timeout(Time::NEVER);
    pair.run(Duration::from_secs(1));
    assert_eq!(pair.seen[ONE].ended.unwrap().1, Ended::Silent);
}

#[test]
fn after_a_clock_has_leapt_and_fallen_back_everything_still_ends_in_time() {
    let hour = Time::ZERO + Duration::from_secs(3_600);
    for leap in [hour, Time::NEVER] {
        let mut pair = Pair::connected(MILLISECOND);
        pair.world.endpoint(ONE).handle_timeout(leap);
        pair.run(MILLISECOND);
        assert_eq!(pair.seen[ONE].ended.unwrap().1, Ended::Silent);
        let (now, key) = (pair.world.now(), pair.world.endpoint(TWO).public_key());
        let one = pair.world.endpoint(ONE);
        let nobody = one.connect(now, World::address(99), &key).unwrap();
        // Whoever is there is reached and answers meanwhile, as if nothing had been.
        let there = one.connect(now, World::address(1), &key).unwrap();
        one.send(there, content(100_000, 1)).unwrap();
        pair.world.run(Duration::from_secs(10) + MILLISECOND);
        let one = pair.world.endpoint(ONE);
        let events: Vec<_> = std::iter::from_fn(|| one.poll_event()).collect();
        let wanted = [
            (there, Event::Connected),
            (there, Event::Delivered(0)),
            (nobody, Event::Ended(Ended::NoAnswer)),
        ];
        assert_eq!(events, wanted);
    }
}

#[test]
fn moments_in_a_wrong_order_make_no_time_pass() {
    let mut pair = Pair::connected(MILLISECOND);
    let now = pair.world.now();
    let one = pair.world.node(ONE);
    for _ in 0..100 {
        one.turn(now + Duration::from_millis(900));
        one.turn(now);
    }
    assert_eq!(one.endpoint.poll_event(), None);
}
