//! Real sockets, with threads of their own.

use std::io;
use std::net::SocketAddr;
use std::thread;

use bytes::Bytes;
use workload_transport::{
    ConnectionId, Ended, Endpoint, Error, Failed, Host, Random, SecretKey, Settings,
};

use crate::pair::content;

const LOOPBACK: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

fn endpoint() -> Endpoint {
    let mut random = Random::from_system().expect("the system has randomness");
    Endpoint::new(SecretKey::draw(&mut random), random, Settings::default())
}

/// Two hosts and the connection between them, as each knows it.
fn connected(address: SocketAddr) -> io::Result<[(Host, ConnectionId); 2]> {
    let endpoint_two = endpoint();
    let key = endpoint_two.public_key();
    let [one, two] = [endpoint(), endpoint_two].map(|endpoint| Host::start(endpoint, address));
    let (one, two) = (one?, two?);
    let ours = one
        .connect(two.address(), &key)
        .expect("the other side answers");
    let theirs = two.accept().expect("the host runs");
    Ok([(one, ours), (two, theirs)])
}

/// Reads whole messages until there were `count`, and returns how many were as they should be.
fn read(host: &Host, id: ConnectionId, message: &Bytes, count: usize) -> usize {
    let mut open = std::collections::BTreeMap::<u64, Vec<u8>>::new();
    let mut right = 0;
    let mut whole = 0;
    while whole < count {
        let chunk = host.read(id).expect("more comes");
        let bytes = open.entry(chunk.stream).or_default();
        bytes.extend_from_slice(&chunk.bytes);
        if chunk.is_last {
            right += usize::from(open.remove(&chunk.stream).is_some_and(|it| it == *message));
            whole += 1;
        }
    }
    right
}

#[test]
fn a_connection_is_used_again_without_any_read_by_the_sender() {
    for (count, length) in [(10_000, 4 << 10), (100, 1 << 20)] {
        let [(one, ours), (two, theirs)] = connected(LOOPBACK).unwrap();
        let message = content(length, 1);
        thread::scope(|scope| {
            let reader = scope.spawn(|| read(&two, theirs, &message, count));
            for _ in 0..count {
                one.send(ours, &message).unwrap();
            }
            one.delivered(ours, count as u64).unwrap();
            assert_eq!(reader.join().unwrap(), count);
        });
    }
}

#[test]
fn many_connections_share_a_socket_and_answer_each_other() {
    let server = endpoint();
    let key = server.public_key();
    let server = Host::start(server, LOOPBACK).unwrap();
    let client = Host::start(endpoint(), LOOPBACK).unwrap();
    let message = content(1 << 10, 1);
    thread::scope(|scope| {
        for _ in 0..8 {
            let ours = client.connect(server.address(), &key).unwrap();
            let theirs = server.accept().unwrap();
            let (client, server, message) = (&client, &server, &message);
            scope.spawn(move || {
                for _ in 0..100 {
                    assert_eq!(read(server, theirs, message, 1), 1);
                    server.send(theirs, message).unwrap();
                }
                server.delivered(theirs, 100).unwrap();
            });
            scope.spawn(move || {
                for _ in 0..100 {
                    client.send(ours, message).unwrap();
                    assert_eq!(read(client, ours, message, 1), 1);
                }
            });
        }
    });
}

#[test]
fn a_version_six_address_works_too_where_there_is_one() {
    let address = SocketAddr::from((std::net::Ipv6Addr::LOCALHOST, 0));
    let [(one, ours), (two, theirs)] = match connected(address) {
        Ok(pair) => pair,
        Err(error) => return assert_eq!(error.kind(), io::ErrorKind::AddrNotAvailable),
    };
    let message = content(100_000, 1);
    one.send(ours, &message).unwrap();
    assert_eq!(read(&two, theirs, &message, 1), 1);
}

#[test]
fn an_end_wakes_whoever_waits() {
    let [(one, ours), (two, theirs)] = connected(LOOPBACK).unwrap();
    thread::scope(|scope| {
        let reader = scope.spawn(|| two.read(theirs));
        one.close(ours, 4);
        let ended = reader.join().unwrap();
        assert_eq!(ended, Err(Failed::Ended(Ended::There(4))));
    });
    assert_eq!(
        one.send(ours, &Bytes::new()),
        Err(Failed::Error(Error::NoConnection))
    );
    assert_eq!(one.read(ours), Err(Failed::Ended(Ended::Here)));
}
