//! The same loops for routines that are awaited.
//!
//! They are written out again, as Criterion's are: a loop that awaits is another program once compiled, and a routine
//! that does not await must not pay for it. Each is one future, so that the executor is entered once for a block and the
//! clock runs inside. Tested with the watch that notes, and with routines that are not ready at once.

use std::{future::Future, hint::black_box};

use plain_criterion::BatchSize;

use super::{batch_iterations, batches, inputs};
use crate::facade::stopwatch::Watch;

/// Runs a routine; what it returns is dropped on the clock.
pub(in crate::facade) async fn repeat<O, F: Future<Output = O>>(
    watch: &mut impl Watch,
    iterations: u64,
    mut routine: impl FnMut() -> F,
) {
    let start = watch.start();
    for _ in 0..iterations {
        black_box(routine().await);
    }
    watch.stop(start);
}

/// Runs a routine that takes its input; what it returns is dropped off the clock.
pub(in crate::facade) async fn batched<I, O, F: Future<Output = O>>(
    watch: &mut impl Watch,
    iterations: u64,
    size: BatchSize,
    mut setup: impl FnMut() -> I,
    mut routine: impl FnMut(I) -> F,
) {
    for batch in batches(iterations, size) {
        if batch == 1 {
            let input = black_box(setup());
            let start = watch.start();
            let output = routine(input).await;
            watch.stop(start);
            drop(black_box(output));
            continue;
        }
        let inputs = inputs(batch, &mut setup);
        let mut outputs = Vec::with_capacity(inputs.len());
        let start = watch.start();
        for input in inputs {
            outputs.push(routine(input).await);
        }
        watch.stop(start);
        drop(black_box(outputs));
    }
}

/// Runs a routine that borrows its input; what it returns is dropped off the clock. The inputs of larger batches than of
/// one are dropped on it, unlike those of a routine that is not awaited: so it is in Criterion.
pub(in crate::facade) async fn batched_ref<I, O, F: Future<Output = O>>(
    watch: &mut impl Watch,
    iterations: u64,
    size: BatchSize,
    mut setup: impl FnMut() -> I,
    mut routine: impl FnMut(&mut I) -> F,
) {
    // The last batch may have one iteration left, and is still on the clock like those before it.
    let one_by_one = batch_iterations(iterations, size) == 1;
    for batch in batches(iterations, size) {
        if one_by_one {
            let mut input = black_box(setup());
            let start = watch.start();
            let output = routine(&mut input).await;
            watch.stop(start);
            drop(black_box(output));
            drop(black_box(input));
            continue;
        }
        let inputs = inputs(batch, &mut setup);
        let mut outputs = Vec::with_capacity(inputs.len());
        let start = watch.start();
        for mut input in inputs {
            outputs.push(routine(&mut input).await);
        }
        watch.stop(start);
        drop(black_box(outputs));
    }
}

#[cfg(test)]
mod tests {
    use plain_criterion::async_executor::AsyncExecutor as _;

    use super::{
        super::notes::{Dropped, Notes},
        *,
    };
    use crate::facade::executor::{Executor, not_at_once};

    fn repeated_notes(iterations: u64) -> String {
        let notes = Notes::default();
        let routine = || async {
            not_at_once().await;
            notes.note("run");
            Dropped(&notes, "drop")
        };
        (&Executor::default()).block_on(repeat(&mut &notes, iterations, routine));
        notes.text()
    }

    fn batched_notes(iterations: u64, size: BatchSize) -> String {
        let notes = Notes::default();
        let setup = || notes.note("setup");
        let routine = async |()| {
            not_at_once().await;
            notes.note("run");
            Dropped(&notes, "drop")
        };
        (&Executor::default()).block_on(batched(&mut &notes, iterations, size, setup, routine));
        notes.text()
    }

    fn batched_ref_notes(iterations: u64, size: BatchSize) -> String {
        let notes = Notes::default();
        let setup = || {
            notes.note("setup");
            Dropped(&notes, "drop-in")
        };
        let routine = |_: &mut Dropped<'_>| async {
            not_at_once().await;
            notes.note("run");
            Dropped(&notes, "drop-out")
        };
        (&Executor::default()).block_on(batched_ref(&mut &notes, iterations, size, setup, routine));
        notes.text()
    }

    #[test]
    fn a_plain_loop_is_on_the_clock_as_a_whole() {
        assert_eq!(repeated_notes(2), "[ run drop run drop ]");
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
            batched_ref_notes(2, BatchSize::PerIteration),
            "setup [ run ] drop-out drop-in setup [ run ] drop-out drop-in"
        );
    }

    #[test]
    fn what_is_borrowed_from_a_batch_is_dropped_on_the_clock_as_by_criterion() {
        assert_eq!(
            batched_ref_notes(3, BatchSize::NumBatches(2)),
            "setup setup [ run drop-in run drop-in ] drop-out drop-out setup [ run drop-in ] drop-out"
        );
    }
}
