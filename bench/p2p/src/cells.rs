//! What is measured: a number for every size, direction and pair.
//!
//! Tests: what each cell asks of the programs and takes for its time; `tests/smoke`.

use std::ops::RangeInclusive;

use crate::answer::Answer;
use crate::programs::{Client, Pair, Programs, Server, Stack};
use crate::said::{Exchanged, Failure, digest_of_upload};
use crate::{BANDWIDTH_FROM, PUBLISHED_TO};
use tripline_duet::tally::Tally;

/// So much goes over a connection for one number, as far as eight transfers are enough for it, and one at the least.
const CELL_BYTES: u64 = 64 << 20;

/// The transfers of which each gives a latency, and those before it that find the connection cold.
const LATENCIES: usize = 200;
const COLD: usize = 20;

/// The connections on which substreams are opened.
const CONNECTIONS: usize = 15;

/// So many substreams at once a server of libp2p is sure to take: `libp2p-stream` hands them on through a channel with room for
/// one, and drops whatever comes before its reader, another task, has taken that.
const HANDED_ON: usize = 1;

/// Whoever receives takes the digest of all of it.
const DIGESTS: [&str; 2] = ["--check", "digest"];

/// As much as was written at once when the report was made.
const PUBLISHED_WRITE: [&str; 2] = ["--write-bytes", "1024"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Upload,
    Download,
}

impl Way {
    const BOTH: [Self; 2] = [Self::Upload, Self::Download];

    const fn name(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Download => "download",
        }
    }

    /// How much is asked for each way; of an upload, so much back, by which the server confirms it.
    const fn sizes(self, bytes: u64, back: u64) -> [u64; 2] {
        match self {
            Self::Upload => [bytes, back],
            Self::Download => [0, bytes],
        }
    }

    /// Until the side that receives has all.
    const fn span(self, times: &Exchanged) -> u64 {
        match self {
            Self::Upload => times.confirmed,
            Self::Download => times.done,
        }
    }

    /// Until the last write was accepted, or since the size was written.
    const fn span_as_published(self, times: &Exchanged) -> u64 {
        match self {
            Self::Upload => times.accepted,
            Self::Download => times.done - times.accepted,
        }
    }
}

/// One field of the matrix.
#[derive(Clone, Copy)]
struct Cell {
    bytes: u64,
    way: Way,
    pair: Pair,
}

impl Cell {
    fn benchmark(&self, name: &str) -> String {
        let (bytes, way, pair) = (self.bytes, self.way.name(), self.pair.name());
        format!("{name}{{bytes={bytes},direction={way},pair={pair}}}")
    }

    fn throughput(&self, name: &str, nanos: u64) -> Tally {
        Tally {
            benchmark: self.benchmark(name),
            metric: "bit_throughput",
            unit: "bit/s",
            value: (self.bytes * 8) as f64 * 1e9 / nanos.max(1) as f64,
        }
    }
}

/// The programs while their servers run.
struct Running<'a> {
    programs: &'a Programs,
    pairs: Vec<Pair>,
    servers: Vec<(Stack, Server)>,
    options: &'a [&'a str],
}

impl<'a> Running<'a> {
    fn start(
        programs: &'a Programs,
        pairs: Vec<Pair>,
        options: &'a [&'a str],
    ) -> Result<Self, Failure> {
        Ok(Self {
            servers: programs.serve(&pairs, options)?,
            programs,
            pairs,
            options,
        })
    }

    /// All cells of these sizes: the pairs of a size and a direction one after the other, and each time another one begins.
    fn cells(&self, sizes: &[u64]) -> Vec<Cell> {
        let ways = sizes
            .iter()
            .flat_map(|bytes| Way::BOTH.map(|way| (*bytes, way)));
        ways.enumerate()
            .flat_map(|(turn, (bytes, way))| {
                // Without the peers there may be no pair at all.
                let first = turn % self.pairs.len().max(1);
                let pairs = self.pairs[first..].iter().chain(&self.pairs[..first]);
                pairs.map(move |pair| Cell {
                    bytes,
                    way,
                    pair: *pair,
                })
            })
            .collect()
    }

    fn server(&self, pair: Pair) -> Result<&Server, Failure> {
        let found = self.servers.iter().find(|(stack, _)| *stack == pair.server);
        let (_, server) = found.ok_or("a server was not started")?;
        Ok(server)
    }

    fn exchange(&self, cell: &Cell, back: u64, repeats: usize) -> Result<Vec<Exchanged>, Failure> {
        let [upload, download] = cell.way.sizes(cell.bytes, back);
        let asked = [upload, download, repeats as u64].map(|number| number.to_string());
        let names = ["--upload-bytes", "--download-bytes", "--repeats"];
        let asked = names
            .iter()
            .zip(&asked)
            .flat_map(|(name, asked)| [*name, asked]);
        let words: Vec<&str> = asked.chain(self.options.iter().copied()).collect();
        let exchanged = self.programs.exchange(Client {
            stack: cell.pair.client,
            server: self.server(cell.pair)?,
            words: &words,
        })?;
        match exchanged.len() == repeats {
            true => Ok(exchanged),
            false => Err(format!("{}: not all was said", cell.benchmark("exchange")).into()),
        }
    }
}

/// Returns digests of what arrived, of every pair, both ways.
///
/// # Errors
/// A program cannot be started, or one of them fails.
pub fn answers(programs: &Programs, sizes: &[u64]) -> Result<Vec<Answer>, Failure> {
    let running = Running::start(programs, programs.pairs(), &DIGESTS)?;
    let of_cell = |cell: &Cell| {
        let exchanged = running.exchange(cell, 1, 1)?.pop();
        let uploaded = digest_of_upload(&running.server(cell.pair)?.said()?)?;
        let digest = match cell.way {
            Way::Upload => Some(uploaded),
            Way::Download => exchanged.and_then(|exchanged| exchanged.digest),
        };
        Ok(Answer {
            benchmark: match cell.bytes < BANDWIDTH_FROM {
                true => "latency",
                false => "bandwidth",
            },
            params: (cell.bytes, cell.way.name(), cell.pair.name()),
            digest: digest.ok_or("a client said no digest")?,
        })
    };
    running.cells(sizes).iter().map(of_cell).collect()
}

/// Returns the throughput of every pair, both ways, for those of the sizes that are long enough.
///
/// # Errors
/// A program cannot be started, or one of them fails.
pub fn bandwidth(programs: &Programs, sizes: &[u64]) -> Result<Vec<Tally>, Failure> {
    let running = Running::start(programs, programs.pairs(), &[])?;
    throughputs("bandwidth", &running, sizes)
}

/// Returns the same of litep2p and libp2p, each with itself, set up for bandwidth.
///
/// # Errors
/// A program cannot be started, or one of them fails.
pub fn bandwidth_tuned(programs: &Programs, sizes: &[u64]) -> Result<Vec<Tally>, Failure> {
    let programs = programs.tuned();
    let running = Running::start(&programs, peers_alone(&programs), &[])?;
    throughputs("bandwidth-tuned", &running, sizes)
}

/// Returns the same of litep2p and libp2p, each with itself, where 1 KiB is written at a time; of those of the sizes that are
/// long enough for the middle of a transfer to be most of it, and not longer than the report's are here.
///
/// # Errors
/// A program cannot be started, or one of them fails.
pub fn bandwidth_1k(programs: &Programs, sizes: &[u64]) -> Result<Vec<Tally>, Failure> {
    let running = Running::start(programs, peers_alone(programs), &PUBLISHED_WRITE)?;
    let range = CELL_BYTES..=PUBLISHED_TO;
    let sizes: Vec<u64> = sizes
        .iter()
        .copied()
        .filter(|b| range.contains(b))
        .collect();
    throughputs("bandwidth-1k", &running, &sizes)
}

/// Each peer with itself.
fn peers_alone(programs: &Programs) -> Vec<Pair> {
    let is_alone = |pair: &Pair| pair.client == pair.server && pair.client != Stack::Ours;
    programs.pairs().into_iter().filter(is_alone).collect()
}

fn throughputs(name: &str, running: &Running<'_>, sizes: &[u64]) -> Result<Vec<Tally>, Failure> {
    let sizes: Vec<u64> = sizes
        .iter()
        .copied()
        .filter(|b| *b >= BANDWIDTH_FROM)
        .collect();
    let of_cell = |cell: &Cell| {
        let repeats = (CELL_BYTES / cell.bytes).clamp(1, 8) as usize;
        let exchanged = running.exchange(cell, 1, repeats)?;
        let spans = exchanged.iter().map(|times| cell.way.span(times));
        Ok(cell.throughput(name, percent(&sorted(spans), 50)))
    };
    running.cells(&sizes).iter().map(of_cell).collect()
}

/// Returns how long a transfer takes that is too short to be called bandwidth, for half of them and for 99 %.
///
/// # Errors
/// A program cannot be started, or one of them fails.
pub fn latency(programs: &Programs, sizes: &[u64]) -> Result<Vec<Tally>, Failure> {
    let running = Running::start(programs, programs.pairs(), &[])?;
    let sizes: Vec<u64> = sizes
        .iter()
        .copied()
        .filter(|b| *b < BANDWIDTH_FROM)
        .collect();
    let mut tallies = Vec::new();
    for cell in running.cells(&sizes) {
        let exchanged = running.exchange(&cell, 1, COLD + LATENCIES)?;
        let warm = exchanged.iter().skip(COLD);
        let spans = sorted(warm.map(|times| cell.way.span(times)));
        tallies.extend(latencies(&cell.benchmark("latency"), &spans));
    }
    Ok(tallies)
}

/// Returns throughputs as the report defines them, of the pairs in the report and of ours, for those of the sizes that are long
/// enough: 1 KiB is written at a time, there is one transfer on a connection of its own, and an upload is over when the last
/// write is accepted.
///
/// # Errors
/// A program cannot be started, or one of them fails.
pub fn as_published(programs: &Programs, sizes: &[u64]) -> Result<Vec<Tally>, Failure> {
    let spans = spans_as_published(programs, sizes, BANDWIDTH_FROM..=PUBLISHED_TO)?;
    let tally = |(cell, nanos): &(Cell, u64)| cell.throughput("bandwidth-as-published", *nanos);
    Ok(spans.iter().map(tally).collect())
}

/// Returns the times behind the throughputs that the report has of shorter ones.
///
/// # Errors
/// A program cannot be started, or one of them fails.
pub fn latency_as_published(programs: &Programs, sizes: &[u64]) -> Result<Vec<Tally>, Failure> {
    let spans = spans_as_published(programs, sizes, 0..=BANDWIDTH_FROM - 1)?;
    let tally = |(cell, nanos): &(Cell, u64)| Tally {
        benchmark: cell.benchmark("latency-as-published"),
        metric: "latency",
        unit: "ns",
        value: *nanos as f64,
    };
    Ok(spans.iter().map(tally).collect())
}

/// Returns how long transfers take by the report's clock.
fn spans_as_published(
    programs: &Programs,
    sizes: &[u64],
    range: RangeInclusive<u64>,
) -> Result<Vec<(Cell, u64)>, Failure> {
    let is_published = |pair: &Pair| {
        let ours = [pair.client, pair.server].map(|stack| stack == Stack::Ours);
        ours[0] == ours[1]
    };
    let pairs = programs.pairs().into_iter().filter(is_published).collect();
    let running = Running::start(programs, pairs, &PUBLISHED_WRITE)?;
    let sizes: Vec<u64> = sizes
        .iter()
        .copied()
        .filter(|b| range.contains(b))
        .collect();
    let of_cell = |cell: Cell| {
        let exchanged = running.exchange(&cell, 0, 1)?;
        let spans = exchanged
            .iter()
            .map(|times| cell.way.span_as_published(times));
        Ok((cell, percent(&sorted(spans), 50)))
    };
    running.cells(&sizes).into_iter().map(of_cell).collect()
}

/// Returns how long substreams take that are opened at once, by how many they are: all of them, each of them, and the mean that
/// the report has.
///
/// # Errors
/// A program cannot be started, or one of them fails.
pub fn substreams(programs: &Programs, counts: &[usize]) -> Result<Vec<Tally>, Failure> {
    let running = Running::start(programs, programs.pairs(), &[])?;
    let mut tallies = Vec::new();
    for count in counts.iter().copied() {
        for pair in &running.pairs {
            let is_reset = *pair
                == Pair {
                    client: Stack::Ours,
                    server: Stack::Libp2p,
                };
            if !is_reset || count <= HANDED_ON {
                tallies.extend(opened(&running, *pair, count)?);
            }
        }
    }
    Ok(tallies)
}

fn opened(running: &Running<'_>, pair: Pair, count: usize) -> Result<Vec<Tally>, Failure> {
    let (mut all, mut each, mut means) = (Vec::new(), Vec::new(), Vec::new());
    let wanted = count.to_string();
    for _ in 0..CONNECTIONS {
        let opened = running.programs.open(Client {
            stack: pair.client,
            server: running.server(pair)?,
            words: &["--substreams", &wanted],
        })?;
        if opened.0.len() != count {
            return Err(format!("{}: not all of {count} were opened", pair.name()).into());
        }
        all.push(percent(&opened.0, 100));
        means.push(opened.0.iter().sum::<u64>() / count as u64);
        each.extend(opened.0);
    }
    let params = format!("{{count={count},pair={}}}", pair.name());
    let nanos = |name: &str, metric, nanos: u64| Tally {
        benchmark: [name, &params].concat(),
        metric,
        unit: "ns",
        value: nanos as f64,
    };
    let mut tallies = vec![
        nanos("substreams", "time_to_all", percent(&sorted(all), 50)),
        nanos(
            "substreams-as-published",
            "mean_time",
            percent(&sorted(means), 50),
        ),
    ];
    tallies.extend(latencies(&["substreams", &params].concat(), &sorted(each)));
    Ok(tallies)
}

fn latencies(benchmark: &str, spans: &[u64]) -> [Tally; 2] {
    [("latency_p50", 50), ("latency_p99", 99)].map(|(metric, share)| Tally {
        benchmark: benchmark.to_owned(),
        metric,
        unit: "ns",
        value: percent(spans, share) as f64,
    })
}

fn sorted(spans: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut spans: Vec<u64> = spans.into_iter().collect();
    spans.sort_unstable();
    spans
}

/// Returns what so many of a hundred do not exceed. Somebody was asked for one at least.
fn percent(sorted: &[u64], share: usize) -> u64 {
    let rank = (sorted.len() * share).div_ceil(100);
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_asks_for_what_it_times() {
        let times = Exchanged {
            accepted: 3,
            confirmed: 7,
            done: 9,
            digest: None,
        };
        let [up, down] = Way::BOTH;
        assert_eq!([up.sizes(5, 1), down.sizes(5, 1)], [[5, 1], [0, 5]]);
        assert_eq!([up.span(&times), down.span(&times)], [7, 9]);
        let published = [up, down].map(|way| way.span_as_published(&times));
        assert_eq!(published, [3, 6]);
    }

    #[test]
    fn a_throughput_is_in_bits_of_a_thousand_million_nanoseconds() {
        let stack = Stack::Litep2p;
        let cell = Cell {
            bytes: 1 << 20,
            way: Way::Upload,
            pair: Pair {
                client: stack,
                server: Stack::Ours,
            },
        };
        let tally = cell.throughput("bandwidth", 1_000_000);
        assert_eq!(
            tally.benchmark,
            "bandwidth{bytes=1048576,direction=upload,pair=litep2p-ours}"
        );
        assert_eq!(tally.value, 8_388_608_000.0);
    }

    #[test]
    fn a_percentile_is_the_least_value_that_so_many_do_not_exceed() {
        let spans = sorted((1..=200).rev());
        let found = [50, 99, 100].map(|share| percent(&spans, share));
        assert_eq!(found, [100, 198, 200]);
        assert_eq!(percent(&[], 50), 0);
    }
}
