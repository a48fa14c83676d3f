//! The steps of a series without noise, such as a count that repeats exactly.
//!
//! Where every run of equal values is long and there are few of them, the values do not scatter, and each change of value
//! is a change of level, however short the history. Ranks alone could not say so of three values after ten.
//!
//! Tested below and by the families of counts in `bench/self`.

/// How many values a run has in the mean at least. Noise of two values seldom makes so long ones.
const RUN_MEAN_MIN: usize = 5;

/// The same of fewer values than [`COUNT_MIN`], of which chance makes a few such runs, where nobody knows that they repeat.
const RUN_MEAN_MIN_OF_FEW: usize = 8;

/// From so many values on chance makes none.
const COUNT_MIN: usize = 20;

/// Returns how many values a run has in the mean at least, of so many values.
pub(super) fn run_mean_min(count: usize, do_repeat: bool) -> usize {
    match do_repeat || count >= COUNT_MIN {
        true => RUN_MEAN_MIN,
        false => RUN_MEAN_MIN_OF_FEW,
    }
}

/// Returns the places where the value changes, if the series does not scatter. A last run that is too short to be a
/// segment is not judged yet.
pub(super) fn steps(ranks: &[u32], segment_min: usize, mean_min: usize) -> Option<Vec<usize>> {
    let mut runs: Vec<usize> = ranks.chunk_by(|a, b| a == b).map(<[u32]>::len).collect();
    runs.pop_if(|last| *last < segment_min);
    let is_steady = !runs.is_empty()
        && runs.iter().all(|run| *run >= segment_min)
        && (runs.len() == 1 || runs.len() * mean_min <= ranks.len());
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

    fn steps_of(lengths: &[usize]) -> Option<Vec<usize>> {
        let ranks = runs(lengths);
        steps(&ranks, 3, run_mean_min(ranks.len(), false))
    }

    #[test]
    fn every_change_of_a_steady_value_is_a_step() {
        assert_eq!(steps_of(&[10, 6]), Some(vec![10]));
        assert_eq!(steps_of(&[20, 3, 20]), Some(vec![20, 23]));
        assert_eq!(steps_of(&[50]), Some(vec![]));
        assert_eq!(steps_of(&[5, 5, 5, 5]), Some(vec![5, 10, 15]));
    }

    #[test]
    fn few_values_are_steady_where_they_are_known_to_repeat() {
        assert_eq!(steps_of(&[5, 5]), None);
        let ranks = runs(&[5, 5]);
        assert_eq!(steps(&ranks, 3, run_mean_min(10, true)), Some(vec![5]));
        let ranks = runs(&[4, 5]);
        assert_eq!(steps(&ranks, 3, run_mean_min(9, true)), None);
    }

    #[test]
    fn a_short_last_run_waits() {
        assert_eq!(steps_of(&[20, 2]), Some(vec![]));
        assert_eq!(steps_of(&[20, 3, 2]), Some(vec![20]));
    }

    #[test]
    fn what_scatters_is_not_steady() {
        assert_eq!(steps_of(&[20, 2, 20]), None);
        assert_eq!(steps_of(&[4, 4, 4, 4, 4]), None);
        assert_eq!(steps_of(&[1, 1]), None);
        assert_eq!(steps_of(&[]), None);
    }
}
