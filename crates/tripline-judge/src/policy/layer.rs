//! One row that somebody wrote over the standard table: which findings it is about, and what it says of them.
//!
//! Tested below, and with the table in `policy`.

use tripline_model::{BenchId, Budget, Gate, Method, Metric, MetricName, Nature, Tolerance};

use super::Rule;
use crate::pattern::BenchPattern;

/// A row over the standard table. What it leaves open is as it was before.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    scope: Scope,
    limits: Limits,
    because: String,
}

/// Which findings a row is about: all, unless something is asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scope {
    /// The benchmarks.
    pub benchmark: Option<BenchPattern>,
    /// The metric.
    pub metric: Option<MetricName>,
    /// What the verdict rests on.
    pub method: Option<Method>,
}

/// What a row says. Shares are relative: 0.01 is one percent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// The relative change that counts as none.
    pub tolerance: Option<f64>,
    /// The absolute change nobody cares about, in the metric's unit.
    pub floor: Option<f64>,
    /// The relative change for the worse from which the gate warns; infinite means never.
    pub warn: Option<f64>,
    /// The relative change for the worse from which the gate fails; infinite means never.
    pub fail: Option<f64>,
    /// The least value that is allowed, in the metric's unit.
    pub min: Option<f64>,
    /// The greatest value that is allowed, in the metric's unit.
    pub max: Option<f64>,
    /// What is done about a value that is not allowed: it fails, unless this says otherwise.
    pub beyond: Option<Beyond>,
}

/// What is done about a value beyond an absolute limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// It warns.
    Warn,
    /// It fails in a session, where the base was measured beside, and where it is a count; elsewhere it warns: a busy
    /// machine crosses a limit of the clock, and only who measured the base beside knows whether it did.
    FailBeside,
    /// It fails.
    Fail,
}

impl Beyond {
    /// Returns what that is for a value that is known not to be a busy machine's, or for another.
    pub(crate) fn gate(self, is_vouched_for: bool) -> Gate {
        match self {
            Self::Fail => Gate::Fail,
            Self::FailBeside if is_vouched_for => Gate::Fail,
            Self::FailBeside | Self::Warn => Gate::Warn,
        }
    }
}

/// One of the two absolute limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The least value that is allowed.
    Min,
    /// The greatest.
    Max,
}

/// Says why a row makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayerError {
    /// A number that is below zero, or no number.
    #[error("`{0}` is below zero, or no number")]
    Negative(&'static str),
    /// A number that no change can reach.
    #[error("`{0}` is infinite, so that nothing would ever be said")]
    Infinite(&'static str),
    /// Two shares are in the wrong order.
    #[error("`{small}` is greater than `{large}`, so that one of them would never be reached")]
    NeverReached {
        /// What should be the smaller.
        small: &'static str,
        /// What should be the greater.
        large: &'static str,
    },
    /// The limits are in the wrong order.
    #[error("`min` is greater than `max`, so that no value would be allowed")]
    NothingAllowed,
    /// It says what is done beyond a limit, and sets none.
    #[error("`beyond` is about `min` and `max`, and the row sets neither")]
    NoBound,
    /// It says what change is allowed, of what is no comparison.
    #[error(
        "a row about `budget` holds `min`, `max` and `beyond`: no change is held against a limit"
    )]
    NoChange,
    /// It says nothing.
    #[error("the row sets nothing")]
    Nothing,
    /// Nobody says why.
    #[error("`because` is empty")]
    NoReason,
}

impl Layer {
    /// Checks a row and keeps it.
    ///
    /// # Errors
    /// Says what makes no sense.
    pub fn new(scope: Scope, limits: Limits, because: &str) -> Result<Self, LayerError> {
        limits.check()?;
        if limits == Limits::default() {
            return Err(LayerError::Nothing);
        }
        scope.check(&limits)?;
        if because.trim().is_empty() {
            return Err(LayerError::NoReason);
        }
        Ok(Self {
            scope,
            limits,
            because: because.to_owned(),
        })
    }

    /// Returns which findings it is about.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns what it says.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns why it is there.
    #[must_use]
    pub fn because(&self) -> &str {
        &self.because
    }

    /// Returns whether it is about a metric of a benchmark.
    #[must_use]
    pub fn is_about(&self, bench: &BenchId, metric: &Metric) -> bool {
        let benchmark = self.scope.benchmark.as_ref();
        benchmark.is_none_or(|wanted| wanted.matches(bench)) && self.is_about_metric(metric)
    }

    /// Returns whether what it says can ever be asked of a metric: no count is judged by pairs, and no time as a count. A
    /// limit holds whatever the method.
    #[must_use]
    pub fn can_matter_to(&self, metric: &Metric) -> bool {
        let is_count = metric.nature == Nature::Exact;
        let has_limit = self.limits.min.or(self.limits.max).is_some();
        let can_be_judged = match self.scope.method {
            None | Some(Method::Budget) => true,
            Some(Method::Exact) => is_count,
            Some(Method::Paired | Method::Historical | Method::BaselineOnly) => !is_count,
        };
        has_limit || can_be_judged
    }

    /// Returns whether it is about a metric of some benchmark.
    pub(super) fn is_about_metric(&self, metric: &Metric) -> bool {
        let name = self.scope.metric.as_ref();
        name.is_none_or(|wanted| *wanted == metric.name)
    }

    /// Returns whether it is about what rests on a method.
    pub(super) fn is_about_method(&self, method: Method) -> bool {
        self.scope.method.is_none_or(|wanted| wanted == method)
    }
}

impl Scope {
    /// Refuses what would do nothing: whoever wrote it counts on it.
    fn check(&self, limits: &Limits) -> Result<(), LayerError> {
        if self.method != Some(Method::Budget) {
            return Ok(());
        }
        let of_changes = [limits.tolerance, limits.floor, limits.fail, limits.warn];
        match of_changes.iter().any(Option::is_some) {
            true => Err(LayerError::NoChange),
            false => Ok(()),
        }
    }

    /// Returns whether it holds for all that another one does, or for none of that, as far as the texts tell.
    fn covers(&self, other: &Self) -> Option<bool> {
        let has_metric = match (&self.metric, &other.metric) {
            (None, _) => Some(true),
            (Some(ours), Some(theirs)) => Some(ours == theirs),
            (Some(_), None) => None,
        };
        let has_benchmark = match (&self.benchmark, &other.benchmark) {
            (None, _) => Some(true),
            (Some(ours), Some(theirs)) if ours == theirs => Some(true),
            (Some(ours), Some(theirs)) => ours.covers(theirs),
            (Some(_), None) => None,
        };
        match [has_metric, has_benchmark] {
            [Some(true), Some(true)] => Some(true),
            both if both.contains(&Some(false)) => Some(false),
            _ => None,
        }
    }
}

/// Returns the places of two rows that together allow no value of what one of them is about, the earlier first. Of rows
/// that only have some benchmarks in common, nobody can tell by their texts.
#[must_use]
pub fn contradiction(rows: &[Layer]) -> Option<(usize, usize)> {
    rows.iter().find_map(|asked| {
        let (mut min, mut max) = (None, None);
        for (place, row) in rows.iter().enumerate() {
            let limits = [(&mut min, row.limits.min), (&mut max, row.limits.max)];
            for (held, limit) in limits
                .into_iter()
                .filter_map(|(held, limit)| Some((held, limit?)))
            {
                match row.scope.covers(&asked.scope) {
                    Some(true) => *held = Some((limit, place)),
                    Some(false) => {}
                    // It may be the one that holds, for some of them at least.
                    None => *held = None,
                }
            }
        }
        let ((min, of_min), (max, of_max)) = min.zip(max)?;
        (min > max).then_some((of_min.min(of_max), of_min.max(of_max)))
    })
}

impl Limits {
    fn check(&self) -> Result<(), LayerError> {
        let numbers = [
            ("tolerance", self.tolerance),
            ("floor", self.floor),
            ("warn", self.warn),
            ("fail", self.fail),
            ("min", self.min),
            ("max", self.max),
        ];
        for (name, number) in numbers {
            if number.is_some_and(|number| number.is_nan() || number < 0.0) {
                return Err(LayerError::Negative(name));
            }
            let may_be_infinite = ["warn", "fail"].contains(&name);
            if number.is_some_and(f64::is_infinite) && !may_be_infinite {
                return Err(LayerError::Infinite(name));
            }
        }
        // A gate at zero says "as soon as it is a change", whatever the tolerance is.
        let gates = [("warn", self.warn), ("fail", self.fail)];
        for (large, gate) in gates {
            if self.tolerance > gate && gate.is_some_and(|gate| gate > 0.0) {
                return Err(LayerError::NeverReached {
                    small: "tolerance",
                    large,
                });
            }
        }
        if self.fail.is_some() && self.warn > self.fail {
            return Err(LayerError::NeverReached {
                small: "warn",
                large: "fail",
            });
        }
        if self.max.is_some() && self.min > self.max {
            return Err(LayerError::NothingAllowed);
        }
        if self.beyond.is_some() && self.min.or(self.max).is_none() {
            return Err(LayerError::NoBound);
        }
        Ok(())
    }

    /// Lays it over a rule. Where it sets one of the gates, the other gives way.
    pub(super) fn over(&self, rule: Rule) -> Rule {
        let tolerance = Tolerance {
            relative: self.tolerance.unwrap_or(rule.tolerance.relative),
            floor: self.floor.unwrap_or(rule.tolerance.floor),
        };
        let (warn_from, fail_from) = match (self.warn, self.fail) {
            (Some(warn), Some(fail)) => (warn, fail),
            (Some(warn), None) => (warn, rule.fail_from.max(warn)),
            (None, Some(fail)) => (rule.warn_from.min(fail), fail),
            (None, None) => (rule.warn_from, rule.fail_from),
        };
        Rule {
            tolerance,
            warn_from,
            fail_from,
        }
    }

    /// Lays it over a budget.
    pub(super) fn over_budget(&self, budget: Budget) -> Budget {
        Budget {
            min: self.min.or(budget.min),
            max: self.max.or(budget.max),
        }
    }

    /// Returns whether it sets an absolute limit.
    pub(super) fn sets(&self, bound: Bound) -> bool {
        match bound {
            Bound::Min => self.min.is_some(),
            Bound::Max => self.max.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(limits: Limits) -> String {
        Layer::new(Scope::default(), limits, "why")
            .unwrap_err()
            .to_string()
    }

    fn shares(tolerance: Option<f64>, warn: Option<f64>, fail: Option<f64>) -> Limits {
        Limits {
            tolerance,
            warn,
            fail,
            ..Limits::default()
        }
    }

    fn numbers(floor: Option<f64>, min: Option<f64>, max: Option<f64>) -> Limits {
        Limits {
            floor,
            min,
            max,
            ..Limits::default()
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let never = Some(f64::INFINITY);
        for (limits, wanted) in [
            (Limits::default(), "the row sets nothing"),
            (
                shares(Some(-0.1), None, None),
                "`tolerance` is below zero, or no number",
            ),
            (
                numbers(Some(f64::NAN), None, None),
                "`floor` is below zero, or no number",
            ),
            (
                shares(never, None, None),
                "`tolerance` is infinite, so that nothing would ever be said",
            ),
            (
                shares(None, Some(0.2), Some(0.1)),
                "`warn` is greater than `fail`, so that one of them would never be reached",
            ),
            (
                shares(None, Some(0.2), Some(0.0)),
                "`warn` is greater than `fail`, so that one of them would never be reached",
            ),
            (
                shares(Some(0.2), None, Some(0.1)),
                "`tolerance` is greater than `fail`, so that one of them would never be reached",
            ),
            (
                numbers(None, Some(2.0), Some(0.0)),
                "`min` is greater than `max`, so that no value would be allowed",
            ),
            (
                Limits {
                    tolerance: Some(0.1),
                    beyond: Some(Beyond::Warn),
                    ..Limits::default()
                },
                "`beyond` is about `min` and `max`, and the row sets neither",
            ),
        ] {
            assert_eq!(refused(limits), wanted);
        }
        Layer::new(Scope::default(), shares(Some(0.1), Some(0.0), never), "x").unwrap();
        let layer = Layer::new(Scope::default(), shares(None, never, None), " ");
        assert_eq!(layer, Err(LayerError::NoReason));
    }

    #[test]
    fn a_row_about_limits_says_nothing_of_changes() {
        let with = |limits| {
            let scope = Scope {
                method: Some(Method::Budget),
                ..Scope::default()
            };
            Layer::new(scope, limits, "why").map_err(|error| error.to_string())
        };
        let tenth = Some(0.1);
        for limits in [
            shares(tenth, None, None),
            shares(None, tenth, None),
            shares(None, None, Some(f64::INFINITY)),
            numbers(tenth, None, tenth),
        ] {
            let said = with(limits).unwrap_err();
            assert!(said.contains("no change is held against a limit"), "{said}");
        }
        with(numbers(None, tenth, tenth)).unwrap();
    }

    #[test]
    fn a_row_about_a_method_matters_to_what_can_be_judged_by_it() {
        let matters = |method, limits, metric| {
            let scope = Scope {
                method,
                ..Scope::default()
            };
            let layer = Layer::new(scope, limits, "why").unwrap();
            layer.can_matter_to(&Metric::known(metric).unwrap())
        };
        let gate = shares(None, None, Some(0.1));
        for (method, of_count, of_time) in [
            (None, true, true),
            (Some(Method::Exact), true, false),
            (Some(Method::Paired), false, true),
            (Some(Method::Historical), false, true),
            (Some(Method::BaselineOnly), false, true),
        ] {
            assert_eq!(
                matters(method, gate, "instructions"),
                of_count,
                "{method:?}"
            );
            assert_eq!(matters(method, gate, "wall_time"), of_time, "{method:?}");
            let limit = numbers(None, None, Some(1.0));
            assert!(matters(method, limit, "instructions") && matters(method, limit, "wall_time"));
        }
        let limit = numbers(None, None, Some(1.0));
        assert!(matters(Some(Method::Budget), limit, "instructions"));
    }

    #[test]
    fn the_gate_that_is_not_set_gives_way() {
        let rule = Rule {
            tolerance: Tolerance {
                relative: 0.001,
                floor: 50.0,
            },
            warn_from: 0.002,
            fail_from: 0.01,
        };
        let over = |warn, fail| {
            let limits = Limits {
                warn,
                fail,
                ..Limits::default()
            };
            let Rule {
                warn_from,
                fail_from,
                ..
            } = limits.over(rule);
            (warn_from, fail_from)
        };
        assert_eq!(over(None, None), (0.002, 0.01));
        assert_eq!(over(Some(0.05), None), (0.05, 0.05));
        assert_eq!(over(None, Some(0.0015)), (0.0015, 0.0015));
        assert_eq!(over(Some(0.005), None), (0.005, 0.01));
        assert_eq!(over(Some(0.1), Some(0.2)), (0.1, 0.2));
    }
}
