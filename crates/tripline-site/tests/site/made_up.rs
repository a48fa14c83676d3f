//! Histories made up for tests, and for looking at: the same every time, and of any length.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use tripline_model::{
    Acceptance, BenchId, BenchName, Better, Budget, CommitId, CommitSubject, Covers, Environment,
    EnvironmentName, Metric, MetricName, Nature, ParamKey, ParamValue, Params, Point, Series,
    Spread, SuiteName, Unit,
};
use tripline_site::{
    About, Canary, Change, Commit, Interval, Line, Order, Placed, RepositoryPage, Status, Tally,
    Trends,
};

/// Numbers that look random and never are.
pub(crate) struct Dice(u64);

impl Dice {
    /// Begins anew.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next number between -1 and 1, mostly near 0.
    pub(crate) fn throw(&mut self) -> f64 {
        let sum: f64 = (0..4).map(|_| self.even()).sum();
        sum / 2.0 - 1.0
    }

    fn even(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns what the pages say about themselves.
pub(crate) fn about() -> About {
    let second = |second| Timestamp::from_second(second).expect("it is a time");
    About {
        title: "acme/store".to_owned(),
        version: "tripline 0.1.0".to_owned(),
        made_at: second(1_800_000_000),
        repository: RepositoryPage::new("https://github.com/acme/store"),
        canary: Some(Canary {
            at: second(1_799_990_000),
            tally: Some(Tally {
                runs: 100,
                equal: 212,
                false_alarms: 1,
                planted: 424,
                missed: 0,
            }),
        }),
        damaged: 0,
        history: None,
    }
}

/// Returns so many commits, eight hours from one to the next.
pub(crate) fn commits(count: usize) -> Vec<Commit> {
    const SUBJECTS: &[&str] = &[
        "store: keep small values inline",
        "log: write records in batches of a page",
        "queue: wake one reader, not all",
        "docs: say what a lease is",
        "store: hash keys once",
        "build: newer compiler",
        "tests: cover a cut log",
    ];
    let commit = |place: usize| {
        let digits = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let id = format!("{digits:016x}{digits:016x}{place:08x}");
        Commit {
            id: CommitId::new(&id).expect("it is a hash"),
            subject: CommitSubject::new(SUBJECTS[place % SUBJECTS.len()]).ok(),
            at: Timestamp::from_second(
                1_799_996_400 - i64::try_from(count - 1 - place).expect("it is small") * 28_800,
            )
            .expect("it is a time"),
            height: place as u64 + 1,
        }
    };
    (0..count).map(commit).collect()
}

/// Returns a benchmark.
pub(crate) fn bench(suite: &str, name: &str, params: &[(&str, &str)]) -> BenchId {
    let params: Params = params
        .iter()
        .map(|(key, value)| {
            let key = ParamKey::new(key).expect("it is a key");
            (key, ParamValue::new(value).expect("it is a value"))
        })
        .collect();
    BenchId {
        suite: SuiteName::new(suite).expect("it is a suite"),
        name: BenchName::new(name).expect("it is a name"),
        params,
    }
}

/// Returns a metric: a known one, or a time of that name.
pub(crate) fn metric(name: &str) -> Metric {
    Metric::known(name).unwrap_or_else(|| Metric {
        name: MetricName::new(name).expect("it is a name"),
        unit: Unit::Nanosecond,
        better: Better::Lower,
        nature: Nature::Sampled,
    })
}

/// Returns an environment with a fact.
pub(crate) fn environment(name: &str, rustc: &str) -> Environment {
    let name = EnvironmentName::new(name).expect("it is a name");
    let mut environment = Environment::new(name);
    environment
        .state_text("rustc", rustc)
        .expect("it is a fact");
    environment
}

/// What a line is made of.
pub(crate) struct Shape<'a> {
    /// The level it begins with.
    pub(crate) level: f64,
    /// How much it scatters, as a share.
    pub(crate) noise: f64,
    /// From which place on the level is multiplied with what.
    pub(crate) steps: &'a [(usize, f64)],
    /// The places that were not measured.
    pub(crate) gap: Option<RangeInclusive<usize>>,
}

/// Makes a line with the change points that its steps are.
pub(crate) fn line(bench: &BenchId, metric: &Metric, count: usize, shape: &Shape<'_>) -> Line {
    let mut dice = Dice::new(shape.level.to_bits() ^ count as u64);
    let is_measured = |place: &usize| shape.gap.as_ref().is_none_or(|gap| !gap.contains(place));
    let placed = |place: usize| {
        let center = shape.level_at(place) * (1.0 + shape.noise * dice.throw());
        Placed {
            place,
            environment: usize::from(place > count / 2),
            point: point(center, shape.noise, metric.nature),
        }
    };
    let points: Vec<Placed> = (0..count).filter(is_measured).map(placed).collect();
    let series = Series {
        bench: bench.clone(),
        metric: metric.clone(),
    };
    let environment = EnvironmentName::new("debian-12-x86_64").expect("it is a name");
    Line {
        changes: shape.changes(&points),
        ..Line::of(series, environment, points)
    }
}

fn point(center: f64, noise: f64, nature: Nature) -> Point {
    match nature {
        Nature::Exact => Point::single(center.round()),
        Nature::Sampled | Nature::Summarized => Point {
            center,
            spread: Spread::Quartiles {
                low: center * (1.0 - noise),
                high: center * (1.0 + noise * 1.4),
                count: 30,
            },
        },
    }
}

impl Shape<'_> {
    fn level_at(&self, place: usize) -> f64 {
        let steps = self.steps.iter().filter(|(from, _)| place >= *from);
        steps.fold(self.level, |level, (_, factor)| level * factor)
    }

    fn changes(&self, points: &[Placed]) -> Vec<Change> {
        let steps = self.steps.iter().enumerate();
        let changes = steps.filter_map(|(index, (from, factor))| {
            let at = points.iter().position(|placed| placed.place >= *from)?;
            let next = self.steps.get(index + 1);
            let is_undone = next.is_some_and(|(_, next)| (next * factor - 1.0).abs() < 0.01);
            let shift = factor - 1.0;
            Some(Change {
                at,
                range: at.saturating_sub(usize::from(self.noise > 0.0)).max(1)..=at,
                before: self.level_at(from - 1),
                after: self.level_at(*from),
                shift,
                interval: (self.noise > 0.0).then_some(Interval {
                    low: shift - self.noise / 2.0,
                    high: shift + self.noise / 2.0,
                }),
                status: match points.len() - at {
                    _ if is_undone => Status::Reverted,
                    ..5 => Status::Pending,
                    _ => Status::Confirmed,
                },
            })
        });
        changes.collect()
    }
}

/// Returns a history as a project has one after half a year.
pub(crate) fn ordinary() -> Trends {
    let count = 240;
    let mut lines = Vec::new();
    for (index, bytes) in ["16", "256", "4096"].into_iter().enumerate() {
        let grown = (index as f64 + 1.0) * 1.7;
        for (operation, level) in [("get", 812.0), ("set", 1_420.0), ("remove", 1_090.0)] {
            let id = bench("store", operation, &[("bytes", bytes), ("threads", "1")]);
            let steps: &[(usize, f64)] = match (operation, bytes) {
                ("get", "4096") => &[(60, 0.83), (231, 1.124)],
                ("set", "256") => &[(140, 1.06), (172, 1.0 / 1.06), (231, 1.037)],
                ("set", _) => &[(231, 1.052)],
                _ => &[(60, 0.91)],
            };
            let metrics = [("instructions", 11.0, 0.0), ("wall_time", 1.0, 0.02)];
            lines.extend(metrics.map(|(name, factor, noise)| {
                let level = level * factor * grown;
                let shape = Shape {
                    level,
                    noise,
                    steps,
                    gap: None,
                };
                line(&id, &metric(name), count, &shape)
            }));
        }
    }
    lines.extend(logs(count));
    Trends {
        commits: commits(count),
        order: Order::FirstParent,
        environments: vec![
            environment("debian-12-x86_64", "rustc 1.94.0"),
            environment("debian-12-x86_64", "rustc 1.95.0"),
        ],
        lines,
    }
}

/// Returns lines with a limit, an acceptance, a change that is pending, and a gap.
fn logs(count: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (name, level, steps) in [
        ("append", 4_300.0, &[(118, 1.31)][..]),
        ("recover", 88_000_000.0, &[(236, 0.62)][..]),
        ("seek", 52_000.0, &[][..]),
    ] {
        let id = bench("log", name, &[]);
        let gap = (name == "seek").then_some(90..=120);
        let shape = Shape {
            level,
            noise: 0.05,
            steps,
            gap,
        };
        let mut times = line(&id, &metric("wall_time"), count, &shape);
        if name == "append" {
            times.acceptance = Some(Acceptance {
                who: "ada".to_owned(),
                because: "a record has a checksum now".to_owned(),
                from: 4_300.0,
                to: 4_300.0 * 1.31,
                covers: Covers::Change,
                commit: None,
                environment: None,
            });
            times.budget = Some(Budget {
                min: None,
                max: Some(6_000.0),
            });
            times.baseline = Some(5_600.0);
            times.detectable = Some(0.183);
        }
        let shape = Shape {
            level: 1_200.0,
            noise: 0.0,
            steps: &[],
            gap: None,
        };
        let calls = line(&id, &metric("system_calls"), count, &shape);
        lines.extend([times, calls]);
    }
    lines
}

/// Returns lines of two benchmarks, with values below zero, and a metric that is computed from what has another unit.
fn weighed(count: usize) -> Vec<Line> {
    let shape = |level: f64| Shape {
        level,
        noise: if level > 0.0 { 0.01 } else { 0.0 },
        steps: &[],
        gap: None,
    };
    let lines = ["64", "4096"].into_iter().flat_map(|bytes| {
        let id = bench("store", "put", &[("bytes", bytes)]);
        let peak = line(&id, &metric("heap_peak"), count, &shape(25_000.0));
        let drift = line(&id, &metric("drift"), count, &shape(-250.0));
        let mut weight = line(&id, &metric("weight"), count, &shape(250.0));
        let threads = [("bytes", bytes), ("threads", "8")];
        weight.terms = vec![
            (id, metric("heap_peak").name),
            (bench("store", "get", &threads), metric("throughput").name),
        ];
        [peak, drift, weight]
    });
    // Of the larger there is no such metric: nothing is drawn along what has one value.
    lines.take(5).collect()
}

/// Returns a history of benchmarks by threads, with a ratio that is computed of two of them.
pub(crate) fn computed() -> Trends {
    let count = 60;
    let mut lines = weighed(count);
    for (bytes, size) in [("64", 1.0), ("4096", 0.2)] {
        let bench_of = |threads| bench("store", "get", &[("bytes", bytes), ("threads", threads)]);
        for (threads, share) in [("1", 1.0), ("2", 1.9), ("8", 5.0)] {
            let shape = Shape {
                level: 1e6 * size * share,
                noise: 0.01,
                steps: if threads == "8" { &[(40, 0.7)] } else { &[] },
                gap: None,
            };
            lines.push(line(
                &bench_of(threads),
                &metric("throughput"),
                count,
                &shape,
            ));
        }
        let shape = Shape {
            level: 1.6,
            noise: 0.01,
            steps: &[(40, 1.0 / 0.7)],
            gap: None,
        };
        let scaling = Metric {
            unit: Unit::Ratio,
            ..metric("degradation")
        };
        let id = bench("store", "get", &[("bytes", bytes)]);
        let mut ratio = line(&id, &scaling, count, &shape);
        let term = |threads| (bench_of(threads), metric("throughput").name);
        ratio.terms = vec![term("1"), term("8")];
        lines.push(ratio);
    }
    Trends {
        commits: commits(count),
        lines,
        ..ordinary()
    }
}

/// Returns a history whose names mean ill, and whose lines have no point, one, gaps, zeros and values below zero.
pub(crate) fn odd() -> Trends {
    let count = 12;
    let mut trends = Trends {
        commits: commits(count),
        order: Order::Records,
        environments: vec![environment("a", "1"), environment("a", "<b>2</b>")],
        lines: Vec::new(),
    };
    for text in HOSTILE {
        trends.commits[0].subject = CommitSubject::new(text).ok();
        let id = bench("odd", text, &[("value", text)]);
        let shape = Shape {
            level: 50.0,
            noise: 0.1,
            steps: &[(6, 2.0)],
            gap: None,
        };
        let mut hostile = line(&id, &metric("wall_time"), count, &shape);
        hostile.acceptance = Some(Acceptance {
            who: (*text).to_owned(),
            because: (*text).to_owned(),
            from: 50.0,
            to: 100.0,
            covers: Covers::Change,
            commit: None,
            environment: None,
        });
        trends.lines.push(hostile);
    }
    let steady = |name: &str, values: &[f64]| {
        let id = bench("odd", name, &[]);
        let shape = Shape {
            level: 1.0,
            noise: 0.0,
            steps: &[],
            gap: None,
        };
        let mut line = line(&id, &metric("wall_time"), values.len(), &shape);
        for (placed, value) in line.points.iter_mut().zip(values) {
            placed.point = Point::single(*value);
        }
        line
    };
    trends.lines.push(steady("no point", &[]));
    trends.lines.push(steady("one point", &[7.0]));
    trends.lines.push(steady("zeros", &[0.0; 12]));
    trends
        .lines
        .push(steady("below zero", &[-5.0, 3.0, -1e9, 0.0]));
    trends
        .lines
        .push(steady("tiny and huge", &[1e-300, 9e15, 1e-12]));
    let mut gaps = steady("gaps", &[1.0; 12]);
    gaps.points.retain(|placed| placed.place % 4 != 1);
    trends.lines.push(gaps);
    trends
}

/// Texts that mean ill.
pub(crate) const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "]]>&amp;--><!--",
    "javascript:alert(1)",
    "=1+1;@SUM(A1)",
    "../../../etc/passwd",
    "</title></style>{{x}}${y}`",
    "\u{4f60}\u{597d} \u{1f980} e\u{301}",
];

/// Returns a history of that many benchmarks with that many metrics and commits.
pub(crate) fn large(benchmarks: usize, metrics: usize, count: usize) -> Trends {
    const NAMES: &[&str] = &[
        "wall_time",
        "instructions",
        "allocations",
        "cpu_time",
        "estimated_cycles",
        "heap_peak",
        "system_calls",
        "throughput",
    ];
    let mut lines = Vec::new();
    for index in 0..benchmarks {
        let (name, bytes) = (
            format!("operation-{}", index / 10),
            (1_u64 << (index % 10)).to_string(),
        );
        let id = bench(
            ["kv", "log", "queue"][index % 3],
            &name,
            &[("bytes", &bytes)],
        );
        for (nth, name) in NAMES.iter().take(metrics).enumerate() {
            let step = [(
                count * (1 + index % 7) / 8 + 1,
                1.0 + ((index % 11) as f64 - 5.0) / 50.0,
            )];
            // What is counted hardly moves from commit to commit.
            let noise = match metric(name).nature {
                Nature::Exact => 0.001,
                Nature::Sampled | Nature::Summarized => 0.02,
            };
            let is_moved = index % 11 != 5 && index % 4 == 0;
            let shape = Shape {
                level: 100.0 * (index + 1) as f64 * (nth + 1) as f64,
                noise,
                steps: if is_moved { &step } else { &[] },
                gap: None,
            };
            lines.push(line(&id, &metric(name), count, &shape));
        }
    }
    Trends {
        commits: commits(count),
        order: Order::FirstParent,
        environments: vec![
            environment("debian-12-x86_64", "1"),
            environment("debian-12-x86_64", "2"),
        ],
        lines,
    }
}
