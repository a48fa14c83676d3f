//! SARIF 2.1.0, for whatever shows findings of analyses.
//!
//! A benchmark is a logical location, and where the view knows where its suite is written, a line of that file. In a
//! message braces are doubled and brackets escaped, as the format asks, because they would be placeholders and links.
//! Tested by the published schema over every canonical report, and with arbitrary names.

use serde_json::{Value, json};
use tripline_model::{Caveat, FactValue, Failure, Finding, Gate, Report, RunIdentity, Verdict};

use crate::annotation::said;
use crate::escape::{self, visible_lines};
use crate::outline::{Outline, worst_first};
use crate::place::{Place, Places};
use crate::standing::Standing;
use crate::{Detail, Renderer, View};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The format's name for the place of our fingerprints; the number is for when we make them differently.
const FINGERPRINT: &str = "triplineFinding/v1";

/// What can be found: the name, the same in a few words, and what it means.
const RULES: &[[&str; 3]] = &[
    [
        "broken",
        "A benchmark is broken",
        "It was to be measured, and was not.",
    ],
    [
        "regressed",
        "A benchmark got worse",
        "It got worse by more than the tolerance.",
    ],
    [
        "outside-budget",
        "A value crosses its limit",
        "It crosses an absolute limit, whatever it was before.",
    ],
    [
        "removed",
        "A benchmark is gone",
        "The base has it, and the head does not.",
    ],
    [
        "suite-gone",
        "A suite is gone",
        "The base measures it, and the head does not.",
    ],
    [
        "inconclusive",
        "A benchmark allows no verdict",
        "The numbers do not allow a verdict, and something hangs on it.",
    ],
    [
        "step-failed",
        "A step failed",
        "It gave no measurement; what it holds was not compared.",
    ],
    [
        "canary-failed",
        "The canary failed",
        "The gate did not see what was planted, or saw what was not: the report cannot be trusted.",
    ],
];

/// SARIF 2.1.0.
pub(crate) static RENDERER: Renderer = Renderer {
    name: "sarif",
    about: "SARIF 2.1.0, for what shows findings of analyses",
    render,
};

/// Renders reports, each as a run of the tool. Programs get everything: the view decides nothing but where suites stand.
fn render(reports: &[Report], view: &View) -> String {
    let outlines = worst_first(reports, Detail::Full);
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": outlines.iter().map(|outline| run(outline, &view.places)).collect::<Vec<Value>>(),
    });
    escape::json(format!("{log:#}\n"))
}

fn run(outline: &Outline<'_>, places: &Places) -> Value {
    let report = outline.report;
    let suite = report.suite.as_str();
    let canary = outline.canary_failures().map(|what| {
        let place = places.of_suite(&report.suite);
        standing_at(place, canary(suite, what))
    });
    let gone = outline
        .unknown_suite_gone()
        .map(|gate| standing_at(places.of_suite(&report.suite), gone(suite, gate)));
    let failures = report.failures.iter().map(|failure| {
        let place = places.of_step(&report.suite, &failure.step);
        standing_at(place, failed(suite, failure))
    });
    let results = report.findings.iter().filter(|finding| is_result(finding));
    let findings =
        results.map(|finding| standing_at(places.of_bench(&finding.bench), found(finding)));
    let results = canary.chain(gone).chain(failures).chain(findings);
    let results: Vec<Value> = results.collect();
    json!({
        "tool": { "driver": {
            "name": "Tripline",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": RULES.iter().map(rule).collect::<Vec<Value>>(),
        }},
        "automationDetails": { "id": format!("tripline/{suite}/") },
        "properties": { "base": report.base.as_ref().map(identity), "head": identity(&report.head) },
        "results": results,
    })
}

fn rule([id, short, full]: &[&str; 3]) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": short },
        "fullDescription": { "text": full },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn identity(identity: &RunIdentity) -> Value {
    let commit = identity.revision.as_ref().map(|r| r.commit.as_str());
    json!({ "commit": commit, "environment": identity.environment.name.as_str() })
}

/// Returns whether a finding is something to look at, or was and has been taken on purpose.
fn is_result(finding: &Finding) -> bool {
    let is_bad = matches!(finding.verdict, Verdict::Broken | Verdict::Removed);
    finding.gate != Gate::Pass || is_bad || finding.acceptance.is_some()
}

fn found(finding: &Finding) -> Value {
    let id = match Standing::of(finding) {
        Standing::OutsideBudget => "outside-budget",
        Standing::Is(Verdict::Broken) => "broken",
        Standing::Is(Verdict::Regressed) => "regressed",
        Standing::Is(Verdict::Removed) => "removed",
        _ => "inconclusive",
    };
    let level = match finding.gate {
        _ if finding.verdict == Verdict::Broken => "error",
        gate => level_of(gate),
    };
    let bench = finding.bench.to_string();
    let metric = finding.metric.name.as_str();
    let text = [&bench, ": ", &said(finding)].concat();
    let name = finding.bench.within_suite();
    let mut result = result(
        (id, level),
        &text,
        (&name, &bench),
        &format!("{id} {bench} {metric}"),
    );
    if let Some(acceptance) = &finding.acceptance {
        let why = [&acceptance.who, ": ", &acceptance.because].concat();
        let suppression =
            json!({ "kind": "external", "status": "accepted", "justification": plain(&why) });
        result["suppressions"] = json!([suppression]);
    }
    let center = |summary: &Option<tripline_model::Summary>| summary.as_ref().map(|s| s.center);
    result["properties"] = json!({
        "metric": metric,
        "unit": finding.metric.unit.symbol(),
        "base": center(&finding.evidence.base),
        "head": center(&finding.evidence.head),
        "ratio": finding.evidence.change.as_ref().map(|change| change.ratio),
    });
    result
}

fn level_of(gate: Gate) -> &'static str {
    match gate {
        Gate::Fail => "error",
        Gate::Warn => "warning",
        Gate::Pass => "note",
    }
}

fn gone(suite: &str, gate: Gate) -> Value {
    let said = Caveat::SuiteGone { gate }.text();
    let fingerprint = ["suite-gone ", suite].concat();
    result(
        ("suite-gone", level_of(gate)),
        &said,
        (suite, suite),
        &fingerprint,
    )
}

fn failed(suite: &str, failure: &Failure) -> Value {
    let step = failure.step.as_str();
    let whole = [suite, "/", step].concat();
    let detail = failure.detail.as_deref().unwrap_or_default();
    let said = [
        "step ",
        &whole,
        " ",
        &failure.kind.text(),
        " → ",
        failure.advice(),
        "\n",
        detail,
        "\n",
        &failure.tail,
    ];
    let fingerprint = ["step-failed ", &whole].concat();
    result(
        ("step-failed", "error"),
        &said.concat(),
        (step, &whole),
        &fingerprint,
    )
}

fn canary(suite: &str, what: &FactValue) -> Value {
    let whole = [suite, "/canary"].concat();
    let fingerprint = ["canary-failed ", &whole, " ", what.as_str()].concat();
    result(
        ("canary-failed", "error"),
        what.as_str(),
        ("canary", &whole),
        &fingerprint,
    )
}

fn result(
    (rule, level): (&str, &str),
    text: &str,
    (name, whole): (&str, &str),
    fingerprint: &str,
) -> Value {
    let index = RULES.iter().position(|[id, ..]| *id == rule);
    json!({
        "ruleId": rule,
        "ruleIndex": index,
        "level": level,
        "message": { "text": message(text) },
        "locations": [{ "logicalLocations": [
            { "name": plain(name), "fullyQualifiedName": plain(whole), "kind": "function" }
        ]}],
        "partialFingerprints": { FINGERPRINT: plain(fingerprint) },
    })
}

/// Returns a result that also says on which line of which file it stands, where that is known.
fn standing_at(place: Option<Place>, mut result: Value) -> Value {
    if let Some(Place { path, line }) = place {
        result["locations"][0]["physicalLocation"] = json!({
            "artifactLocation": { "uri": uri(&path) },
            "region": { "startLine": line },
        });
    }
    result
}

/// Returns a path as the relative address of a file.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escaped = path.bytes().map(|byte| match byte {
        byte if is_plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    escaped.collect()
}

/// Returns a text that holds nothing invisible but line breaks.
fn plain(text: &str) -> String {
    visible_lines(text)
        .collect::<Vec<String>>()
        .join("\n")
        .trim_end()
        .to_owned()
}

/// Returns a text as a message in which nothing is a placeholder or a link.
fn message(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(text).chars() {
        match c {
            '{' => out.push_str("{{"),
            '}' => out.push_str("}}"),
            '[' | ']' | '\\' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}
