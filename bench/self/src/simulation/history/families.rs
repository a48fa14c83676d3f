//! Families of noise: how the values of one benchmark scatter from commit to commit while nothing changes.
//!
//! Tested through the promises of rules on them.

use super::super::random::Random;

/// A family of noise: makes a series of values around one.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) seed: u64,
    pub(super) series: fn(&mut Random, usize) -> Vec<f64>,
}

/// The families: normal (g), log-normal, heavy tails, two states, memory, and delays; with their relative deviation.
pub(super) const FAMILIES: [Family; 8] = [
    Family {
        name: "g 1 %",
        seed: 21,
        series: |random, count| each(random, count, |random| 1.0 + 0.01 * random.normal()),
    },
    Family {
        name: "g 3 %",
        seed: 22,
        series: |random, count| each(random, count, |random| 1.0 + 0.03 * random.normal()),
    },
    Family {
        name: "g 10 %",
        seed: 23,
        series: |random, count| each(random, count, |random| 1.0 + 0.1 * random.normal()),
    },
    Family {
        name: "log-n 10 %",
        seed: 24,
        series: |random, count| each(random, count, |random| (0.1 * random.normal()).exp()),
    },
    Family {
        name: "t3 3 %",
        seed: 25,
        series: |random, count| each(random, count, |random| 1.0 + 0.03 * random.student_three()),
    },
    Family {
        name: "bimodal 8 %",
        seed: 26,
        series: |random, count| each(random, count, two_states),
    },
    Family {
        name: "AR .6 3 %",
        seed: 27,
        series: with_memory,
    },
    Family {
        name: "spikes",
        seed: 28,
        series: |random, count| each(random, count, delayed),
    },
];

fn each(random: &mut Random, count: usize, draw: fn(&mut Random) -> f64) -> Vec<f64> {
    (0..count).map(|_| draw(random)).collect()
}

/// Now and then the program lands in its slow state.
fn two_states(random: &mut Random) -> f64 {
    let state = if random.happens(0.15) { 1.08 } else { 1.0 };
    state * (1.0 + 0.013 * random.normal())
}

/// Now and then something else runs.
fn delayed(random: &mut Random) -> f64 {
    let is_delayed = random.happens(0.03);
    let delay = if is_delayed {
        0.1 + random.exponential(0.2)
    } else {
        0.0
    };
    1.0 + delay + 0.01 * random.normal()
}

/// What disturbed one value still disturbs the next.
fn with_memory(random: &mut Random, count: usize) -> Vec<f64> {
    const MEMORY: f64 = 0.6;
    let mut state = random.normal();
    let step = |_| {
        state = MEMORY * state + (1.0 - MEMORY * MEMORY).sqrt() * random.normal();
        1.0 + 0.03 * state
    };
    (0..count).map(step).collect()
}
