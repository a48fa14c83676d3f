//! The reports every output must be able to render.

pub(crate) mod params;
pub(crate) mod session;

use jiff::Timestamp;
use tripline_model::{
    Acceptance, BenchId, BenchName, Budget, Caveat, Change, CommitId, Covers, Digest, Environment,
    EnvironmentName, Evidence, Failure, FailureKind, Finding, Gate, Method, Metric, Nature,
    ParamKey, ParamValue, Report, Revision, RunIdentity, StepName, SuiteName, Summary, Tolerance,
    Unit, UnitSymbol, Verdict, WorkTree,
};

/// Returns each canonical case with its reports.
pub(crate) fn all() -> Vec<(&'static str, Vec<Report>)> {
    vec![
        ("nothing_judged", vec![]),
        ("first_run", vec![first_run()]),
        ("all_unchanged", vec![all_unchanged()]),
        ("one_regression", vec![one_regression()]),
        ("mixed", vec![mixed()]),
        ("broken_head", vec![broken_head()]),
        ("only_failures", vec![only_failures()]),
        ("removed", vec![removed()]),
        ("environments_differ", vec![environments_differ()]),
        (
            "several_suites",
            vec![all_unchanged(), named("p2p", one_regression())],
        ),
        ("hostile", vec![hostile()]),
        ("paired", vec![session::all_of_pairs()]),
        ("paired_quiet", vec![session::quiet()]),
        ("budgets", vec![session::budgets()]),
        ("budget_first_run", vec![session::budget_of_first_run()]),
        ("accepted", vec![session::accepted()]),
        ("by_params", vec![params::by_params()]),
        ("failed_canary", vec![session::failed_canary()]),
        ("machine_moved", session::machine_moved()),
        (
            "suites_gone",
            vec![
                all_unchanged(),
                session::gone(),
                session::gone_unknown(Gate::Fail),
            ],
        ),
    ]
}

pub(crate) fn identity(digit: &str, work_tree: WorkTree) -> RunIdentity {
    let mut environment = Environment::new(EnvironmentName::new("debian-12-x86_64").unwrap());
    environment.state_text("libc", "glibc 2.36").unwrap();
    RunIdentity {
        revision: Some(Revision {
            commit: CommitId::new(&digit.repeat(40)).unwrap(),
            work_tree,
        }),
        measured_at: "2026-03-01T12:00:00Z".parse::<Timestamp>().unwrap(),
        environment,
    }
}

pub(crate) fn bench(name: &str, params: &[(&str, &str)]) -> BenchId {
    BenchId {
        suite: SuiteName::new("store").unwrap(),
        name: BenchName::new(name).unwrap(),
        params: params
            .iter()
            .map(|(key, value)| (ParamKey::new(key).unwrap(), ParamValue::new(value).unwrap()))
            .collect(),
    }
}

fn summary(value: f64, nature: Nature) -> Summary {
    // A time spreads a little; a count does not.
    let (spread, count) = match nature {
        Nature::Exact => (0.0, 2),
        Nature::Sampled | Nature::Summarized => (0.01, 100),
    };
    Summary {
        center: value,
        low: value * (1.0 - spread),
        high: value * (1.0 + spread),
        count,
    }
}

/// Returns a finding on one metric, described as the judge would.
pub(crate) fn finding(
    bench: &BenchId,
    metric: &str,
    (base, head): (Option<f64>, Option<f64>),
    (verdict, gate): (Verdict, Gate),
) -> Finding {
    let metric = Metric::known(metric).unwrap();
    let (base, head) = (
        base.map(|value| summary(value, metric.nature)),
        head.map(|value| summary(value, metric.nature)),
    );
    let change = base.zip(head).filter(|(base, _)| base.center > 0.0);
    Finding {
        bench: bench.clone(),
        verdict,
        gate,
        evidence: Evidence {
            base,
            head,
            change: change.map(|(base, head)| Change {
                ratio: head.center / base.center,
                low: head.low / base.high,
                high: head.high / base.low,
            }),
            ..Evidence::new(method_of(&metric), TOLERANCE)
        },
        metric,
        caveats: Vec::new(),
        acceptance: None,
    }
}

const TOLERANCE: Tolerance = Tolerance {
    relative: 0.001,
    floor: 50.0,
};

fn method_of(metric: &Metric) -> Method {
    match metric.nature {
        Nature::Exact => Method::Exact,
        Nature::Sampled | Nature::Summarized => Method::BaselineOnly,
    }
}

const UNCHANGED: (Verdict, Gate) = (Verdict::Unchanged, Gate::Pass);
const FAIL: (Verdict, Gate) = (Verdict::Regressed, Gate::Fail);

fn both(base: f64, head: f64) -> (Option<f64>, Option<f64>) {
    (Some(base), Some(head))
}

pub(crate) fn report(findings: Vec<Finding>) -> Report {
    Report {
        suite: SuiteName::new("store").unwrap(),
        base: Some(identity("1", WorkTree::Clean)),
        head: identity("2", WorkTree::Clean),
        findings,
        failures: Vec::new(),
        caveats: Vec::new(),
    }
}

fn named(suite: &str, mut report: Report) -> Report {
    report.suite = SuiteName::new(suite).unwrap();
    for finding in &mut report.findings {
        finding.bench.suite = report.suite.clone();
    }
    report
}

/// Returns the three usual findings of a benchmark that did not change.
fn unchanged(bench: &BenchId, count: f64) -> Vec<Finding> {
    vec![
        finding(bench, "instructions", both(count, count), UNCHANGED),
        finding(
            bench,
            "estimated_cycles",
            both(count * 1.7, count * 1.7 + 30.0),
            UNCHANGED,
        ),
        finding(
            bench,
            "wall_time",
            both(count * 0.31, count * 0.33),
            UNCHANGED,
        ),
    ]
}

fn first_run() -> Report {
    let added = (Verdict::Added, Gate::Pass);
    let findings = [("get", 1_234_567.0), ("set", 99_000.0)].map(|(name, count)| {
        let bench = bench(name, &[("bytes", "64")]);
        let mut time = finding(&bench, "wall_time", (None, Some(count * 0.31)), added);
        time.caveats.push(Caveat::SingleSample);
        [
            finding(&bench, "instructions", (None, Some(count)), added),
            finding(&bench, "allocations", (None, Some(12.0)), added),
            time,
        ]
    });
    Report {
        base: None,
        caveats: vec![Caveat::NoBaseline],
        ..report(findings.concat())
    }
}

fn all_unchanged() -> Report {
    let mut findings = unchanged(&bench("get", &[("bytes", "64")]), 1_234_567.0);
    findings[0] = finding(
        &findings[0].bench,
        "instructions",
        both(1_234_567.0, 1_234_601.0),
        UNCHANGED,
    );
    findings.extend(unchanged(&bench("set", &[("bytes", "64")]), 99_000.0));
    report(findings)
}

fn one_regression() -> Report {
    let slow = bench("get", &[("bytes", "64")]);
    let mut findings = vec![
        finding(&slow, "instructions", both(1_234_567.0, 1_335_801.0), FAIL),
        finding(
            &slow,
            "estimated_cycles",
            both(2e6, 2.2e6),
            (Verdict::Regressed, Gate::Warn),
        ),
        finding(
            &slow,
            "data_reads",
            both(5e5, 6e5),
            (Verdict::Regressed, Gate::Pass),
        ),
        finding(&slow, "wall_time", both(4e5, 4.4e5), UNCHANGED),
    ];
    findings.extend(unchanged(&bench("set", &[("bytes", "64")]), 99_000.0));
    report(findings)
}

fn mixed() -> Report {
    let mut findings = one_regression().findings;
    let taken = bench("churn", &[]);
    let mut accepted = finding(
        &taken,
        "allocations",
        both(10.0, 25.0),
        (Verdict::Regressed, Gate::Pass),
    );
    accepted.acceptance = Some(Acceptance {
        who: "someone".to_owned(),
        because: "the new index needs them".to_owned(),
        from: 10.0,
        to: 25.0,
        covers: Covers::Change,
        commit: None,
        environment: None,
    });
    findings.insert(0, accepted);
    let faster = bench("scan", &[("count", "1000")]);
    findings.push(finding(
        &faster,
        "instructions",
        both(5e6, 4e6),
        (Verdict::Improved, Gate::Pass),
    ));
    let mut time = finding(
        &faster,
        "wall_time",
        both(2e6, 1e6),
        (Verdict::Inconclusive, Gate::Pass),
    );
    time.caveats.push(Caveat::BaselineOnly);
    findings.push(time);
    findings.extend(doubtful());
    findings.extend(not_the_same_work());
    let gone = (Verdict::Removed, Gate::Warn);
    findings.push(finding(
        &bench("trim", &[]),
        "instructions",
        (Some(7e4), None),
        gone,
    ));
    findings.push(finding(
        &bench("trim", &[]),
        "wall_time",
        (Some(7e4), None),
        gone,
    ));
    let new = (Verdict::Added, Gate::Pass);
    findings.push(finding(
        &bench("union", &[]),
        "instructions",
        (None, Some(8e4)),
        new,
    ));
    Report {
        head: identity("2", WorkTree::Modified),
        caveats: vec![Caveat::ModifiedWorkTree],
        ..report(findings)
    }
}

/// Returns findings that say why they are to be trusted less.
fn doubtful() -> [Finding; 2] {
    let mut other_work = finding(
        &bench("sort", &[]),
        "instructions",
        both(5e6, 1e6),
        (Verdict::Inconclusive, Gate::Warn),
    );
    other_work.caveats.push(Caveat::AnswerDiffers {
        base: Digest::new("aa11").unwrap(),
        head: Digest::new("bb22").unwrap(),
    });
    let mut jittery = finding(
        &bench("spawn", &[]),
        "instructions",
        both(0.0, 90.0),
        (Verdict::Regressed, Gate::Warn),
    );
    jittery.caveats.extend([
        Caveat::NotDeterministic { spread: 0.0123 },
        Caveat::TooFewRepeats { repeats: 2 },
    ]);
    [other_work, jittery]
}

/// Returns findings on counts that are not of the work that is meant, or may not be.
fn not_the_same_work() -> [Finding; 3] {
    let warned = |name: &str, head, caveats: &[Caveat]| {
        let doubt = (Verdict::Inconclusive, Gate::Warn);
        let mut finding = finding(&bench(name, &[]), "instructions", both(1e6, head), doubt);
        finding.caveats = caveats.to_vec();
        finding
    };
    let mut silent = finding(
        &bench("sum", &[]),
        "instructions",
        both(1e6, 1e6),
        UNCHANGED,
    );
    silent.caveats.push(Caveat::AnswerMissing);
    let tiny = Caveat::TinyCount { count: 11.0 };
    let threads = Caveat::ThreadsNotCounted { threads: 3 };
    [
        silent,
        warned("toggle", 11.0, &[tiny, Caveat::CollectionChanged]),
        warned("threads", 300.0, &[threads, Caveat::AnswerMissing]),
    ]
}

fn failure(tail: &str) -> Failure {
    let step = StepName::new("counts").unwrap();
    let detail = Some("3 of 5 benchmarks had run".to_owned());
    Failure::new(step, FailureKind::Exit(101), detail, tail)
}

fn broken_head() -> Report {
    let broken = (Verdict::Broken, Gate::Fail);
    let mut findings = unchanged(&bench("get", &[]), 99_000.0);
    for metric in ["instructions", "wall_time"] {
        let mut finding = finding(&bench("set", &[]), metric, (Some(7e4), None), broken);
        finding.caveats.push(Caveat::StepFailed);
        findings.push(finding);
    }
    let lines: Vec<String> = (1..=30).map(|line| format!("line {line}")).collect();
    Report {
        failures: vec![failure(&lines.join("\n"))],
        ..report(findings)
    }
}

fn only_failures() -> Report {
    let step = StepName::new("times").unwrap();
    Report {
        base: None,
        failures: vec![
            failure("thread 'main' panicked"),
            Failure::new(step, FailureKind::Timeout(600), None, ""),
        ],
        caveats: vec![Caveat::NoBaseline],
        ..report(Vec::new())
    }
}

fn removed() -> Report {
    let mut findings = unchanged(&bench("get", &[]), 99_000.0);
    for metric in ["instructions", "estimated_cycles", "wall_time"] {
        findings.push(finding(
            &bench("set", &[]),
            metric,
            (Some(7e4), None),
            (Verdict::Removed, Gate::Warn),
        ));
    }
    report(findings)
}

fn environments_differ() -> Report {
    let mut report = one_regression();
    report
        .head
        .environment
        .state_text("libc", "glibc 2.39")
        .unwrap();
    report
        .head
        .environment
        .state_text("valgrind", "3.22")
        .unwrap();
    let base = &report.base.as_ref().unwrap().environment;
    let facts = base.differences_that_matter(&report.head.environment, Nature::Exact);
    let caveat = Caveat::EnvironmentDiffers(facts);
    for finding in &mut report.findings {
        if finding.metric.nature == Nature::Exact {
            finding.verdict = Verdict::Inconclusive;
            finding.gate = Gate::Pass;
            finding.caveats.push(caveat.clone());
        }
    }
    report.caveats.push(caveat);
    report
}

/// Texts that are names and try to be more.
pub(crate) const HOSTILE: &[&str] = &[
    "a | b | c",
    "`code` ``more``",
    "@everyone #1 GH-1",
    "<img src=x onerror=alert(1)> <!-- x",
    "</details><script>",
    "[link](https://evil.example) ![i](x)",
    "https://evil.example www.evil.example a@evil.example",
    "**bold** _em_ ~~strike~~ # head",
    "a\\|b \\",
    "| --- |",
    "&lt;b&gt; &#64;x $x^2$ :tada:",
    "名前 größe 🦀",
    "::error title=x::y",
    "##[group]x ##vso[task.complete]",
];

fn hostile() -> Report {
    let mut findings = Vec::new();
    for (index, name) in HOSTILE.iter().enumerate() {
        let bench = bench(name, &[(name, name)]);
        let mut finding = finding(&bench, "instructions", both(1e6, 2.1e6), FAIL);
        if index == 0 {
            finding.metric.unit = Unit::Other(UnitSymbol::new("|@u`<b>\\|").unwrap());
            finding.acceptance = Some(Acceptance {
                who: "@everyone\n<b>".to_owned(),
                because: "`x` \u{1b}[31m https://evil.example".to_owned(),
                from: 1e6,
                to: 2.1e6,
                covers: Covers::Change,
                commit: None,
                environment: None,
            });
            finding.evidence.method = Method::Budget;
            finding.evidence.budget = Some(Budget {
                min: None,
                max: Some(2e6),
            });
        }
        findings.push(finding);
    }
    let mut report = report(findings);
    let text = "`@everyone` <b> https://evil.example";
    report.head.environment.state_text("libc", text).unwrap();
    let base = &report.base.as_ref().unwrap().environment;
    let facts = base.differences_that_matter(&report.head.environment, Nature::Exact);
    report.caveats.push(Caveat::EnvironmentDiffers(facts));
    let step = StepName::new("counts").unwrap();
    let mut failure = Failure::new(step, FailureKind::Build, None, "");
    // A report read from elsewhere need not have come through our constructor.
    failure.detail = Some("@everyone `<b>`\r\u{1b}[2J\n# head".to_owned());
    failure.tail = "```\n</details>\n@everyone \u{1b}]0;x\u{7}\n````\n\u{202e}abc".to_owned();
    report.failures.push(failure);
    report
}
