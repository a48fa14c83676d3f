//! The bencher that a bench's closure is given, whoever asked for the block.
//!
//! Each of its methods is one block: it asks the caller how many iterations there are and for a watch, and runs one of
//! the loops. That takes one indirect call for a block, none for an iteration. Tested here for who is told what, and in
//! the loops for what is timed.

use std::{marker::PhantomData, time::Duration};

use super::{
    loops,
    plain::{
        self, BatchSize,
        async_executor::AsyncExecutor,
        measurement::{Measurement, WallTime},
    },
    stopwatch::Stopwatch,
};

pub use async_bencher::AsyncBencher;

mod async_bencher;

/// Who wants a block.
pub(super) trait Caller {
    /// Runs a block that takes so many iterations and stops its time.
    fn run(&mut self, block: &mut dyn FnMut(u64, &mut Stopwatch));
}

/// Criterion wants one: it gives the iterations, and gets the time on the wall.
impl Caller for plain::Bencher<'_, WallTime> {
    fn run(&mut self, block: &mut dyn FnMut(u64, &mut Stopwatch)) {
        self.iter_custom(|iterations| {
            let mut watch = Stopwatch::of_wall();
            block(iterations, &mut watch);
            watch.wall()
        });
    }
}

/// A block that a driver wants.
#[derive(Debug)]
pub(super) struct Block {
    iterations: u64,
    spent: Option<Stopwatch>,
}

impl Block {
    pub(super) const fn of(iterations: u64) -> Self {
        Self {
            iterations,
            spent: None,
        }
    }

    /// Returns what was spent, if the bench ran anything; of several loops the last counts, as it does for Criterion.
    pub(super) fn spent(self) -> Option<Stopwatch> {
        self.spent
    }
}

impl Caller for Block {
    fn run(&mut self, block: &mut dyn FnMut(u64, &mut Stopwatch)) {
        let mut watch = Stopwatch::of_wall_and_processor();
        block(self.iterations, &mut watch);
        self.spent = Some(watch);
    }
}

/// Runs the routine of a benchmark as often as it is to be run, and takes the time.
pub struct Bencher<'a, M: Measurement = WallTime> {
    caller: &'a mut (dyn Caller + 'a),
    measurement: PhantomData<M>,
}

impl<'a> Bencher<'a, WallTime> {
    pub(super) fn of(caller: &'a mut (dyn Caller + 'a)) -> Self {
        Self {
            caller,
            measurement: PhantomData,
        }
    }

    /// Times a routine, and the dropping of what it returns.
    #[inline(never)]
    pub fn iter<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.caller
            .run(&mut |iterations, watch| loops::repeat(watch, iterations, &mut routine));
    }

    /// Takes the time that a routine takes itself of so many iterations. It has no processor time.
    #[inline(never)]
    pub fn iter_custom<R>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> Duration,
    {
        self.caller
            .run(&mut |iterations, watch| watch.told(routine(iterations)));
    }

    /// Times a routine that takes an input of its own each time; the making of the inputs is not timed, nor the
    /// dropping of what is returned.
    #[inline(never)]
    pub fn iter_batched<I, O, S, R>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.caller.run(&mut |iterations, watch| {
            loops::batched(watch, iterations, size, &mut setup, &mut routine);
        });
    }

    /// Times a routine that borrows an input of its own each time; neither the making nor the dropping of the inputs is
    /// timed, nor the dropping of what is returned.
    #[inline(never)]
    pub fn iter_batched_ref<I, O, S, R>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> O,
    {
        self.caller.run(&mut |iterations, watch| {
            loops::batched_ref(watch, iterations, size, &mut setup, &mut routine);
        });
    }

    /// Times a routine, and not the dropping of what it returns.
    pub fn iter_with_large_drop<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    /// Times a routine that takes an input of its own each time, made just before.
    pub fn iter_with_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Makes a bencher of routines that are awaited, which that runner runs.
    pub fn to_async<'b, A: AsyncExecutor>(
        &'b mut self,
        runner: A,
    ) -> AsyncBencher<'a, 'b, A, WallTime> {
        AsyncBencher::of(self, runner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(run: impl FnOnce(&mut Bencher<'_>)) -> Option<Stopwatch> {
        let mut block = Block::of(7);
        run(&mut Bencher::of(&mut block));
        block.spent()
    }

    #[test]
    fn each_method_runs_its_routine_as_often_as_asked() {
        let mut runs = 0;
        let mut run = || runs += 1;
        assert!(spent(|bencher| bencher.iter(&mut run)).is_some());
        assert!(spent(|bencher| bencher.iter_with_large_drop(&mut run)).is_some());
        assert!(spent(|bencher| bencher.iter_with_setup(|| (), |()| run())).is_some());
        let size = BatchSize::NumIterations(2);
        assert!(spent(|bencher| bencher.iter_batched(|| (), |()| run(), size)).is_some());
        assert!(spent(|bencher| bencher.iter_batched_ref(|| (), |()| run(), size)).is_some());
        assert_eq!(runs, 5 * 7);
    }

    #[test]
    fn a_bench_that_runs_nothing_spends_nothing() {
        assert!(spent(|_| ()).is_none());
    }

    #[test]
    fn a_time_that_is_told_is_for_that_many_iterations() {
        let watch = spent(|bencher| bencher.iter_custom(Duration::from_nanos)).unwrap();
        assert_eq!(watch.wall(), Duration::from_nanos(7));
        assert_eq!(watch.processor(), None);
    }

    #[test]
    fn the_last_of_several_loops_counts() {
        let watch = spent(|bencher| {
            bencher.iter_custom(|_| Duration::from_secs(1));
            bencher.iter_custom(|_| Duration::from_secs(2));
        });
        assert_eq!(watch.unwrap().wall(), Duration::from_secs(2));
    }
}
