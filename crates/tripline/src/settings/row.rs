//! One row of the policy, as it is written.
//!
//! Tested with the settings.

use serde::Deserialize;
use toml::Spanned;
use tripline_judge::{BenchPattern, Layer, Limits, Scope};
use tripline_model::{KNOWN_METRICS, MetricName};

use super::words::{BeyondWord, MethodWord, MostWord, Share};
use crate::suite::{SuiteProblem, near_miss};

/// A row of `[[policy]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct PolicyRow {
    benchmark: Option<Spanned<String>>,
    metric: Option<Spanned<String>>,
    method: Option<MethodWord>,
    tolerance: Option<Share>,
    floor: Option<f64>,
    warn: Option<Share>,
    fail: Option<Share>,
    gate: Option<MostWord>,
    min: Option<f64>,
    max: Option<f64>,
    beyond: Option<BeyondWord>,
    because: String,
}

/// What a row says of the findings it is about.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LimitsRow {
    pub(crate) tolerance: Option<Share>,
    pub(crate) floor: Option<f64>,
    pub(crate) warn: Option<Share>,
    pub(crate) fail: Option<Share>,
    pub(crate) gate: Option<MostWord>,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) beyond: Option<BeyondWord>,
}

/// A row with its place in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    /// The file.
    pub(crate) text: &'a str,
    /// Where the row begins.
    pub(crate) start: usize,
}

/// The name of a metric that nobody knows and that is nearly a known one: a slip of the pen, unless it is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slip {
    /// The name.
    pub(super) metric: MetricName,
    /// The known one.
    pub(super) meant: String,
    /// Where it stands.
    pub(super) line: usize,
    /// The same.
    pub(super) column: usize,
}

/// Returns the layer a row is, and what may be a slip in it. `derived` are the names of the metrics that are derived beside
/// it.
pub(super) fn layer(
    row: Spanned<PolicyRow>,
    text: &str,
    derived: &[&str],
) -> Result<(Layer, Option<Slip>), SuiteProblem> {
    let place = Row {
        text,
        start: row.span().start,
    };
    let row = row.into_inner();
    let benchmark = row.benchmark.map(|pattern| place.pattern(&pattern));
    let metric = row.metric.map(|name| place.metric_or_slip(&name, derived));
    let (metric, slip) = metric.transpose()?.unzip();
    let scope = Scope {
        benchmark: benchmark.transpose()?,
        metric,
        method: row.method.map(Into::into),
    };
    let limits = LimitsRow {
        tolerance: row.tolerance,
        floor: row.floor,
        warn: row.warn,
        fail: row.fail,
        gate: row.gate,
        min: row.min,
        max: row.max,
        beyond: row.beyond,
    };
    let layer = place.layer(scope, limits, &row.because)?;
    Ok((layer, slip.flatten()))
}

impl Row<'_> {
    /// Puts a row together.
    pub(crate) fn layer(
        self,
        scope: Scope,
        limits: LimitsRow,
        because: &str,
    ) -> Result<Layer, SuiteProblem> {
        let problem = |problem: &str| SuiteProblem::at(self.text, self.start, problem);
        let (warn, fail) = limits.gates().map_err(problem)?;
        let limits = Limits {
            tolerance: limits.tolerance.map(|Share(share)| share),
            floor: limits.floor,
            warn,
            fail,
            min: limits.min,
            max: limits.max,
            beyond: limits.beyond.map(Into::into),
        };
        Layer::new(scope, limits, because).map_err(|error| problem(&error.to_string()))
    }

    /// Understands a pattern of benchmarks.
    pub(crate) fn pattern(self, text: &Spanned<String>) -> Result<BenchPattern, SuiteProblem> {
        BenchPattern::new(text.get_ref()).map_err(|error| {
            let problem = format!("`benchmark` is no pattern: {}", error.problem);
            self.within(text, error.at, &problem)
        })
    }

    /// Understands a metric's name. One that nearly is a known one is a slip; any other may be a harness's own.
    pub(crate) fn metric(self, text: &Spanned<String>) -> Result<MetricName, SuiteProblem> {
        let (metric, slip) = self.metric_or_slip(text, &[])?;
        match slip {
            None => Ok(metric),
            Some(slip) => Err(SuiteProblem {
                hint: Some(did_you_mean(&slip.meant)),
                ..SuiteProblem::at(
                    self.text,
                    text.span().start,
                    &format!("no metric is named `{metric}`"),
                )
            }),
        }
    }

    /// Understands a metric's name, of which what is measured may say that it is no slip.
    fn metric_or_slip(
        self,
        text: &Spanned<String>,
        derived: &[&str],
    ) -> Result<(MetricName, Option<Slip>), SuiteProblem> {
        let known = KNOWN_METRICS
            .iter()
            .map(|row| row.name)
            .chain(derived.iter().copied());
        let name = text.get_ref();
        let meant = no_metric(name, known);
        let at = |problem: &str| SuiteProblem::at(self.text, text.span().start, problem);
        let metric = MetricName::new(name).map_err(|error| SuiteProblem {
            hint: meant.map(did_you_mean),
            ..at(&error.to_string())
        })?;
        let SuiteProblem { line, column, .. } = at("");
        let slip = meant.map(|meant| Slip {
            metric: metric.clone(),
            meant: meant.to_owned(),
            line,
            column,
        });
        Ok((metric, slip))
    }

    /// Names the place of a character of a text in quotes, as far as the file shows the text as it is.
    pub(crate) fn within(self, text: &Spanned<String>, at: usize, problem: &str) -> SuiteProblem {
        let start = text.span().start;
        let quoted = self.text.get(start + 1..).unwrap_or_default();
        let offset = if quoted.starts_with(text.get_ref().as_str()) {
            let before = text.get_ref().chars().take(at - 1).map(char::len_utf8);
            1 + before.sum::<usize>()
        } else {
            0
        };
        SuiteProblem::at(self.text, start + offset, problem)
    }
}

pub(super) fn did_you_mean(meant: &str) -> String {
    format!("did you mean `{meant}`?")
}

/// Returns the metric that was meant by a name that is nearly one, and is none.
fn no_metric<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    const SLIPS: usize = 2;
    if known.clone().any(|known| known == name) {
        return None;
    }
    let lower = name.to_lowercase();
    let is_slip = |known: &&str| strsim::damerau_levenshtein(&lower, known) <= SLIPS;
    near_miss(&lower, known.filter(is_slip))
}

impl LimitsRow {
    /// Returns whether it says nothing.
    pub(crate) fn is_empty(self) -> bool {
        let shares = [self.tolerance, self.warn, self.fail];
        let numbers = [self.floor, self.min, self.max];
        let has_share = shares.iter().any(Option::is_some);
        let has_word = self.gate.is_some() || self.beyond.is_some();
        !has_share && !has_word && numbers.iter().all(Option::is_none)
    }

    /// Returns the shares from which the gate warns and fails.
    fn gates(self) -> Result<(Option<f64>, Option<f64>), &'static str> {
        let share = |share: Option<Share>| share.map(|Share(share)| share);
        let (warn, fail) = (share(self.warn), share(self.fail));
        let (at_once, never) = (Some(0.0), Some(f64::INFINITY));
        match self.gate {
            None => Ok((warn, fail)),
            Some(_) if warn.is_some() || fail.is_some() => {
                Err("`gate` stands for `warn` and `fail`, and one of them is set too")
            }
            Some(MostWord::Show) => Ok((never, never)),
            Some(MostWord::Warn) => Ok((at_once, never)),
            Some(MostWord::Fail) => Ok((at_once, at_once)),
        }
    }
}
