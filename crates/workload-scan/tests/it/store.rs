//! What is in the store after a scan, however it ended.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use workload_scan::{Error, PortSet, Scan, Settings, Store, StoreFault, Timing, Verdict};

use crate::fixture::Fixture;

fn number(database: &Connection, query: &str) -> u64 {
    database
        .query_row(query, [], |row| row.get::<_, i64>(0))
        .unwrap()
        .try_into()
        .unwrap()
}

fn states(database: &Connection) -> Vec<String> {
    let mut query = database
        .prepare("SELECT state FROM scan ORDER BY id")
        .unwrap();
    let rows = query.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn open(path: &Path) -> Result<Store, Error> {
    Store::open(path, Duration::ZERO)
}

fn fault(path: &Path) -> (String, StoreFault) {
    match open(path) {
        Err(error @ Error::Store { .. }) => {
            let text = error.to_string();
            assert!(
                text.starts_with("nothing was scanned: the store "),
                "{text}"
            );
            let Error::Store { source, .. } = error else {
                unreachable!()
            };
            (source.to_string(), source)
        }
        other => panic!("{other:?}"),
    }
}

/// A scan that has time for one probe.
fn endless() -> Settings {
    Settings {
        timing: Timing {
            delay: Duration::from_secs(3_600),
            parallelism: 1,
            ..Timing::default()
        },
        stop: Arc::new(AtomicBool::new(false)),
        ..Settings::default()
    }
}

#[test]
fn every_verdict_of_every_scan_is_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scans.sqlite");
    let fixture = Fixture::new();
    let mut reports = Vec::new();
    for ports in [PortSet::all(), fixture.some_ports()] {
        let scan = Scan::new(fixture.targets(), ports, Settings::default()).unwrap();
        reports.push(scan.store(open(&path).unwrap()).run().unwrap());
    }
    let database = Connection::open(&path).unwrap();
    assert_eq!(states(&database), ["complete", "complete"]);
    for (scan, report) in reports.iter().enumerate() {
        assert!(report.store_problem().is_none() && report.is_complete());
        for verdict in Verdict::ALL {
            let count = format!(
                "SELECT count(*) FROM verdict WHERE scan = {} AND verdict = {}",
                scan + 1,
                verdict.bits()
            );
            assert_eq!(number(&database, &count), report.count(verdict));
        }
        for (address, verdict) in report.all() {
            if verdict == Some(Verdict::Open) {
                let stored = format!(
                    "SELECT verdict FROM verdict NATURAL JOIN host WHERE scan = {} AND address = '{}' AND port = {}",
                    scan + 1,
                    address.ip(),
                    address.port()
                );
                assert_eq!(number(&database, &stored), 1);
            }
        }
    }
}

#[test]
fn a_scan_that_was_stopped_is_stored_as_partial() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scans.sqlite");
    let fixture = Fixture::new();
    let settings = endless();
    let stop = Arc::clone(&settings.stop);
    let scan = Scan::new(fixture.targets(), fixture.some_ports(), settings).unwrap();
    let scan = scan.store(open(&path).unwrap());
    let report = scan
        .watch(|progress| stop.store(progress.done > 0, Ordering::Relaxed))
        .unwrap();
    assert!(report.store_problem().is_none());
    let found = report.total() - report.missing();
    assert!(found > 0 && report.missing() > 0);
    let database = Connection::open(&path).unwrap();
    assert_eq!(states(&database), ["partial"]);
    assert_eq!(number(&database, "SELECT count(*) FROM verdict"), found);
}

#[test]
fn what_is_found_is_in_the_store_while_the_scan_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scans.sqlite");
    let fixture = Fixture::new();
    let settings = endless();
    let stop = Arc::clone(&settings.stop);
    let scan = Scan::new(fixture.targets(), fixture.some_ports(), settings).unwrap();
    let scan = scan.store(open(&path).unwrap());
    let reader = Connection::open(&path).unwrap();
    let mut looks = 0;
    let report = scan.watch(|_| {
        looks += 1;
        assert!(looks < 400, "nothing is stored while the scan runs");
        // The scan ends only because this row is seen before it does.
        if number(&reader, "SELECT count(*) FROM verdict") > 0 {
            assert_eq!(states(&reader), ["running"]);
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert!(report.unwrap().store_problem().is_none());
}

#[test]
fn a_watcher_that_panics_ends_the_scan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scans.sqlite");
    let fixture = Fixture::new();
    let mut settings = endless();
    // Over some time, so that this fails instead of hanging, and long after the first look.
    settings.timing.delay = std::time::Duration::from_secs(2);
    let scan = Scan::new(fixture.targets(), fixture.some_ports(), settings).unwrap();
    let scan = scan.store(open(&path).unwrap());
    let watched = AssertUnwindSafe(|| scan.watch(|_| panic!("on purpose")));
    assert!(catch_unwind(watched).is_err());
    let database = Connection::open(&path).unwrap();
    assert_eq!(states(&database), ["partial"]);
    let found = number(&database, "SELECT count(*) FROM verdict");
    assert!(found < u64::from(fixture.some_ports().len()));
}

#[test]
fn a_store_that_fails_in_the_middle_costs_no_verdict_and_no_deadlock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scans.sqlite");
    let fixture = Fixture::new();
    let settings = endless();
    let stop = Arc::clone(&settings.stop);
    let scan = Scan::new(fixture.targets(), fixture.some_ports(), settings).unwrap();
    let scan = scan.store(open(&path).unwrap());
    let other = Connection::open(&path).unwrap();
    let mut held = false;
    let report = scan
        .watch(|progress| {
            if progress.done > 0 && !held {
                other.execute_batch("BEGIN IMMEDIATE").unwrap();
                held = true;
                stop.store(true, Ordering::Relaxed);
            }
        })
        .unwrap();
    assert!(report.missing() < report.total());
    assert!(report.problem().is_none());
    let problem = report.store_problem().unwrap();
    assert!(matches!(problem, Error::NotStored { .. }));
    let cause = std::error::Error::source(problem).unwrap().to_string();
    assert!(cause.contains("another program holds it"), "{cause}");
    assert!(report.json().contains("lacks some or all"));
}

#[test]
fn a_store_that_takes_no_verdict_is_no_problem_of_the_scan_and_does_not_say_running() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scans.sqlite");
    let fixture = Fixture::new();
    let store = open(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON span BEGIN SELECT RAISE(ABORT, 'no'); END";
    other.execute_batch(refuse).unwrap();
    let settings = Settings::default();
    let scan = Scan::new(fixture.targets(), fixture.some_ports(), settings).unwrap();
    let report = scan.store(store).run().unwrap();
    assert!(report.problem().is_none() && report.is_complete());
    assert!(matches!(
        report.store_problem(),
        Some(Error::NotStored { .. })
    ));
    assert_eq!(states(&other), ["partial"]);
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert!(json["problem"].is_null());
    assert!(
        json["store_problem"]
            .as_str()
            .unwrap()
            .contains("lacks some")
    );
}

#[test]
fn a_store_that_cannot_be_written_to_is_an_error_before_the_scan() {
    let folder = tempfile::tempdir().unwrap();
    let (text, _) = fault(&folder.path().join("missing/scans.sqlite"));
    assert!(text.contains("see that its folder exists"), "{text}");
    let (text, _) = fault(folder.path());
    assert!(text.contains("see that its folder exists"), "{text}");

    let path = folder.path().join("held.sqlite");
    drop(open(&path).unwrap());
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let fixture = Fixture::new();
    let scan = Scan::new(fixture.targets(), fixture.some_ports(), Settings::default()).unwrap();
    // It opens, because others may read; and says so when the scan is to be written down.
    let error = scan.store(open(&path).unwrap()).run().unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("another program holds it"), "{cause}");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(number(&other, "SELECT count(*) FROM scan"), 0);
}

#[test]
fn what_is_not_ours_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.sqlite");
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (7)")
        .unwrap();
    drop(other);
    let before = fs::read(&path).unwrap();
    assert!(matches!(fault(&path).1, StoreFault::NotOurs));
    assert_eq!(fs::read(&path).unwrap(), before);

    let path = folder.path().join("text");
    fs::write(
        &path,
        "no database, but more than a few bytes of something else",
    )
    .unwrap();
    assert!(fault(&path).0.contains("it is no database"));
    assert_eq!(fs::read_to_string(&path).unwrap().len(), 56);

    let path = folder.path().join("other version.sqlite");
    drop(open(&path).unwrap());
    let other = Connection::open(&path).unwrap();
    for version in [1, 3] {
        other
            .execute_batch(&format!("PRAGMA user_version = {version}"))
            .unwrap();
        assert!(matches!(fault(&path).1, StoreFault::OtherVersion(said) if said == version));
    }
}

#[test]
fn first_scans_into_one_file_make_it_once() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..10 {
        let path = folder.path().join(number.to_string());
        std::thread::scope(|scope| {
            let open = || Store::open(&path, Duration::from_secs(60)).map(drop);
            let all: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            for opened in all {
                opened.join().unwrap().unwrap();
            }
        });
    }
}

#[test]
fn a_database_that_nobody_could_read_meanwhile_is_refused() {
    let (said, found) = fault(Path::new(":memory:"));
    assert!(matches!(found, StoreFault::NoLog(mode) if mode == "memory"));
    assert!(said.contains("name a file on a local disk"), "{said}");
}
