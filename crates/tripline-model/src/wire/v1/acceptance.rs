//! The file of acceptances, which lies beside a suite's kept runs: a header, a line for each benchmark and metric, sorted,
//! and an end mark.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parts::{
    CoversV1, Number, VersionProbe, params_into_domain, params_of, unique, version,
};
use super::{LINE_BYTES_MAX, ReadError, lines};
use crate::{
    Acceptance, Acceptances, BenchId, BenchName, CommitId, EnvironmentName, MetricName, NameError,
    SuiteName,
};

/// One line of a file of acceptances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum LineV1 {
    /// The first line: what all acceptances share.
    TriplineAcceptances(HeaderV1),
    /// A regression that was accepted.
    Accepted(AcceptedV1),
    /// The last line: without it the file is a cut one.
    End(EndV1),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct HeaderV1 {
    #[serde(deserialize_with = "version")]
    version: u32,
    suite: String,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct HeaderProbe {
    tripline_acceptances: Option<VersionProbe>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct AcceptedV1 {
    benchmark: String,
    #[serde(
        default,
        deserialize_with = "unique",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    params: BTreeMap<String, String>,
    metric: String,
    /// The value before.
    from: Number,
    /// The value that was accepted.
    to: Number,
    /// What of it was: the change, where nothing is said.
    #[serde(default, skip_serializing_if = "CoversV1::is_change")]
    covers: CoversV1,
    who: String,
    because: String,
    /// The commit at which it was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// The environment whose values these are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    environment: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct EndV1 {}

/// Writes acceptances. The same ones give the same bytes.
#[must_use]
pub fn write_acceptances(acceptances: &Acceptances) -> String {
    let header = LineV1::TriplineAcceptances(HeaderV1 {
        version: 1,
        suite: acceptances.suite().to_string(),
    });
    let accepted = acceptances.iter().map(|(bench, metric, acceptance)| {
        LineV1::Accepted(AcceptedV1::of(bench, metric, acceptance))
    });
    let all = std::iter::once(header).chain(accepted);
    let mut text = String::new();
    for line in all.chain(std::iter::once(LineV1::End(EndV1 {}))) {
        let line = serde_json::to_string(&line);
        text.push_str(&line.expect("texts and finite numbers can always be written"));
        text.push('\n');
    }
    text
}

/// Reads acceptances.
///
/// # Errors
/// Names the line and column of the first thing that is wrong. A file that was cut is wrong at its end.
pub fn read_acceptances(bytes: &[u8]) -> Result<Acceptances, ReadError> {
    let mut lines = lines(bytes, LINE_BYTES_MAX);
    let (number, first) = lines.next().expect("splitting gives at least one part")?;
    let suite = SuiteName::new(read_header(number, first)?.suite);
    let mut acceptances = Acceptances::new(suite.map_err(|error| ReadError::at(number, error))?);
    let mut last = number;
    while let Some(line) = lines.next() {
        let (number, line) = line?;
        last = number;
        match serde_json::from_slice(line).map_err(|error| ReadError::json(number, &error))? {
            LineV1::TriplineAcceptances(_) => {
                return Err(ReadError::at(number, "a second header"));
            }
            LineV1::Accepted(accepted) => accepted
                .insert_into(&mut acceptances)
                .map_err(|problem| ReadError::at(number, problem))?,
            LineV1::End(EndV1 {}) => {
                return match lines.next() {
                    None => Ok(acceptances),
                    Some(_) => Err(ReadError::at(number + 1, "something follows the end mark")),
                };
            }
        }
    }
    let problem = "the file ends without its end mark: it was cut, or is still being written";
    Err(ReadError::at(last + 1, problem))
}

fn read_header(number: usize, line: &[u8]) -> Result<HeaderV1, ReadError> {
    let json = |error| ReadError::json(number, &error);
    let no_header = || {
        let problem =
            "the first line is no `tripline_acceptances` header, so this is no file of acceptances";
        ReadError::at(number, problem)
    };
    let probe: HeaderProbe = serde_json::from_slice(line).map_err(json)?;
    if probe.tripline_acceptances.is_none() {
        return Err(no_header());
    }
    match serde_json::from_slice(line).map_err(json)? {
        LineV1::TriplineAcceptances(header) => Ok(header),
        _ => Err(no_header()),
    }
}

impl AcceptedV1 {
    fn of(bench: &BenchId, metric: &MetricName, acceptance: &Acceptance) -> Self {
        Self {
            benchmark: bench.name.to_string(),
            params: params_of(&bench.params),
            metric: metric.to_string(),
            from: Number(acceptance.from),
            to: Number(acceptance.to),
            covers: acceptance.covers.into(),
            who: acceptance.who.clone(),
            because: acceptance.because.clone(),
            commit: acceptance.commit.as_ref().map(ToString::to_string),
            environment: acceptance.environment.as_ref().map(ToString::to_string),
        }
    }

    fn insert_into(self, acceptances: &mut Acceptances) -> Result<(), String> {
        let text = |error: NameError| error.to_string();
        let bench = BenchId {
            suite: acceptances.suite().clone(),
            name: BenchName::new(self.benchmark).map_err(text)?,
            params: params_into_domain(self.params).map_err(text)?,
        };
        let metric = MetricName::new(self.metric).map_err(text)?;
        let commit = self.commit.as_deref().map(CommitId::new).transpose();
        let environment = self.environment.map(EnvironmentName::new).transpose();
        let acceptance = Acceptance {
            who: self.who,
            because: self.because,
            from: self.from.0,
            to: self.to.0,
            covers: self.covers.into(),
            commit: commit.map_err(text)?,
            environment: environment.map_err(text)?,
        };
        if acceptances.get(&bench, &metric).is_some() {
            return Err(format!("`{metric}` of benchmark `{bench}` stands twice"));
        }
        let inserted = acceptances.insert(bench, metric, acceptance);
        inserted.map(drop).map_err(|error| error.to_string())
    }
}

/// Returns the JSON Schema of one line of a file of acceptances.
#[must_use]
pub fn acceptances_schema() -> String {
    let schema = schemars::schema_for!(LineV1);
    serde_json::to_string_pretty(&schema).expect("a schema can always be written") + "\n"
}
