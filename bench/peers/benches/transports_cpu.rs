//! What messages over UDP take of the processors, by our transport and by quinn: all threads of both sides and the kernel's part.
//!
//! The works are those of `transports`, on connections that are warm: for each, so many in a row.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::time::Duration;

use bench_peers::transports::{Ours, Quinn, QuinnTogether, Transport};
use bench_transport::{BULK, EXCHANGE, Tally, Until, Work, list};
use rustix::time::{ClockId, clock_gettime};

/// How many works warm a connection.
const WARMING: u64 = 3;

fn main() {
    let mut tallies = Vec::new();
    for streams in [1, 4] {
        for (name, work, until, times) in [
            ("exchange", EXCHANGE, Until::Answered, 200),
            ("bulk", BULK, Until::Delivered, 20),
        ] {
            let of = (work, streams, until, times);
            let taken = [
                taken::<Ours>(of),
                taken::<Quinn>(of),
                taken::<QuinnTogether<1>>(of),
                taken::<QuinnTogether<2>>(of),
            ];
            for (transport, nanos) in taken {
                let params = format!("streams={streams},transport={transport}");
                let benchmark = format!("transport/{name}-cpu{{{params}}}");
                tallies.push(Tally::of(&benchmark, "processor_time", "ns", nanos));
            }
        }
    }
    println!("{}", list("peers", &tallies));
}

/// Returns what a transport is called, and what one work takes.
fn taken<T: Transport>(
    (work, streams, until, times): (Work, usize, Until, u64),
) -> (&'static str, f64) {
    let mut transport = T::connect(streams, until);
    transport.time(work, WARMING);
    let before = spent();
    transport.time(work, times);
    let taken = spent() - before;
    (T::NAME, taken.as_nanos() as f64 / times as f64)
}

/// What this process has had of the processors.
fn spent() -> Duration {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    spent.try_into().unwrap_or_default()
}
