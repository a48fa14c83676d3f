//! What litep2p and libp2p said to our client and to our server, replayed: with the same keys ours says the same again, byte
//! for byte, and takes all they say.
//!
//! The pieces were recorded by the example `record` of `bench/peers/p2p`.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use workload_p2p::{
    Address, Check, Client, Digest, Error, Exchange, Identity, Outcome, Served, Server, Settings,
};

use crate::exchange::server;

const SERVERS: [(&str, &str); 2] = [
    ("litep2p", include_str!("recorded/litep2p.txt")),
    ("libp2p", include_str!("recorded/libp2p.txt")),
];

const CLIENTS: [(&str, &str); 2] = [
    ("litep2p", include_str!("recorded/litep2p-client.txt")),
    ("libp2p", include_str!("recorded/libp2p-client.txt")),
];

/// The seeds of ours.
const SEEDS: [[u8; 32]; 2] = [[1; 32], [2; 32]];

/// Longer than anything takes here.
const LONG: Duration = Duration::from_secs(60);

fn pieces(recorded: &str) -> Vec<(Side, Vec<u8>)> {
    let piece = |line: &str| {
        let (who, digits) = line.split_once(' ').expect("a line has a side and bytes");
        let bytes = (0..digits.len()).step_by(2);
        let bytes = bytes.map(|at| {
            u8::from_str_radix(&digits[at..at + 2], 16).expect("bytes are recorded as digits")
        });
        let mut sides = [(">", Side::Client), ("<", Side::Server)].into_iter();
        let side = sides.find_map(|(sign, side)| (sign == who).then_some(side));
        (side.expect("a line begins with a side"), bytes.collect())
    };
    let pieces: Vec<_> = recorded.lines().map(piece).collect();
    for side in [Side::Client, Side::Server] {
        let says = pieces.iter().any(|(who, _)| *who == side);
        assert!(says, "the {side:?} says nothing in what was recorded");
    }
    pieces
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

/// Says what this side said, and hears what has to come before it. Returns how many pieces were as recorded.
fn played(mut stream: TcpStream, pieces: &[(Side, Vec<u8>)], side: Side) -> usize {
    let is_alike = |(who, bytes): &&(Side, Vec<u8>)| {
        if *who == side {
            return stream.write_all(bytes).is_ok();
        }
        let mut heard = vec![0; bytes.len()];
        stream.read_exact(&mut heard).is_ok() && heard == *bytes
    };
    pieces.iter().take_while(is_alike).count()
}

/// Lets our client talk to somebody who says what was recorded, and hears what has to come before it. Returns what came of
/// it, and how many pieces were as recorded.
fn replayed(pieces: Vec<(Side, Vec<u8>)>, identity: &str) -> (Result<Outcome, Error>, usize) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = Address {
        socket: listener.local_addr().expect("it is bound"),
        peer: Some(Identity::from_text("recorded").peer_id()),
    };
    let server = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("the client comes");
        played(stream, &pieces, Side::Server)
    });
    let settings = Settings {
        seeds: Some(SEEDS),
        check: Check::Digest,
        ..Settings::default()
    };
    let exchange = Exchange {
        upload: 100,
        download: 100,
    };
    let client = Client::connect(&address, &Identity::from_text(identity), settings);
    let outcome = client.and_then(|mut client| client.exchange(exchange));
    (outcome, server.join().expect("the server does not panic"))
}

#[test]
fn what_others_said_is_taken_and_what_we_say_is_as_it_was() {
    for (who, recorded) in SERVERS {
        let pieces = pieces(recorded);
        let count = pieces.len();
        let (outcome, alike) = replayed(pieces, "client");
        assert_eq!(alike, count, "{who}");
        assert_eq!(
            outcome.unwrap().digest,
            Some(Digest::of_payload(100)),
            "{who}"
        );
    }
}

/// The same talk, once for each piece of one side, with that piece changed in its last byte.
fn changed(
    whole: &[(Side, Vec<u8>)],
    side: Side,
) -> impl Iterator<Item = (usize, Vec<(Side, Vec<u8>)>)> {
    let of_side = whole
        .iter()
        .enumerate()
        .filter(move |(_, (who, _))| *who == side);
    of_side.map(|(place, _)| {
        let mut changed = whole.to_vec();
        *changed[place].1.last_mut().expect("a piece has bytes") ^= 1;
        (place, changed)
    })
}

#[test]
fn what_was_changed_is_refused() {
    for (who, recorded) in SERVERS {
        for (place, changed) in changed(&pieces(recorded), Side::Server) {
            let (outcome, _) = replayed(changed, "client");
            assert!(outcome.is_err(), "{who}, piece {place}");
        }
    }
}

#[test]
fn another_client_says_something_else() {
    for (who, recorded) in SERVERS {
        let whole = pieces(recorded);
        let count = whole.len();
        let (outcome, alike) = replayed(whole, "another");
        assert!(outcome.is_err() && alike < count, "{who}");
    }
}

/// Lets somebody talk to our server who says what was recorded, and hears what has to come before it. Returns the server, what
/// it tells of, and how many pieces were as recorded.
fn replayed_to_ours(
    pieces: &[(Side, Vec<u8>)],
    seeds: [[u8; 32]; 2],
) -> (Server, Receiver<Result<Served, Error>>, usize) {
    let (server, told) = server(Settings {
        seeds: Some(seeds),
        check: Check::Digest,
        ..Settings::default()
    });
    let stream = TcpStream::connect(server.address().socket).expect("the server listens");
    let alike = played(stream, pieces, Side::Client);
    (server, told, alike)
}

/// Whether a server tells of something that came to nothing, perhaps after what came about.
fn is_refused(told: &Receiver<Result<Served, Error>>) -> bool {
    std::iter::from_fn(|| told.recv_timeout(LONG).ok()).any(|told| told.is_err())
}

#[test]
fn what_other_clients_said_is_taken_and_what_our_server_says_is_as_it_was() {
    for (who, recorded) in CLIENTS {
        let pieces = pieces(recorded);
        let (_server, told, alike) = replayed_to_ours(&pieces, SEEDS);
        assert_eq!(alike, pieces.len(), "{who}");
        let served = told
            .recv_timeout(LONG)
            .expect("it tells")
            .expect("it is as it was");
        assert_eq!((served.uploaded, served.downloaded), (100, 100), "{who}");
        assert_eq!(served.digest, Some(Digest::of_payload(100)), "{who}");
    }
}

#[test]
fn what_was_changed_is_refused_by_our_server() {
    for (who, recorded) in CLIENTS {
        for (place, changed) in changed(&pieces(recorded), Side::Client) {
            let (_server, told, _) = replayed_to_ours(&changed, SEEDS);
            assert!(is_refused(&told), "{who}, piece {place}");
        }
    }
}

#[test]
fn our_server_says_something_else_with_other_keys() {
    for (who, recorded) in CLIENTS {
        let whole = pieces(recorded);
        let (_server, told, alike) = replayed_to_ours(&whole, [[3; 32], [4; 32]]);
        assert!(is_refused(&told) && alike < whole.len(), "{who}");
    }
}
