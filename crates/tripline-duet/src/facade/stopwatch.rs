//! The clocks that run while a routine does.
//!
//! A bench that is served is timed on two: the clock on the wall, and the thread's processor time, which leaves out what
//! others did on the core meanwhile. Reading the second is a system call, so it is read outside the first, and not at
//! all for Criterion. Tested by what it adds up; that the loops start and stop it where they should is tested there.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// What a loop stops its time with.
pub(super) trait Watch {
    /// When it was started.
    type Start;

    fn start(&self) -> Self::Start;

    /// Adds what has been spent since it was started.
    fn stop(&mut self, start: Self::Start);

    /// Runs something while the time is taken. What awaits starts and stops by itself: a future that is handed over is
    /// moved, and that would be on the clock.
    #[inline]
    fn time<T>(&mut self, timed: impl FnOnce() -> T) -> T {
        let start = self.start();
        let output = timed();
        self.stop(start);
        output
    }
}

/// Adds up the time that is spent.
#[derive(Debug)]
pub(super) struct Stopwatch {
    wall: Duration,
    processor: Option<Duration>,
}

impl Stopwatch {
    pub(super) const fn of_wall() -> Self {
        Self {
            wall: Duration::ZERO,
            processor: None,
        }
    }

    pub(super) const fn of_wall_and_processor() -> Self {
        Self {
            wall: Duration::ZERO,
            processor: Some(Duration::ZERO),
        }
    }

    /// Adds a time that the bench took itself; nobody knows what of it was spent on the processor.
    pub(super) fn told(&mut self, wall: Duration) {
        self.wall += wall;
        self.processor = None;
    }

    pub(super) const fn wall(&self) -> Duration {
        self.wall
    }

    pub(super) const fn processor(&self) -> Option<Duration> {
        self.processor
    }
}

/// What the clocks showed.
pub(super) struct Start {
    processor: Option<Duration>,
    wall: Instant,
}

impl Watch for Stopwatch {
    type Start = Start;

    #[inline]
    fn start(&self) -> Start {
        let processor = self.processor.map(|_| processor_time());
        let wall = Instant::now();
        Start { processor, wall }
    }

    #[inline]
    fn stop(&mut self, start: Start) {
        self.wall += start.wall.elapsed();
        if let (Some(sum), Some(start)) = (&mut self.processor, start.processor) {
            *sum += processor_time().saturating_sub(start);
        }
    }
}

/// Returns the processor time that this thread has had so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    // A thread's processor time is not negative, so the conversion cannot fail.
    time.try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_add_up() {
        let mut watch = Stopwatch::of_wall_and_processor();
        let mut last = (Duration::ZERO, Some(Duration::ZERO));
        for _ in 0..3 {
            let start = processor_time();
            // Works until the clock says that it has, so that neither time can be zero.
            watch.time(|| while processor_time() == start {});
            assert!(watch.wall() > last.0);
            assert!(watch.processor() > last.1);
            last = (watch.wall(), watch.processor());
        }
    }

    #[test]
    fn one_clock_is_enough() {
        let mut watch = Stopwatch::of_wall();
        assert_eq!(watch.time(|| 5), 5);
        assert_eq!(watch.processor(), None);
    }

    #[test]
    fn what_is_told_has_no_processor_time() {
        let mut watch = Stopwatch::of_wall_and_processor();
        watch.told(Duration::from_nanos(3));
        watch.told(Duration::from_nanos(4));
        assert_eq!(watch.wall(), Duration::from_nanos(7));
        assert_eq!(watch.processor(), None);
    }
}
