//! What `perf stat -r N --table` prints between the counters and the whole time: how long each run took. Tested below and
//! by `fixtures/perf_stat`.

use super::Reader;
use super::printed::TIMES;
use crate::quantity;

/// What stands above the runs of `--table`, and below them.
const TITLES: [&str; 2] = ["# Table of individual measurements:", "# Final result:"];

/// Returns whether a line stands above the runs, or below them.
pub(super) fn is_title(text: &str) -> bool {
    TITLES.contains(&text.trim())
}

/// Reads a line of `--table`: how long a run took, and in brackets how that differs from the mean of all.
pub(super) fn time(text: &str) -> Option<f64> {
    let mut words = text.split_whitespace();
    let (time, off) = (words.next()?, words.next()?);
    let off = off.strip_prefix('(')?.strip_suffix(')')?;
    let is_off = off.starts_with(['+', '-']) && quantity::number(off).is_some();
    let is_drawn = words.all(|word| word.bytes().all(|byte| byte == b'#'));
    let scale = quantity::nanoseconds("s").filter(|_| is_off && is_drawn)?;
    scale.of_text(time)
}

/// Returns the times of single runs, unless a counter gives their mean as well, which comes before them.
pub(super) fn times(
    runs: &[(usize, f64)],
    counts: &[String],
    reader: &mut Reader<'_, '_>,
) -> Vec<f64> {
    let is_counted = counts.iter().any(|count| count == TIMES[0].1);
    match runs.first().filter(|_| is_counted) {
        Some((line, _)) => {
            let text = "the times of single runs are not read beside `duration_time`";
            reader.listing.problem(*line, text);
            Vec::new()
        }
        None => runs.iter().map(|(_, time)| *time).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_told_from_a_counter() {
        for (text, expected) in [
            ("           0.22252 (-0.00209) #", Some(222_520_000.0)),
            ("           0.24860 (+0.02399) ###", Some(248_600_000.0)),
            ("           1.5 (+0.0)", Some(1.5e9)),
            ("           0.24860 (0.02399) ###", None),
            ("           0.24x60 (+0.02399) ###", None),
            ("           12 faults", None),
            ("           0.24860 (+0.02399) # 1.5 K/sec", None),
        ] {
            assert_eq!(time(text), expected, "{text}");
        }
    }
}
