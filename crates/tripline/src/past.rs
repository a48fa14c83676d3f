//! What the history says of suites, for the judge: one value of each commit before, in the order of the first parents.
//!
//! Only what was measured in an environment like the head's counts, because a time from another kind of machine says
//! nothing about this one. Tested by `tests/it/history/past`.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use tripline_history::{Archive, Kept, Places};
use tripline_judge::{Formed, Past, Policy, formed};
use tripline_model::{BenchId, CommitId, Metric, MetricName, Nature, Reading, Run, SuiteName};

use crate::error::Outcome;
use crate::history;

/// The history that runs are held against.
pub(crate) struct History(Archive);

impl History {
    /// Reads the history from where it was said to be, if it was.
    pub(crate) fn open(root: &Path, place: Option<&str>) -> Outcome<Option<Self>> {
        let archive = place.map(|place| history::read_from(root, place));
        Ok(archive.transpose()?.map(Self))
    }

    /// Learns what it says of the suites of runs that were measured together, at one commit, each with its policy.
    pub(crate) fn pasts(
        &self,
        root: &Path,
        heads: &[(&Run, &Policy)],
    ) -> BTreeMap<SuiteName, Past> {
        let commit = heads.iter().find_map(|(head, _)| commit(head));
        let until = commit.map_or("HEAD", CommitId::as_str);
        let places = history::places_before(root, until, &self.0);
        let mut pasts = BTreeMap::new();
        for (head, policy) in heads {
            pasts.insert(head.suite.clone(), self.past(&places, head, policy));
        }
        pasts
    }

    /// Learns what it says of the suite of a run.
    pub(crate) fn past_of(&self, root: &Path, head: &Run, policy: &Policy) -> Option<Past> {
        self.pasts(root, &[(head, policy)]).remove(&head.suite)
    }

    fn past(&self, places: &Places, head: &Run, policy: &Policy) -> Past {
        let series = self.series(places, head);
        let derived = formed(head, policy);
        let measured = series.iter().map(|((bench, _), line)| {
            let values = line.points.values().map(|(_, center)| *center);
            (*bench, line.metric, values.collect::<Vec<f64>>())
        });
        let computed = derived.iter().map(|formed| {
            let values = computed(formed, &series).unwrap_or_default();
            (&formed.bench, &formed.metric, values)
        });
        let all: Vec<(&BenchId, &Metric, Vec<f64>)> = measured.chain(computed).collect();
        let all = all.iter();
        Past::of(all.map(|(bench, metric, values)| (*bench, *metric, values.as_slice())))
    }

    /// Gathers the series of what a run measured. Of two runs of one commit the later one holds, and what was called the
    /// same and was another metric is none of it.
    fn series<'a>(
        &'a self,
        places: &Places,
        head: &'a Run,
    ) -> BTreeMap<(&'a BenchId, &'a MetricName), Series<'a>> {
        let mut all = measured(head);
        for kept in self.0.records() {
            let place = places.place(&kept.record.commit);
            let Some(place) = place.filter(|_| is_like(&kept, head)) else {
                continue;
            };
            let at = kept.record.measured_at;
            for (series, point) in kept.series.all().iter().zip(&kept.record.points) {
                let line = all.get_mut(&(&series.bench, &series.metric.name));
                let Some(line) = line.filter(|line| *line.metric == series.metric) else {
                    continue;
                };
                let held = line.points.entry(place).or_insert((at, point.center));
                if held.0 <= at {
                    *held = (at, point.center);
                }
            }
        }
        all
    }
}

/// One metric of one benchmark: when each place was measured, and its value.
struct Series<'a> {
    metric: &'a Metric,
    points: BTreeMap<usize, (Timestamp, f64)>,
}

/// Computes a derived metric at each commit that has all its terms, by today's definition.
fn computed(
    formed: &Formed<'_>,
    series: &BTreeMap<(&BenchId, &MetricName), Series<'_>>,
) -> Option<Vec<f64>> {
    let terms = formed.terms.iter();
    let terms: Vec<&Series<'_>> = terms
        .map(|(bench, metric)| series.get(&(bench, metric)))
        .collect::<Option<_>>()?;
    let value_at = |place: &usize| {
        let values = terms
            .iter()
            .map(|term| Some(term.points.get(place)?.1))
            .collect::<Option<Vec<f64>>>()?;
        formed.value(&values)
    };
    Some(terms.first()?.points.keys().filter_map(value_at).collect())
}

/// Returns the series of a run, yet without a point.
fn measured(head: &Run) -> BTreeMap<(&BenchId, &MetricName), Series<'_>> {
    let mut all = BTreeMap::new();
    for measurement in head.measurements() {
        for Reading { metric, .. } in measurement.readings() {
            let points = BTreeMap::new();
            let series = Series { metric, points };
            all.insert((measurement.bench(), &metric.name), series);
        }
    }
    all
}

/// Returns whether something kept is of the head's suite, of another commit, and from a machine of the same kind.
fn is_like(kept: &Kept<'_>, head: &Run) -> bool {
    let environment = &head.environment;
    kept.record.suite == head.suite
        && commit(head) != Some(&kept.record.commit)
        && kept.environment.name == environment.name
        && kept
            .environment
            .differences_that_matter(environment, Nature::Sampled)
            .is_empty()
}

fn commit(run: &Run) -> Option<&CommitId> {
    run.revision.as_ref().map(|revision| &revision.commit)
}
