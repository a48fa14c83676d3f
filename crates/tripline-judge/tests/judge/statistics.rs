//! Properties of the statistics over arbitrary samples: what must hold whatever is measured.
//!
//! Two kinds of sample are drawn: usual ones, on which the laws of scale and order are asked, and wild ones, of equal,
//! tiny, huge and no values at all, on which nothing is asked but an answer.

use proptest::prelude::*;
use tripline_judge::stats::{
    Interval, bound, fence, mean, median, multiplicity, noise, quantile, rank_sum, ratio, sequence,
    sign_process, signed_rank, spending, student, variance,
};

/// Relative room for rounding.
const ROUNDING: f64 = 1e-9;

/// Values of a usual size, with ties now and then.
fn usual(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![-1.0..1.0, (-3..4_i8).prop_map(f64::from)];
    prop::collection::vec(value, count)
}

fn positive(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.5..2.0, count)
}

/// Any finite values at all.
fn wild() -> impl Strategy<Value = Vec<f64>> {
    use prop::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    let value = prop_oneof![
        POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO,
        Just(0.0),
        Just(1.0),
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE),
        Just(-f64::MAX),
    ];
    let constant = (value.clone(), 0..70_usize).prop_map(|(value, count)| vec![value; count]);
    prop_oneof![prop::collection::vec(value, 0..70), constant]
}

fn probabilities() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(
        prop_oneof![0.0..=1.0, 0.0..1e-6, Just(0.0), Just(1.0)],
        0..40,
    )
}

fn confidence() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.9), Just(0.95), Just(0.99), 0.01..0.999]
}

fn scaled(values: &[f64], factor: f64) -> Vec<f64> {
    values.iter().map(|value| value * factor).collect()
}

fn is_near(one: f64, other: f64) -> bool {
    one == other || (one - other).abs() <= ROUNDING * (1.0 + one.abs().max(other.abs()))
}

fn is_probability(p: f64) -> bool {
    (0.0..=1.0).contains(&p)
}

fn holds(interval: Interval, value: f64) -> bool {
    let room = ROUNDING * (1.0 + value.abs());
    interval.low - room <= value && value <= interval.high + room
}

/// Returns numbers that depend on paired differences alone, each with the power of the scale it grows by.
fn of_differences(d: &[f64], confidence: f64) -> Vec<(Option<f64>, i32)> {
    let ranks = signed_rank::interval(d, confidence);
    let student = student::paired(d, confidence);
    let sequence = sequence::interval(d, 1.0 - confidence);
    vec![
        (mean(d), 1),
        (median(d), 1),
        (quantile(d, confidence), 1),
        (variance(d), 2),
        (Some(noise::sigma(d)), 1),
        (signed_rank::hodges_lehmann(d), 1),
        (ranks.map(|interval| interval.low), 1),
        (ranks.map(|interval| interval.high), 1),
        (ranks.map(|interval| interval.confidence), 0),
        (signed_rank::p_two_sided(d), 0),
        (signed_rank::p_greater(d), 0),
        (signed_rank::p_two_sided_normal(d), 0),
        (student.map(|outcome| outcome.p), 0),
        (student.map(|outcome| outcome.high), 1),
        (sequence.map(|interval| interval.low), 1),
    ]
}

/// Returns numbers that depend on two samples.
fn of_two(a: &[f64], b: &[f64], confidence: f64) -> Vec<(Option<f64>, i32)> {
    let ranks = rank_sum::interval(a, b, confidence);
    let welch = student::welch(a, b, confidence);
    let pooled = student::pooled(a, b, confidence);
    vec![
        (Some(rank_sum::statistic(a, b)), 0),
        (rank_sum::p_two_sided(a, b), 0),
        (rank_sum::p_two_sided_normal(a, b), 0),
        (rank_sum::hodges_lehmann(a, b), 1),
        (ranks.map(|interval| interval.low), 1),
        (ranks.map(|interval| interval.high), 1),
        (welch.map(|outcome| outcome.p), 0),
        (welch.map(|outcome| outcome.low), 1),
        (pooled.map(|outcome| outcome.p), 0),
        (pooled.map(|outcome| outcome.high), 1),
    ]
}

/// Asserts that the second numbers are the first at another scale.
fn assert_scaled(
    first: &[(Option<f64>, i32)],
    second: &[(Option<f64>, i32)],
    factor: f64,
) -> Result<(), TestCaseError> {
    for (index, ((one, power), (other, _))) in first.iter().zip(second).enumerate() {
        let expected = one.map(|one| one * factor.powi(*power));
        let agree = match (expected, other) {
            (Some(expected), Some(other)) => is_near(expected, *other),
            (expected, other) => expected.is_none() && other.is_none(),
        };
        prop_assert!(agree, "number {index}: {expected:?} is not {other:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_scale_changes_no_probability_and_scales_the_rest(
        d in usual(0..70), other in usual(0..40), confidence in confidence(), doublings in -9..9_i32,
    ) {
        // A power of two, so that ties stay ties.
        let factor = 2.0_f64.powi(doublings);
        let (big, big_other) = (scaled(&d, factor), scaled(&other, factor));
        assert_scaled(&of_differences(&d, confidence), &of_differences(&big, confidence), factor)?;
        assert_scaled(
            &of_two(&d, &other, confidence), &of_two(&big, &big_other, confidence), factor,
        )?;
    }

    #[test]
    fn the_order_of_values_changes_nothing(
        (d, shuffled) in usual(0..70).prop_flat_map(|d| (Just(d.clone()), Just(d).prop_shuffle())),
        other in usual(0..40), confidence in confidence(),
    ) {
        assert_scaled(&of_differences(&d, confidence), &of_differences(&shuffled, confidence), 1.0)?;
        assert_scaled(&of_two(&d, &other, confidence), &of_two(&shuffled, &other, confidence), 1.0)?;
        assert_scaled(&of_two(&other, &d, confidence), &of_two(&other, &shuffled, confidence), 1.0)?;
    }

    #[test]
    fn swapping_the_sides_mirrors(a in usual(1..30), b in usual(1..30), confidence in confidence()) {
        let pairs = (a.len() * b.len()) as f64;
        prop_assert_eq!(rank_sum::statistic(&a, &b) + rank_sum::statistic(&b, &a), pairs);
        prop_assert_eq!(rank_sum::p_two_sided(&a, &b), rank_sum::p_two_sided(&b, &a));
        let shift = rank_sum::hodges_lehmann(&a, &b).unwrap();
        prop_assert!(is_near(shift, -rank_sum::hodges_lehmann(&b, &a).unwrap()));
        let there = rank_sum::interval(&a, &b, confidence);
        let back = rank_sum::interval(&b, &a, confidence);
        if let (Some(there), Some(back)) = (there, back) {
            prop_assert!(is_near(there.low, -back.high) && is_near(there.high, -back.low));
        }
        prop_assert_eq!(there.is_some(), back.is_some());
        let mirrored = scaled(&a, -1.0);
        let p = signed_rank::p_two_sided(&a).unwrap();
        prop_assert!(is_near(p, signed_rank::p_two_sided(&mirrored).unwrap()));
    }

    #[test]
    fn intervals_hold_their_estimate_and_grow_with_confidence(
        a in usual(2..60), b in usual(2..40), confidence in 0.5..0.99,
    ) {
        let wider = f64::midpoint(confidence, 1.0);
        let middle = signed_rank::hodges_lehmann(&a).unwrap();
        if let Some(interval) = signed_rank::interval(&a, confidence) {
            prop_assert!(holds(interval, middle));
            prop_assert!(interval.confidence >= confidence - ROUNDING);
            if let Some(wide) = signed_rank::interval(&a, wider) {
                prop_assert!(wide.low <= interval.low && interval.high <= wide.high);
            }
        }
        let shift = rank_sum::hodges_lehmann(&a, &b).unwrap();
        if let Some(interval) = rank_sum::interval(&a, &b, confidence) {
            prop_assert!(holds(interval, shift));
            prop_assert!(interval.confidence >= confidence - ROUNDING);
        }
        let welch = student::welch(&a, &b, confidence).unwrap();
        prop_assert!(welch.low <= welch.difference && welch.difference <= welch.high);
        prop_assert!(welch.degrees <= (a.len() + b.len()) as f64 - 2.0 + ROUNDING);
        if let Some(interval) = sequence::interval(&a, 1.0 - confidence) {
            prop_assert!(holds(interval, mean(&sequence::winsorised(&a)).unwrap()));
        }
    }

    #[test]
    fn the_interval_and_the_test_agree(d in prop::collection::vec(-1.0..1.0, 8..50)) {
        // Zero is outside the 95 % interval just when the exact test is below 5 %.
        let interval = signed_rank::interval(&d, 0.95).unwrap();
        let is_outside = interval.low > 0.0 || interval.high < 0.0;
        prop_assert_eq!(is_outside, signed_rank::p_two_sided(&d).unwrap() <= 0.05);
    }

    #[test]
    fn ratios_hold_their_estimate_and_scale(
        above in positive(2..30), below in positive(2..30), confidence in 0.5..0.99,
    ) {
        let delta = ratio::delta(&above, &below, confidence).unwrap();
        prop_assert!(delta.low <= delta.ratio && delta.ratio <= delta.high);
        let tripled = ratio::delta(&scaled(&above, 3.0), &below, confidence).unwrap();
        prop_assert!(is_near(tripled.high, 3.0 * delta.high));
        match ratio::fieller(&above, &below, confidence) {
            Ok(fieller) => {
                prop_assert!(fieller.low <= fieller.ratio && fieller.ratio <= fieller.high);
                prop_assert!(ratio::g(&above, &below, confidence) < 1.0);
            }
            Err(unbounded) => prop_assert!(unbounded.g >= 1.0),
        }
        let logs: Vec<f64> = above.iter().map(|value| value.ln()).collect();
        let paired = ratio::paired(&logs, confidence).unwrap();
        prop_assert!(paired.low <= paired.ratio && paired.ratio <= paired.high);
        prop_assert!(is_near(paired.ratio.ln(), mean(&logs).unwrap()));
    }

    #[test]
    fn adjusted_probabilities_are_no_smaller_and_keep_the_order(p in probabilities()) {
        let adjustments = [
            multiplicity::benjamini_hochberg, multiplicity::benjamini_yekutieli, multiplicity::holm,
        ];
        for adjust in adjustments {
            let adjusted = adjust(&p);
            prop_assert_eq!(adjusted.len(), p.len());
            for (index, one) in adjusted.iter().enumerate() {
                prop_assert!(is_probability(*one) && *one >= p[index] * (1.0 - ROUNDING));
                for (other, raw) in adjusted.iter().zip(&p) {
                    prop_assert!(p[index] > *raw || *one <= *other * (1.0 + ROUNDING));
                }
            }
        }
        let [hochberg, yekutieli, holm] = adjustments.map(|adjust| adjust(&p));
        for (index, least) in hochberg.iter().enumerate() {
            let most = yekutieli[index].min(holm[index]);
            prop_assert!(*least <= most * (1.0 + ROUNDING));
        }
    }

    #[test]
    fn e_values_that_are_rejected_are_the_largest(
        e in prop::collection::vec(-5.0..12.0, 0..40), level in 0.001..0.5,
    ) {
        let rejected = multiplicity::e_bh(&e, level);
        let smallest = e.iter().zip(&rejected).filter(|(_, is)| **is).map(|(e, _)| *e);
        let smallest = smallest.fold(f64::INFINITY, f64::min);
        for (e, is_rejected) in e.iter().zip(&rejected) {
            prop_assert!(*is_rejected || *e <= smallest);
        }
        // More evidence never takes a rejection back.
        let more: Vec<f64> = e.iter().map(|e| e + 0.5).collect();
        for (before, after) in rejected.iter().zip(multiplicity::e_bh(&more, level)) {
            prop_assert!(after || !before);
        }
    }

    #[test]
    fn a_win_adds_evidence_and_a_loss_takes_it(wins in 0..300_u32, losses in 0..300_u32) {
        let now = sign_process::ln_e(wins, losses);
        prop_assert!(sign_process::ln_e(wins + 1, losses) > now);
        prop_assert!(sign_process::ln_e(wins, losses + 1) < now);
    }

    #[test]
    fn what_is_spent_grows_to_the_whole(alpha in 0.001..0.2, one in 0.0..1.0, other in 0.0..1.0) {
        let (early, late) = if one < other { (one, other) } else { (other, one) };
        for spent in [spending::obrien_fleming, spending::pocock] {
            prop_assert!(spent(alpha, early) <= spent(alpha, late));
            prop_assert!(is_near(spent(alpha, 1.0), alpha));
            prop_assert_eq!(spent(alpha, 0.0), 0.0);
        }
    }

    #[test]
    fn shrunk_variances_lie_between_their_own_and_the_suites(
        variances in prop::collection::vec(1e-6..1.0, 2..30), degrees in 1.0..40.0,
    ) {
        let degrees = vec![degrees; variances.len()];
        let moderated = noise::moderated(&variances, &degrees);
        for (own, posterior) in variances.iter().zip(&moderated.posterior) {
            let (low, high) = (own.min(moderated.prior_variance), own.max(moderated.prior_variance));
            prop_assert!(low * (1.0 - ROUNDING) <= *posterior && *posterior <= high * (1.0 + ROUNDING));
        }
    }

    #[test]
    fn the_bound_lies_above_the_middle_by_the_floor(
        logs in usual(2..40), sigma in 0.0..0.5, floor in 0.0..0.2, alpha in 1e-4..0.4,
    ) {
        let upper = bound::upper(&logs, sigma, alpha, floor).unwrap();
        let least = median(&logs).unwrap() + floor.ln_1p();
        prop_assert!(upper >= least - ROUNDING);
        prop_assert!(upper <= bound::upper(&logs, sigma, alpha / 2.0, floor).unwrap());
    }

    #[test]
    fn wild_numbers_get_an_answer(a in wild(), b in wild(), confidence in -0.5..1.5) {
        for (value, _) in of_two(&a, &b, confidence).iter().chain(&of_two(&b, &a, 0.95)) {
            prop_assert!(value.is_none_or(|value| !value.is_nan()));
        }
        let ps = [
            signed_rank::p_two_sided(&a), signed_rank::p_greater(&a), rank_sum::p_two_sided(&a, &b),
            student::paired(&a, 0.9).map(|outcome| outcome.p),
            student::welch(&a, &b, 0.9).map(|outcome| outcome.p),
        ];
        prop_assert!(ps.into_iter().flatten().all(is_probability), "{:?}", ps);
        for interval in [signed_rank::interval(&a, confidence), sequence::interval(&a, 0.05)] {
            prop_assert!(interval.is_none_or(|interval| interval.low <= interval.high));
        }
        for estimate in [ratio::unpaired(&a, &b, 0.95).ok(), ratio::paired(&a, 0.95)] {
            prop_assert!(estimate.is_none_or(|estimate| estimate.low <= estimate.high));
        }
        prop_assert!(noise::sigma(&a) >= 0.0);
        let moderated = noise::moderated(&a, &b);
        prop_assert_eq!(moderated.posterior.len(), a.len().min(b.len()));
        // Changes from zero are infinite or no number; what is known is that a short history gives the floor.
        prop_assert!(fence::threshold(&a) == 0.002 || a.len() >= fence::HISTORY);
        prop_assert!(bound::upper(&a, 0.1, 0.01, 0.02).is_some() == (a.len() >= 2));
    }

    #[test]
    fn detectable_changes_and_needed_pairs_are_sensible(
        sigma in 0.0..0.5, pairs in 1..200_u32, margin in 0.0..0.1, alpha in 1e-4..0.2, power in 0.5..0.99,
    ) {
        let effect = noise::minimum_detectable(sigma, pairs, margin, alpha, power);
        prop_assert!(effect >= margin);
        prop_assert!(noise::minimum_detectable(sigma, 2 * pairs, margin, alpha, power) <= effect);
        let needed = noise::pairs_needed(sigma, effect + 1e-9, margin, alpha, power);
        prop_assert!(needed <= pairs);
    }
}
