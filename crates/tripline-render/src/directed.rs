//! Which metrics of runs are better in which direction, for forms that do not hold all of them.
//!
//! Tested by `tests/render/export`.

use std::collections::BTreeSet;
use std::fmt;

use tripline_model::{BenchId, Better, Measurement, MetricName, Reading, Run};

/// Says whether a form holds a reading in another way than by itself.
pub(crate) type IsHeld = fn(&Measurement, &Reading) -> bool;

/// The metrics that are better in one direction, and the benchmarks that have them.
#[derive(Debug)]
pub(crate) struct Directed<'a> {
    metrics: BTreeSet<&'a MetricName>,
    benches: BTreeSet<&'a BenchId>,
    better: Better,
}

impl<'a> Directed<'a> {
    /// Returns those of some runs, but for such as a form holds in another way; nothing where there is none.
    pub(crate) fn of(runs: &'a [Run], better: Better, is_held: IsHeld) -> Option<Self> {
        let mut all = Self {
            metrics: BTreeSet::new(),
            benches: BTreeSet::new(),
            better,
        };
        for measurement in runs.iter().flat_map(Run::measurements) {
            let meant = |reading: &&Reading| {
                reading.metric.better == better && !is_held(measurement, reading)
            };
            for reading in measurement.readings().filter(meant) {
                all.metrics.insert(&reading.metric.name);
                all.benches.insert(measurement.bench());
            }
        }
        (!all.metrics.is_empty()).then_some(all)
    }

    /// Says that a form leaves out what is better in neither direction, where runs have such metrics.
    pub(crate) fn undirected_left_out(runs: &'a [Run], is_held: IsHeld) -> Option<String> {
        let undirected = Self::of(runs, Better::Neither, is_held)?;
        Some(format!("left out: {undirected}, which the form asks for"))
    }
}

impl fmt::Display for Directed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, thing: &str| match count {
            1 => format!("1 {thing}"),
            _ => format!("{count} {thing}s"),
        };
        let metrics = counted(self.metrics.len(), "metric");
        let benches = counted(self.benches.len(), "benchmark");
        let better = match self.better {
            Better::Lower => "better when smaller",
            Better::Higher => "better when bigger",
            Better::Neither => "of which no direction is known to be better",
        };
        write!(f, "{metrics} of {benches}, {better}")
    }
}
