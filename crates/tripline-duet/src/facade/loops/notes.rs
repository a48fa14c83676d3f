//! A watch and values that note what happens to them, for tests of what is on the clock.

use std::cell::RefCell;

use crate::facade::stopwatch::Watch;

/// What happened, in order.
#[derive(Default)]
pub(super) struct Notes(RefCell<Vec<&'static str>>);

impl Notes {
    pub(super) fn note(&self, what: &'static str) {
        self.0.borrow_mut().push(what);
    }

    pub(super) fn text(&self) -> String {
        self.0.borrow().join(" ")
    }
}

impl Watch for &Notes {
    type Start = ();

    fn start(&self) {
        self.note("[");
    }

    fn stop(&mut self, (): ()) {
        self.note("]");
    }
}

/// Notes when it is dropped.
pub(super) struct Dropped<'n>(pub(super) &'n Notes, pub(super) &'static str);

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.note(self.1);
    }
}
