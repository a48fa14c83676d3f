//! What every work takes on a link in memory, on a clock that is a number: exact, and the same in every run.
//!
//! - `link/message`: one message over a line of 1 Gbit/s that delays by so many milliseconds one way: until its last byte is
//!   there, with what both sides said for it and how many calls that took. Nothing has gone over its connection before.
//! - `link/warm`: the same over a connection that has carried some: what a half and 99 % of two hundred take at most.
//! - `link/saturate`: a thousand messages of 1 KiB, none of which waits for another.
//! - `link/exchange`, `link/bulk`: the same work on so many streams, all connected and warm before; until the last was done, and
//!   how unevenly they shared the line; `-mean`, how long each took.
//! - `link/lossy`: a message of 1 MiB where one datagram in a hundred is lost.
//! - `link/idle`: what each side of a connection holds that was used and says nothing any more.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::time::Duration;

use allocation_counter::measure;
use bench_transport::{
    BULK, EXCHANGE, Latencies, Link, MESSAGE_BYTES, Outcome, Over, SATURATION, STREAMS, Tally,
    Until, Work, list, single, unfairness,
};

/// How many messages make a connection warm, and of how many more each is timed.
const WARMING: usize = 20;
const MESSAGES: usize = 200;

fn main() {
    let mut tallies = Vec::new();
    for delay_ms in [0, 2] {
        for bytes in MESSAGE_BYTES {
            let outcome = run(Over::delay(delay_ms), 1, single(bytes), Until::Delivered);
            let benchmark = format!("link/message{{bytes={bytes},delay_ms={delay_ms}}}");
            tell(&benchmark, outcome.arrived, &outcome, &mut tallies);
            warm(delay_ms, bytes, &mut tallies);
        }
        let outcome = run(Over::delay(delay_ms), 1, SATURATION, Until::Delivered);
        let benchmark = format!("link/saturate{{delay_ms={delay_ms},messages=1000}}");
        tell(&benchmark, outcome.arrived, &outcome, &mut tallies);
    }
    let outcome = run(Over::LOSSY, 1, single(1 << 20), Until::Delivered);
    let benchmark = "link/lossy{bytes=1048576,delay_ms=2,lost_percent=1}";
    tell(benchmark, outcome.arrived, &outcome, &mut tallies);
    side_by_side("exchange", EXCHANGE, Until::Answered, &mut tallies);
    side_by_side("bulk", BULK, Until::Delivered, &mut tallies);
    idle(&mut tallies);
    println!("{}", list("transport", &tallies));
}

fn run(over: Over, streams: usize, work: Work, until: Until) -> Outcome {
    Link::new(over, streams).run(work, until, |_| ())
}

fn warm(delay_ms: u64, bytes: usize, tallies: &mut Vec<Tally>) {
    let mut link = Link::new(Over::delay(delay_ms), 1);
    let mut one = || link.run(single(bytes), Until::Delivered, |_| ()).arrived;
    // A window that still grows is what `link/message` is about.
    for _ in 0..WARMING {
        one();
    }
    let latencies = Latencies::of((0..MESSAGES).map(|_| one()).collect());
    for percent in [50, 99] {
        let benchmark = format!("link/warm{{bytes={bytes},delay_ms={delay_ms},percent={percent}}}");
        let nanos = latencies.percent(percent).unwrap_or(Duration::MAX);
        let nanos = nanos.as_nanos() as f64;
        tallies.push(Tally::of(&benchmark, "simulated_time", "ns", nanos));
    }
}

fn tell(benchmark: &str, span: Duration, outcome: &Outcome, tallies: &mut Vec<Tally>) {
    let numbers = [
        ("simulated_time", "ns", span.as_nanos() as f64),
        ("datagrams", "count", outcome.carried.datagrams as f64),
        ("acknowledgements", "count", outcome.acknowledgements as f64),
        ("retransmissions", "count", outcome.retransmissions as f64),
        ("sends", "count", outcome.sends as f64),
        ("receives", "count", outcome.receives as f64),
    ];
    tallies.extend(numbers.map(|(metric, unit, value)| Tally::of(benchmark, metric, unit, value)));
}

fn side_by_side(name: &str, work: Work, until: Until, tallies: &mut Vec<Tally>) {
    for streams in STREAMS {
        let mut link = Link::new(Over::delay(2), streams);
        // A window that still grows would make one stream slow, and the ratio of many to it look good.
        let _ = link.run(work, until, |_| ());
        let outcome = link.run(work, until, |_| ());
        let benchmark = format!("link/{name}{{delay_ms=2,streams={streams}}}");
        tell(&benchmark, outcome.all(), &outcome, tallies);
        let uneven = unfairness(&outcome.streams);
        tallies.push(Tally::of(&benchmark, "unfairness", "ratio", uneven));
        let mean = outcome.mean().as_nanos() as f64;
        let benchmark = format!("link/{name}-mean{{delay_ms=2,streams={streams}}}");
        tallies.push(Tally::of(&benchmark, "simulated_time", "ns", mean));
    }
}

fn idle(tallies: &mut Vec<Tally>) {
    let of = |connections| {
        let mut link = None;
        let held = measure(|| {
            let link = link.insert(Link::new(Over::delay(1), connections));
            let _ = link.run(single(50_000), Until::Delivered, |_| ());
            link.rest(Duration::from_secs(15));
        });
        drop(link);
        held.bytes_current as f64
    };
    let bytes = (of(500) - of(100)) / 400.0;
    let benchmark = "link/idle{connections=1,sides=1}";
    tallies.push(Tally::of(benchmark, "heap_held", "B", bytes / 2.0));
}
