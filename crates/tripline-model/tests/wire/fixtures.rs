//! Old files are read for ever: every file below `fixtures/v1` was once written, and none of them ever leaves.

use std::collections::BTreeSet;

use tripline_model::wire::{read_report, read_run, write_report, write_run};
use tripline_model::{
    Caveat, Failure, FailureKind, Finding, Gate, Measurement, Method, Refusal, Report, Run, Verdict,
};

use crate::acceptances::ACCEPTANCES;
use crate::history::FILES;
use crate::{fixture, place};

/// The run files. This list only grows.
pub(crate) const RUNS: &[&str] = &[
    "run-all.jsonl",
    "run-nothing.jsonl",
    "run-part.jsonl",
    "run-session.jsonl",
    "run-small.jsonl",
];

/// The report files. This list only grows.
pub(crate) const REPORTS: &[&str] = &[
    "report-all.jsonl",
    "report-first.jsonl",
    "report-session.jsonl",
    "report-small.jsonl",
    "reports-two.jsonl",
];

#[test]
fn the_files_are_the_listed_ones() {
    let on_disk: BTreeSet<String> = std::fs::read_dir(place("fixtures/v1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let listed = RUNS.iter().chain(REPORTS).chain(ACCEPTANCES);
    let listed = listed.chain(FILES.iter().map(|(name, _)| name));
    let listed = listed.map(|name| (*name).to_owned());
    assert_eq!(on_disk, listed.collect());
}

#[test]
fn every_run_is_read_and_written_the_same() {
    for name in RUNS {
        let text = fixture(name);
        let run = read_run(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(write_run(&run), text, "{name}");
    }
}

/// The bytes are not compared: a caveat's words stand in the file for other readers, and may be put better one day.
#[test]
fn every_report_is_read_and_comes_back() {
    for name in REPORTS {
        let text = fixture(name);
        let reports =
            read_report(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again: String = reports.iter().map(write_report).collect();
        assert_eq!(read_report(again.as_bytes()), Ok(reports), "{name}");
    }
}

#[test]
fn what_is_said_beside_the_findings_is_computed_anew() {
    let text = fixture("report-small.jsonl");
    let lying = text.replacen(
        "\"gate\":\"fail\",\"counts\":{",
        "\"gate\":\"pass\",\"counts\":{\"added\":9,",
        1,
    );
    assert_ne!(lying, text);
    let report = &read_report(lying.as_bytes()).unwrap()[0];
    assert_eq!(
        (report.gate(), report.count(Verdict::Added)),
        (Gate::Fail, 0)
    );
    assert_eq!(write_report(report), text);
}

#[test]
fn the_runs_show_everything_a_run_can_say() {
    let runs: Vec<Run> = RUNS
        .iter()
        .map(|name| read_run(fixture(name).as_bytes()).unwrap())
        .collect();
    let measurements = || runs.iter().flat_map(Run::measurements);
    assert!(measurements().any(|m| m.answer().is_some()));
    assert!(measurements().any(|m| m.readings().any(|r| r.sample.iterations().is_some())));
    assert!(measurements().any(|m| m.readings().any(|r| r.sample.rounds().is_some())));
    assert!(measurements().any(|m| m.bench().params.len() > 1));
    assert!(
        runs.iter()
            .any(|run| run.revision.is_some() && run.session.is_some())
    );
    assert!(
        runs.iter()
            .any(|run| run.revision.is_none() && run.session.is_none())
    );
    assert!(runs.iter().any(Run::is_empty));
    let parts = || runs.iter().filter_map(|run| run.part.as_ref());
    assert!(parts().any(|part| part.steps() != part.of() && !part.unmeasured.is_empty()));
    assert_every_caveat(measurements().flat_map(Measurement::caveats));
    assert_every_failure(runs.iter().flat_map(|run| &run.failures));
}

#[test]
fn the_reports_show_everything_a_report_can_say() {
    let reports: Vec<Report> = REPORTS
        .iter()
        .flat_map(|name| read_report(fixture(name).as_bytes()).unwrap())
        .collect();
    let findings = || reports.iter().flat_map(|report| &report.findings);
    let verdicts: BTreeSet<Verdict> = findings().map(|f| f.verdict).collect();
    assert_eq!(verdicts, Verdict::ALL.into_iter().collect());
    let gates: BTreeSet<Gate> = findings().map(|f| f.gate).collect();
    assert_eq!(gates, [Gate::Pass, Gate::Warn, Gate::Fail].into());
    let methods: BTreeSet<usize> = findings()
        .map(|f| method_number(f.evidence.method))
        .collect();
    assert_eq!(methods, (0..5).collect());
    assert!(reports.iter().any(|report| report.base.is_none()));
    let evidence = |has: fn(&Finding) -> bool| findings().any(has);
    assert!(evidence(|f| f.evidence.confidence.is_some()));
    assert!(evidence(|f| f.evidence.p_value.is_some()));
    assert!(evidence(|f| f.evidence.e_value.is_some()));
    assert!(evidence(|f| f.evidence.noise.is_some()));
    assert!(evidence(|f| f.evidence.detectable.is_some()));
    assert!(evidence(|f| f.evidence.budget.is_some()));
    assert!(evidence(|f| f.evidence.base.is_none()));
    assert!(evidence(|f| f.evidence.head.is_none()));
    assert!(evidence(|f| f.acceptance.is_some()));
    assert_every_caveat(reports.iter().flat_map(|report| &report.caveats));
    assert_every_caveat(findings().flat_map(|f| &f.caveats));
    assert_every_failure(reports.iter().flat_map(|report| &report.failures));
}

fn assert_every_caveat<'a>(caveats: impl Iterator<Item = &'a Caveat>) {
    let caveats: Vec<&Caveat> = caveats.collect();
    let numbers: BTreeSet<usize> = caveats.iter().copied().map(caveat_number).collect();
    assert_eq!(numbers, (0..32).collect());
    let refusals: BTreeSet<usize> = caveats.iter().copied().filter_map(refusal_number).collect();
    assert_eq!(refusals, (0..5).collect());
}

fn assert_every_failure<'a>(failures: impl Iterator<Item = &'a Failure>) {
    let failures: Vec<&Failure> = failures.collect();
    let numbers: BTreeSet<usize> = failures.iter().map(|f| failure_number(&f.kind)).collect();
    assert_eq!(numbers, (0..10).collect());
    assert!(failures.iter().any(|f| f.detail.is_some()));
    assert!(failures.iter().any(|f| f.tail.contains('\n')));
}

/// Numbers the caveats. There is no wildcard: a new caveat does not compile here until a fixture shows it.
fn caveat_number(caveat: &Caveat) -> usize {
    match caveat {
        Caveat::NoBaseline => 0,
        Caveat::EnvironmentDiffers(_) => 1,
        Caveat::AnswerDiffers { .. } => 2,
        Caveat::MetricDiffers => 3,
        Caveat::NotDeterministic { .. } => 4,
        Caveat::SingleSample => 5,
        Caveat::BaselineOnly => 6,
        Caveat::TinyCount { .. } => 7,
        Caveat::ThreadsNotCounted { .. } => 8,
        Caveat::StepFailed => 9,
        Caveat::ModifiedWorkTree => 10,
        Caveat::AnswerMissing => 11,
        Caveat::TooFewRepeats { .. } => 12,
        Caveat::CollectionChanged => 13,
        Caveat::TooFewPairs { .. } => 14,
        Caveat::Disturbed { .. } => 15,
        Caveat::CannotGate { .. } => 16,
        Caveat::WeakEvidence => 17,
        Caveat::ControlsMoved { .. } => 18,
        Caveat::MostMoved { .. } => 19,
        Caveat::NotComparable(_) => 20,
        Caveat::CanaryFailed { .. } => 21,
        Caveat::BaselineStale => 22,
        Caveat::AcceptanceEnded { .. } => 23,
        Caveat::UnboundedRatio => 24,
        Caveat::CountersMissing { .. } => 25,
        Caveat::BaseBeyondToo => 26,
        Caveat::NoNumber => 27,
        Caveat::AcceptanceIdle { .. } => 28,
        Caveat::TermMissing { .. } => 29,
        Caveat::SuiteGone { .. } => 30,
        Caveat::MeasuredAgain { .. } => 31,
    }
}

/// Numbers the reasons why times are not compared, as [`caveat_number`] does the caveats.
fn refusal_number(caveat: &Caveat) -> Option<usize> {
    let Caveat::NotComparable(refusal) = caveat else {
        return None;
    };
    Some(match refusal {
        Refusal::NoControls { .. } => 0,
        Refusal::Hardware(_) => 1,
        Refusal::ControlsDisagree { .. } => 2,
        Refusal::ControlOff { .. } => 3,
        Refusal::TooNoisy { .. } => 4,
    })
}

/// Numbers the failures, as [`caveat_number`] does the caveats.
fn failure_number(kind: &FailureKind) -> usize {
    match kind {
        FailureKind::Build => 0,
        FailureKind::Exit(_) => 1,
        FailureKind::Signal(_) => 2,
        FailureKind::Timeout(_) => 3,
        FailureKind::Start => 4,
        FailureKind::Nothing => 5,
        FailureKind::DebugBuild => 6,
        FailureKind::Output => 7,
        FailureKind::NoReading => 8,
        FailureKind::Interrupted => 9,
    }
}

/// Numbers the methods, as [`caveat_number`] does the caveats.
fn method_number(method: Method) -> usize {
    match method {
        Method::Exact => 0,
        Method::Paired => 1,
        Method::Historical => 2,
        Method::Budget => 3,
        Method::BaselineOnly => 4,
    }
}
