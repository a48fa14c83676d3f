//! How well what was found fits what is true.
//!
//! A found point is right when it lies within five values of a true one, each true one being matched once: the next
//! pair is always the closest. Against several people's opinions a point counts for precision when anybody marked it, and
//! recall is the mean over the people; the cover is how well the segments fit theirs (van den Burg and Williams 2020).
//!
//! Tested by reference values and below.

use std::collections::BTreeSet;

/// How far a found point may lie from the true one.
pub(super) const MARGIN: usize = 5;

/// Counts what was found, missed and made up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// True points that were found.
    pub(super) hits: usize,
    /// Points that were found where there is none.
    pub(super) false_points: usize,
    /// True points that were not found.
    pub(super) misses: usize,
    /// Series without any step.
    pub(super) nulls: usize,
    /// Those of them in which a point was found.
    pub(super) alarmed: usize,
}

impl Tally {
    /// Counts one series.
    pub(super) fn add(&mut self, truth: &[usize], found: &[usize]) {
        let hits = matches(truth, found, MARGIN);
        self.hits += hits;
        self.false_points += found.len() - hits;
        self.misses += truth.len() - hits;
        if truth.is_empty() {
            self.nulls += 1;
            self.alarmed += usize::from(!found.is_empty());
        }
    }

    /// Returns the share of found points that are right.
    pub(super) fn precision(&self) -> f64 {
        share(self.hits, self.hits + self.false_points)
    }

    /// Returns the share of true points that were found.
    pub(super) fn recall(&self) -> f64 {
        share(self.hits, self.hits + self.misses)
    }

    /// Returns the harmonic mean of both.
    pub(super) fn f1(&self) -> f64 {
        harmonic(self.precision(), self.recall())
    }

    /// Returns the share of series without a step in which one was found.
    pub(super) fn alarms(&self) -> f64 {
        self.alarmed as f64 / self.nulls.max(1) as f64
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

fn harmonic(precision: f64, recall: f64) -> f64 {
    if precision + recall > 0.0 {
        2.0 * precision * recall / (precision + recall)
    } else {
        0.0
    }
}

/// Returns how many true points are found, one to one.
fn matches(truth: &[usize], found: &[usize], margin: usize) -> usize {
    let distances = truth.iter().enumerate().flat_map(|(t, truth)| {
        let near = found.iter().enumerate();
        near.map(move |(f, found)| (truth.abs_diff(*found), t, f))
    });
    let mut pairs: Vec<_> = distances
        .filter(|(distance, ..)| *distance <= margin)
        .collect();
    pairs.sort_unstable();
    let (mut truths, mut founds) = (BTreeSet::new(), BTreeSet::new());
    for (_, t, f) in pairs {
        if !truths.contains(&t) && !founds.contains(&f) {
            truths.insert(t);
            founds.insert(f);
        }
    }
    truths.len()
}

/// Returns the F1 of what was found against what several people marked. Everybody is taken to have marked the start.
pub(super) fn f1_of_opinions(opinions: &[Vec<usize>], found: &[usize]) -> f64 {
    let with_start = |points: &[usize]| -> Vec<usize> {
        let points: BTreeSet<usize> = points.iter().copied().chain([0]).collect();
        points.into_iter().collect()
    };
    let found = with_start(found);
    let opinions: Vec<Vec<usize>> = opinions.iter().map(|opinion| with_start(opinion)).collect();
    let anybody = with_start(&opinions.concat());
    let precision = matches(&anybody, &found, MARGIN) as f64 / found.len() as f64;
    let recalls = opinions
        .iter()
        .map(|opinion| matches(opinion, &found, MARGIN) as f64 / opinion.len() as f64);
    harmonic(precision, recalls.sum::<f64>() / opinions.len() as f64)
}

/// Returns how well the segments that were found cover those that people marked, in the mean over the people.
pub(super) fn cover_of_opinions(opinions: &[Vec<usize>], found: &[usize], count: usize) -> f64 {
    let found = segments(found, count);
    let covers = opinions.iter().map(|opinion| {
        let covered = segments(opinion, count).into_iter().map(|(start, end)| {
            let overlaps = found.iter().map(|(other_start, other_end)| {
                let common = end.min(*other_end).saturating_sub(start.max(*other_start));
                common as f64 / (end.max(*other_end) - start.min(*other_start)) as f64
            });
            (end - start) as f64 * overlaps.fold(0.0, f64::max)
        });
        covered.sum::<f64>() / count as f64
    });
    covers.sum::<f64>() / opinions.len() as f64
}

fn segments(points: &[usize], count: usize) -> Vec<(usize, usize)> {
    let bounds: BTreeSet<usize> = points.iter().copied().chain([0, count]).collect();
    let bounds: Vec<usize> = bounds.into_iter().collect();
    bounds.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::trends::peers::vectors;

    fn points(value: &Value) -> Vec<usize> {
        let points = value.as_array().unwrap().iter();
        points
            .map(|point| point.as_u64().unwrap() as usize)
            .collect()
    }

    fn opinions(case: &Value) -> Vec<Vec<usize>> {
        let people = case["annotations"].as_object().unwrap().values();
        people.map(points).collect()
    }

    #[test]
    fn scores_of_opinions_are_those_of_the_dataset() {
        let metrics = &vectors()["tcpd_metrics"];
        for case in metrics["f1_margin5"].as_array().unwrap() {
            let f1 = f1_of_opinions(&opinions(case), &points(&case["pred"]));
            assert!((f1 - case["f1"].as_f64().unwrap()).abs() < 1e-9, "{case}");
        }
        for case in metrics["cover_n45"].as_array().unwrap() {
            let cover = cover_of_opinions(&opinions(case), &points(&case["pred"]), 45);
            assert!(
                (cover - case["cover"].as_f64().unwrap()).abs() < 1e-9,
                "{case}"
            );
        }
    }

    #[test]
    fn points_are_matched_one_to_one() {
        assert_eq!(matches(&[50, 60], &[55], 5), 1);
        assert_eq!(matches(&[50, 60], &[49, 51, 66], 5), 1);
        assert_eq!(matches(&[50, 53], &[52, 54], 5), 2);
        assert_eq!(matches(&[], &[3], 5), 0);
    }

    #[test]
    fn a_tally_counts_what_was_found_missed_and_made_up() {
        let mut tally = Tally::default();
        tally.add(&[50, 90], &[52, 70]);
        tally.add(&[], &[]);
        tally.add(&[], &[10]);
        assert_eq!((tally.hits, tally.false_points, tally.misses), (1, 2, 1));
        assert_eq!((tally.nulls, tally.alarmed), (2, 1));
        assert!(
            (tally.precision() - 1.0 / 3.0).abs() < 1e-12 && (tally.recall() - 0.5).abs() < 1e-12
        );
        assert!((tally.f1() - 0.4).abs() < 1e-12 && (tally.alarms() - 0.5).abs() < 1e-12);
        assert_eq!(Tally::default().f1(), 1.0);
    }
}
