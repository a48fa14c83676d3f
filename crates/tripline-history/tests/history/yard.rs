//! Histories that are made up from a few numbers, and what is asked of them.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use tripline_history::{Answer, Archive, File, Line, Places, Plain, Query as _};
use tripline_model::{
    BenchId, BenchName, CommitId, CommitSubject, Entry, Environment, EnvironmentName, Metric,
    Origin, OriginCommit, Params, Point, Producer, Row, Said, Series, SeriesSet, Spread, SuiteName,
};

/// How many commits there are.
pub(crate) const COMMITS: usize = 8;

/// How many series a suite can have.
const SERIES: usize = 6;

/// What one run is made up from.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) suite: usize,
    pub(crate) environment: usize,
    pub(crate) commit: usize,
    pub(crate) second: i64,
    /// Which series it has.
    pub(crate) has: Vec<bool>,
    pub(crate) number: u32,
    pub(crate) is_taken_over: bool,
}

/// Runs of any kind, in any order.
pub(crate) fn runs() -> impl Strategy<Value = Vec<Made>> {
    let made = (0..2_usize, 0..2_usize, 0..COMMITS, 0..20_i64);
    let numbers = (vec(any::<bool>(), SERIES), 0..9_u32, any::<bool>());
    let run = (made, numbers).prop_map(
        |((suite, environment, commit, second), (has, number, is_taken_over))| Made {
            suite,
            environment,
            commit,
            second,
            has,
            number,
            is_taken_over,
        },
    );
    vec(run, 1..24)
}

pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 16,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

pub(crate) fn commit(at: usize) -> CommitId {
    CommitId::new(&format!("{:040x}", at + 1)).unwrap()
}

/// The places of all commits but the last, which is on no branch; they are not in the order of their hashes.
pub(crate) fn places() -> Places {
    let order = (0..COMMITS - 1).map(|at| commit((at * 3) % (COMMITS - 1)));
    Places::of(order)
}

fn series(suite: &SuiteName, at: usize) -> Series {
    let metric = ["allocations", "instructions", "wall_time"][at % 3];
    let bench = BenchId {
        suite: suite.clone(),
        name: BenchName::new(["get", "set"][at / 3]).unwrap(),
        params: Params::new(),
    };
    Series {
        bench,
        metric: Metric::known(metric).unwrap(),
    }
}

fn set(made: &Made) -> SeriesSet {
    let suite = SuiteName::new(["kv", "log"][made.suite]).unwrap();
    let there = (0..SERIES).filter(|at| made.has[*at]);
    let all: Vec<Series> = there.map(|at| series(&suite, at)).collect();
    let row = |series: usize| Row {
        series,
        name: Some(format!("the\t{series}").into()),
        unit: Some("ms".into()),
    };
    let rows: Vec<Row> = (0..all.len()).rev().map(row).collect();
    let set = SeriesSet::new(suite, all).unwrap();
    match made.is_taken_over {
        true => set.with_rows(rows).unwrap(),
        false => set,
    }
}

fn point(made: &Made, at: usize) -> Point {
    let center = f64::from(made.number) / 3.0 + at as f64 * 1e6 - 1.5;
    let spread = match (at as u32 + made.number) % 3 {
        0 => Spread::Nothing,
        1 => Spread::Reach(0.125 * f64::from(made.number)),
        _ => Spread::Quartiles {
            low: center - 1.0,
            high: center + 0.1,
            count: u32::MAX - made.number,
        },
    };
    Point { center, spread }
}

fn origin(made: &Made, rows: usize) -> Origin {
    let [mut ranges, mut extras, mut members] = <[Said; 3]>::default();
    let mut values = Vec::new();
    for row in 0..rows {
        let number = made.number as usize + row;
        if number.is_multiple_of(2) {
            ranges.push(row, &format!("± {} %", number / 4));
        }
        if !number.is_multiple_of(3) {
            extras.push(row, ["", "größe\n4 procs"][number % 2]);
        }
        // Some runs have none, so blocks are of both kinds.
        if made.number.is_multiple_of(2) && number.is_multiple_of(4) {
            members.push(row, r#"[["unit","ns/op\t 12 B/op"],["group",{"a":1}]]"#);
        }
        if number.is_multiple_of(5) {
            values.push((row, number as f64 / 7.0));
        }
    }
    Origin {
        values: values.into(),
        ranges,
        extras,
        members,
        commit: OriginCommit {
            message: Some("a\n\nb".into()),
            ..OriginCommit::default()
        },
        ..Origin::default()
    }
}

/// Returns a run as it is taken over, with its set and where it was measured.
pub(crate) fn entry(made: &Made) -> (SeriesSet, Environment, Entry) {
    let set = set(made);
    let count = set.all().len();
    let name = EnvironmentName::new(["debian-12", "debian-13"][made.environment]).unwrap();
    let mut environment = Environment::new(name);
    if made.number % 2 == 1 {
        environment.state_text("kernel", "6.1").unwrap();
    }
    let entry = Entry {
        series: 0,
        commit: commit(made.commit),
        committed_at: (made.number % 3 == 1).then(|| jiff::Timestamp::from_second(7).unwrap()),
        subject: (made.number % 3 == 2).then(|| CommitSubject::new("a subject").unwrap()),
        measured_at: jiff::Timestamp::from_second(1_700_000_000 + made.second).unwrap(),
        producer: Producer {
            name: "tripline".to_owned(),
            version: "0.1.0".to_owned(),
        },
        points: (0..count).map(|at| point(made, at)).collect(),
        origin: made.is_taken_over.then(|| Box::new(origin(made, count))),
    };
    (set, environment, entry)
}

/// Returns the files of runs, a record for each.
pub(crate) fn files(runs: &[Made]) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for made in runs {
        let (set, environment, entry) = entry(made);
        add(
            &mut all,
            tripline_history::keep(&[set], &environment, [entry]).unwrap(),
        );
    }
    all
}

pub(crate) fn add(all: &mut BTreeMap<String, Vec<u8>>, files: Vec<File>) {
    all.extend(files.into_iter().map(|file| (file.path, file.bytes)));
}

/// Adds the segments of so many records each.
pub(crate) fn close(all: &mut BTreeMap<String, Vec<u8>>, runs: usize) {
    let segments = index(all).close(runs);
    add(all, segments);
}

pub(crate) fn index(files: &BTreeMap<String, Vec<u8>>) -> Archive {
    Archive::index(files.iter().map(|(path, bytes)| (&**path, &**bytes)))
}

pub(crate) fn read(files: &BTreeMap<String, Vec<u8>>) -> Archive {
    Archive::read(files.iter().map(|(path, bytes)| (&**path, &**bytes)))
}

/// Reads the files in an order of its own.
pub(crate) fn read_shuffled(files: &BTreeMap<String, Vec<u8>>, by: usize) -> Archive {
    let mut all: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(path, bytes)| (&**path, &**bytes))
        .collect();
    all.sort_by_key(|(path, _)| path.bytes().map(usize::from).sum::<usize>() * by % 31);
    Archive::read(all)
}

/// Gives a block out of files.
pub(crate) fn block(files: &BTreeMap<String, Vec<u8>>, path: &str) -> Result<Vec<u8>, String> {
    files
        .get(path)
        .cloned()
        .ok_or_else(|| "it is missing".to_owned())
}

/// Returns all that a history has, as text: records with what they refer to.
pub(crate) fn told(archive: &Archive) -> String {
    let one = |kept: tripline_history::Kept<'_>| {
        format!(
            "{:?}\n{:?}\n{:?}\n",
            kept.record, kept.series, kept.environment
        )
    };
    archive.records().into_iter().map(one).collect()
}

/// Asks everything there is to ask, and returns the answers as text, with the damage found on the way.
pub(crate) fn asked(archive: &Archive, files: &BTreeMap<String, Vec<u8>>) -> (String, Vec<String>) {
    let places = places();
    let blocks = |path: &str| block(files, path);
    let plain = Plain::new(archive, &blocks, &places);
    let mut damaged = Vec::new();
    let mut told = String::new();
    let mut note = |what: String, lost: Vec<tripline_history::Damage>| {
        told.push_str(&what);
        damaged.extend(lost.into_iter().map(|damage| damage.path));
    };
    for range in [0..COMMITS, 2..5, 3..3] {
        for line in lines() {
            let Answer { found, damaged } = plain.series(&line, range.clone());
            note(format!("{found:?}\n"), damaged);
        }
        let Answer { found, damaged } = plain.totals(range);
        note(format!("{found:?}\n"), damaged);
    }
    for base in 0..COMMITS {
        let Answer { found, damaged } = plain.pair(&commit(base), &commit((base + 1) % COMMITS));
        note(format!("{found:?}\n"), damaged);
    }
    damaged.sort();
    damaged.dedup();
    (told, damaged)
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for suite in ["kv", "log"] {
        for at in 0..SERIES {
            for environment in ["debian-12", "debian-13"] {
                let series = series(&SuiteName::new(suite).unwrap(), at);
                lines.push(Line {
                    bench: series.bench,
                    metric: series.metric.name,
                    environment: EnvironmentName::new(environment).unwrap(),
                });
            }
        }
    }
    lines
}
