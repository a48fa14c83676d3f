//! Where a level may change: the places where the values just after differ most from those just before.
//!
//! Differences of means are taken over windows of many widths, because a short pulse shows in narrow ones and a small step
//! only in wide ones. Each place that stands out from its surroundings at any width is a candidate. That is done to be
//! quick: a partition that is the best among candidates is as good as the best among all places (it is refined
//! afterwards), and the search costs the square of their number.
//!
//! Tested through the detector, and below.

use super::sums::Sums;

/// How many standard errors a difference has to reach. Below the penalty of the partition, so that no place it could take
/// is left out.
const STANDS_OUT: f64 = 3.0;

/// How many candidates there are at most, the strongest; the search then takes half a million steps.
const CANDIDATES_MAX: usize = 1_000;

/// How much each place stands out.
#[derive(Debug)]
pub(super) struct Outstanding {
    /// For each place the largest difference at any width where it stands out from its surroundings, as its standard error
    /// sees it, in standard deviations of one value; zero where it never does.
    heights: Vec<f64>,
}

impl Outstanding {
    /// Looks at a series with windows of every width. No place is nearer to an end than a segment is long, and none is
    /// kept that would not be a candidate if the noise were half of this deviation.
    pub(super) fn of(sums: &Sums, deviation: f64, segment_min: usize) -> Self {
        let least = STANDS_OUT * deviation / 2.0;
        let mut heights = vec![0.0_f64; sums.len() + 1];
        for width in widths(segment_min, sums.len() / 2) {
            let differences = sums.differences(width);
            for at in segment_min..=sums.len() - segment_min {
                if differences[at] > least && is_peak(&differences, at, width / 2) {
                    heights[at] = heights[at].max(differences[at]);
                }
            }
        }
        Self { heights }
    }

    /// Returns the candidates, in order, for noise of a standard deviation.
    pub(super) fn candidates(&self, deviation: f64) -> Vec<usize> {
        let mut found: Vec<usize> = (0..self.heights.len())
            .filter(|at| self.heights[*at] > STANDS_OUT * deviation)
            .collect();
        if found.len() > CANDIDATES_MAX {
            found.select_nth_unstable_by(CANDIDATES_MAX, |a, b| {
                self.heights[*b].total_cmp(&self.heights[*a]).then(a.cmp(b))
            });
            found.truncate(CANDIDATES_MAX);
            found.sort_unstable();
        }
        found
    }
}

/// Returns widths that double. Finer steps between them find nothing more.
fn widths(narrowest: usize, widest: usize) -> impl Iterator<Item = usize> {
    let doubled = |width: &usize| Some(2 * width);
    std::iter::successors(Some(narrowest.max(1)), doubled).take_while(move |width| *width <= widest)
}

/// Returns whether a difference is the largest within reach. Of equal ones side by side the last is.
fn is_peak(differences: &[f64], at: usize, reach: usize) -> bool {
    let height = differences[at];
    let (before, after) = (&differences[..at], &differences[at + 1..]);
    // On a slope the next larger one is near.
    after.first().is_none_or(|next| *next < height)
        && before
            .iter()
            .rev()
            .take(reach)
            .all(|other| *other <= height)
        && after.iter().take(reach).all(|other| *other < height)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(heights: &[f64], deviation: f64) -> Vec<usize> {
        Outstanding::of(&Sums::of(heights), deviation, 3).candidates(deviation)
    }

    #[test]
    fn a_clean_step_is_one_candidate() {
        let heights: Vec<f64> = (0..60).map(|i| f64::from(u8::from(i >= 30))).collect();
        assert_eq!(candidates(&heights, 0.1), [30]);
        assert!(candidates(&[1.0; 60], 0.1).is_empty());
    }

    #[test]
    fn too_many_candidates_are_cut_to_the_strongest() {
        let heights: Vec<f64> = (0..20_000_i32)
            .map(|i| f64::from(i / 5 % 2) * if i < 100 { 9.0 } else { 1.0 })
            .collect();
        let found = candidates(&heights, 1e-3);
        assert_eq!(found.len(), CANDIDATES_MAX);
        assert!(found.is_sorted() && found.contains(&50));
    }

    #[test]
    fn widths_grow_from_the_narrowest_to_the_widest() {
        assert_eq!(widths(3, 24).collect::<Vec<_>>(), [3, 6, 12, 24]);
        assert_eq!(widths(0, 3).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(widths(3, 2).count(), 0);
    }
}
