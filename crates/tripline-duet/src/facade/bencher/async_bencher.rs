//! The bencher of routines that are awaited.
//!
//! The runner is entered once for a block, and all of the block happens inside of it, as with Criterion: a closure of the
//! bench may need the runtime before its future is polled. Tested here for that and for who is told what, and in the
//! loops for what is timed.

use std::{future::Future, time::Duration};

use super::Bencher;
use crate::facade::{
    loops::awaited,
    plain::{
        BatchSize,
        async_executor::AsyncExecutor,
        measurement::{Measurement, WallTime},
    },
};

/// Runs the routine of a benchmark as often as it is to be run, awaits it each time, and takes the time.
pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
    bencher: &'b mut Bencher<'a, M>,
    runner: A,
}

impl<'a, 'b, A: AsyncExecutor> AsyncBencher<'a, 'b, A, WallTime> {
    pub(super) const fn of(bencher: &'b mut Bencher<'a, WallTime>, runner: A) -> Self {
        Self { bencher, runner }
    }

    /// Times a routine, and the dropping of what it returns.
    #[inline(never)]
    pub fn iter<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        let Self { bencher, runner } = self;
        bencher.caller.run(&mut |iterations, watch| {
            runner.block_on(awaited::repeat(watch, iterations, &mut routine));
        });
    }

    /// Takes the time that a routine takes itself of so many iterations. It has no processor time.
    #[inline(never)]
    pub fn iter_custom<R, F>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> F,
        F: Future<Output = Duration>,
    {
        let Self { bencher, runner } = self;
        bencher.caller.run(&mut |iterations, watch| {
            watch.told(runner.block_on(async { routine(iterations).await }));
        });
    }

    /// Times a routine that takes an input of its own each time; the making of the inputs is not timed, nor the
    /// dropping of what is returned.
    #[inline(never)]
    pub fn iter_batched<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        let Self { bencher, runner } = self;
        bencher.caller.run(&mut |iterations, watch| {
            let block = awaited::batched(watch, iterations, size, &mut setup, &mut routine);
            runner.block_on(block);
        });
    }

    /// Times a routine that borrows an input of its own each time; the making of the inputs is not timed, nor the
    /// dropping of what is returned. The dropping of inputs is, unless each is a batch of its own, as it is by Criterion.
    #[inline(never)]
    pub fn iter_batched_ref<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> F,
        F: Future<Output = O>,
    {
        let Self { bencher, runner } = self;
        bencher.caller.run(&mut |iterations, watch| {
            let block = awaited::batched_ref(watch, iterations, size, &mut setup, &mut routine);
            runner.block_on(block);
        });
    }

    /// Times a routine, and not the dropping of what it returns.
    pub fn iter_with_large_drop<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    /// Times a routine that takes an input of its own each time, made just before.
    pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Times a routine that takes an input of its own each time, all of them made before the first run.
    pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::{Cell, RefCell},
        thread,
        time::Instant,
    };

    use super::*;
    use crate::facade::{
        bencher::Block,
        executor::{Executor, not_at_once},
        stopwatch::Stopwatch,
    };

    type Async<'a, 'b, 'e> = AsyncBencher<'a, 'b, &'e Executor>;

    fn spent(executor: &Executor, run: impl FnOnce(&mut Async<'_, '_, '_>)) -> Option<Stopwatch> {
        let mut block = Block::of(7);
        run(&mut Bencher::of(&mut block).to_async(executor));
        block.spent()
    }

    #[test]
    fn each_method_runs_its_routine_as_often_as_asked_and_enters_the_runner_once() {
        let executor = Executor::default();
        let runs = Cell::new(0);
        let setup = || assert!(executor.is_inside.get());
        let run = || {
            assert!(
                executor.is_inside.get(),
                "the future is made in the runtime"
            );
            async {
                not_at_once().await;
                runs.set(runs.get() + 1);
            }
        };
        let size = BatchSize::NumIterations(2);
        let methods: [&dyn Fn(&mut Async<'_, '_, '_>); 6] = [
            &|bencher| bencher.iter(run),
            &|bencher| bencher.iter_batched(setup, |()| run(), size),
            &|bencher| bencher.iter_batched_ref(setup, |()| run(), size),
            &|bencher| bencher.iter_with_large_drop(run),
            &|bencher| bencher.iter_with_setup(setup, |()| run()),
            &|bencher| bencher.iter_with_large_setup(setup, |()| run()),
        ];
        for (method, blocks) in methods.into_iter().zip(1..) {
            let watch = spent(&executor, method).unwrap();
            assert!(watch.processor().is_some());
            assert_eq!(runs.get(), blocks * 7);
            assert_eq!(executor.entered.get(), blocks);
        }
    }

    #[test]
    fn a_time_that_is_told_is_for_that_many_iterations() {
        let executor = Executor::default();
        let told = |iterations| {
            assert!(
                executor.is_inside.get(),
                "the future is made in the runtime"
            );
            async move {
                not_at_once().await;
                Duration::from_nanos(iterations)
            }
        };
        let watch = spent(&executor, |bencher| bencher.iter_custom(told)).unwrap();
        assert_eq!(watch.wall(), Duration::from_nanos(7));
        assert_eq!(watch.processor(), None);
        assert_eq!(executor.entered.get(), 1);
    }

    /// What a method of the bencher spends on set-up and on the rest cannot be more than it takes.
    #[test]
    fn set_up_is_not_timed() {
        let spent_on_setup = Cell::new(Duration::ZERO);
        let setup = || {
            let start = Instant::now();
            thread::sleep(Duration::from_millis(1));
            spent_on_setup.set(spent_on_setup.get() + start.elapsed());
        };
        let sizes = [BatchSize::NumIterations(2), BatchSize::PerIteration];
        for (size, is_ref) in sizes
            .into_iter()
            .flat_map(|size| [(size, false), (size, true)])
        {
            spent_on_setup.set(Duration::ZERO);
            let start = Instant::now();
            let watch = spent(&Executor::default(), |bencher| {
                if is_ref {
                    bencher.iter_batched_ref(setup, |()| not_at_once(), size);
                } else {
                    bencher.iter_batched(setup, |()| not_at_once(), size);
                }
            });
            let timed = watch.unwrap().wall();
            assert!(timed > Duration::ZERO);
            assert!(timed + spent_on_setup.get() <= start.elapsed(), "{size:?}");
        }
    }

    #[test]
    fn older_methods_have_the_batches_that_they_are_named_for() {
        let order = RefCell::new(String::new());
        let note = |what| order.borrow_mut().push(what);
        let executor = Executor::default();
        let setup = || note('s');
        let routine = |()| async { note('r') };
        spent(&executor, |bencher| bencher.iter_with_setup(setup, routine));
        assert_eq!(order.take(), "sr".repeat(7));
        spent(&executor, |bencher| {
            bencher.iter_with_large_setup(setup, routine);
        });
        assert_eq!(order.take(), "s".repeat(7) + &"r".repeat(7));
    }
}
