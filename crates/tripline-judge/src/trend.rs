//! The history of a benchmark: which commit moved its level, and how much it scatters in between.
//!
//! The input is one value per commit. [`change_points`] looks at a whole history, [`Tracker`] takes it one commit at a
//! time and never takes back what is older than fifty commits. Nothing is assumed of the shape of the noise, and a series
//! without any is the easiest case, not a special one. [`e_divisive`] is the method of Apache Otava, for whoever comes
//! from there.
//!
//! Tested by `tests/judge/trend`: properties, known answers, and the shares of false and missed alarms on made-up series;
//! by `bench/self`, which compares with other detectors; and beside the parts.

mod candidates;
mod describe;
mod divisive;
mod evidence;
mod noise;
mod partition;
mod search;
mod series;
mod size;
mod steady;
mod sums;
mod tracker;

pub use describe::{ChangePoint, Level, Status};
pub use divisive::{EDivisive, e_divisive};
pub use evidence::{normal_scores, separation};
pub use noise::Noise;
pub use tracker::{Alert, Tracker};

use describe::{Center, Look};
use partition::neighbours;
use search::{Demands, Found, Proof, memory, search};
use series::Series;
use steady::run_mean_min;
use tripline_model::Nature;

/// What counts as a change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The smallest change that is reported, as a share: a hundredth of a percent, below which nobody looks at a count.
    pub floor: f64,
    /// The fewest values of a level. Two cannot be told from two outliers.
    pub segment_min: usize,
    /// What is asked of the evidence above [`threshold`], by which one in a hundred series of pure noise has an alarm
    /// somewhere. With 0.5 it is one in three thousand series of 200 values, and one in eight hundred of 50.
    pub caution: f64,
    /// What is asked beyond that by who looks again after every commit, where each look is a chance to be wrong: by a
    /// [`Tracker`], and of what is young by [`change_points_so_far`].
    pub caution_of_rerun: f64,
    /// Whether the values are counts, which repeat where nothing changed: then few of them tell a new level.
    pub do_repeat: bool,
}

impl Settings {
    /// Returns what counts as a change of a metric of some nature.
    #[must_use]
    pub fn of(nature: Nature) -> Self {
        Self {
            do_repeat: nature == Nature::Exact,
            ..Self::default()
        }
    }
}

const FLOOR: f64 = 1e-4;
const SEGMENT_MIN: usize = 3;
const CAUTION: f64 = 0.5;
const CAUTION_OF_RERUN: f64 = 0.3;

impl Default for Settings {
    fn default() -> Self {
        Self {
            floor: FLOOR,
            segment_min: SEGMENT_MIN,
            caution: CAUTION,
            caution_of_rerun: CAUTION_OF_RERUN,
            do_repeat: false,
        }
    }
}

/// A tracker meets every short history on its way, and noise that moves in stretches is hardest to tell from levels in
/// short ones: below this many values it asks for as much evidence as here.
const RERUN_COUNT_MIN: usize = 100;

/// The same for what is young in [`change_points_so_far`], which may take back what it said.
const YOUNG_COUNT_MIN: usize = 30;

/// How many standard errors a correlation of the noise has to reach in a single look. A tracker, whose looks are many,
/// takes a correlation as it comes.
const CORRELATION_ERRORS: f64 = 2.0;

impl Settings {
    fn demands(&self, count: usize) -> Demands {
        Demands {
            floor: self.floor,
            segment_min: self.segment_min.max(1),
            run_mean_min: run_mean_min(count, self.do_repeat),
            settled: Proof {
                evidence: threshold(count) + self.caution,
                correlation: least_correlation(count),
            },
            young: None,
        }
    }

    fn demands_so_far(&self, count: usize) -> Demands {
        Demands {
            young: Some(self.proof_of_rerun(count.max(YOUNG_COUNT_MIN))),
            ..self.demands(count)
        }
    }

    fn demands_of_rerun(&self, count: usize) -> Demands {
        Demands {
            settled: self.proof_of_rerun(count.max(RERUN_COUNT_MIN)),
            ..self.demands(count)
        }
    }

    fn proof_of_rerun(&self, count: usize) -> Proof {
        Proof {
            evidence: threshold(count) + self.caution + self.caution_of_rerun,
            correlation: 0.0,
        }
    }
}

/// Returns the least correlation of noise that a single look at so many values does not take for chance.
fn least_correlation(count: usize) -> f64 {
    CORRELATION_ERRORS / (count as f64).sqrt()
}

/// The levels of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Trend {
    /// Where the level changed, in order.
    pub points: Vec<ChangePoint>,
    /// The noise around the levels.
    pub noise: Noise,
}

/// Finds the change points of a whole series. One that holds a value that is no finite number has none.
#[must_use]
pub fn change_points(values: &[f64], settings: &Settings) -> Trend {
    found(values, settings.demands(values.len()))
}

/// Finds the change points of a series that is looked at anew as a whole whenever it grows: as [`change_points`] does, but a
/// change of which few values tell as yet has to be as sure as for a [`Tracker`].
#[must_use]
pub fn change_points_so_far(values: &[f64], settings: &Settings) -> Trend {
    found(values, settings.demands_so_far(values.len()))
}

fn found(values: &[f64], demands: Demands) -> Trend {
    let Some(series) = Series::of(values) else {
        return Trend {
            points: Vec::new(),
            noise: Noise::within(&[], &[]),
        };
    };
    let found = search(&series, demands);
    let look = Look {
        origin: 0,
        values,
        series,
        found,
        center: Center::Median,
    };
    Trend {
        points: look.points(),
        noise: Noise::within(&look.series.heights, &look.found.cuts),
    }
}

/// Describes change points that another method found, such as a [`Tracker`]: the first values of new levels. Those beyond
/// the series or out of order are passed over.
#[must_use]
pub fn described(values: &[f64], cuts: &[usize]) -> Vec<ChangePoint> {
    described_by(Center::Median, values, cuts)
}

/// The same for a method that compares means, such as [`e_divisive`]: the medians may be equal, or differ the other way.
#[must_use]
pub fn described_by_means(values: &[f64], cuts: &[usize]) -> Vec<ChangePoint> {
    described_by(Center::Mean, values, cuts)
}

fn described_by(center: Center, values: &[f64], cuts: &[usize]) -> Vec<ChangePoint> {
    let Some(series) = Series::of(values) else {
        return Vec::new();
    };
    let cuts = in_order(cuts, values.len());
    let strength = |point: usize| {
        let (start, end) = neighbours(&cuts, point, values.len());
        separation(&values[start..end], cuts[point] - start)
    };
    let strengths = (0..cuts.len()).map(strength).collect();
    let correlation = memory(&series, &cuts, least_correlation(values.len()));
    let found = Found {
        cuts,
        strengths,
        correlation,
        is_steady: false,
    };
    let look = Look {
        origin: 0,
        values,
        series,
        found,
        center,
    };
    look.points()
}

/// Returns the noise of a series around levels that are known: what is left within the segments between the cuts. Cuts
/// beyond the series or out of order are passed over.
#[must_use]
pub fn noise(values: &[f64], cuts: &[usize]) -> Noise {
    let cuts = in_order(cuts, values.len());
    Series::of(values).map_or_else(
        || Noise::within(&[], &[]),
        |series| Noise::within(&series.heights, &cuts),
    )
}

/// Returns the cuts that lie within so many values, each after the one before it.
fn in_order(cuts: &[usize], count: usize) -> Vec<usize> {
    let mut last = 0;
    let cuts = cuts.iter().copied();
    cuts.filter(|cut| *cut > last && *cut < count && std::mem::replace(&mut last, *cut) < *cut)
        .collect()
}

/// Returns the evidence, in standard deviations, that one in a hundred series of so many values has somewhere though
/// nothing changed.
#[must_use]
pub fn threshold(count: usize) -> f64 {
    let beyond = match count {
        50.. => 0.75,
        20.. => 0.5,
        _ => 0.35,
    };
    (2.0 * (count.max(1) as f64).ln()).sqrt() + beyond
}
