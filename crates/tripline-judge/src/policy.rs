//! How much change is allowed, and what is done about it: a table of standard rules, and the rows somebody wrote over it.
//!
//! The metric's name and nature and the method choose the row, the harness never does. Of the rows written over the
//! table, later ones win, each in what it sets.
//!
//! Tested below and with its parts.

mod layer;
mod standard;

use tripline_model::{
    Acceptances, BenchId, Better, Budget, Gate, Method, Metric, MetricName, Nature, Tolerance,
};

use crate::derived::{Derived, Inclusion};

pub(crate) use layer::Bound;
pub use layer::{Beyond, Layer, LayerError, Limits, Scope, contradiction};

const NEVER: f64 = f64::INFINITY;

/// Holds the rules by which findings are judged.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    layers: Vec<Layer>,
    outcomes: Outcomes,
    derived: Vec<Derived>,
    inclusions: Vec<Inclusion>,
    accepted: Option<Acceptances>,
    held: Option<Acceptances>,
    ignores_budgets: bool,
}

/// Says how much one metric may change, and from where on that matters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// The change that counts as none.
    pub tolerance: Tolerance,
    /// The relative change for the worse from which the gate warns; infinite means never.
    pub warn_from: f64,
    /// The relative change for the worse from which the gate fails; infinite means never.
    pub fail_from: f64,
}

impl Rule {
    /// Returns whether a change can do more than be shown.
    #[must_use]
    pub fn can_gate(&self) -> bool {
        self.warn_from < NEVER
    }
}

/// Says what is done where there is no change to judge: the least that is done, whatever else speaks for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcomes {
    /// There is no base.
    pub first_run: Gate,
    /// The numbers allow no verdict.
    pub inconclusive: Gate,
    /// The base has it, the head does not.
    pub removed: Gate,
    /// It was to be measured, and was not.
    pub broken: Gate,
    /// The baseline allows more than the code needs.
    pub stale: Gate,
}

impl Default for Outcomes {
    fn default() -> Self {
        Self {
            first_run: Gate::Pass,
            inconclusive: Gate::Pass,
            // A benchmark that vanishes is the cheapest way to mend a regression, so it is always said.
            removed: Gate::Warn,
            broken: Gate::Fail,
            stale: Gate::Pass,
        }
    }
}

impl Policy {
    /// Returns the policy that holds where nobody asked for another.
    #[must_use]
    pub fn standard() -> Self {
        Self::default()
    }

    /// Lays rows over those that are there.
    #[must_use]
    pub fn with_layers(mut self, layers: impl IntoIterator<Item = Layer>) -> Self {
        self.layers.extend(layers);
        self
    }

    /// Sets what is done where there is no change to judge.
    #[must_use]
    pub fn with_outcomes(mut self, outcomes: Outcomes) -> Self {
        self.outcomes = outcomes;
        self
    }

    /// Returns what is done where there is no change to judge.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        self.outcomes
    }

    /// Adds definitions of derived metrics, and says what their terms include.
    #[must_use]
    pub fn with_derived(mut self, derived: Vec<Derived>, inclusions: Vec<Inclusion>) -> Self {
        self.derived.extend(derived);
        self.inclusions.extend(inclusions);
        self
    }

    /// Returns the derived metrics.
    #[must_use]
    pub fn derived(&self) -> &[Derived] {
        &self.derived
    }

    /// Returns whether a metric that may fail by a change in a session is derived from a metric of a benchmark.
    #[must_use]
    pub fn derives_gate_from(&self, bench: &BenchId, metric: &MetricName) -> bool {
        let mut derived = self.derived.iter();
        derived.any(|derived| {
            derived.has_term(bench, metric) && self.may_fail(&derived.metric(Nature::Sampled))
        })
    }

    /// Returns whether a metric may fail by a change in a session, of whichever benchmark it is: whose a derived metric is
    /// can be told only when all its terms are known.
    fn may_fail(&self, metric: &Metric) -> bool {
        let standard = standard::rule_of(metric, Method::Paired);
        let layers = self
            .layers
            .iter()
            .filter(|layer| layer.is_about_metric(metric) && layer.is_about_method(Method::Paired));
        let may_fail = layers.fold(standard.fail_from < NEVER, |may_fail, layer| {
            match (&layer.scope().benchmark, layer.limits().fail) {
                (_, None) => may_fail,
                (None, Some(fail)) => fail < NEVER,
                (Some(_), Some(fail)) => may_fail || fail < NEVER,
            }
        });
        may_fail && metric.better != Better::Neither
    }

    /// Returns which benchmarks include work that others do not.
    #[must_use]
    pub fn inclusions(&self) -> &[Inclusion] {
        &self.inclusions
    }

    /// Takes the absolute limits away, which say nothing of what was before.
    #[must_use]
    pub fn without_budgets(mut self) -> Self {
        self.ignores_budgets = true;
        self
    }

    /// Lets regressions pass that somebody took on purpose.
    #[must_use]
    pub fn with_accepted(mut self, accepted: Acceptances) -> Self {
        self.accepted = Some(accepted);
        self
    }

    /// Says what was accepted already in what a run is compared with: it is in the base's numbers, and covers no change
    /// against them. A limit has no base, so what was accepted of one still holds.
    #[must_use]
    pub fn with_held(mut self, held: Acceptances) -> Self {
        self.held = Some(held);
        self
    }

    /// Returns what the base holds already.
    #[must_use]
    pub fn held(&self) -> Option<&Acceptances> {
        self.held.as_ref()
    }

    /// Returns the regressions that somebody took on purpose.
    #[must_use]
    pub fn accepted(&self) -> Option<&Acceptances> {
        self.accepted.as_ref()
    }

    /// Returns the rule of a metric of a benchmark that is judged by a method.
    #[must_use]
    pub fn rule(&self, bench: &BenchId, metric: &Metric, method: Method) -> Rule {
        let mut rule = standard::rule_of(metric, method);
        // Most policies have no rows, and a rule is asked for several times a finding.
        if !self.layers.is_empty() {
            self.lay_over(&mut rule, bench, metric, method);
        }
        let (warn_from, fail_from) = match metric.better {
            Better::Lower | Better::Higher => (rule.warn_from, rule.fail_from),
            // What has no direction cannot get worse, so nothing may gate on it.
            Better::Neither => (NEVER, NEVER),
        };
        // A change within the tolerance is none, so a gate below it would never be reached.
        let tolerance = rule.tolerance;
        Rule {
            tolerance,
            warn_from: warn_from.max(tolerance.relative),
            fail_from: fail_from.max(tolerance.relative),
        }
    }

    fn lay_over(&self, rule: &mut Rule, bench: &BenchId, metric: &Metric, method: Method) {
        let layers = self
            .about(bench, metric)
            .filter(|layer| layer.is_about_method(method));
        let mut set_since = [false; 2];
        for limits in layers.map(Layer::limits) {
            *rule = limits.over(*rule);
            if limits.tolerance.is_some() {
                set_since = [false; 2];
            } else {
                set_since[0] |= limits.warn.is_some();
                set_since[1] |= limits.fail.is_some();
            }
        }
        give_way(rule, set_since);
    }

    /// Returns why the rule of a metric of a benchmark is as it is.
    #[must_use]
    pub fn reason(&self, bench: &BenchId, metric: &Metric, method: Method) -> &str {
        let last = self
            .about(bench, metric)
            .filter(|layer| layer.is_about_method(method))
            .last();
        last.map_or(standard::row(metric, method).reason, Layer::because)
    }

    /// Returns the absolute limits of a metric of a benchmark, if it has any. They compare nothing, so a row's method is no
    /// question.
    #[must_use]
    pub fn budget(&self, bench: &BenchId, metric: &Metric) -> Option<Budget> {
        let budget = self
            .about(bench, metric)
            .fold(Budget::default(), |budget, layer| {
                layer.limits().over_budget(budget)
            });
        (budget != Budget::default() && !self.ignores_budgets).then_some(budget)
    }

    /// Returns what is done about a value beyond an absolute limit: what the row says that set it.
    pub(crate) fn beyond(&self, bench: &BenchId, metric: &Metric, bound: Bound) -> Beyond {
        let last = self
            .about(bench, metric)
            .filter(|layer| layer.limits().sets(bound))
            .last();
        last.and_then(|layer| layer.limits().beyond)
            .unwrap_or(Beyond::Fail)
    }

    fn about(&self, bench: &BenchId, metric: &Metric) -> impl Iterator<Item = &Layer> {
        self.layers
            .iter()
            .filter(move |layer| layer.is_about(bench, metric))
    }
}

/// Lowers a tolerance to those of the gates that were set since: by it nobody would hear of what they are for. A gate at zero
/// takes the tolerance as it is.
fn give_way(rule: &mut Rule, set_since: [bool; 2]) {
    let gates = [rule.warn_from, rule.fail_from].into_iter().zip(set_since);
    let gates = gates.filter(|(gate, is_set)| *is_set && *gate > 0.0);
    let least = gates.map(|(gate, _)| gate).fold(NEVER, f64::min);
    rule.tolerance.relative = rule.tolerance.relative.min(least);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;
    use tripline_model::{BenchName, MetricName, Nature, Params, SuiteName, Unit};

    use super::*;
    use crate::derived::Expression;
    use crate::pattern::BenchPattern;

    fn bench(name: &str) -> BenchId {
        BenchId {
            suite: SuiteName::new("kv").unwrap(),
            name: BenchName::new(name).unwrap(),
            params: Params::new(),
        }
    }

    fn instructions() -> Metric {
        Metric::known("instructions").unwrap()
    }

    fn layer(benchmark: Option<&str>, metric: Option<&str>, limits: Limits) -> Layer {
        let scope = Scope {
            benchmark: benchmark.map(|text| BenchPattern::new(text).unwrap()),
            metric: metric.map(|name| MetricName::new(name).unwrap()),
            method: None,
        };
        Layer::new(scope, limits, "a test").unwrap()
    }

    fn fail(fail: f64) -> Limits {
        Limits {
            fail: Some(fail),
            ..Limits::default()
        }
    }

    #[test]
    fn a_gate_is_derived_where_any_row_lets_the_derived_metric_fail() {
        let never = || fail(NEVER);
        let derives = |better, rows: &[(Option<&str>, Option<&str>, Limits)]| {
            let rows = rows.iter().map(|row| layer(row.0, row.1, row.2));
            let expression = Expression::new("get:wall_time / set:wall_time").unwrap();
            let name = MetricName::new("quotient").unwrap();
            let derived = Derived::new(name, String::new(), expression, Unit::Ratio, better);
            let policy = Policy::standard()
                .with_layers(rows)
                .with_derived(vec![derived], Vec::new());
            let asked = |name, metric| {
                policy.derives_gate_from(&bench(name), &MetricName::new(metric).unwrap())
            };
            assert!(!asked("put", "wall_time") && !asked("get", "cpu_time"));
            asked("get", "wall_time")
        };
        let (of_it, of_other) = (Some("quotient"), Some("wall_time"));
        for (rows, expected) in [
            (&[][..], true),
            (&[(None, of_it, never())], false),
            (&[(None, None, never())], false),
            (&[(None, of_other, never())], true),
            // Whose it is cannot be told yet, so a row about any benchmark counts, unless a later one is about all.
            (&[(Some("set"), of_it, never())], true),
            (
                &[(None, of_it, never()), (Some("set"), of_it, fail(0.5))],
                true,
            ),
            (
                &[(Some("set"), of_it, fail(0.5)), (None, of_it, never())],
                false,
            ),
        ] {
            assert_eq!(derives(Better::Lower, rows), expected, "{rows:?}");
        }
        assert!(!derives(Better::Neither, &[]));
    }

    #[test]
    fn direction_comes_before_gates() {
        let policy = Policy::standard().with_layers([layer(None, None, fail(0.0))]);
        let undirected = Metric {
            name: MetricName::new("syscalls").unwrap(),
            unit: Unit::Count,
            better: Better::Neither,
            nature: Nature::Exact,
        };
        let rule = policy.rule(&bench("get"), &undirected, Method::Exact);
        assert!(!rule.can_gate());
        assert_eq!(rule.tolerance.relative, 0.001);
    }

    #[test]
    fn later_rows_win_in_what_they_set() {
        let policy = Policy::standard().with_layers([
            layer(None, Some("instructions"), fail(0.5)),
            layer(
                Some("get*"),
                None,
                Limits {
                    tolerance: Some(0.05),
                    ..Limits::default()
                },
            ),
            layer(Some("get/small"), None, fail(0.1)),
        ]);
        let of = |name: &str| {
            let rule = policy.rule(&bench(name), &instructions(), Method::Exact);
            (rule.tolerance.relative, rule.warn_from, rule.fail_from)
        };
        assert_eq!(of("set"), (0.001, 0.002, 0.5));
        assert_eq!(of("get/large"), (0.05, 0.05, 0.5));
        assert_eq!(of("get/small"), (0.05, 0.05, 0.1));
        let reason = policy.reason(&bench("set"), &instructions(), Method::Exact);
        assert_eq!(reason, "a test");
    }

    #[test]
    fn a_tolerance_gives_way_to_a_gate_that_is_set_later_and_holds() {
        let shares = |tolerance, warn, fail| Limits {
            tolerance,
            warn,
            fail,
            ..Limits::default()
        };
        let wide = shares(Some(0.05), Some(0.1), Some(0.1));
        let of = |rows: &[Limits]| {
            let rows = rows.iter().map(|limits| layer(None, None, *limits));
            let policy = Policy::standard().with_layers(rows);
            let rule = policy.rule(&bench("get"), &instructions(), Method::Exact);
            rule.tolerance.relative
        };
        let never = Some(NEVER);
        for (row, wanted) in [
            (shares(None, None, Some(0.01)), 0.01),
            (shares(None, Some(0.02), None), 0.02),
            (shares(None, Some(0.02), Some(0.03)), 0.02),
            (shares(None, Some(0.06), Some(0.07)), 0.05),
            (shares(None, never, never), 0.05),
            // As soon as it is a change, whatever the tolerance is.
            (shares(None, None, Some(0.0)), 0.05),
            (shares(Some(0.01), Some(0.0), Some(0.04)), 0.01),
        ] {
            assert_eq!(of(&[wide, row]), wanted, "{row:?}");
        }
        let strict = shares(None, None, Some(0.0005));
        assert_eq!(of(&[strict]), 0.0005);
        // What was strict before does not hold any more.
        assert_eq!(of(&[strict, shares(None, Some(0.1), Some(0.2))]), 0.001);
        assert_eq!(of(&[strict, shares(Some(0.05), None, None)]), 0.05);
    }

    #[test]
    fn a_row_may_be_about_one_method() {
        let scope = Scope {
            method: Some(Method::Paired),
            ..Scope::default()
        };
        let row = Layer::new(scope, fail(0.07), "a test").unwrap();
        let policy = Policy::standard().with_layers([row]);
        let time = Metric::known("wall_time").unwrap();
        let of = |method| policy.rule(&bench("get"), &time, method).fail_from;
        assert_eq!(
            (of(Method::Paired), of(Method::BaselineOnly)),
            (0.07, NEVER)
        );
        let standard = Policy::standard().rule(&bench("get"), &time, Method::Paired);
        assert_eq!(standard.tolerance.relative, 0.02);
        assert_eq!((standard.warn_from, standard.fail_from), (0.02, 0.02));
    }

    fn any_limits() -> impl Strategy<Value = Limits> {
        let share = || option::of(prop_oneof![Just(0.0), Just(NEVER), 0.0..0.5]);
        (share(), share(), share()).prop_map(|(tolerance, warn, fail)| Limits {
            tolerance,
            warn,
            fail,
            ..Limits::default()
        })
    }

    proptest! {
        /// Whatever is written over the table, a gate is never below the tolerance, and a failure never before a warning.
        #[test]
        fn rules_make_sense_under_any_rows(rows in vec(any_limits(), 0..5), sampled in any::<bool>()) {
            let layers = rows.into_iter().filter_map(|limits| Layer::new(Scope::default(), limits, "x").ok());
            let policy = Policy::standard().with_layers(layers);
            let (metric, method) = if sampled {
                (Metric::known("wall_time").unwrap(), Method::Paired)
            } else {
                (instructions(), Method::Exact)
            };
            let rule = policy.rule(&bench("get"), &metric, method);
            prop_assert!(rule.tolerance.relative.is_finite());
            prop_assert!(rule.tolerance.relative <= rule.warn_from && rule.warn_from <= rule.fail_from);
        }
    }

    #[test]
    fn a_budget_is_set_by_rows_alone() {
        let limits = |min, max| Limits {
            min,
            max,
            ..Limits::default()
        };
        let policy = Policy::standard().with_layers([
            layer(Some("get"), None, limits(Some(1.0), Some(9.0))),
            layer(None, Some("instructions"), limits(None, Some(5.0))),
        ]);
        let of = |name: &str| policy.budget(&bench(name), &instructions());
        let budget = |min, max| Some(Budget { min, max });
        assert_eq!(of("get"), budget(Some(1.0), Some(5.0)));
        assert_eq!(of("set"), budget(None, Some(5.0)));
        let none = Policy::standard().budget(&bench("get"), &instructions());
        assert_eq!(none, None);
        let ignored = policy.without_budgets();
        assert_eq!(ignored.budget(&bench("get"), &instructions()), None);
    }

    #[test]
    fn what_is_done_beyond_a_limit_is_said_by_the_row_that_sets_it() {
        let row = |benchmark, min, max, beyond| {
            let limits = Limits {
                min,
                max,
                beyond,
                ..Limits::default()
            };
            layer(benchmark, None, limits)
        };
        let (warn, beside) = (Some(Beyond::Warn), Some(Beyond::FailBeside));
        let policy = Policy::standard().with_layers([
            row(None, Some(1.0), Some(9.0), warn),
            row(Some("get*"), None, Some(8.0), None),
            row(Some("get/small"), None, Some(7.0), beside),
            layer(None, None, fail(0.5)),
        ]);
        let of = |name: &str| {
            let beyond = |bound| policy.beyond(&bench(name), &instructions(), bound);
            (beyond(Bound::Min), beyond(Bound::Max))
        };
        assert_eq!(of("set"), (Beyond::Warn, Beyond::Warn));
        assert_eq!(of("get"), (Beyond::Warn, Beyond::Fail));
        assert_eq!(of("get/small"), (Beyond::Warn, Beyond::FailBeside));
    }
}
