//! Whoever asks.
//!
//! Tests: `tests/it`.

use std::time::Duration;

use crate::connection::Connection;
use crate::error::{Cause, Error, Phase};
use crate::line::{Counters, Tcp, connect};
use crate::noise::Role;
use crate::perf::payload::Digest;
use crate::perf::{Asking, Direction, Exchange, Opening, Times};
use crate::settings::Settings;
use crate::yamux::StreamId;
use crate::{Address, Identity, PeerId};

/// A connection to a server of the protocol, of ours or of others.
pub struct Client {
    connection: Connection<Tcp>,
    settings: Settings,
}

/// What an exchange was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How much went which way.
    pub exchange: Exchange,
    /// When what happened.
    pub times: Times,
    /// The digest of what was received, where it was asked for.
    pub digest: Option<Digest>,
    /// The system calls of this side, and what they carried, where it can say.
    pub counters: Option<Counters>,
}

impl Client {
    /// Connects, and makes sure that the expected node answers.
    pub fn connect(
        address: &Address,
        identity: &Identity,
        settings: Settings,
    ) -> Result<Self, Error> {
        let wire = connect(address.socket, settings.connect)
            .map_err(|error| refused(error, &settings).during(Phase::Connect))?;
        let secured = || {
            let keys = settings.keys()?;
            let connection = Connection::new(wire, Role::Dialer, identity, keys, &settings)?;
            match (address.peer, connection.peer()) {
                (Some(wanted), found) if wanted != found => Err(Cause::WrongPeer { wanted, found }),
                _ => Ok(connection),
            }
        };
        let connection = secured().map_err(|cause| cause.during(Phase::Secure))?;
        Ok(Self {
            connection,
            settings,
        })
    }

    /// Who answers.
    pub fn peer(&self) -> PeerId {
        self.connection.peer()
    }

    /// The system calls of this side since the beginning.
    pub fn counters(&self) -> Counters {
        self.connection.counters()
    }

    /// Moves bytes one way, until the other side has them or this one.
    pub fn transfer(&mut self, direction: Direction, bytes: u64) -> Result<Outcome, Error> {
        self.exchange(direction.of(bytes))
    }

    /// Has an exchange on a substream of its own, which is open before the clock runs.
    pub fn exchange(&mut self, exchange: Exchange) -> Result<Outcome, Error> {
        for bytes in [exchange.upload, exchange.download] {
            let allowed = self.settings.check_size(bytes);
            allowed.map_err(|cause| cause.during(Phase::Exchange))?;
        }
        let opened = self.opened(1)?;
        let [(id, _)] = opened[..] else {
            return Err(Cause::Ended.during(Phase::Open));
        };
        let before = self.counters();
        let mut asking = Asking::new(&self.settings, id, exchange);
        let run = self.connection.run(&mut asking);
        if run.is_err() {
            // Nobody is to go on with it.
            self.connection.mux().reset(id);
        }
        let times = run.and_then(|()| asking.times().ok_or(Cause::Ended));
        Ok(Outcome {
            exchange,
            times: times.map_err(|cause| cause.during(Phase::Exchange))?,
            digest: asking.digest(),
            counters: Some(self.counters().since(before)),
        })
    }

    /// Opens so many substreams at once, and closes them. Returns how long each took from the first request until both sides
    /// had agreed what is spoken on it.
    pub fn open_substreams(&mut self, count: usize) -> Result<Vec<Duration>, Error> {
        let opened = self.opened(count)?;
        for (id, _) in &opened {
            self.connection.mux().end(*id);
        }
        self.hand_over()?;
        Ok(opened.into_iter().map(|(_, took)| took).collect())
    }

    /// Opens so many substreams at once and gives them up before there is an answer.
    pub fn drop_substreams(&mut self, count: usize) -> Result<(), Error> {
        let mux = self.connection.mux();
        let opened = Opening::new(mux, &self.settings, count);
        let opening = opened.map_err(|cause| cause.during(Phase::Open))?;
        opening.ids().for_each(|id| mux.reset(id));
        self.hand_over()
    }

    /// Says that this side goes.
    pub fn close(mut self) {
        self.connection.close(0);
    }

    /// What was said at last does not wait for the next call.
    fn hand_over(&mut self) -> Result<(), Error> {
        let sent = self.connection.hand_over(self.settings.open);
        sent.map_err(|cause| cause.during(Phase::Open))
    }

    fn opened(&mut self, count: usize) -> Result<Vec<(StreamId, Duration)>, Error> {
        let opening = Opening::new(self.connection.mux(), &self.settings, count);
        let opened = opening.and_then(|mut opening| {
            let run = self.connection.run(&mut opening);
            if run.is_err() {
                // Those that were opened would be in the way of the next ones.
                opening.ids().for_each(|id| self.connection.mux().reset(id));
            }
            run.map(|()| opening.opened().collect())
        });
        opened.map_err(|cause| cause.during(Phase::Open))
    }
}

fn refused(error: std::io::Error, settings: &Settings) -> Cause {
    match error.kind() {
        std::io::ErrorKind::TimedOut => Cause::TimedOut(settings.connect),
        _ => Cause::System(error),
    }
}
