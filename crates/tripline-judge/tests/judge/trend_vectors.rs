//! Reference values of what finds change points.
//!
//! Those of other detectors are tested where these are, in `bench/self`.

use serde_json::Value;
use tripline_judge::trend::{EDivisive, e_divisive, normal_scores, separation, threshold};

use crate::trend::normal;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../fixtures/stats_vectors.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().unwrap().iter();
    numbers.map(|number| number.as_f64().unwrap()).collect()
}

fn assert_near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-9,
        "{found} is not {expected}"
    );
}

#[test]
fn normal_scores_are_bloms() {
    let vector = &vectors()["normal_scores_blom"];
    let expected = numbers(&vector["scores"]);
    let scores = normal_scores(expected.len());
    assert_eq!(scores.len(), expected.len());
    for (found, expected) in scores.iter().zip(&expected) {
        assert_near(*found, *expected);
    }
}

#[test]
fn the_largest_separation_is_at_the_step() {
    let vector = &vectors()["normal_score_cusum"];
    let values = numbers(&vector["x"]);
    let shortest = vector["g"].as_u64().unwrap() as usize;
    let splits = shortest..=values.len() - shortest;
    let separations = splits.map(|split| (split, separation(&values, split)));
    let (split, largest) = separations.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert_eq!(split as u64, vector["split"].as_u64().unwrap());
    assert_near(largest, vector["z"].as_f64().unwrap());
}

#[test]
fn splits_are_those_of_otava() {
    let vector = &vectors()["pelt_l2"];
    let expected = numbers(&vector["otava_w50_p001"]);
    let found = e_divisive(&numbers(&vector["x"]), &EDivisive::default());
    assert_eq!(
        found.iter().map(|split| *split as f64).collect::<Vec<_>>(),
        expected
    );
}

/// Otava 0.8.0 itself gave these splits for the same numbers.
#[test]
fn splits_of_noisy_series_are_those_of_otava() {
    let five_percent = EDivisive {
        magnitude: 0.05,
        ..EDivisive::default()
    };
    for (seed, by_default, as_recommended) in [
        (11, &[91, 165][..], &[][..]),
        (14, &[91, 151], &[91, 153]),
        (15, &[89, 150], &[89]),
    ] {
        let noise = normal(seed, 220).into_iter().enumerate();
        let values = noise.map(|(index, noise)| {
            let step = if (90..150).contains(&index) {
                300.0
            } else {
                0.0
            };
            (1e4 * (1.0 + 0.02 * noise) + step).round()
        });
        let values: Vec<f64> = values.collect();
        assert_eq!(e_divisive(&values, &EDivisive::default()), by_default);
        assert_eq!(
            e_divisive(&values, &EDivisive::recommended()),
            as_recommended
        );
        assert_eq!(e_divisive(&values, &five_percent), [0_usize; 0]);
    }
}

/// The threshold is about the evidence that one in a hundred series of pure noise reaches somewhere: in seeded intervals
/// of all lengths, and in those that end at the last value.
#[test]
fn the_threshold_is_what_one_in_a_hundred_series_of_noise_reaches() {
    let vector = &vectors()["threshold_b"];
    let tolerance = vector["tolerance"].as_f64().unwrap();
    let expected = &vector["monte_carlo_99pct_of_max_over_seeded_and_right_anchored_intervals_g3"];
    let of_each = [
        (20, 4_000),
        (50, 2_000),
        (100, 1_000_u64),
        (200, 1_000),
        (500, 1_000),
        (1_000, 500),
    ];
    assert_eq!(expected.as_object().unwrap().len(), of_each.len());
    for (count, draws) in of_each {
        let intervals = intervals(count, 3);
        let largest = |draw| largest_separation(&normal(70_000 + draw, count), &intervals, 3);
        let mut all: Vec<f64> = (0..draws).map(largest).collect();
        all.sort_by(f64::total_cmp);
        let reached = all[(draws as f64 * 0.99) as usize];
        let expected = expected[count.to_string()].as_f64().unwrap();
        assert!(
            (reached - expected).abs() <= tolerance,
            "{count}: {reached}"
        );
    }
    for (count, beyond) in [
        (200_usize, 0.75),
        (50, 0.75),
        (49, 0.5),
        (20, 0.5),
        (19, 0.35),
    ] {
        assert_near(
            threshold(count),
            (2.0 * (count as f64).ln()).sqrt() + beyond,
        );
    }
}

/// Intervals of lengths that shrink by the root of two and overlap by half, and intervals at the end.
fn intervals(count: usize, shortest: usize) -> Vec<(usize, usize)> {
    let mut intervals = Vec::new();
    let mut length = count as f64;
    while length >= 2.0 * shortest as f64 {
        let pieces = 2 * (count as f64 / length).ceil() as usize - 1;
        for piece in 0..pieces {
            let room = count as f64 - length;
            let start = room * piece as f64 / (pieces - 1).max(1) as f64;
            intervals.push((
                start as usize,
                ((start + length).ceil() as usize).min(count),
            ));
        }
        length /= 2.0_f64.sqrt();
    }
    let mut length = 2.0 * shortest as f64;
    while length < count as f64 {
        intervals.push((count - length as usize, count));
        length *= 1.5;
    }
    intervals
}

fn largest_separation(values: &[f64], intervals: &[(usize, usize)], shortest: usize) -> f64 {
    let mut largest = 0.0_f64;
    for (start, end) in intervals {
        let part = &values[*start..*end];
        let count = part.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| part[*a].total_cmp(&part[*b]));
        let mut scores = vec![0.0; count];
        for (rank, score) in order.iter().zip(normal_scores(count)) {
            scores[*rank] = score;
        }
        let variance = scores.iter().map(|score| score * score).sum::<f64>() / (count - 1) as f64;
        let mut sum = 0.0;
        for (index, score) in scores.iter().enumerate() {
            sum += score;
            let (before, after) = (index + 1, count - index - 1);
            if before >= shortest && after >= shortest {
                let error = (variance * (before * after) as f64 / count as f64).sqrt();
                largest = largest.max(sum.abs() / error);
            }
        }
    }
    largest
}
