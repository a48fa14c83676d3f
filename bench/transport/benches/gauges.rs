//! What a mean time does not say of messages over real UDP sockets.
//!
//! - `udp/latency`: how long one message takes until its answer was read, at most, for a half and for 99 % of a thousand
//!   (two hundred of 1 MiB), on a connection that is warm.
//! - `udp/shares`: by how much four streams that begin at once were done at different times.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::time::Duration;

use bench_transport::{
    BULK, EXCHANGE, Latencies, Loopback, MESSAGE_BYTES, Tally, Until, Work, list, single,
    unfairness,
};

const STREAMS: usize = 4;

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
    shares("exchange", EXCHANGE, Until::Answered, &mut tallies);
    shares("bulk", BULK, Until::Delivered, &mut tallies);
    println!("{}", list("transport", &tallies));
}

/// The median of some works, because one that was interrupted says nothing of the others.
fn shares(name: &str, work: Work, until: Until, tallies: &mut Vec<Tally>) {
    let mut loopback = Loopback::warm(STREAMS, until, work);
    let mut uneven: Vec<f64> = (0..21).map(|_| unfairness(&loopback.run(work))).collect();
    uneven.sort_unstable_by(f64::total_cmp);
    let benchmark = format!("udp/shares{{streams={STREAMS},work={name}}}");
    tallies.push(Tally::of(&benchmark, "unfairness", "ratio", uneven[10]));
}
