//! Lines out of records: each metric of each benchmark in each environment, over time.

use std::collections::BTreeMap;

use tripline_history::Kept;
use tripline_judge::trend::{self, Settings, change_points};
use tripline_model::{BenchId, Digest, Environment, EnvironmentName, MetricName};
use tripline_site::{Change, Interval, Line, Placed, Status};

use super::commits::Told;

/// The lines, and the states of the environments that they were measured in.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) lines: Vec<Line>,
    pub(super) environments: Vec<Environment>,
}

/// Gathers the lines of records. Of two records of one commit, suite and environment the later one holds.
pub(super) fn of(told: &Told, records: &[Kept<'_>]) -> Lines {
    let placed = records.iter().filter_map(|kept| {
        let place = told.places.get(&kept.record.commit)?;
        Some((*place, kept))
    });
    let mut placed: Vec<(usize, &Kept<'_>)> = placed.collect();
    placed.sort_by_key(|(place, kept)| (*place, kept.record.measured_at));
    let mut all = Lines::default();
    let mut states: BTreeMap<&Digest, usize> = BTreeMap::new();
    let mut known: BTreeMap<(&BenchId, &MetricName, &EnvironmentName), usize> = BTreeMap::new();
    // Records share their series, so which lines those are is looked up once.
    let mut of_set: BTreeMap<(&Digest, &EnvironmentName), Vec<usize>> = BTreeMap::new();
    for (place, kept) in placed {
        let state = *states.entry(&kept.record.environment).or_insert_with(|| {
            all.environments.push(kept.environment.clone());
            all.environments.len() - 1
        });
        let name = &kept.environment.name;
        let set = of_set
            .entry((&kept.record.series, name))
            .or_insert_with(|| {
                let series = kept.series.all().iter();
                series
                    .map(|series| {
                        let key = (&series.bench, &series.metric.name, name);
                        *known.entry(key).or_insert_with(|| {
                            all.lines.push(Line {
                                series: series.clone(),
                                environment: name.clone(),
                                points: Vec::new(),
                                changes: Vec::new(),
                                acceptance: None,
                                budget: None,
                                baseline: None,
                                terms: Vec::new(),
                            });
                            all.lines.len() - 1
                        })
                    })
                    .collect()
            });
        for (line, point) in set.iter().zip(&kept.record.points) {
            let points = &mut all.lines[*line].points;
            points.pop_if(|last| last.place == place);
            points.push(Placed {
                place,
                environment: state,
                point: *point,
            });
        }
    }
    all
}

/// Finds where the level of each line changed, on all processors.
pub(super) fn find_changes(lines: &mut [Line]) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = lines.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        for lines in lines.chunks_mut(share) {
            scope.spawn(|| lines.iter_mut().for_each(find));
        }
    });
}

fn find(line: &mut Line) {
    let values: Vec<f64> = line
        .points
        .iter()
        .map(|placed| placed.point.center)
        .collect();
    let found = change_points(&values, &Settings::default()).points;
    line.changes = found.into_iter().map(change).collect();
}

fn change(point: trend::ChangePoint) -> Change {
    Change {
        at: point.index,
        range: point.range,
        before: point.before.median,
        after: point.after.median,
        shift: point.shift,
        interval: point.interval.map(|interval| Interval {
            low: interval.low,
            high: interval.high,
        }),
        status: match point.status {
            trend::Status::Pending => Status::Pending,
            trend::Status::Confirmed => Status::Confirmed,
            trend::Status::Reverted => Status::Reverted,
        },
    }
}
