//! Connections that go on by themselves, and a kernel that says which of them have come to an end.
//!
//! The second `connect` of a socket says how the first one ended, and makes it fit for the next: no other call does both.
//! On a loopback the answer is there when the first returns, so there it is asked at once, and nobody waits.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use rustix::net::{SocketFlags, connect};

use super::{Answer, Engine, meaning, socket};

/// How many ends one call tells of at most.
const EVENTS: usize = 256;

/// Sockets, and the kernel's list of them.
pub(crate) struct Epoll {
    list: OwnedFd,
    source: IpAddr,
    slots: Vec<Slot>,
    events: Vec<epoll::Event>,
    calls: u64,
}

struct Slot {
    socket: OwnedFd,
    /// Whom it waits for.
    to: Option<SocketAddr>,
}

impl Epoll {
    /// Has no slots yet; `source` is bound by all of them.
    pub(crate) fn open(source: IpAddr) -> io::Result<Self> {
        Ok(Self {
            list: epoll::create(epoll::CreateFlags::CLOEXEC)?,
            source,
            slots: Vec::new(),
            events: Vec::with_capacity(EVENTS),
            calls: 1,
        })
    }

    fn add(&mut self) -> io::Result<()> {
        let socket = socket::bound(self.source, SocketFlags::NONBLOCK)?;
        let flags = epoll::EventFlags::OUT | epoll::EventFlags::ET;
        let number = epoll::EventData::new_u64(self.slots.len() as u64);
        epoll::add(&self.list, &socket, number, flags)?;
        self.calls += 3;
        self.slots.push(Slot { socket, to: None });
        Ok(())
    }

    /// Asks a slot how its connection went; nothing where it is still under way.
    fn ask(&mut self, slot: usize, to: SocketAddr) -> io::Result<Option<Answer>> {
        let Slot { socket, .. } = &self.slots[slot];
        self.calls += 1;
        let answer = match connect(socket, &to) {
            Err(Errno::ALREADY | Errno::INPROGRESS) => {
                self.slots[slot].to = Some(to);
                return Ok(None);
            }
            Ok(()) | Err(Errno::ISCONN) if socket::is_itself(socket)? => Answer::Itself,
            Ok(()) | Err(Errno::ISCONN) => Answer::Open,
            Err(error) => meaning(error)?,
        };
        if answer != Answer::Closed {
            socket::reset(socket)?;
            self.calls += 3;
        }
        self.slots[slot].to = None;
        Ok(Some(answer))
    }

    /// Takes what one call tells of.
    fn look(&mut self, span: Duration, answers: &mut Vec<(usize, Answer)>) -> io::Result<()> {
        let span = Timespec::try_from(span).ok();
        self.calls += 1;
        self.events.clear();
        match epoll::wait(&self.list, spare_capacity(&mut self.events), span.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut all = Ok(());
        for at in 0..self.events.len() {
            let number = self.events[at].data.u64();
            let slot = usize::try_from(number).map_err(io::Error::other)?;
            // A slot that was answered at once, or given up, is in the list as well.
            let Some(to) = self.slots[slot].to else {
                continue;
            };
            match self.ask(slot, to) {
                Ok(answer) => answers.extend(answer.map(|answer| (slot, answer))),
                Err(error) => all = all.and(Err(error)),
            }
        }
        all
    }
}

impl Engine for Epoll {
    fn grow(&mut self, wanted: usize) -> io::Result<usize> {
        while self.slots.len() < wanted {
            match self.add() {
                Ok(()) => {}
                Err(error) if self.slots.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        Ok(self.slots.len())
    }

    fn start(&mut self, slot: usize, to: SocketAddr) -> io::Result<Option<Answer>> {
        match self.ask(slot, to)? {
            None if to.ip().is_loopback() => self.ask(slot, to),
            answer => Ok(answer),
        }
    }

    fn give_up(&mut self, slot: usize) -> io::Result<Option<Answer>> {
        // It may have come to an end that nobody has told of yet.
        if let Some(to) = self.slots[slot].to
            && let Some(answer) = self.ask(slot, to)?
        {
            return Ok(Some(answer));
        }
        let Slot { socket, to } = &mut self.slots[slot];
        *to = None;
        self.calls += 1;
        socket::reset(socket)?;
        Ok(Some(Answer::Silence))
    }

    fn wait(
        &mut self,
        _wanted: usize,
        span: Duration,
        answers: &mut Vec<(usize, Answer)>,
    ) -> io::Result<()> {
        let mut span = span;
        loop {
            let all = self.look(span, answers);
            // A full list means that there may be more, and all that has come is wanted.
            if all.is_err() || self.events.len() < EVENTS {
                return all;
            }
            span = Duration::ZERO;
        }
    }

    fn calls(&self) -> u64 {
        self.calls
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use rustix::net::getsockname;

    use super::*;

    /// A port that is held and at which nobody listens.
    fn closed() -> (OwnedFd, SocketAddr) {
        let holder = socket::bound(Ipv4Addr::LOCALHOST.into(), SocketFlags::empty()).unwrap();
        let address = getsockname(&holder).unwrap().try_into().unwrap();
        (holder, address)
    }

    /// An engine whose slots have asked, are answered, and have not been looked at.
    fn asked(slots: usize, to: SocketAddr) -> Epoll {
        let mut engine = Epoll::open(Ipv4Addr::LOCALHOST.into()).unwrap();
        assert_eq!(engine.grow(slots).unwrap(), slots);
        for slot in 0..slots {
            assert_eq!(engine.ask(slot, to).unwrap(), None);
        }
        engine
    }

    #[test]
    fn one_wait_takes_all_that_has_come() {
        let (_holder, to) = closed();
        let slots = EVENTS * 2 + 1;
        let mut engine = asked(slots, to);
        let mut answers = Vec::new();
        engine.wait(1, Duration::ZERO, &mut answers).unwrap();
        assert_eq!(answers.len(), slots);
        assert!(answers.iter().all(|(_, it)| *it == Answer::Closed));
    }

    #[test]
    fn what_is_given_up_is_asked_once_more() {
        let (_holder, to) = closed();
        let mut engine = asked(1, to);
        assert_eq!(engine.give_up(0).unwrap(), Some(Answer::Closed));
    }
}
