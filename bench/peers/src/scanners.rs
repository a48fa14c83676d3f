//! Port scanners as programs, from their start to their end: ours, nmap, and RustScan where it is installed.
//!
//! All ask the same thirteen listeners. Each is told to do nothing but to ask ports, as fast as it knows by its own words;
//! what it calls open is read from what it prints, and held against who listens.
//!
//! nmap is needed on the path, of Debian's package of that name. RustScan is GPL and no library of ours: it is measured
//! where `cargo install --locked rustscan@2.4.1` has put it on the path, and left out otherwise.

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use bench_scan::{Fixture, OPEN, PORTS, strangers_at};
use wait4::Wait4 as _;
use workload_scan::PortSet;

/// The variable that makes a bench our scanner.
const OURS: &str = "BENCH_PEERS_SCANNER";

/// Why nothing was measured.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scanner {
    /// Ours.
    Ours,
    /// nmap.
    Nmap,
    /// RustScan, without the nmap that it hands over to.
    RustScan,
}

/// How ports are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By connections.
    Connect,
    /// By the first packet of one. Needs permission.
    Syn,
}

/// What a run took, and what it got wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took {
    /// By the clock on the wall.
    pub wall: Duration,
    /// The processor's time, the kernel's included.
    pub cpu: Duration,
    /// The ports that it called open, and that nobody listens at.
    pub false_opens: usize,
    /// The ports that it did not call open, and that somebody listens at.
    pub missed: usize,
}

/// How long runs took that need not take about as long as one another: what somebody waits for one of many is their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// All of them over how many they are.
    pub mean: Duration,
    /// The one in the middle, the later one where two are.
    pub median: Duration,
    /// The shortest.
    pub fastest: Duration,
    /// The longest.
    pub slowest: Duration,
}

impl Spread {
    /// Looks at spans. There is none of no span.
    pub fn of(spans: impl IntoIterator<Item = Duration>) -> Option<Self> {
        let mut spans: Vec<Duration> = spans.into_iter().collect();
        spans.sort_unstable();
        let fastest = *spans.first()?;
        Some(Self {
            mean: spans.iter().sum::<Duration>() / u32::try_from(spans.len()).ok()?,
            median: *spans.get(spans.len() / 2)?,
            fastest,
            slowest: *spans.last()?,
        })
    }
}

impl Scanner {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ours, Self::Nmap, Self::RustScan];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Nmap => "nmap",
            Self::RustScan => "rustscan",
        }
    }

    /// Tells whether it is to be had, and asks in this way.
    pub fn is_here(self, way: Way) -> bool {
        match (self, way) {
            (Self::RustScan, Way::Syn) => false,
            (Self::RustScan, Way::Connect) => {
                let asked = Command::new(self.name()).arg("--version").output();
                asked.is_ok_and(|output| output.status.success())
            }
            (Self::Ours | Self::Nmap, _) => true,
        }
    }

    /// Tells whether it takes part in a round. RustScan takes seven times as long as the others together, so it does once.
    pub fn is_due(self, round: usize) -> bool {
        self != Self::RustScan || round == 0
    }

    fn command(self, way: Way, ports: u32, address: &str) -> io::Result<Command> {
        let range = asked(ports)?;
        let words: &[&str] = match (self, way) {
            (Self::Ours, Way::Connect) => &["--ports", range, address],
            (Self::Ours, Way::Syn) => &["--engine", "syn", "--ports", range, address],
            (Self::Nmap, way) => {
                let kind = if way == Way::Syn { "-sS" } else { "-sT" };
                &["-n", "-Pn", "-T5", kind, "-oG", "-", "-p", range, address]
            }
            (Self::RustScan, _) => &["--no-banner", "-g", "-r", range, "-a", address],
        };
        let mut command = match self {
            Self::Ours => Command::new(env::current_exe()?),
            other => Command::new(other.name()),
        };
        if self == Self::Ours {
            command.env(OURS, "1");
        }
        command.args(words).stdin(Stdio::null());
        Ok(command)
    }

    /// Scans one of the sets of ports of a fixture, in a process of its own.
    ///
    /// # Errors
    /// It does not start, or does not get to its end.
    pub fn scan(self, way: Way, ports: u32, fixture: &Fixture) -> Result<Took, Failure> {
        let name = self.name();
        let known = strangers_at(fixture.address());
        let mut command = self.command(way, ports, &fixture.address().to_string())?;
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let began = Instant::now();
        let mut child = command
            .spawn()
            .map_err(|error| format!("`{name}` did not start: {error}"))?;
        let mut said = String::new();
        let out = child.stdout.take();
        out.ok_or("a program has no output")?
            .read_to_string(&mut said)?;
        let ended = child.wait4()?;
        let wall = began.elapsed();
        if !ended.status.success() {
            return Err(format!("`{name}` failed: {}", ended.status).into());
        }
        fixture.drain();
        let open = opened(&said);
        let now = strangers_at(fixture.address());
        let is_known =
            |port: &u16| OPEN.contains(port) || known.contains(port) || now.contains(port);
        let asked: BTreeSet<u16> = asked(ports)?.parse::<PortSet>()?.iter().collect();
        let due: Vec<&u16> = OPEN.iter().filter(|port| asked.contains(*port)).collect();
        if due.is_empty() {
            return Err("nobody listens at the ports that are asked".into());
        }
        Ok(Took {
            wall,
            cpu: ended.rusage.utime + ended.rusage.stime,
            false_opens: open.iter().filter(|port| !is_known(port)).count(),
            missed: due.iter().filter(|port| !open.contains(*port)).count(),
        })
    }
}

/// Runs our scanner instead of the bench, if that is what this process was started for.
pub fn started() -> Option<ExitCode> {
    env::var_os(OURS)?;
    let words: Vec<OsString> = env::args_os().collect();
    Some(workload_scan::cli::run(words, io::stdout(), io::stderr()))
}

/// Returns a set of ports by how many they are, in words that every program understands.
fn asked(ports: u32) -> io::Result<&'static str> {
    let set = PORTS.into_iter().find(|(count, _)| *count == ports);
    let (_, range) = set.ok_or_else(|| io::Error::other("there is no such set of ports"))?;
    Ok(if range == "all" { "1-65535" } else { range })
}

/// The ports that a program calls open: `127.0.0.1:22 open` is ours, `22/open/tcp//` nmap's, `127.0.0.1 -> [22,80]` RustScan's.
pub fn opened(said: &str) -> BTreeSet<u16> {
    let mut open = BTreeSet::new();
    for line in said.lines() {
        let listed = line
            .split_once("-> [")
            .and_then(|(_, rest)| rest.split_once(']'));
        let listed = listed.into_iter().flat_map(|(ports, _)| ports.split(','));
        let nmaps = line
            .split([' ', ',', '\t'])
            .filter_map(|word| word.strip_suffix("//"));
        let nmaps = nmaps.filter_map(|word| word.split_once("/open/").map(|(port, _)| port));
        let ours = line
            .strip_suffix(" open")
            .and_then(|line| line.rsplit_once(':'));
        let all = listed.chain(nmaps).chain(ours.map(|(_, port)| port));
        open.extend(all.filter_map(|port| port.trim().parse::<u16>().ok()));
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_two_kinds_show_both_and_their_mean() {
        let spans = |spans: &[u64]| Spread::of(spans.iter().copied().map(Duration::from_millis));
        let Some(spread) = spans(&[400, 1400, 1400, 400, 1500]) else {
            panic!("there are spans");
        };
        let Spread {
            mean,
            median,
            fastest,
            slowest,
        } = spread;
        let found = [mean, median, fastest, slowest].map(|span| span.as_millis());
        assert_eq!(found, [1020, 1400, 400, 1500]);
        assert_eq!(spans(&[]), None);
    }

    #[test]
    fn what_each_program_calls_open_is_read() {
        let of = |said| opened(said).into_iter().collect::<Vec<_>>();
        let ours = "127.128.0.1:1031 open\n127.128.0.1:4211 open\ncomplete: 2 open, 9 closed\n";
        assert_eq!(of(ours), [1031, 4211]);
        let nmap = "# Nmap 7.93 scan\nHost: 127.128.0.1 ()\tPorts: 1031/open/tcp//iad2///, 4211/open/tcp//altovacentral///, 7/closed/tcp//echo///\tIgnored State: closed (9)\n";
        assert_eq!(of(nmap), [1031, 4211]);
        assert_eq!(of("127.128.0.1 -> [1031,4211]\n"), [1031, 4211]);
        assert_eq!(of("Host: 127.128.0.1 ()\tStatus: Up\n"), [0_u16; 0]);
    }
}
