//! What neither a count of instructions nor a mean time says, as a list of values.
//!
//! - `kv/latency`: how long one read of a hundred thousand keys takes, at most, for a half, 99 % and 99.9 % of them, where so
//!   many threads read; and what the clock takes of that, for a half of the times.
//! - `kv/staleness`: how often somebody sees a key that has expired, and for how many ticks after its deadline one stays in
//!   memory, where so many expire in one tick and so many are removed with each.
//! - `kv/resident`: how many bytes more a fresh process has in memory when so many keys are in its store, and how many that
//!   are for each; as published it is a sum and not measured, its definition is in the library.
//! - `log/append`: how many syncs a million records of writers cost that wait for the disk, so many at once.
//! - `machine`: how many threads wanted to run meanwhile, so that a reader knows what the times are worth.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;
use std::process::Command;

use bench_store::keys::{self, Latencies, SIZES, Uniform, as_published, clock, staleness};
use bench_store::log::{Place, RECORD_BYTES, WRITERS, Writers};
use bench_store::tally::{Tally, list};
use workload_store::log::Sync;

/// Asks for the bytes that so many keys take, in this process.
const RESIDENT: &str = "--resident";

/// The reads of a thread: so many that a thousandth of them are a thousand.
const READS: usize = 1_000_000;

/// How many expire in one tick, and how many are removed with each.
const SWEEPS: [(usize, usize); 2] = [(100_000, 100_000), (100_000, 1_000)];

/// How often each writer appends its hundred records: what counts is how they follow one another.
const APPENDS: u64 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == RESIDENT) {
        let keys = args.get(at + 1).ok_or("how many keys?")?.parse()?;
        println!("{}", added(keys)?);
        return Ok(());
    }
    let mut tallies = Vec::new();
    resident(&mut tallies)?;
    summed(&mut tallies);
    sweeps(&mut tallies);
    latencies(&mut tallies)?;
    shared_syncs(&mut tallies);
    machine(&mut tallies)?;
    println!("{}", list("store", &tallies));
    Ok(())
}

/// Returns by how many bytes this process grows with so many keys.
fn added(keys: usize) -> Result<u64, Box<dyn Error>> {
    let before = keys::resident()?;
    let store = keys::fill(keys);
    let after = keys::resident()?;
    assert!(keys::is_filled(&store, keys), "a key lacks its value");
    Ok(after - before)
}

/// Asks a process for each number, which holds nothing else.
fn resident(tallies: &mut Vec<Tally>) -> Result<(), Box<dyn Error>> {
    for keys in SIZES {
        let mut child = Command::new(std::env::current_exe()?);
        let output = child.args([RESIDENT, &keys.to_string()]).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("the process with {keys} keys failed: {said}").into());
        }
        let bytes: u64 = str::from_utf8(&output.stdout)?.trim().parse()?;
        let benchmark = format!("kv/resident{{keys={keys}}}");
        tallies.push(Tally::of(&benchmark, "resident_bytes", "B", bytes));
        let each = bytes.div_ceil(keys as u64);
        tallies.push(Tally::of(&benchmark, "resident_bytes_per_key", "B", each));
    }
    Ok(())
}

fn summed(tallies: &mut Vec<Tally>) {
    for (named, set) in as_published::MEMORY {
        let benchmark = format!("kv/resident-as-published{{keys={named}}}");
        let bytes = as_published::memory(set);
        tallies.push(Tally::of(&benchmark, "summed_bytes", "B", bytes));
    }
}

fn sweeps(tallies: &mut Vec<Tally>) {
    for (keys, removed) in SWEEPS {
        let stale = staleness(keys, removed);
        let benchmark = format!("kv/staleness{{keys={keys},removed={removed}}}");
        let reads = stale.stale_reads as u64;
        tallies.push(Tally::of(&benchmark, "stale_reads", "count", reads));
        tallies.push(Tally::of(
            &benchmark,
            "ticks_late",
            "count",
            stale.ticks_late,
        ));
    }
}

fn latencies(tallies: &mut Vec<Tally>) -> Result<(), Box<dyn Error>> {
    let uniform = Uniform::full();
    let at = |latencies: &Latencies, permille| {
        let latency = latencies.permille(permille).map(u64::from);
        latency.ok_or("nothing was timed")
    };
    for threads in [1, 2] {
        let reads = uniform.latencies(threads, READS);
        let benchmark = format!("kv/latency{{keys={},threads={threads}}}", uniform.keys());
        for (metric, permille) in [
            ("latency_p50", 500),
            ("latency_p99", 990),
            ("latency_p99.9", 999),
        ] {
            let latency = at(&reads, permille)?;
            tallies.push(Tally::of(&benchmark, metric, "ns", latency));
        }
        let nothing = at(&clock(READS), 500)?;
        tallies.push(Tally::of(&benchmark, "latency_of_clock", "ns", nothing));
    }
    Ok(())
}

fn shared_syncs(tallies: &mut Vec<Tally>) {
    for writers in WRITERS {
        let mut all = Writers::new(Place::Disk, Sync::Always, writers);
        all.append(APPENDS);
        let benchmark = format!("log/append{{bytes={RECORD_BYTES},sync=always,writers={writers}}}");
        let syncs = all.syncs_per_million();
        tallies.push(Tally::of(&benchmark, "syncs_per_million", "count", syncs));
        all.check_records();
    }
}

/// The system's mean over the last minute, in hundredths as it says it.
fn machine(tallies: &mut Vec<Tally>) -> Result<(), Box<dyn Error>> {
    let said = std::fs::read_to_string("/proc/loadavg")?;
    let load = said.split(' ').next().ok_or("the system says no load")?;
    let hundredths = load.replace('.', "").parse()?;
    tallies.push(Tally::of("machine", "load_hundredths", "count", hundredths));
    Ok(())
}
