//! Histories of which it is known where the level changes.
//!
//! A family is a shape of noise and a shape of change. Sizes are in standard deviations of the noise; counts have no noise
//! to measure by, and steps from a tenth of a percent on. The histories that are kept back share neither noise (but the
//! normal one, the skewed one, the bimodal one and counts), nor sizes, nor lengths with those for tuning.
//!
//! Tests: what is planted is there, and nothing else.

use super::noise::Noise;
use super::random::Random;

/// A series and the truth about it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct History {
    /// The shape of its noise.
    pub(super) noise: Noise,
    /// The shape of what was planted.
    pub(super) shape: Shape,
    /// The values.
    pub(super) values: Vec<f64>,
    /// The first values of the new levels.
    pub(super) truth: Vec<usize>,
}

/// A shape of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing changes.
    Nothing,
    /// One step.
    Step,
    /// One step with six to fifteen values after it.
    Late,
    /// Two steps, ten to thirty values apart, the same way or half back.
    Near,
    /// Up and back after five to twenty-five values.
    Pulse,
    /// Three to five steps.
    Many,
}

/// Which histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Those that the settings were chosen by.
    Tuning,
    /// Those with other noise, sizes and lengths, which show whether what was chosen holds elsewhere.
    KeptBack,
}

/// What the histories of a part are made of.
struct Plan {
    seed: u64,
    noises: &'static [Noise],
    sizes: &'static [f64],
    variations: &'static [f64],
    counts: &'static [usize],
    /// Grains that values are rounded to, in standard deviations; zero for none.
    grains: &'static [f64],
}

const TUNING: Plan = Plan {
    seed: 1,
    noises: &[
        Noise::Gaussian,
        Noise::Gaussian,
        Noise::Student(3),
        Noise::LogNormal,
        Noise::Bimodal,
        Noise::Autoregressive(30),
        Noise::Autoregressive(60),
        Noise::Spikes,
        Noise::Drifting,
        Noise::Count,
    ],
    sizes: &[2.0, 3.0, 4.0, 6.0, 10.0],
    variations: &[0.01, 0.03, 0.1],
    counts: &[100, 200, 200, 200, 300],
    grains: &[0.0, 0.0, 0.0, 0.0, 0.5],
};

const KEPT_BACK: Plan = Plan {
    seed: 2,
    noises: &[
        Noise::Gaussian,
        Noise::Student(2),
        Noise::Student(5),
        Noise::Uniform,
        Noise::Laplace,
        Noise::Gamma,
        Noise::LogNormal,
        Noise::Bimodal,
        Noise::MovingAverage,
        Noise::Autoregressive(45),
        Noise::WildSpikes,
        Noise::Jumping,
        Noise::Clustered,
        Noise::Count,
    ],
    sizes: &[2.5, 3.5, 5.0, 8.0],
    variations: &[0.005, 0.02, 0.05, 0.15],
    counts: &[20, 50, 120, 200, 250, 500, 1_000],
    grains: &[0.0, 0.0, 0.0, 0.3, 1.0],
};

/// A third of the histories have no step at all.
const SHAPES: [Shape; 9] = [
    Shape::Nothing,
    Shape::Nothing,
    Shape::Nothing,
    Shape::Step,
    Shape::Step,
    Shape::Late,
    Shape::Near,
    Shape::Pulse,
    Shape::Many,
];

/// The steps of counts, as shares.
const COUNT_STEPS: &[f64] = &[0.001, 0.002, 0.005, 0.01, 0.05];

/// How far counts scatter, as shares: mostly not at all.
const COUNT_SCATTER: &[f64] = &[0.0, 0.0, 1e-5];

/// What is short or has little after it is at least so large: smaller ones nobody could see.
const SHORT_SIZE_MIN: f64 = 3.0;

/// Returns the histories of a part, each family so many times.
pub(super) fn histories(part: Part, repetitions: usize) -> Vec<History> {
    let plan = match part {
        Part::Tuning => &TUNING,
        Part::KeptBack => &KEPT_BACK,
    };
    let families = plan
        .noises
        .iter()
        .flat_map(|noise| SHAPES.map(|shape| (*noise, shape)));
    let families = families.flat_map(|family| std::iter::repeat_n(family, repetitions));
    families
        .zip(plan.seed << 32..)
        .map(|((noise, shape), seed)| history(plan, noise, shape, &mut Random::seeded(seed)))
        .collect()
}

/// Returns histories of normal noise alone.
pub(super) fn noise_alone(count: usize) -> Vec<History> {
    let seeds = (9_u64 << 32..).take(count);
    seeds
        .map(|seed| {
            let mut random = Random::seeded(seed);
            let length = random.pick(&[100, 200, 500]);
            let values = Noise::Gaussian.values(length, &mut random);
            History {
                noise: Noise::Gaussian,
                shape: Shape::Nothing,
                values: values.iter().map(|value| 100.0 + value).collect(),
                truth: Vec::new(),
            }
        })
        .collect()
}

/// How many values there are between two steps of a long history, and how large these are in standard deviations.
const LONG_STRETCH: usize = 500;
const LONG_STEP: f64 = 5.0;

/// Returns a history of normal noise of 2 % with a step up and down in turn after every 500 values: what the speed is
/// measured with.
#[must_use]
pub fn long_history(points: usize) -> Vec<f64> {
    let noise = Noise::Gaussian.values(points, &mut Random::seeded(3 << 32));
    let indexed = noise.iter().enumerate();
    indexed
        .map(|(index, noise)| {
            let is_up = index / LONG_STRETCH % 2 == 1;
            let level = if is_up { LONG_STEP } else { 0.0 };
            1_000.0 * (0.02 * (level + noise)).exp()
        })
        .collect()
}

fn history(plan: &Plan, noise: Noise, shape: Shape, random: &mut Random) -> History {
    let count = random.pick(plan.counts);
    let variation = random.pick(plan.variations);
    let size = match shape {
        Shape::Late | Shape::Near | Shape::Pulse => random.pick(plan.sizes).max(SHORT_SIZE_MIN),
        _ => random.pick(plan.sizes),
    };
    let grain = random.pick(plan.grains);
    let (levels, truth) = levels(shape, count, random);
    let values = if noise == Noise::Count {
        counts(&levels, random)
    } else {
        let base = 10_f64.powf(random.between(-3.0, 5.0));
        let noise = noise.values(count, random);
        let value = |(level, noise): (&f64, f64)| {
            let noise = if grain > 0.0 {
                (noise / grain).round() * grain
            } else {
                noise
            };
            base * (1.0 + variation * noise).max(0.02) * (variation * size * level).exp()
        };
        levels.iter().zip(noise).map(value).collect()
    };
    History {
        noise,
        shape,
        values,
        truth,
    }
}

fn counts(levels: &[f64], random: &mut Random) -> Vec<f64> {
    let base = 10_f64.powf(random.between(4.0, 9.0)).round();
    let (step, scatter) = (random.pick(COUNT_STEPS), random.pick(COUNT_SCATTER));
    levels
        .iter()
        .map(|level| {
            let scattered = 1.0 + scatter * (random.uniform() - 0.5);
            (base * (1.0 + step * level) * scattered).round()
        })
        .collect()
}

/// How many values there are at either end at least, where there is room.
const MARGIN: usize = 12;

/// Returns the level of each value, in sizes of a step, and where it changes. What has no room is one step.
fn levels(shape: Shape, count: usize, random: &mut Random) -> (Vec<f64>, Vec<usize>) {
    let sign = if random.happens(0.3) { -1.0 } else { 1.0 };
    let steps = match shape {
        Shape::Nothing => Vec::new(),
        Shape::Late => vec![(count - 6 - random.below((count / 4).min(10)), sign)],
        Shape::Near => {
            let (gap, size) = (10 + random.below(20), random.between(0.6, 1.2));
            let back = if random.happens(0.5) { 1.0 } else { -0.5 };
            two_steps(count, gap, [sign, back * size * sign], random)
        }
        Shape::Pulse => two_steps(count, 5 + random.below(20), [sign, -sign], random),
        Shape::Many => many_steps(count, random),
        Shape::Step => Vec::new(),
    };
    let steps = if steps.is_empty() && shape != Shape::Nothing {
        let margin = (count / 8).max(6);
        vec![(margin + random.below(count - 2 * margin + 1), sign)]
    } else {
        steps
    };
    let mut levels = vec![0.0; count];
    for (at, size) in &steps {
        levels[*at..].iter_mut().for_each(|level| *level += size);
    }
    (levels, steps.iter().map(|(at, _)| *at).collect())
}

fn two_steps(count: usize, gap: usize, sizes: [f64; 2], random: &mut Random) -> Vec<(usize, f64)> {
    let Some(room) = count.checked_sub(2 * MARGIN + gap).filter(|room| *room > 0) else {
        return Vec::new();
    };
    let at = MARGIN + random.below(room);
    vec![(at, sizes[0]), (at + gap, sizes[1])]
}

fn many_steps(count: usize, random: &mut Random) -> Vec<(usize, f64)> {
    let steps = 3 + random.below(3);
    let stretch = count / (steps + 1);
    if stretch < 25 {
        return Vec::new();
    }
    (1..=steps)
        .map(|step| {
            let sign = if random.happens(0.5) { -1.0 } else { 1.0 };
            let at = step * stretch - stretch / 4 + random.below(stretch / 2);
            (at, sign * random.between(0.7, 1.5))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_planted_is_there_and_nothing_else() {
        for part in [Part::Tuning, Part::KeptBack] {
            let histories = histories(part, 2);
            for history in &histories {
                assert!(history.values.iter().all(|value| *value > 0.0));
                assert!(history.truth.windows(2).all(|pair| pair[1] - pair[0] >= 5));
                assert!(
                    history
                        .truth
                        .iter()
                        .all(|at| (6..=history.values.len() - 6).contains(at))
                );
                assert_eq!(history.truth.is_empty(), history.shape == Shape::Nothing);
            }
            let without = histories.iter().filter(|history| history.truth.is_empty());
            assert_eq!(3 * without.count(), histories.len());
        }
    }

    #[test]
    fn the_steps_of_a_long_history_are_found() {
        let found = super::super::comparison::ours(&long_history(3_000));
        let near = found.iter().zip((1..).map(|step| step * LONG_STRETCH));
        assert_eq!(found.len(), 5, "{found:?}");
        assert!(
            near.clone().all(|(found, step)| found.abs_diff(step) <= 2),
            "{found:?}"
        );
    }

    #[test]
    fn a_count_is_constant_between_its_steps() {
        let histories = histories(Part::Tuning, 6);
        let counts = histories
            .iter()
            .filter(|history| history.noise == Noise::Count);
        let steady = counts.filter(|history| {
            let changes = history.values.windows(2).filter(|pair| pair[0] != pair[1]);
            changes.count() == history.truth.len()
        });
        assert!(steady.count() > 20);
    }

    #[test]
    fn histories_are_the_same_every_time_and_differ_from_one_another() {
        assert_eq!(histories(Part::Tuning, 1), histories(Part::Tuning, 1));
        let all = histories(Part::KeptBack, 2);
        let different: std::collections::BTreeSet<u64> = all
            .iter()
            .map(|history| history.values[0].to_bits())
            .collect();
        assert_eq!(different.len(), all.len());
    }
}
