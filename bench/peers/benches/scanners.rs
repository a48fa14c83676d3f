//! Port scanners, program against program, on thirteen listeners of the same ports, at two addresses of this machine.
//!
//! At 127.0.0.1, which is what people scan, a probe by a connection comes from that address too where nobody says otherwise,
//! and one that comes from the very port it asks meets itself. nmap sees that and asks such a port again a second later; at
//! another address of the loopback it cannot happen. So its runs are of two kinds, and their mean is told beside their median.
//!
//! All are started in turn, and another one begins each round: what slows the machine for a moment slows none of them alone.
//! Prints what rounds took by the clock on the wall, their median of the processor's time, and what was called wrongly in
//! all of them. The times have names of their own: those of the other steps are of blocks, and these of whole programs.

use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::time::Duration;

use bench_peers::scanners::{Failure, Scanner, Spread, Took, Way, started};
use bench_scan::Fixture;
use bench_store::tally::{Tally, list};
use workload_scan::{EngineChoice, PortSet, Scan, Settings};

/// The step says how often this program is started; together they are runs enough for a mean of two kinds.
const ROUNDS: usize = 5;

/// What is scanned, and how.
#[derive(Clone, Copy)]
struct Case<'a> {
    way: Way,
    ports: u32,
    address: &'static str,
    fixture: &'a Fixture,
}

fn main() -> Result<ExitCode, Failure> {
    if let Some(ended) = started() {
        return Ok(ended);
    }
    let fixtures = [
        ("127.0.0.1", Fixture::open_at(Ipv4Addr::LOCALHOST.into())?),
        ("other", Fixture::open()?),
    ];
    let mut tallies = Vec::new();
    for (address, fixture) in &fixtures {
        let case = |way, ports| Case {
            way,
            ports,
            address,
            fixture,
        };
        for ports in [1_000, 10_000, 65_535] {
            tallies.extend(side_by_side(case(Way::Connect, ports))?);
        }
        if may_send_packets(fixture) {
            tallies.extend(side_by_side(case(Way::Syn, 65_535))?);
        }
    }
    println!("{}", list("peers", &tallies));
    Ok(ExitCode::SUCCESS)
}

/// Tells whether whoever runs this may write packets by hand.
fn may_send_packets(fixture: &Fixture) -> bool {
    let settings = Settings {
        engine: EngineChoice::Syn,
        ..Settings::default()
    };
    let ports = "1031".parse::<PortSet>();
    let scan = ports.and_then(|ports| Scan::new(fixture.targets(), ports, settings));
    scan.and_then(Scan::run).is_ok()
}

fn side_by_side(case: Case<'_>) -> Result<Vec<Tally>, Failure> {
    let here = Scanner::ALL
        .into_iter()
        .filter(|scanner| scanner.is_here(case.way));
    let scanners: Vec<Scanner> = here.collect();
    let mut runs = vec![Vec::new(); scanners.len()];
    for round in 0..ROUNDS {
        for turn in 0..scanners.len() {
            let at = (round + turn) % scanners.len();
            if scanners[at].is_due(round) {
                runs[at].push(scanners[at].scan(case.way, case.ports, case.fixture)?);
            }
        }
    }
    let mut tallies = Vec::new();
    for (scanner, runs) in scanners.iter().zip(&runs) {
        tallies.extend(of_one(case, *scanner, runs)?);
    }
    Ok(tallies)
}

fn of_one(case: Case<'_>, scanner: Scanner, runs: &[Took]) -> Result<[Tally; 7], Failure> {
    let name = match case.way {
        Way::Connect => "connect",
        Way::Syn => "syn",
    };
    let Case { address, ports, .. } = case;
    let scanner = scanner.name();
    let benchmark = format!("scan/{name}{{address={address},ports={ports},scanner={scanner}}}");
    let spread = |span: fn(&Took) -> Duration| {
        let spread = Spread::of(runs.iter().map(span));
        spread.ok_or_else(|| format!("{benchmark} was never run"))
    };
    let (wall, cpu) = (spread(|took| took.wall)?, spread(|took| took.cpu)?);
    let sum = |count: fn(&Took) -> usize| runs.iter().map(count).sum::<usize>() as u64;
    let time = |metric, span: Duration| (metric, "ns", span.as_nanos() as u64);
    let all = [
        time("mean_time", wall.mean),
        time("whole_time", wall.median),
        time("fastest_time", wall.fastest),
        time("slowest_time", wall.slowest),
        time("processor_time", cpu.median),
        ("false_opens", "count", sum(|took| took.false_opens)),
        ("missed", "count", sum(|took| took.missed)),
    ];
    Ok(all.map(|(metric, unit, value)| Tally::of(&benchmark, metric, unit, value)))
}
