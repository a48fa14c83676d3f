//! The repeated values of one metric, in the order they were measured.

use crate::history::{Point, Spread};

/// The largest whole number that is kept exactly. Counts above it would lose their last digits without a word.
pub const COUNT_MAX: f64 = 9_007_199_254_740_992.0;

/// Says why values are not a sample.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SampleError {
    /// There is no value at all.
    #[error("a sample needs at least one value")]
    Empty,
    /// A value is NaN or infinite.
    #[error("value {index} is {value}, not a finite number")]
    NotFinite {
        /// Its place, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A value is below zero, which no time, size or count is.
    #[error("value {index} is {value}, below zero")]
    Negative {
        /// Its place, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A value is too large to be kept exactly.
    #[error("value {index} is {value}, too large to be kept exactly (the limit is 2^53)")]
    TooLarge {
        /// Its place, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// The iteration counts do not belong to the values.
    #[error("there are {iterations} iteration counts for {values} values")]
    Iterations {
        /// How many iteration counts there are.
        iterations: usize,
        /// How many values there are.
        values: usize,
    },
    /// The rounds do not belong to the values.
    #[error("there are {rounds} rounds for {values} values")]
    Rounds {
        /// How many rounds there are.
        rounds: usize,
        /// How many values there are.
        values: usize,
    },
    /// The rounds do not follow one another.
    #[error("round {index} is not later than the one before it")]
    RoundOrder {
        /// Its place, from 0.
        index: usize,
    },
    /// A value was taken over no iteration at all.
    #[error("value {index} was taken over 0 iterations")]
    NoIteration {
        /// Its place, from 0.
        index: usize,
    },
}

/// Holds one or more finite values, none below zero, in the order they were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    values: Box<[f64]>,
    iterations: Option<Box<[u64]>>,
    rounds: Option<Box<[u32]>>,
    /// How far values lay that are not here.
    kept: Option<Box<Spread>>,
}

impl Sample {
    /// Checks the values and keeps them.
    ///
    /// # Errors
    /// Names the first value that cannot be one.
    pub fn new(values: impl Into<Box<[f64]>>) -> Result<Self, SampleError> {
        let values = values.into();
        if values.is_empty() {
            return Err(SampleError::Empty);
        }
        for (index, &value) in values.iter().enumerate() {
            if !value.is_finite() {
                return Err(SampleError::NotFinite { index, value });
            }
            if value < 0.0 {
                return Err(SampleError::Negative { index, value });
            }
            if value > COUNT_MAX {
                return Err(SampleError::TooLarge { index, value });
            }
        }
        Ok(Self {
            values,
            iterations: None,
            rounds: None,
            kept: None,
        })
    }

    /// Takes what the history kept of values. The center is its only value, because nobody measured the ends of a spread.
    ///
    /// It is for those who hand a history on: a run file holds values, and would lose the spread.
    ///
    /// # Errors
    /// The center is no number. Below zero it may be, and as large as any: others keep differences, and what they like.
    pub fn of_point(point: &Point) -> Result<Self, SampleError> {
        let value = point.center;
        if !value.is_finite() {
            return Err(SampleError::NotFinite { index: 0, value });
        }
        Ok(Self {
            values: [value].into(),
            iterations: None,
            rounds: None,
            kept: Some(Box::new(point.spread)),
        })
    }

    /// Checks values that were each averaged over a number of iterations, and keeps both.
    ///
    /// # Errors
    /// Names the first value or count that cannot be one.
    pub fn with_iterations(
        values: impl Into<Box<[f64]>>,
        iterations: impl Into<Box<[u64]>>,
    ) -> Result<Self, SampleError> {
        let sample = Self::new(values)?;
        let iterations = iterations.into();
        if iterations.len() != sample.values.len() {
            return Err(SampleError::Iterations {
                iterations: iterations.len(),
                values: sample.values.len(),
            });
        }
        if let Some(index) = iterations.iter().position(|&n| n == 0) {
            return Err(SampleError::NoIteration { index });
        }
        Ok(Self {
            iterations: Some(iterations),
            ..sample
        })
    }

    /// Says in which round of a session each value was taken. What was taken in one round was taken side by side.
    ///
    /// # Errors
    /// There is not one round for each value, or they are not in ascending order.
    pub fn in_rounds(self, rounds: impl Into<Box<[u32]>>) -> Result<Self, SampleError> {
        let rounds = rounds.into();
        if rounds.len() != self.values.len() {
            return Err(SampleError::Rounds {
                rounds: rounds.len(),
                values: self.values.len(),
            });
        }
        if let Some(before) = rounds.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(SampleError::RoundOrder { index: before + 1 });
        }
        Ok(Self {
            rounds: Some(rounds),
            ..self
        })
    }

    /// Returns the round of a session each value was taken in; absent where it was not taken in one.
    #[must_use]
    pub fn rounds(&self) -> Option<&[u32]> {
        self.rounds.as_deref()
    }

    /// Returns the values that two samples took in the same rounds, side by side; nothing where one has no rounds.
    #[must_use]
    pub fn pairs(&self, other: &Self) -> Vec<(f64, f64)> {
        let (Some(rounds), Some(others)) = (self.rounds(), other.rounds()) else {
            return Vec::new();
        };
        let partner = |round: &u32| others.binary_search(round).ok().map(|at| other.values[at]);
        rounds
            .iter()
            .zip(&*self.values)
            .filter_map(|(round, value)| Some((*value, partner(round)?)))
            .collect()
    }

    /// Returns the values in the order measured.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns how many iterations each value was averaged over, where the harness says so.
    #[must_use]
    pub fn iterations(&self) -> Option<&[u64]> {
        self.iterations.as_deref()
    }

    /// Returns the values in ascending order.
    #[must_use]
    pub fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    /// Returns the smallest value.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the largest value.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the median; of an even number of values, the mean of the middle two.
    #[must_use]
    pub fn median(&self) -> f64 {
        // A count is mostly the same each time, and needs no sorted copy.
        if self.is_constant() {
            // Of two zeros of either sign, the one without.
            return self.values[0] + 0.0;
        }
        let sorted = self.sorted();
        let middle = sorted.len() / 2;
        if sorted.len() % 2 == 1 {
            return sorted[middle];
        }
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }

    /// Returns what was kept of the spread of values that are not here; nothing where all values are.
    #[must_use]
    pub fn kept(&self) -> Option<Spread> {
        self.kept.as_deref().copied()
    }

    /// Returns how many values were measured; nothing where nobody said how many there were.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        match self.kept() {
            None | Some(Spread::Nothing) => Some(self.values.len()),
            Some(Spread::Quartiles { count, .. }) => usize::try_from(count).ok(),
            Some(Spread::Reach(_)) => None,
        }
    }

    /// Returns the values between which the middle half lies: two of the sample, or what was kept of them.
    #[must_use]
    pub fn quartiles(&self) -> (f64, f64) {
        if let Some(spread) = self.kept() {
            let center = self.values[0];
            return Point { center, spread }.ends();
        }
        let sorted = self.sorted();
        let quarter = (sorted.len() - 1) / 4;
        (sorted[quarter], sorted[sorted.len() - 1 - quarter])
    }

    /// Returns whether all values are the same.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.values.iter().all(|v| *v == self.values[0])
    }

    /// Joins two samples of the same metric, as when a count is taken twice. The rounds of two sessions are not
    /// rounds of one, so none are kept.
    #[must_use]
    pub fn followed_by(&self, later: &Self) -> Self {
        let values = self.values.iter().chain(&*later.values).copied().collect();
        let iterations = match (&self.iterations, &later.iterations) {
            (Some(a), Some(b)) => Some(a.iter().chain(&**b).copied().collect()),
            _ => None,
        };
        Self {
            values,
            iterations,
            rounds: None,
            kept: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_measurement_can_give_is_refused() {
        assert_eq!(Sample::new([]), Err(SampleError::Empty));
        assert!(matches!(
            Sample::new([1.0, f64::NAN]),
            Err(SampleError::NotFinite { index: 1, .. })
        ));
        assert!(matches!(
            Sample::new([f64::INFINITY]),
            Err(SampleError::NotFinite { .. })
        ));
        assert!(matches!(
            Sample::new([-1.0]),
            Err(SampleError::Negative { .. })
        ));
        assert!(matches!(
            Sample::new([1e16]),
            Err(SampleError::TooLarge { .. })
        ));
        assert!(matches!(
            Sample::with_iterations([1.0], [1, 2]),
            Err(SampleError::Iterations { .. })
        ));
        assert!(matches!(
            Sample::with_iterations([1.0], [0]),
            Err(SampleError::NoIteration { index: 0 })
        ));
    }

    #[test]
    fn values_of_the_same_rounds_are_paired() {
        let base = Sample::new([1.0, 2.0, 3.0]).unwrap();
        assert_eq!(base.pairs(&base), []);
        let base = base.in_rounds([0, 2, 5]).unwrap();
        let head = Sample::new([20.0, 40.0])
            .unwrap()
            .in_rounds([2, 4])
            .unwrap();
        assert_eq!(base.pairs(&head), [(2.0, 20.0)]);
        assert_eq!(head.pairs(&base), [(20.0, 2.0)]);
        let again = Sample::new([1.0, 2.0]).unwrap();
        assert!(matches!(
            again.clone().in_rounds([3, 3]),
            Err(SampleError::RoundOrder { index: 1 })
        ));
        assert!(matches!(
            again.in_rounds([3]),
            Err(SampleError::Rounds {
                rounds: 1,
                values: 2
            })
        ));
    }

    #[test]
    fn order_is_kept_and_the_sorted_view_is_computed() {
        let sample = Sample::new([3.0, 1.0, 2.0]).unwrap();
        assert_eq!(sample.values(), [3.0, 1.0, 2.0]);
        assert_eq!(sample.sorted(), [1.0, 2.0, 3.0]);
        assert_eq!(sample.median(), 2.0);
        assert_eq!(Sample::new([4.0, 1.0]).unwrap().median(), 2.5);
    }

    #[test]
    fn what_was_kept_of_values_is_no_value() {
        let kept = |spread| {
            let point = Point {
                center: 5.0,
                spread,
            };
            let sample = Sample::of_point(&point).unwrap();
            assert_eq!(sample.values(), [5.0]);
            (sample.quartiles(), sample.count())
        };
        assert_eq!(kept(Spread::Nothing), ((5.0, 5.0), Some(1)));
        assert_eq!(kept(Spread::Reach(7.0)), ((-2.0, 12.0), None));
        let quartiles = Spread::Quartiles {
            low: 4.0,
            high: 9.0,
            count: 30,
        };
        assert_eq!(kept(quartiles), ((4.0, 9.0), Some(30)));
    }

    #[test]
    fn the_middle_half_lies_between_two_values() {
        let quartiles = |values: &[f64]| Sample::new(values).unwrap().quartiles();
        assert_eq!(quartiles(&[7.0]), (7.0, 7.0));
        assert_eq!(quartiles(&[3.0, 1.0]), (1.0, 3.0));
        assert_eq!(quartiles(&[5.0, 4.0, 3.0, 2.0, 1.0]), (2.0, 4.0));
    }
}
