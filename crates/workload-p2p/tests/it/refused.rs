//! What does not come about, over the loopback interface.

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use workload_p2p::{Address, Cause, Client, Direction, Exchange, Identity, Phase, Settings};

use crate::exchange::{client, server};

const MOMENT: Duration = Duration::from_millis(20);

fn connect(address: &Address, settings: Settings) -> workload_p2p::Error {
    let connected = Client::connect(address, &Identity::from_text("client"), settings);
    connected.err().expect("nobody to talk to is there")
}

#[test]
fn nobody_there() {
    // No system listens there.
    let socket = "127.0.0.1:1".parse().unwrap();
    let error = connect(&Address { socket, peer: None }, Settings::default());
    assert_eq!(error.phase, Phase::Connect);
    assert!(
        error.to_string().starts_with("no connection was made: "),
        "{error}"
    );
}

#[test]
fn somebody_else_there() {
    let (server, _told) = server(Settings::default());
    let mut address = server.address();
    address.peer = Some(Identity::from_text("other").peer_id());
    let error = connect(&address, Settings::default());
    assert!(matches!(error.cause, Cause::WrongPeer { .. }), "{error}");
}

#[test]
fn somebody_there_who_says_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = listener.local_addr().unwrap();
    let settings = Settings {
        secure: MOMENT,
        ..Settings::default()
    };
    let error = connect(&Address { socket, peer: None }, settings);
    assert_eq!(error.phase, Phase::Secure);
    assert!(matches!(error.cause, Cause::TimedOut(MOMENT)), "{error}");
}

#[test]
fn half_open_connections_end_and_make_room() {
    let settings = Settings {
        secure: MOMENT,
        connections_max: 4,
        ..Settings::default()
    };
    let (server, told) = server(settings);
    let mut silent: Vec<_> = (0..4)
        .map(|_| TcpStream::connect(server.address().socket).unwrap())
        .collect();
    for stream in &mut silent {
        let error = told.recv().unwrap().unwrap_err();
        assert!(matches!(error.cause, Cause::TimedOut(MOMENT)), "{error}");
        // It is hung up on.
        assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn more_connections_than_are_allowed() {
    let settings = Settings {
        connections_max: 1,
        ..Settings::default()
    };
    let (server, told) = server(settings);
    let mut first = client(&server, Settings::default());
    let error = connect(&server.address(), Settings::default());
    assert_eq!(error.phase, Phase::Secure);
    let refusal = told.recv().unwrap().unwrap_err();
    assert!(
        matches!(refusal.cause, Cause::TooManyConnections(1)),
        "{refusal}"
    );
    first.transfer(Direction::Upload, 10).unwrap();
}

#[test]
fn more_bytes_than_are_allowed() {
    let (server, _told) = server(Settings {
        bytes_max: 1_000,
        ..Settings::default()
    });
    let mut client = client(&server, Settings::default());
    let error = client
        .exchange(Exchange {
            upload: u64::MAX,
            download: 0,
        })
        .unwrap_err();
    assert!(
        matches!(
            error.cause,
            Cause::TooLarge {
                declared: u64::MAX,
                ..
            }
        ),
        "{error}"
    );
    let error = client.transfer(Direction::Download, 1_001).unwrap_err();
    assert!(matches!(error.cause, Cause::Reset), "{error}");
    client.transfer(Direction::Download, 1_000).unwrap();
}

#[test]
fn a_server_that_is_gone() {
    let (server, _told) = server(Settings::default());
    let mut client = client(&server, Settings::default());
    drop(server);
    assert!(client.transfer(Direction::Upload, 1 << 20).is_err());
}

#[test]
fn more_substreams_than_are_allowed() {
    let (server, _told) = server(Settings::default());
    let mut client = client(&server, Settings::default());
    for count in [5_000, usize::MAX] {
        let error = client.open_substreams(count).unwrap_err();
        assert!(matches!(error.cause, Cause::TooMany(0)), "{error}");
        assert!(client.drop_substreams(count).is_err());
        // Nothing is left of them.
        client.transfer(Direction::Upload, 10).unwrap();
    }
}

#[test]
fn what_failed_leaves_room() {
    let (server, _told) = server(Settings {
        bytes_max: 1_000,
        streams_max: 2,
        ..Settings::default()
    });
    let ours = Settings {
        streams_max: 4,
        ..Settings::default()
    };
    let mut client = client(&server, ours);
    for _ in 0..5 {
        // The server takes two of them.
        let error = client.open_substreams(4).unwrap_err();
        assert!(matches!(error.cause, Cause::Reset), "{error}");
        assert!(client.transfer(Direction::Download, 1_001).is_err());
    }
    client.transfer(Direction::Download, 1_000).unwrap();
}

#[test]
fn the_largest_settings_are_no_slip() {
    let settings = Settings {
        stall: Duration::MAX,
        bytes_max: u64::MAX,
        ..Settings::default()
    };
    let (server, _told) = server(settings.clone());
    let mut client = client(&server, settings);
    let error = client.transfer(Direction::Upload, u64::MAX).unwrap_err();
    assert!(matches!(error.cause, Cause::TooLarge { .. }), "{error}");
    client.transfer(Direction::Download, 1_000).unwrap();
}
