//! A small fixed piece of work, and how much the time it takes scatters.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often the work is timed.
const TURNS: usize = 200;
/// The fewest turns that say something.
const TURNS_MIN: usize = 20;
/// How long all turns may take.
const LOOK: Duration = Duration::from_secs(1);
/// The rounds of one turn: about a millisecond in a release, long beside a clock's grain.
const ROUNDS: u32 = 500_000;

/// How much equal turns differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// How many there were.
    pub(super) turns: usize,
    /// The range of the middle half, as a share of the median.
    pub(super) middle: f64,
}

/// Times the work for about a second, and no fewer times than say something.
pub(super) fn timed() -> Option<Spread> {
    let began = Instant::now();
    let mut turns = Vec::with_capacity(TURNS);
    while turns.len() < TURNS_MIN || turns.len() < TURNS && began.elapsed() < LOOK {
        let turn = Instant::now();
        black_box(work(black_box(ROUNDS)));
        turns.push(turn.elapsed().as_secs_f64());
    }
    spread_of(turns)
}

/// Each round waits for the one before it, so that no processor can do two at once.
fn work(rounds: u32) -> u64 {
    (0..rounds).fold(1, |state: u64, round| {
        (state ^ u64::from(round))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(17)
    })
}

fn spread_of(mut turns: Vec<f64>) -> Option<Spread> {
    if turns.len() < TURNS_MIN {
        return None;
    }
    turns.sort_by(f64::total_cmp);
    let quarter = |quarters: usize| turns[(turns.len() - 1) * quarters / 4];
    let median = quarter(2);
    (median > 0.0).then(|| Spread {
        turns: turns.len(),
        middle: (quarter(3) - quarter(1)) / median,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_half_is_what_counts() {
        let steady = vec![1.0; 100];
        assert_eq!(spread_of(steady).unwrap().middle, 0.0);
        // A few turns that were interrupted say nothing about the others.
        let mut interrupted = vec![1.0; 90];
        interrupted.extend([50.0; 10]);
        assert_eq!(spread_of(interrupted).unwrap().middle, 0.0);
        let even: Vec<f64> = (0..=100).map(|at| 1.0 + f64::from(at) / 100.0).collect();
        let spread = spread_of(even).unwrap();
        assert_eq!(spread.turns, 101);
        assert!((spread.middle - 0.5 / 1.5).abs() < 1e-12, "{spread:?}");
    }

    #[test]
    fn too_few_turns_say_nothing() {
        assert_eq!(spread_of(vec![1.0; TURNS_MIN - 1]), None);
        assert_eq!(spread_of(vec![0.0; 100]), None);
    }

    #[test]
    fn the_work_is_the_same_each_time() {
        assert_eq!(work(1_000), work(1_000));
        assert_ne!(work(1_000), work(1_001));
    }
}
