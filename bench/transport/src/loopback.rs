//! The work over real UDP sockets on this machine: a thread here that sends, and one there that reads and answers.
//!
//! Both have the same clock. Connections are made, and have carried a message, before any work begins.
//!
//! Tests: every work arrives whole, on one connection and on many, again and again; where the other side is gone, it is said.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use workload_transport::{
    Calls, Clock, ConnectionId, Driver, Endpoint, Event, PublicKey, Random, SecretKey, Settings,
    Time, Udp, Waker,
};

use crate::sides::{Receiver, Sender, Until, Work, content};

const HERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Longer than any benchmark waits for its turn.
const LONG: Duration = Duration::from_secs(3_600);

/// Longer than any work takes.
const TOO_LONG: Duration = Duration::from_secs(60);

/// After that it is looked whether the other side is still there.
const A_WHILE: Duration = Duration::from_secs(1);

/// What the threads of both sides tell each other.
#[derive(Default)]
struct Told {
    is_over: AtomicBool,
    calls: AtomicU64,
}

/// The side that reads, with its thread.
struct There {
    address: SocketAddr,
    key: PublicKey,
    told: Arc<Told>,
    waker: Waker,
    thread: Option<JoinHandle<()>>,
}

/// Two sockets, and connections between them that are made.
pub struct Loopback {
    here: Driver<Udp>,
    clock: Clock,
    until: Until,
    connections: Vec<ConnectionId>,
    there: There,
}

/// An endpoint on a socket. Nothing of it ends while a benchmark waits for its turn.
fn driver() -> io::Result<Driver<Udp>> {
    let mut random =
        Random::from_system().ok_or_else(|| io::Error::other("the system has no randomness"))?;
    let settings = Settings {
        idle_timeout: LONG,
        stall_timeout: LONG,
        keep_alive: None,
        ..Settings::default()
    };
    let endpoint = Endpoint::new(SecretKey::draw(&mut random), random, settings);
    Ok(Driver::new(endpoint, Udp::bind(HERE)?))
}

const fn all(calls: Calls) -> u64 {
    calls.sends + calls.receives + calls.waits
}

/// Lets a side talk until `look` says that it is over.
fn talk(
    driver: &mut Driver<Udp>,
    clock: Clock,
    mut look: impl FnMut(Time, &mut Driver<Udp>) -> bool,
) -> io::Result<()> {
    loop {
        let now = clock.now();
        let more = driver.receive(now);
        driver.endpoint.handle_timeout(now);
        let is_over = look(clock.now(), driver);
        driver.flush(clock.now());
        if is_over {
            return Ok(());
        }
        if !more {
            driver.wait(&clock, Some(clock.now() + A_WHILE))?;
        }
    }
}

impl There {
    fn start(clock: Clock, until: Until) -> io::Result<Self> {
        let mut driver = driver()?;
        let (address, waker) = (driver.socket().address()?, driver.socket().waker());
        let key = driver.endpoint.public_key();
        let told = Arc::new(Told::default());
        let tells = Arc::clone(&told);
        let thread = std::thread::spawn(move || {
            let mut receiver = Receiver::new(until);
            let ended = talk(&mut driver, clock, |now, driver| {
                receiver.look(now, &mut driver.endpoint, |_| ());
                tells.calls.store(all(driver.calls()), Ordering::Relaxed);
                tells.is_over.load(Ordering::Relaxed)
            });
            // It ends the thread, which whoever waits for an answer looks at.
            ended.expect("the socket can be waited for");
        });
        Ok(Self {
            address,
            key,
            told,
            waker,
            thread: Some(thread),
        })
    }
}

impl There {
    /// Says why nobody should wait any longer, if there is a reason.
    fn trouble(&self, began: Time, now: Time) -> Option<&'static str> {
        let has_ended = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        let is_late = now.since(began) > TOO_LONG;
        has_ended
            .then_some("the other side has ended, and said why")
            .or_else(|| is_late.then_some("a work did not end within a minute"))
    }
}

impl Drop for There {
    fn drop(&mut self) {
        self.told.is_over.store(true, Ordering::Relaxed);
        self.waker.wake();
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Loopback {
    /// Makes so many connections, on one socket at each side.
    ///
    /// # Panics
    /// There is no socket, or a connection was not made.
    #[must_use]
    pub fn new(streams: usize, until: Until) -> Self {
        let clock = Clock::start();
        let there = There::start(clock, until).expect("there is a socket");
        let mut here = driver().expect("there is a socket");
        let now = clock.now();
        let endpoint = &mut here.endpoint;
        let connect = |_| endpoint.connect(now, there.address, &there.key);
        let connections: Result<Vec<_>, _> = (0..streams).map(connect).collect();
        let connections = connections.expect("there is room for the connections");
        let mut made = 0;
        let connected = talk(&mut here, clock, |at, driver| {
            assert_eq!(there.trouble(now, at), None, "nothing was measured");
            while let Some((_, event)) = driver.endpoint.poll_event() {
                assert_eq!(event, Event::Connected, "a connection was not made");
                made += 1;
            }
            made == streams
        });
        connected.expect("the socket can be waited for");
        Self {
            here,
            clock,
            until,
            connections,
            there,
        }
    }

    /// Makes as many connections, and warms them.
    #[must_use]
    pub fn warm(streams: usize, until: Until, work: Work) -> Self {
        let mut loopback = Self::new(streams, until);
        for _ in 0..3 {
            let _ = loopback.run(work);
        }
        loopback
    }

    /// Does a work on all connections, and returns how long each stream took. The message is made before the clock starts.
    ///
    /// # Panics
    /// A connection or the other side has ended, or the work does not end.
    #[must_use]
    pub fn run(&mut self, work: Work) -> Vec<Duration> {
        self.run_with(work, &content(work.bytes))
    }

    /// Does a work as often as that, and returns how long all of it took: one clock around everything.
    #[must_use]
    pub fn time(&mut self, work: Work, times: u64) -> Duration {
        let message = content(work.bytes);
        let began = self.clock.now();
        for _ in 0..times {
            let _ = self.run_with(work, &message);
        }
        self.clock.now().since(began)
    }

    /// Returns how often both sides have called the kernel: to send, to receive and to wait. The other side may be about to.
    #[must_use]
    pub fn calls(&self) -> u64 {
        all(self.here.calls()) + self.there.told.calls.load(Ordering::Relaxed)
    }

    fn run_with(&mut self, work: Work, message: &bytes::Bytes) -> Vec<Duration> {
        let message = message.clone();
        let mut sender = Sender::new(work, self.until, message, &self.connections);
        let began = self.clock.now();
        let mut ended = None;
        let talked = talk(&mut self.here, self.clock, |now, driver| {
            assert_eq!(self.there.trouble(began, now), None, "nothing was measured");
            sender.look(now, &mut driver.endpoint);
            ended = sender.ended();
            ended.is_some()
        });
        talked.expect("the socket can be waited for");
        let ended = ended.unwrap_or_default();
        ended.iter().map(|end| end.since(began)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BULK, EXCHANGE, SATURATION, single};

    #[test]
    fn every_work_ends_on_one_connection_and_on_many() {
        for streams in [1, 4] {
            for until in [Until::Answered, Until::Delivered] {
                let mut loopback = Loopback::warm(streams, until, EXCHANGE);
                for work in [EXCHANGE, single(1 << 20), BULK, SATURATION, EXCHANGE] {
                    assert_eq!(loopback.run(work).len(), streams);
                }
                let here = loopback.here.calls();
                assert!(here.sends > 0 && loopback.calls() > all(here));
                assert_eq!(here.errors, 0);
            }
        }
    }

    #[test]
    fn nobody_waits_for_another_side_that_has_ended_nor_for_ever() {
        let loopback = Loopback::warm(1, Until::Answered, EXCHANGE);
        let there = &loopback.there;
        let (began, late) = (Time::default(), Time::default() + 2 * TOO_LONG);
        assert_eq!(there.trouble(began, began), None);
        assert!(there.trouble(began, late).is_some());
        there.told.is_over.store(true, Ordering::Relaxed);
        while there
            .thread
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
        {
            there.waker.wake();
        }
        assert!(there.trouble(began, began).is_some());
    }
}
