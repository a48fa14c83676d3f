//! Scales: from values to heights, with lines at round numbers.

/// A range of values, a little wider than what it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// The value at the bottom.
    pub(super) low: f64,
    /// The value at the top.
    pub(super) high: f64,
}

/// The least relative height of what is shown: less would blow up the last digit to a mountain.
const HEIGHT_MIN: f64 = 0.01;

/// How much is left free above and below.
const MARGIN: f64 = 0.06;

/// How many lines at round numbers there are about.
const TICKS: f64 = 4.0;

impl Scale {
    /// Returns the scale that shows all values.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low > high {
            return Self {
                low: 0.0,
                high: 1.0,
            };
        }
        let middle = f64::midpoint(low, high);
        let least = match middle.abs() * HEIGHT_MIN {
            0.0 => 1.0,
            least => least,
        };
        let half = ((high - low) / 2.0).max(least / 2.0) * (1.0 + 2.0 * MARGIN);
        // What is never below zero is not drawn below it.
        let bottom = middle - half;
        Self {
            low: if low >= 0.0 { bottom.max(0.0) } else { bottom },
            high: middle + half,
        }
    }

    /// Returns how high a value lies, from 0 at the bottom to 1 at the top.
    pub(super) fn height(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Returns round numbers within.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / TICKS;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough)
            .unwrap_or(rough);
        let first = (self.low / step).ceil();
        let count = ((self.high / step).floor() - first).clamp(0.0, 2.0 * TICKS);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it lies between nothing and a few"
        )]
        let count = count as u32;
        (0..=count)
            .map(|index| (first + f64::from(index)) * step)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_show_all_and_blow_up_nothing() {
        let scale = Scale::of([100.0, 100.0].into_iter());
        assert!(scale.low < 99.5 && scale.high > 100.5);
        assert_eq!(Scale::of(std::iter::empty()).ticks().first(), Some(&0.0));
        let zero = Scale::of([0.0].into_iter());
        assert!(zero.low == 0.0 && zero.high > 0.0);
        let below = Scale::of([-5.0, 5.0].into_iter());
        assert_eq!(below.ticks(), [-5.0, 0.0, 5.0]);
        assert!(below.height(-5.0) > 0.0 && below.height(5.0) < 1.0);
    }

    #[test]
    fn ticks_are_round_and_few() {
        for (low, high) in [(0.1, 0.2), (3.0, 7e9), (-1.0, 1e-9), (999.0, 1001.0)] {
            let scale = Scale::of([low, high].into_iter());
            let ticks = scale.ticks();
            assert!((2..=9).contains(&ticks.len()), "{ticks:?}");
            let inside = |tick: &f64| *tick >= scale.low && *tick <= scale.high;
            assert!(ticks.iter().all(inside), "{ticks:?}");
        }
    }
}
