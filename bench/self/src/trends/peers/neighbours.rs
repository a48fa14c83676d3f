//! The rule of github-action-benchmark: a value so many times the one before. Its default is twice.
//!
//! It looks up only; here it looks both ways, because half of the steps lead down.

/// Returns the values that are more than a number of times the previous one, or less than one over it.
pub(in super::super) fn ratio_to_previous(values: &[f64], times: f64) -> Vec<usize> {
    let pairs = (1..).zip(values.windows(2));
    let far = pairs.filter(|(_, pair)| pair[1] > times * pair[0] || pair[0] > times * pair[1]);
    far.map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_is_seen_where_it_is() {
        assert_eq!(ratio_to_previous(&[10.0, 10.5, 12.0, 10.0], 1.1), [2, 3]);
        assert!(ratio_to_previous(&[10.0], 1.1).is_empty());
    }
}
