//! The running stand-in, as tests hold it.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

use tokio::{runtime::Builder, sync::oneshot};

use crate::{fault::Fault, outputs::Outputs, seen::Seen, server, world::World};

/// A running stand-in on the loopback interface. It stops when it is dropped.
pub struct Fake {
    port: u16,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What the server and its owner both reach.
pub(crate) struct Shared {
    pub(crate) world: Mutex<World>,
    pub(crate) seen: Mutex<Vec<Seen>>,
    pub(crate) outputs: Outputs,
}

impl Fake {
    /// Starts on a free port.
    ///
    /// # Panics
    ///
    /// Where no port of the loopback interface can be had: then no test of this kind can run.
    pub fn start(world: World) -> Self {
        Self::start_with(world, None, None).expect("the loopback interface has a free port")
    }

    /// Starts on a free port. Each request is appended to `log` as a line of JSON, and after each change the world is
    /// written to `state`.
    ///
    /// # Errors
    ///
    /// Where no port can be had, or a file cannot be written.
    pub fn start_with(
        world: World,
        log: Option<PathBuf>,
        state: Option<PathBuf>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let outputs = Outputs::open(log, state)?;
        outputs.changed(&world)?;
        let shared = Arc::new(Shared {
            world: Mutex::new(world),
            seen: Mutex::new(Vec::new()),
            outputs,
        });
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("fake-github".to_owned())
            .spawn(move || runtime.block_on(server::serve(listener, served, stopped)))?;
        Ok(Self {
            port,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its address, without a slash at the end: what `GITHUB_API_URL` is set to. The same with `/api/v3` works as well.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The state, to look at or to change. No request is answered while it is held.
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.shared.world()
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        let seen = self.shared.seen.lock();
        seen.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whatever GitHub's description forbids about the requests so far. A test of a client ends with asking for none.
    pub fn violations(&self) -> Vec<String> {
        let seen = self.seen().into_iter();
        seen.filter_map(|seen| seen.violation).collect()
    }

    /// Lets something go wrong with the next request that fits.
    pub fn fail_next(&self, fault: Fault) {
        self.world().faults.push(fault);
    }
}

impl Shared {
    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The other end is gone where the server ended by itself: nothing is left to stop.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            // A panic over there was already reported over there.
            let _ = thread.join();
        }
    }
}
