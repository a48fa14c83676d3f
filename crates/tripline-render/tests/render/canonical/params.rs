//! Reports of benchmarks of one name that differ in several params.

use tripline_model::{Caveat, Finding, Gate, Report, Verdict};

use super::session::paired;
use super::{FAIL, UNCHANGED, bench, both, finding, report};

/// Returns a count by bytes and mode, of which one mode got worse; a time by bytes and threads with one engine, of which
/// one combination is missing; and a benchmark of one param, which is no table.
pub(super) fn by_params() -> Report {
    let mut findings = Vec::new();
    for bytes in ["64", "512", "4096", "32768"] {
        for mode in ["plain", "signed"] {
            let get = bench("get", &[("bytes", bytes), ("mode", mode)]);
            let (values, answer) = match mode {
                "plain" => (both(1e6, 1.001e6), UNCHANGED),
                _ => (both(1e6, 1.2e6), FAIL),
            };
            findings.push(finding(&get, "instructions", values, answer));
        }
    }
    for (bytes, ratio) in [("64", 1.08), ("1024", 1.051)] {
        for (threads, gate) in [("1", Gate::Fail), ("2", Gate::Warn), ("4", Gate::Fail)] {
            if (bytes, threads) != ("64", "4") {
                findings.push(timed(bytes, threads, ratio, gate));
            }
        }
    }
    let alone = |bytes| bench("scan", &[("bytes", bytes)]);
    for bytes in ["1", "2", "3", "4"] {
        let faster = (Verdict::Improved, Gate::Pass);
        findings.push(finding(
            &alone(bytes),
            "instructions",
            both(1e6, 0.9e6),
            faster,
        ));
    }
    report(findings)
}

fn timed(bytes: &str, threads: &str, ratio: f64, gate: Gate) -> Finding {
    let set = bench(
        "set",
        &[("engine", "b|tree"), ("bytes", bytes), ("threads", threads)],
    );
    let mut finding = paired(
        &set,
        "cpu_time",
        (39e3, ratio, 0.005),
        (Verdict::Regressed, gate),
    );
    if gate == Gate::Warn {
        finding.caveats.push(Caveat::WeakEvidence);
    }
    finding
}
