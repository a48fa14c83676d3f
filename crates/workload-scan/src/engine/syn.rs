//! No connection: the first packet of one, written by hand, and a look at what comes back.
//!
//! A refusal is a reset; an open port answers, and the kernel, which knows of no connection, resets it for us. The number
//! in a packet says which slot it is of, so an answer finds its slot without a search, and what is no answer finds none.
//! A socket that is bound and does nothing else keeps our port from being given to somebody.
//!
//! It is for IPv4, and needs the permission to write raw packets.

use std::io::{self, IoSlice};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::addr::SocketAddrArg as _;
use rustix::net::{
    AddressFamily, MMsgHdr, RecvFlags, SendAncillaryBuffer, SendFlags, SocketAddrAny, SocketFlags,
    SocketType, bind, getsockname, ipproto, recv, sendmmsg, socket_with, sockopt,
};
use socket2::{SockFilter, SockRef};

use super::{Answer, Engine, socket};

mod packet;

use packet::Reply;

/// How many packets go in one call. What answers them has to fit into the buffer of the socket.
const BATCH: usize = 128;
/// Asked for; the kernel gives what it allows.
const BUFFER_BYTES: usize = 4 << 20;
/// The longest header that IP has, and what we read of TCP's.
const REPLY_BYTES: usize = 60 + 20;

/// A raw socket, and a port of ours that is nobody else's.
pub(crate) struct Syn {
    raw: OwnedFd,
    /// Holds the port.
    _holder: OwnedFd,
    port: u16,
    /// Where packets come from; asked of the routes where it is not given.
    source: Source,
    /// What the numbers of our packets begin with.
    nonce: u32,
    slots: Vec<Option<SocketAddrV4>>,
    queue: Vec<Queued>,
    most: usize,
    calls: u64,
}

enum Source {
    Given(Ipv4Addr),
    /// The last target, and what the route to it says.
    Routed(Option<(Ipv4Addr, Ipv4Addr)>),
}

impl Source {
    /// The address that a packet to `to` comes from.
    fn of(&mut self, to: Ipv4Addr) -> io::Result<Ipv4Addr> {
        match self {
            Self::Given(source) => Ok(*source),
            Self::Routed(Some((target, source))) if *target == to => Ok(*source),
            Self::Routed(last) => {
                let asked = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
                asked.connect((to, 9))?;
                let IpAddr::V4(source) = asked.local_addr()?.ip() else {
                    return Err(Errno::AFNOSUPPORT.into());
                };
                *last = Some((to, source));
                Ok(source)
            }
        }
    }
}

/// A packet that is to be sent.
struct Queued {
    slot: usize,
    from: Ipv4Addr,
    to: SocketAddrV4,
}

impl Syn {
    /// Up to `most` slots, none yet.
    pub(crate) fn open(source: IpAddr, most: usize) -> io::Result<Self> {
        let IpAddr::V4(address) = source else {
            return Err(Errno::AFNOSUPPORT.into());
        };
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let raw = socket_with(
            AddressFamily::INET,
            SocketType::RAW,
            flags,
            Some(ipproto::TCP),
        )?;
        let holder = socket::bound(source, flags)?;
        let port = SocketAddr::try_from(getsockname(&holder)?)?.port();
        SockRef::from(&raw).attach_filter(&only_to(port))?;
        sockopt::set_socket_recv_buffer_size(&raw, BUFFER_BYTES)?;
        if !address.is_unspecified() {
            bind(&raw, &SocketAddr::new(source, 0))?;
        }
        Ok(Self {
            raw,
            _holder: holder,
            port,
            source: match address {
                Ipv4Addr::UNSPECIFIED => Source::Routed(None),
                given => Source::Given(given),
            },
            nonce: fastrand::u32(..),
            slots: Vec::new(),
            queue: Vec::with_capacity(BATCH),
            most,
            calls: 7,
        })
    }

    /// Sends what is queued; slots whose packet could not be sent are answered with that.
    fn flush(&mut self, answers: &mut Vec<(usize, Answer)>) -> io::Result<()> {
        let queue = std::mem::take(&mut self.queue);
        for part in queue.chunks(BATCH) {
            let mut sent = 0;
            while sent < part.len() {
                self.calls += 1;
                match self.send(&part[sent..]) {
                    Ok(count) => sent += count,
                    Err(error) => {
                        // It is the first of them that was refused.
                        let Queued { slot, .. } = part[sent];
                        self.slots[slot] = None;
                        answers.push((slot, super::meaning(error)?));
                        sent += 1;
                    }
                }
            }
            self.drain(answers)?;
        }
        self.queue = queue;
        self.queue.clear();
        Ok(())
    }

    fn send(&mut self, part: &[Queued]) -> rustix::io::Result<usize> {
        let mut packets = Vec::with_capacity(part.len());
        for Queued { slot, from, to } in part {
            let from = SocketAddrV4::new(*from, self.port);
            let number = self
                .nonce
                .wrapping_add(u32::try_from(*slot).unwrap_or(u32::MAX));
            packets.push(packet::first(from, *to, number));
        }
        // A raw socket has no use for a port, and refuses some.
        let addresses = part
            .iter()
            .map(|queued| SocketAddrV4::new(*queued.to.ip(), 0).as_any());
        let addresses: Vec<SocketAddrAny> = addresses.collect();
        let slices: Vec<[IoSlice<'_>; 1]> = packets.iter().map(|it| [IoSlice::new(it)]).collect();
        let mut controls: Vec<SendAncillaryBuffer<'_, '_, '_>> = Vec::new();
        controls.resize_with(part.len(), SendAncillaryBuffer::default);
        let parts = addresses.iter().zip(&slices).zip(&mut controls);
        let mut headers: Vec<MMsgHdr<'_>> = parts
            .map(|((to, slice), control)| MMsgHdr::new_with_addr(to, slice, control))
            .collect();
        sendmmsg(&self.raw, &mut headers, SendFlags::empty())
    }

    /// Takes what has come.
    fn drain(&mut self, answers: &mut Vec<(usize, Answer)>) -> io::Result<()> {
        let mut bytes = [0; REPLY_BYTES];
        loop {
            self.calls += 1;
            match recv(&self.raw, &mut bytes, RecvFlags::DONTWAIT) {
                Ok((length, _)) => answers.extend(self.answer(&bytes[..length])),
                Err(Errno::AGAIN) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn answer(&mut self, bytes: &[u8]) -> Option<(usize, Answer)> {
        let Reply {
            from,
            number,
            answer,
        } = packet::reply(bytes)?;
        let slot = usize::try_from(number.wrapping_sub(self.nonce)).ok()?;
        let out = self.slots.get_mut(slot)?;
        if *out != Some(from) {
            return None;
        }
        *out = None;
        Some((slot, answer))
    }
}

/// A program for the kernel: only what comes to one port of TCP.
fn only_to(port: u16) -> [SockFilter; 5] {
    [
        // The length of the header of IP; the word behind it that holds the port; is it ours?
        SockFilter::new(0xb1, 0, 0, 0),
        SockFilter::new(0x48, 0, 0, 2),
        SockFilter::new(0x15, 0, 1, u32::from(port)),
        SockFilter::new(0x06, 0, 0, u32::MAX),
        SockFilter::new(0x06, 0, 0, 0),
    ]
}

impl Engine for Syn {
    fn grow(&mut self, wanted: usize) -> io::Result<usize> {
        let wanted = wanted.min(self.most).max(self.slots.len());
        self.slots.resize(wanted, None);
        Ok(wanted)
    }

    fn start(&mut self, slot: usize, to: SocketAddr) -> io::Result<Option<Answer>> {
        let SocketAddr::V4(to) = to else {
            return Err(Errno::AFNOSUPPORT.into());
        };
        // Asked for each packet before it is queued, so that a target without a route is the only one to suffer from it.
        let from = match self.source.of(*to.ip()) {
            Ok(from) => from,
            Err(error) => {
                let errno = Errno::from_io_error(&error).ok_or(error)?;
                return super::meaning(errno).map(Some);
            }
        };
        self.slots[slot] = Some(to);
        self.queue.push(Queued { slot, from, to });
        Ok(None)
    }

    fn give_up(&mut self, slot: usize) -> io::Result<Option<Answer>> {
        self.slots[slot] = None;
        Ok(Some(Answer::Silence))
    }

    fn wait(
        &mut self,
        _wanted: usize,
        span: Duration,
        answers: &mut Vec<(usize, Answer)>,
    ) -> io::Result<()> {
        self.flush(answers)?;
        if !answers.is_empty() {
            return Ok(());
        }
        let mut fds = [PollFd::new(&self.raw, PollFlags::IN)];
        let span = Timespec::try_from(span).ok();
        self.calls += 1;
        match poll(&mut fds, span.as_ref()) {
            Ok(0) | Err(Errno::INTR) => Ok(()),
            Ok(_) => self.drain(answers),
            Err(error) => Err(error.into()),
        }
    }

    fn calls(&self) -> u64 {
        self.calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses that no packet of ours may go to, with a route or without, and one where somebody answers.
    const NOWHERE: Ipv4Addr = Ipv4Addr::BROADCAST;
    const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

    #[test]
    fn a_target_without_a_route_leaves_its_neighbour_alone() {
        let mut engine = match Syn::open(Ipv4Addr::UNSPECIFIED.into(), 2) {
            Ok(engine) => engine,
            Err(error) => {
                // Nobody may write raw packets here.
                assert_eq!(Errno::from_io_error(&error), Some(Errno::PERM));
                return;
            }
        };
        engine.grow(2).unwrap();
        let holder = socket::bound(HERE.into(), SocketFlags::empty()).unwrap();
        let closed = getsockname(&holder).unwrap().try_into().unwrap();
        assert_eq!(engine.start(0, closed).unwrap(), None);
        let nowhere = SocketAddr::from((NOWHERE, 1));
        assert_eq!(engine.start(1, nowhere).unwrap(), Some(Answer::Unreachable));
        let mut answers = Vec::new();
        while answers.is_empty() {
            engine
                .wait(1, Duration::from_secs(1), &mut answers)
                .unwrap();
        }
        assert_eq!(answers, [(0, Answer::Closed)]);
    }
}
