//! Servers that do what they must not: a client says so, and keeps nothing of it.

use std::io::Write as _;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use super::{Waiting, asked};
use crate::connection::Connection;
use crate::error::{Cause, Error, Phase};
use crate::line::pipe::{Pipe, pair};
use crate::line::{Deadline, Line};
use crate::negotiation::proposal;
use crate::noise::{Role, secure};
use crate::perf::PROTOCOL;
use crate::settings::Settings;
use crate::yamux::StreamId;
use crate::{Address, Client, Identity};

const LONG: Duration = Duration::from_secs(60);

/// What a client says of a server that does this in the middle of an exchange.
fn cause(server: impl FnOnce(Connection<Pipe>, StreamId) + Send) -> Cause {
    asked(server).0.expect_err("nothing came of it")
}

/// What a client says of somebody who answers with this, whatever is asked, and stays.
fn answered(said: &[u8]) -> Error {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = listener.local_addr().unwrap();
    thread::scope(|scope| {
        let server = scope.spawn(move || -> TcpStream {
            let (mut stream, _) = listener.accept().unwrap();
            // A client that has heard enough may be gone.
            let _ = stream.write_all(said);
            stream
        });
        let settings = Settings {
            secure: LONG,
            ..Settings::default()
        };
        let identity = Identity::from_text("client");
        let connected = Client::connect(&Address { socket, peer: None }, &identity, settings);
        // Until here it is connected.
        let _ = server.join().unwrap().shutdown(Shutdown::Both);
        connected.err().expect("nobody to talk to is there")
    })
}

#[test]
fn garbage_instead_of_a_handshake_is_refused_at_once() {
    let agreed = proposal("/noise");
    let behind = |message: &[u8]| [&agreed[..], message].concat();
    type Fits = fn(&Cause) -> bool;
    let multistream: Fits = |cause| matches!(cause, Cause::NotMultistream);
    let handshake: Fits = |cause| matches!(cause, Cause::NoHandshake(_));
    let spoken: Fits = |cause| matches!(cause, Cause::NotSpoken("/noise"));
    for (said, fits) in [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n".repeat(4), multistream),
        (vec![0xff; 10_000], multistream),
        (behind(&[0, 3, 1, 2, 3]), handshake),
        (behind(&[0xff; 5_000]), handshake),
        (behind(&[&[0, 200], &[5; 200][..]].concat()), handshake),
        (proposal("na"), spoken),
        (proposal("/tls/1.0.0"), spoken),
    ] {
        let error = answered(&said);
        assert_eq!(error.phase, Phase::Secure, "{error}");
        assert!(fits(&error.cause), "{error}: {said:?}");
    }
}

#[test]
fn whoever_does_not_speak_what_is_needed_is_named() {
    let settings = Settings::default();
    let [here, there] = pair();
    let error = thread::scope(|scope| {
        scope.spawn(|| {
            let mut line = Line::new(there);
            let deadline = Deadline::after(LONG);
            let identity = Identity::from_text("server");
            let keys = settings.keys().unwrap();
            let secured = secure(&mut line, Role::Listener, &identity, keys, deadline).unwrap();
            let mut outbox = secured.outbox;
            outbox.push(&proposal("na"));
            line.send(outbox.unsent(), deadline).unwrap();
            // Until the client has gone.
            while line.fill(deadline).is_ok() {}
        });
        let identity = Identity::from_text("client");
        let keys = settings.keys().unwrap();
        Connection::new(here, Role::Dialer, &identity, keys, &settings).err()
    });
    assert!(matches!(error, Some(Cause::NotSpoken("/yamux/1.0.0"))));
}

#[test]
fn a_client_says_what_its_server_did() {
    let short = cause(|mut connection, id| {
        connection.mux().write(id, &[0; 4]);
        connection.mux().end(id);
        connection.flush();
    });
    assert!(
        matches!(
            short,
            Cause::Short {
                declared: 10,
                arrived: 4
            }
        ),
        "{short}"
    );
    let trailing = cause(|mut connection, id| {
        connection.mux().write(id, &[0; 11]);
        connection.flush();
    });
    assert!(matches!(trailing, Cause::Trailing), "{trailing}");
    let reset = cause(|mut connection, id| {
        connection.mux().reset(id);
        connection.flush();
    });
    assert!(matches!(reset, Cause::Reset), "{reset}");
    let gone = cause(|mut connection, _| connection.close(2));
    assert!(matches!(gone, Cause::GoneAway(2)), "{gone}");
    let ended = cause(|connection, _| drop(connection));
    assert!(matches!(ended, Cause::Ended | Cause::System(_)), "{ended}");
    // Within a frame.
    let cut = cause(|mut connection, id| {
        connection.mux().write(id, &[0; 4]);
        connection.send_half();
    });
    assert!(matches!(cut, Cause::Ended | Cause::System(_)), "{cut}");
}

#[test]
fn a_thousand_substreams_opened_and_dropped_leave_nothing_at_the_client() {
    let (exchanged, left) = asked(|mut connection, id| {
        for _ in 0..5 {
            let mux = connection.mux();
            let ids: Vec<_> = (0..1_000).map(|_| mux.open().unwrap()).collect();
            for dropped in ids {
                mux.write_first(dropped, &proposal(PROTOCOL));
                mux.reset(dropped);
            }
            connection.hand_over(LONG).unwrap();
        }
        connection.mux().write(id, &[0; 10]);
        connection.mux().end(id);
        // Until the client has it all.
        connection.run(&mut Waiting { id, is_over: false }).unwrap();
    });
    assert!(exchanged.is_ok(), "{exchanged:?}");
    assert_eq!(left, 0);
}
