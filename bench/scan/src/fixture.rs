//! Listeners at known ports of a loopback address, by itself one that no other process has, and what a scan of it has to find.
//!
//! Tests: what a scan missed, invented or did not say is found in its report.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU32, Ordering};

use workload_scan::{Report, Targets, Verdict};

use crate::Failure;

/// The ports that are open: of no service, below those that the kernel gives to whoever connects, and three of them among the
/// first thousand that need no privilege.
pub const OPEN: [u16; 13] = [
    1031, 1321, 1973, 2699, 3163, 4211, 4987, 5501, 6133, 7043, 7919, 8677, 9973,
];

/// More than a line of the kernel's tables has.
const LINE_BYTES: usize = 512;

/// Listeners at all of them.
#[derive(Debug)]
pub struct Fixture {
    address: IpAddr,
    listeners: Vec<TcpListener>,
}

/// What is wrong with what a scan found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Called open, and nobody listens there.
    pub invented: Vec<u16>,
    /// Open, and not called so.
    pub missed: Vec<u16>,
    /// How many were called silent. On a loopback everybody answers.
    pub silent: u64,
    /// How many have no verdict.
    pub missing: u64,
}

impl Fixture {
    /// Listens where nobody else does.
    ///
    /// # Errors
    /// Somebody listens at one of the ports on all addresses of this machine.
    pub fn open() -> Result<Self, Failure> {
        Self::open_at(address())
    }

    /// Listens at an address that others may have as well.
    ///
    /// # Errors
    /// Somebody listens at one of the ports, there or on all addresses of this machine.
    pub fn open_at(address: IpAddr) -> Result<Self, Failure> {
        let listen = |port: u16| {
            let listener = TcpListener::bind((address, port)).map_err(|error| {
                format!(
                    "nothing was measured: {address}:{port} cannot be opened: {error}; `ss -ltn` says who has that port"
                )
            })?;
            listener.set_nonblocking(true)?;
            Ok(listener)
        };
        let listeners: Result<_, Failure> = OPEN.into_iter().map(listen).collect();
        Ok(Self {
            address,
            listeners: listeners?,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// The same, as what a scan asks.
    #[must_use]
    pub fn targets(&self) -> Targets {
        self.address.into()
    }

    /// Takes up whoever has knocked, so that there is room for the next scan.
    pub fn drain(&self) {
        for listener in &self.listeners {
            while listener.accept().is_ok() {}
        }
    }

    /// Looks at a report. `known` are the [`strangers`] of before, whom a scan may find as well; those of now are looked for
    /// only if it found somebody.
    #[must_use]
    pub fn faults(&self, report: &Report, known: &BTreeSet<u16>) -> Faults {
        let mut faults = Faults {
            missing: report.missing(),
            ..Faults::default()
        };
        for (asked, found) in report.all() {
            let is_open = OPEN.contains(&asked.port());
            match found {
                Some(Verdict::Open) if !is_open => faults.invented.push(asked.port()),
                Some(Verdict::Closed) if is_open => faults.missed.push(asked.port()),
                Some(Verdict::Filtered) => faults.silent += 1,
                _ => {}
            }
        }
        if !faults.invented.is_empty() {
            let now = strangers();
            let is_known = |port: &u16| known.contains(port) || now.contains(port);
            faults.invented.retain(|port| !is_known(port));
        }
        faults
    }

    /// Looks at a report in which nothing may be wrong.
    ///
    /// # Errors
    /// The scan did not get to its end, or something in its report is wrong.
    pub fn check(&self, report: &Report) -> Result<(), Failure> {
        if let Some(problem) = report.problem().or(report.store_problem()) {
            return Err(problem.to_string().into());
        }
        match self.faults(report, &BTreeSet::new()) {
            faults if faults == Faults::default() => Ok(()),
            faults => Err(faults.to_string().into()),
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            invented,
            missed,
            silent,
            missing,
        } = self;
        write!(
            f,
            "the scan is wrong: nobody listens at {invented:?}, which it calls open; somebody does at {missed:?}, which it calls \
             closed; {silent} ports are called silent, and {missing} have no verdict"
        )
    }
}

/// A loopback address that nothing else asks or listens at, whoever runs at the same time.
fn address() -> IpAddr {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id() & 0xffff;
    let number = NEXT.fetch_add(1, Ordering::Relaxed) & 0x3f;
    let bits = u32::from(Ipv4Addr::new(127, 128, 0, 1)) + (process << 6 | number);
    Ipv4Addr::from(bits).into()
}

/// Ports at which somebody listens on all addresses of this machine, by the kernel's table: a scan finds them as well.
#[must_use]
pub fn strangers() -> BTreeSet<u16> {
    listened(|host| host.is_unspecified())
}

/// The same, and those at which somebody listens on one address: a scan of an address that others have finds them as well.
#[must_use]
pub fn strangers_at(address: IpAddr) -> BTreeSet<u16> {
    listened(|host| host.is_unspecified() || host == address)
}

/// Reads the kernel's tables line by line into the same memory, so that their length is no matter of what a scan takes.
fn listened(is_meant: impl Fn(IpAddr) -> bool) -> BTreeSet<u16> {
    let mut ports = BTreeSet::new();
    let mut line = String::with_capacity(LINE_BYTES);
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let Ok(table) = File::open(table) else {
            continue;
        };
        let mut table = BufReader::new(table);
        while table.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            let found = listening(&line).filter(|(host, _)| is_meant(*host));
            ports.extend(found.map(|(_, port)| port));
            line.clear();
        }
    }
    ports
}

/// The address and the port of a line of the kernel's table, where it is of somebody who listens.
fn listening(line: &str) -> Option<(IpAddr, u16)> {
    const LISTENS: &str = "0A";
    let mut fields = line.split_whitespace().skip(1);
    let (host, port) = fields.next()?.split_once(':')?;
    let state = fields.nth(1)?;
    let listener = (
        address_of(host)?.to_canonical(),
        u16::from_str_radix(port, 16).ok()?,
    );
    (state == LISTENS).then_some(listener)
}

/// The address that the kernel writes word by word, each as this machine has it in memory. Takes no memory: what is measured
/// looks at its own report with this, and how long the table is is no matter of a scan.
fn address_of(host: &str) -> Option<IpAddr> {
    let word = |text: &str| u32::from_str_radix(text, 16).map(u32::to_ne_bytes);
    match host.len() {
        8 => Some(word(host).ok()?.into()),
        32 => {
            let mut bytes = [0; 16];
            for (at, four) in (0..).step_by(8).zip(bytes.chunks_exact_mut(4)) {
                four.copy_from_slice(&word(host.get(at..at + 8)?).ok()?);
            }
            Some(bytes.into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use workload_scan::{Scan, Settings};

    use super::*;

    fn report(fixture: &Fixture, ports: &str) -> Report {
        let scan = Scan::new(
            fixture.targets(),
            ports.parse().unwrap(),
            Settings::default(),
        );
        scan.unwrap().run().unwrap()
    }

    #[test]
    fn what_a_scan_missed_or_invented_is_found() {
        let fixture = Fixture::open().unwrap();
        let right = report(&fixture, "1024-1400");
        fixture.check(&right).unwrap();
        assert_eq!(right.open().len(), 2);
        // Nobody listens any more at what was open a moment ago, and somebody does elsewhere.
        let mut other = Fixture::open().unwrap();
        let stranger = TcpListener::bind((other.address, 0)).unwrap();
        other.listeners.remove(1);
        let port = stranger.local_addr().unwrap().port();
        let wrong = report(&other, &format!("1321,1973,{port}"));
        let faults = other.faults(&wrong, &BTreeSet::new());
        assert_eq!(
            (&faults.invented[..], &faults.missed[..]),
            (&[port][..], &[1321][..])
        );
        let said = other.check(&wrong).unwrap_err().to_string();
        assert!(said.contains("which it calls open"), "{said}");
        assert!(other.faults(&wrong, &[port].into()).invented.is_empty());
    }

    #[test]
    fn who_listens_and_where_is_read_of_the_kernels_table() {
        let said = |host: &str, state: &str| {
            listening(&format!(
                "   0: {host}:0016 00000000:0000 {state} 00000000:00000000"
            ))
        };
        let at = |address: &str| Some((address.parse().unwrap(), 22));
        assert_eq!(said("00000000", "0A"), at("0.0.0.0"));
        assert_eq!(said("00000000000000000000000000000000", "0A"), at("::"));
        let written = |bytes: &[u8]| -> String {
            let word = |word: &[u8]| u32::from_ne_bytes(word.try_into().unwrap());
            let words = bytes.chunks(4).map(|chunk| format!("{:08X}", word(chunk)));
            words.collect()
        };
        let here = Ipv4Addr::LOCALHOST;
        assert_eq!(said(&written(&here.octets()), "0A"), at("127.0.0.1"));
        let mapped = here.to_ipv6_mapped();
        assert_eq!(said(&written(&mapped.octets()), "0A"), at("127.0.0.1"));
        assert_eq!(said("00000000", "01"), None);
        for odd in ["000", "0000000", "000000000000", "0000000g", "é0000000"] {
            assert_eq!(said(odd, "0A"), None, "{odd}");
        }
        assert_eq!(listening("odd"), None);
        assert_eq!(listening(""), None);
    }

    #[test]
    fn who_listens_at_an_address_is_a_stranger_there_and_nowhere_else() {
        let fixture = Fixture::open().unwrap();
        let stranger = TcpListener::bind((fixture.address, 0)).unwrap();
        let port = stranger.local_addr().unwrap().port();
        assert!(strangers_at(fixture.address).contains(&port));
        assert!(!strangers().contains(&port));
        let taken = Fixture::open_at(fixture.address).unwrap_err().to_string();
        let wanted = format!("{}:1031 cannot be opened", fixture.address);
        assert!(taken.contains(&wanted), "{taken}");
    }
}
