//! Machines that refuse something: rings, raw packets, descriptors.

use std::collections::BTreeMap;
use std::fs;
use std::os::fd::OwnedFd;
use std::process::Command;
use std::thread;

use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use workload_scan::{EngineChoice, Error, Report, Scan, Settings};

use crate::allowed::allows;
use crate::fixture::Fixture;

/// The number of `io_uring_setup`, the same on every architecture.
const SETUP: i64 = 425;

fn scan(fixture: &Fixture, engine: EngineChoice) -> Result<Report, Error> {
    let settings = Settings {
        engine,
        ..Settings::default()
    };
    Scan::new(fixture.targets(), fixture.some_ports(), settings)?.run()
}

fn refusal(result: Result<Report, Error>) -> String {
    let error = result.unwrap_err();
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}

/// Refuses rings to this thread and those it starts, as sandboxes do.
fn refuse_rings() {
    let refused = BTreeMap::from([(SETUP, Vec::new())]);
    let architecture = std::env::consts::ARCH.try_into().unwrap();
    let errno = u32::try_from(rustix::io::Errno::PERM.raw_os_error()).unwrap();
    let filter = SeccompFilter::new(
        refused,
        SeccompAction::Allow,
        SeccompAction::Errno(errno),
        architecture,
    );
    let program: BpfProgram = filter.unwrap().try_into().unwrap();
    apply_filter(&program).unwrap();
}

#[test]
fn where_a_sandbox_refuses_rings_another_engine_asks_and_says_so() {
    let fixture = Fixture::new();
    let sandboxed = || {
        refuse_rings();
        let report = scan(&fixture, EngineChoice::Auto).unwrap();
        assert_eq!(report.engine(), EngineChoice::Epoll);
        assert!(report.is_complete());
        assert_eq!(
            report
                .open()
                .into_iter()
                .collect::<std::collections::BTreeSet<_>>(),
            fixture.open()
        );
        let why = report.fallback().unwrap();
        assert_eq!(why.kind(), std::io::ErrorKind::PermissionDenied);
        let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
        assert_eq!(json["engine"], "epoll");
        assert!(json["fallback"].as_str().unwrap().contains("not permitted"));
        let error = refusal(scan(&fixture, EngineChoice::Ring));
        assert!(
            error.contains("`ring` does not work here; take `auto`"),
            "{error}"
        );
    };
    thread::scope(|scope| scope.spawn(sandboxed).join().unwrap());
}

#[test]
fn without_permission_for_raw_packets_nothing_is_scanned() {
    let fixture = Fixture::new();
    let unprivileged = || {
        let none = CapabilitySet::empty();
        let sets = CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        };
        set_capabilities(None, sets).unwrap();
        let error = refusal(scan(&fixture, EngineChoice::Syn));
        assert!(error.contains("CAP_NET_RAW"), "{error}");
        assert!(error.contains("not permitted"), "{error}");
        assert!(scan(&fixture, EngineChoice::Auto).unwrap().is_complete());
    };
    thread::scope(|scope| scope.spawn(unprivileged).join().unwrap());
}

#[test]
fn with_sixty_four_descriptors_every_engine_still_scans() {
    let fixture = Fixture::new();
    for engine in ["auto", "ring", "epoll", "blocking"] {
        let script = "ulimit -n 64; exec \"$0\" \"$@\"";
        let out = Command::new("sh")
            .args([
                "-c",
                script,
                env!("CARGO_BIN_EXE_workload-scan"),
                "--json",
                "--engine",
                engine,
            ])
            .args(["-T5", "--ports", "all", &fixture.address.to_string()])
            .output()
            .unwrap();
        let talk = String::from_utf8_lossy(&out.stderr);
        if engine == "ring" && !allows(EngineChoice::Ring) {
            assert!(talk.contains("does not work here"), "{talk}");
            continue;
        }
        assert!(out.status.success(), "{engine}: {talk}");
        let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(report["missing"], 0);
        let most = report["counters"]["in_flight_max"].as_u64().unwrap();
        assert!(most * report["threads"].as_u64().unwrap() <= 40);
        let open = report["hosts"][0]["open"].as_array().unwrap();
        assert!(
            fixture
                .open()
                .iter()
                .all(|it| open.contains(&it.port().into()))
        );
    }
}

#[test]
fn descriptors_that_somebody_else_holds_are_not_counted_on() {
    let fixture = Fixture::new();
    let null = fs::File::open("/dev/null").unwrap();
    // Not closed when a program is started, so that it is the scanner that holds them.
    let held: Vec<OwnedFd> = (0..42).map(|_| rustix::io::dup(&null).unwrap()).collect();
    for engine in ["auto", "epoll", "blocking"] {
        let out = Command::new("sh")
            .args([
                "-c",
                "ulimit -n 64; exec \"$0\" \"$@\"",
                env!("CARGO_BIN_EXE_workload-scan"),
            ])
            .args(["--json", "--engine", engine, "--threads", "2", "-T5"])
            .args(["--ports", "1-4096", &fixture.address.to_string()])
            .output()
            .unwrap();
        let talk = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{engine}: {talk}");
        let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(report["missing"], 0);
    }
    assert_eq!(held.len(), 42);
}
