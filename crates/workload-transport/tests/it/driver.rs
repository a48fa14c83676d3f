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

/// What a socket was asked to send, and whether it takes more.
#[derive(Default)]
struct Line {
    is_full: bool,
    sent: Vec<Vec<u8>>,
}

#[derive(Clone, Default)]
struct Told(Rc<RefCell<Line>>);

impl Socket for Told {
    fn send(&mut self, _: Time, transmit: &Transmit, contents: &[u8]) -> io::Result<()> {
        let mut line = self.0.borrow_mut();
        if line.is_full {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let datagrams = contents.chunks(transmit.segment);
        line.sent.extend(datagrams.map(<[u8]>::to_vec));
        Ok(())
    }

    fn receive(&mut self, _: Time, _: &mut dyn FnMut(SocketAddr, &mut [u8])) -> io::Result<bool> {
        Err(io::ErrorKind::WouldBlock.into())
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
    (driver, id)
}

#[test]
fn a_socket_that_takes_nothing_does_not_hold_up_an_end() {
    for (is_answered, wanted, seconds) in [(false, Ended::NoAnswer, 10), (true, Ended::Silent, 30)]
    {
        let told = Told::default();
        let (mut driver, _) = driver(&told, is_answered);
        told.0.borrow_mut().is_full = true;
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
