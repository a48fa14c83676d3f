//! Whoever answers: a thread for each connection.
//!
//! Tests: `tests/it`.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

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
    listening: Option<JoinHandle<()>>,
}

struct Shared {
    identity: Identity,
    settings: Settings,
    tell: Box<Tell>,
    is_stopping: AtomicBool,
    /// Those that are open, to be ended with the server.
    open: Mutex<Vec<TcpStream>>,
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
        let socket = listener.local_addr().map_err(failed)?;
        let peer = Some(identity.peer_id());
        let shared = Arc::new(Shared {
            identity,
            settings,
            tell: Box::new(tell),
            is_stopping: AtomicBool::new(false),
            open: Mutex::default(),
        });
        let listening = thread::spawn({
            let shared = shared.clone();
            move || shared.accept(&listener)
        });
        Ok(Self {
            shared,
            address: Address { socket, peer },
            listening: Some(listening),
        })
    }

    /// Where it is, and who.
    pub const fn address(&self) -> Address {
        self.address
    }

    /// Serves for ever.
    pub fn wait(mut self) {
        if let Some(listening) = self.listening.take() {
            // A panic there has said so itself.
            let _ = listening.join();
        }
    }

    /// How many connections are open.
    pub fn connections(&self) -> usize {
        self.shared.open().len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Some(listening) = self.listening.take() else {
            return;
        };
        self.shared.is_stopping.store(true, Ordering::SeqCst);
        self.shared.open().iter().for_each(|stream| {
            // What is closed already needs no closing.
            let _ = stream.shutdown(Shutdown::Both);
        });
        // Whoever waits for a connection gets one.
        let socket = self.address.socket;
        let woken = TcpStream::connect_timeout(&reachable(socket), self.shared.settings.connect);
        if woken.is_ok() {
            let _ = listening.join();
        }
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

impl Shared {
    fn open(&self) -> MutexGuard<'_, Vec<TcpStream>> {
        // A list is whole between any two calls.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(&self, listener: &TcpListener) {
        thread::scope(|scope| {
            for stream in listener.incoming() {
                if self.is_stopping.load(Ordering::SeqCst) {
                    return;
                }
                let entered = stream.and_then(|stream| self.enter(stream));
                match entered {
                    Ok(Some(entered)) => drop(scope.spawn(move || entered.serve())),
                    Ok(None) => (self.tell)(Err(Cause::TooManyConnections(
                        self.settings.connections_max,
                    )
                    .during(Phase::Serve))),
                    // Who gave up meanwhile is not missed; a system that has no more descriptors would say so for ever.
                    Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                    Err(error) => {
                        return (self.tell)(Err(Cause::System(error).during(Phase::Listen)));
                    }
                }
            }
        });
    }

    /// Takes a connection in, if there is room for one more.
    fn enter(&self, stream: TcpStream) -> io::Result<Option<Entered<'_>>> {
        let twin = stream.try_clone()?;
        let from = stream.peer_addr()?;
        let mut open = self.open();
        if open.len() >= self.settings.connections_max {
            return Ok(None);
        }
        open.push(twin);
        drop(open);
        Ok(Some(Entered {
            shared: self,
            stream,
            from,
        }))
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

/// A connection with its place in the list.
struct Entered<'a> {
    shared: &'a Shared,
    stream: TcpStream,
    from: SocketAddr,
}

impl Entered<'_> {
    fn serve(self) {
        let Self {
            shared,
            stream,
            from,
        } = self;
        let result = shared.serve(stream);
        shared
            .open()
            .retain(|stream| stream.peer_addr().is_ok_and(|other| other != from));
        if let Err(cause) = result
            && !shared.is_stopping.load(Ordering::SeqCst)
        {
            (shared.tell)(Err(cause.during(Phase::Serve)));
        }
    }
}
