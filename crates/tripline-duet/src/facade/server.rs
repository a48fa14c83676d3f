//! Serving: at each benchmark, the executable says so and does what the driver asks until it is told to go on.
//!
//! A bench holds what it borrows on its stack, so nothing can be kept for later: a benchmark is served in the place
//! where it is made, in the order of the source. When the driver wants no more or cannot be understood, all benchmarks
//! that are left are passed over, and the end says why. Tested here with requests and replies in memory, and by
//! `tests/serving.rs` through pipes.

use std::{
    collections::BTreeSet,
    env,
    error::Error,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, Write},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use super::{channel, plain, stopwatch::Stopwatch};
use crate::protocol::{
    self, ReceiveError, Reply, Request, SERVE, Throughput, Unit, VARIABLE, VERSION,
};

/// Why the benchmarks were not all served.
///
/// The main function of a bench returns it, and its debug form is what is then shown; so that is a sentence as well.
#[derive(Clone)]
pub struct Unserved(String);

impl fmt::Display for Unserved {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "not all benchmarks were served: {}", self.0)
    }
}

impl fmt::Debug for Unserved {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for Unserved {}

/// Runs so many iterations and returns what they took, if the bench timed any.
type Run<'r> = &'r mut dyn FnMut(u64) -> Option<Stopwatch>;

/// The one server of the process: there is one standard output.
pub(super) struct Serving(Mutex<Server<BufReader<File>, File>>);

impl Serving {
    /// Returns the server, if one was asked for when the program was started.
    pub(super) fn asked_for() -> Option<&'static Self> {
        static SERVING: OnceLock<Option<Serving>> = OnceLock::new();
        let serving = SERVING.get_or_init(|| {
            let is_asked_for = env::var_os(VARIABLE).is_some_and(|value| value == SERVE);
            is_asked_for.then(|| Self(Mutex::new(Server::open(channel::take()))))
        });
        serving.as_ref()
    }

    fn server(&self) -> MutexGuard<'_, Server<BufReader<File>, File>> {
        // A bench that panics leaves nothing half done here.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn benchmark(&self, id: &str, throughput: Option<&plain::Throughput>, run: Run<'_>) {
        let throughput = throughput.map(told).unwrap_or_default();
        self.server().benchmark(id, throughput, run);
    }

    pub(super) fn end(&self) {
        self.server().end();
    }

    pub(super) fn outcome(&self) -> Result<(), Unserved> {
        self.server().outcome()
    }
}

/// Says a throughput in the words of the protocol.
fn told(throughput: &plain::Throughput) -> Vec<Throughput> {
    let amounts = match *throughput {
        plain::Throughput::Bits(bits) => vec![(Unit::Bits, bits)],
        plain::Throughput::Bytes(bytes) | plain::Throughput::BytesDecimal(bytes) => {
            vec![(Unit::Bytes, bytes)]
        }
        plain::Throughput::Elements(elements) => vec![(Unit::Elements, elements)],
        plain::Throughput::ElementsAndBytes { elements, bytes } => {
            vec![(Unit::Elements, elements), (Unit::Bytes, bytes)]
        }
    };
    let one = |(unit, per_iteration)| Throughput {
        unit,
        per_iteration,
    };
    amounts.into_iter().map(one).collect()
}

struct Server<Requests, Replies> {
    channel: Option<(Requests, Replies)>,
    served: BTreeSet<String>,
    /// Set once nothing more is served.
    over: Option<Over>,
}

/// Why nothing more is served.
enum Over {
    /// All is well: the last benchmark has been served, or the driver wants no more.
    Done,
    /// The driver closed its end before it was done.
    Closed,
    /// A request was not understood.
    Request(ReceiveError),
    /// A reply was not sent, or there is no channel to send it on.
    Channel(io::Error),
}

impl<Requests: BufRead, Replies: Write> Server<Requests, Replies> {
    /// Greets the driver.
    fn open(channel: io::Result<(Requests, Replies)>) -> Self {
        let (channel, over) = match channel {
            Ok(channel) => (Some(channel), None),
            Err(error) => (None, Some(Over::Channel(error))),
        };
        let mut server = Self {
            channel,
            served: BTreeSet::new(),
            over,
        };
        server.unless_over(|server| server.say(&Reply::Greeting { version: VERSION }));
        server
    }

    /// Does something, if anything is still to be done, and remembers when it was the last.
    fn unless_over(&mut self, act: impl FnOnce(&mut Self) -> Result<(), Over>) {
        if self.over.is_none() {
            self.over = act(self).err();
        }
    }

    fn say(&mut self, reply: &Reply) -> Result<(), Over> {
        self.channel.as_mut().map_or(Ok(()), |(_, replies)| {
            protocol::send(replies, reply).map_err(Over::Channel)
        })
    }

    fn hear(&mut self) -> Result<Request, Over> {
        let request = self
            .channel
            .as_mut()
            .map(|(requests, _)| protocol::receive(requests));
        request
            .transpose()
            .map_err(Over::Request)?
            .flatten()
            .ok_or(Over::Closed)
    }

    fn benchmark(&mut self, id: &str, throughput: Vec<Throughput>, run: Run<'_>) {
        let id = id.to_owned();
        self.unless_over(|server| {
            if !server.served.insert(id.clone()) {
                return server.say(&Reply::Twice { id });
            }
            server.say(&Reply::Benchmark { id, throughput })?;
            server.serve(run)
        });
    }

    fn serve(&mut self, run: Run<'_>) -> Result<(), Over> {
        loop {
            match self.hear()? {
                Request::Block(iterations) => {
                    let reply = run(iterations).map_or(Reply::Missed, |watch| taken(&watch));
                    self.say(&reply)?;
                }
                Request::Next => return Ok(()),
                Request::Quit => return Err(Over::Done),
            }
        }
    }

    fn end(&mut self) {
        self.unless_over(|server| {
            server.say(&Reply::End)?;
            Err(Over::Done)
        });
    }

    fn outcome(&self) -> Result<(), Unserved> {
        let why = match &self.over {
            None | Some(Over::Done) => return Ok(()),
            Some(Over::Closed) => "the driver went away".to_owned(),
            Some(Over::Request(error)) => match error.source() {
                Some(source) => format!("{error}: {source}"),
                None => error.to_string(),
            },
            Some(Over::Channel(error)) => format!("the driver does not hear us: {error}"),
        };
        Err(Unserved(why))
    }
}

fn taken(watch: &Stopwatch) -> Reply {
    Reply::Block {
        wall: nanoseconds(watch.wall()),
        cpu: watch.processor().map(nanoseconds),
    }
}

/// No block takes the five hundred years that this cannot hold.
fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
