//! What every engine promises, and that no port is open that is not.

use std::collections::BTreeSet;
use std::net::{Ipv6Addr, SocketAddr, TcpListener};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use workload_scan::{
    EngineChoice, Error, PortSet, Report, Scan, Settings, Targets, Template, Timing, Verdict,
};

use crate::allowed::allows;
use crate::fixture::{Fixture, OPEN, strangers};

const CONNECTING: [EngineChoice; 4] = [
    EngineChoice::Auto,
    EngineChoice::Ring,
    EngineChoice::Epoll,
    EngineChoice::Blocking,
];

fn settings(engine: EngineChoice) -> Settings {
    Settings {
        engine,
        ..Settings::default()
    }
}

/// Scans; nothing where this machine cannot have the engine, which must then be what the error says.
fn scan(targets: Targets, ports: PortSet, settings: Settings) -> Option<Report> {
    let engine = settings.engine;
    let result = Scan::new(targets, ports, settings).unwrap().run();
    came(engine, result)
}

/// A report of the engine that was asked for; nothing exactly where this machine refuses what that needs.
fn came(engine: EngineChoice, result: Result<Report, Error>) -> Option<Report> {
    let report = match result {
        Ok(report) => report,
        Err(Error::Engine { engine: named, .. }) => {
            assert_eq!(named, engine.name());
            assert!(!allows(engine), "{named} would work here");
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let wanted = match engine {
        EngineChoice::Auto if allows(EngineChoice::Ring) => EngineChoice::Ring,
        EngineChoice::Auto => EngineChoice::Epoll,
        named => named,
    };
    assert_eq!(report.engine(), wanted, "{:?}", report.fallback());
    let is_instead = engine == EngineChoice::Auto && wanted == EngineChoice::Epoll;
    assert_eq!(report.fallback().is_some(), is_instead);
    Some(report)
}

#[test]
fn full_scans_find_what_listens_and_nothing_else() {
    let fixture = Fixture::new();
    for engine in CONNECTING.into_iter().chain([EngineChoice::Syn]) {
        for _ in 0..2 {
            let before = strangers();
            let Some(report) = scan(fixture.targets(), PortSet::all(), settings(engine)) else {
                continue;
            };
            assert_eq!(report.total(), 65_535);
            fixture.check(&report, &before);
            let counters = report.counters();
            assert!(counters.probes >= 65_535, "{counters:?}");
            assert!(counters.calls > 0);
        }
    }
}

#[test]
fn one_socket_asks_open_and_closed_ports_in_turn() {
    let fixture = Fixture::new();
    for engine in CONNECTING.into_iter().chain([EngineChoice::Syn]) {
        let mut settings = settings(engine);
        settings.timing.parallelism = 1;
        settings.threads = NonZero::new(1);
        if let Some(report) = scan(fixture.targets(), fixture.some_ports(), settings) {
            assert!(report.is_complete());
            assert_eq!(
                report.open().into_iter().collect::<BTreeSet<_>>(),
                fixture.open()
            );
            assert_eq!(report.count(Verdict::Filtered), 0);
            assert_eq!(report.counters().in_flight_max, 1);
        }
    }
}

#[test]
fn many_hosts_are_one_scan() {
    let fixtures: Vec<Fixture> = std::iter::repeat_with(Fixture::new).take(5).collect();
    let names: Vec<String> = fixtures
        .iter()
        .map(|fixture| fixture.address.to_string())
        .collect();
    let ports: BTreeSet<u16> = fixtures
        .iter()
        .flat_map(Fixture::open)
        .map(|it| it.port())
        .collect();
    let ports: Vec<String> = ports.iter().map(ToString::to_string).collect();
    for engine in CONNECTING {
        let targets = Targets::parse(&names.join(",")).unwrap();
        let ports: PortSet = ports.join(",").parse().unwrap();
        if let Some(report) = scan(targets, ports, settings(engine)) {
            let wanted: BTreeSet<SocketAddr> = fixtures.iter().flat_map(Fixture::open).collect();
            assert_eq!(wanted.len(), 5 * OPEN);
            assert_eq!(report.open().into_iter().collect::<BTreeSet<_>>(), wanted);
            assert!(report.is_complete());
        }
    }
}

#[test]
fn a_version_six_loopback_has_one_address_and_no_false_open_port_either() {
    let Ok(listener) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) else {
        // There is no version six here.
        return;
    };
    let address = listener.local_addr().unwrap();
    for engine in CONNECTING {
        let before = strangers();
        // Where the kernel takes ports from, unless it is told otherwise.
        let ports = "32768-60999".parse().unwrap();
        let Some(report) = scan(address.ip().into(), ports, settings(engine)) else {
            continue;
        };
        assert!(report.is_complete());
        assert!(report.open().contains(&address));
        let known = before.union(&strangers()).copied().collect::<BTreeSet<_>>();
        for open in report.open() {
            assert!(open == address || known.contains(&open.port()), "{open}");
        }
    }
}

#[test]
fn a_scaled_clock_makes_the_templates_pace_visible() {
    let fixture = Fixture::new();
    for engine in CONNECTING {
        let settings = Settings {
            timing: Template::Paranoid.timing(),
            // Five minutes are a millisecond and a half.
            clock_speed: 200_000,
            engine,
            ..Settings::default()
        };
        if let Some(report) = scan(fixture.targets(), fixture.some_ports(), settings) {
            assert!(report.is_complete());
            assert!(report.paced().intervals >= 20);
            assert_eq!(report.counters().in_flight_max, 1);
            assert_eq!(report.threads(), 1);
            // Never faster than asked, however the machine is loaded.
            let mean = report.paced().mean().unwrap();
            assert!(
                mean >= Template::Paranoid.timing().delay * 95 / 100,
                "{mean:?}"
            );
        }
    }
}

#[test]
fn the_pace_goes_on_from_target_to_target() {
    if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_err() {
        // There is no version six here, and no second kind of socket on this machine alone.
        return;
    }
    let fixture = Fixture::new();
    let targets = format!("{},::1", fixture.address);
    let settings = Settings {
        timing: Template::Paranoid.timing(),
        clock_speed: 200_000,
        ..Settings::default()
    };
    let scan = Scan::new(
        Targets::parse(&targets).unwrap(),
        "1-10".parse().unwrap(),
        settings,
    );
    let report = scan.unwrap().run().unwrap();
    assert!(report.is_complete());
    // Between the last probe of one and the first of the other there is a pause as well.
    let paced = report.paced();
    assert_eq!(paced.intervals + 1, report.counters().probes);
    assert!(paced.mean().unwrap() >= Template::Paranoid.timing().delay * 95 / 100);
}

#[test]
fn whoever_says_stop_gets_what_was_found_until_then() {
    let fixture = Fixture::new();
    for engine in CONNECTING {
        let stop = Arc::new(AtomicBool::new(false));
        let settings = Settings {
            stop: Arc::clone(&stop),
            // So slow that it cannot be over.
            timing: Timing {
                delay: std::time::Duration::from_secs(3_600),
                parallelism: 1,
                ..Timing::default()
            },
            engine,
            ..Settings::default()
        };
        let scan = Scan::new(fixture.targets(), fixture.some_ports(), settings).unwrap();
        let result = scan.watch(|progress| {
            assert_eq!(progress.total, u64::from(fixture.some_ports().len()));
            if progress.done > 0 {
                stop.store(true, Ordering::Relaxed);
            }
        });
        if let Some(report) = came(engine, result) {
            assert!(!report.is_complete());
            assert!(report.missing() < report.total());
            assert!(report.text().contains("partial"));
            assert!(report.json().contains("\"complete\":false"));
        }
    }
}

#[test]
fn threads_never_make_more_probes_than_are_allowed() {
    let fixture = Fixture::new();
    for engine in CONNECTING {
        let mut settings = settings(engine);
        settings.timing.parallelism = 3;
        settings.threads = NonZero::new(8);
        if let Some(report) = scan(fixture.targets(), "1-4096".parse().unwrap(), settings) {
            assert!(report.is_complete());
            let most = report.counters().in_flight_max * u64::from(report.threads());
            assert!(most <= 3, "{most}");
        }
    }
}
