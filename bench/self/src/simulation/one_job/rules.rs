//! The rules that judge what one job measured.
//!
//! Tested through the shares they give.

use std::sync::LazyLock;

use tripline_judge::Decision;
use tripline_judge::stats::sign_process;
use tripline_judge::stats::{
    Interval, mean, median, quantile, rank_sum, sequence, signed_rank, variance,
};

use super::super::random::Random;
use super::super::session;
use super::{PAIRS_MAX, Said};

/// The change that nobody cares about.
pub(in crate::simulation) const MARGIN: f64 = 0.02;

/// How often each of the two errors may happen.
pub(in crate::simulation) const LEVEL: f64 = 0.01;

/// When somebody looks who cannot wait.
pub(super) const EIGHT_LOOKS: [usize; 8] = [8, 10, 12, 15, 18, 22, 26, PAIRS_MAX];

/// How many pairs a benchmark gets at the very most.
pub(in crate::simulation) const PAIRS_EVER: usize = 2 * PAIRS_MAX;

/// The evidence of every number of wins and losses: it is asked for so often that it is kept.
static LN_E: LazyLock<Vec<Vec<f64>>> = LazyLock::new(|| {
    let counts = || (0..=PAIRS_EVER).filter_map(|count| u32::try_from(count).ok());
    let row = |wins| {
        counts()
            .map(|losses| sign_process::ln_e(wins, losses))
            .collect()
    };
    counts().map(row).collect()
});

/// How often a bootstrap draws. Criterion does so 100,000 times; what changes is the last digit of its p-value.
const RESAMPLES: usize = 300;

/// Returns the ratio of the first run of the head to the last of the base, which ran right before it.
pub(super) fn ratio_of_one_run_each([base, head]: &[Vec<f64>; 2]) -> f64 {
    head[0] / base[base.len() - 1]
}

/// Returns the relative change of the mean.
pub(super) fn change_of_means([base, head]: &[Vec<f64>; 2]) -> f64 {
    mean(head).unwrap_or(0.0) / mean(base).unwrap_or(1.0) - 1.0
}

/// Two samples differ when the bootstrapped t-test says so at 0.05, and by more than 1 % when the bootstrapped 95 %
/// interval of the change of the mean lies beyond.
pub(super) fn criterion(blocks: &[Vec<f64>; 2], random: &mut Random) -> bool {
    let [base, head] = blocks;
    let pool = [base.as_slice(), head.as_slice()].concat();
    let observed = t(blocks);
    let mut resample = |from: &[f64]| -> Vec<f64> {
        let draw = |_| from[random.below(from.len())];
        (0..PAIRS_MAX).map(draw).collect()
    };
    let mut larger = 0;
    let mut changes = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        larger += usize::from(t(&[resample(&pool), resample(&pool)]) > observed);
        changes.push(change_of_means(&[resample(base), resample(head)]));
    }
    let p = 2.0 * larger.min(RESAMPLES - larger) as f64 / RESAMPLES as f64;
    p < 0.05 && quantile(&changes, 0.025).is_some_and(|low| low > 0.01)
}

/// Returns Welch's t, second minus first.
fn t(samples: &[Vec<f64>; 2]) -> f64 {
    let [first, second] = samples.each_ref().map(|values| {
        let variance = variance(values).unwrap_or(0.0);
        (mean(values).unwrap_or(0.0), variance / values.len() as f64)
    });
    (second.0 - first.0) / (first.1 + second.1).sqrt()
}

/// The medians differ when rank sums say so at 0.05.
pub(super) fn mann_whitney([base, head]: &[Vec<f64>; 2]) -> bool {
    let is_above = median(head) > median(base);
    is_above && rank_sum::p_two_sided(base, head).is_some_and(|p| p < 0.05)
}

/// Looks at the interval of signed ranks after so many pairs each, as if every look were the only one.
pub(super) fn at_looks(pairs: &[f64], looks: &[usize], confidence: f64) -> Said {
    first_certain(looks.iter().copied(), |count| {
        signed_rank::interval(&pairs[..count], confidence)
    })
}

/// Looks at the asymptotic confidence sequence after every pair.
pub(super) fn asymptotic(pairs: &[f64]) -> Said {
    first_certain(sequence::COUNT_MIN..=pairs.len(), |count| {
        sequence::interval(&pairs[..count], 2.0 * LEVEL)
    })
}

/// Stops at the first interval that lies on one side of the margin.
fn first_certain(
    looks: impl Iterator<Item = usize>,
    interval_at: impl Fn(usize) -> Option<Interval>,
) -> Said {
    for pairs in looks {
        let Some(interval) = interval_at(pairs) else {
            continue;
        };
        let is_slower = interval.low > MARGIN.ln_1p();
        if is_slower || interval.high < MARGIN.ln_1p() {
            return Said { is_slower, pairs };
        }
    }
    Said::at_the_end(false)
}

/// Asks the judge after every pair.
pub(super) fn ours(pairs: &[f64]) -> Said {
    let decided = session::measure(pairs, PAIRS_MAX, 1);
    Said {
        is_slower: decided.decision == Some(Decision::Worse),
        pairs: decided.pairs,
    }
}

/// Counts signs until there is evidence, of at least a logarithm, for more than the margin, or for less; returns also the
/// evidence for more.
///
/// # Panics
/// There are more pairs than [`PAIRS_EVER`], which no caller has.
pub(in crate::simulation) fn signs(pairs: &[f64], needed: f64) -> (Said, f64) {
    let (mut wins, mut losses) = (0, 0);
    let mut said = Said {
        is_slower: false,
        pairs: 0,
    };
    for difference in pairs {
        said.pairs += 1;
        wins += usize::from(*difference > MARGIN.ln_1p());
        losses += usize::from(*difference < MARGIN.ln_1p());
        said.is_slower = LN_E[wins][losses] >= needed;
        if said.is_slower || LN_E[losses][wins] >= -LEVEL.ln() {
            break;
        }
    }
    (said, LN_E[wins][losses])
}
