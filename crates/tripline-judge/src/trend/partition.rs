//! The best way to cut a series into levels, and where exactly each cut belongs.
//!
//! The best partition is the one with the smallest sum of squared distances from the levels plus a penalty for each cut:
//! found by dynamic programming over the candidates, so a pulse, whose two edges are nothing alone, is seen as a whole.
//!
//! Tested through the detector, and below against trying all partitions.

use super::sums::Sums;

/// Returns the cuts of the best partition into segments of at least some length. A cut has to save more than the penalty.
pub(super) fn best_partition(
    sums: &Sums,
    candidates: &[usize],
    penalty: f64,
    segment_min: usize,
) -> Vec<usize> {
    let ends: Vec<usize> = candidates.iter().copied().chain([sums.len()]).collect();
    // For each end: the cost of the best partition up to it, and its last cut as an index into the ends.
    let mut best: Vec<(f64, Option<usize>)> = Vec::with_capacity(ends.len());
    for end in &ends {
        let mut least = (sums.scatter(0, *end), None);
        for (index, start) in ends[..best.len()].iter().enumerate() {
            if end - start < segment_min {
                break;
            }
            let cost = best[index].0 + penalty + sums.scatter(*start, *end);
            if cost < least.0 {
                least = (cost, Some(index));
            }
        }
        best.push(least);
    }
    let mut cuts = Vec::new();
    let mut last = best.last().and_then(|(_, cut)| *cut);
    while let Some(index) = last {
        cuts.push(ends[index]);
        last = best[index].1;
    }
    cuts.reverse();
    cuts
}

/// Moves each cut to its best place between its neighbours.
pub(super) fn refine(sums: &Sums, cuts: &mut [usize], segment_min: usize) {
    for index in 0..cuts.len() {
        let (start, end) = neighbours(cuts, index, sums.len());
        let cost = |cut: usize| sums.scatter(start, cut) + sums.scatter(cut, end);
        let mut least = (cost(cuts[index]), cuts[index]);
        for cut in start + segment_min..=end.saturating_sub(segment_min) {
            let cost = cost(cut);
            if cost < least.0 {
                least = (cost, cut);
            }
        }
        cuts[index] = least.1;
    }
}

/// Returns where the segment before a cut starts, and where the one after it ends.
pub(super) fn neighbours(cuts: &[usize], index: usize, len: usize) -> (usize, usize) {
    let start = index.checked_sub(1).map_or(0, |before| cuts[before]);
    (start, cuts.get(index + 1).copied().unwrap_or(len))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEIGHTS: [f64; 12] = [1.0, 3.0, 2.0, 9.0, 8.0, 10.0, 2.0, 1.0, 3.0, 2.5, 7.0, 6.0];

    fn cost(sums: &Sums, cuts: &[usize], penalty: f64) -> f64 {
        let ends = cuts.iter().copied().chain([sums.len()]);
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let scatter: f64 = starts.zip(ends).map(|(a, b)| sums.scatter(a, b)).sum();
        scatter + penalty * cuts.len() as f64
    }

    #[test]
    fn no_partition_is_better_than_the_best() {
        let sums = Sums::of(&HEIGHTS);
        let candidates: Vec<usize> = (2..=10).collect();
        for penalty in [0.1, 1.0, 5.0, 20.0, 1_000.0] {
            let best = best_partition(&sums, &candidates, penalty, 2);
            for chosen in 0..1_u32 << candidates.len() {
                let cuts: Vec<usize> = (0..candidates.len())
                    .filter(|bit| chosen >> bit & 1 == 1)
                    .map(|bit| candidates[bit])
                    .collect();
                let is_allowed = cuts.windows(2).all(|pair| pair[1] - pair[0] >= 2);
                let least = cost(&sums, &best, penalty);
                assert!(!is_allowed || least <= cost(&sums, &cuts, penalty) + 1e-9);
            }
        }
        assert_eq!(best_partition(&sums, &candidates, 5.0, 2), [3, 6, 10]);
        assert!(best_partition(&sums, &[], 5.0, 2).is_empty());
    }

    #[test]
    fn a_cut_moves_to_its_best_place_and_a_good_one_stays() {
        let sums = Sums::of(&HEIGHTS);
        let mut cuts = [2, 7];
        refine(&sums, &mut cuts, 2);
        assert_eq!(cuts, [3, 6]);
        let mut tight = [3];
        refine(&Sums::of(&HEIGHTS[..6]), &mut tight, 3);
        assert_eq!(tight, [3]);
    }
}
