//! What litep2p and libp2p said to our client, replayed: with the same keys it says the same again, byte for byte, and takes
//! all they answer.
//!
//! The pieces were recorded by the example `record` of `bench/peers/p2p`.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use workload_p2p::{Address, Check, Client, Digest, Error, Exchange, Identity, Outcome, Settings};

const RECORDED: [(&str, &str); 2] = [
    ("litep2p", include_str!("recorded/litep2p.txt")),
    ("libp2p", include_str!("recorded/libp2p.txt")),
];

fn pieces(recorded: &str) -> Vec<(bool, Vec<u8>)> {
    let piece = |line: &str| {
        let (who, digits) = line.split_once(' ').expect("a line has a side and bytes");
        let bytes = (0..digits.len()).step_by(2);
        let bytes = bytes.map(|at| {
            u8::from_str_radix(&digits[at..at + 2], 16).expect("bytes are recorded as digits")
        });
        (who == ">", bytes.collect())
    };
    recorded.lines().map(piece).collect()
}

/// Lets our client talk to somebody who says what was recorded, and hears what has to come before it. Returns what came of
/// it, and how many pieces were as recorded.
fn replayed(pieces: Vec<(bool, Vec<u8>)>, identity: &str) -> (Result<Outcome, Error>, usize) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = Address {
        socket: listener.local_addr().expect("it is bound"),
        peer: Some(Identity::from_text("recorded").peer_id()),
    };
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("the client comes");
        let mut alike = 0;
        for (is_clients, bytes) in pieces {
            let is_alike = if is_clients {
                let mut heard = vec![0; bytes.len()];
                stream.read_exact(&mut heard).is_ok() && heard == bytes
            } else {
                stream.write_all(&bytes).is_ok()
            };
            if !is_alike {
                break;
            }
            alike += 1;
        }
        alike
    });
    let settings = Settings {
        seeds: Some([[1; 32], [2; 32]]),
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
    for (who, recorded) in RECORDED {
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

#[test]
fn what_was_changed_is_refused() {
    for (who, recorded) in RECORDED {
        let whole = pieces(recorded);
        let said = whole
            .iter()
            .enumerate()
            .filter(|(_, (is_clients, _))| !is_clients);
        for (place, _) in said {
            let mut changed = whole.clone();
            let bytes = &mut changed[place].1;
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            let (outcome, _) = replayed(changed, "client");
            assert!(outcome.is_err(), "{who}, piece {place}");
        }
    }
}

#[test]
fn another_client_says_something_else() {
    for (who, recorded) in RECORDED {
        let whole = pieces(recorded);
        let count = whole.len();
        let (outcome, alike) = replayed(whole, "another");
        assert!(outcome.is_err() && alike < count, "{who}");
    }
}
