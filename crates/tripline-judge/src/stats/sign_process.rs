//! Evidence from signs that may be looked at after every pair.
//!
//! The one idea: count in how many pairs the head is worse by more than the margin (wins) and in how many by less
//! (losses). If the true change is at most the margin, a win is at most as likely as a loss, whatever the shape of the
//! noise. The e-value is the likelihood of the signs averaged over all chances of a win above one half, against one half:
//! a bet that gains when wins prevail. A bet that is fair reaches 1/level at any time with at most the probability
//! `level`, so measuring may stop as soon as it does, and no look costs anything (Ville's inequality).
//!
//! With the sides swapped the same function is the evidence that the change is within the margin.
//!
//! Tested by the reference values, below against the integral it stands for, and by properties.

/// A number that is scaled down from here on, so that a sum does not run over.
const LARGE: f64 = 1e200;

/// Returns the natural logarithm of the e-value of wins and losses.
///
/// The integral has a closed form, `wins! losses!` times the sum of `1 / (j! (wins + losses + 1 - j)!)` for `j` above
/// `losses`: positive terms only, each made from the one before, so nothing cancels. The work grows with the wins.
#[must_use]
pub fn ln_e(wins: u32, losses: u32) -> f64 {
    let (wins, losses) = (f64::from(wins), f64::from(losses));
    let mut term = 1.0 / (losses + 1.0);
    let (mut sum, mut scaled) = (term, 0.0);
    let mut step = 0.0;
    while step < wins && term > sum * f64::EPSILON / 16.0 {
        term *= (wins - step) / (losses + 2.0 + step);
        sum += term;
        step += 1.0;
        if sum > LARGE {
            sum /= LARGE;
            term /= LARGE;
            scaled += LARGE.ln();
        }
    }
    sum.ln() + scaled
}

/// Returns how many wins in a row are evidence enough at a level: 9 at 0.01. `u32::MAX` where no number is.
#[must_use]
pub fn wins_needed(level: f64) -> u32 {
    let needed = -level.ln();
    if !needed.is_finite() {
        return if level > 0.0 { 0 } else { u32::MAX };
    }
    // Each further win gains more than a factor of 1.4, and the smallest positive level needs a logarithm of 745.
    let enough = |wins: &u32| ln_e(*wins, 0) >= needed;
    (0..u32::MAX).find(enough).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_mean_likelihood_above_one_half() {
        // Simpson's rule over the chances of a win from 1/2 to 1, of the likelihood over that of one half.
        for (wins, losses) in [(0, 0), (3, 1), (7, 7), (12, 2), (2, 9)] {
            let likelihood =
                |chance: f64| (2.0 * chance).powi(wins) * (2.0 - 2.0 * chance).powi(losses);
            let steps = 2_000;
            let at = |step: i32| likelihood(0.5 + 0.5 * f64::from(step) / f64::from(steps));
            let inner: f64 = (1..steps)
                .map(|step| at(step) * if step % 2 == 1 { 4.0 } else { 2.0 })
                .sum();
            let mean = (at(0) + inner + at(steps)) / (3.0 * f64::from(steps));
            let ours = ln_e(wins.cast_unsigned(), losses.cast_unsigned()).exp();
            assert!(
                (ours - mean).abs() < 1e-9 * mean,
                "{wins} {losses}: {ours} is not {mean}"
            );
        }
    }

    #[test]
    fn it_is_a_fair_bet_at_one_half() {
        // One more pair, as likely won as lost, changes the evidence in the mean by at most nothing.
        for wins in 0..40 {
            for losses in 0..40 {
                let after = (ln_e(wins + 1, losses).exp() + ln_e(wins, losses + 1).exp()) / 2.0;
                assert!(
                    after <= ln_e(wins, losses).exp() * (1.0 + 1e-12),
                    "{wins} {losses}"
                );
            }
        }
    }

    #[test]
    fn thousands_of_signs_neither_run_over_nor_under() {
        // All wins: (2^(n+1) - 1) / (n+1).
        let all = 10_001.0 * std::f64::consts::LN_2 - 10_001.0_f64.ln();
        assert!((ln_e(10_000, 0) - all).abs() < 1e-9 * all);
        assert!((ln_e(0, 10_000) + 10_001.0_f64.ln()).abs() < 1e-12);
        assert!(ln_e(5_000, 5_000).is_finite() && ln_e(5_000, 5_000) < 0.0);
    }

    #[test]
    fn odd_levels_have_an_answer() {
        assert_eq!(
            (
                wins_needed(1.0),
                wins_needed(7.0),
                wins_needed(f64::INFINITY)
            ),
            (0, 0, 0)
        );
        assert_eq!(
            (wins_needed(0.0), wins_needed(-1.0), wins_needed(f64::NAN)),
            (u32::MAX, u32::MAX, u32::MAX)
        );
        assert!((1_000..1_200).contains(&wins_needed(f64::from_bits(1))));
    }
}
