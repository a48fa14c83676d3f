//! How long a scan takes by itself, without the start of a program, by Criterion's interface.
//!
//! The suite lets this program run on all processors. What a scan found is looked at when the clock has stopped, and a wrong
//! one ends the program.

use std::time::{Duration, Instant};

use bench_scan::{Database, Failure, Fixture, Grown, PORTS};
use tripline_duet::measurement::WallTime;
use tripline_duet::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use workload_scan::{Scan, Settings, Template};

/// The set of ports where not the number of them is what is asked.
const TEN_THOUSAND: (u32, &str) = PORTS[1];

/// One benchmark.
struct Case<'a> {
    fixture: &'a Fixture,
    ports: &'a str,
    settings: Settings,
}

impl Case<'_> {
    /// Scans, with a database where there is one, and says how long it took.
    fn time(&self, database: Option<Database>) -> Result<Duration, Failure> {
        let ports = self.ports.parse()?;
        let mut scan = Scan::new(self.fixture.targets(), ports, self.settings.clone())?;
        if let Some(database) = &database {
            scan = scan.store(database.store()?);
        }
        let began = Instant::now();
        let report = scan.run()?;
        let spent = began.elapsed();
        self.fixture.check(&report)?;
        self.fixture.drain();
        if let Some(database) = &database {
            database.check(report.total())?;
        }
        Ok(spent)
    }
}

fn timed(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    case: &Case<'_>,
    mut database: impl FnMut() -> Option<Database>,
) {
    group.bench_function(id, |bencher| {
        let mut time = || case.time(database()).expect("the scan is right");
        bencher.iter_custom(|times| (0..times).map(|_| time()).sum());
    });
}

fn connect(criterion: &mut Criterion) {
    let fixture = Fixture::open().expect("the ports are free");
    let mut group = criterion.benchmark_group("library");
    group.sample_size(10);
    for (count, ports) in PORTS {
        let case = Case {
            fixture: &fixture,
            ports,
            settings: Settings::default(),
        };
        group.throughput(Throughput::Elements(count.into()));
        let id = BenchmarkId::new("connect", format!("ports={count}"));
        timed(&mut group, id, &case, || None);
    }
    group.finish();
}

fn templates(criterion: &mut Criterion) {
    let fixture = Fixture::open().expect("the ports are free");
    let (count, ports) = TEN_THOUSAND;
    let mut group = criterion.benchmark_group("library");
    group.sample_size(10);
    group.throughput(Throughput::Elements(count.into()));
    for template in [Template::Normal, Template::Aggressive, Template::Insane] {
        let timing = template.timing();
        let case = Case {
            fixture: &fixture,
            ports,
            settings: Settings {
                timing,
                ..Settings::default()
            },
        };
        let id = BenchmarkId::new("template", format!("template={template}"));
        timed(&mut group, id, &case, || None);
    }
    group.finish();
}

fn databases(criterion: &mut Criterion) {
    let fixture = Fixture::open().expect("the ports are free");
    let (count, ports) = TEN_THOUSAND;
    let case = Case {
        fixture: &fixture,
        ports,
        settings: Settings::default(),
    };
    let mut group = criterion.benchmark_group("library");
    group.sample_size(10);
    group.throughput(Throughput::Elements(count.into()));
    let id = |file: &str| BenchmarkId::new("database", format!("file={file}"));
    timed(&mut group, id("none"), &case, || None);
    timed(&mut group, id("fresh"), &case, || {
        Some(Database::fresh().expect("there is room"))
    });
    let mut grown = None;
    timed(&mut group, id("grown"), &case, || {
        let grown = grown.get_or_insert_with(|| Grown::new(&fixture, ports).expect("it grows"));
        Some(grown.copy().expect("there is room"))
    });
    group.finish();
}

criterion_group!(benches, connect, templates, databases);
criterion_main!(benches);
