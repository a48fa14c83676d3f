//! How often our side that sends calls the system, on a socket that takes all it is given: exact, and the same in every run.
//!
//! - `sends`: for 64 MiB one way, the substream's opening and end included, however little is written at once.
//! - `open_sends`: both sides, for substreams that are opened at once and closed.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use bench_p2p::{SUBSTREAMS, Tally, list};
use workload_p2p::parts::Pair;
use workload_p2p::{Direction, Error, Settings};

const BYTES: u64 = 64 << 20;

fn main() -> Result<(), Error> {
    let mut tallies = Vec::new();
    let mut tell = |benchmark, sends: u64| {
        tallies.push(Tally {
            benchmark,
            metric: "system_calls",
            unit: "count",
            value: sends as f64,
        });
    };
    for write_bytes in [1 << 10, 64 << 10] {
        let settings = Settings {
            write_bytes,
            ..Settings::default()
        };
        let params =
            |way| format!("sends{{bytes={BYTES},direction={way},write_bytes={write_bytes}}}");
        let mut pair = Pair::new(settings);
        let up = pair.exchange(Direction::Upload.of(BYTES))?;
        tell(params("upload"), up.client_sends);
        let down = pair.exchange(Direction::Download.of(BYTES))?;
        tell(params("download"), down.server_sends);
    }
    for count in SUBSTREAMS {
        let sends = Pair::new(Settings::default()).open_substreams(count)?;
        tell(format!("open_sends{{count={count}}}"), sends);
    }
    println!("{}", list("p2p", &tallies));
    Ok(())
}
