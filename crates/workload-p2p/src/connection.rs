//! A secured connection, driven by whoever needs something of it.
//!
//! One thread does everything for a connection, and waits for reading and writing at once. Threads of its own for reading
//! and writing would hand each frame from one to the other, and with a client and a server on two processors there is none
//! left for that; an async runtime would do the same work with more steps in between.
//!
//! Tests: a flood ends in time; `hostile`, `tests/it`, and with the machines below.

use std::time::Duration;

use crate::error::Cause;
use crate::line::{Came, Counters, Deadline, Interest, Line, Wire};
use crate::negotiation::{Dialing, Listening, proposal};
use crate::noise::{Keys, Opener, Role, secure};
use crate::settings::Settings;
use crate::yamux::{Application, Limits, Mux};
use crate::{Identity, PeerId};

const YAMUX: &str = "/yamux/1.0.0";

/// The other side did what it must not.
const WRONG: u32 = 1;

pub(crate) struct Connection<W> {
    line: Line<W>,
    opener: Opener,
    mux: Mux,
    /// What came right behind the agreement.
    early: Vec<u8>,
    peer: PeerId,
}

impl<W: Wire> Connection<W> {
    /// Agrees with the other side on keys and on yamux.
    pub(crate) fn new(
        wire: W,
        role: Role,
        identity: &Identity,
        keys: Keys,
        settings: &Settings,
    ) -> Result<Self, Cause> {
        let deadline = Deadline::after(settings.secure);
        let mut line = Line::new(wire);
        let secured = secure(&mut line, role, identity, keys, deadline)?;
        let limits = Limits {
            streams_max: settings.streams_max,
        };
        let mut connection = Self {
            line,
            opener: secured.opener,
            mux: Mux::new(secured.outbox, role, limits),
            early: Vec::new(),
            peer: secured.peer,
        };
        match role {
            Role::Dialer => connection.ask_for_yamux(deadline)?,
            Role::Listener => connection.answer_for_yamux(deadline)?,
        }
        Ok(connection)
    }

    /// Who the other side has proved to be.
    pub(crate) const fn peer(&self) -> PeerId {
        self.peer
    }

    pub(crate) const fn counters(&self) -> Counters {
        self.line.counters
    }

    pub(crate) const fn mux(&mut self) -> &mut Mux {
        &mut self.mux
    }

    /// Whether what arrived last was whole.
    pub(crate) fn is_between_frames(&self) -> bool {
        self.line.inbox.is_empty() && self.mux.is_between_frames()
    }

    /// Sends and receives until the application has all it needs.
    pub(crate) fn run(&mut self, application: &mut impl Application) -> Result<(), Cause> {
        let early = std::mem::take(&mut self.early);
        let taken = self.mux.receive(&early, application);
        let result = taken
            // Whole frames may have come with the agreement: nobody would tell of them again.
            .and_then(|()| self.deliver(application))
            .and_then(|()| self.turn(application));
        if let Err(Cause::Violation(_)) = result {
            self.close(WRONG);
        }
        result
    }

    /// Sends all that waits.
    pub(crate) fn hand_over(&mut self, timeout: Duration) -> Result<(), Cause> {
        self.send_all(Deadline::after(timeout))
    }

    /// Says that this side goes, if there is room for that.
    pub(crate) fn close(&mut self, code: u32) {
        self.mux.go_away(code);
        // Who does not listen any more misses nothing.
        let _ = self.send();
    }

    /// Sends what there is room for. Returns whether that was all.
    #[cfg(test)]
    pub(crate) fn flush(&mut self) -> bool {
        self.send().is_ok_and(|is_sent| is_sent)
    }

    /// Sends a frame but for its end.
    #[cfg(test)]
    pub(crate) fn send_half(&mut self) {
        let unsent = self.mux.outbox.unsent();
        let half = &unsent[..unsent.len() - 3];
        self.line.offer(half).expect("there is room");
    }

    fn turn(&mut self, application: &mut impl Application) -> Result<(), Cause> {
        let mut deadline = Deadline::after(application.patience());
        let mut progress = application.progress();
        loop {
            // Sending what waited makes room, as writing shows that there may be more to write.
            let had_waiting = !self.mux.outbox.is_empty();
            let before = application.progress();
            application.fill(&mut self.mux);
            let may_go_on = had_waiting || application.progress() != before;
            let is_sent = match self.send() {
                // Whoever hangs up may have said why.
                Err(cause) => return Err(self.receive(application).err().unwrap_or(cause)),
                Ok(is_sent) => is_sent,
            };
            if application.is_done() && is_sent {
                return Ok(());
            }
            if progress != application.progress() {
                progress = application.progress();
                deadline = Deadline::after(application.patience());
            }
            if !(is_sent && may_go_on) {
                self.listen(is_sent, deadline, application)?;
            }
        }
    }

    /// Waits for what can be done next, and takes what has arrived.
    fn listen(
        &mut self,
        is_sent: bool,
        deadline: Deadline,
        application: &mut impl Application,
    ) -> Result<(), Cause> {
        if is_sent && self.line.has_more() {
            deadline.check()?;
            return self.receive(application);
        }
        let may_read = !self.mux.outbox.is_full();
        let interest = match (is_sent, may_read) {
            (true, _) => Interest::Read,
            (false, true) => Interest::Both,
            (false, false) => Interest::Write,
        };
        self.line.wait(interest, deadline)?;
        match may_read {
            true => self.receive(application),
            false => Ok(()),
        }
    }

    fn receive(&mut self, application: &mut impl Application) -> Result<(), Cause> {
        let came = self.line.receive()?;
        self.deliver(application)?;
        match (self.mux.gone(), came) {
            (Some(code), _) if !application.is_done() => Err(Cause::GoneAway(code)),
            (_, Came::End) => Err(Cause::Ended),
            _ => Ok(()),
        }
    }

    /// Hands on the frames that have arrived whole.
    fn deliver(&mut self, application: &mut impl Application) -> Result<(), Cause> {
        while let Some(frame) = self.line.inbox.take_frame() {
            let content = self.opener.open(frame)?;
            self.mux.receive(content, application)?;
        }
        Ok(())
    }

    /// Sends what waits. Returns whether that was all.
    fn send(&mut self) -> Result<bool, Cause> {
        let unsent = self.mux.outbox.unsent();
        if unsent.is_empty() {
            return Ok(true);
        }
        let all = unsent.len();
        let sent = self.line.offer(unsent)?;
        self.mux.outbox.sent(sent);
        Ok(sent == all)
    }

    fn ask_for_yamux(&mut self, deadline: Deadline) -> Result<(), Cause> {
        self.mux.outbox.push(&proposal(YAMUX));
        self.send_all(deadline)?;
        let mut dialing = Dialing::new(YAMUX);
        while !self.take_early(deadline, |input| dialing.take(input))? {}
        Ok(())
    }

    fn answer_for_yamux(&mut self, deadline: Deadline) -> Result<(), Cause> {
        let mut listening = Listening::new(YAMUX);
        loop {
            let mut answer = Vec::new();
            let taken = self.take_early(deadline, |input| listening.take(input, &mut answer));
            self.mux.outbox.push(&answer);
            self.send_all(deadline)?;
            if taken? {
                return Ok(());
            }
        }
    }

    fn send_all(&mut self, deadline: Deadline) -> Result<(), Cause> {
        while !self.send()? {
            self.line.wait(Interest::Write, deadline)?;
        }
        Ok(())
    }

    /// Lets somebody take from the next frame; what is left of it waits for the first application.
    fn take_early(
        &mut self,
        deadline: Deadline,
        take: impl FnOnce(&mut &[u8]) -> Result<bool, Cause>,
    ) -> Result<bool, Cause> {
        loop {
            if let Some(frame) = self.line.inbox.take_frame() {
                let mut content = self.opener.open(frame)?;
                let taken = take(&mut content)?;
                self.early.extend_from_slice(content);
                return Ok(taken);
            }
            self.line.fill(deadline)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::line::pipe::pair;
    use crate::perf::Serving;

    #[test]
    fn a_flood_ends_in_time_though_nobody_waits_for_it() {
        let settings = Settings::default();
        let [here, there] = pair();
        let new = |wire, role| {
            let identity = Identity::from_text("either");
            let keys = settings.keys().unwrap();
            Connection::new(wire, role, &identity, keys, &settings).unwrap()
        };
        thread::scope(|scope| {
            let flooding = scope.spawn(|| {
                let mut client = new(there, Role::Dialer);
                // Answers that nobody asked for.
                let pong = [0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1].repeat(70_000);
                client.mux().outbox.push(&pong);
                assert!(client.flush());
                client
            });
            let mut server = new(here, Role::Listener);
            let client = flooding.join().unwrap();
            let mut tell = |_| {};
            let mut serving = Serving::new(&settings, &mut tell);
            server.receive(&mut serving).unwrap();
            assert!(server.line.has_more());
            let none = Deadline::after(Duration::ZERO);
            let ended = server.listen(true, none, &mut serving);
            assert!(matches!(ended, Err(Cause::TimedOut(_))));
            drop(client);
        });
    }
}
