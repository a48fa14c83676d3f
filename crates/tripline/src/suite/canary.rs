//! The `[canary]` of a suite: with which features its head is built, and what must then be found.
//!
//! Tested below, and by `tests/it/canary` with canaries that fail.

use std::ops::RangeInclusive;

use serde::Deserialize;
use toml::Spanned;
use tripline_judge::Expectation;
use tripline_model::Verdict;

use super::SuiteProblem;
use crate::settings::Row;

/// A suite whose verdicts are known in advance.
#[derive(Debug, Clone)]
pub(crate) struct Canary {
    /// The features with which the head is built, and the base is not.
    pub(crate) features: Vec<String>,
    /// What must be found.
    pub(crate) expectations: Vec<Expectation>,
}

/// The table as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct CanaryFile {
    features: Spanned<Vec<String>>,
    expect: Vec<Spanned<ExpectFile>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct ExpectFile {
    benchmark: Spanned<String>,
    metric: Option<Spanned<String>>,
    verdict: VerdictFile,
    change: Option<Spanned<toml::Value>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VerdictFile {
    Unchanged,
    Regressed,
    Improved,
}

/// Checks what the types do not.
pub(super) fn checked(canary: Spanned<CanaryFile>, text: &str) -> Result<Canary, SuiteProblem> {
    let start = canary.span().start;
    let CanaryFile { features, expect } = canary.into_inner();
    if features.get_ref().is_empty() {
        let problem = "`features` is empty, so that nothing would be planted: name the feature of the suite's package \
                       that switches the slowdown on";
        return Err(SuiteProblem::at(text, features.span().start, problem));
    }
    let expectations = expect.into_iter().map(|row| expectation(row, text));
    let expectations: Vec<Expectation> = expectations.collect::<Result<_, _>>()?;
    let wants = |verdict| {
        let mut wanted = expectations.iter().map(|expected| expected.verdict);
        wanted.any(|wanted| wanted == verdict)
    };
    if !wants(Verdict::Unchanged) || !wants(Verdict::Regressed) {
        let problem = "a canary expects at least one benchmark to be `unchanged` and one `regressed`: else it cannot \
                       tell a sleeping gate from a nervous one";
        return Err(SuiteProblem::at(text, start, problem));
    }
    Ok(Canary {
        features: features.into_inner(),
        expectations,
    })
}

fn expectation(row: Spanned<ExpectFile>, text: &str) -> Result<Expectation, SuiteProblem> {
    let place = Row {
        text,
        start: row.span().start,
    };
    let row = row.into_inner();
    let metric = row.metric.map(|name| place.metric(&name, &[]));
    Ok(Expectation {
        bench: place.pattern(&row.benchmark)?,
        metric: metric.transpose()?,
        verdict: match row.verdict {
            VerdictFile::Unchanged => Verdict::Unchanged,
            VerdictFile::Regressed => Verdict::Regressed,
            VerdictFile::Improved => Verdict::Improved,
        },
        change: row.change.map(|change| bounds(&change, text)).transpose()?,
    })
}

/// Understands the least and the most relative change.
fn bounds(change: &Spanned<toml::Value>, text: &str) -> Result<RangeInclusive<f64>, SuiteProblem> {
    let number = |value: &toml::Value| match value {
        toml::Value::Float(number) => Some(*number),
        toml::Value::Integer(number) => i32::try_from(*number).ok().map(f64::from),
        _ => None,
    };
    let array = change.get_ref().as_array();
    let numbers: Vec<f64> = array.into_iter().flatten().filter_map(number).collect();
    match (array.map(Vec::len), &numbers[..]) {
        (Some(2), [least, most]) if least <= most => Ok(*least..=*most),
        _ => {
            let problem = "expected the least and the most share by which it changes: `change = [0.04, 0.06]`";
            Err(SuiteProblem::at(text, change.span().start, problem))
        }
    }
}
