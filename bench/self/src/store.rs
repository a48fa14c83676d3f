//! What a history weighs and how fast one series of it is read, at the size that is promised.
//!
//! The benchmarks are made up: of each metric the levels lie anywhere between a hundred and a hundred million, counts change
//! by a thousandth, times by up to three hundredths from commit to commit with their quartiles beside them, and some of
//! what is counted mostly stays. Tested below at smoke size.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use tripline_history::{Archive, Line, Places, Plain, Query as _};
use tripline_model::{
    BenchId, BenchName, CommitId, Entry, Environment, EnvironmentName, Metric, Params, Point,
    Producer, Sample, Series, SeriesSet, SuiteName,
};

use crate::inputs::Random;

/// The metrics of a benchmark, and what becomes of them from commit to commit.
const METRICS: [(&str, Change); 8] = [
    ("allocated_bytes", Change::Seldom),
    ("allocations", Change::Seldom),
    ("cpu_time", Change::Spread),
    ("estimated_cycles", Change::Count),
    ("instructions", Change::Count),
    ("l1_hits", Change::Count),
    ("resident_peak", Change::Pages),
    ("wall_time", Change::Spread),
];

/// The bytes that a point may take in segments.
const BYTES_MAX: f64 = 5.0;

/// How long it may take to read one series: the median of many.
const SERIES_MAX: Duration = Duration::from_millis(10);

#[derive(Debug, Clone, Copy)]
enum Change {
    /// It mostly stays.
    Seldom,
    /// A count that moves a little.
    Count,
    /// Whole pages of memory.
    Pages,
    /// A time with its quartiles.
    Spread,
}

/// How large a history is.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// How many benchmarks, of eight metrics each.
    pub benchmarks: usize,
    /// How many commits.
    pub commits: usize,
}

/// What was measured of a history.
#[derive(Debug, Clone)]
pub struct Store {
    /// How large it was.
    pub size: Size,
    /// How many points it has.
    pub points: usize,
    /// How many of them have quartiles beside their center.
    pub spread: usize,
    /// The bytes of its segments.
    pub bytes: usize,
    /// How many files they are.
    pub files: usize,
    /// How long it took to make them.
    pub close: Duration,
    /// How long it took to read all but the blocks.
    pub open: Duration,
    /// How long it took to read one series after that: the median of many, and the slowest.
    pub series: (Duration, Duration),
}

/// Makes a history in segments, writes it to a folder, and reads series of it.
///
/// # Errors
/// A file cannot be written or read.
///
/// # Panics
/// What was written does not come back.
pub fn store(size: Size, folder: &Path) -> io::Result<Store> {
    let (set, entries) = made(size);
    let spread = METRICS
        .iter()
        .filter(|(_, change)| matches!(change, Change::Spread));
    let spread = spread.count() * size.benchmarks * size.commits;
    let sets = [set];
    let begin = Instant::now();
    let files = tripline_history::keep_closed(&sets, &environment(), entries);
    let files = files.expect("its files are as long as may be");
    let close = begin.elapsed();
    let [set] = sets;
    let mut small = BTreeMap::new();
    let (mut bytes, mut count) = (0, 0);
    for file in files {
        if file.path.starts_with("segments/") {
            bytes += file.bytes.len();
            count += 1;
        }
        let place = folder.join(&file.path);
        place.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(place, &file.bytes)?;
        if !tripline_history::is_block(&file.path) {
            small.insert(file.path, file.bytes);
        }
    }
    let begin = Instant::now();
    let archive = Archive::index(small.iter().map(|(path, bytes)| (&**path, &**bytes)));
    let open = begin.elapsed();
    Ok(Store {
        size,
        points: set.all().len() * size.commits,
        spread,
        bytes,
        files: count,
        close,
        open,
        series: series(&archive, &set, size, folder),
    })
}

/// Reads some series, each as often as any other.
fn series(archive: &Archive, set: &SeriesSet, size: Size, folder: &Path) -> (Duration, Duration) {
    const READ: usize = 100;
    let places = Places::of((0..size.commits).map(commit));
    let block = |path: &str| fs::read(folder.join(path)).map_err(|error| error.to_string());
    let plain = Plain::new(archive, &block, &places);
    let step = (set.all().len() / READ).max(1);
    let read = |series: &Series| {
        let line = Line {
            bench: series.bench.clone(),
            metric: series.metric.name.clone(),
            environment: environment().name,
        };
        let begin = Instant::now();
        let answer = plain.series(&line, 0..size.commits);
        let took = begin.elapsed();
        assert_eq!(answer.found.len(), size.commits, "{:?}", answer.damaged);
        took
    };
    let mut times: Vec<Duration> = set.all().iter().step_by(step).map(read).collect();
    times.sort();
    (times[times.len() / 2], times[times.len() - 1])
}

fn environment() -> Environment {
    Environment::new(EnvironmentName::new("debian-12-x86_64").expect("the name has the form"))
}

fn commit(at: usize) -> CommitId {
    let hash = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) as u64;
    CommitId::new(&format!("{hash:016x}{:024x}", at + 1)).expect("the text is a hash")
}

fn made(size: Size) -> (SeriesSet, Vec<Entry>) {
    let suite = SuiteName::new("kv").expect("the name has the form");
    let mut all = Vec::new();
    for at in 0..size.benchmarks {
        let name = BenchName::new(format!("group-{:02}/function-{at:04}", at / 50));
        let bench = BenchId {
            suite: suite.clone(),
            name: name.expect("the name has the form"),
            params: Params::new(),
        };
        for (metric, _) in METRICS {
            let bench = bench.clone();
            let metric = Metric::known(metric).expect("the metric is known");
            all.push(Series { bench, metric });
        }
    }
    let set = SeriesSet::new(suite, all).expect("they are in order");
    let mut random = Random::new();
    let mut levels: Vec<f64> = (0..set.all().len())
        .map(|_| 10_f64.powf(2.0 + random.below(6_000_000) as f64 / 1e6))
        .collect();
    let entry = |at: usize| Entry {
        series: 0,
        commit: commit(at),
        committed_at: None,
        subject: None,
        measured_at: hour(at),
        producer: Producer {
            name: "tripline".to_owned(),
            version: "0.1.0".to_owned(),
        },
        points: points(&set, &mut levels, &mut random),
        origin: None,
    };
    let entries = (0..size.commits).map(entry).collect();
    (set, entries)
}

fn hour(at: usize) -> jiff::Timestamp {
    let hours = i64::try_from(at).expect("there are not so many commits");
    jiff::Timestamp::from_second(1_700_000_000 + 3600 * hours).expect("it is a time")
}

fn points(set: &SeriesSet, levels: &mut [f64], random: &mut Random) -> Box<[Point]> {
    let mut points = Vec::with_capacity(levels.len());
    for (at, (level, series)) in levels.iter_mut().zip(set.all()).enumerate() {
        let (_, change) = METRICS[at % METRICS.len()];
        if random.below(500) == 0 {
            *level *= 1.05;
        }
        let mut noise = |size: f64| 1.0 + size * (random.below(2_000_001) as f64 / 1e6 - 1.0);
        let values = match change {
            Change::Seldom => vec![level.round()],
            Change::Count => vec![(*level * noise(0.001)).round()],
            Change::Pages => vec![(*level * noise(0.01) / 4096.0).round() * 4096.0],
            Change::Spread => {
                let size = 0.001 + 0.03 * (at % 29) as f64 / 29.0;
                (0..5).map(|_| *level * noise(size)).collect()
            }
        };
        let sample = Sample::new(values).expect("they are numbers above zero");
        points.push(Point::of(&sample, series.metric.nature));
    }
    points.into()
}

impl Store {
    fn bytes_each(&self) -> f64 {
        self.bytes as f64 / self.points as f64
    }

    /// Returns whether all is as it was promised.
    #[must_use]
    pub fn is_as_promised(&self) -> bool {
        self.bytes_each() <= BYTES_MAX && self.series.0 <= SERIES_MAX
    }
}

impl Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = self.bytes_each();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let Size {
            benchmarks,
            commits,
        } = self.size;
        writeln!(
            f,
            "{benchmarks} benchmarks x {} metrics x {commits} commits",
            METRICS.len()
        )?;
        writeln!(f, "points                 {}", self.points)?;
        writeln!(f, "of them with quartiles {}", self.spread)?;
        writeln!(
            f,
            "bytes in segments      {} in {} files",
            self.bytes, self.files
        )?;
        writeln!(
            f,
            "bytes a point          {each:.2} (promised: {BYTES_MAX})"
        )?;
        writeln!(
            f,
            "made in                {:.1} s",
            self.close.as_secs_f64()
        )?;
        writeln!(
            f,
            "index read in          {:.1} ms",
            milliseconds(self.open)
        )?;
        let (median, slowest) = self.series;
        write!(
            f,
            "one series read in     {:.2} ms, the slowest {:.2} ms (promised: {})",
            milliseconds(median),
            milliseconds(slowest),
            milliseconds(SERIES_MAX)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_whole_and_each_series_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let size = Size {
            benchmarks: 3,
            commits: 7,
        };
        let store = store(size, folder.path()).unwrap();
        assert_eq!((store.points, store.spread, store.files), (168, 42, 2));
        assert!(store.to_string().contains("bytes a point"));
        let kept = Store {
            bytes: 5 * store.points,
            series: (SERIES_MAX, SERIES_MAX),
            ..store
        };
        assert!(kept.is_as_promised());
        let large = Store {
            bytes: kept.bytes + 1,
            ..kept.clone()
        };
        let slow = Store {
            series: (SERIES_MAX * 2, SERIES_MAX * 2),
            ..kept
        };
        assert!(!large.is_as_promised() && !slow.is_as_promised());
    }
}
