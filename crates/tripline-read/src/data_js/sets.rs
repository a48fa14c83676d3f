//! The sets of series that the runs of one suite have.
//!
//! Runs mostly have the same series in the same order, so what became of an order is kept. Tested through `gather`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use tripline_model::{Series, SeriesSet, SuiteName};

/// Which of all sets the series of a run are, and where each of the set stands in the run.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) set: usize,
    pub(super) places: Vec<usize>,
}

/// What is known of the series of runs, which are numbers here.
#[derive(Debug)]
pub(super) struct Sets {
    suite: SuiteName,
    by_run: BTreeMap<Vec<usize>, Order>,
    by_set: BTreeMap<Vec<usize>, usize>,
}

impl Sets {
    pub(super) fn new(suite: SuiteName) -> Self {
        Self {
            suite,
            by_run: BTreeMap::new(),
            by_set: BTreeMap::new(),
        }
    }

    /// Returns the order of a run's series. A set that is new is added to all.
    pub(super) fn order<'s>(
        &mut self,
        run: Vec<usize>,
        series: impl Fn(usize) -> &'s Series,
        all: &mut Vec<SeriesSet>,
    ) -> &Order {
        match self.by_run.entry(run) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let places = places(new.key(), &series);
                let numbers: Vec<usize> = places.iter().map(|place| new.key()[*place]).collect();
                let set = *self.by_set.entry(numbers).or_insert_with_key(|numbers| {
                    let own = numbers.iter().map(|number| series(*number).clone());
                    let set = SeriesSet::new(self.suite.clone(), own.collect::<Vec<_>>());
                    all.push(set.expect("they are in order, and each is met once"));
                    all.len() - 1
                });
                new.insert(Order { set, places })
            }
        }
    }
}

/// Returns where the series of a run stand, in the order of a set.
fn places<'s>(run: &[usize], series: impl Fn(usize) -> &'s Series) -> Vec<usize> {
    let key = |place: &usize| {
        let Series { bench, metric } = series(run[*place]);
        (bench, metric.name.as_str())
    };
    let mut places: Vec<usize> = (0..run.len()).collect();
    places.sort_by(|a, b| key(a).cmp(&key(b)));
    places
}
