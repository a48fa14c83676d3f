//! A driver on a socket that does as it is told.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use workload_transport::{
    ConnectionId, Driver, Ended, Endpoint, Event, Random, SecretKey, Settings, Socket, Time,
    Transmit, World,
};

use crate::pair::content;

/// What a socket was asked to send and has to give, and whether it does.
#[derive(Default)]
struct Line {
    is_full: bool,
    sends_no_more: Option<io::ErrorKind>,
    is_deaf: Option<io::ErrorKind>,
    sent: Vec<Vec<u8>>,
    came: Vec<Vec<u8>>,
}

#[derive(Clone, Default)]
struct Told(Rc<RefCell<Line>>);

impl Socket for Told {
    fn send(&mut self, _: Time, transmit: &Transmit, contents: &[u8]) -> io::Result<()> {
        let mut line = self.0.borrow_mut();
        if line.is_full {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        if let Some(error) = line.sends_no_more {
            return Err(error.into());
        }
        let datagrams = contents.chunks(transmit.segment);
        line.sent.extend(datagrams.map(<[u8]>::to_vec));
        Ok(())
    }

    fn receive(
        &mut self,
        _: Time,
        take: &mut dyn FnMut(SocketAddr, &mut [u8]),
    ) -> io::Result<bool> {
        let mut line = self.0.borrow_mut();
        match line.is_deaf {
            Some(error) => return Err(error.into()),
            None if line.came.is_empty() => return Err(io::ErrorKind::WouldBlock.into()),
            None => {}
        }
        for mut datagram in line.came.drain(..) {
            take(World::address(2), &mut datagram);
        }
        Ok(false)
    }

    fn most(&self) -> usize {
        44
    }
}

fn endpoint(seed: u8) -> Endpoint {
    let mut random = Random::from_seed([seed; 32]);
    Endpoint::new(SecretKey::draw(&mut random), random, Settings::default())
}

/// A driver with a connection to an endpoint that has answered, if it is to.
fn driver(told: &Told, is_answered: bool) -> (Driver<Told>, ConnectionId) {
    let (driver, _, id) = both(told, is_answered);
    (driver, id)
}

/// The same, and the endpoint.
fn both(told: &Told, is_answered: bool) -> (Driver<Told>, Endpoint, ConnectionId) {
    let mut driver = Driver::new(endpoint(1), told.clone());
    let mut other = endpoint(2);
    let (address, key) = (World::address(2), other.public_key());
    let connected = driver.endpoint.connect(Time::ZERO, address, &key);
    let id = connected.expect("there is room for a connection");
    driver.flush(Time::ZERO);
    if is_answered {
        let mut answer = Vec::new();
        for mut datagram in told.0.borrow_mut().sent.drain(..) {
            other.handle_datagram(Time::ZERO, World::address(1), &mut datagram);
        }
        let answered = other.poll_transmit(Time::ZERO, 1, &mut answer);
        assert!(answered.is_some(), "it answers");
        driver
            .endpoint
            .handle_datagram(Time::ZERO, address, &mut answer);
        assert_eq!(driver.endpoint.poll_event(), Some((id, Event::Connected)));
    }
    (driver, other, id)
}

/// Lets both sides talk without any delay between them, from one moment to another.
fn talk(told: &Told, driver: &mut Driver<Told>, other: &mut Endpoint, span: [Duration; 2]) {
    let [mut now, until] = span.map(|since| Time::ZERO + since);
    while now <= until {
        driver.turn(now);
        for mut datagram in std::mem::take(&mut told.0.borrow_mut().sent) {
            other.handle_datagram(now, World::address(1), &mut datagram);
        }
        other.handle_timeout(now);
        let mut said = Vec::new();
        while other.poll_transmit(now, 1, &mut said).is_some() {
            told.0.borrow_mut().came.push(std::mem::take(&mut said));
        }
        let soon = now + Duration::from_micros(100);
        let next = [driver.next(), other.next_timeout()];
        let next = next.into_iter().flatten().min().unwrap_or(Time::NEVER);
        now = if told.0.borrow().came.is_empty() {
            next.max(soon)
        } else {
            soon
        };
    }
}

#[test]
fn what_a_socket_did_not_send_comes_again_and_its_error_is_told_until_then() {
    let told = Told::default();
    let (mut driver, mut other, id) = both(&told, true);
    let message = content(10_000, 1);
    driver.endpoint.send(id, message.clone()).unwrap();
    told.0.borrow_mut().sends_no_more = Some(io::ErrorKind::NetworkUnreachable);
    let [now, then, later] = [0, 1, 5].map(Duration::from_secs);
    talk(&told, &mut driver, &mut other, [now, then]);
    assert_eq!(other.poll_event(), None);
    let said = driver.last_error().unwrap().to_string();
    assert_eq!(said, "nothing was sent to 10.0.0.1:2: network unreachable");
    told.0.borrow_mut().sends_no_more = None;
    talk(&told, &mut driver, &mut other, [then, later]);
    let (theirs, event) = other.poll_event().unwrap();
    assert_eq!(event, Event::Connected);
    let chunks = std::iter::from_fn(|| other.read(theirs));
    let read: Vec<u8> = chunks.flat_map(|chunk| chunk.bytes).collect();
    assert_eq!(read, message);
    assert!(driver.last_error().is_none());
    let events = std::iter::from_fn(|| driver.endpoint.poll_event());
    assert_eq!(events.collect::<Vec<_>>(), [(id, Event::Delivered(0))]);
}

#[test]
fn a_socket_that_gives_only_errors_is_left_alone_for_a_while_and_heard_again() {
    let told = Told::default();
    let (mut driver, mut other, id) = both(&told, true);
    driver.endpoint.send(id, content(10, 1)).unwrap();
    told.0.borrow_mut().is_deaf = Some(io::ErrorKind::PermissionDenied);
    let before = driver.calls();
    // As often as somebody looks whom poll wakes at once.
    for micros in (0..1_000_000).step_by(100) {
        assert!(!driver.turn(Time::ZERO + Duration::from_micros(micros)));
    }
    let calls = driver.calls();
    assert_eq!(calls.receives - before.receives, 100);
    assert_eq!(calls.errors - before.errors, 100);
    let said = driver.last_error().unwrap().to_string();
    assert_eq!(said, "nothing was received: permission denied");
    told.0.borrow_mut().is_deaf = None;
    let span = [1, 5].map(Duration::from_secs);
    talk(&told, &mut driver, &mut other, span);
    assert!(driver.last_error().is_none());
    assert_eq!(
        driver.endpoint.poll_event(),
        Some((id, Event::Delivered(0)))
    );
}

#[test]
fn a_clock_that_falls_back_leaves_no_socket_alone_for_longer() {
    let told = Told::default();
    let (mut driver, _) = driver(&told, true);
    told.0.borrow_mut().is_deaf = Some(io::ErrorKind::PermissionDenied);
    driver.turn(Time::ZERO + Duration::from_secs(3_600));
    let before = driver.calls().receives;
    driver.turn(Time::ZERO);
    assert_eq!(driver.calls().receives, before + 1);
}

#[test]
fn a_socket_that_takes_nothing_does_not_hold_up_an_end() {
    let ends = [(false, Ended::NoAnswer, 10), (true, Ended::Silent, 30)];
    let errors = [None, Some(io::ErrorKind::HostUnreachable)];
    for ((is_answered, wanted, seconds), error) in ends
        .into_iter()
        .flat_map(|end| errors.map(|error| (end, error)))
    {
        let told = Told::default();
        let (mut driver, _) = driver(&told, is_answered);
        told.0.borrow_mut().is_full = error.is_none();
        told.0.borrow_mut().sends_no_more = error;
        let mut now = Time::ZERO;
        let mut ended = None;
        while let Some(next) = {
            driver.turn(now);
            driver.endpoint.next_timeout()
        } {
            assert!(next > now, "it would turn without end");
            now = next;
            while let Some((_, event)) = driver.endpoint.poll_event() {
                assert_eq!(ended.replace((now, event)), None);
            }
        }
        while let Some((_, event)) = driver.endpoint.poll_event() {
            assert_eq!(ended.replace((now, event)), None);
        }
        let when = Time::ZERO + Duration::from_secs(seconds);
        assert_eq!(ended, Some((when, Event::Ended(wanted))));
        assert_eq!(driver.endpoint.connections(), 0);
        assert_eq!(driver.last_error().is_some(), error.is_some());
    }
}

#[test]
fn all_that_may_leave_leaves_in_one_call() {
    let told = Told::default();
    let (mut driver, id) = driver(&told, true);
    let before = driver.calls().sends;
    driver.endpoint.send(id, content(100_000, 1)).unwrap();
    driver.flush(Time::ZERO);
    assert_eq!(driver.calls().sends - before, 1);
    let sent = &told.0.borrow().sent;
    let lengths: Vec<_> = sent.iter().map(Vec::len).collect();
    // As much as a connection may have under way at first.
    assert_eq!(lengths, [1_472; 26]);
}

/// As many first messages as there are addresses, and how many calls they took, on a socket that takes nothing at first.
fn begun(addresses: &[u16]) -> (usize, u64) {
    let told = Told::default();
    let mut driver = Driver::new(endpoint(1), told.clone());
    let key = endpoint(2).public_key();
    for address in addresses {
        let connected = driver
            .endpoint
            .connect(Time::ZERO, World::address(*address), &key);
        connected.expect("there is room for a connection");
    }
    told.0.borrow_mut().is_full = true;
    driver.flush(Time::ZERO);
    driver.flush(Time::ZERO);
    assert!(driver.is_held_up());
    told.0.borrow_mut().is_full = false;
    let before = driver.calls().sends;
    driver.flush(Time::ZERO);
    assert!(!driver.is_held_up());
    let sent = &told.0.borrow().sent;
    let different: BTreeSet<_> = sent.iter().collect();
    assert_eq!(different.len(), sent.len(), "one was sent twice");
    (sent.len(), driver.calls().sends - before)
}

#[test]
fn what_many_connections_say_to_one_address_leaves_in_one_call() {
    assert_eq!(begun(&[2]), (1, 1));
    assert_eq!(begun(&[2; 44]), (44, 1));
    assert_eq!(begun(&[2; 45]), (45, 2));
    assert_eq!(begun(&[2, 2, 3, 3, 2]), (5, 3));
}

#[test]
fn a_shorter_datagram_is_the_last_of_its_call() {
    let told = Told::default();
    let (mut driver, id) = driver(&told, true);
    driver.flush(Time::ZERO);
    told.0.borrow_mut().sent.clear();
    let before = driver.calls().sends;
    for address in [2, 2] {
        let key = endpoint(2).public_key();
        let connected = driver
            .endpoint
            .connect(Time::ZERO, World::address(address), &key);
        connected.expect("there is room for a connection");
    }
    driver.endpoint.send(id, content(1, 1)).unwrap();
    driver.flush(Time::ZERO);
    let lengths: Vec<_> = told.0.borrow().sent.iter().map(Vec::len).collect();
    assert_eq!((lengths.len(), driver.calls().sends - before), (3, 1));
    assert!(lengths[0] == lengths[1] && lengths[1] > lengths[2]);
}
