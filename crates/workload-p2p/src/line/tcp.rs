//! A line over TCP.
//!
//! Tests: `tests/it`, between a client and a server.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{Interest, Wire};

pub(crate) struct Tcp(TcpStream);

/// Connects within a time.
pub(crate) fn connect(address: SocketAddr, timeout: Duration) -> io::Result<Tcp> {
    Tcp::new(TcpStream::connect_timeout(&address, timeout)?)
}

impl Tcp {
    pub(crate) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        // What is sent was packed before: nothing is gained by waiting for more.
        stream.set_nodelay(true)?;
        Ok(Self(stream))
    }
}

impl Wire for Tcp {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }

    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.0.write(from)
    }

    fn wait(&mut self, interest: Interest, timeout: Duration) -> io::Result<bool> {
        let flags = match interest {
            Interest::Read => PollFlags::IN,
            Interest::Write => PollFlags::OUT,
            Interest::Both => PollFlags::IN | PollFlags::OUT,
        };
        // A wait that a signal ends is a wait that was short; one that is too long for the system to count has no end.
        let timeout = Timespec::try_from(timeout).ok();
        match poll(&mut [PollFd::new(&self.0, flags)], timeout.as_ref()) {
            Err(rustix::io::Errno::INTR) => Ok(false),
            other => Ok(other? > 0),
        }
    }
}
