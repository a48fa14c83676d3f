//! The `[canary]` of a suite: with which features its head is built, and what must then be found.
//!
//! Tested below, and by `tests/it/canary` with canaries that fail.

use std::ops::RangeInclusive;

use serde::Deserialize;
use toml::Spanned;
use tripline_judge::Expectation;
use tripline_model::{Metric, Nature, Verdict};

use super::{Step, SuiteProblem, Task};
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
    #[serde(default)]
    may_be_undecided: bool,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VerdictFile {
    Unchanged,
    Regressed,
    Improved,
}

/// Checks what the types do not. Times can be told apart only if a step of the suite goes by rounds, and features switch
/// something on only in what is built.
pub(super) fn checked(
    canary: Spanned<CanaryFile>,
    steps: &[Step],
    text: &str,
) -> Result<Canary, SuiteProblem> {
    let start = canary.span().start;
    let goes_by_rounds = steps.iter().any(Step::goes_by_rounds);
    let CanaryFile { features, expect } = canary.into_inner();
    if features.get_ref().is_empty() {
        let problem = "`features` is empty, so that nothing would be planted: name the feature of the suite's package \
                       that switches the slowdown on";
        return Err(SuiteProblem::at(text, features.span().start, problem));
    }
    if !steps.iter().any(|step| matches!(step.task, Task::Bench(_))) {
        let problem = "`features` are those of the package of a `bench`, and no step of this suite has one, so that nothing \
                       could be planted: let a canary be a suite with a `bench`";
        return Err(SuiteProblem::at(text, features.span().start, problem));
    }
    let expectations = expect
        .into_iter()
        .map(|row| expectation(row, goes_by_rounds, text));
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

fn expectation(
    row: Spanned<ExpectFile>,
    goes_by_rounds: bool,
    text: &str,
) -> Result<Expectation, SuiteProblem> {
    let place = Row {
        text,
        start: row.span().start,
    };
    let row = row.into_inner();
    let metric = row.metric.map(|name| place.metric(&name));
    let metric = metric.transpose()?;
    let verdict = match row.verdict {
        VerdictFile::Unchanged => Verdict::Unchanged,
        VerdictFile::Regressed => Verdict::Regressed,
        VerdictFile::Improved => Verdict::Improved,
    };
    let known = metric
        .as_ref()
        .and_then(|name| Metric::known(name.as_str()));
    let nature = known.map(|metric| metric.nature);
    let is_planted = verdict != Verdict::Unchanged;
    if is_planted && nature == Some(Nature::Sampled) && !goes_by_rounds {
        let problem = format!(
            "no step of this suite is measured in rounds, so that nothing could ever be `{}` in a time: expect it of a \
             count, or leave `repeats = 1` away",
            verdict.word()
        );
        return Err(SuiteProblem::at(text, place.start, &problem));
    }
    if row.may_be_undecided && (!is_planted || nature == Some(Nature::Exact)) {
        let problem = "`may_be_undecided` is for a slowdown that is planted in a time: equal times may always be left \
                       undecided, and counts never are by a machine that is busy";
        return Err(SuiteProblem::at(text, place.start, problem));
    }
    Ok(Expectation {
        bench: place.pattern(&row.benchmark)?,
        metric,
        verdict,
        may_be_undecided: row.may_be_undecided,
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
