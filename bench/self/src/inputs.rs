//! What the first stage is given: the output of a harness, as it would be for a suite of that many benchmarks, on the base
//! and on a head that makes some of them slower and one faster.
//!
//! Everything follows from the number of benchmarks; there is no clock and no random source but a generator with a
//! fixed seed, so every run of the suite does the same work. Tests: the text is of the harness's form (the stages read
//! it), the same every time, and differs between the sides only where it should.

use std::fmt::Write as _;

use tripline_model::BenchId;
use tripline_read::Input;

/// How many benchmarks there are: a small suite, a large one, and one beyond what anybody keeps.
pub const BENCHMARKS: [usize; 3] = [10, 500, 5_000];

/// How many there are in what comes from elsewhere.
pub const HISTORIES: [usize; 2] = [10, 500];

/// How many benchmarks the unit tests use.
pub const SMOKE: usize = 10;

/// How many metrics each benchmark has.
pub const METRICS: usize = 8;

/// Which of the two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The run that is compared with.
    Base,
    /// The run that is judged.
    Head,
}

/// What the head does to a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    /// Less than anybody cares about, or nothing.
    Nothing,
    /// It takes a twentieth more.
    Slower,
    /// It takes a twentieth less.
    Faster,
}

const GROUPS: [&str; 5] = ["store", "queue", "codec", "index", "router"];
const FUNCTIONS: [&str; 10] = [
    "get", "set", "scan", "insert", "remove", "encode", "decode", "merge", "split", "clear",
];
const BYTES_STEP: usize = 64;

/// How many benchmarks the head makes slower.
const SLOWER: usize = 3;

/// Writes what iai-callgrind would, one benchmark a line.
#[must_use]
pub fn harness_output(benchmarks: usize, side: Side) -> Input {
    let mut random = Random::new();
    let mut text = String::new();
    for index in 0..benchmarks {
        let base = Counts::of(&mut random);
        let counts = match side {
            Side::Base => base,
            Side::Head => base.after(Planted::in_index(index, benchmarks), index),
        };
        Line { index, counts }.write(&mut text);
    }
    Input::from_bytes("counts.jsonl", text.into_bytes())
}

impl Planted {
    fn in_index(index: usize, benchmarks: usize) -> Self {
        let is_slower = (0..SLOWER).any(|n| (2 * n + 1) * benchmarks / (2 * SLOWER) == index);
        if is_slower {
            return Self::Slower;
        }
        if index == benchmarks / 3 {
            return Self::Faster;
        }
        Self::Nothing
    }

    /// Returns what is planted in a benchmark of a suite of that many.
    #[must_use]
    pub fn in_benchmark(bench: &BenchId, benchmarks: usize) -> Self {
        let named = |index: &usize| {
            let (group, function, bytes) = parts(*index);
            let bytes = bytes.to_string();
            bench.name.as_str() == format!("{group}/{function}")
                && bench.params.values().all(|value| value.as_str() == bytes)
        };
        (0..benchmarks)
            .find(named)
            .map_or(Self::Nothing, |index| Self::in_index(index, benchmarks))
    }
}

/// Returns group, function and bytes of a benchmark: another combination for each index.
pub(crate) fn parts(index: usize) -> (&'static str, &'static str, usize) {
    let (rest, group) = (index / GROUPS.len(), index % GROUPS.len());
    let (rest, function) = (rest / FUNCTIONS.len(), rest % FUNCTIONS.len());
    (GROUPS[group], FUNCTIONS[function], (rest + 1) * BYTES_STEP)
}

/// The counts from which all metrics follow.
#[derive(Debug, Clone, Copy)]
struct Counts {
    instructions: u64,
    ll_hits: u64,
    ram_hits: u64,
}

impl Counts {
    fn of(random: &mut Random) -> Self {
        Self {
            instructions: 10_000 + random.below(10_000_000),
            ll_hits: random.below(1_000),
            ram_hits: random.below(200),
        }
    }

    fn after(self, planted: Planted, index: usize) -> Self {
        let Self { instructions, .. } = self;
        let instructions = match planted {
            Planted::Slower => instructions + instructions / 20,
            Planted::Faster => instructions - instructions / 20,
            // A few instructions move from build to build, and nobody cares.
            Planted::Nothing if index % 10 == 7 => instructions + 3,
            Planted::Nothing => instructions,
        };
        Self {
            instructions,
            ..self
        }
    }

    /// Returns the metrics by their harness's names, as its cache simulation relates them to one another.
    fn metrics(self) -> [(&'static str, u64); METRICS] {
        let Self {
            instructions,
            ll_hits,
            ram_hits,
        } = self;
        let (reads, writes) = (instructions / 4, instructions / 8);
        let total = instructions + reads + writes;
        let l1_hits = total - ll_hits - ram_hits;
        [
            ("Ir", instructions),
            ("Dr", reads),
            ("Dw", writes),
            ("L1hits", l1_hits),
            ("LLhits", ll_hits),
            ("RamHits", ram_hits),
            ("TotalRW", total),
            ("EstimatedCycles", l1_hits + 5 * ll_hits + 35 * ram_hits),
        ]
    }

    /// Returns the rates, which the harness writes beside the counts and a reader passes over.
    fn rates(self) -> [(&'static str, f64); 4] {
        let [.., (_, l1), (_, ll), (_, ram), (_, total), _] = self.metrics();
        let percent = |part: u64| part as f64 * 100.0 / total as f64;
        [
            ("L1HitRate", percent(l1)),
            ("LLHitRate", percent(ll)),
            ("LLMissRate", percent(ram)),
            ("RamHitRate", percent(ram)),
        ]
    }
}

/// One benchmark as the harness writes it.
struct Line {
    index: usize,
    counts: Counts,
}

impl Line {
    /// Writes the line: version 6 of the summary, with the members and the paths a real one has.
    fn write(&self, text: &mut String) {
        let (group, function, bytes) = parts(self.index);
        let mut metrics = String::from("{");
        for (name, count) in self.counts.metrics() {
            entry(&mut metrics, name, format_args!("{{\"Int\":{count}}}"));
        }
        for (name, rate) in self.counts.rates() {
            entry(&mut metrics, name, format_args!("{{\"Float\":{rate:?}}}"));
        }
        metrics.pop();
        metrics.push('}');
        let file = format!("callgrind.{function}.bytes_{bytes}");
        let out =
            format!("/repo/target/iai/made-up/counts/{group}/{function}.bytes_{bytes}/{file}");
        let exe = "/repo/target/release/deps/counts-8a2ff4803bd3fa99";
        writeln!(
            text,
            "{{\"baselines\":[null,null],\"benchmark_exe\":\"{exe}\",\"benchmark_file\":\"/repo/benches/counts.rs\",\
             \"details\":\"{bytes}\",\"function_name\":\"{function}\",\"id\":\"bytes_{bytes}\",\
             \"kind\":\"LibraryBenchmark\",\"module_path\":\"counts::{group}::{function}\",\"package_dir\":\"/repo\",\
             \"profiles\":[{{\"flamegraphs\":[],\"log_paths\":[\"{out}.log\"],\"out_paths\":[\"{out}.out\"],\
             \"summaries\":{{\"parts\":[{{\"details\":{{\"Left\":{{\
             \"command\":\"{exe} --iai-run {group} 0 0 counts::{group}::{function}\",\"details\":null,\
             \"parent_pid\":null,\"part\":1,\"path\":\"{out}.out\",\"pid\":32244,\"thread\":1}}}},\
             \"metrics_summary\":{{\"Callgrind\":{metrics}}}}}],\
             \"total\":{{\"regressions\":[],\"summary\":{{\"Callgrind\":{metrics}}}}}}},\"tool\":\"Callgrind\"}}],\
             \"project_root\":\"/repo\",\"summary_output\":null,\"version\":\"6\"}}"
        )
        .expect("a text takes all that is written");
    }
}

fn entry(metrics: &mut String, name: &str, value: std::fmt::Arguments<'_>) {
    write!(
        metrics,
        "\"{name}\":{{\"diffs\":null,\"metrics\":{{\"Left\":{value}}}}},"
    )
    .expect("a text takes all that is written");
}

/// Marsaglia's xorshift of 64 bits: small, and the same everywhere and for ever.
pub(crate) struct Random(u64);

impl Random {
    /// Begins with the same number every time.
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn lines(side: Side) -> Vec<String> {
        match harness_output(SMOKE, side) {
            Input::Text { bytes, .. } => {
                let text = String::from_utf8(bytes).unwrap();
                text.lines().map(str::to_owned).collect()
            }
            Input::Tree { .. } => Vec::new(),
        }
    }

    #[test]
    fn the_text_is_the_same_every_time() {
        assert_eq!(lines(Side::Head), lines(Side::Head));
        assert_eq!(lines(Side::Base).len(), SMOKE);
    }

    #[test]
    fn the_sides_differ_where_something_was_planted() {
        let pairs = lines(Side::Base).into_iter().zip(lines(Side::Head));
        for (index, (base, head)) in pairs.enumerate() {
            let is_same = Planted::in_index(index, SMOKE) == Planted::Nothing && index != 7;
            assert_eq!(base == head, is_same, "benchmark {index}");
        }
    }

    #[test]
    fn every_size_has_its_regressions_and_each_benchmark_its_own_name() {
        for benchmarks in BENCHMARKS {
            let all = || (0..benchmarks).map(|index| Planted::in_index(index, benchmarks));
            assert_eq!(all().filter(|p| *p == Planted::Slower).count(), SLOWER);
            assert_eq!(all().filter(|p| *p == Planted::Faster).count(), 1);
            let names: BTreeSet<_> = (0..benchmarks).map(parts).collect();
            assert_eq!(names.len(), benchmarks);
        }
    }
}
