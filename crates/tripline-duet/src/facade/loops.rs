//! The loops that run a routine so many times, and what of them is on the clock.
//!
//! They are Criterion's, to the letter of its timing model: inputs are made and outputs dropped while the clock stands
//! still, a batch at a time. Written once more because Criterion's own can only be run by Criterion. Tested with a watch
//! that notes when it runs among what the routine notes.

use std::hint::black_box;

use plain_criterion::BatchSize;

use super::stopwatch::Watch;

pub(super) mod awaited;

/// Runs a routine; what it returns is dropped on the clock.
pub(super) fn repeat<O>(watch: &mut impl Watch, iterations: u64, mut routine: impl FnMut() -> O) {
    watch.time(|| {
        for _ in 0..iterations {
            black_box(routine());
        }
    });
}

/// Runs a routine that takes its input; what it returns is dropped off the clock.
pub(super) fn batched<I, O>(
    watch: &mut impl Watch,
    iterations: u64,
    size: BatchSize,
    mut setup: impl FnMut() -> I,
    mut routine: impl FnMut(I) -> O,
) {
    for batch in batches(iterations, size) {
        if batch == 1 {
            let input = black_box(setup());
            let output = watch.time(|| routine(input));
            drop(black_box(output));
            continue;
        }
        let inputs = inputs(batch, &mut setup);
        let mut outputs = Vec::with_capacity(inputs.len());
        watch.time(|| outputs.extend(inputs.into_iter().map(&mut routine)));
        drop(black_box(outputs));
    }
}

/// Runs a routine that borrows its input; inputs and what it returns are dropped off the clock.
pub(super) fn batched_ref<I, O>(
    watch: &mut impl Watch,
    iterations: u64,
    size: BatchSize,
    mut setup: impl FnMut() -> I,
    mut routine: impl FnMut(&mut I) -> O,
) {
    for batch in batches(iterations, size) {
        if batch == 1 {
            let mut input = black_box(setup());
            let output = watch.time(|| routine(&mut input));
            drop(black_box(output));
            drop(black_box(input));
            continue;
        }
        let mut inputs = inputs(batch, &mut setup);
        let mut outputs = Vec::with_capacity(inputs.len());
        watch.time(|| outputs.extend(inputs.iter_mut().map(&mut routine)));
        drop(black_box(outputs));
    }
}

/// Makes the inputs of a batch.
fn inputs<I>(batch: u64, mut setup: impl FnMut() -> I) -> Vec<I> {
    black_box((0..batch).map(|_| setup()).collect())
}

/// Returns how many iterations each batch has; together they are all.
fn batches(iterations: u64, size: BatchSize) -> impl Iterator<Item = u64> {
    let batch = batch_iterations(iterations, size);
    let whole = std::iter::repeat_n(batch, count(iterations / batch));
    let rest = iterations % batch;
    whole.chain((rest > 0).then_some(rest))
}

/// Returns how many iterations a batch has, as Criterion divides them. A batch of nothing would never end.
fn batch_iterations(iterations: u64, size: BatchSize) -> u64 {
    let batch = match size {
        BatchSize::SmallInput => iterations.div_ceil(10),
        BatchSize::LargeInput => iterations.div_ceil(1_000),
        BatchSize::NumBatches(batches) => iterations.div_ceil(batches.max(1)),
        BatchSize::NumIterations(iterations) => iterations,
        // The only one left that a bench can name.
        _ => 1,
    };
    batch.max(1)
}

/// Nobody waits for more batches than an address has numbers.
fn count(batches: u64) -> usize {
    usize::try_from(batches).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod notes;

#[cfg(test)]
mod tests {
    use super::{
        notes::{Dropped, Notes},
        *,
    };

    fn batched_notes(iterations: u64, size: BatchSize) -> String {
        let notes = Notes::default();
        let setup = || notes.note("setup");
        let routine = |()| {
            notes.note("run");
            Dropped(&notes, "drop")
        };
        batched(&mut &notes, iterations, size, setup, routine);
        notes.text()
    }

    fn batched_ref_notes(iterations: u64, size: BatchSize) -> String {
        let notes = Notes::default();
        let setup = || {
            notes.note("setup");
            Dropped(&notes, "drop-in")
        };
        let routine = |_: &mut Dropped<'_>| {
            notes.note("run");
            Dropped(&notes, "drop-out")
        };
        batched_ref(&mut &notes, iterations, size, setup, routine);
        notes.text()
    }

    #[test]
    fn a_plain_loop_is_on_the_clock_as_a_whole() {
        let notes = Notes::default();
        repeat(&mut &notes, 2, || {
            notes.note("run");
            Dropped(&notes, "drop")
        });
        assert_eq!(notes.text(), "[ run drop run drop ]");
    }

    #[test]
    fn only_the_routine_of_a_batch_is_on_the_clock() {
        assert_eq!(
            batched_notes(3, BatchSize::NumIterations(2)),
            "setup setup [ run run ] drop drop setup [ run ] drop"
        );
        assert_eq!(
            batched_notes(2, BatchSize::PerIteration),
            "setup [ run ] drop setup [ run ] drop"
        );
        assert_eq!(
            batched_ref_notes(3, BatchSize::NumBatches(2)),
            "setup setup [ run run ] drop-out drop-out drop-in drop-in setup [ run ] drop-out drop-in"
        );
    }

    /// The sizes that Criterion's manual gives for each kind.
    #[test]
    fn batches_are_as_large_as_criterion_makes_them() {
        let table = [
            (
                BatchSize::SmallInput,
                95,
                vec![10, 10, 10, 10, 10, 10, 10, 10, 10, 5],
            ),
            (BatchSize::SmallInput, 3, vec![1, 1, 1]),
            (BatchSize::LargeInput, 3, vec![1, 1, 1]),
            (BatchSize::NumBatches(3), 8, vec![3, 3, 2]),
            (BatchSize::NumBatches(0), 4, vec![4]),
            (BatchSize::NumIterations(5), 12, vec![5, 5, 2]),
            (BatchSize::NumIterations(0), 2, vec![1, 1]),
            (BatchSize::PerIteration, 2, vec![1, 1]),
        ];
        for (size, iterations, expected) in table {
            let found: Vec<u64> = batches(iterations, size).collect();
            assert_eq!(found, expected, "{size:?} of {iterations}");
        }
        assert_eq!(batch_iterations(5_000, BatchSize::LargeInput), 5);
    }

    #[test]
    fn every_iteration_is_run_once() {
        for iterations in [1, 2, 9, 10, 11, 1_001] {
            for size in [
                BatchSize::SmallInput,
                BatchSize::LargeInput,
                BatchSize::PerIteration,
                BatchSize::NumBatches(7),
                BatchSize::NumIterations(4),
            ] {
                let count =
                    |text: String, what| text.split(' ').filter(|word| *word == what).count();
                let (text, by_ref) = (
                    batched_notes(iterations, size),
                    batched_ref_notes(iterations, size),
                );
                for what in ["setup", "run", "drop"] {
                    assert_eq!(
                        count(text.clone(), what) as u64,
                        iterations,
                        "{what} {size:?}"
                    );
                }
                for what in ["setup", "run", "drop-in", "drop-out"] {
                    assert_eq!(
                        count(by_ref.clone(), what) as u64,
                        iterations,
                        "{what} {size:?}"
                    );
                }
            }
        }
    }
}
