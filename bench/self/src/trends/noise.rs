//! Noise of many shapes, each with a standard deviation of about one.
//!
//! Tests: none has a level of its own.

use super::random::Random;

/// A shape of noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    /// None but the rounding to whole counts.
    Count,
    /// Normal.
    Gaussian,
    /// Student's distribution: heavy tails, with so many degrees of freedom.
    Student(u32),
    /// Equally likely everywhere.
    Uniform,
    /// Falling off to both sides as an exponential.
    Laplace,
    /// Skewed, as the logarithm of a normal value.
    LogNormal,
    /// Skewed, as the sum of two waits.
    Gamma,
    /// Two modes, one of them rarer.
    Bimodal,
    /// Remembers so many hundredths of its last value.
    Autoregressive(u32),
    /// Shares half of the last push.
    MovingAverage,
    /// Normal, and now and then slow.
    Spikes,
    /// Normal, and now and then slow or fast by much.
    WildSpikes,
    /// Grows or shrinks along the way.
    Drifting,
    /// Grows or shrinks at once.
    Jumping,
    /// Comes in clusters.
    Clustered,
}

impl Noise {
    /// Draws so many values in a row.
    pub(super) fn values(self, count: usize, random: &mut Random) -> Vec<f64> {
        match self {
            Self::Count => vec![0.0; count],
            Self::Gaussian => each(count, || random.normal()),
            Self::Student(degrees) => {
                // With two degrees there is no variance; what the middle looks like decides.
                let scale = if degrees > 2 {
                    f64::from(degrees) / f64::from(degrees - 2)
                } else {
                    4.0
                };
                each(count, || random.student(degrees) / scale.sqrt())
            }
            Self::Uniform => each(count, || (random.uniform() - 0.5) * 12.0_f64.sqrt()),
            Self::Laplace => each(count, || {
                (random.exponential() - random.exponential()) / 2.0_f64.sqrt()
            }),
            Self::LogNormal => each(count, || (0.8 * random.normal()).exp() - 1.0),
            Self::Gamma => each(count, || {
                (random.exponential() + random.exponential() - 2.0) / 2.0_f64.sqrt()
            }),
            Self::Bimodal => bimodal(count, random),
            Self::Autoregressive(hundredths) => {
                autoregressive(count, f64::from(hundredths) / 100.0, random)
            }
            Self::MovingAverage => moving_average(count, random),
            Self::Spikes => spikes(count, random, (0.01, 0.06), (4.0, 15.0), 0.0),
            Self::WildSpikes => spikes(count, random, (0.02, 0.1), (3.0, 30.0), 0.3),
            Self::Drifting => changing(count, random, |place| place),
            Self::Jumping => {
                let at = random.between(0.25, 0.75);
                changing(count, random, |place| f64::from(u8::from(place > at)))
            }
            Self::Clustered => clustered(count, random),
        }
    }
}

fn each(count: usize, mut draw: impl FnMut() -> f64) -> Vec<f64> {
    (0..count).map(|_| draw()).collect()
}

fn bimodal(count: usize, random: &mut Random) -> Vec<f64> {
    let (share, apart) = (random.between(0.15, 0.5), random.between(2.0, 5.0));
    let scale = (0.25 + apart * apart * share * (1.0 - share)).sqrt();
    each(count, || {
        let mode = if random.happens(share) { apart } else { 0.0 };
        (mode + 0.5 * random.normal()) / scale
    })
}

fn autoregressive(count: usize, memory: f64, random: &mut Random) -> Vec<f64> {
    let push = (1.0 - memory * memory).sqrt();
    let mut last = random.normal();
    each(count, || {
        last = memory * last + push * random.normal();
        last
    })
}

fn moving_average(count: usize, random: &mut Random) -> Vec<f64> {
    let mut last = random.normal();
    each(count, || {
        let push = random.normal();
        let value = (push + 0.5 * last) / 1.25_f64.sqrt();
        last = push;
        value
    })
}

/// Draws normal noise with spikes: how often, how high, and which share of them points down.
fn spikes(
    count: usize,
    random: &mut Random,
    often: (f64, f64),
    high: (f64, f64),
    down: f64,
) -> Vec<f64> {
    let (chance, height) = (
        random.between(often.0, often.1),
        random.between(high.0, high.1),
    );
    each(count, || {
        let mut value = random.normal();
        if random.happens(chance) {
            let sign = if random.happens(down) { -1.0 } else { 1.0 };
            value += sign * height * random.between(0.4, 1.6);
        }
        value
    })
}

/// Draws normal noise that is up to four times as large at one end as at the other.
fn changing(count: usize, random: &mut Random, share: impl Fn(f64) -> f64) -> Vec<f64> {
    let (growth, is_backwards) = (random.between(2.0, 4.0), random.happens(0.5));
    let mut index = 0_usize;
    each(count, || {
        let place = index as f64 / count as f64;
        index += 1;
        let share = share(if is_backwards { 1.0 - place } else { place });
        random.normal() * (1.0 + (growth - 1.0) * share) / (0.5 * (1.0 + growth))
    })
}

fn clustered(count: usize, random: &mut Random) -> Vec<f64> {
    let (mut variance, mut last) = (1.0, 0.0_f64);
    each(count, || {
        variance = 0.1 + 0.2 * last * last + 0.7 * variance;
        last = f64::sqrt(variance) * random.normal();
        last
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_noise_has_a_level_of_its_own() {
        for noise in [
            Noise::Gaussian,
            Noise::Student(3),
            Noise::Uniform,
            Noise::Laplace,
            Noise::LogNormal,
            Noise::Gamma,
            Noise::Bimodal,
            Noise::Autoregressive(60),
            Noise::MovingAverage,
            Noise::Drifting,
            Noise::Jumping,
            Noise::Clustered,
        ] {
            let values = noise.values(20_000, &mut Random::seeded(3));
            let means =
                [&values[..10_000], &values[10_000..]].map(|half| half.iter().sum::<f64>() / 1e4);
            assert!((means[0] - means[1]).abs() < 0.15, "{noise:?}: {means:?}");
        }
    }
}
