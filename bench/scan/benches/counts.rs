//! The instructions of what a scan does beside its packets, counted under Callgrind: ports and targets, the map of verdicts,
//! and the worker that asks and decides, over a network that refuses at once.
//!
//! The set-up runs before counting starts. Each function returns what it was given, because the framework drops a
//! returned value after counting has stopped: neither making nor freeing the inputs is in a count. Tested by running
//! it twice: the counts are equal to the last instruction.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use std::hint::black_box;

use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use workload_scan::parts::{Map, Refused};
use workload_scan::{PortSet, Targets};

/// So many ranges, none touching another.
fn ranges(count: u32) -> String {
    let range = |at| format!("{}-{}", at * 60 + 1, at * 60 + 50);
    let all: Vec<String> = (0..count).map(range).collect();
    all.join(",")
}

fn set(count: u32) -> PortSet {
    ranges(count).parse().expect("they are ports")
}

fn filled(ports: u64) -> Map {
    let map = Map::new(ports);
    map.fill();
    map
}

fn refused(ports: u32) -> Refused {
    let ports = format!("1-{ports}").parse().expect("they are ports");
    Refused::new(ports).expect("they are not too many")
}

#[library_benchmark]
#[bench::ranges_1000(ranges(1_000))]
fn parse(text: String) -> (String, PortSet) {
    let set = text.parse().expect("they are ports");
    (text, set)
}

#[library_benchmark(setup = set)]
#[bench::ranges_1000(1_000)]
fn places(set: PortSet) -> PortSet {
    for place in 0..set.len() {
        black_box(set.get(place));
    }
    set
}

#[library_benchmark(setup = set)]
#[bench::ranges_1000(1_000)]
fn iterate(set: PortSet) -> PortSet {
    black_box(set.iter().map(u64::from).sum::<u64>());
    set
}

#[library_benchmark]
#[bench::addresses_65536("127.1.0.0/16")]
fn block(text: &str) -> Targets {
    Targets::parse(text).expect("it is a block")
}

#[library_benchmark(setup = Map::new)]
#[bench::ports_65535(65_535)]
fn fill(map: Map) -> Map {
    map.fill();
    map
}

#[library_benchmark(setup = filled)]
#[bench::ports_65535(65_535)]
fn look(map: Map) -> Map {
    black_box(map.open());
    map
}

#[library_benchmark(setup = refused)]
#[bench::ports_1000(1_000)]
#[bench::ports_65535(65_535)]
fn ask(scan: Refused) -> Refused {
    black_box(scan.ask().expect("nothing refuses to go on"));
    scan
}

library_benchmark_group!(name = ports; benchmarks = parse, places, iterate);
library_benchmark_group!(name = targets; benchmarks = block);
library_benchmark_group!(name = map; benchmarks = fill, look);
library_benchmark_group!(name = worker; benchmarks = ask);

// The framework clears the environment. The C library's tunables are let through, because they choose its variants of
// the memory functions, and a count is only comparable when base and head use the same.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = ports, targets, map, worker
);
