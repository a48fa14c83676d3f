//! Thirteen listeners on a loopback address that no other test has.
//!
//! The kernel gives the ports, so none can be taken already; whatever else of this machine listens at all addresses is
//! found by asking the kernel's own table, because a full scan finds it too.

use std::collections::BTreeSet;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU32, Ordering};

use workload_scan::{PortSet, Report, Targets, Verdict};

/// How many ports a fixture opens.
pub(crate) const OPEN: usize = 13;

/// Listeners on one address.
pub(crate) struct Fixture {
    pub(crate) address: IpAddr,
    listeners: Vec<TcpListener>,
    closed: Vec<u16>,
}

/// A loopback address that nothing else in this process asks or listens at.
pub(crate) fn address() -> IpAddr {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Another run of the tests, at the same time, has another number.
    let process = std::process::id() & 0xffff;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    assert!(number < 64, "more fixtures than addresses");
    let bits = u32::from(Ipv4Addr::new(127, 64, 0, 1)) + (process << 6 | number);
    Ipv4Addr::from(bits).into()
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let address = address();
        let bind = |_| TcpListener::bind((address, 0)).unwrap();
        let listeners: Vec<TcpListener> = (0..OPEN).map(bind).collect();
        // Who could be listened at a moment ago is nobody's, of this address and of all.
        let others: Vec<TcpListener> = (0..OPEN).map(bind).collect();
        let port = |it: TcpListener| it.local_addr().unwrap().port();
        Self {
            address,
            listeners,
            closed: others.into_iter().map(port).collect(),
        }
    }

    pub(crate) fn targets(&self) -> Targets {
        self.address.into()
    }

    /// What a scan must find open of its ports.
    pub(crate) fn open(&self) -> BTreeSet<SocketAddr> {
        let own = self.listeners.iter().map(|it| it.local_addr().unwrap());
        own.collect()
    }

    /// The listeners' ports and as many at which nobody listens, as a set.
    pub(crate) fn some_ports(&self) -> PortSet {
        let own = self.open().into_iter().map(|address| address.port());
        let both = own.chain(self.closed.iter().copied());
        let names: Vec<String> = both.map(|port| port.to_string()).collect();
        names.join(",").parse().unwrap()
    }

    /// Holds that a scan of all ports found what listens, and nothing else. `before` is what [`strangers`] said before it.
    pub(crate) fn check(&self, report: &Report, before: &BTreeSet<u16>) {
        assert!(report.problem().is_none(), "{:?}", report.problem());
        assert_eq!(report.missing(), 0);
        let open: BTreeSet<SocketAddr> = report.open().into_iter().collect();
        assert!(
            self.open().is_subset(&open),
            "missed some of {:?}",
            self.open()
        );
        let strangers: BTreeSet<u16> = before.union(&strangers()).copied().collect();
        let known =
            |port: SocketAddr| self.open().contains(&port) || strangers.contains(&port.port());
        let invented: Vec<_> = open.iter().filter(|port| !known(**port)).collect();
        assert!(invented.is_empty(), "nobody listens at {invented:?}");
        let closed = report.count(Verdict::Closed);
        assert_eq!(closed + open.len() as u64, report.total());
    }
}

/// Ports at which somebody listens on every address, or on the one that version six has here, by the kernel's table.
pub(crate) fn strangers() -> BTreeSet<u16> {
    let mut ports = BTreeSet::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let text = fs::read_to_string(table).unwrap_or_default();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (host, port) = fields[1].split_once(':').unwrap();
            // State 10 is listening.
            let is_every = host.bytes().all(|digit| digit == b'0');
            if fields[3] == "0A" && (is_every || host == "00000000000000000000000001000000") {
                ports.insert(u16::from_str_radix(port, 16).unwrap());
            }
        }
    }
    ports
}
