//! Messages of all lengths, streams side by side, reuse, and a reader that does not read.

use std::net::{Ipv6Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use workload_transport::{Ended, Error, Line, STREAM_COST, Settings, Time, World};

use crate::pair::{MILLISECOND, ONE, Pair, TWO, content};

const HOUR: Time = Time::from_nanos(3_600_000_000_000);

#[test]
fn messages_of_every_length_arrive_as_they_were() {
    let mut pair = Pair::connected(MILLISECOND);
    let lengths = [0, 1, 2, 1_000, 1_427, 1_428, 1_429, 32 << 10, 1 << 20];
    let sent: Vec<Bytes> = lengths.map(|length| content(length, length)).into();
    for message in &sent {
        pair.send(ONE, message.clone());
        pair.send(TWO, message.clone());
    }
    pair.run(Duration::from_secs(10));
    for side in [ONE, TWO] {
        assert_eq!(pair.messages(side), sent);
        assert_eq!(pair.seen[side].delivered.len(), sent.len());
        assert_eq!(pair.seen[side].ended, None);
    }
}

#[test]
fn a_message_of_32_kib_takes_little_more_than_the_delay() {
    for (line, most) in [
        (Line::new(2 * MILLISECOND), 2_000),
        (
            Line {
                rate: Some(1_000_000_000),
                ..Line::new(2 * MILLISECOND)
            },
            2_300,
        ),
    ] {
        let mut pair = Pair::new(1, line, Default::default());
        pair.run(Duration::from_secs(1));
        let began = pair.world.now();
        let stream = pair.send(ONE, content(32 << 10, 1));
        pair.run(Duration::from_secs(1));
        let ended = pair.seen[TWO].streams[&stream].1.unwrap();
        assert!(
            ended.since(began).as_micros() <= most,
            "{:?}",
            ended.since(began)
        );
    }
}

#[test]
fn a_short_message_is_one_datagram_and_one_answer() {
    let mut pair = Pair::connected(MILLISECOND);
    let before = pair.world.carried();
    pair.send(ONE, content(1 << 10, 1));
    pair.run(Duration::from_secs(1));
    let carried = pair.world.carried();
    assert_eq!(carried.datagrams - before.datagrams, 2);
    assert!(carried.bytes - before.bytes < 1_024 + 100);
    assert_eq!(pair.seen[ONE].delivered.len(), 1);
}

#[test]
fn datagrams_fill_a_network_of_1500_bytes_and_fit_it() {
    let mut pair = Pair::connected(MILLISECOND);
    pair.send(ONE, content(10_000, 1));
    let now = pair.world.now();
    let one = pair.world.endpoint(ONE);
    let mut out = Vec::new();
    let sent = one.poll_transmit(now, 44, &mut out).unwrap();
    // Full ones, and one with the rest.
    assert_eq!((sent.segment, sent.bytes.div_ceil(1_472)), (1_472, 7));
    assert!(sent.bytes < 10_000 + 7 * 50, "{}", sent.bytes);
}

#[test]
fn over_ip_version_6_they_are_20_bytes_shorter() {
    let mut world = World::new(1, Line::new(MILLISECOND));
    let addresses = [1, 2].map(|port| SocketAddr::from((Ipv6Addr::LOCALHOST, port)));
    for (side, address) in addresses.into_iter().enumerate() {
        world.add(Settings::default());
        world.move_to(side, address);
    }
    let key = world.endpoint(TWO).public_key();
    let now = world.now();
    let one = world.endpoint(ONE);
    let id = one.connect(now, addresses[TWO], &key).unwrap();
    world.run(MILLISECOND * 10);
    let now = world.now();
    let one = world.endpoint(ONE);
    one.send(id, content(10_000, 1)).unwrap();
    let sent = one.poll_transmit(now, 44, &mut Vec::new()).unwrap();
    assert_eq!((sent.segment, sent.to), (1_452, addresses[TWO]));
}

#[test]
fn a_connection_is_used_again_without_any_read_by_the_sender() {
    let mut pair = Pair::connected(MILLISECOND);
    pair.reads[ONE] = false;
    for (count, length) in [(10_000, 4 << 10), (100, 1 << 20)] {
        let message = content(length, 7);
        let before = pair.seen[ONE].delivered.len();
        let mut sent = 0;
        while sent < count {
            let id = pair.id(ONE);
            match pair.world.endpoint(ONE).send(id, message.clone()) {
                Ok(_) => sent += 1,
                Err(Error::Full(_)) => {
                    let delivered = pair.seen[ONE].delivered.len();
                    assert!(
                        pair.run_until(HOUR, |pair| pair.seen[ONE].delivered.len() > delivered)
                    );
                }
                Err(error) => panic!("{error}"),
            }
        }
        assert!(pair.run_until(HOUR, |pair| pair.seen[ONE].delivered.len()
            == before + count));
        let ours = |bytes: &Vec<u8>| bytes.len() == length && *bytes == message;
        let streams = pair.seen[TWO].streams.values();
        assert_eq!(streams.filter(|(bytes, _)| ours(bytes)).count(), count);
        pair.seen[TWO].streams.clear();
    }
}

/// Sends a message over a line, reads it as it comes, and returns the most memory that all of it took at a time.
fn memory_for(line: Line, message: &Bytes) -> u64 {
    let mut world = World::new(1, line);
    for _ in [ONE, TWO] {
        world.add(Settings::default());
    }
    let key = world.endpoint(TWO).public_key();
    let (now, address) = (world.now(), World::address(TWO as u16));
    let id = world.endpoint(ONE).connect(now, address, &key);
    let id = id.expect("there is room for a connection");
    let taken = allocation_counter::measure(|| {
        let sent = world.endpoint(ONE).send(id, message.clone());
        sent.expect("there is room for a message");
        let mut read = 0;
        let mut theirs = None;
        while read < message.len() {
            assert!(world.step() && world.now() < HOUR, "{read}");
            let two = world.endpoint(TWO);
            theirs = two.poll_event().map(|(id, _)| id).or(theirs);
            while let Some(chunk) = theirs.and_then(|theirs| two.read(theirs)) {
                assert!(message[read..].starts_with(&chunk.bytes), "{read}");
                read += chunk.bytes.len();
                assert_eq!(chunk.is_last, read == message.len());
            }
        }
    });
    taken.bytes_max
}

#[test]
fn a_message_of_one_gib_arrives() {
    let block = content((1 << 20) - 3, 1);
    let mut message = block.repeat((1 << 30) / block.len() + 1);
    message.truncate(1 << 30);
    let message = Bytes::from(message);
    let line = Line {
        lost: 1_000,
        ..Line::new(MILLISECOND)
    };
    // On the way and at both ends there is never more than what the window of one side allows, a few times over.
    let most = 8 * Settings::default().window;
    for (line, bytes) in [(line, 1 << 30), (Line::new(MILLISECOND), 64 << 20)] {
        let taken = memory_for(line, &message.slice(..bytes));
        assert!(taken <= most, "{taken}");
    }
}

#[test]
fn a_reader_that_does_not_read_holds_up_the_sender_and_nothing_is_lost() {
    let settings = Settings {
        window: 10_000,
        ..Settings::default()
    };
    let mut pair = Pair::new(1, Line::new(MILLISECOND), [Settings::default(), settings]);
    pair.reads[TWO] = false;
    let message = content(100_000, 3);
    pair.run(Duration::from_secs(1));
    pair.send(ONE, message.clone());
    pair.run(Duration::from_secs(30));
    let id = pair.id(ONE);
    let statistics = pair.world.endpoint(ONE).statistics(id).unwrap();
    assert!(statistics.bytes_sent < 12_000, "{statistics:?}");
    assert_eq!((statistics.under_way, statistics.buffered), (0, 100_000));
    pair.reads[TWO] = true;
    pair.run(Duration::from_secs(5));
    assert_eq!(pair.messages(TWO), [&message[..]]);
}

#[test]
fn a_reader_that_never_reads_ends_the_connection_with_an_error() {
    for window in [0, STREAM_COST, 10_000] {
        let settings = Settings {
            window,
            ..Settings::default()
        };
        let mut pair = Pair::new(1, Line::new(MILLISECOND), [Settings::default(), settings]);
        pair.reads[TWO] = false;
        pair.send(ONE, content(100_000, 3));
        pair.run(Duration::from_secs(59));
        assert_eq!(pair.seen[ONE].ended, None);
        pair.run(Duration::from_secs(3));
        assert_eq!(pair.seen[ONE].ended.unwrap().1, Ended::Stalled);
        assert_eq!(pair.seen[TWO].ended.unwrap().1, Ended::There(0));
    }
}

#[test]
fn empty_messages_fill_the_send_buffer_too() {
    let mut pair = Pair::connected(MILLISECOND);
    let id = pair.id(ONE);
    let room = Settings::default().send_buffer;
    let one = pair.world.endpoint(ONE);
    let mut tries = 0..100_000;
    let refused = tries.find_map(|sent| Some((sent, one.send(id, Bytes::new()).err()?)));
    assert_eq!(refused, Some((room / STREAM_COST, Error::Full(room))));
    pair.run(Duration::from_secs(10));
    assert_eq!(pair.messages(TWO).len() as u64, room / STREAM_COST);
    pair.send(ONE, Bytes::new());
}

#[test]
fn six_streams_share_a_window_of_hardly_more_than_they_cost() {
    let settings = Settings {
        window: 2_000,
        ..Settings::default()
    };
    let mut pair = Pair::new(1, Line::new(MILLISECOND), [Settings::default(), settings]);
    let id = pair.id(ONE);
    let one = pair.world.endpoint(ONE);
    let streams = [(); 6].map(|()| one.open(id).unwrap());
    for stream in streams {
        one.write(id, stream, content(5_000, 1)).unwrap();
    }
    pair.run(Duration::from_secs(30));
    for stream in streams {
        assert_eq!(pair.seen[TWO].streams[&stream].0, content(5_000, 1));
    }
}

#[test]
fn no_more_streams_are_open_than_the_other_side_has_room_for() {
    let settings = Settings {
        window: 2_000,
        ..Settings::default()
    };
    let mut pair = Pair::new(1, Line::new(MILLISECOND), [Settings::default(), settings]);
    pair.run(MILLISECOND * 10);
    let id = pair.id(ONE);
    let one = pair.world.endpoint(ONE);
    let streams = [(); 7].map(|()| one.open(id).unwrap());
    assert_eq!(one.open(id), Err(Error::TooManyStreams(7)));
    one.write(id, streams[6], content(10, 1)).unwrap();
    one.finish(id, streams[2]).unwrap();
    one.finish(id, streams[3]).unwrap();
    one.open(id).unwrap();
    one.send(id, Bytes::new()).unwrap();
    pair.run(Duration::from_secs(10));
    assert_eq!(pair.seen[TWO].streams[&streams[6]].0, content(10, 1));
    assert_eq!(pair.seen[ONE].delivered.len(), 3);
}

#[test]
fn a_slow_reader_is_no_reader_that_does_not_read() {
    let settings = Settings {
        window: 100_000,
        ..Settings::default()
    };
    let mut pair = Pair::new(1, Line::new(MILLISECOND), [Settings::default(), settings]);
    pair.reads[TWO] = false;
    for _ in 0..200 {
        pair.send(ONE, content(1_000, 1));
    }
    // Two chunks a message at most, because streams take turns.
    for _ in 0..400 {
        pair.run(Duration::from_secs(10));
        let id = pair.id(TWO);
        pair.world.endpoint(TWO).read(id);
    }
    pair.run(Duration::from_secs(10));
    assert_eq!(pair.seen[ONE].delivered.len(), 200);
    assert_eq!(pair.seen.each_ref().map(|seen| seen.ended), [None; 2]);
}

#[test]
fn what_cannot_be_done_says_why() {
    let mut pair = Pair::connected(MILLISECOND);
    let id = pair.id(ONE);
    let one = pair.world.endpoint(ONE);
    assert_eq!(one.write(id, 7, Bytes::new()), Err(Error::NoStream(7)));
    let stream = one.open(id).unwrap();
    one.write(id, stream, content(5 << 20, 1)).unwrap();
    assert_eq!(
        one.write(id, stream, Bytes::new()),
        Err(Error::Full(5 << 20))
    );
    assert_eq!(one.send(id, Bytes::new()), Err(Error::Full(5 << 20)));
    one.finish(id, stream).unwrap();
    pair.run(Duration::from_secs(60));
    let one = pair.world.endpoint(ONE);
    assert_eq!(
        one.write(id, stream, Bytes::new()),
        Err(Error::NoStream(stream))
    );
    pair.close(ONE, 5);
    let one = pair.world.endpoint(ONE);
    assert_eq!(one.send(id, Bytes::new()), Err(Error::NoConnection));
    pair.run(Duration::from_secs(5));
    assert_eq!(pair.seen[TWO].ended.unwrap().1, Ended::There(5));
    let [one, two] = [ONE, TWO].map(|side| pair.world.endpoint(side).connections());
    assert_eq!((one, two), (0, 0));
}
