//! The steps of a series without noise, such as a count that repeats exactly.
//!
//! Where every run of equal values is long and there are few of them, the values do not scatter, and each change of value
//! is a change of level, however short the history. Ranks alone could not say so of three values after ten.
//!
//! Tested below and by the families of counts in `bench/self`.

/// How many values a run has in the mean at least. Noise of two values seldom makes so long ones.
const RUN_MEAN_MIN: usize = 8;

/// Returns the places where the value changes, if the series does not scatter. A last run that is too short to be a
/// segment is not judged yet.
pub(super) fn steps(ranks: &[u32], segment_min: usize) -> Option<Vec<usize>> {
    let mut runs: Vec<usize> = ranks.chunk_by(|a, b| a == b).map(<[u32]>::len).collect();
    runs.pop_if(|last| *last < segment_min);
    let is_steady = !runs.is_empty()
        && runs.iter().all(|run| *run >= segment_min)
        && (runs.len() == 1 || runs.len() * RUN_MEAN_MIN <= ranks.len());
    is_steady.then(|| {
        let ends = runs.iter().scan(0, |end, run| {
            *end += run;
            Some(*end)
        });
        ends.take(runs.len() - 1).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(lengths: &[usize]) -> Vec<u32> {
        let values = [7, 9, 7, 8, 9];
        let runs = lengths.iter().zip(values);
        runs.flat_map(|(length, value)| vec![value; *length])
            .collect()
    }

    #[test]
    fn every_change_of_a_steady_value_is_a_step() {
        assert_eq!(steps(&runs(&[10, 6]), 3), Some(vec![10]));
        assert_eq!(steps(&runs(&[20, 3, 20]), 3), Some(vec![20, 23]));
        assert_eq!(steps(&runs(&[50]), 3), Some(vec![]));
    }

    #[test]
    fn a_short_last_run_waits() {
        assert_eq!(steps(&runs(&[20, 2]), 3), Some(vec![]));
        assert_eq!(steps(&runs(&[20, 3, 2]), 3), Some(vec![20]));
    }

    #[test]
    fn what_scatters_is_not_steady() {
        assert_eq!(steps(&runs(&[20, 2, 20]), 3), None);
        assert_eq!(steps(&runs(&[4, 4, 4, 4, 4]), 3), None);
        assert_eq!(steps(&runs(&[1, 1]), 3), None);
        assert_eq!(steps(&[], 3), None);
    }
}
