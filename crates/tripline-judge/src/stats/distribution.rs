//! The normal and Student's distribution: tails and quantiles, for any argument.
//!
//! The functions themselves are `statrs`'; here they get a value where the library would assert one, and the quantile of
//! Student's distribution is polished, because far out in the tails the library's is not near.
//!
//! Tested below against tables and through the reference values.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::beta::{beta_reg, inv_beta_reg};
use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::gamma::ln_gamma;

/// From here on Student's distribution is the normal one to seven digits, and the series that gives it no longer ends in
/// the steps the library allows it.
const DEGREES_MAX: f64 = 1e6;

/// How often the quantile is polished at most: each time about doubles its good digits.
const POLISHES_MAX: usize = 20;

/// The step of a polish that no longer changes a number.
const POLISHED: f64 = 1e-15;

/// Returns the probability that a standard normal value is at most `z`.
#[must_use]
pub fn normal_cumulative(z: f64) -> f64 {
    normal_above(-z)
}

/// Returns the probability that a standard normal value is above `z`, which keeps its digits when it is tiny.
pub(super) fn normal_above(z: f64) -> f64 {
    erfc(z / SQRT_2) / 2.0
}

/// Returns the value that a standard normal one stays at or below with a probability; infinite at 0 and 1.
#[must_use]
pub fn normal_quantile(probability: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * probability.clamp(0.0, 1.0))
}

/// Returns the probability that Student's t is above a value.
pub(super) fn student_above(t: f64, degrees: f64) -> f64 {
    if degrees > DEGREES_MAX {
        return normal_above(t);
    }
    // Where t squared has no room, what is left of it is 0, and so is the probability.
    let inside = (degrees / (degrees + t * t)).clamp(0.0, 1.0);
    let tail = beta_reg(degrees / 2.0, 0.5, inside) / 2.0;
    if t >= 0.0 { tail } else { 1.0 - tail }
}

/// Returns the value that Student's t stays at or below with a probability; infinite at 0 and 1, and `NaN` without
/// degrees of freedom.
#[must_use]
pub fn student_quantile(probability: f64, degrees: f64) -> f64 {
    let above = 1.0 - probability.clamp(0.0, 1.0);
    if above > 0.5 {
        return -student_quantile(above, degrees);
    }
    student_quantile_above(above, degrees)
}

/// Returns the value that Student's t exceeds with a probability of at most a half.
///
/// Polished in logarithms of both the value and its probability: there the tail is nearly a straight line, and Newton's
/// way leads to the root from anywhere.
pub(super) fn student_quantile_above(above: f64, degrees: f64) -> f64 {
    if degrees.is_nan() || degrees <= 0.0 || above >= 0.5 {
        return if degrees > 0.0 { 0.0 } else { f64::NAN };
    }
    if above <= 0.0 {
        return f64::INFINITY;
    }
    if degrees > DEGREES_MAX {
        return -normal_quantile(above);
    }
    let inside = inv_beta_reg(degrees / 2.0, 0.5, 2.0 * above);
    let mut t = (degrees * (1.0 - inside) / inside).sqrt();
    for _ in 0..POLISHES_MAX {
        let chance = student_above(t, degrees);
        let step = (chance / above).ln() * chance / (t * student_density(t, degrees));
        if !step.is_finite() {
            break;
        }
        t *= step.exp();
        if step.abs() < POLISHED {
            break;
        }
    }
    t
}

fn student_density(t: f64, degrees: f64) -> f64 {
    let height = ln_gamma((degrees + 1.0) / 2.0) - ln_gamma(degrees / 2.0);
    let slope = (degrees + 1.0) / 2.0 * (t * t / degrees).ln_1p();
    (height - slope).exp() / (degrees * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(value: f64, expected: f64) {
        assert!(
            (value - expected).abs() <= 1e-10 * expected.abs(),
            "{value} is not {expected}"
        );
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        assert_near(normal_cumulative(0.0), 0.5);
        assert_near(normal_cumulative(1.959_963_984_540_054), 0.975);
        assert_near(normal_quantile(0.975), 1.959_963_984_540_054);
        assert_near(normal_quantile(0.01), -2.326_347_874_040_841);
        assert_near(normal_above(10.0) * 1e23, 0.761_985_302_416_052_6);
        assert_eq!(
            (normal_quantile(0.0), normal_quantile(1.0)),
            (f64::NEG_INFINITY, f64::INFINITY)
        );
    }

    #[test]
    fn students_distribution_is_that_of_the_tables() {
        // With one degree it is Cauchy's, with two it has a closed form.
        assert_near(student_above(1.0, 1.0), 0.25);
        assert_near(student_quantile(0.75, 1.0), 1.0);
        let (t, above) = (3.0_f64, 0.5 - 3.0 / (2.0 * 11.0_f64.sqrt()));
        assert_near(student_above(t, 2.0), above);
        assert_near(student_quantile(1.0 - above, 2.0), t);
        assert_near(student_quantile(0.975, 10.0), 2.228_138_851_964_938_5);
        assert_near(student_quantile(0.025, 10.0), -2.228_138_851_964_938_5);
        assert_eq!(student_quantile(0.5, 7.0), 0.0);
    }

    #[test]
    fn far_out_in_the_tails_the_quantile_still_turns_back() {
        for degrees in [0.3, 1.0, 2.5, 10.0, 1e3, 1e5] {
            for above in [0.49, 0.1, 1e-3, 1e-6, 1e-10] {
                assert_near(
                    student_above(student_quantile_above(above, degrees), degrees),
                    above,
                );
            }
        }
        // Cauchy's distribution again, whose quantile is the cotangent of pi times the probability.
        assert_near(student_quantile_above(1e-10, 1.0), 1.0 / (PI * 1e-10));
    }

    #[test]
    fn many_degrees_are_nearly_normal() {
        for degrees in [9.9e5, 1.1e6, f64::INFINITY] {
            assert!((student_quantile(0.999, degrees) - normal_quantile(0.999)).abs() < 1e-5);
            assert!((student_above(3.0, degrees) - normal_above(3.0)).abs() < 1e-7);
        }
    }

    #[test]
    fn the_ends_are_infinite_and_no_degrees_are_no_number() {
        assert_eq!(student_quantile(1.0, 5.0), f64::INFINITY);
        assert_eq!(student_quantile(0.0, 5.0), f64::NEG_INFINITY);
        assert!(student_quantile(0.9, 0.0).is_nan() && student_quantile(0.9, f64::NAN).is_nan());
        assert_eq!(student_above(f64::MAX, 3.0), 0.0);
    }
}
