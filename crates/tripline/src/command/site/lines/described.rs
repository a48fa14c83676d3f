//! What a metric is called the same after its description was changed: one line still, as it is described today.
//!
//! Which direction is better may be put right afterwards, and holds for what was measured before as well. A value in another
//! unit is none of today's metric: it stays in the history, and that it is not shown is said.

use std::collections::{BTreeMap, BTreeSet};

use tripline_site::{Line, Placed};

use crate::talk;

/// How many of the metrics are named that began anew.
const NAMED_MAX: usize = 3;

/// Joins lines of the same name, each in several ways described, into the one that was told of last.
pub(super) fn join(
    lines: &mut Vec<Line>,
    several: &[Vec<usize>],
    last_rows: &BTreeMap<usize, usize>,
) {
    let mut gone = BTreeSet::new();
    let mut begun_anew = Vec::new();
    for same in several {
        let last = |at: &&usize| last_rows.get(*at);
        let Some(newest) = same.iter().max_by_key(last).copied() else {
            continue;
        };
        let mut left = 0;
        for other in same.iter().copied().filter(|other| *other != newest) {
            gone.insert(other);
            let before = std::mem::take(&mut lines[other].points);
            if lines[other].series.metric.unit == lines[newest].series.metric.unit {
                add(&mut lines[newest].points, before);
            } else {
                left += before.len();
            }
        }
        if left > 0 {
            begun_anew.push(told(&lines[newest], left));
        }
    }
    if !begun_anew.is_empty() {
        talk::say(&format!(
            "note: measured in another unit before, which is left out: {}",
            named(&begun_anew)
        ));
    }
    let mut at = 0;
    lines.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
}

/// Adds points in the order of their places. Of two at one place the one that is there already holds.
fn add(points: &mut Vec<Placed>, more: Vec<Placed>) {
    points.extend(more);
    points.sort_by_key(|placed| placed.place);
    points.dedup_by_key(|placed| placed.place);
}

fn told(line: &Line, left: usize) -> String {
    let values = talk::counted(left, "value");
    let metric = &line.series.metric;
    let unit = talk::shown(metric.unit.symbol());
    format!(
        "{values} of `{}` of `{}` (now in `{unit}`)",
        metric.name, line.series.bench
    )
}

fn named(all: &[String]) -> String {
    let named = all[..all.len().min(NAMED_MAX)].join(", ");
    match all.len().saturating_sub(NAMED_MAX) {
        0 => named,
        more => format!("{named}, and of {}", talk::counted(more, "other")),
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{
        BenchId, BenchName, Better, EnvironmentName, Metric, MetricName, Nature, Params, Point,
        Series, SuiteName, Unit,
    };

    use super::*;

    fn line(unit: &str, better: Better, values: &[(usize, f64)]) -> Line {
        let metric = Metric {
            name: MetricName::new("lat").unwrap(),
            unit: Unit::from_symbol(unit).unwrap(),
            better,
            nature: Nature::Sampled,
        };
        let bench = BenchId {
            suite: SuiteName::new("kv").unwrap(),
            name: BenchName::new("get").unwrap(),
            params: Params::new(),
        };
        let placed = |(place, value): &(usize, f64)| Placed {
            place: *place,
            environment: 0,
            point: Point::single(*value),
        };
        let environment = EnvironmentName::new("here").unwrap();
        let points = values.iter().map(placed).collect();
        Line::of(Series { bench, metric }, environment, points)
    }

    fn values(line: &Line) -> Vec<(usize, f64)> {
        let points = line.points.iter();
        points
            .map(|placed| (placed.place, placed.point.center))
            .collect()
    }

    #[test]
    fn a_direction_that_was_put_right_holds_for_all_values() {
        let other = line("s", Better::Lower, &[(0, 1.0)]);
        let before = line("hits", Better::Lower, &[(0, 5.0), (1, 6.0), (3, 9.0)]);
        let now = line("hits", Better::Higher, &[(2, 7.0), (3, 8.0)]);
        let mut lines = vec![other.clone(), before, now];
        join(&mut lines, &[vec![1, 2]], &BTreeMap::from([(1, 3), (2, 4)]));
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], other);
        assert_eq!(lines[1].series.metric.better, Better::Higher);
        assert_eq!(values(&lines[1]), [(0, 5.0), (1, 6.0), (2, 7.0), (3, 8.0)]);
    }

    #[test]
    fn what_was_measured_in_another_unit_is_none_of_it() {
        let before = line("MB", Better::Lower, &[(0, 5.0), (1, 5.0)]);
        let now = line("KB", Better::Lower, &[(2, 5000.0)]);
        let mut lines = vec![before, now];
        join(&mut lines, &[vec![0, 1]], &BTreeMap::from([(0, 1), (1, 2)]));
        assert_eq!(lines.len(), 1);
        assert_eq!(values(&lines[0]), [(2, 5000.0)]);
        assert_eq!(
            told(&lines[0], 2),
            "2 values of `lat` of `kv/get` (now in `KB`)"
        );
    }

    /// Somebody went back, and measured one commit again: the unit is that of the last record, whichever was known first.
    #[test]
    fn the_last_record_says_what_the_metric_is_today() {
        let first = line("MB", Better::Lower, &[(0, 5.0), (2, 5.0)]);
        let second = line("KB", Better::Lower, &[(1, 5000.0), (2, 5000.0)]);
        let mut lines = vec![first, second];
        join(&mut lines, &[vec![0, 1]], &BTreeMap::from([(0, 3), (1, 2)]));
        assert_eq!(values(&lines[0]), [(0, 5.0), (2, 5.0)]);
    }

    #[test]
    fn of_many_a_few_are_named() {
        let all: Vec<String> = (0..5).map(|nth| nth.to_string()).collect();
        assert_eq!(named(&all[..2]), "0, 1");
        assert_eq!(named(&all), "0, 1, 2, and of 2 others");
    }
}
