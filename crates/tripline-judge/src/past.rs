//! What the commits before say of a benchmark: its level, and how far a single value may lie from it.
//!
//! One value per commit, measured on machines of the head's kind, in the order of the commits. The level is the last one
//! between change points, the noise what is left when the levels are taken out; and because a short history tells little
//! of its noise, the benchmarks of a suite lend each other theirs (`stats::noise`). A head beyond the bound of a single
//! value (`stats::bound`) is better or worse. It is one value from another time, so nothing fails by it unless a policy
//! says so.
//!
//! Tested by `tests/judge/past`: known answers, and how often it is wrong where nothing changed.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use tripline_model::{
    BenchId, Better, Change, Evidence, Gate, Method, Metric, MetricName, Nature, Reading, Summary,
    Tolerance, Verdict,
};

use crate::judgement::{Judged, Judgement, Movement, finite, of_real_change, worse};
use crate::policy::{Policy, Rule};
use crate::stats::{bound, median, noise};
use crate::trend::{Settings, Trend, change_points};

/// How often a report without any change may call something better or worse.
const ALPHA: f64 = 0.05;

/// The fewest values of a level: with as many a change counts as confirmed.
const LEVEL_MIN: usize = 5;

/// What is known of the series of a suite from the commits before.
#[derive(Debug, Clone, Default)]
pub struct Past {
    levels: BTreeMap<BenchId, BTreeMap<MetricName, Level>>,
}

/// The last level of a series.
#[derive(Debug, Clone, PartialEq)]
struct Level {
    /// The logarithms of its values.
    logs: Vec<f64>,
    /// The standard deviation of one value's logarithm.
    sigma: f64,
    /// The degrees of freedom of that.
    degrees: usize,
}

impl Past {
    /// Learns from series, each of one value per commit in the order of the commits, all of one kind of machine. Counts
    /// are passed over, which have no noise to learn, and so is what is too short or has values at or below zero.
    #[must_use]
    pub fn of<'a>(series: impl IntoIterator<Item = (&'a BenchId, &'a Metric, &'a [f64])>) -> Self {
        let noisy = series.into_iter();
        let noisy = noisy.filter(|(_, metric, _)| metric.nature != Nature::Exact);
        let found = noisy.map(|(bench, metric, values)| {
            let trend = change_points(values, &Settings::default());
            (bench, metric, values, trend)
        });
        Self::of_found(found)
    }

    /// Does the same where the levels of each series were found already, as [`change_points`] finds them, or as far as they are
    /// sure by now.
    #[must_use]
    pub fn of_found<'a>(
        series: impl IntoIterator<Item = (&'a BenchId, &'a Metric, &'a [f64], impl Borrow<Trend>)>,
    ) -> Self {
        let mut of_metrics: BTreeMap<&MetricName, Vec<(&BenchId, Level)>> = BTreeMap::new();
        for (bench, metric, values, trend) in series {
            if metric.nature == Nature::Exact {
                continue;
            }
            if let Some(level) = Level::last(values, trend.borrow()) {
                let of_metric = of_metrics.entry(&metric.name).or_default();
                of_metric.push((bench, level));
            }
        }
        let mut past = Self::default();
        for (name, mut levels) in of_metrics {
            lend(&mut levels);
            for (bench, level) in levels {
                let of_bench = past.levels.entry(bench.clone()).or_default();
                of_bench.insert(name.clone(), level);
            }
        }
        past
    }

    /// Returns whether enough is known of a metric to judge it.
    pub(crate) fn knows(&self, bench: &BenchId, metric: &Metric) -> bool {
        self.level(bench, metric).is_some()
    }

    /// Returns the smallest change, as a share, that a single value shows in a run of all that is known; `None` where too
    /// little is.
    #[must_use]
    pub fn detectable(&self, bench: &BenchId, metric: &Metric, policy: &Policy) -> Option<f64> {
        let level = self.level(bench, metric)?;
        let rule = policy.rule(bench, metric, Method::Historical);
        let hypotheses = self.levels.values().map(BTreeMap::len).sum();
        let reach = level.reach(median(&level.logs)?, alpha(hypotheses), &rule)?;
        Some(reach.exp_m1()).filter(|least| least.is_finite())
    }

    fn level(&self, bench: &BenchId, metric: &Metric) -> Option<&Level> {
        let is_noisy = metric.nature != Nature::Exact;
        let of_bench = self.levels.get(bench).filter(|_| is_noisy)?;
        of_bench.get(&metric.name)
    }

    /// Judges a metric that is one of so many; `None` where nothing is known, or the head has no logarithm.
    pub(crate) fn judge(
        &self,
        bench: &BenchId,
        head: &Reading,
        rule: &Rule,
        hypotheses: usize,
    ) -> Option<Judged> {
        let level = self.level(bench, &head.metric)?;
        let after = Summary::of(&head.sample);
        let now = Some(after.center.ln()).filter(|now| now.is_finite())?;
        let alpha = alpha(hypotheses);
        let middle = median(&level.logs)?;
        let reach = level.reach(middle, alpha, rule)?;
        let better = head.metric.better;
        let before = level.summary(middle);
        let moved = worse(now - middle, better);
        let is_small = (after.center - before.center).abs() <= rule.tolerance.floor;
        let is_within = moved.abs() <= reach || is_small;
        let (verdict, gate) = if better == Better::Neither || is_within {
            (Verdict::Unchanged, Gate::Pass)
        } else {
            of_real_change(before.center, after.center, better, rule)
        };
        let change = Change {
            ratio: (now - middle).exp(),
            low: (now - middle - reach).exp(),
            high: (now - middle + reach).exp(),
        };
        Some(Judged {
            judgement: Judgement {
                verdict,
                gate,
                caveats: Vec::new(),
            },
            evidence: Evidence {
                base: Some(before),
                change: finite(change),
                confidence: Some(1.0 - 2.0 * alpha),
                detectable: Some(reach.exp_m1()).filter(|least| least.is_finite()),
                ..Evidence::new(Method::Historical, rule.tolerance)
            },
            movement: (better != Better::Neither).then_some(Movement {
                worse: moved,
                noise: level.sigma,
            }),
        })
    }
}

/// Returns how often one of so many may be called better, or worse, where nothing changed.
fn alpha(hypotheses: usize) -> f64 {
    ALPHA / 2.0 / hypotheses.max(1) as f64
}

impl Level {
    /// Returns the last level of a series, where it has enough values and all have logarithms.
    fn last(values: &[f64], trend: &Trend) -> Option<Self> {
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        if !logs.iter().all(|log| log.is_finite()) {
            return None;
        }
        let start = trend.points.last().map_or(0, |point| point.index);
        let logs = logs.get(start..)?.to_vec();
        (logs.len() >= LEVEL_MIN).then_some(Self {
            logs,
            sigma: trend.noise.sigma,
            degrees: trend.noise.degrees,
        })
    }

    /// Returns how far from the middle a single value may lie, as a logarithm.
    fn reach(&self, middle: f64, alpha: f64, rule: &Rule) -> Option<f64> {
        let Tolerance { relative, floor } = rule.tolerance;
        let highest = bound::upper(&self.logs, self.sigma, alpha, relative)?;
        Some((highest - middle).max((floor / middle.exp()).ln_1p()))
    }

    fn summary(&self, middle: f64) -> Summary {
        let ends = self.logs.iter().fold((middle, middle), |(low, high), log| {
            (low.min(*log), high.max(*log))
        });
        Summary {
            center: middle.exp(),
            low: ends.0.exp(),
            high: ends.1.exp(),
            count: self.logs.len(),
        }
    }
}

/// Lets the benchmarks of one metric lend each other what they know of its noise.
fn lend(levels: &mut [(&BenchId, Level)]) {
    let variances: Vec<f64> = levels.iter().map(|(_, it)| it.sigma.powi(2)).collect();
    let degrees: Vec<f64> = levels.iter().map(|(_, it)| it.degrees as f64).collect();
    let posterior = noise::moderated(&variances, &degrees).posterior;
    for ((_, level), variance) in levels.iter_mut().zip(posterior) {
        level.sigma = variance.sqrt();
    }
}
