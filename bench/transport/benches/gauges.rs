//! What a mean time does not say of messages over real UDP sockets.
//!
//! - `udp/latency`: how long one message takes until its answer was read, at most, for a half and for 99 % of a thousand
//!   (two hundred of 1 MiB), on a connection that is warm.
//! - `udp/shares`: how long each of some streams takes in the mean that begin at once, and how unevenly they were done.
//! - `udp/calls`: how often both sides call the kernel for each MiB of bulk. Who runs when decides how much one call takes in.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::time::Duration;

use bench_transport::{
    BULK, EXCHANGE, Latencies, Loopback, MESSAGE_BYTES, STREAMS, Tally, Until, Work, list, single,
    unfairness,
};

/// An odd number, so that one is in the middle.
const WORKS: usize = 21;

fn main() {
    let mut tallies = Vec::new();
    for bytes in MESSAGE_BYTES {
        let times = if bytes > 100_000 { 200 } else { 1_000 };
        let mut loopback = Loopback::warm(1, Until::Answered, single(bytes));
        let each = (0..times).flat_map(|_| loopback.run(single(bytes)));
        let latencies = Latencies::of(each.collect());
        let benchmark = format!("udp/latency{{bytes={bytes}}}");
        for (metric, percent) in [("latency_p50", 50), ("latency_p99", 99)] {
            let latency = latencies.percent(percent).unwrap_or(Duration::MAX);
            let nanos = latency.as_nanos() as f64;
            tallies.push(Tally::of(&benchmark, metric, "ns", nanos));
        }
    }
    for streams in STREAMS {
        shares(
            "exchange",
            EXCHANGE,
            (streams, Until::Answered),
            &mut tallies,
        );
        shares("bulk", BULK, (streams, Until::Delivered), &mut tallies);
    }
    calls(&mut tallies);
    println!("{}", list("transport", &tallies));
}

/// The medians of some works, because one that was interrupted says nothing of the others.
fn shares(name: &str, work: Work, (streams, until): (usize, Until), tallies: &mut Vec<Tally>) {
    let mut loopback = Loopback::warm(streams, until, work);
    let works: Vec<_> = (0..WORKS).map(|_| loopback.run(work)).collect();
    let mean = |spans: &Vec<Duration>| {
        let all: Duration = spans.iter().sum();
        all.as_nanos() as f64 / streams as f64
    };
    let benchmark = format!("udp/shares{{streams={streams},work={name}}}");
    let time = median(works.iter().map(mean));
    tallies.push(Tally::of(&benchmark, "stream_time", "ns", time));
    if streams > 1 {
        let uneven = median(works.iter().map(|spans| unfairness(spans)));
        tallies.push(Tally::of(&benchmark, "unfairness", "ratio", uneven));
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::MAX)
}

fn calls(tallies: &mut Vec<Tally>) {
    let mut loopback = Loopback::warm(1, Until::Delivered, BULK);
    let before = loopback.calls();
    for _ in 0..WORKS {
        let _ = loopback.run(BULK);
    }
    let mebibytes = (WORKS as u64 * BULK.messages * BULK.bytes as u64) >> 20;
    let calls = (loopback.calls() - before) as f64 / mebibytes as f64;
    tallies.push(Tally::of("udp/calls", "calls_per_mib", "count", calls));
}
