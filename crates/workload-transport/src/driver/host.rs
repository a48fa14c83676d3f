//! A thread that drives an endpoint, and what other threads ask of it.
//!
//! The thread owns the socket and takes in whatever comes, so that no connection waits for an application thread. Whoever
//! sends writes to the stream and says it at once, without waking the thread first; whoever waits is woken by events.
//!
//! Tests: what is remembered of connections that end before anybody has taken them, what is told of a socket that fails and of
//! a thread that ends; `tests/it/udp.rs`.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};

use super::{Calls, Clock, Driver, Udp, Waker};
use crate::{Chunk, ConnectionId, Ended, Endpoint, Error, Event, PublicKey, Statistics, Time};

/// What is known of a connection beside what the endpoint knows.
#[derive(Default)]
struct Known {
    remote: Option<SocketAddr>,
    is_connected: bool,
    is_accepted: bool,
    delivered: u64,
    // And what the socket had not done just then.
    ended: Option<(Ended, Option<String>)>,
}

impl Known {
    /// Returns why it is no more, if so.
    fn failed(&self) -> Option<Failed> {
        let (ended, error) = self.ended.clone()?;
        Some(match error {
            Some(error) => Failed::Socket(ended, error),
            None => Failed::Ended(ended),
        })
    }
}

struct Inner {
    driver: Driver<Udp>,
    known: BTreeMap<ConnectionId, Known>,
    // Made by others, and not taken by the application.
    accepted: Vec<ConnectionId>,
    // What the thread sleeps until; whoever has something due before wakes it.
    sleeps_until: Time,
    // Why the thread is no more, or shall not be.
    stopped: Option<String>,
}

impl Inner {
    /// Passes events on. Returns whether there were any.
    fn note(&mut self, now: Time) -> bool {
        let mut any = false;
        while let Some((id, event)) = self.driver.endpoint.poll_event() {
            any = true;
            let endpoint = &self.driver.endpoint;
            let known = self.known.entry(id).or_insert_with(|| Known {
                remote: endpoint.remote(id),
                is_accepted: true,
                ..Known::default()
            });
            match event {
                Event::Connected => {
                    known.is_connected = true;
                    if known.is_accepted {
                        self.accepted.push(id);
                    }
                }
                Event::Delivered(_) => known.delivered += 1,
                Event::Ended(_)
                    if self.accepted.contains(&id) && !self.driver.endpoint.is_readable(id) =>
                {
                    // Nobody has seen it, and it has nothing to say to whoever would.
                    self.accepted.retain(|accepted| *accepted != id);
                    self.known.remove(&id);
                    self.driver.endpoint.close(now, id, 0);
                }
                Event::Ended(ended) => {
                    let error = self
                        .driver
                        .last_error_of(known.remote)
                        .map(ToString::to_string);
                    known.ended = Some((ended, error.filter(|_| ended.may_be_of_the_socket())));
                }
                Event::Readable => {}
            }
        }
        any
    }
}

struct Shared {
    inner: Mutex<Inner>,
    changed: Condvar,
    clock: Clock,
    waker: Waker,
}

impl Shared {
    /// Says what there is to say, and wakes the thread where it sleeps for too long.
    fn flush(&self, inner: &mut Inner) {
        inner.driver.flush(self.clock.now());
        let next = inner.driver.endpoint.next_timeout().unwrap_or(Time::NEVER);
        if inner.driver.is_held_up() || next < inner.sleeps_until {
            self.waker.wake();
        }
    }

    /// Waits until `look` finds something, or the connection has ended.
    fn wait<T>(
        &self,
        id: ConnectionId,
        mut look: impl FnMut(&mut Inner) -> Option<T>,
    ) -> Result<T, Failed> {
        let mut inner = self.inner.lock();
        loop {
            if let Some(found) = look(&mut inner) {
                self.flush(&mut inner);
                return Ok(found);
            }
            match inner.known.get(&id).map(Known::failed) {
                None => return Err(Failed::Ended(Ended::Here)),
                Some(Some(failed)) => return Err(failed),
                Some(None) => {}
            }
            if let Some(why) = &inner.stopped {
                return Err(Failed::Stopped(why.clone()));
            }
            self.changed.wait(&mut inner);
        }
    }
}

/// An endpoint on a socket, driven by a thread of its own.
pub struct Host {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Host {
    /// Binds a socket and begins.
    pub fn start(endpoint: Endpoint, address: SocketAddr) -> io::Result<Self> {
        let socket = Udp::bind(address)?;
        let address = socket.address()?;
        let waker = socket.waker();
        let mut waiting = socket.waiting();
        let shared = Arc::new(Shared {
            inner: Mutex::new(Inner {
                driver: Driver::new(endpoint, socket),
                known: BTreeMap::new(),
                accepted: Vec::new(),
                sleeps_until: Time::NEVER,
                stopped: None,
            }),
            changed: Condvar::new(),
            clock: Clock::start(),
            waker,
        });
        let owned = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("transport".to_owned())
            .spawn(move || run(owned, |shared| drive(shared, &mut waiting)))?;
        Ok(Self {
            shared,
            address,
            thread: Some(thread),
        })
    }

    /// The address that others reach it at.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connects, and waits until the other side has answered.
    pub fn connect(&self, remote: SocketAddr, peer: &PublicKey) -> Result<ConnectionId, Failed> {
        let id = {
            let mut inner = self.shared.inner.lock();
            let now = self.shared.clock.now();
            let id = inner.driver.endpoint.connect(now, remote, peer)?;
            let known = Known {
                remote: Some(remote),
                ..Known::default()
            };
            inner.known.insert(id, known);
            self.shared.flush(&mut inner);
            id
        };
        let is_connected = |inner: &mut Inner| inner.known.get(&id)?.is_connected.then_some(id);
        let connected = self.shared.wait(id, is_connected);
        if connected.is_err() {
            self.close(id, 0);
        }
        connected
    }

    /// Waits until somebody has connected. It ends with nothing when the host does.
    pub fn accept(&self) -> Option<ConnectionId> {
        let mut inner = self.shared.inner.lock();
        loop {
            if !inner.accepted.is_empty() {
                return Some(inner.accepted.remove(0));
            }
            if inner.stopped.is_some() {
                return None;
            }
            self.shared.changed.wait(&mut inner);
        }
    }

    /// Sends a message; where too much waits to be sent it waits first. When it returns the message is on its way, and
    /// not yet there: see [`Host::delivered`].
    pub fn send(&self, id: ConnectionId, message: &Bytes) -> Result<u64, Failed> {
        let sent = |inner: &mut Inner| match inner.driver.endpoint.send(id, message.clone()) {
            Err(Error::Full(_)) => None,
            sent => Some(sent),
        };
        Ok(self.shared.wait(id, sent)??)
    }

    /// Waits until the other side has as many messages as that, of all that were sent.
    pub fn delivered(&self, id: ConnectionId, messages: u64) -> Result<(), Failed> {
        let has = |inner: &mut Inner| (inner.known.get(&id)?.delivered >= messages).then_some(());
        self.shared.wait(id, has)
    }

    /// Waits until there is something to read.
    pub fn read(&self, id: ConnectionId) -> Result<Chunk, Failed> {
        self.shared.wait(id, |inner| inner.driver.endpoint.read(id))
    }

    /// Ends a connection at once, and forgets it: what was not delivered or not read is lost. What has ended by itself is
    /// remembered until then.
    pub fn close(&self, id: ConnectionId, code: u32) {
        let mut inner = self.shared.inner.lock();
        let now = self.shared.clock.now();
        inner.driver.endpoint.close(now, id, code);
        self.shared.flush(&mut inner);
        inner.note(now);
        inner.known.remove(&id);
        self.shared.changed.notify_all();
    }

    /// Returns what a connection did.
    pub fn statistics(&self, id: ConnectionId) -> Option<Statistics> {
        self.shared.inner.lock().driver.endpoint.statistics(id)
    }

    /// Returns how often the socket was called.
    pub fn calls(&self) -> Calls {
        self.shared.inner.lock().driver.calls()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.shared.inner.lock().stopped = Some("it was dropped".to_owned());
        self.shared.waker.wake();
        // What the thread ended with was of no use to anybody who is still there.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Why a host did not do what it was asked to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// It could not be done.
    #[error(transparent)]
    Error(#[from] Error),
    /// The connection ended before it was.
    #[error(transparent)]
    Ended(#[from] Ended),
    /// The connection ended before it was, when the socket did not do its part.
    #[error("{0}; what the socket said last: {1}")]
    Socket(Ended, String),
    /// Nobody takes in what comes any more.
    #[error("nothing was done: the host's thread has ended, because {0}; start another host")]
    Stopped(String),
}

/// What the thread holds: whoever waits for it is woken when it ends, however it does.
struct Running(Arc<Shared>);

impl Drop for Running {
    fn drop(&mut self) {
        let mut inner = self.0.inner.lock();
        inner
            .stopped
            .get_or_insert_with(|| "it panicked".to_owned());
        self.0.changed.notify_all();
    }
}

fn run(shared: Arc<Shared>, drive: impl FnOnce(&Shared) -> io::Result<()>) {
    let running = Running(shared);
    if let Err(error) = drive(&running.0) {
        running.0.inner.lock().stopped = Some(error.to_string());
    }
}

/// Takes in what comes until the host is dropped.
fn drive(shared: &Shared, waiting: &mut super::udp::Waiting) -> io::Result<()> {
    let mut waits = 0;
    loop {
        let (span, wanted) = {
            let mut inner = shared.inner.lock();
            if inner.stopped.is_some() {
                return Ok(());
            }
            inner.driver.calls.waits += std::mem::take(&mut waits);
            let now = shared.clock.now();
            let more = inner.driver.turn(now);
            if inner.note(now) {
                shared.changed.notify_all();
            }
            if more {
                continue;
            }
            let next = inner.driver.next();
            inner.sleeps_until = next.unwrap_or(Time::NEVER);
            let span = next.map(|next| next.since(shared.clock.now()));
            (span, inner.driver.wanted())
        };
        waits += waiting.wait(wanted, span)?;
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, UdpSocket};
    use std::time::Duration;

    use super::*;
    use crate::{Random, SecretKey, Settings};

    const LOOPBACK: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

    fn endpoint(seed: u8, settings: Settings) -> Endpoint {
        let mut random = Random::from_seed([seed; 32]);
        Endpoint::new(SecretKey::draw(&mut random), random, settings)
    }

    /// What a host holds, without its thread, and somebody who has begun to connect to it.
    fn begun() -> (Inner, Endpoint, ConnectionId) {
        let endpoint_here = endpoint(2, Settings::default());
        let key = endpoint_here.public_key();
        let mut inner = Inner {
            driver: Driver::new(endpoint_here, Udp::bind(LOOPBACK).unwrap()),
            known: BTreeMap::new(),
            accepted: Vec::new(),
            sleeps_until: Time::NEVER,
            stopped: None,
        };
        let mut other = endpoint(1, Settings::default());
        let id = other.connect(Time::ZERO, LOOPBACK, &key).unwrap();
        carry(&mut other, &mut inner.driver.endpoint);
        (inner, other, id)
    }

    /// Hands all that one endpoint has to say to another.
    fn carry(from: &mut Endpoint, to: &mut Endpoint) {
        let mut datagram = Vec::new();
        while from.poll_transmit(Time::ZERO, 1, &mut datagram).is_some() {
            to.handle_datagram(Time::ZERO, LOOPBACK, &mut datagram);
            datagram.clear();
        }
    }

    #[test]
    fn what_came_before_it_was_accepted_can_be_read_after_its_end() {
        for message in [None, Some("hello")] {
            let (mut inner, mut other, id) = begun();
            carry(&mut inner.driver.endpoint, &mut other);
            if let Some(message) = message {
                other.send(id, message.into()).unwrap();
            }
            carry(&mut other, &mut inner.driver.endpoint);
            other.close(Time::ZERO, id, 5);
            carry(&mut other, &mut inner.driver.endpoint);
            inner.note(Time::ZERO);
            let ours = inner.accepted.first().copied();
            let read = ours.and_then(|ours| inner.driver.endpoint.read(ours));
            assert_eq!(read.map(|chunk| chunk.bytes), message.map(Bytes::from));
            let ended = ours.and_then(|ours| inner.known[&ours].failed());
            let wanted = Failed::Ended(Ended::There(5));
            assert_eq!(ended, message.map(|_| wanted));
            assert_eq!(inner.known.len(), inner.accepted.len());
            carry(&mut inner.driver.endpoint, &mut other);
            assert_eq!(inner.driver.endpoint.connections(), 0);
        }
    }

    #[test]
    fn a_connection_that_somebody_only_began_leaves_nothing() {
        let (mut inner, mut other, _) = begun();
        carry(&mut inner.driver.endpoint, &mut other);
        assert_eq!(inner.driver.endpoint.connections(), 1);
        let later = Time::ZERO + Duration::from_secs(11);
        inner.driver.endpoint.handle_timeout(later);
        inner.note(later);
        carry(&mut inner.driver.endpoint, &mut other);
        assert_eq!(inner.driver.endpoint.connections(), 0);
        assert_eq!((inner.known.len(), inner.accepted.len()), (0, 0));
    }

    #[test]
    fn a_connection_that_nobody_answered_leaves_nothing() {
        let silent = UdpSocket::bind(LOOPBACK).unwrap();
        let settings = Settings {
            handshake_timeout: Duration::from_millis(1),
            ..Settings::default()
        };
        let host = Host::start(endpoint(1, settings), LOOPBACK).unwrap();
        let key = endpoint(2, Settings::default()).public_key();
        let failed = host.connect(silent.local_addr().unwrap(), &key);
        assert_eq!(failed, Err(Failed::Ended(Ended::NoAnswer)));
        assert_eq!(host.shared.inner.lock().known.len(), 0);
    }

    #[test]
    fn what_the_socket_said_is_told_where_nobody_answered() {
        let settings = Settings {
            handshake_timeout: Duration::from_millis(1),
            ..Settings::default()
        };
        let host = Host::start(endpoint(1, settings), LOOPBACK).unwrap();
        let key = endpoint(2, Settings::default()).public_key();
        // No socket of the fourth version reaches it.
        let elsewhere = SocketAddr::from((std::net::Ipv6Addr::LOCALHOST, 9));
        let failed = host.connect(elsewhere, &key).unwrap_err();
        let Failed::Socket(Ended::NoAnswer, said) = &failed else {
            panic!("{failed}");
        };
        assert!(said.starts_with("nothing was sent to [::1]:9: "), "{said}");
        assert!(failed.to_string().ends_with(said), "{failed}");
        // Whoever is silent elsewhere is not silent for that.
        let silent = UdpSocket::bind(LOOPBACK).unwrap();
        let failed = host.connect(silent.local_addr().unwrap(), &key);
        assert_eq!(failed, Err(Failed::Ended(Ended::NoAnswer)));
    }

    #[test]
    fn whoever_waits_for_a_thread_that_ends_is_woken_and_told() {
        let waits: [fn(&Host, ConnectionId) -> Failed; 2] = [
            |host, id| host.read(id).unwrap_err(),
            |host, id| host.delivered(id, 1).unwrap_err(),
        ];
        for wait in waits {
            let host = Host::start(endpoint(1, Settings::default()), LOOPBACK).unwrap();
            let id = {
                let key = endpoint(2, Settings::default()).public_key();
                let mut inner = host.shared.inner.lock();
                let id = inner.driver.endpoint.connect(Time::ZERO, LOOPBACK, &key);
                inner.known.insert(id.clone().unwrap(), Known::default());
                id.unwrap()
            };
            std::thread::scope(|scope| {
                let accepts = scope.spawn(|| host.accept());
                let waits = scope.spawn(|| wait(&host, id));
                let shared = Arc::clone(&host.shared);
                let panics = scope.spawn(|| run(shared, |_| panic!("on purpose")));
                assert!(panics.join().is_err());
                let told = Failed::Stopped("it panicked".to_owned());
                assert_eq!(waits.join().unwrap(), told);
                assert_eq!(accepts.join().unwrap(), None);
            });
        }
    }
}
