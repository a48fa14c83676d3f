//! What one round says of each side: the middle half of its blocks.
//!
//! Blocks are taken in rows, one of each side and one right after the other, so that what slows the machine for longer
//! than a block slows the whole row. Rows are ordered by the ratio of their sides, and the quarter at either end is left
//! out: a row that was interrupted on one side only lies there. What is left is averaged, each side by itself, so that
//! the ratio of the averages is the average ratio. With one side there is no ratio, and rows are ordered by their value.
//!
//! Tested below, by known answers and by rows that were disturbed.

use tripline_model::few;

/// Returns each side's geometric mean over the middle half of the rows; nothing where a value is not above zero.
pub(super) fn middle_half(rows: &[Vec<f64>]) -> Option<Vec<f64>> {
    let logarithms: Option<Vec<Vec<f64>>> = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|value| (*value > 0.0).then(|| value.ln()))
                .collect()
        })
        .collect();
    let mut rows = logarithms?;
    let sides = rows.first()?.len();
    few::sort_by(&mut rows, |a, b| key(a).total_cmp(&key(b)));
    let left_out = rows.len() / 4;
    let kept = &rows[left_out..rows.len() - left_out];
    let mean = |side: usize| {
        let sum: f64 = kept.iter().map(|row| row[side]).sum();
        (sum / kept.len() as f64).exp()
    };
    Some((0..sides).map(mean).collect())
}

/// What rows are ordered by: the ratio of two sides, or the value of one.
fn key(row: &[f64]) -> f64 {
    match row {
        [base, head] => head - base,
        row => row.first().copied().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * b.abs()
    }

    #[test]
    fn one_row_is_its_own_answer() {
        let answer = middle_half(&[vec![10.0, 11.0]]).unwrap();
        assert!(near(answer[0], 10.0) && near(answer[1], 11.0));
        let alone = middle_half(&[vec![7.0]]).unwrap();
        assert!(near(alone[0], 7.0));
    }

    #[test]
    fn a_machine_that_changes_its_pace_changes_no_ratio() {
        let rows: Vec<Vec<f64>> = (1..=24)
            .map(|pace| vec![f64::from(pace), 1.05 * f64::from(pace)])
            .collect();
        let answer = middle_half(&rows).unwrap();
        assert!(near(answer[1] / answer[0], 1.05));
    }

    #[test]
    fn rows_disturbed_on_one_side_are_left_out() {
        let mut rows = vec![vec![100.0, 102.0]; 20];
        rows[3] = vec![100.0, 900.0];
        rows[9] = vec![100.0, 500.0];
        rows[15] = vec![700.0, 102.0];
        let answer = middle_half(&rows).unwrap();
        assert!(near(answer[0], 100.0) && near(answer[1], 102.0));
    }

    #[test]
    fn what_has_no_ratio_has_no_answer() {
        assert_eq!(middle_half(&[]), None);
        assert_eq!(middle_half(&[vec![0.0, 1.0]]), None);
    }
}
