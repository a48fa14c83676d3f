//! Lines out of records: each metric of each benchmark in each environment, over time.

mod described;

use std::collections::BTreeMap;

use tripline_history::Kept;
use tripline_judge::trend::{
    self, Settings, Tracker, Trend, change_points_so_far, described, described_by_means, e_divisive,
};
use tripline_model::few;
use tripline_model::{BenchId, Digest, Environment, EnvironmentName, MetricName, Point, Series};
use tripline_site::{Change, Interval, Line, Placed, Status};

use super::commits::Told;
use crate::settings::TrendMethod;

/// The lines, and the states of the environments that they were measured in.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) lines: Vec<Line>,
    pub(super) environments: Vec<Environment>,
}

/// What one record says: at which commit, in which state of the environment, and of which lines.
struct Row<'r> {
    place: usize,
    state: usize,
    set: usize,
    points: &'r [Point],
}

/// Gathers the lines of records. Of two records of one commit, suite and environment the later one holds.
pub(super) fn of(told: &Told, records: &[Kept<'_>]) -> Lines {
    let placed = records.iter().filter_map(|kept| {
        let place = told.places.get(&kept.record.commit)?;
        Some((*place, kept))
    });
    let mut placed: Vec<(usize, &Kept<'_>)> = placed.collect();
    few::sort_by_key(&mut placed, |(place, kept)| {
        (*place, kept.record.measured_at)
    });
    let mut all = Lines::default();
    let mut states: BTreeMap<&Digest, usize> = BTreeMap::new();
    let mut known = Known::new();
    // Records share their series, so which lines those are is looked up once.
    let mut of_set: BTreeMap<(&Digest, &EnvironmentName), usize> = BTreeMap::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let mut rows = Vec::with_capacity(placed.len());
    for (place, kept) in placed {
        let state = *states.entry(&kept.record.environment).or_insert_with(|| {
            all.environments.push(kept.environment.clone());
            all.environments.len() - 1
        });
        let name = &kept.environment.name;
        let set = *of_set
            .entry((&kept.record.series, name))
            .or_insert_with(|| {
                let series = kept.series.all().iter();
                let lines = series.map(|one| line_of(&mut all.lines, &mut known, one, name));
                sets.push(lines.collect());
                sets.len() - 1
            });
        rows.push(Row {
            place,
            state,
            set,
            points: &kept.record.points,
        });
    }
    fill(&mut all.lines, &sets, &rows);
    let several: Vec<Vec<usize>> = known.into_values().filter(|same| same.len() > 1).collect();
    if !several.is_empty() {
        described::join(&mut all.lines, &several, &last_rows(&sets, &rows));
    }
    all
}

/// Returns for each line which row told of it last.
fn last_rows(sets: &[Vec<usize>], rows: &[Row<'_>]) -> BTreeMap<usize, usize> {
    let of_sets = rows.iter().enumerate().map(|(at, row)| (row.set, at));
    let mut last = BTreeMap::new();
    for (set, at) in few::map_of(of_sets) {
        for line in &sets[set] {
            let known = last.entry(*line).or_insert(at);
            *known = at.max(*known);
        }
    }
    last
}

/// The lines of each metric of each benchmark in each environment: one for each way in which it was described.
type Known<'r> = BTreeMap<(&'r BenchId, &'r MetricName, &'r EnvironmentName), Vec<usize>>;

/// Returns the place of a line, which is new if it is not known.
fn line_of<'r>(
    lines: &mut Vec<Line>,
    known: &mut Known<'r>,
    series: &'r Series,
    environment: &'r EnvironmentName,
) -> usize {
    let key = (&series.bench, &series.metric.name, environment);
    let same = known.entry(key).or_default();
    let is_it = |line: &&usize| lines[**line].series.metric == series.metric;
    if let Some(line) = same.iter().find(is_it) {
        return *line;
    }
    same.push(lines.len());
    let line = Line::of(series.clone(), environment.clone(), Vec::new());
    lines.push(line);
    lines.len() - 1
}

/// Puts the points of rows, oldest first, into their lines: each processor goes through all rows for some of the lines.
fn fill(lines: &mut [Line], sets: &[Vec<usize>], rows: &[Row<'_>]) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = lines.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        for (nth, some) in lines.chunks_mut(share).enumerate() {
            scope.spawn(move || {
                for row in rows {
                    for (line, point) in sets[row.set].iter().zip(row.points) {
                        let at = line.checked_sub(nth * share);
                        if let Some(line) = at.and_then(|at| some.get_mut(at)) {
                            line.points.pop_if(|last| last.place == row.place);
                            line.points.push(Placed {
                                place: row.place,
                                environment: row.state,
                                point: *point,
                            });
                        }
                    }
                }
            });
        }
    });
}

/// Finds where the level of each line changed, on all processors. Returns what each looks like as a whole.
pub(super) fn find_changes(lines: &mut [Line], method: TrendMethod) -> Vec<Trend> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = lines.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let finding = lines.chunks_mut(share).map(|lines| {
            let all = move || lines.iter_mut().map(|line| find(line, method)).collect();
            scope.spawn::<_, Vec<Trend>>(all)
        });
        let finding: Vec<_> = finding.collect();
        let found = finding.into_iter().flat_map(|thread| {
            let found = thread.join();
            found.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        found.collect()
    })
}

fn find(line: &mut Line, method: TrendMethod) -> Trend {
    let values = line.points.iter().map(|placed| placed.point.center);
    let values: Vec<f64> = values.collect();
    // The pages are made anew after every commit.
    let settings = Settings::of(line.series.metric.nature);
    let whole = change_points_so_far(&values, &settings);
    let found = match method {
        TrendMethod::Whole => whole.points.clone(),
        TrendMethod::OneByOne => {
            let mut tracker = Tracker::new(settings);
            for value in &values {
                tracker.push(*value);
            }
            described(&values, &tracker.indexes())
        }
        TrendMethod::EDivisive(settings) => {
            described_by_means(&values, &e_divisive(&values, &settings))
        }
    };
    line.changes = found.into_iter().map(change).collect();
    whole
}

fn change(point: trend::ChangePoint) -> Change {
    Change {
        at: point.index,
        range: point.range,
        before: point.before.center,
        after: point.after.center,
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

#[cfg(test)]
mod tests {
    use tripline_judge::trend::EDivisive;
    use tripline_model::{BenchName, Metric, SuiteName};

    use super::*;

    fn changes(values: &[f64], method: TrendMethod) -> Vec<usize> {
        found(values, method).iter().map(|it| it.at).collect()
    }

    fn found(values: &[f64], method: TrendMethod) -> Vec<Change> {
        let bench = BenchId {
            suite: SuiteName::new("kv").unwrap(),
            name: BenchName::new("get").unwrap(),
            params: BTreeMap::new(),
        };
        let metric = Metric::known("wall_time").unwrap();
        let placed = |(place, value): (usize, &f64)| Placed {
            place,
            environment: 0,
            point: Point::single(*value),
        };
        let environment = EnvironmentName::new("here").unwrap();
        let points = values.iter().enumerate().map(placed).collect();
        let mut line = Line::of(Series { bench, metric }, environment, points);
        find(&mut line, method);
        line.changes
    }

    #[test]
    fn what_otava_finds_by_means_is_told_by_them() {
        let doubles = |at: usize| at >= 30 && matches!(at % 5, 0 | 2);
        let values = (0..60).map(|at| if doubles(at) { 200.0 } else { 100.0 });
        let values: Vec<f64> = values.collect();
        let otava = TrendMethod::EDivisive(EDivisive::default());
        let found = found(&values, otava);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].before, found[0].after), (100.0, 140.0));
    }

    #[test]
    fn the_project_says_by_which_method_changes_are_found() {
        let noisy = |count: usize, level: f64| {
            (0..count).map(move |at| level + [0.0, 1.0, 0.5, 1.5][at % 4])
        };
        let step: Vec<f64> = noisy(30, 100.0).chain(noisy(30, 130.0)).collect();
        let otava = TrendMethod::EDivisive(EDivisive::recommended());
        let methods = [TrendMethod::Whole, TrendMethod::OneByOne, otava];
        assert_eq!(methods.map(|one| changes(&step, one)), [[30], [30], [30]]);
        // Two values are no level, but to Otava.
        let young: Vec<f64> = noisy(40, 100.0).chain(noisy(2, 130.0)).collect();
        let expected: [&[usize]; 3] = [&[], &[], &[40]];
        assert_eq!(methods.map(|one| changes(&young, one)), expected);
        // A step of 30 % is none to whoever asks for more.
        let coarse = TrendMethod::EDivisive(EDivisive {
            magnitude: 0.5,
            ..EDivisive::recommended()
        });
        assert_eq!(changes(&step, coarse), [0_usize; 0]);
    }
}
