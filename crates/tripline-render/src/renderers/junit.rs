//! JUnit's XML, for whatever shows tests: a suite is a suite, a benchmark is a test.
//!
//! A benchmark fails where its gate does, is an error where it was to be measured and was not, and is skipped where the
//! numbers allow no verdict. Each finding is a property with its values, so that nothing is lost on the way. Tested by
//! snapshots of every canonical report, and with an XML parser over arbitrary names.

use tripline_model::{Caveat, Finding, Gate, Report, RunIdentity, Verdict};

use crate::annotation::said;
use crate::escape::xml;
use crate::outline::{Outline, worst_first};
use crate::standing::Standing;
use crate::{Detail, Renderer, View, cell};

/// JUnit's XML.
pub(crate) static RENDERER: Renderer = Renderer {
    name: "junit",
    about: "JUnit XML, for what shows tests: one test a benchmark",
    render,
};

/// What became of a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Passed,
    Skipped,
    Failed,
    Error,
}

/// One test.
struct Case {
    name: String,
    fate: Fate,
    message: String,
    text: String,
    properties: Vec<[String; 2]>,
}

/// Renders reports. Programs get everything: the view decides nothing.
fn render(reports: &[Report], _view: &View) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for outline in worst_first(reports, Detail::Full) {
        suite(&outline, &mut out);
    }
    out.push_str("</testsuites>\n");
    out
}

fn suite(outline: &Outline<'_>, out: &mut String) {
    let report = outline.report;
    let canary = outline.canary_failures().map(|what| Case {
        name: "canary".to_owned(),
        fate: Fate::Error,
        message: "the canary failed, so this report cannot be trusted".to_owned(),
        text: what.to_string(),
        properties: Vec::new(),
    });
    let gone = outline.unknown_suite_gone().map(|gate| Case {
        name: "suite".to_owned(),
        fate: match gate {
            Gate::Fail => Fate::Failed,
            Gate::Warn | Gate::Pass => Fate::Skipped,
        },
        message: "removed as a whole".to_owned(),
        text: Caveat::SuiteGone { gate }.text(),
        properties: Vec::new(),
    });
    let failures = report.failures.iter().map(|failure| Case {
        name: ["step ", failure.step.as_str()].concat(),
        fate: Fate::Error,
        message: [failure.kind.text().as_str(), "; ", failure.advice()].concat(),
        text: [
            failure.detail.as_deref().unwrap_or_default(),
            "\n",
            &failure.tail,
        ]
        .concat(),
        properties: Vec::new(),
    });
    let benches = report.findings.chunk_by(|a, b| a.bench == b.bench);
    let benches = benches.zip(&outline.glances);
    let benches = benches.map(|(of_bench, glance)| of_benchmark(of_bench, glance.deciding));
    let cases = canary.chain(gone).chain(failures).chain(benches);
    let cases: Vec<Case> = cases.collect();

    let count = |fate| cases.iter().filter(|case| case.fate == fate).count();
    let attributes = [
        ("name", report.suite.to_string()),
        ("tests", cases.len().to_string()),
        ("failures", count(Fate::Failed).to_string()),
        ("errors", count(Fate::Error).to_string()),
        ("skipped", count(Fate::Skipped).to_string()),
        // Without its fraction and zone, which the format does not know.
        (
            "timestamp",
            report
                .head
                .measured_at
                .to_string()
                .chars()
                .take(19)
                .collect(),
        ),
    ];
    out.extend(["  <testsuite", &said_attributes(&attributes), ">\n"]);
    properties(&identities(report), "    ", out);
    for case in &cases {
        write(case, report.suite.as_str(), out);
    }
    out.push_str("  </testsuite>\n");
}

/// Says which runs were compared.
fn identities(report: &Report) -> Vec<[String; 2]> {
    let sides = [("base", report.base.as_ref()), ("head", Some(&report.head))];
    let mut all = Vec::new();
    for (side, identity) in sides {
        let Some(RunIdentity {
            revision,
            environment,
            ..
        }) = identity
        else {
            continue;
        };
        let commit = revision
            .iter()
            .map(|r| [[side, ".commit"].concat(), r.commit.to_string()]);
        all.extend(commit);
        all.push([
            [side, ".environment"].concat(),
            environment.name.to_string(),
        ]);
    }
    all
}

fn of_benchmark(findings: &[Finding], deciding: &Finding) -> Case {
    let gate = findings.iter().map(|finding| finding.gate).max();
    let fate = match Standing::of(deciding) {
        Standing::Is(Verdict::Broken) => Fate::Error,
        _ if gate == Some(Gate::Fail) => Fate::Failed,
        Standing::Is(Verdict::Inconclusive | Verdict::Removed) | Standing::Undecided => {
            Fate::Skipped
        }
        _ => Fate::Passed,
    };
    let is_said = |finding: &&Finding| {
        let is_deciding = std::ptr::eq(*finding, deciding);
        let is_accepted = finding.acceptance.is_some();
        finding.gate != Gate::Pass || is_accepted || (is_deciding && fate != Fate::Passed)
    };
    let lines = findings.iter().filter(is_said).map(said);
    Case {
        name: deciding.bench.within_suite(),
        fate,
        message: [cell::word(deciding), ": ", deciding.metric.name.as_str()].concat(),
        text: lines.collect::<Vec<String>>().join("\n"),
        properties: findings.iter().map(property).collect(),
    }
}

/// Returns what was found of one metric, in numbers that a program reads.
fn property(finding: &Finding) -> [String; 2] {
    let evidence = &finding.evidence;
    let sides = [("base", &evidence.base), ("head", &evidence.head)];
    let mut value = finding.verdict.word().to_owned();
    for (side, summary) in sides {
        if let Some(summary) = summary {
            value.extend([" ", side, "=", &summary.center.to_string()]);
        }
    }
    value.extend([" unit=", finding.metric.unit.symbol()]);
    [finding.metric.name.to_string(), value]
}

fn write(case: &Case, suite: &str, out: &mut String) {
    let attributes = [("classname", suite.to_owned()), ("name", case.name.clone())];
    out.extend(["    <testcase", &said_attributes(&attributes), ">\n"]);
    properties(&case.properties, "      ", out);
    let message = said_attributes(&[("message", case.message.clone())]);
    let (element, attributes) = match case.fate {
        // A warning stops nothing, and is said all the same.
        Fate::Passed => ("system-out", ""),
        Fate::Skipped => ("skipped", message.as_str()),
        Fate::Failed => ("failure", message.as_str()),
        Fate::Error => ("error", message.as_str()),
    };
    if case.fate != Fate::Passed || !case.text.is_empty() {
        let text = xml(&case.text.replace('\t', " "));
        out.extend(["      <", element, attributes, ">", &text]);
        out.extend(["</", element, ">\n"]);
    }
    out.push_str("    </testcase>\n");
}

fn properties(properties: &[[String; 2]], indent: &str, out: &mut String) {
    if properties.is_empty() {
        return;
    }
    out.extend([indent, "<properties>\n"]);
    for [name, value] in properties {
        let attributes = [("name", name.clone()), ("value", value.clone())];
        out.extend([indent, "  <property", &said_attributes(&attributes), "/>\n"]);
    }
    out.extend([indent, "</properties>\n"]);
}

/// Writes attributes. An attribute is one line.
fn said_attributes(attributes: &[(&str, String)]) -> String {
    let mut text = String::new();
    for (name, value) in attributes {
        let value = xml(&value.replace('\n', " "));
        text.extend([" ", *name, "=\"", &value, "\""]);
    }
    text
}
