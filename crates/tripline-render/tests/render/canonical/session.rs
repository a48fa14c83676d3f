//! Reports of base and head measured side by side, of absolute limits, of what was accepted, and of canaries.

use tripline_model::{
    Acceptance, BenchId, Better, Budget, Caveat, Change, CommitId, Covers, FactValue, Finding,
    Gate, Method, Metric, MetricName, Nature, Refusal, Report, Unit, UnitSymbol, Verdict, WorkTree,
};

use super::{FAIL, UNCHANGED, bench, both, finding, identity, report};

const WARN: (Verdict, Gate) = (Verdict::Regressed, Gate::Warn);
const GAIN: (Verdict, Gate) = (Verdict::Improved, Gate::Pass);
const OPEN: (Verdict, Gate) = (Verdict::Inconclusive, Gate::Pass);

/// Returns a finding on pairs: the ratio, and how far the interval reaches to both sides.
pub(crate) fn paired(
    bench: &BenchId,
    metric: &str,
    (base, ratio, reach): (f64, f64, f64),
    answer: (Verdict, Gate),
) -> Finding {
    let mut finding = finding(bench, metric, both(base, base * ratio), answer);
    let evidence = &mut finding.evidence;
    evidence.method = Method::Paired;
    evidence.change = Some(Change {
        ratio,
        low: ratio - reach,
        high: ratio + reach,
    });
    evidence.confidence = Some(0.99);
    evidence.p_value = Some(0.001);
    evidence.e_value = Some(2.5);
    evidence.detectable = Some(2.4 * reach);
    finding
}

fn with(mut finding: Finding, caveats: &[Caveat]) -> Finding {
    finding.caveats.extend_from_slice(caveats);
    finding
}

/// What may stand beside a finding that nobody has to act on.
fn too_few(pairs: usize) -> Caveat {
    Caveat::TooFewPairs { pairs }
}

/// Returns one of each that pairs can say: worse, likely worse, the same, undecided, better.
pub(super) fn all_of_pairs() -> Report {
    let [get, set, scan, churn, trim] =
        ["get", "set", "scan", "churn", "trim"].map(|name| bench(name, &[]));
    let cannot_gate = Caveat::CannotGate {
        detectable: 0.31,
        pairs_needed: 900,
    };
    report(vec![
        finding(&get, "instructions", both(99_000.0, 99_010.0), UNCHANGED),
        with(
            paired(&get, "wall_time", (40e3, 1.048, 0.09), OPEN),
            &[too_few(12)],
        ),
        paired(&get, "cpu_time", (39e3, 1.051, 0.005), FAIL),
        with(
            paired(&set, "cpu_time", (8e6, 1.031, 0.012), WARN),
            &[Caveat::WeakEvidence],
        ),
        paired(&scan, "wall_time", (71e6, 1.003, 0.008), UNCHANGED),
        paired(&scan, "cpu_time", (70e6, 0.999, 0.0003), UNCHANGED),
        with(
            paired(&churn, "wall_time", (52e3, 0.94, 0.13), OPEN),
            &[too_few(9), Caveat::Disturbed { pairs: 2 }],
        ),
        with(
            paired(&churn, "cpu_time", (50e3, 1.02, 0.12), OPEN),
            &[cannot_gate],
        ),
        paired(&trim, "cpu_time", (2e9, 0.42, 0.02), GAIN),
    ])
}

/// Returns a session in which nothing happened: some of it is decided, and some is not.
pub(super) fn quiet() -> Report {
    let [alu, memory, wake] =
        ["control/alu", "control/memory", "control/wake"].map(|name| bench(name, &[]));
    report(vec![
        with(
            paired(&alu, "wall_time", (13_320.0, 1.02, 0.1), OPEN),
            &[too_few(9)],
        ),
        paired(&alu, "cpu_time", (13_310.0, 1.001, 0.004), UNCHANGED),
        paired(&memory, "wall_time", (24_180.0, 0.998, 0.011), UNCHANGED),
        with(
            paired(&wake, "wall_time", (49_450.0, 1.054, 0.2), OPEN),
            &[too_few(8)],
        ),
    ])
}

/// Returns a finding on a derived metric, held against a budget.
fn budgeted(
    name: &str,
    (base, head): (Option<f64>, Option<f64>),
    budget: Budget,
    answer: (Verdict, Gate),
) -> Finding {
    let mut finding = finding(&bench(name, &[]), "wall_time", (base, head), answer);
    finding.metric = Metric {
        name: MetricName::new("degradation").unwrap(),
        unit: Unit::Ratio,
        better: Better::Lower,
        nature: Nature::Summarized,
    };
    finding.evidence.budget = Some(budget);
    finding.evidence.method = Method::Budget;
    finding
}

fn budget(min: Option<f64>, max: Option<f64>) -> Budget {
    Budget { min, max }
}

/// Returns values on every side of their limits.
pub(super) fn budgets() -> Report {
    let most = budget(None, Some(2.0));
    let perhaps = with(
        budgeted(
            "perhaps",
            both(1.9, 2.01),
            most,
            (Verdict::Inconclusive, Gate::Warn),
        ),
        &[Caveat::WeakEvidence],
    );
    let mut perhaps = perhaps;
    perhaps.evidence.method = Method::BaselineOnly;
    let mut within = budgeted("within", both(1.5, 1.51), most, UNCHANGED);
    within.evidence.method = Method::BaselineOnly;
    let mut counted = finding(
        &bench("counted", &[]),
        "instructions",
        both(99_000.0, 99_000.0),
        FAIL,
    );
    counted.evidence.method = Method::Budget;
    counted.evidence.budget = Some(budget(None, Some(90_000.0)));
    let mut unknown = budgeted("unknown", both(1.0, 3.0), most, FAIL);
    unknown.metric.unit = Unit::Other(UnitSymbol::new("furlong").unwrap());
    report(vec![
        budgeted("over", both(1.9, 2.143), most, FAIL),
        budgeted(
            "between",
            both(1.9, 0.8),
            budget(Some(1.0), Some(2.0)),
            FAIL,
        ),
        budgeted("under", both(1.9, 1.4), budget(Some(1.5), None), FAIL),
        perhaps,
        within,
        counted,
        unknown,
    ])
}

/// Returns a first run of which one value crosses its limit.
pub(super) fn budget_of_first_run() -> Report {
    let new = (Verdict::Added, Gate::Pass);
    let most = budget(None, Some(2.0));
    let get = bench("get", &[]);
    Report {
        base: None,
        caveats: vec![Caveat::NoBaseline],
        ..report(vec![
            finding(&get, "instructions", (None, Some(99_000.0)), new),
            budgeted("get", (None, Some(2.143)), most, FAIL),
            finding(&bench("set", &[]), "instructions", (None, Some(7e4)), new),
        ])
    }
}

/// Returns regressions that were accepted, and one of which more has come since.
pub(super) fn accepted() -> Report {
    let acceptance = |from, to| Acceptance {
        who: "Some One <some.one@example.org>".to_owned(),
        because: "the new index needs them".to_owned(),
        from,
        to,
        covers: Covers::Change,
        commit: Some(CommitId::new(&"c".repeat(40)).unwrap()),
        environment: None,
    };
    let passed = (Verdict::Regressed, Gate::Pass);
    let [churn, get, scan, set] = ["churn", "get", "scan", "set"].map(|name| bench(name, &[]));
    let mut counted = finding(&churn, "allocations", both(10.0, 25.0), passed);
    counted.acceptance = Some(acceptance(10.0, 25.0));
    let mut timed = paired(&get, "cpu_time", (39e3, 1.051, 0.005), passed);
    timed.acceptance = Some(acceptance(39e3, 39e3 * 1.051));
    let ended = Caveat::AcceptanceEnded { accepted: 6e6 };
    let idle = Caveat::AcceptanceIdle { accepted: 3e6 };
    report(vec![
        counted,
        timed,
        with(
            finding(&scan, "instructions", both(5e6, 7e6), FAIL),
            &[ended],
        ),
        with(
            finding(
                &set,
                "instructions",
                both(2e6, 2e6),
                (Verdict::Unchanged, Gate::Pass),
            ),
            &[idle],
        ),
    ])
}

/// Returns a report that nobody can trust, because of what these say of the canary.
pub(crate) fn distrusted(words: &[&str]) -> Report {
    let mut report = all_of_pairs();
    report.caveats = words
        .iter()
        .map(|words| Caveat::CanaryFailed {
            what: FactValue::new(words).unwrap(),
        })
        .collect();
    report
}

pub(super) fn failed_canary() -> Report {
    distrusted(&[
        "canary/steady{rounds=1000} instructions was to be unchanged, and is regressed by +3.0 %",
        "canary/planted{percent=5} cpu_time was to be regressed by +3.0 % to +7.0 %, and is unchanged by +0.1 %",
    ])
}

/// Returns a suite that the head does not have, of which the base keeps a run.
pub(super) fn gone() -> Report {
    let removed = |name: &str| {
        let gone = (Verdict::Removed, Gate::Warn);
        finding(&bench(name, &[]), "instructions", (Some(7e4), None), gone)
    };
    let mut report = gone_unknown(Gate::Warn);
    report.base = Some(identity("a", WorkTree::Clean));
    report.findings = vec![removed("get"), removed("set")];
    super::named("queue", report)
}

/// Returns a suite that the head does not have, of which the base keeps no run.
pub(super) fn gone_unknown(gate: Gate) -> Report {
    let report = Report {
        base: None,
        caveats: vec![Caveat::SuiteGone { gate }],
        ..report(Vec::new())
    };
    super::named("log", report)
}

/// Returns a session whose controls moved, and a comparison with a kept run in which most moved.
pub(super) fn machine_moved() -> Vec<Report> {
    let controls = Caveat::ControlsMoved { change: 0.031 };
    let most = Caveat::MostMoved {
        share: 0.8,
        change: 0.052,
    };
    let get = bench("get", &[]);
    let beside = with(
        paired(&get, "cpu_time", (39e3, 1.051, 0.005), OPEN),
        std::slice::from_ref(&controls),
    );
    let no_controls = Caveat::NotComparable(Refusal::NoControls { controls: 2 });
    let kept = with(
        finding(&get, "wall_time", both(39e3, 43e3), OPEN),
        &[no_controls, most.clone()],
    );
    [(beside, controls), (kept, most)]
        .map(|(finding, caveat)| Report {
            caveats: vec![caveat],
            ..report(vec![finding])
        })
        .into()
}
