//! What an exchange costs inside: a client and a server on one thread, where each is handed what the other sends. There is no
//! line and no clock in it, so all of it can be counted, and is the same in every run.
//!
//! A send here is one call to the system on a socket that takes all it is given. Keys are ones that everybody knows.
//!
//! Tests: what arrives is what was sent, in as few sends as there can be; what is dropped is not kept; frames come out as they
//! went in.

use crate::error::{Cause, Error, Phase};
use crate::noise::{
    CONTENT_BYTES_MAX, FRAME_BYTES_MAX, LENGTH_BYTES, Opener, Outbox, Role, keyless,
};
use crate::perf::payload::{Digest, piece};
use crate::perf::{Asking, Exchange, Opening, Serving};
use crate::settings::Settings;
use crate::yamux::{Application, Limits, Mux};

/// What was handed over, from the first request for a substream to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// How often the client sent.
    pub client_sends: u64,
    /// How often the server did.
    pub server_sends: u64,
    /// All that both sent.
    pub bytes: u64,
    /// The digest of the download, where it was asked for.
    pub digest: Option<Digest>,
}

/// One of both.
struct Side {
    mux: Mux,
    opener: Opener,
    sends: u64,
    bytes: u64,
}

/// A client and a server, connected.
pub struct Pair {
    client: Side,
    server: Side,
    settings: Settings,
}

impl Side {
    fn new(role: Role, settings: &Settings) -> Self {
        let (outbox, opener) = keyless();
        let streams_max = settings.streams_max;
        Self {
            mux: Mux::new(outbox, role, Limits { streams_max }),
            opener,
            sends: 0,
            bytes: 0,
        }
    }

    /// Hands the other side what this one has to send next. Returns whether there was anything.
    fn say(
        &mut self,
        here: &mut impl Application,
        other: &mut Self,
        there: &mut impl Application,
    ) -> Result<bool, Cause> {
        here.fill(&mut self.mux);
        let mut sent = self.mux.outbox.unsent().to_vec();
        if sent.is_empty() {
            return Ok(false);
        }
        self.mux.outbox.sent(sent.len());
        self.sends += 1;
        self.bytes += sent.len() as u64;
        for frame in frames(&mut sent) {
            let content = other.opener.open(frame)?;
            other.mux.receive(content, there)?;
        }
        Ok(true)
    }
}

/// Takes whole frames apart.
fn frames(mut bytes: &mut [u8]) -> impl Iterator<Item = &mut [u8]> {
    std::iter::from_fn(move || {
        let length = bytes.first_chunk::<LENGTH_BYTES>()?;
        let length = LENGTH_BYTES + usize::from(u16::from_be_bytes(*length));
        bytes.split_off_mut(..length)
    })
}

impl Pair {
    /// Both sides, with their keys agreed.
    pub fn new(settings: Settings) -> Self {
        Self {
            client: Side::new(Role::Dialer, &settings),
            server: Side::new(Role::Listener, &settings),
            settings,
        }
    }

    /// Opens a substream, has an exchange on it and closes it.
    pub fn exchange(&mut self, exchange: Exchange) -> Result<Carried, Error> {
        let mut exchanged = || {
            let Self {
                client,
                server,
                settings,
            } = self;
            let before = (client.sends, server.sends, client.bytes + server.bytes);
            let mut served = Ok(());
            let mut tell = |told: Result<_, Cause>| served = told.map(drop);
            let mut serving = Serving::new(settings, &mut tell);
            let mut opening = Opening::new(&mut client.mux, settings, 1)?;
            run(client, &mut opening, server, &mut serving)?;
            let (id, _) = opening.opened().next().ok_or(Cause::Ended)?;
            let mut asking = Asking::new(settings, id, exchange);
            run(client, &mut asking, server, &mut serving)?;
            served?;
            Ok(Carried {
                client_sends: client.sends - before.0,
                server_sends: server.sends - before.1,
                bytes: client.bytes + server.bytes - before.2,
                digest: asking.digest(),
            })
        };
        exchanged().map_err(|cause: Cause| cause.during(Phase::Exchange))
    }

    /// Opens so many substreams at once and closes them. Returns how often both sides sent.
    pub fn open_substreams(&mut self, count: usize) -> Result<u64, Error> {
        let mut opened = || {
            let Self {
                client,
                server,
                settings,
            } = self;
            let before = client.sends + server.sends;
            let mut tell = |_| {};
            let mut serving = Serving::new(settings, &mut tell);
            let mut opening = Opening::new(&mut client.mux, settings, count)?;
            run(client, &mut opening, server, &mut serving)?;
            opening.ids().for_each(|id| client.mux.end(id));
            // Nobody waits for anything while they are closed.
            let mut closing = Opening::new(&mut client.mux, settings, 0)?;
            run(client, &mut closing, server, &mut serving)?;
            Ok(client.sends + server.sends - before)
        };
        opened().map_err(|cause: Cause| cause.during(Phase::Open))
    }
}

/// Lets both talk until neither has anything to say.
fn run(
    client: &mut Side,
    asks: &mut impl Application,
    server: &mut Side,
    answers: &mut impl Application,
) -> Result<(), Cause> {
    while client.say(asks, server, answers)? | server.say(answers, client, asks)? {}
    match asks.is_done() {
        true => Ok(()),
        false => Err(Cause::Ended),
    }
}

/// Payload that is sealed and opened again, in calls' worths.
pub struct Frames {
    outbox: Outbox,
    opener: Opener,
    count: usize,
    sealed: Vec<u8>,
}

impl Frames {
    /// So many full frames that are not sealed yet.
    pub fn plain(count: usize) -> Self {
        let (outbox, opener) = keyless();
        Self {
            outbox,
            opener,
            count,
            sealed: Vec::with_capacity(count * (LENGTH_BYTES + FRAME_BYTES_MAX)),
        }
    }

    /// Those that were sealed.
    pub fn sealed(count: usize) -> Self {
        let mut frames = Self::plain(count);
        frames.seal();
        frames
    }

    /// Packs and seals all.
    pub fn seal(&mut self) {
        for _ in 0..self.count {
            self.outbox.push(piece(0, CONTENT_BYTES_MAX));
            if self.outbox.room() == 0 {
                self.take();
            }
        }
        self.take();
    }

    fn take(&mut self) {
        let unsent = self.outbox.unsent();
        self.sealed.extend_from_slice(unsent);
        let taken = unsent.len();
        self.outbox.sent(taken);
    }

    /// Opens all, and returns how many bytes were in them.
    pub fn open(&mut self) -> Result<usize, Error> {
        let mut bytes = 0;
        for frame in frames(&mut self.sealed) {
            let content = self.opener.open(frame);
            bytes += content
                .map_err(|cause| cause.during(Phase::Exchange))?
                .len();
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::yamux::Event;
    use crate::{Check, Direction};

    #[test]
    fn what_arrives_is_what_was_sent_in_as_few_sends_as_there_can_be() {
        let check = Check::Digest;
        let mut pair = Pair::new(Settings {
            check,
            ..Settings::default()
        });
        let bytes = 4 << 20;
        let up = pair.exchange(Direction::Upload.of(bytes)).unwrap();
        let down = pair.exchange(Direction::Download.of(bytes)).unwrap();
        assert_eq!(down.digest, Some(Digest::of_payload(bytes)));
        for (sends, carried) in [(up.client_sends, up), (down.server_sends, down)] {
            // Two to a mebibyte, and a few for the substream.
            assert!((9..=12).contains(&sends), "{carried:?}");
            assert!(carried.bytes < bytes + bytes / 100, "{carried:?}");
        }
        let again = pair.exchange(Direction::Upload.of(bytes)).unwrap();
        assert_eq!(again, up);
    }

    #[test]
    fn substreams_are_asked_for_and_answered_at_once() {
        let mut pair = Pair::new(Settings::default());
        for _ in 0..2 {
            let sends = pair.open_substreams(256).unwrap();
            assert!(sends <= 4, "{sends}");
        }
        assert_eq!(
            (pair.client.mux.streams(), pair.server.mux.streams()),
            (0, 0)
        );
        assert!(pair.open_substreams(10_000).is_err());
    }

    /// Wants nothing and hears nothing.
    struct Deaf;

    impl Application for Deaf {
        fn happened(&mut self, _: &mut Mux, _: Event<'_>) -> Result<(), Cause> {
            Ok(())
        }

        fn fill(&mut self, _: &mut Mux) {}

        fn is_done(&self) -> bool {
            true
        }

        fn progress(&self) -> u64 {
            0
        }

        fn patience(&self) -> Duration {
            Duration::ZERO
        }
    }

    #[test]
    fn ten_thousand_substreams_opened_and_dropped_leave_nothing_at_the_server() {
        let settings = Settings::default();
        let Pair {
            mut client,
            mut server,
            ..
        } = Pair::new(settings.clone());
        let mut told = 0;
        let mut tell = |served: Result<_, Cause>| {
            assert!(matches!(served, Err(Cause::Reset)));
            told += 1;
        };
        let mut serving = Serving::new(&settings, &mut tell);
        let room = server.mux.outbox.capacity();
        for _ in 0..10 {
            let opening = Opening::new(&mut client.mux, &settings, 1_000).unwrap();
            let ids: Vec<_> = opening.ids().collect();
            // Some are in the middle of a download.
            let wanted = [0_u64, 1 << 30].map(u64::to_be_bytes).concat();
            for id in &ids[..50] {
                client.mux.write_first(*id, &wanted);
            }
            client.say(&mut Deaf, &mut server, &mut serving).unwrap();
            assert_eq!(serving.kept(), [1_000, 50]);
            server.say(&mut serving, &mut client, &mut Deaf).unwrap();
            ids.into_iter().for_each(|id| client.mux.reset(id));
            client.say(&mut Deaf, &mut server, &mut serving).unwrap();
            while server.say(&mut serving, &mut client, &mut Deaf).unwrap() {}
            assert_eq!(serving.kept(), [0, 0]);
            assert_eq!([client.mux.streams(), server.mux.streams()], [0, 0]);
            assert_eq!(server.mux.outbox.capacity(), room);
        }
        drop(serving);
        assert_eq!(told, 10 * 50);
    }

    #[test]
    fn frames_come_out_as_they_went_in() {
        for count in [1, 8, 12] {
            let mut frames = Frames::sealed(count);
            let whole = frames.sealed.len();
            assert_eq!(whole, count * (LENGTH_BYTES + FRAME_BYTES_MAX));
            assert_eq!(frames.open().unwrap(), whole - count * 18);
            assert!(frames.open().is_err(), "their numbers are used up");
        }
    }
}
