//! What must come out the same in every run: no port called open that is not, none left out, and no template off its pace.
//!
//! - `full`: all ports again and again. Where one is wrong this still ends well, because the gate is to say so.
//! - `pace`: by what part of its pause a slow template is off from probe to probe, and how often it lost its place.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use bench_scan::{Failure, Fixture, Full, PACED, Pace, full, pace};
use tripline_duet::tally::{Tally, list};
use workload_scan::EngineChoice;

/// How many full scans an engine makes; the first choice makes most.
const SCANS: [(EngineChoice, u32); 3] = [
    (EngineChoice::Auto, 100),
    (EngineChoice::Epoll, 10),
    (EngineChoice::Blocking, 10),
];

/// How many ports a template asks.
const PORTS: u16 = 75;

fn main() -> Result<(), Failure> {
    let fixture = Fixture::open()?;
    let mut tallies = Vec::new();
    for (engine, scans) in SCANS {
        let benchmark = format!("full{{engine={},scans={scans}}}", engine.name());
        let Full {
            false_opens,
            missing_verdicts,
        } = full(&fixture, engine, scans)?;
        for (metric, count) in [
            ("false_opens", false_opens),
            ("missing_verdicts", missing_verdicts),
        ] {
            tallies.push(Tally::of(&benchmark, metric, "count", count as f64));
        }
    }
    for template in PACED {
        let benchmark = format!("pace{{template={template}}}");
        let Pace { error, missed } = pace(&fixture, template, PORTS)?;
        tallies.push(Tally::of(&benchmark, "pacing_error", "ratio", error));
        let missed = missed as f64;
        tallies.push(Tally::of(&benchmark, "missed_places", "count", missed));
    }
    println!("{}", list("scan", &tallies));
    Ok(())
}
