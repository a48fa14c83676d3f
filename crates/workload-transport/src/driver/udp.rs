//! A real socket, as many datagrams in a call as the kernel takes and gives, and the clock beside it.
//!
//! What leaves for one address in datagrams of one length is one call, by segmentation in the kernel; what has come from
//! one is joined again. quinn-udp finds out what the kernel can do, and holds the control messages, which are unsafe code.
//! Where the kernel cuts and joins, sendmmsg would only save what calls to different addresses cost.
//!
//! Tests: who stays awake, and for what; on real sockets, in `tests/it/udp.rs`.

use std::io::{self, IoSliceMut};
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quinn_udp::{BATCH_SIZE, RecvMeta, UdpSocketState};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};

use super::{Driver, Socket};
use crate::{Time, Transmit};

/// The longest that UDP carries over IPv4 in one call, and all segments of one with it.
const SEND_BYTES_MAX: usize = 65_507;
const DATAGRAM_BYTES_MAX: usize = 1_472;
/// What one call may give: as much as the kernel joins, in some places.
const RECEIVE_BYTES: usize = 1 << 16;
const RECEIVE_PLACES: usize = if BATCH_SIZE < 8 { BATCH_SIZE } else { 8 };
/// Asked for; the kernel gives what it allows.
const BUFFER_BYTES: usize = 4 << 20;
/// As long as it takes the kernel to wake a thread on a processor that sleeps: nobody who is awake waits longer for less.
const AWAKE_SPAN: Duration = Duration::from_micros(50);
/// Whoever answered within that is taken for somebody who will do so again.
const SOON_SPAN: Duration = Duration::from_micros(200);

/// The machine's monotonic clock, from a beginning of its own.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Clock {
    /// A clock that begins now.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The moment that it is.
    pub fn now(&self) -> Time {
        let nanos = self.0.elapsed().as_nanos();
        Time::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// A UDP socket.
pub struct Udp {
    socket: Arc<UdpSocket>,
    state: UdpSocketState,
    buffer: Vec<u8>,
    waiting: Waiting,
}

/// Ends the waiting of a driver from another thread.
#[derive(Clone, Debug)]
pub struct Waker(Arc<OwnedFd>);

impl Waker {
    /// Ends the waiting that is, or else the next.
    pub fn wake(&self) {
        // It fails only where it was woken very often already and has not looked.
        let _: rustix::io::Result<usize> = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

impl Udp {
    /// Binds a socket to an address.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        let state = UdpSocketState::new((&socket).into())?;
        state.set_send_buffer_size((&socket).into(), BUFFER_BYTES)?;
        state.set_recv_buffer_size((&socket).into(), BUFFER_BYTES)?;
        let woken = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
        let socket = Arc::new(socket);
        Ok(Self {
            waiting: Waiting::new(Arc::clone(&socket), Arc::new(woken)),
            socket,
            state,
            buffer: vec![0; RECEIVE_BYTES * RECEIVE_PLACES],
        })
    }

    /// The address that others reach it at.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// What ends the waiting for it.
    pub fn waker(&self) -> Waker {
        Waker(Arc::clone(&self.waiting.woken))
    }

    /// What waits for it, perhaps while somebody else sends.
    pub(super) fn waiting(&self) -> Waiting {
        Waiting::new(Arc::clone(&self.socket), Arc::clone(&self.waiting.woken))
    }
}

/// The waiting for a socket.
pub(super) struct Waiting {
    socket: Arc<UdpSocket>,
    woken: Arc<OwnedFd>,
    // The last waiting was over soon.
    was_short: bool,
}

impl Waiting {
    const fn new(socket: Arc<UdpSocket>, woken: Arc<OwnedFd>) -> Self {
        Self {
            socket,
            woken,
            was_short: false,
        }
    }

    /// Waits until the socket is ready for what is `wanted`, if anything is, it was woken, or `span` is over. Returns how
    /// many calls that took.
    ///
    /// Where two talk, most of a message's time is the kernel waking the other's thread. So whoever was answered soon stays
    /// awake for a moment, and lets others have the processor; whoever was not sleeps at once.
    pub(super) fn wait(&mut self, wanted: PollFlags, span: Option<Duration>) -> io::Result<u64> {
        let began = Instant::now();
        let awake = span.unwrap_or(AWAKE_SPAN).min(AWAKE_SPAN);
        let mut calls = 0;
        let mut is_over = false;
        let mut is_awake = self.was_short;
        while is_awake {
            is_over = self.poll(wanted, Some(Duration::ZERO))?;
            calls += 1;
            is_awake = !is_over && began.elapsed() < awake;
            if is_awake {
                std::thread::yield_now();
            }
        }
        if !is_over {
            let left = span.map(|span| span.saturating_sub(began.elapsed()));
            is_over = self.poll(wanted, left)?;
            calls += 1;
        }
        self.was_short = is_over && began.elapsed() < SOON_SPAN;
        Ok(calls)
    }

    /// Returns whether there was something before `span` was over.
    fn poll(&self, wanted: PollFlags, span: Option<Duration>) -> io::Result<bool> {
        let mut fds = [
            PollFd::new(&*self.woken, PollFlags::IN),
            PollFd::new(&*self.socket, wanted),
        ];
        // A socket of which nothing is wanted would end the waiting all the same, by an error that it has.
        let asked = if wanted.is_empty() { 1 } else { 2 };
        let span = span.and_then(|span| Timespec::try_from(span).ok());
        let count = match poll(&mut fds[..asked], span.as_ref()) {
            Ok(count) => count,
            Err(rustix::io::Errno::INTR) => 1,
            Err(error) => return Err(error.into()),
        };
        if !fds[0].revents().is_empty() {
            // It is empty where two were woken by one call.
            let _: rustix::io::Result<usize> = rustix::io::read(&*self.woken, &mut [0; 8]);
        }
        Ok(count > 0)
    }
}

impl Socket for Udp {
    fn send(&mut self, _now: Time, transmit: &Transmit, contents: &[u8]) -> io::Result<()> {
        let is_one = transmit.segment >= contents.len();
        self.state.try_send(
            (&*self.socket).into(),
            &quinn_udp::Transmit {
                destination: transmit.to,
                ecn: None,
                contents,
                segment_size: (!is_one).then_some(transmit.segment),
                src_ip: None,
            },
        )
    }

    fn receive(
        &mut self,
        _now: Time,
        take: &mut dyn FnMut(SocketAddr, &mut [u8]),
    ) -> io::Result<bool> {
        let mut metas = [RecvMeta::default(); RECEIVE_PLACES];
        let count = {
            let mut places = self.buffer.chunks_exact_mut(RECEIVE_BYTES);
            let mut slices: [IoSliceMut<'_>; RECEIVE_PLACES] =
                std::array::from_fn(|_| IoSliceMut::new(places.next().unwrap_or_default()));
            self.state
                .recv((&*self.socket).into(), &mut slices, &mut metas)?
        };
        for (place, meta) in self
            .buffer
            .chunks_exact_mut(RECEIVE_BYTES)
            .zip(&metas[..count])
        {
            for datagram in place[..meta.len].chunks_mut(meta.stride.max(1)) {
                take(meta.addr, datagram);
            }
        }
        Ok(count == RECEIVE_PLACES)
    }

    fn most(&self) -> usize {
        let fits = SEND_BYTES_MAX / DATAGRAM_BYTES_MAX;
        self.state.max_gso_segments().min(fits)
    }
}

impl Driver<Udp> {
    /// Waits until there is something to do, but not beyond `until`.
    pub fn wait(&mut self, clock: &Clock, until: Option<Time>) -> io::Result<()> {
        let next = self.next().into_iter().chain(until).min();
        let span = next.map(|next| next.since(clock.now()));
        let wanted = self.wanted();
        self.calls.waits += self.socket.waiting.wait(wanted, span)?;
        Ok(())
    }

    /// Returns what to wait for at the socket.
    pub(super) fn wanted(&self) -> PollFlags {
        let mut wanted = PollFlags::IN;
        wanted.set(PollFlags::OUT, self.is_held_up());
        if self.deaf.is_some() {
            wanted = PollFlags::empty();
        }
        wanted
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const SPAN: Option<Duration> = Some(Duration::from_millis(1));

    #[test]
    fn only_who_was_answered_soon_stays_awake() {
        let socket = Udp::bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let mut waiting = socket.waiting();
        assert_eq!(waiting.wait(PollFlags::IN, SPAN).unwrap(), 1);
        waiting.was_short = true;
        // Nothing comes: it looks at least once before it sleeps, and the next time it sleeps at once.
        assert!(waiting.wait(PollFlags::IN, SPAN).unwrap() > 1);
        assert_eq!(waiting.wait(PollFlags::IN, SPAN).unwrap(), 1);
        waiting.was_short = true;
        socket.waker().wake();
        assert_eq!(waiting.wait(PollFlags::IN, None).unwrap(), 1);
    }

    #[test]
    fn what_is_not_wanted_ends_no_waiting() {
        let socket = Udp::bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        // Nobody is there: what was sent comes back as an error, which ends every waiting for the socket.
        let nobody = Udp::bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        socket.socket.connect(nobody.address().unwrap()).unwrap();
        drop(nobody);
        socket.socket.send(b"!").unwrap();
        let waiting = socket.waiting();
        assert!(waiting.poll(PollFlags::IN, None).unwrap());
        assert!(!waiting.poll(PollFlags::empty(), SPAN).unwrap());
        socket.waker().wake();
        assert!(waiting.poll(PollFlags::empty(), None).unwrap());
    }
}
