//! Servers that stop, or speak something else, over the loopback interface: a client gives up in time, and says what did not happen.

use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::{Greeting, MOMENT};
use crate::connection::Connection;
use crate::error::{Cause, Error, Phase};
use crate::line::Tcp;
use crate::negotiation::proposal;
use crate::noise::Role;
use crate::perf::PROTOCOL;
use crate::yamux::{Application, Event, Mux, StreamId};
use crate::{Address, Client, Exchange, Identity, Settings};

/// Lets a client talk to somebody who does this on its connection, and then nothing, for as long as the client stays.
fn given_up(
    settings: Settings,
    server: impl FnOnce(&mut Connection<Tcp>) + Send,
    client: impl FnOnce(&mut Client) -> Option<Error>,
) -> Error {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = listener.local_addr().unwrap();
    let (leave, left) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let settings = Settings::default();
            let wire = Tcp::new(listener.accept().unwrap().0).unwrap();
            let identity = Identity::from_text("server");
            let keys = settings.keys().unwrap();
            let connection = Connection::new(wire, Role::Listener, &identity, keys, &settings);
            let mut connection = connection.unwrap();
            server(&mut connection);
            // It ends with the client.
            let _ = left.recv();
        });
        let identity = Identity::from_text("client");
        let mut connected =
            Client::connect(&Address { socket, peer: None }, &identity, settings).unwrap();
        let error = client(&mut connected);
        drop(leave);
        error.expect("nothing came of it")
    })
}

fn assert_timed_out(error: &Error, phase: Phase) {
    assert_eq!(error.phase, phase, "{error}");
    assert!(matches!(error.cause, Cause::TimedOut(MOMENT)), "{error}");
}

#[test]
fn nobody_takes_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = listener.local_addr().unwrap();
    // As few as there can be wait to be taken.
    rustix::net::listen(&listener, 0).unwrap();
    let mut waiting = Vec::new();
    while let Ok(stream) = TcpStream::connect_timeout(&socket, MOMENT) {
        waiting.push(stream);
        assert!(waiting.len() < 100, "whoever comes is taken");
    }
    let settings = Settings {
        connect: MOMENT,
        ..Settings::default()
    };
    let (tell, told) = channel();
    thread::spawn(move || {
        let identity = Identity::from_text("client");
        let connected = Client::connect(&Address { socket, peer: None }, &identity, settings);
        tell.send(connected.err())
    });
    // The system gives up by itself, after minutes.
    let error = told.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_timed_out(&error.unwrap(), Phase::Connect);
}

#[test]
fn nobody_answers_a_substream() {
    let settings = Settings {
        open: MOMENT,
        ..Settings::default()
    };
    let error = given_up(settings, |_| {}, |client| client.open_substreams(3).err());
    assert_timed_out(&error, Phase::Open);
}

#[test]
fn nobody_takes_what_is_said_at_last() {
    let settings = Settings {
        open: MOMENT,
        ..Settings::default()
    };
    let dropped = |client: &mut Client| {
        // More than any system keeps for somebody who does not read.
        (0..10_000).find_map(|_| client.drop_substreams(1_000).err())
    };
    assert_timed_out(&given_up(settings, |_| {}, dropped), Phase::Open);
}

/// Agrees to a substream.
fn greet(connection: &mut Connection<Tcp>) -> StreamId {
    let mut greeting = Greeting(None, 0);
    connection.run(&mut greeting).unwrap();
    greeting.0.unwrap()
}

#[test]
fn an_exchange_stops_within_a_frame() {
    let settings = Settings {
        stall: MOMENT,
        ..Settings::default()
    };
    let server = |connection: &mut Connection<Tcp>| {
        let id = greet(connection);
        connection.mux().write(id, &[0; 10]);
        connection.send_half();
    };
    let exchange = Exchange {
        upload: 10,
        download: 10,
    };
    let error = given_up(settings, server, |client| client.exchange(exchange).err());
    assert_timed_out(&error, Phase::Exchange);
}

/// Speaks nothing on any substream.
struct Refusing {
    has_refused: bool,
}

impl Application for Refusing {
    fn happened(&mut self, mux: &mut Mux, event: Event<'_>) -> Result<(), Cause> {
        if let Event::Opened(id) = event {
            mux.write_first(id, &proposal("na"));
            self.has_refused = true;
        }
        Ok(())
    }

    fn fill(&mut self, _: &mut Mux) {}

    fn is_done(&self) -> bool {
        self.has_refused
    }

    fn progress(&self) -> u64 {
        0
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(60)
    }
}

#[test]
fn nobody_speaks_the_protocol() {
    let refuse = |connection: &mut Connection<Tcp>| {
        let mut refusing = Refusing { has_refused: false };
        connection.run(&mut refusing).unwrap();
    };
    let asked = |client: &mut Client| client.open_substreams(1).err();
    let error = given_up(Settings::default(), refuse, asked);
    assert_eq!(error.phase, Phase::Open, "{error}");
    assert!(matches!(error.cause, Cause::NotSpoken(PROTOCOL)), "{error}");
}

#[test]
fn an_exchange_stops_wherever_it_is() {
    // Before the answer, in the middle of it, and before the end; and while there is more than is taken.
    for (upload, answered) in [(10, 0), (10, 4), (10, 10), (64 << 20, 0)] {
        let settings = Settings {
            stall: MOMENT,
            ..Settings::default()
        };
        let server = |connection: &mut Connection<Tcp>| {
            let id = greet(connection);
            connection.mux().write(id, &[0; 10][..answered]);
            connection.flush();
        };
        let exchange = Exchange {
            upload,
            download: 10,
        };
        let error = given_up(settings, server, |client| client.exchange(exchange).err());
        assert_timed_out(&error, Phase::Exchange);
    }
}
