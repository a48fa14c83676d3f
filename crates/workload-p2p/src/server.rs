//! Whoever answers: a thread for each connection.
//!
//! Tests: below, what a server outlives and what ends it; `tests/it`, with clients.

use std::collections::BTreeMap;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::connection::Connection;
use crate::error::{Cause, Error, Phase};
use crate::line::{Tcp, Wire};
use crate::noise::Role;
use crate::perf::{Served, Serving};
use crate::settings::Settings;
use crate::{Address, Identity};

/// Learns of every exchange, and of whatever came to nothing.
pub type Tell = dyn Fn(Result<Served, Error>) + Send + Sync;

/// A server, which stops when it is dropped.
pub struct Server {
    shared: Arc<Shared>,
    address: Address,
    listener: Arc<TcpListener>,
    listening: Option<JoinHandle<Result<(), Error>>>,
}

struct Shared {
    identity: Identity,
    settings: Settings,
    tell: Box<Tell>,
    is_stopping: AtomicBool,
    /// Those that are open, to be ended with the server.
    open: Mutex<Open>,
}

/// Connections, each under a number of its own: two may come from one address, or not tell theirs any more.
#[derive(Default)]
struct Open {
    next: u64,
    streams: BTreeMap<u64, TcpStream>,
}

impl Server {
    /// Serves whoever connects to the address; its port may be zero, for any that is free.
    pub fn start(
        address: SocketAddr,
        identity: Identity,
        settings: Settings,
        tell: impl Fn(Result<Served, Error>) + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let failed = |error| Cause::System(error).during(Phase::Listen);
        let listener = TcpListener::bind(address).map_err(failed)?;
        Self::on(listener, identity, settings, tell).map_err(failed)
    }

    fn on(
        listener: TcpListener,
        identity: Identity,
        settings: Settings,
        tell: impl Fn(Result<Served, Error>) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let socket = listener.local_addr()?;
        let peer = Some(identity.peer_id());
        let shared = Arc::new(Shared {
            identity,
            settings,
            tell: Box::new(tell),
            is_stopping: AtomicBool::new(false),
            open: Mutex::default(),
        });
        let listener = Arc::new(listener);
        let listening = thread::Builder::new().spawn({
            let (shared, listener) = (shared.clone(), listener.clone());
            move || shared.accept(&listener)
        })?;
        Ok(Self {
            shared,
            address: Address { socket, peer },
            listener,
            listening: Some(listening),
        })
    }

    /// Where it is, and who.
    pub const fn address(&self) -> Address {
        self.address
    }

    /// Serves until nobody can connect any more, ends the connections that there still are, and returns why.
    pub fn wait(mut self) -> Result<(), Error> {
        let listening = self.listening.take().map(JoinHandle::join);
        listening.map_or(Ok(()), |ended| {
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// How many connections are open.
    pub fn connections(&self) -> usize {
        self.shared.open().streams.len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Some(listening) = self.listening.take() else {
            return;
        };
        self.shared.stop();
        if self.wake() {
            let _ = listening.join();
        }
    }
}

impl Server {
    /// Ends the wait for a connection. Where the system does not end it by itself, there is a connection.
    fn wake(&self) -> bool {
        let socket = reachable(self.address.socket);
        rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both).is_ok()
            || TcpStream::connect_timeout(&socket, self.shared.settings.connect).is_ok()
    }
}

/// Nobody can be reached at the address that stands for all.
fn reachable(mut socket: SocketAddr) -> SocketAddr {
    if socket.ip().is_unspecified() {
        socket.set_ip(match socket {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    socket
}

/// How long nobody is let in where the system has no room.
const PAUSE: Duration = Duration::from_millis(10);

impl Shared {
    fn open(&self) -> MutexGuard<'_, Open> {
        // A list is whole between any two calls.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(&self, listener: &TcpListener) -> Result<(), Error> {
        thread::scope(|scope| {
            loop {
                let accepted = listener.accept();
                if self.is_stopping.load(Ordering::SeqCst) {
                    return Ok(());
                }
                let entered = match accepted {
                    Ok((stream, _)) => self.enter(stream),
                    Err(error) if is_of_one_client(&error) => Err(error.into()),
                    // Whoever is connected gives some back when it goes.
                    Err(error) if is_shortage(&error) && !self.open().streams.is_empty() => {
                        thread::sleep(PAUSE);
                        continue;
                    }
                    // It would be said for ever.
                    Err(error) => {
                        // Who is connected may stay for as long as it likes, and nobody would hear of this until it goes.
                        self.stop();
                        return Err(Cause::System(error).during(Phase::Listen));
                    }
                };
                let served = entered.and_then(|(place, stream)| {
                    let serve = move || place.serve(stream);
                    thread::Builder::new().spawn_scoped(scope, serve)?;
                    Ok(())
                });
                if let Err(cause) = served {
                    self.give_up(cause);
                }
            }
        })
    }

    /// Lets nobody in any more, and ends the connections that there are.
    fn stop(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
        self.open().streams.values().for_each(|stream| {
            // What is closed already needs no closing.
            let _ = stream.shutdown(Shutdown::Both);
        });
    }

    /// Tells why a connection came to nothing, unless that is because the server stops.
    fn give_up(&self, cause: Cause) {
        if !self.is_stopping.load(Ordering::SeqCst) {
            (self.tell)(Err(cause.during(Phase::Serve)));
        }
    }

    /// Takes a connection in, if there is room for one more.
    fn enter(&self, stream: TcpStream) -> Result<(Place<'_>, TcpStream), Cause> {
        let twin = stream.try_clone()?;
        let mut open = self.open();
        // Looked at while nobody else looks at the list: whoever stops ends those that are in it.
        if self.is_stopping.load(Ordering::SeqCst) {
            return Err(Cause::Ended);
        }
        if open.streams.len() >= self.settings.connections_max {
            return Err(Cause::TooManyConnections(self.settings.connections_max));
        }
        let number = open.next;
        open.next += 1;
        open.streams.insert(number, twin);
        drop(open);
        let place = Place {
            shared: self,
            number,
        };
        Ok((place, stream))
    }

    fn serve(&self, stream: TcpStream) -> Result<(), Cause> {
        serve(
            Tcp::new(stream)?,
            &self.identity,
            &self.settings,
            &mut |served| {
                (self.tell)(served.map_err(|cause| cause.during(Phase::Exchange)));
            },
        )
    }
}

/// Serves a client until it goes.
pub(crate) fn serve<W: Wire>(
    wire: W,
    identity: &Identity,
    settings: &Settings,
    tell: &mut dyn FnMut(Result<Served, Cause>),
) -> Result<(), Cause> {
    let keys = settings.keys()?;
    let mut connection = Connection::new(wire, Role::Listener, identity, keys, settings)?;
    let mut serving = Serving::new(settings, tell);
    let ended = connection.run(&mut serving);
    let is_idle = serving.is_idle() && connection.is_between_frames();
    match ended {
        Err(cause) if is_idle && is_farewell(&cause) => Ok(()),
        other => other,
    }
}

/// A client that has what it wanted may go as it likes.
fn is_farewell(cause: &Cause) -> bool {
    match cause {
        Cause::Ended | Cause::GoneAway(0) | Cause::TimedOut(_) => true,
        Cause::System(error) => matches!(
            error.kind(),
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe
        ),
        _ => false,
    }
}

/// The system has no more descriptors or no memory for one more connection.
fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let short = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| short.contains(&errno))
}

/// Whether only the one that was about to connect is concerned.
fn is_of_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{
        ConnectionAborted, ConnectionReset, HostUnreachable, Interrupted, NetworkDown,
        NetworkUnreachable,
    };
    matches!(
        error.kind(),
        ConnectionAborted
            | ConnectionReset
            | HostUnreachable
            | Interrupted
            | NetworkDown
            | NetworkUnreachable
    )
}

/// A connection's place in the list, which it gives back however it ends.
struct Place<'a> {
    shared: &'a Shared,
    number: u64,
}

impl Place<'_> {
    fn serve(self, stream: TcpStream) {
        let shared = self.shared;
        let result = shared.serve(stream);
        drop(self);
        if let Err(cause) = result {
            shared.give_up(cause);
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.shared.open().streams.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::{Client, Direction};

    fn listener() -> TcpListener {
        TcpListener::bind("127.0.0.1:0").unwrap()
    }

    fn on(listener: TcpListener) -> Server {
        let identity = Identity::from_text("server");
        Server::on(listener, identity, Settings::default(), |_| {}).unwrap()
    }

    #[test]
    fn a_client_that_is_gone_before_it_is_accepted_ends_nothing() {
        let listener = listener();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        // It hangs up with a reset.
        rustix::net::sockopt::set_socket_linger(&client, Some(Duration::ZERO)).unwrap();
        drop(client);
        let server = on(listener);
        let identity = Identity::from_text("client");
        let client = Client::connect(&server.address(), &identity, Settings::default());
        client.unwrap().transfer(Direction::Upload, 10).unwrap();
    }

    #[test]
    fn a_server_that_nobody_can_reach_any_more_says_so() {
        let listener = listener();
        rustix::net::shutdown(&listener, rustix::net::Shutdown::Both).unwrap();
        let error = on(listener).wait().unwrap_err();
        assert_eq!(error.phase, Phase::Listen);
    }

    #[test]
    fn nor_does_it_wait_for_those_that_are_connected() {
        let patient = Settings {
            idle: Duration::from_secs(3_600),
            ..Settings::default()
        };
        let server = Server::on(listener(), Identity::from_text("server"), patient, |_| {});
        let server = server.unwrap();
        let identity = Identity::from_text("client");
        let client = Client::connect(&server.address(), &identity, Settings::default());
        let mut client = client.unwrap();
        client.transfer(Direction::Upload, 10).unwrap();
        rustix::net::shutdown(&server.listener, rustix::net::Shutdown::Both).unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        thread::spawn(move || tell.send(server.wait()));
        // In a thread, because a wait that does not end would be no failure.
        let ended = told.recv_timeout(Duration::from_secs(60));
        assert_eq!(ended.unwrap().unwrap_err().phase, Phase::Listen);
        assert!(client.transfer(Direction::Upload, 10).is_err());
    }

    #[test]
    fn nobody_enters_a_server_that_stops() {
        let listener = listener();
        let socket = listener.local_addr().unwrap();
        let server = on(listener);
        let twins = [(), ()].map(|()| TcpStream::connect(socket).unwrap());
        let [one, two] = twins;
        let (place, _) = server.shared.enter(one.try_clone().unwrap()).unwrap();
        // Of two from one address, one ends.
        let (other, _) = server.shared.enter(one).unwrap();
        let (number, other_number) = (place.number, other.number);
        drop(place);
        assert!(!server.shared.open().streams.contains_key(&number));
        assert!(server.shared.open().streams.contains_key(&other_number));
        server.shared.is_stopping.store(true, Ordering::SeqCst);
        assert!(server.shared.enter(two).is_err());
    }
}
