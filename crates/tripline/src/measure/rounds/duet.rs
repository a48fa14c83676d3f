//! Executables that serve: in each round all sides are started anew, bound to one core unless their threads need all, and
//! asked in turn, in random order, for blocks of about five milliseconds of one benchmark after another.
//!
//! A launch is the unit that is repeated, because what differs from one process to the next (where its memory lies,
//! above all) does not average out within one. Where its code lies belongs to that, so each has a copy of its own.
//! Blocks are short, so that both sides meet the same slow and fast moments of the machine, and long against the clock
//! and the switch from one process to the other.
//!
//! Tested beside it, with scripts that serve, and by `tests/it/duet`, with a real executable.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::{Duration, Instant};

use tripline_model::{BenchId, Failure, FailureKind, Metric, StepName, SuiteName, TAIL_BYTES_MAX};

use super::Source;
use super::gathered::{Row, Taken, Value};
use super::host::{self, Snapshot};
use super::middle::middle_half;
use super::server::{Block, Bounds, Executable, LOG_BYTES_MAX, Server, Trouble};
use crate::measure::interrupt::Interrupt;
use crate::measure::{Effort, Given, said_of};
use crate::suite::Cores;

/// How long a block takes.
const BLOCK: Duration = Duration::from_millis(5);

/// What a benchmark is given in one round, on each side, beside the warm-up.
const fn time_of(effort: Effort) -> Duration {
    match effort {
        Effort::Quick => Duration::from_millis(120),
        Effort::Full => Duration::from_millis(240),
    }
}

/// The fewest blocks of a round: with fewer, one that was interrupted would be half of all.
const BLOCKS_MIN: u128 = 4;

/// More iterations fit into no block of anything that takes time.
const ITERATIONS_MAX: u64 = 1_000_000_000_000;

/// What a block that counts may take, in nanoseconds: some time, and no more than a number can hold.
const WALL: RangeInclusive<u64> = 1..=1 << 53;

/// How long the machine is watched before a round, to see which core is idle.
const WATCH: Duration = Duration::from_millis(30);

/// The sides of a step whose executables serve.
#[derive(Debug)]
pub(in crate::measure) struct Duet<'a> {
    step: &'a StepName,
    cores: Cores,
    sides: Vec<Executable>,
    effort: Effort,
    timeout: Duration,
    log: &'a Path,
    interrupt: &'a Interrupt,
    listed: Vec<Listed>,
}

/// A benchmark that some side serves.
#[derive(Debug, Clone)]
struct Listed {
    bench: BenchId,
    /// What each side calls it, where it serves it.
    titles: Vec<Option<String>>,
    /// How many iterations make a block, once that is known.
    iterations: Option<u64>,
}

/// What runs in a round, of each side.
type Servers<'a> = [Option<Server<'a>>];

impl<'a> Duet<'a> {
    /// Asks all sides what they serve.
    pub(in crate::measure) fn open(
        suite: &SuiteName,
        (step, cores): (&'a StepName, Cores),
        sides: Vec<Executable>,
        (effort, timeout): (Effort, Duration),
        (log, interrupt): (&'a Path, &'a Interrupt),
    ) -> Result<Self, Failure> {
        let mut duet = Self {
            step,
            cores,
            sides,
            effort,
            timeout,
            log,
            interrupt,
            listed: Vec::new(),
        };
        for side in 0..duet.sides.len() {
            let titles = duet.titles(side);
            let titles = titles.map_err(|trouble| duet.failure(side, trouble))?;
            for title in titles {
                let listed = duet.list(suite, side, title);
                listed.map_err(|problem| duet.failure(side, unusable(problem)))?;
            }
        }
        Ok(duet)
    }

    /// Returns what one side serves, which is at least one benchmark.
    fn titles(&self, side: usize) -> Result<Vec<String>, Trouble> {
        let mut server = Server::start(&self.sides[side], None, self.bounds())?;
        let mut titles = Vec::new();
        while let Some(title) = server.at() {
            titles.push(title.to_owned());
            server.next()?;
        }
        server.quit()?;
        if titles.is_empty() {
            return Err(Trouble {
                kind: FailureKind::Nothing,
                detail: None,
            });
        }
        Ok(titles)
    }

    /// Takes note of a title. Two titles of one side may not mean the same benchmark.
    fn list(&mut self, suite: &SuiteName, side: usize, title: String) -> Result<(), String> {
        let bench = tripline_read::bench_of_title(suite, &title)?;
        let known = self.listed.iter().position(|known| known.bench == bench);
        let at = known.unwrap_or_else(|| {
            self.listed.push(Listed {
                bench,
                titles: vec![None; self.sides.len()],
                iterations: None,
            });
            self.listed.len() - 1
        });
        match self.listed[at].titles[side].replace(title) {
            None => Ok(()),
            Some(other) => Err(format!(
                "two benchmarks are named `{}`, and one of them is called `{other}`: give each a name of its own",
                self.listed[at].bench.within_suite()
            )),
        }
    }

    /// Returns what a round is bound to: the core that is idle the most just now.
    fn core(&self) -> Option<usize> {
        if self.cores == Cores::All {
            return None;
        }
        let before = Snapshot::take(None);
        std::thread::sleep(WATCH);
        host::idlest_since(&before)
    }

    fn bounds(&self) -> Bounds<'a> {
        Bounds {
            log: self.log,
            log_bytes_max: LOG_BYTES_MAX,
            timeout: self.timeout,
            deadline: Instant::now() + self.timeout,
            interrupt: self.interrupt,
        }
    }

    fn failure(&self, side: usize, trouble: Trouble) -> Failure {
        let Trouble { kind, detail } = trouble;
        let failure = Failure::new(self.step.clone(), kind, detail, &tail_of(self.log));
        said_of(failure, self.sides[side].whose)
    }
}

impl Source for Duet<'_> {
    fn round(
        &mut self,
        wants: &dyn Fn(&BenchId) -> bool,
        random: &mut fastrand::Rng,
    ) -> Given<Vec<Row>> {
        let mut sides: Vec<usize> = (0..self.sides.len()).collect();
        random.shuffle(&mut sides);
        for side in sides {
            let renewed = self.sides[side].renew();
            renewed.map_err(|trouble| self.failure(side, trouble))?;
        }
        let core = self.core();
        let wanted = self.listed.iter().enumerate();
        let wanted: Vec<usize> = wanted
            .filter(|(_, listed)| listed.sides().next().is_some() && wants(&listed.bench))
            .map(|(at, _)| at)
            .collect();
        let mut servers: Vec<Option<Server<'_>>> = self.sides.iter().map(|_| None).collect();
        let mut rows = Vec::with_capacity(wanted.len());
        for at in wanted {
            rows.extend(self.row(at, core, &mut servers, random)?);
        }
        for (side, server) in servers.into_iter().enumerate() {
            let ended = server.map_or(Ok(()), Server::quit);
            ended.map_err(|trouble| self.failure(side, trouble))?;
        }
        Ok(rows)
    }
}

impl Listed {
    /// Returns the sides that serve it.
    fn sides(&self) -> impl Iterator<Item = usize> {
        let titles = self.titles.iter().enumerate();
        titles.filter_map(|(side, title)| title.as_ref().map(|_| side))
    }
}

impl<'a> Duet<'a> {
    /// Takes one benchmark's part of a round; nothing where no side times anything of it.
    fn row(
        &mut self,
        at: usize,
        core: Option<usize>,
        servers: &mut Servers<'a>,
        random: &mut fastrand::Rng,
    ) -> Result<Option<Row>, Failure> {
        let mut sides: Vec<usize> = self.listed[at].sides().collect();
        // Whoever is started first meets a colder machine, and whoever runs first takes other memory.
        random.shuffle(&mut sides);
        for side in &sides {
            self.reach(*side, at, core, &mut servers[*side])?;
        }
        let iterations = self.warmed_up(at, &sides, servers)?;
        let sides: Vec<usize> = self.listed[at].sides().collect();
        if sides.is_empty() {
            return Ok(None);
        }
        let (before, began) = (Snapshot::take(core), Instant::now());
        let blocks = self.blocks(&sides, iterations, servers, random)?;
        let seconds = began.elapsed().as_secs_f64();
        let disturbance = before.disturbance(&Snapshot::take(core), core, seconds);
        let mut taken: Vec<Option<Taken>> = servers.iter().map(|_| None).collect();
        for (place, side) in sides.into_iter().enumerate() {
            taken[side] = Some(Taken {
                values: values(&blocks, place, iterations),
                ..Taken::default()
            });
        }
        Ok(Some(Row {
            bench: self.listed[at].bench.clone(),
            sides: taken,
            is_disturbed: disturbance.is_some(),
        }))
    }

    /// Brings a side's server to a benchmark. One that has passed it already is started anew.
    fn reach(
        &self,
        side: usize,
        at: usize,
        core: Option<usize>,
        server: &mut Option<Server<'a>>,
    ) -> Result<(), Failure> {
        let failure = |trouble| self.failure(side, trouble);
        let title = self.listed[at].titles[side].as_deref().unwrap_or_default();
        if let Some(running) = server
            && running.reach(title).map_err(failure)?
        {
            return Ok(());
        }
        let mut fresh = Server::start(&self.sides[side], core, self.bounds()).map_err(failure)?;
        let is_there = fresh.reach(title).map_err(failure)?;
        *server = Some(fresh);
        if is_there {
            return Ok(());
        }
        let problem = format!("it served `{title}` the first time, and not again");
        Err(failure(unusable(problem)))
    }

    /// Runs sides in turn for a moment, and learns in the first round how many iterations make a block. A side that times
    /// nothing then does not have the benchmark.
    fn warmed_up(
        &mut self,
        at: usize,
        sides: &[usize],
        servers: &mut Servers<'a>,
    ) -> Result<u64, Failure> {
        if let Some(iterations) = self.listed[at].iterations {
            for side in sides {
                self.block(*side, iterations, servers)?;
            }
            return Ok(iterations);
        }
        for side in sides {
            if self.asked(*side, 1, servers)?.is_none() {
                self.listed[at].titles[*side] = None;
            }
        }
        let titles = &self.listed[at].titles;
        let there = sides.iter().copied().filter(|side| titles[*side].is_some());
        let there: Vec<usize> = there.collect();
        let iterations = self.fitting(&there, servers)?;
        self.listed[at].iterations = Some(iterations);
        Ok(iterations)
    }

    /// Returns how many iterations fit into a block, on the slowest of some sides.
    fn fitting(&self, sides: &[usize], servers: &mut Servers<'a>) -> Result<u64, Failure> {
        let mut iterations = 1_u64;
        loop {
            let mut longest = 1;
            for side in sides {
                let block = self.block(*side, iterations, servers)?;
                longest = longest.max(u128::from(block.wall));
            }
            let fitting = u128::from(iterations) * BLOCK.as_nanos() / longest;
            let fitting = u64::try_from(fitting).unwrap_or(u64::MAX);
            // The first iterations are slow, so the number grows in steps until it holds.
            if fitting <= iterations.saturating_mul(2) {
                return Ok(fitting.max(1));
            }
            iterations = fitting.min(iterations.saturating_mul(16));
            // Whichever ran first by chance: of two that take no time, it is always the same that is named.
            if let Some(side) = sides.iter().min()
                && iterations > ITERATIONS_MAX
            {
                return Err(self.timeless(*side, servers));
            }
        }
    }

    /// Takes rows of blocks, one of each side, in random order within each row.
    fn blocks(
        &self,
        sides: &[usize],
        iterations: u64,
        servers: &mut Servers<'a>,
        random: &mut fastrand::Rng,
    ) -> Result<Vec<Vec<Block>>, Failure> {
        let began = Instant::now();
        let time = time_of(self.effort) * u32::try_from(sides.len()).unwrap_or(1);
        let mut rows: Vec<Vec<Block>> = Vec::new();
        while (rows.len() as u128) < BLOCKS_MIN || began.elapsed() < time {
            let mut order: Vec<usize> = (0..sides.len()).collect();
            random.shuffle(&mut order);
            let mut row = vec![Block::default(); sides.len()];
            for place in order {
                let block = self.block(sides[place], iterations, servers)?;
                if !WALL.contains(&block.wall) {
                    return Err(self.timeless(sides[place], servers));
                }
                row[place] = block;
            }
            rows.push(row);
        }
        Ok(rows)
    }

    /// Takes a block of a benchmark that was timed before.
    fn block(
        &self,
        side: usize,
        iterations: u64,
        servers: &mut Servers<'a>,
    ) -> Result<Block, Failure> {
        let block = self.asked(side, iterations, servers)?;
        block.ok_or_else(|| self.timeless(side, servers))
    }

    /// A benchmark that times nothing at all is passed over; one that does so only now and then is not understood.
    fn timeless(&self, side: usize, servers: &Servers<'a>) -> Failure {
        let title = servers[side].as_ref().and_then(Server::at);
        let title = title.unwrap_or_default();
        let problem = format!("some blocks of `{title}` took no time that can be kept");
        self.failure(side, unusable(problem))
    }

    fn asked(
        &self,
        side: usize,
        iterations: u64,
        servers: &mut Servers<'a>,
    ) -> Result<Option<Block>, Failure> {
        let server = servers[side]
            .as_mut()
            .expect("it was brought to the benchmark");
        let block = server.block(iterations);
        block.map_err(|trouble| self.failure(side, trouble))
    }
}

fn unusable(problem: String) -> Trouble {
    Trouble {
        kind: FailureKind::Output,
        detail: Some(problem),
    }
}

/// Returns what one side's blocks say, per iteration: of the clock, and of the processor where that was taken.
fn values(rows: &[Vec<Block>], place: usize, iterations: u64) -> Vec<Value> {
    let per_iteration = |nanoseconds: u64| nanoseconds as f64 / iterations as f64;
    let of_all = |time: fn(&Block) -> Option<u64>| -> Option<Vec<Vec<f64>>> {
        let of_row = |row: &Vec<Block>| -> Option<Vec<f64>> {
            let times = row.iter().map(|block| time(block).map(per_iteration));
            times.collect()
        };
        rows.iter().map(of_row).collect()
    };
    let kept = (rows.len() - 2 * (rows.len() / 4)) as u64;
    let named = [
        ("wall_time", of_all(|block| Some(block.wall))),
        ("cpu_time", of_all(|block| block.cpu)),
    ];
    let value = |(name, rows): (&str, Option<Vec<Vec<f64>>>)| {
        let value = *middle_half(&rows?)?.get(place)?;
        let metric = Metric::known(name).expect("the table of metrics holds both");
        Some(Value {
            metric,
            value,
            iterations: Some(kept.saturating_mul(iterations)),
        })
    };
    named.into_iter().filter_map(value).collect()
}

/// Returns the end of a log.
fn tail_of(log: &Path) -> String {
    let tail = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(
            length.saturating_sub(TAIL_BYTES_MAX as u64),
        ))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    String::from_utf8_lossy(&tail().unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests;
