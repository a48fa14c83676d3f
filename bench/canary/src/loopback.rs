//! The work of the canary that does I/O: datagrams that a second thread sends back, and the round trips that the feature
//! `planted` adds.
//!
//! Each round trip puts both threads to sleep and wakes them, so its cost is the kernel's: the network stack without a
//! network, and the scheduler. One datagram at a time is on its way, so none is dropped. Tests: known answers, that
//! round trips add up, and that the extra ones are as many as promised.

use std::{
    io,
    net::{Ipv4Addr, UdpSocket},
    thread::{self, JoinHandle},
    time::Duration,
};

use crate::work::wasted;

/// The slowdowns that can be planted, in percent of the round trips; the first is none, on the feature's either side.
pub const LOOPBACK_PERCENTS: [u32; 2] = [0, 6];

/// The round trips in a benchmark: half a millisecond or so, and six percent of them are a whole number.
pub const ROUND_TRIPS: u32 = 50;

const DATAGRAM_BYTES: usize = 64;

/// A reply that takes so long does not come any more.
const PATIENCE: Duration = Duration::from_secs(10);

/// A socket whose datagrams come back.
#[derive(Debug)]
pub struct Loopback {
    socket: UdpSocket,
    echo: Option<JoinHandle<io::Result<()>>>,
}

impl Loopback {
    /// Opens two sockets, and lets a thread of its own send back what comes to the second.
    ///
    /// # Errors
    ///
    /// When the machine has no loopback interface or lets nobody use it.
    pub fn open() -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let other = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.connect(other.local_addr()?)?;
        other.connect(socket.local_addr()?)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        let echo = thread::spawn(move || echo(&other));
        Ok(Self {
            socket,
            echo: Some(echo),
        })
    }

    /// Does so many round trips and returns what the last datagram carried. Each carries what the one before it brought,
    /// one byte of it changed.
    fn round_trips(&self, count: u32) -> io::Result<[u8; DATAGRAM_BYTES]> {
        let mut datagram = [0_u8; DATAGRAM_BYTES];
        for round_trip in 0..count {
            let at = round_trip as usize % DATAGRAM_BYTES;
            datagram[at] = datagram[at].wrapping_add(1);
            self.socket.send(&datagram)?;
            let bytes = self.socket.recv(&mut datagram)?;
            if bytes != DATAGRAM_BYTES {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(datagram)
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        // An empty datagram ends the thread; one that cannot be sent would leave us waiting for ever.
        if self.socket.send(&[]).is_ok()
            && let Some(echo) = self.echo.take()
        {
            let _ = echo.join();
        }
    }
}

/// Sends back whatever comes, up to an empty datagram.
fn echo(socket: &UdpSocket) -> io::Result<()> {
    let mut datagram = [0; DATAGRAM_BYTES];
    loop {
        match socket.recv(&mut datagram)? {
            0 => return Ok(()),
            bytes => socket.send(&datagram[..bytes])?,
        };
    }
}

/// Does the round trips; with the feature `planted`, does that many percent of them in vain as well.
///
/// What is returned is the same either way.
///
/// # Errors
///
/// When a datagram cannot be sent or does not come back.
pub fn loopback(
    loopback: &Loopback,
    round_trips: u32,
    percent: u32,
) -> io::Result<[u8; DATAGRAM_BYTES]> {
    loopback.round_trips(wasted(round_trips, percent))?;
    loopback.round_trips(round_trips)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_benchmarks_have_the_same_known_answer() {
        let socket = Loopback::open().unwrap();
        let mut expected = [0; DATAGRAM_BYTES];
        expected[..50].fill(1);
        for percent in LOOPBACK_PERCENTS {
            let answer = loopback(&socket, ROUND_TRIPS, percent).unwrap();
            assert_eq!(answer, expected);
        }
    }

    #[test]
    fn every_round_trip_leaves_its_mark() {
        let socket = Loopback::open().unwrap();
        for round_trips in [0, 1, 64, 65] {
            let marks: u32 = socket
                .round_trips(round_trips)
                .unwrap()
                .map(u32::from)
                .iter()
                .sum();
            assert_eq!(marks, round_trips);
        }
    }

    #[test]
    fn exactly_the_promised_round_trips_are_wasted() {
        let promised = if cfg!(feature = "planted") { 3 } else { 0 };
        assert_eq!(
            LOOPBACK_PERCENTS.map(|percent| wasted(ROUND_TRIPS, percent)),
            [0, promised]
        );
    }

    #[test]
    fn what_is_dropped_ends_its_thread() {
        let mut socket = Loopback::open().unwrap();
        socket.socket.send(&[]).unwrap();
        socket.echo.take().unwrap().join().unwrap().unwrap();
    }
}
