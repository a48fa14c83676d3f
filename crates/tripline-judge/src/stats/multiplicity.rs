//! Many questions at once: of two hundred benchmarks, two look worse at one percent by luck alone.
//!
//! Benjamini and Hochberg's way keeps the share of false ones among what is reported; Benjamini and Yekutieli's does so
//! however the questions hang together; Holm's keeps the chance of a single false one. The fourth works on evidence that
//! was gathered until it sufficed, where there are no p-values, and holds under any dependence (Wang and Ramdas 2022).
//!
//! Tested by the reference values, and by properties over arbitrary p-values.

/// Returns Benjamini and Hochberg's adjusted p-values, in the order given.
#[must_use]
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    step_up(p, 1.0)
}

/// Returns Benjamini and Yekutieli's adjusted p-values, in the order given.
#[must_use]
pub fn benjamini_yekutieli(p: &[f64]) -> Vec<f64> {
    step_up(p, (1..=p.len()).map(|rank| 1.0 / rank as f64).sum())
}

/// Returns Holm's adjusted p-values, in the order given.
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (before, index) in ascending(p).into_iter().enumerate() {
        let left = (p.len() - before) as f64;
        largest = largest.max((p[index] * left).min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}

/// Returns which of the natural logarithms of e-values speak against their hypothesis, in the order given, so that the
/// share of false ones among them is at most a level: the largest k of them where k times the k-th largest, over their
/// number, is at least one over the level.
#[must_use]
pub fn e_bh(e_log: &[f64], level: f64) -> Vec<bool> {
    let mut order = ascending(e_log);
    order.reverse();
    let needed = (e_log.len() as f64).ln() - level.ln();
    let rank_of_last = order
        .iter()
        .zip(1_u32..)
        .filter(|(index, rank)| f64::from(*rank).ln() + e_log[**index] >= needed)
        .map(|(_, rank)| rank as usize)
        .last();
    let mut rejected = vec![false; e_log.len()];
    for index in &order[..rank_of_last.unwrap_or(0)] {
        rejected[*index] = true;
    }
    rejected
}

/// Returns each p-value times their number and a factor over its rank, or what a larger one got if that is less.
fn step_up(p: &[f64], factor: f64) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut smallest = 1.0_f64;
    for (before, index) in ascending(p).into_iter().enumerate().rev() {
        let share = p.len() as f64 * factor / (before + 1) as f64;
        smallest = smallest.min(p[index] * share);
        adjusted[index] = smallest;
    }
    adjusted
}

/// Returns the indexes of values from the smallest value to the largest.
fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    order
}
