//! The sets of series that the runs of one suite have.
//!
//! Runs mostly have the same series in the same order, so what became of an order is kept. Tested through `gather`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use tripline_model::{Row, SeriesSet, SuiteName};

use super::suite::Met;

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
}

impl Sets {
    pub(super) fn new(suite: SuiteName) -> Self {
        Self {
            suite,
            by_run: BTreeMap::new(),
        }
    }

    /// Returns the order of a run's series. A set that is new is added to all; another order is another set, because a set
    /// says in which order its series stood.
    pub(super) fn order(
        &mut self,
        run: Vec<usize>,
        met: &[Met<'_>],
        all: &mut Vec<SeriesSet>,
    ) -> &Order {
        match self.by_run.entry(run) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let places = places(new.key(), met);
                all.push(set(&self.suite, new.key(), &places, met));
                let set = all.len() - 1;
                new.insert(Order { set, places })
            }
        }
    }
}

/// Returns where the series of a run stand, in the order of a set.
fn places(run: &[usize], met: &[Met<'_>]) -> Vec<usize> {
    let key = |place: &usize| {
        let series = met[run[*place]].series();
        (&series.bench, series.metric.name.as_str())
    };
    let mut places: Vec<usize> = (0..run.len()).collect();
    places.sort_by(|a, b| key(a).cmp(&key(b)));
    places
}

fn set(suite: &SuiteName, run: &[usize], places: &[usize], met: &[Met<'_>]) -> SeriesSet {
    let series = places.iter().map(|place| met[run[*place]].series().clone());
    let mut rows = vec![Row::default(); run.len()];
    for (series, place) in places.iter().enumerate() {
        rows[*place] = met[run[*place]].row(series);
    }
    let set = SeriesSet::new(suite.clone(), series.collect::<Vec<_>>())
        .expect("they are in order, and each is met once");
    set.with_rows(rows).expect("each has one place in the run")
}
