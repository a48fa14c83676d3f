//! Clients and servers that do what they must not, over a line within the process: whatever they do ends in an error that
//! says so, within the time allowed, and leaves nothing behind.
//!
//! Where one of them is silent, the time allowed to it is a moment: it would be silent for as long as one likes.

mod servers;
mod silent;

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::connection::Connection;
use crate::error::Cause;
use crate::line::pipe::{Pipe, pair};
use crate::line::{Deadline, Line};
use crate::negotiation::proposal;
use crate::noise::{Role, keyless, secure};
use crate::perf::{Asking, Exchange, Opening, PROTOCOL, Served, Serving};
use crate::server::serve;
use crate::settings::Settings;
use crate::yamux::{Application, Event, Limits, Mux, StreamId};
use crate::{Identity, Times};

const MOMENT: Duration = Duration::from_millis(20);

/// What a server told of, and how the connection ended.
struct Seen {
    told: Vec<Result<Served, Cause>>,
    ended: Result<(), Cause>,
}

/// Lets a client do what it likes to a server.
fn served<T>(settings: &Settings, client: impl FnOnce(Pipe) -> T) -> (Seen, T) {
    let [here, there] = pair();
    thread::scope(|scope| {
        let server = scope.spawn(move || {
            let mut told = Vec::new();
            let identity = Identity::from_text("server");
            let ended = serve(there, &identity, settings, &mut |served| told.push(served));
            Seen { told, ended }
        });
        let result = client(here);
        (server.join().unwrap(), result)
    })
}

fn connect(wire: Pipe) -> Connection<Pipe> {
    let settings = Settings::default();
    let identity = Identity::from_text("client");
    Connection::new(
        wire,
        Role::Dialer,
        &identity,
        settings.keys().unwrap(),
        &settings,
    )
    .unwrap()
}

/// Opens a substream for the protocol, and says something on it.
fn open(connection: &mut Connection<Pipe>) -> StreamId {
    let settings = Settings::default();
    let mut opening = Opening::new(connection.mux(), &settings, 1).unwrap();
    connection.run(&mut opening).unwrap();
    let [(id, _)] = opening.opened().collect::<Vec<_>>()[..] else {
        panic!("one was opened");
    };
    id
}

/// Sends what there is to be sent, and waits until the substream is over.
struct Waiting {
    id: StreamId,
    is_over: bool,
}

impl Application for Waiting {
    fn happened(&mut self, _: &mut Mux, event: Event<'_>) -> Result<(), Cause> {
        self.is_over |= matches!(event, Event::Reset(id) | Event::Ended(id) if id == self.id);
        Ok(())
    }

    fn fill(&mut self, _: &mut Mux) {}

    fn is_done(&self) -> bool {
        self.is_over
    }

    fn progress(&self) -> u64 {
        0
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(60)
    }
}

/// Says this on a substream, ends it if wanted, and waits until the server has done with it.
fn say(wire: Pipe, said: &[u8], is_ended: bool) {
    let mut connection = connect(wire);
    let id = open(&mut connection);
    assert_eq!(connection.mux().write(id, said), said.len());
    if is_ended {
        connection.mux().end(id);
    }
    connection.run(&mut Waiting { id, is_over: false }).unwrap();
    connection.close(0);
}

fn exchange(connection: &mut Connection<Pipe>, exchange: Exchange) -> Result<Times, Cause> {
    let settings = Settings::default();
    let id = open(connection);
    let mut asking = Asking::new(&settings, id, exchange);
    connection.run(&mut asking)?;
    Ok(asking.times().unwrap())
}

fn sizes(upload: u64, payload: &[u8], download: u64) -> Vec<u8> {
    [&upload.to_be_bytes(), payload, &download.to_be_bytes()].concat()
}

#[test]
fn garbage_instead_of_a_handshake_is_refused() {
    let hello = proposal("/noise");
    let cases: [(Vec<u8>, &str); 5] = [
        (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03garbage that goes on".to_vec(),
            "multistream",
        ),
        (vec![0xff; 10_000], "multistream"),
        (
            [&hello[..], &[0, 3, 1, 2, 3]].concat(),
            "a key that does not fit",
        ),
        ([&hello[..], &[0xff; 5_000]].concat(), "too long"),
        (
            [&hello[..], &[0, 32], &[5; 32], &[0, 200], &[5; 200]].concat(),
            "a key that does not fit",
        ),
    ];
    for (said, why) in cases {
        let (seen, ()) = served(&Settings::default(), |wire| {
            let mut line = Line::new(wire);
            line.send(&said, Deadline::after(Duration::from_secs(60)))
                .unwrap();
            // Until the server has gone.
            while line.fill(Deadline::after(Duration::from_secs(60))).is_ok() {}
        });
        let error = seen.ended.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn whoever_asks_for_something_else_is_told_no() {
    let (seen, ()) = served(&Settings::default(), |wire| {
        let mut line = Line::new(wire);
        line.send(
            &proposal("/tls/1.0.0"),
            Deadline::after(Duration::from_secs(60)),
        )
        .unwrap();
        // Until the answer is here, all of it.
        let answer = proposal("na").len();
        line.take_until(Deadline::after(Duration::from_secs(60)), |input| {
            Ok(input.len() == answer)
        })
        .unwrap();
    });
    assert!(matches!(seen.ended, Err(Cause::NothingCommon(1))));
    let (seen, ()) = served(&Settings::default(), |wire| {
        let mut connection = connect(wire);
        let id = connection.mux().open().unwrap();
        connection.mux().write_first(id, &proposal("/other/1.0.0"));
        connection.mux().end(id);
        connection.run(&mut Waiting { id, is_over: false }).unwrap();
        // The connection is as good as before.
        let sizes = Exchange {
            upload: 5,
            download: 7,
        };
        exchange(&mut connection, sizes).unwrap();
        connection.close(0);
    });
    assert!(seen.ended.is_ok());
    assert!(matches!(seen.told[0], Err(Cause::NothingCommon(1))));
    assert!(seen.told[1].is_ok());
}

#[test]
fn frames_that_come_with_the_agreement_are_taken() {
    let settings = Settings {
        idle: MOMENT,
        ..Settings::default()
    };
    let (hold, held) = channel();
    let (seen, ()) = served(&settings, |wire| {
        let mut line = Line::new(wire);
        let deadline = Deadline::after(Duration::from_secs(60));
        let identity = Identity::from_text("client");
        let keys = settings.keys().unwrap();
        let secured = secure(&mut line, Role::Dialer, &identity, keys, deadline).unwrap();
        let mut mux = Mux::new(secured.outbox, Role::Dialer, Limits { streams_max: 1 });
        mux.outbox.push(&proposal("/yamux/1.0.0"));
        // A frame of its own, and yet in one piece with the next: both are there when serving begins.
        mux.outbox.unsent();
        let id = mux.open().unwrap();
        mux.write_first(id, &proposal(PROTOCOL));
        mux.write_first(id, &sizes(0, &[], 0));
        line.send(mux.outbox.unsent(), deadline).unwrap();
        hold.send(line).unwrap();
    });
    drop(held);
    assert!(matches!(&seen.told[..], [Ok(_)]), "{:?}", seen.told);
}

#[test]
fn a_line_that_takes_little_at_once_carries_all() {
    // Less than half a window: nobody speaks in between.
    let sizes = Exchange {
        upload: 4 << 20,
        download: 4 << 20,
    };
    let (seen, ()) = served(&Settings::default(), |wire| {
        let mut connection = connect(wire.narrow(100_000));
        exchange(&mut connection, sizes).unwrap();
        connection.close(0);
    });
    assert!(matches!(&seen.told[..], [Ok(_)]), "{:?}", seen.told);
}

#[test]
fn what_is_sent_goes_in_as_few_calls_as_there_can_be() {
    // Less than the line takes, however late it is read.
    let sizes = Exchange {
        upload: 900 << 10,
        download: 0,
    };
    for write_bytes in [1 << 10, 64 << 10] {
        let settings = Settings {
            write_bytes,
            ..Settings::default()
        };
        let (seen, sends) = served(&Settings::default(), |wire| {
            let mut connection = connect(wire);
            let id = open(&mut connection);
            let before = connection.counters().sends;
            let mut asking = Asking::new(&settings, id, sizes);
            connection.run(&mut asking).unwrap();
            let sends = connection.counters().sends - before;
            connection.close(0);
            sends
        });
        assert!(matches!(&seen.told[..], [Ok(_)]), "{:?}", seen.told);
        // Half a mebibyte each, and the end of the substream.
        assert_eq!(sends, 2 + 1, "{write_bytes} at a time");
    }
}

#[test]
fn a_connection_that_says_nothing_ends_in_time() {
    let secure = Settings {
        secure: MOMENT,
        ..Settings::default()
    };
    let said: [&[u8]; 3] = [
        b"",
        b"\x13/multi",
        &[&proposal("/noise")[..], &[0, 32, 1]].concat(),
    ];
    for said in said {
        let (stay, stays) = channel::<Pipe>();
        let (seen, ()) = served(&secure, |wire| {
            let mut line = Line::new(wire);
            line.send(said, Deadline::after(Duration::from_secs(60)))
                .unwrap();
            stay.send(line.into_wire()).unwrap();
        });
        drop(stays);
        assert!(
            matches!(seen.ended, Err(Cause::TimedOut(MOMENT))),
            "{said:?}"
        );
    }
}

/// Keeps a client's end until the server has given up.
fn held(settings: &Settings, client: impl FnOnce(Pipe) -> Connection<Pipe>) -> Seen {
    let (hold, held): (_, Receiver<Connection<Pipe>>) = channel();
    let (seen, ()) = served(settings, |wire| hold.send(client(wire)).unwrap());
    drop(held);
    seen
}

#[test]
fn a_client_that_stops_in_the_middle_is_given_up() {
    let stall = Settings {
        stall: MOMENT,
        ..Settings::default()
    };
    let seen = held(&stall, |wire| {
        let mut connection = connect(wire);
        let id = open(&mut connection);
        connection.mux().write(id, &sizes(1_000, &[1; 10], 0));
        connection.flush();
        connection
    });
    assert!(matches!(seen.ended, Err(Cause::TimedOut(MOMENT))));
    // Within a frame, and still there.
    let idle = Settings {
        idle: MOMENT,
        ..Settings::default()
    };
    let seen = held(&idle, |wire| {
        let mut connection = connect(wire);
        let id = open(&mut connection);
        connection.mux().write(id, &sizes(1_000, &[1; 10], 0));
        connection.send_half();
        connection
    });
    assert!(matches!(seen.ended, Err(Cause::TimedOut(MOMENT))));
    // Within a frame, and gone.
    let (seen, ()) = served(&Settings::default(), |wire| {
        let mut connection = connect(wire);
        let id = open(&mut connection);
        connection.mux().write(id, &1_000_u64.to_be_bytes());
        connection.mux().write(id, &[1; 10]);
        connection.send_half();
    });
    assert!(matches!(seen.ended, Err(Cause::Ended)), "{:?}", seen.ended);
    assert!(seen.told.is_empty());
    // An exchange that had begun does not end well because its client is gone.
    let (seen, ()) = served(&Settings::default(), |wire| {
        let mut connection = connect(wire);
        let id = open(&mut connection);
        connection.mux().write(id, &sizes(1_000, &[1; 10], 0));
        connection.flush();
    });
    assert!(matches!(seen.ended, Err(Cause::Ended)));
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let limit = Settings {
        bytes_max: 1 << 20,
        ..Settings::default()
    };
    type Fits = fn(&Cause) -> bool;
    let cases: [(Vec<u8>, bool, Fits); 7] = [
        (sizes(100, &[1; 2], 0)[..10].to_vec(), true, |cause| {
            matches!(
                cause,
                Cause::Short {
                    declared: 100,
                    arrived: 2
                }
            )
        }),
        // What is too much is read as the next size, which is none, or as what follows it.
        (sizes(10, &[1; 20], 0), false, |cause| {
            matches!(cause, Cause::TooLarge { .. })
        }),
        (sizes(10, &[0; 20], 0), false, |cause| {
            matches!(cause, Cause::Trailing)
        }),
        (sizes(u64::MAX, &[], 0), false, |cause| {
            matches!(
                cause,
                Cause::TooLarge {
                    declared: u64::MAX,
                    limit: 0x10_0000
                }
            )
        }),
        (sizes(0, &[], u64::MAX), false, |cause| {
            matches!(cause, Cause::TooLarge { .. })
        }),
        (vec![0; 3], true, |cause| matches!(cause, Cause::NoNumber)),
        (vec![0; 11], true, |cause| matches!(cause, Cause::NoNumber)),
    ];
    for (said, is_ended, fits) in cases {
        let (seen, ()) = served(&limit, |wire| say(wire, &said, is_ended));
        assert!(seen.ended.is_ok(), "{:?}", seen.ended);
        match &seen.told[..] {
            [Err(cause)] => assert!(fits(cause), "{cause}: {said:?}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn whoever_goes_on_after_the_end_is_told_of() {
    let (seen, ()) = served(&Settings::default(), |wire| {
        let mut connection = connect(wire);
        let id = open(&mut connection);
        connection.mux().write(id, &sizes(0, &[], 0));
        // The server has said all, and ends its side.
        connection.run(&mut Waiting { id, is_over: false }).unwrap();
        connection.mux().write(id, &[1; 10]);
        connection.run(&mut Waiting { id, is_over: false }).unwrap();
        connection.close(0);
    });
    assert!(
        matches!(&seen.told[..], [Ok(_), Err(Cause::Trailing)]),
        "{:?}",
        seen.told
    );
}

#[test]
fn a_substream_that_stands_still_is_given_up_while_another_moves() {
    let still = Settings {
        // Every look is due.
        stall: Duration::ZERO,
        ..Settings::default()
    };
    let mut told = Vec::new();
    let mut tell = |served| told.push(served);
    let mut serving = Serving::new(&still, &mut tell);
    let mut server = Mux::new(keyless().0, Role::Listener, Limits { streams_max: 2 });
    let ids = [(), ()].map(|()| server.open().unwrap());
    for id in ids {
        serving.happened(&mut server, Event::Opened(id)).unwrap();
        let said = [&proposal(PROTOCOL)[..], &sizes(1_000, &[1; 10], 0)].concat();
        serving
            .happened(&mut server, Event::Data(id, &said))
            .unwrap();
    }
    for _ in 0..3 {
        serving.fill(&mut server);
        serving
            .happened(&mut server, Event::Data(ids[1], &[1]))
            .unwrap();
    }
    assert_eq!(ids.map(|id| server.has(id)), [false, true]);
    drop(serving);
    assert!(matches!(&told[..], [Err(Cause::TimedOut(_))]), "{told:?}");
}

#[test]
fn a_server_that_answers_too_early_confirms_nothing() {
    for is_answered in [true, false] {
        let early = early(is_answered);
        assert!(matches!(early, Cause::Early), "{early}");
    }
}

#[test]
fn an_exchange_is_not_over_before_its_substream_is() {
    let settings = Settings::default();
    for says_more in [true, false] {
        let mut mux = Mux::new(keyless().0, Role::Dialer, Limits { streams_max: 1 });
        let id = mux.open().unwrap();
        let sizes = Exchange {
            upload: 0,
            download: 10,
        };
        let mut asking = Asking::new(&settings, id, sizes);
        asking.fill(&mut mux);
        asking
            .happened(&mut mux, Event::Data(id, &[0; 10]))
            .unwrap();
        assert!(asking.times().is_some() && !asking.is_done());
        let next = match says_more {
            true => Event::Data(id, &[0]),
            false => Event::Ended(id),
        };
        let result = asking.happened(&mut mux, next);
        assert_eq!(asking.is_done(), !says_more);
        assert_eq!(matches!(result, Err(Cause::Trailing)), says_more);
    }
}

/// What becomes of an upload that is confirmed before it was written.
fn early(is_answered: bool) -> Cause {
    let settings = Settings::default();
    let mut mux = Mux::new(keyless().0, Role::Dialer, Limits { streams_max: 1 });
    let id = mux.open().unwrap();
    let exchange = Exchange {
        upload: 1 << 30,
        download: u64::from(is_answered),
    };
    let mut asking = Asking::new(&settings, id, exchange);
    asking.fill(&mut mux);
    let event = match is_answered {
        true => Event::Data(id, &[0]),
        false => Event::Ended(id),
    };
    asking.happened(&mut mux, event).unwrap_err()
}

#[test]
fn a_thousand_substreams_opened_and_dropped_leave_nothing() {
    let (seen, left) = served(&Settings::default(), |wire| {
        let mut connection = connect(wire);
        for _ in 0..10 {
            let settings = Settings::default();
            let opening = Opening::new(connection.mux(), &settings, 1_000).unwrap();
            let ids: Vec<_> = opening.ids().collect();
            ids.into_iter().for_each(|id| connection.mux().reset(id));
        }
        exchange(
            &mut connection,
            Exchange {
                upload: 5,
                download: 7,
            },
        )
        .unwrap();
        let left = connection.mux().streams();
        connection.close(0);
        left
    });
    assert!(seen.ended.is_ok());
    assert!(left <= 1, "{left}");
    assert!(matches!(
        &seen.told[..],
        [Ok(Served {
            uploaded: 5,
            downloaded: 7,
            ..
        })]
    ));
}

#[test]
fn whoever_asks_without_listening_is_not_read_any_further() {
    let stall = Settings {
        idle: MOMENT,
        ..Settings::default()
    };
    let seen = held(&stall, |wire| {
        let mut connection = connect(wire);
        // Each is answered, and nobody reads the answers.
        let ping = [0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1].repeat(5_000);
        for _ in 0..1_000 {
            connection.mux().outbox.push(&ping);
            if !connection.flush() {
                return connection;
            }
        }
        panic!("sixty megabytes of questions were taken, and their answers kept");
    });
    assert!(seen.told.is_empty());
}

/// Lets a server do what it likes to a client, which wants to exchange something. Returns what came of it, and how many
/// substreams the client has then.
fn asked(server: impl FnOnce(Connection<Pipe>, StreamId) + Send) -> (Result<Times, Cause>, usize) {
    let [here, there] = pair();
    thread::scope(|scope| {
        scope.spawn(move || {
            let settings = Settings::default();
            let identity = Identity::from_text("server");
            let keys = settings.keys().unwrap();
            let mut connection =
                Connection::new(there, Role::Listener, &identity, keys, &settings).unwrap();
            let mut greeting = Greeting(None, 0);
            connection.run(&mut greeting).unwrap();
            server(connection, greeting.0.unwrap());
        });
        let mut connection = connect(here);
        let sizes = Exchange {
            upload: 10,
            download: 10,
        };
        let exchanged = exchange(&mut connection, sizes);
        (exchanged, connection.mux().streams())
    })
}

/// Agrees to everything on the first substream, and counts what comes until the client has said more than what it speaks.
struct Greeting(Option<StreamId>, usize);

impl Application for Greeting {
    fn happened(&mut self, mux: &mut Mux, event: Event<'_>) -> Result<(), Cause> {
        match event {
            Event::Opened(id) => {
                mux.write_first(id, &proposal(PROTOCOL));
                self.0 = Some(id);
            }
            Event::Data(_, bytes) => self.1 += bytes.len(),
            Event::Ended(_) | Event::Reset(_) => {}
        }
        Ok(())
    }

    fn fill(&mut self, _: &mut Mux) {}

    fn is_done(&self) -> bool {
        self.1 > proposal(PROTOCOL).len()
    }

    fn progress(&self) -> u64 {
        0
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(60)
    }
}
