//! Connections through a ring: probes are written into memory that the kernel reads, hundreds for one system call.
//!
//! The sockets live in the ring's own table and are made and bound through it, so that not even they cost a call each.
//! An open port is looked at through a descriptor that the ring hands out for it, because an address cannot be asked
//! of a socket that has none.
//!
//! Where no socket can meet itself each is bound to a port of its own that it keeps. One that is bound to none gets another from
//! the kernel with each probe, and choosing it was a tenth of what a probe costs.
//!
//! Kernels before 6.11 cannot bind through a ring; there, and where a sandbox refuses rings, another engine has to do.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::time::Duration;

use io_uring::squeue::{Entry, Flags};
use io_uring::types::{DestinationSlot, Fixed, SubmitArgs, Timespec};
use io_uring::{IoUring, Probe, opcode};
use rustix::io::Errno;
use rustix::net::SocketType;

use super::{Answer, Engine, meaning, socket};

mod address;
mod ports;

use address::Address;

/// How many slots a ring has at most: the kernel's limit is four results each, 65,536.
const SLOTS_MAX: usize = 16_384;

/// How long answers that come soon are waited for, so that they come in one call.
const SOON: Duration = Duration::from_millis(1);

/// What an entry was for, in the low bits of what the kernel hands back with its result; the slot is above.
const CONNECT: u64 = 0;
const SHOW: u64 = 1;
const SETUP: u64 = 2;
const BIND: u64 = 3;
const AUXILIARY: u64 = 4;
const KINDS: u64 = 5;

/// How many ports a socket tries that others may have, before it is bound to none.
const BIND_TRIES: u8 = 8;

/// A ring with sockets in it.
pub(crate) struct Ring {
    ring: IoUring,
    source: IpAddr,
    /// Behind a pointer that never changes, because the kernel reads them.
    addresses: Box<[Address]>,
    unspecified: Box<Address>,
    /// What sockets are bound to, drawn anew for each.
    ports: RangeInclusive<u16>,
    random: fastrand::Rng,
    /// Slots with a socket; those whose socket has to be put back before it connects again.
    ready: usize,
    used: Vec<bool>,
    /// What came while sockets were made.
    early: Vec<(u64, i32)>,
    calls: u64,
}

impl Ring {
    /// A ring for up to `most` slots, none yet; `source` is bound by all of them.
    pub(crate) fn open(source: IpAddr, most: usize) -> io::Result<Self> {
        let most = most.min(SLOTS_MAX);
        let slots = u32::try_from(most).map_err(io::Error::other)?;
        // Each slot has two entries at a time at most; what does not fit is handed over before.
        let entries = (slots * 2).clamp(8, 1_024).next_power_of_two();
        let ring = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .setup_submit_all()
            .setup_cqsize(results(slots).max(entries * 2))
            .build(entries)?;
        let mut probe = Probe::new();
        ring.submitter().register_probe(&mut probe)?;
        let needed = [
            opcode::Bind::CODE,
            opcode::Connect::CODE,
            opcode::Socket::CODE,
            opcode::AsyncCancel::CODE,
            opcode::FixedFdInstall::CODE,
        ];
        if !needed.iter().all(|code| probe.is_supported(*code)) {
            return Err(Errno::OPNOTSUPP.into());
        }
        ring.submitter().register_files_sparse(slots)?;
        Ok(Self {
            ring,
            source,
            addresses: vec![Address::default(); most].into(),
            unspecified: Box::default(),
            ports: ports::ours(),
            random: fastrand::Rng::new(),
            ready: 0,
            used: vec![false; most],
            early: Vec::new(),
            // Set-up, two maps, the probe and the table.
            calls: 5,
        })
    }

    /// Adds an entry, after handing over what is there if the queue is full.
    fn push(&mut self, entry: &Entry) -> io::Result<()> {
        let mut tries = 0;
        loop {
            // SAFETY: what an entry points at must be there until the kernel is done with it. The only pointers are those
            // of the two fields of addresses, which are on the heap, never moved, and freed after the ring, since fields
            // are dropped in order; the address of a slot is written only while nothing is under way for the slot.
            #[expect(
                unsafe_code,
                reason = "the kernel reads what an entry points at, and no type can follow it there"
            )]
            let pushed = unsafe { self.ring.submission().push(entry) };
            if pushed.is_ok() {
                return Ok(());
            }
            self.calls += 1;
            let submitted = self.ring.submit();
            let has_failed = submitted.is_err();
            passed(submitted)?;
            // What has come may be what there is no room for.
            let before = self.early.len();
            self.collect();
            if has_failed && self.early.len() == before {
                // The kernel has no memory, say; whoever wants the scan to stop waits for this.
                tries += 1;
                if tries > TRIES_MAX {
                    return Err(Errno::AGAIN.into());
                }
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Takes what has come, to be looked at later.
    fn collect(&mut self) {
        let ended = self.ring.completion();
        self.early
            .extend(ended.map(|entry| (entry.user_data(), entry.result())));
    }

    /// Makes and binds sockets up to `wanted`; the first that cannot be made is the last that is tried.
    fn make(&mut self, wanted: usize) -> io::Result<()> {
        let from = self.ready;
        for slot in from..wanted {
            let number = u32::try_from(slot).map_err(io::Error::other)?;
            let place =
                DestinationSlot::try_from_slot_target(number).map_err(|_number| Errno::MFILE)?;
            let family = i32::from(socket::family(self.source).as_raw());
            let kind = SocketType::STREAM.as_raw().cast_signed();
            let made = opcode::Socket::new(family, kind, 0)
                .file_index(Some(place))
                .build();
            self.push(&made.flags(Flags::IO_LINK).user_data(tag(slot, SETUP)))?;
            self.bind(slot, BIND_TRIES)?;
        }
        let mut left = (wanted - from) * 2;
        let mut tries = vec![BIND_TRIES; wanted - from];
        let mut made = wanted;
        let mut refused = None;
        while left > 0 {
            let mut again = Vec::new();
            self.collect();
            self.early.retain(|(tag, result)| {
                let (slot, kind) = untag(*tag);
                if kind != SETUP && kind != BIND {
                    return true;
                }
                left -= 1;
                match error(*result) {
                    Some(Errno::ADDRINUSE) if tries[slot - from] > 0 => again.push(slot),
                    Some(error) => {
                        made = made.min(slot);
                        refused.get_or_insert(error);
                    }
                    None => {}
                }
                false
            });
            for slot in again {
                tries[slot - from] -= 1;
                self.bind(slot, tries[slot - from])?;
                left += 1;
            }
            if left > 0 {
                self.calls += 1;
                passed(self.ring.submit_and_wait(1))?;
            }
        }
        self.ready = made;
        match refused {
            Some(error) if made == 0 => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Binds a socket to a port that is to stay its own, or to none: where no try is left, and where the port could be one that is
    /// asked.
    fn bind(&mut self, slot: usize, tries: u8) -> io::Result<()> {
        let port = match self.is_apart() && tries > 0 {
            true => self.random.u16(self.ports.clone()),
            false => 0,
        };
        // Nothing else is under way for a slot that has no socket yet.
        self.addresses[slot] = Address::of(SocketAddr::new(self.source, port));
        let number = Fixed(u32::try_from(slot).map_err(io::Error::other)?);
        let address = &self.addresses[slot];
        let bound = opcode::Bind::new(number, address.pointer(), address.length()).build();
        self.push(&bound.user_data(tag(slot, BIND)))
    }

    /// Puts a socket back at once where somebody would go on with it: a host that is connected, or our kernel, which repeats a
    /// packet that nobody answers.
    fn put_back(&mut self, slot: usize, answer: Answer) -> io::Result<()> {
        if !matches!(answer, Answer::Open | Answer::Itself | Answer::Silence) {
            return Ok(());
        }
        let number = Fixed(u32::try_from(slot).map_err(io::Error::other)?);
        let back = self.back(number).flags(Flags::SKIP_SUCCESS);
        self.used[slot] = false;
        self.push(&back.user_data(tag(slot, AUXILIARY)))
    }

    /// Tells whether sockets are bound to an address that nobody is asked at, so that none meets itself.
    fn is_apart(&self) -> bool {
        self.source.is_loopback() && self.source.is_ipv4()
    }

    /// Connects a socket to nobody.
    fn back(&self, number: Fixed) -> Entry {
        let nobody = &self.unspecified;
        opcode::Connect::new(number, nobody.pointer(), nobody.length()).build()
    }

    /// What the connection of a slot came to; nothing where its ends have to be looked at first.
    fn take(&mut self, slot: usize, result: i32) -> io::Result<Option<Answer>> {
        match error(result) {
            Some(Errno::CANCELED) => return Ok(Some(Answer::Silence)),
            Some(error) => return meaning(error).map(Some),
            None => {}
        }
        if self.is_apart() {
            return Ok(Some(Answer::Open));
        }
        let number = u32::try_from(slot).map_err(io::Error::other)?;
        let show = opcode::FixedFdInstall::new(Fixed(number), 0).build();
        self.push(&show.user_data(tag(slot, SHOW)))?;
        Ok(None)
    }
}

impl Engine for Ring {
    fn grow(&mut self, wanted: usize) -> io::Result<usize> {
        let wanted = wanted.min(self.addresses.len());
        if wanted > self.ready {
            self.make(wanted)?;
        }
        Ok(self.ready)
    }

    fn start(&mut self, slot: usize, to: SocketAddr) -> io::Result<Option<Answer>> {
        let number = Fixed(u32::try_from(slot).map_err(io::Error::other)?);
        if self.used[slot] {
            let flags = Flags::IO_HARDLINK | Flags::SKIP_SUCCESS;
            self.push(
                &self
                    .back(number)
                    .flags(flags)
                    .user_data(tag(slot, AUXILIARY)),
            )?;
        }
        self.used[slot] = true;
        self.addresses[slot] = Address::of(to);
        let address = &self.addresses[slot];
        let connect = opcode::Connect::new(number, address.pointer(), address.length()).build();
        self.push(&connect.user_data(tag(slot, CONNECT)))?;
        Ok(None)
    }

    fn give_up(&mut self, slot: usize) -> io::Result<Option<Answer>> {
        let cancel = opcode::AsyncCancel::new(tag(slot, CONNECT)).build();
        self.push(
            &cancel
                .flags(Flags::SKIP_SUCCESS)
                .user_data(tag(slot, AUXILIARY)),
        )?;
        Ok(None)
    }

    fn wait(
        &mut self,
        wanted: usize,
        span: Duration,
        answers: &mut Vec<(usize, Answer)>,
    ) -> io::Result<()> {
        let (wanted, span) = match wanted {
            _ if !self.early.is_empty() => (0, Duration::ZERO),
            0 | 1 => (1, span),
            many => (many, span.min(SOON)),
        };
        let span = Timespec::from(span);
        self.calls += 1;
        let args = SubmitArgs::new().timespec(&span);
        passed(self.ring.submitter().submit_with_args(wanted, &args))?;
        self.collect();
        let mut results = std::mem::take(&mut self.early);
        let mut all = Ok(());
        for (tag, result) in results.drain(..) {
            let (slot, kind) = untag(tag);
            let answer = match kind {
                CONNECT => self.take(slot, result),
                SHOW => {
                    // Both ends, and the end of the descriptor.
                    self.calls += 3;
                    shown(result).map(Some)
                }
                _ => Ok(None),
            };
            match answer {
                Ok(Some(answer)) => {
                    answers.push((slot, answer));
                    all = all.and(self.put_back(slot, answer));
                }
                Ok(None) => {}
                Err(error) => all = all.and(Err(error)),
            }
        }
        // What came meanwhile, while entries were pushed, is for the next time.
        self.early.append(&mut results);
        all
    }

    fn calls(&self) -> u64 {
        self.calls
    }
}

impl Drop for Ring {
    /// Hands over what is left, so that the last connections end with a reset as well.
    fn drop(&mut self) {
        // Who cannot be told so is told by the end of the sockets.
        let _ = self.ring.submit();
    }
}

/// Looks at the ends of a connection through a descriptor for it.
fn shown(result: i32) -> io::Result<Answer> {
    match error(result) {
        // There is no descriptor left to look through: ask again.
        Some(Errno::MFILE | Errno::NFILE) => return Ok(Answer::NotAsked),
        Some(error) => return Err(error.into()),
        None => {}
    }
    // SAFETY: the kernel has just installed this descriptor for us, and nobody else knows its number.
    #[expect(
        unsafe_code,
        reason = "a number that the kernel wrote into the ring becomes a descriptor"
    )]
    let socket = unsafe { OwnedFd::from_raw_fd(result) };
    Ok(if socket::is_itself(&socket)? {
        Answer::Itself
    } else {
        Answer::Open
    })
}

/// How often a call that took nothing is made again, and how long after the last one.
const TRIES_MAX: u32 = 1_000;
const PAUSE: Duration = Duration::from_millis(1);

/// A call that went well, or ended for no bad reason: its time is over, a signal came, or results must be taken first.
fn passed(called: io::Result<usize>) -> io::Result<()> {
    const PASSING: [Errno; 4] = [Errno::TIME, Errno::INTR, Errno::BUSY, Errno::AGAIN];
    match called {
        Err(error) if Errno::from_io_error(&error).is_none_or(|it| !PASSING.contains(&it)) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Room for the results of so many slots.
fn results(slots: u32) -> u32 {
    (slots * 4).next_power_of_two()
}

/// The error that a result is, if it is one.
fn error(result: i32) -> Option<Errno> {
    (result < 0).then(|| Errno::from_raw_os_error(-result))
}

fn tag(slot: usize, kind: u64) -> u64 {
    slot as u64 * KINDS + kind
}

fn untag(tag: u64) -> (usize, u64) {
    (
        usize::try_from(tag / KINDS).unwrap_or(usize::MAX),
        tag % KINDS,
    )
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    /// A ring whose only slot has found an open port, and who listens there; nothing where there is no ring, which
    /// `tests/it` holds this machine to.
    fn connected() -> Option<(Ring, TcpListener)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let source = Ipv4Addr::new(127, 255, 255, 254);
        let mut ring = Ring::open(source.into(), 1).ok()?;
        ring.grow(1).ok()?;
        ring.start(0, listener.local_addr().unwrap()).unwrap();
        let mut answers = Vec::new();
        while answers.is_empty() {
            ring.wait(1, Duration::from_secs(1), &mut answers).unwrap();
        }
        assert_eq!(answers, [(0, Answer::Open)]);
        Some((ring, listener))
    }

    /// Tells how the connection ended that somebody accepts.
    fn ended(listener: &TcpListener) -> io::ErrorKind {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_nonblocking(true).unwrap();
        stream.read(&mut [0]).unwrap_err().kind()
    }

    #[test]
    fn an_open_port_is_reset_when_its_answer_is_taken() {
        if let Some((mut ring, listener)) = connected() {
            ring.wait(0, Duration::ZERO, &mut Vec::new()).unwrap();
            assert_eq!(ended(&listener), io::ErrorKind::ConnectionReset);
        }
    }

    #[test]
    fn as_many_slots_as_anybody_wants_are_as_many_as_the_kernel_allows() {
        assert_eq!(results(u32::try_from(SLOTS_MAX).unwrap()), 65_536);
        let source = Ipv4Addr::new(127, 255, 255, 254);
        match Ring::open(source.into(), usize::MAX) {
            Ok(ring) => assert_eq!(ring.addresses.len(), SLOTS_MAX),
            // There are fewer descriptors than slots, or no rings; the number itself is no reason.
            Err(error) => assert_ne!(error.kind(), io::ErrorKind::InvalidInput),
        }
    }

    #[test]
    fn a_socket_keeps_its_port_from_probe_to_probe() {
        if let Some((mut ring, listener)) = connected() {
            let (_, first) = listener.accept().unwrap();
            ring.start(0, listener.local_addr().unwrap()).unwrap();
            let mut answers = Vec::new();
            while answers.is_empty() {
                ring.wait(1, Duration::from_secs(1), &mut answers).unwrap();
            }
            assert_eq!(listener.accept().unwrap().1, first);
        }
    }

    #[test]
    fn where_all_ports_that_it_tries_are_taken_the_kernel_chooses() {
        let source = Ipv4Addr::new(127, 255, 255, 254);
        let taken = TcpListener::bind((source, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        if let Ok(mut ring) = Ring::open(source.into(), 4) {
            ring.ports = port..=port;
            assert_eq!(ring.grow(4).unwrap(), 4);
        }
    }

    #[test]
    fn the_last_open_port_is_reset_too() {
        if let Some((ring, listener)) = connected() {
            drop(ring);
            assert_eq!(ended(&listener), io::ErrorKind::ConnectionReset);
        }
    }
}
