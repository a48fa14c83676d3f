//! Benchmarks that hold nothing of any change: how much faster the machine of one run is than that of another.
//!
//! The one idea: what does not change cannot move, so whatever moves it is the machine. Where base and head were taken on
//! two machines, the controls say by which factor to correct, or that there is no such factor. Where they were taken side
//! by side, controls that move say that the comparison itself is off.
//!
//! Tested by `tests/judge`: each refusal, and what moved controls take back.

use std::f64::consts::FRAC_PI_2;

use tripline_model::{
    BenchId, Environment, FactDifference, Measurement, MetricName, Refusal, Run, Sample,
};

use crate::case::is_one_session;
use crate::facts::{Differences, of_kind};
use crate::join::{Side, join};
use crate::middle;
use crate::stats::{median, noise};

/// How the names of controls begin.
const PREFIX: &str = "control/";

/// The metric of controls that counts.
const METRIC: &str = "wall_time";

/// From how many controls on they can be trusted to speak for the machine.
const CONTROLS_MIN: usize = 5;

/// How far controls may lie from their middle in the middle, and still agree.
const SPREAD_MAX: f64 = 0.03;

/// How far a single control may lie from their middle.
const OFF_MAX: f64 = 0.25;

/// By how much controls may move side by side.
const MOVED_MAX: f64 = 0.01;

/// The standard deviation, in logarithms, of what one benchmark gains or loses on another machine beside what all gain
/// or lose: assumed until it was learned from one commit measured on several machines.
pub(crate) const INTERACTION: f64 = 0.08;

/// What the control benchmarks of two runs say of the machines.
#[derive(Debug, Clone, PartialEq)]
pub struct Controls {
    /// The logarithm of head over base of each control that both sides have, in a session by the rounds they share.
    ratios: Vec<f64>,
    base: Environment,
    head: Environment,
    is_side_by_side: bool,
    interaction: f64,
}

/// What to correct times by that were taken on two machines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HostFactor {
    /// The logarithm of how much longer the head's machine takes.
    pub(crate) ln: f64,
    /// The variance that it leaves in a corrected logarithm.
    pub(crate) variance: f64,
}

impl Controls {
    /// Gathers the controls of two runs: the benchmarks whose name begins with `control/`, and of those the time.
    #[must_use]
    pub fn of(base: &Run, head: &Run) -> Self {
        let sides = join(base.measurements(), head.measurements(), |a, b| {
            (&a.bench().name, &a.bench().params).cmp(&(&b.bench().name, &b.bench().params))
        });
        let is_side_by_side = is_one_session(base, head);
        let ratio = |side| match side {
            Side::Both(base, head) => {
                let (base, head) = (control(base)?, control(head)?);
                // Sides of a session that share no round were timed one after the other, by two harnesses, or only in
                // rounds that were disturbed; and rounds of two sessions have nothing but their numbers in common.
                match is_side_by_side {
                    true => ln_ratio(&base.pairs(head)),
                    false => ln_ratio(&[(base.median(), head.median())]),
                }
            }
            Side::Base(_) | Side::Head(_) => None,
        };
        Self {
            ratios: sides.filter_map(ratio).collect(),
            base: base.environment.clone(),
            head: head.environment.clone(),
            is_side_by_side,
            interaction: INTERACTION,
        }
    }

    /// States the standard deviation of what one benchmark gains or loses on another machine beside what all do, as
    /// learned from the same code on several machines. What is no such number is not heard.
    #[must_use]
    pub fn with_interaction(self, deviation: f64) -> Self {
        let is_deviation = deviation.is_finite() && deviation >= 0.0;
        Self {
            interaction: if is_deviation {
                deviation
            } else {
                self.interaction
            },
            ..self
        }
    }

    /// Returns whether they speak of two machines.
    pub(crate) fn compare_machines(&self) -> bool {
        !self.is_side_by_side
    }

    /// Returns what to correct the times of two runs by, or why that cannot be said.
    pub(crate) fn factor(
        &self,
        base: &Environment,
        head: &Environment,
    ) -> Result<HostFactor, Refusal> {
        let count = self.ratios.len();
        let middle = median(&self.ratios).filter(|_| count >= CONTROLS_MIN);
        let middle = middle.ok_or(Refusal::NoControls { controls: count })?;
        let differences = self.differences_in_kind(base, head);
        if !differences.is_empty() {
            return Err(Refusal::Hardware(differences));
        }
        let spread = noise::median_deviation(&self.ratios).exp_m1();
        if spread > SPREAD_MAX {
            return Err(Refusal::ControlsDisagree { spread });
        }
        let off = |ratio: &f64| (ratio - middle).abs();
        let change = self.ratios.iter().map(off).fold(0.0, f64::max).exp_m1();
        if change > OFF_MAX {
            return Err(Refusal::ControlOff { change });
        }
        let of_middle = noise::sigma(&self.ratios).powi(2) * FRAC_PI_2 / count as f64;
        Ok(HostFactor {
            ln: middle,
            variance: of_middle + self.interaction.powi(2),
        })
    }

    /// Returns in what the machines differ in kind: of the two runs, or of a run and its controls, which would then speak
    /// of another machine.
    fn differences_in_kind(&self, base: &Environment, head: &Environment) -> Vec<FactDifference> {
        [(base, head), (&self.base, base), (&self.head, head)]
            .into_iter()
            .map(|(one, other)| of_kind(one, other))
            .find(|differences| !differences.is_empty())
            .unwrap_or_default()
    }

    /// Returns by how much the controls moved although both sides ran on one machine side by side; `None` where that is
    /// little, or may be noise. Controls that were built otherwise move with the compiler's flags, which are the change.
    pub(crate) fn moved(&self) -> Option<f64> {
        let are_built_alike = Differences::between(&self.base, &self.head)
            .build
            .is_empty();
        let is_told = self.is_side_by_side && are_built_alike && self.ratios.len() >= CONTROLS_MIN;
        let middle = median(&self.ratios).filter(|_| is_told)?;
        let interval = middle::interval(&self.ratios)?;
        let is_beyond_noise = interval.low > 0.0 || interval.high < 0.0;
        let is_much = middle.abs().exp_m1() > MOVED_MAX;
        (is_beyond_noise && is_much).then(|| middle.exp_m1())
    }
}

/// Returns whether a benchmark is a control.
pub(crate) fn is_control(bench: &BenchId) -> bool {
    bench.name.as_str().starts_with(PREFIX)
}

/// Returns the times of a control.
fn control(measurement: &Measurement) -> Option<&Sample> {
    let metric = MetricName::new(METRIC).ok()?;
    let reading = measurement.reading(&metric)?;
    is_control(measurement.bench()).then_some(&reading.sample)
}

/// Returns the logarithm of head over base of one control, in the middle of what is positive.
fn ln_ratio(times: &[(f64, f64)]) -> Option<f64> {
    let positive = times
        .iter()
        .filter(|(base, head)| *base > 0.0 && *head > 0.0);
    let logs: Vec<f64> = positive
        .map(|(base, head)| middle::ln_ratio(*base, *head))
        .collect();
    median(&logs)
}
