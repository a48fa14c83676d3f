//! Port scanners, program against program, on the same thirteen listeners.
//!
//! All are started in turn, and another one begins each round: what slows the machine for a moment slows none of them alone.
//! Prints the medians of wall and processor time over the rounds, and what was called wrongly in all of them. The times have
//! names of their own: those of the other steps are of blocks, and these of whole programs.

use std::process::ExitCode;
use std::time::Duration;

use bench_peers::scanners::{Failure, Scanner, Took, Way, started};
use bench_scan::Fixture;
use bench_store::tally::{Tally, list};
use workload_scan::{EngineChoice, PortSet, Scan, Settings};

/// Of each scanner as many begin a round, and one run is in the middle.
const ROUNDS: usize = 3;

fn main() -> Result<ExitCode, Failure> {
    if let Some(ended) = started() {
        return Ok(ended);
    }
    let fixture = Fixture::open()?;
    let mut tallies = Vec::new();
    for ports in [1_000, 10_000, 65_535] {
        tallies.extend(side_by_side(Way::Connect, ports, &fixture)?);
    }
    if may_send_packets(&fixture) {
        tallies.extend(side_by_side(Way::Syn, 65_535, &fixture)?);
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

fn side_by_side(way: Way, ports: u32, fixture: &Fixture) -> Result<Vec<Tally>, Failure> {
    let here = Scanner::ALL
        .into_iter()
        .filter(|scanner| scanner.is_here(way));
    let scanners: Vec<Scanner> = here.collect();
    let mut runs = vec![Vec::new(); scanners.len()];
    for round in 0..ROUNDS {
        for turn in 0..scanners.len() {
            let at = (round + turn) % scanners.len();
            runs[at].push(scanners[at].scan(way, ports, fixture)?);
        }
    }
    let of = |(scanner, runs): (&Scanner, &Vec<Took>)| of_one(way, ports, *scanner, runs);
    Ok(scanners.iter().zip(&runs).flat_map(of).collect())
}

fn of_one(way: Way, ports: u32, scanner: Scanner, runs: &[Took]) -> [Tally; 4] {
    let name = match way {
        Way::Connect => "connect",
        Way::Syn => "syn",
    };
    let benchmark = format!("scan/{name}{{ports={ports},scanner={}}}", scanner.name());
    let middle = |span: fn(&Took) -> Duration| {
        let mut spans: Vec<Duration> = runs.iter().map(span).collect();
        spans.sort_unstable();
        spans[spans.len() / 2].as_nanos() as u64
    };
    let sum = |count: fn(&Took) -> usize| runs.iter().map(count).sum::<usize>() as u64;
    [
        ("whole_time", "ns", middle(|took| took.wall)),
        ("processor_time", "ns", middle(|took| took.cpu)),
        ("false_opens", "count", sum(|took| took.false_opens)),
        ("missed", "count", sum(|took| took.missed)),
    ]
    .map(|(metric, unit, value)| Tally::of(&benchmark, metric, unit, value))
}
