//! The report file. What readers outside want to know without computing it (the gate, the counts, a caveat's words)
//! is written too, and computed anew when a report is read back.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::caveat::CaveatV1;
use super::parts::{
    CoversV1, EnvironmentV1, FailureV1, GateV1, MetricV1, Number, RevisionV1, VersionProbe,
    params_into_domain, params_of, unique, version, words,
};
use super::{REPORT_BYTES_MAX, ReadError, lines};
use crate::few;
use crate::{
    Acceptance, BenchId, BenchName, Budget, Caveat, Change, CommitId, EnvironmentName, Evidence,
    Finding, NameError, Report, RunIdentity, SuiteName, Summary, Tolerance, Unit, Verdict,
};

words!(
    /// What is true.
    VerdictV1 = Verdict { Broken, Regressed, Removed, Inconclusive, Improved, Added, Unchanged }
);
words!(
    /// What a verdict rests on.
    MethodV1 = Method { Exact, Paired, Historical, Budget, BaselineOnly }
);

/// One report, one line of a report file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct ReportV1 {
    tripline_report: FormatV1,
    suite: String,
    gate: GateV1,
    /// How many findings have each verdict.
    #[serde(deserialize_with = "unique")]
    counts: BTreeMap<String, usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<IdentityV1>,
    head: IdentityV1,
    findings: Vec<FindingV1>,
    failures: Vec<FailureV1>,
    caveats: Vec<SpokenCaveatV1>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct FormatV1 {
    #[serde(deserialize_with = "version")]
    version: u32,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct FormatProbe {
    tripline_report: Option<VersionProbe>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct IdentityV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revision: Option<RevisionV1>,
    measured_at: String,
    environment: EnvironmentV1,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct FindingV1 {
    benchmark: String,
    #[serde(
        default,
        deserialize_with = "unique",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    params: BTreeMap<String, String>,
    metric: String,
    about: MetricV1,
    verdict: VerdictV1,
    gate: GateV1,
    evidence: EvidenceV1,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    caveats: Vec<SpokenCaveatV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    acceptance: Option<AcceptanceV1>,
}

/// A caveat with its words, for readers that do not know its code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct SpokenCaveatV1 {
    caveat: CaveatV1,
    text: String,
    advice: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct AcceptanceV1 {
    who: String,
    because: String,
    from: Number,
    to: Number,
    #[serde(default, skip_serializing_if = "CoversV1::is_change")]
    covers: CoversV1,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    environment: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct EvidenceV1 {
    method: MethodV1,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<SummaryV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    head: Option<SummaryV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<ChangeV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confidence: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    p_value: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    e_value: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noise: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detectable: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget: Option<BudgetV1>,
    tolerance: ToleranceV1,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct BudgetV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<Number>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct SummaryV1 {
    center: Number,
    low: Number,
    high: Number,
    count: usize,
}

/// Head divided by base, with the interval it lies in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct ChangeV1 {
    ratio: Number,
    low: Number,
    high: Number,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct ToleranceV1 {
    relative: Number,
    floor: Number,
}

/// Writes a report as one line.
#[must_use]
pub fn write_report(report: &Report) -> String {
    let wire = ReportV1::of(report);
    serde_json::to_string(&wire).expect("texts and finite numbers can always be written") + "\n"
}

/// Reads the reports of a file, one a line.
///
/// # Errors
/// Names the line and column of the first thing that is wrong. A file without a report is wrong.
pub fn read_report(bytes: &[u8]) -> Result<Vec<Report>, ReadError> {
    let mut reports = Vec::new();
    for line in lines(bytes, REPORT_BYTES_MAX) {
        let (number, line) = line?;
        let json = |error| ReadError::json(number, &error);
        let probe: FormatProbe = serde_json::from_slice(line).map_err(json)?;
        if probe.tripline_report.is_none() {
            let problem = "there is no `tripline_report`, so this is no report file";
            return Err(ReadError::at(number, problem));
        }
        let wire: ReportV1 = serde_json::from_slice(line).map_err(json)?;
        reports.push(
            wire.into_domain()
                .map_err(|problem| ReadError::at(number, problem))?,
        );
    }
    Ok(reports)
}

impl ReportV1 {
    fn of(report: &Report) -> Self {
        let counts = Verdict::ALL
            .into_iter()
            .map(|verdict| (verdict.word().to_owned(), report.count(verdict)))
            .filter(|(_, count)| *count > 0);
        Self {
            tripline_report: FormatV1 { version: 1 },
            suite: report.suite.to_string(),
            gate: report.gate().into(),
            counts: few::map_of(counts),
            base: report.base.as_ref().map(IdentityV1::of),
            head: IdentityV1::of(&report.head),
            findings: report.findings.iter().map(FindingV1::of).collect(),
            failures: report.failures.iter().map(FailureV1::of).collect(),
            caveats: report
                .caveats
                .iter()
                .map(|caveat| SpokenCaveatV1::of(caveat, &Unit::Count, caveat.advice()))
                .collect(),
        }
    }

    fn into_domain(self) -> Result<Report, String> {
        let suite = SuiteName::new(self.suite).map_err(text)?;
        let findings = self
            .findings
            .into_iter()
            .map(|finding| finding.into_domain(&suite));
        let findings = findings.collect::<Result<_, _>>()?;
        let failures = self.failures.into_iter().map(FailureV1::into_domain);
        Ok(Report {
            base: self.base.map(IdentityV1::into_domain).transpose()?,
            head: self.head.into_domain()?,
            findings,
            failures: failures.collect::<Result<_, _>>()?,
            caveats: caveats_into_domain(self.caveats)?,
            suite,
        })
    }
}

impl IdentityV1 {
    fn of(identity: &RunIdentity) -> Self {
        Self {
            revision: identity.revision.as_ref().map(RevisionV1::of),
            measured_at: identity.measured_at.to_string(),
            environment: EnvironmentV1::of(&identity.environment),
        }
    }

    fn into_domain(self) -> Result<RunIdentity, String> {
        let measured_at: Result<Timestamp, _> = self.measured_at.parse();
        Ok(RunIdentity {
            revision: self
                .revision
                .map(RevisionV1::into_domain)
                .transpose()
                .map_err(text)?,
            measured_at: measured_at
                .map_err(|error| format!("`measured_at` is no RFC 3339 time ({error})"))?,
            environment: self.environment.into_domain().map_err(text)?,
        })
    }
}

impl SpokenCaveatV1 {
    fn of(caveat: &Caveat, unit: &Unit, advice: &str) -> Self {
        Self {
            caveat: CaveatV1::of(caveat),
            text: caveat.text_in(unit),
            advice: advice.to_owned(),
        }
    }
}

fn caveats_into_domain(caveats: Vec<SpokenCaveatV1>) -> Result<Vec<Caveat>, String> {
    caveats
        .into_iter()
        .map(|spoken| spoken.caveat.into_domain().map_err(text))
        .collect()
}

impl FindingV1 {
    fn of(finding: &Finding) -> Self {
        Self {
            benchmark: finding.bench.name.to_string(),
            params: params_of(&finding.bench.params),
            metric: finding.metric.name.to_string(),
            about: MetricV1::of(&finding.metric),
            verdict: finding.verdict.into(),
            gate: finding.gate.into(),
            evidence: EvidenceV1::of(&finding.evidence),
            caveats: finding
                .caveats
                .iter()
                .map(|it| SpokenCaveatV1::of(it, &finding.metric.unit, finding.advice(it)))
                .collect(),
            acceptance: finding.acceptance.as_ref().map(AcceptanceV1::of),
        }
    }

    fn into_domain(self, suite: &SuiteName) -> Result<Finding, String> {
        Ok(Finding {
            bench: BenchId {
                suite: suite.clone(),
                name: BenchName::new(self.benchmark).map_err(text)?,
                params: params_into_domain(self.params).map_err(text)?,
            },
            metric: self.about.named(&self.metric).map_err(text)?,
            verdict: self.verdict.into(),
            gate: self.gate.into(),
            evidence: self.evidence.into_domain(),
            caveats: caveats_into_domain(self.caveats)?,
            acceptance: self
                .acceptance
                .map(AcceptanceV1::into_domain)
                .transpose()
                .map_err(text)?,
        })
    }
}

impl AcceptanceV1 {
    fn of(acceptance: &Acceptance) -> Self {
        Self {
            who: acceptance.who.clone(),
            because: acceptance.because.clone(),
            from: Number(acceptance.from),
            to: Number(acceptance.to),
            covers: acceptance.covers.into(),
            commit: acceptance.commit.as_ref().map(ToString::to_string),
            environment: acceptance.environment.as_ref().map(ToString::to_string),
        }
    }

    fn into_domain(self) -> Result<Acceptance, NameError> {
        let commit = self.commit.as_deref().map(CommitId::new).transpose()?;
        Ok(Acceptance {
            who: self.who,
            because: self.because,
            from: self.from.0,
            to: self.to.0,
            covers: self.covers.into(),
            commit,
            environment: self.environment.map(EnvironmentName::new).transpose()?,
        })
    }
}

impl EvidenceV1 {
    fn of(evidence: &Evidence) -> Self {
        let change = |change: Change| ChangeV1 {
            ratio: Number(change.ratio),
            low: Number(change.low),
            high: Number(change.high),
        };
        Self {
            method: evidence.method.into(),
            base: evidence.base.map(SummaryV1::of),
            head: evidence.head.map(SummaryV1::of),
            change: evidence.change.map(change),
            confidence: evidence.confidence.map(Number),
            p_value: evidence.p_value.map(Number),
            e_value: evidence.e_value.map(Number),
            noise: evidence.noise.map(Number),
            detectable: evidence.detectable.map(Number),
            budget: evidence.budget.map(|budget| BudgetV1 {
                min: budget.min.map(Number),
                max: budget.max.map(Number),
            }),
            tolerance: ToleranceV1 {
                relative: Number(evidence.tolerance.relative),
                floor: Number(evidence.tolerance.floor),
            },
        }
    }

    fn into_domain(self) -> Evidence {
        let change = |change: ChangeV1| Change {
            ratio: change.ratio.0,
            low: change.low.0,
            high: change.high.0,
        };
        Evidence {
            method: self.method.into(),
            base: self.base.map(SummaryV1::into_domain),
            head: self.head.map(SummaryV1::into_domain),
            change: self.change.map(change),
            confidence: self.confidence.map(|share| share.0),
            p_value: self.p_value.map(|p| p.0),
            e_value: self.e_value.map(|e| e.0),
            noise: self.noise.map(|deviation| deviation.0),
            detectable: self.detectable.map(|share| share.0),
            budget: self.budget.map(|budget| Budget {
                min: budget.min.map(|limit| limit.0),
                max: budget.max.map(|limit| limit.0),
            }),
            tolerance: Tolerance {
                relative: self.tolerance.relative.0,
                floor: self.tolerance.floor.0,
            },
        }
    }
}

impl SummaryV1 {
    fn of(summary: Summary) -> Self {
        Self {
            center: Number(summary.center),
            low: Number(summary.low),
            high: Number(summary.high),
            count: summary.count,
        }
    }

    fn into_domain(self) -> Summary {
        let Self {
            center,
            low,
            high,
            count,
        } = self;
        Summary {
            center: center.0,
            low: low.0,
            high: high.0,
            count,
        }
    }
}

fn text(error: NameError) -> String {
    error.to_string()
}

/// Returns the JSON Schema of one line of a report file.
#[must_use]
pub fn report_schema() -> String {
    let schema = schemars::schema_for!(ReportV1);
    serde_json::to_string_pretty(&schema).expect("a schema can always be written") + "\n"
}
