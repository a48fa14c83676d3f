//! Who may connect to whom, and what becomes of first messages that are lost, repeated or kept.

use std::collections::BTreeSet;
use std::time::Duration;

use workload_transport::{Accept, Ended, Error, Line, PublicKey, Settings, World};

use crate::pair::{MILLISECOND, ONE, Pair, TWO, content};

fn accepting(accept: Accept) -> Settings {
    Settings {
        accept,
        ..Settings::default()
    }
}

#[test]
fn both_sides_know_each_other() {
    let mut pair = Pair::connected(MILLISECOND);
    let keys = [ONE, TWO].map(|side| pair.world.endpoint(side).public_key());
    let peers = [ONE, TWO].map(|side| {
        let id = pair.id(side);
        pair.world.endpoint(side).peer(id).unwrap()
    });
    assert_eq!(peers, [keys[1], keys[0]]);
    // Two messages: there and back, and what was waiting goes out.
    let [one, two] = [ONE, TWO].map(|side| pair.seen[side].connected.unwrap().as_nanos());
    assert_eq!((one, two), (2_000_000, 3_000_000));
}

#[test]
fn strangers_and_wrong_keys_get_no_answer() {
    let line = Line::new(MILLISECOND);
    for accept in [Accept::Nobody, Accept::Only(BTreeSet::new())] {
        let mut pair = Pair::new(1, line, [Settings::default(), accepting(accept)]);
        pair.run(Duration::from_secs(11));
        assert_eq!(pair.seen[ONE].ended.unwrap().1, Ended::NoAnswer);
        let two = pair.world.endpoint(TWO);
        assert!(two.strays().unwelcome > 2);
        assert_eq!(two.connections(), 0);
    }
    let mut pair = Pair::connected(MILLISECOND);
    let (now, address) = (pair.world.now(), World::address(1));
    let one = pair.world.endpoint(ONE);
    let wrong = one.public_key();
    one.connect(now, address, &wrong).unwrap();
    let none = PublicKey::from_bytes([0; 32]);
    assert_eq!(
        one.connect(now, address, &none),
        Err(Error::BadKey(address))
    );
    pair.run(Duration::from_secs(1));
    assert!(pair.world.endpoint(TWO).strays().unwelcome > 0);
}

#[test]
fn a_known_key_is_welcome() {
    let mut world = World::new(1, Line::new(MILLISECOND));
    world.add(Settings::default());
    let key = world.endpoint(0).public_key();
    let only = accepting(Accept::Only([key].into()));
    let mut pair = Pair::new(1, Line::new(MILLISECOND), [Settings::default(), only]);
    pair.run(MILLISECOND * 5);
    assert!(pair.seen[TWO].connected.is_some());
}

#[test]
fn a_lost_first_message_or_answer_comes_again() {
    let mut failed = 0;
    for seed in 0..200 {
        let line = Line {
            lost: 300_000,
            ..Line::new(MILLISECOND)
        };
        let mut pair = Pair::new(seed, line, Default::default());
        let message = content(100, 1);
        pair.send(ONE, message.clone());
        pair.run(Duration::from_secs(60));
        pair.has_read_only(TWO, std::slice::from_ref(&message));
        match pair.seen[ONE].ended {
            None => assert_eq!(pair.messages(TWO), [&message[..]], "{seed}"),
            // Or else nobody answered, or the other side gave up before it heard that it had been heard.
            Some((_, ended)) => {
                assert!(
                    matches!(ended, Ended::NoAnswer | Ended::Silent),
                    "{seed}: {ended}"
                );
                failed += 1;
            }
        }
    }
    assert!(failed < 10, "{failed}");
}

#[test]
fn only_a_whole_first_message_is_answered_and_to_where_it_came_from() {
    let mut world = World::new(1, Line::new(MILLISECOND));
    let [one, two] = [0; 2].map(|_| world.add(Settings::default()));
    let (now, key) = (world.now(), world.endpoint(two).public_key());
    let client = world.endpoint(one);
    client.connect(now, World::address(1), &key).unwrap();
    let mut first = Vec::new();
    client.poll_transmit(now, 1, &mut first).unwrap();
    let longer = [&first[..], &[0]].concat();
    let server = world.endpoint(two);
    let mut answered = |port, datagram: &[u8]| {
        let mut out = Vec::new();
        server.handle_datagram(now, World::address(port), &mut datagram.to_vec());
        let sent = server.poll_transmit(now, 1, &mut out)?;
        assert!(sent.bytes < datagram.len(), "{}", sent.bytes);
        Some(sent.to)
    };
    assert_eq!(answered(5, &first), Some(World::address(5)));
    // What can be told from its beginning is not enough, once it is known.
    for wrong in [&first[..37], &first[..first.len() - 1], &longer] {
        assert_eq!(answered(6, wrong), None);
    }
    assert_eq!(answered(7, &first), Some(World::address(7)));
    assert_eq!(world.endpoint(two).strays().unknown, 3);
}

#[test]
fn a_first_message_that_somebody_kept_makes_nothing() {
    let mut pair = Pair::new(1, Line::new(MILLISECOND), Default::default());
    let now = pair.world.now();
    let mut first = Vec::new();
    let sent = pair.world.endpoint(ONE).poll_transmit(now, 1, &mut first);
    assert!(sent.is_some());
    // It was lost, and comes again by itself.
    pair.run(Duration::from_secs(5));
    assert!(pair.seen[TWO].connected.is_some());
    for connections in [1, 0] {
        let before = pair.world.carried().datagrams;
        for port in 0..100 {
            pair.world.inject(TWO, World::address(1_000 + port), &first);
        }
        pair.world.flush();
        assert_eq!(pair.world.carried().datagrams, before);
        let two = pair.world.endpoint(TWO);
        assert_eq!(two.connections(), connections);
        assert_eq!(two.poll_event(), None);
        pair.close(ONE, 0);
        pair.run(Duration::from_secs(15));
    }
    assert_eq!(pair.world.endpoint(TWO).strays().repeated, 200);
}

#[test]
fn a_first_message_from_long_ago_makes_no_whole_connection() {
    let mut world = World::new(1, Line::new(MILLISECOND));
    let [one, two] = [0; 2].map(|_| world.add(Settings::default()));
    let key = world.endpoint(two).public_key();
    let mut first = Vec::new();
    for number in 0..1_100 {
        let now = world.now();
        let client = world.endpoint(one);
        let id = client.connect(now, World::address(1), &key).unwrap();
        if number == 0 {
            assert!(client.poll_transmit(now, 1, &mut first).is_some());
            world.inject(two, World::address(0), &first);
        }
        world.run(Duration::from_millis(10));
        let now = world.now();
        world.endpoint(one).close(now, id, 0);
        world.run(Duration::from_secs(1));
    }
    let server = world.endpoint(two);
    while server.poll_event().is_some() {}
    assert_eq!(server.connections(), 0);
    world.inject(two, World::address(5), &first);
    assert_eq!(world.endpoint(two).connections(), 1);
    world.run(Duration::from_secs(11));
    let server = world.endpoint(two);
    assert_eq!((server.connections(), server.poll_event()), (0, None));
}

#[test]
fn connections_that_others_make_are_bounded() {
    let settings = Settings {
        half_open_max: 10,
        ..Settings::default()
    };
    let line = Line::new(MILLISECOND);
    let mut pair = Pair::new(1, line, [Settings::default(), settings]);
    for _ in 0..100 {
        pair.connect();
    }
    // The answers get lost, so that nobody can say that it is there.
    pair.world.flush();
    pair.world.set_line(Line {
        lost: 1_000_000,
        ..line
    });
    pair.run(MILLISECOND * 5);
    let two = pair.world.endpoint(TWO);
    assert_eq!((two.connections(), two.strays().no_room), (10, 91));
    pair.run(Duration::from_secs(60));
    assert_eq!(pair.world.endpoint(TWO).connections(), 0);
    let [one, two] = [ONE, TWO].map(|side| pair.world.endpoint(side).next_timeout());
    assert_eq!((one, two), (None, None));
}

#[test]
fn there_are_no_more_connections_than_allowed() {
    let settings = Settings {
        connections_max: 3,
        ..Settings::default()
    };
    let line = Line::new(MILLISECOND);
    let mut pair = Pair::new(1, line, [settings, Settings::default()]);
    pair.connect();
    pair.connect();
    let key = pair.world.endpoint(TWO).public_key();
    let now = pair.world.now();
    let refused = pair
        .world
        .endpoint(ONE)
        .connect(now, World::address(1), &key);
    assert_eq!(refused, Err(Error::TooMany(3)));
}
