//! Sums over any stretch of a series in two subtractions: how high it lies, and how far it scatters.
//!
//! Tested below against adding up.

use crate::stats::mean;

/// The running sums of a series and of its squares.
#[derive(Debug)]
pub(super) struct Sums {
    values: Vec<f64>,
    squares: Vec<f64>,
}

impl Sums {
    /// Adds up a series, measured from its mean: sums of squares far from zero lose their digits.
    pub(super) fn of(heights: &[f64]) -> Self {
        let origin = mean(heights).unwrap_or(0.0);
        let (mut value, mut square) = (0.0, 0.0);
        let mut sums = Self {
            values: vec![0.0],
            squares: vec![0.0],
        };
        for height in heights {
            let height = height - origin;
            value += height;
            square += height * height;
            sums.values.push(value);
            sums.squares.push(square);
        }
        sums
    }

    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.values.len() - 1
    }

    /// Returns the mean of a stretch that is not empty, measured from the origin.
    pub(super) fn mean(&self, start: usize, end: usize) -> f64 {
        (self.values[end] - self.values[start]) / (end - start) as f64
    }

    /// Returns the sum of squared distances of a stretch that is not empty from its mean.
    pub(super) fn scatter(&self, start: usize, end: usize) -> f64 {
        let sum = self.values[end] - self.values[start];
        let squares = self.squares[end] - self.squares[start];
        (squares - sum * sum / (end - start) as f64).max(0.0)
    }

    /// Returns for each place how far the mean of the values just after lies from that of as many just before, as its
    /// standard error sees it, in standard deviations of one value. Near the ends there are fewer.
    pub(super) fn differences(&self, width: usize) -> Vec<f64> {
        let (last, width) = (self.len(), width.min(self.len() / 2));
        let mut differences = vec![0.0; last + 1];
        let shrink = (2.0 * width as f64).sqrt().recip();
        // The ends first: what lies between needs no division.
        for at in (1..width).chain(last + 1 - width..last) {
            let (start, end) = (at.saturating_sub(width), (at + width).min(last));
            let (before, after) = ((at - start) as f64, (end - at) as f64);
            let weight = (before * after / (before + after)).sqrt();
            differences[at] = (self.mean(at, end) - self.mean(start, at)).abs() * weight;
        }
        let inner = &mut differences[width..=last - width];
        let before = &self.values[..inner.len()];
        let middle = &self.values[width..width + inner.len()];
        let after = &self.values[2 * width..];
        for (((difference, before), middle), after) in
            inner.iter_mut().zip(before).zip(middle).zip(after)
        {
            *difference = ((after - middle) - (middle - before)).abs() * shrink;
        }
        differences
    }

    /// Returns the standard deviation around the means between the cuts.
    pub(super) fn deviation(&self, cuts: &[usize]) -> f64 {
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let ends = cuts.iter().copied().chain([self.len()]);
        let scatter: f64 = starts
            .zip(ends)
            .map(|(start, end)| self.scatter(start, end))
            .sum();
        let degrees = self.len().saturating_sub(cuts.len() + 1).max(1);
        (scatter / degrees as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_those_of_adding_up() {
        let heights = [1e6, 1e6 + 1.0, 1e6 - 2.0, 1e6 + 3.0, 1e6 + 10.0];
        let sums = Sums::of(&heights);
        assert_eq!(sums.len(), heights.len());
        for start in 0..heights.len() {
            for end in start + 1..=heights.len() {
                let part = &heights[start..end];
                let mean = part.iter().sum::<f64>() / part.len() as f64;
                let scatter: f64 = part.iter().map(|height| (height - mean).powi(2)).sum();
                // The mean, and so the origin, is 1e6 + 2.4.
                assert!((sums.mean(start, end) - (mean - 1e6 - 2.4)).abs() < 1e-9);
                assert!((sums.scatter(start, end) - scatter).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn differences_are_those_of_means() {
        let heights: Vec<f64> = (0..30_u32).map(|i| f64::from(i * 7919 % 31)).collect();
        let sums = Sums::of(&heights);
        for width in 1..=15 {
            for (at, difference) in sums
                .differences(width)
                .into_iter()
                .enumerate()
                .take(30)
                .skip(1)
            {
                let (start, end) = (at.max(width) - width, 30.min(at + width));
                let (before, after) = ((at - start) as f64, (end - at) as f64);
                let weight = (before * after / (before + after)).sqrt();
                let expected = (sums.mean(at, end) - sums.mean(start, at)).abs() * weight;
                assert!((difference - expected).abs() < 1e-9, "{width} {at}");
            }
        }
    }

    #[test]
    fn what_lies_between_means_is_no_deviation() {
        let sums = Sums::of(&[1.0, 2.0, 3.0, 101.0, 102.0, 103.0]);
        assert!((sums.deviation(&[3]) - 1.0).abs() < 1e-9);
        assert!(sums.deviation(&[]) > 50.0);
    }
}
