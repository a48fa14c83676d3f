//! Statistics: numbers in, numbers out, and not one decision.
//!
//! A comparison is made in natural logarithms and signed so that positive is worse; what follows from a number is decided
//! elsewhere. Where the normal way of a formula needs an assumption about the shape of noise (a t-test), there is a rank
//! based one beside it that needs none. Where there are too few values for an answer, the answer is `None` and never a
//! number that looks like one.
//!
//! No function panics on finite numbers, however few, equal, large or small they are.
//!
//! Tested by `tests/judge/vectors`: reference values that SciPy, statsmodels and NumPy gave, and properties over
//! arbitrary samples in `tests/judge/statistics`.

pub mod bound;
mod descriptive;
mod distribution;
pub mod fence;
pub mod multiplicity;
pub mod noise;
mod pairwise;
pub mod rank_sum;
mod ranks;
pub mod ratio;
pub mod sequence;
pub mod sign_process;
pub mod signed_rank;
pub mod spending;
pub mod student;

pub use descriptive::{Moments, mean, median, quantile, variance};
pub use distribution::{normal_cumulative, normal_quantile, student_quantile};

/// An interval that holds the true value with a known confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence it really has, which for ranks is at least what was asked for.
    pub confidence: f64,
}

/// Returns the probability left outside an interval on each side, or `None` where the confidence is none.
fn tail_of(confidence: f64) -> Option<f64> {
    (confidence > 0.0 && confidence < 1.0).then_some((1.0 - confidence) / 2.0)
}
