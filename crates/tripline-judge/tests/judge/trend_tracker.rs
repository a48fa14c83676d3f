//! Following a series one value at a time.

use proptest::prelude::*;
use tripline_judge::trend::{Alert, Settings, Tracker, change_points};

use crate::trend::normal;

fn alerts(values: &[f64]) -> (Tracker, Vec<Alert>) {
    let mut tracker = Tracker::new(Settings::default());
    let alerts = values.iter().filter_map(|value| tracker.push(*value));
    let alerts = alerts.collect();
    (tracker, alerts)
}

/// Percents of noise around 100, and a step of so many percents.
fn step(seed: u64, count: usize, at: usize, percents: f64) -> Vec<f64> {
    let noise = normal(seed, count).into_iter().enumerate();
    noise
        .map(|(index, noise)| 100.0 + noise + if index < at { 0.0 } else { percents })
        .collect()
}

#[test]
fn a_step_of_three_standard_deviations_is_told_once_and_soon() {
    let mut delays = Vec::new();
    for seed in 0..11 {
        let (tracker, alerts) = alerts(&step(5_000 + seed, 160, 100, 3.0));
        assert_eq!(alerts.len(), 1, "seed {seed}: {alerts:?}");
        assert!(alerts[0].point.index.abs_diff(100) <= 5);
        assert!(alerts[0].point.shift > 0.0);
        assert_eq!((tracker.indexes().len(), tracker.frozen()), (1, 1));
        delays.push(alerts[0].seen_at + 1 - 100);
    }
    delays.sort_unstable();
    // Five values of the new level are enough in half of all cases.
    assert!(delays[delays.len() / 2] <= 5, "{delays:?}");
}

#[test]
fn noise_alone_is_not_told() {
    for seed in 0..10 {
        let (_, alerts) = alerts(&step(6_000 + seed, 180, 180, 0.0));
        assert_eq!(alerts, [], "seed {seed}");
    }
}

#[test]
fn a_count_is_told_with_its_third_value() {
    let values: Vec<f64> = (0..40)
        .map(|i| if i < 30 { 5_000.0 } else { 5_005.0 })
        .collect();
    let (_, alerts) = alerts(&values);
    assert_eq!(alerts.len(), 1);
    assert_eq!((alerts[0].point.index, alerts[0].seen_at), (30, 32));
}

#[test]
fn a_pulse_is_told_up_and_down() {
    let mut values = step(7_000, 140, 70, 8.0);
    for value in &mut values[90..] {
        *value -= 8.0;
    }
    let (_, alerts) = alerts(&values);
    let shifts: Vec<bool> = alerts.iter().map(|alert| alert.point.shift > 0.0).collect();
    assert_eq!(shifts, [true, false], "{alerts:?}");
}

#[test]
fn a_value_that_is_no_number_tells_nothing() {
    let mut tracker = Tracker::new(Settings::default());
    for value in step(1, 60, 30, 9.0) {
        tracker.push(value);
    }
    let before = tracker.indexes();
    assert_eq!(before.len(), 1);
    assert_eq!(tracker.push(f64::NAN), None);
    assert_eq!(tracker.indexes(), before);
    assert_eq!(tracker.values().len(), 61);
}

#[test]
fn after_a_known_history_only_what_is_new_is_told() {
    let values = step(8_000, 260, 100, 5.0);
    let known = change_points(&values[..200], &Settings::default()).points;
    let mut tracker = Tracker::resume(values[..200].to_vec(), Settings::default());
    assert_eq!(known.len(), 1);
    assert_eq!(
        (tracker.indexes(), tracker.frozen()),
        (vec![known[0].index], 1)
    );
    for value in &values[200..] {
        assert_eq!(tracker.push(*value), None);
    }
    let told: Vec<Alert> = (0..6).filter_map(|_| tracker.push(130.0)).collect();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].point.index, 260);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_frozen_past_stays(seed in any::<u64>(), steps in prop::collection::vec((0..160_usize, -6..6_i8), 0..4)) {
        let mut tracker = Tracker::new(Settings::default());
        let mut frozen = Vec::new();
        for (index, noise) in normal(seed, 160).into_iter().enumerate() {
            let passed = steps.iter().filter(|(at, _)| *at <= index);
            let level: f64 = passed.map(|(_, size)| f64::from(*size)).sum();
            tracker.push(100.0 + level + noise);
            let now = &tracker.indexes()[..tracker.frozen()];
            prop_assert!(now.len() >= frozen.len());
            prop_assert_eq!(&now[..frozen.len()], &frozen[..]);
            frozen = now.to_vec();
        }
        prop_assert!(tracker.indexes().is_sorted());
    }
}
