//! Builds sessions: a base and a head that were measured in the same rounds.

use tripline_model::{
    BenchId, BenchName, Measurement, Params, Reading, Run, Sample, SessionId, SuiteName,
};

use crate::build::{metric, run};

/// A base's and a head's value.
pub(crate) type Pair = (f64, f64);

/// Returns base and head of one session, given benchmark, metric and pairs.
pub(crate) fn session<'a>(
    benches: impl IntoIterator<Item = (&'a str, &'a str, &'a [Pair])>,
) -> (Run, Run) {
    let (mut base, mut head) = (run([]), run([]));
    for (name, metric, pairs) in benches {
        let (before, after): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        base.join(in_rounds(name, metric, &before, 0)).unwrap();
        head.join(in_rounds(name, metric, &after, 0)).unwrap();
    }
    for run in [&mut base, &mut head] {
        run.session = Some(SessionId::new("one").unwrap());
    }
    (base, head)
}

/// Returns a measurement of which one value was taken in each round, from a first round on.
pub(crate) fn in_rounds(name: &str, metric_name: &str, values: &[f64], first: u32) -> Measurement {
    let rounds: Vec<u32> = (first..).take(values.len()).collect();
    let sample = Sample::new(values).unwrap().in_rounds(rounds).unwrap();
    let reading = Reading {
        metric: metric(metric_name),
        sample,
    };
    let bench = BenchId {
        suite: SuiteName::new("kv").unwrap(),
        name: BenchName::new(name).unwrap(),
        params: Params::new(),
    };
    Measurement::new(bench, [reading], None, Vec::new()).unwrap()
}

/// Returns the same pair as often as asked.
pub(crate) fn times(pair: Pair, count: usize) -> Vec<Pair> {
    vec![pair; count]
}
