//! One connection at a time, in one system call for a port that is closed.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{SocketFlags, connect, sockopt};

use super::{Answer, Engine, meaning, socket};

/// A socket that waits.
pub(crate) struct Blocking {
    socket: OwnedFd,
    calls: u64,
}

impl Blocking {
    /// Waits `patience` for each answer, by the machine's clock.
    pub(crate) fn open(source: IpAddr, patience: Duration) -> io::Result<Self> {
        let socket = socket::bound(source, SocketFlags::empty())?;
        // No time at all would mean for ever.
        let patience = patience.max(Duration::from_micros(1));
        sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(patience))?;
        Ok(Self { socket, calls: 3 })
    }
}

impl Engine for Blocking {
    fn grow(&mut self, _wanted: usize) -> io::Result<usize> {
        Ok(1)
    }

    fn start(&mut self, _slot: usize, to: SocketAddr) -> io::Result<Option<Answer>> {
        self.calls += 1;
        let answer = match connect(&self.socket, &to) {
            Ok(()) if socket::is_itself(&self.socket)? => Answer::Itself,
            Ok(()) => Answer::Open,
            Err(Errno::INPROGRESS) => Answer::Silence,
            Err(error) => meaning(error)?,
        };
        if answer != Answer::Closed {
            socket::reset(&self.socket)?;
            self.calls += 3;
        }
        Ok(Some(answer))
    }

    fn give_up(&mut self, _slot: usize) -> io::Result<Option<Answer>> {
        Ok(Some(Answer::NotAsked))
    }

    fn wait(
        &mut self,
        _wanted: usize,
        span: Duration,
        _answers: &mut Vec<(usize, Answer)>,
    ) -> io::Result<()> {
        self.calls += 1;
        thread::sleep(span);
        Ok(())
    }

    fn calls(&self) -> u64 {
        self.calls
    }
}
