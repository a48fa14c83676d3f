//! A client and a server over the loopback interface.

use std::sync::mpsc::{Receiver, channel};

use workload_p2p::{
    Check, Client, Digest, Direction, Error, Exchange, Identity, Served, Server, Settings,
};

/// A server on any free port, and what it tells of.
pub(crate) fn server(settings: Settings) -> (Server, Receiver<Result<Served, Error>>) {
    let (tell, told) = channel();
    let listen = "127.0.0.1:0".parse().expect("an address");
    let server = Server::start(
        listen,
        Identity::from_text("server"),
        settings,
        move |served| {
            // A test may be over before its server is.
            let _ = tell.send(served);
        },
    );
    (server.expect("a port is free"), told)
}

pub(crate) fn client(server: &Server, settings: Settings) -> Client {
    Client::connect(&server.address(), &Identity::from_text("client"), settings)
        .expect("a server listens")
}

fn digests() -> Settings {
    Settings {
        check: Check::Digest,
        ..Settings::default()
    }
}

#[test]
fn what_is_sent_arrives_both_ways() {
    let (server, told) = server(digests());
    let mut client = client(&server, digests());
    for upload in [0, 1, 1_000, 65_536, 65_537, 5_000_000] {
        for download in [0, 1, 300_000, 5_000_001] {
            let outcome = client.exchange(Exchange { upload, download }).unwrap();
            assert_eq!(outcome.digest, Some(Digest::of_payload(download)));
            let served = told.recv().unwrap().unwrap();
            assert_eq!((served.uploaded, served.downloaded), (upload, download));
            assert_eq!(served.digest, Some(Digest::of_payload(upload)));
            let times = outcome.times;
            assert!(times.accepted <= times.confirmed && times.confirmed <= times.done);
        }
    }
}

#[test]
fn more_than_a_window_goes_through_whatever_is_written_at_once() {
    for write_bytes in [1_024, 65_536] {
        let settings = Settings {
            write_bytes,
            ..Settings::default()
        };
        let (server, told) = server(settings.clone());
        let mut client = client(&server, settings);
        for direction in [Direction::Upload, Direction::Download] {
            client.transfer(direction, 100 << 20).unwrap();
            told.recv().unwrap().unwrap();
        }
    }
}

#[test]
fn a_mebibyte_takes_few_calls() {
    let (server, _told) = server(Settings::default());
    let outcome = client(&server, Settings::default()).transfer(Direction::Upload, 64 << 20);
    let counters = outcome.unwrap().counters.expect("ours counts");
    // Eight frames a call and a few for the substream; where the system takes less of them, the rest waits and goes by itself.
    let most = 2 * 64 + 8 + counters.waits;
    assert!((2 * 64..=most).contains(&counters.sends), "{counters:?}");
    // Seals and headers are a fifteenth of a percent.
    assert!(
        (64 << 20..(64 << 20) + (64 << 10)).contains(&counters.bytes_sent),
        "{counters:?}"
    );
}

#[test]
fn substreams_open_all_at_once() {
    let (server, told) = server(Settings::default());
    let mut client = client(&server, Settings::default());
    for count in [1, 32, 256, 1_000] {
        let before = client.counters();
        assert_eq!(client.open_substreams(count).unwrap().len(), count);
        let sends = client.counters().since(before).sends;
        // All are asked for at once, and closed at once.
        assert_eq!(sends, 2, "{count} were asked for");
        client.drop_substreams(count).unwrap();
    }
    client.transfer(Direction::Download, 1_000).unwrap();
    assert_eq!(told.recv().unwrap().unwrap().downloaded, 1_000);
    client.close();
}

#[test]
fn clients_are_served_side_by_side() {
    let (server, _told) = server(Settings::default());
    // Nobody has to go before another one is served.
    let mut clients: Vec<Client> = (0..8)
        .map(|_| client(&server, Settings::default()))
        .collect();
    for _ in 0..2 {
        for client in &mut clients {
            client.transfer(Direction::Upload, 3 << 20).unwrap();
        }
    }
    assert_eq!(server.connections(), 8);
    // Nor does one wait for another's transfer.
    std::thread::scope(|scope| {
        for client in &mut clients {
            scope.spawn(|| client.transfer(Direction::Upload, 3 << 20).unwrap());
        }
    });
}
