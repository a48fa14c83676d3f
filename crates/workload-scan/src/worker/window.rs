//! How many probes may be out at a time.
//!
//! More when answers take their time and none is lost: then the network holds more. Half as many when an answer came only
//! to a second probe, or this machine was out of something: then there were too many. A port that never answers says
//! nothing about either.
//!
//! Tests: here, and in `worker/simulated.rs` over links that lose.

/// Where a window begins: as many as one call should carry.
const FIRST: usize = 256;
const LEAST: usize = 1;

/// A bound on probes.
#[derive(Debug)]
pub(crate) struct Window {
    now: usize,
    most: usize,
    /// Answers since it last changed.
    answers: usize,
}

impl Window {
    /// A window of up to `most`, for a worker that has about `places` to ask. Slots cost something to make, so a short
    /// scan begins with few.
    pub(crate) fn new(most: usize, places: u64) -> Self {
        let share = usize::try_from(places / 8).unwrap_or(usize::MAX);
        let most = most.max(LEAST);
        Self {
            now: share.clamp(16, FIRST).min(most),
            most,
            answers: 0,
        }
    }

    /// How many probes may be out.
    pub(crate) fn size(&self) -> usize {
        self.now
    }

    /// There are no more slots than these.
    pub(crate) fn limit(&mut self, most: usize) {
        self.most = most.max(LEAST);
        self.now = self.now.min(self.most);
    }

    /// A probe was answered, the first that the port got.
    pub(crate) fn answered(&mut self) {
        self.answers += 1;
    }

    /// All slots are taken and answers are awaited: it grows, if a whole window of answers came since it last changed.
    pub(crate) fn full(&mut self) {
        if self.answers >= self.now && self.now < self.most {
            self.now = (self.now * 2).min(self.most);
            self.answers = 0;
        }
    }

    /// An answer was lost, or this machine was short of something.
    pub(crate) fn lost(&mut self) {
        // What was out together is lost together, and counts once.
        if self.answers >= self.now / 2 {
            self.now = (self.now / 2).max(LEAST);
            self.answers = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(window: &mut Window, count: usize) {
        (0..count).for_each(|_| window.answered());
    }

    #[test]
    fn it_grows_to_its_bound_by_answers_that_take_time() {
        let mut window = Window::new(1_000, u64::MAX);
        window.full();
        assert_eq!(window.size(), 256);
        for wanted in [512, 1_000, 1_000] {
            let size = window.size();
            answer(&mut window, size);
            assert_eq!(window.size(), size);
            window.full();
            assert_eq!(window.size(), wanted);
        }
    }

    #[test]
    fn one_loss_halves_it_once() {
        let mut window = Window::new(256, u64::MAX);
        answer(&mut window, 200);
        (0..50).for_each(|_| window.lost());
        assert_eq!(window.size(), 128);
        for _ in 0..20 {
            answer(&mut window, 300);
            window.lost();
        }
        assert_eq!(window.size(), 1);
    }

    #[test]
    fn a_short_scan_begins_with_few_and_a_low_limit_holds() {
        assert_eq!(Window::new(1_000, 10).size(), 16);
        assert_eq!(Window::new(1_000, 500).size(), 62);
        assert_eq!(Window::new(1, 500).size(), 1);
        let mut window = Window::new(1_000, u64::MAX);
        window.limit(7);
        answer(&mut window, 1_000);
        window.full();
        assert_eq!(window.size(), 7);
    }
}
