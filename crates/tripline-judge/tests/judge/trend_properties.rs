//! Change points: what holds for any series.

use proptest::prelude::*;
use tripline_judge::trend::{
    EDivisive, Settings, Tracker, change_points, e_divisive, noise, separation,
};

/// Values of any size and sign, among them the worst there are.
fn hostile() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::num::f64::ANY,
        -10.0..10.0,
        (-3..3_i8).prop_map(f64::from),
        Just(1e300),
        Just(-1e300),
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE),
        Just(0.0),
    ]
}

/// Series with a few levels, some of them of equal values, some with noise.
fn levels() -> impl Strategy<Value = Vec<f64>> {
    let level = (1_u32..1_000, 1_usize..40, 0_u32..30);
    prop::collection::vec((level, any::<u64>()), 1..5).prop_map(|levels| {
        let values = levels
            .into_iter()
            .flat_map(|((height, count, noise), seed)| {
                let noises = crate::trend::normal(seed, count);
                noises.into_iter().map(move |rest| {
                    let share = f64::from(noise) / 1_000.0 * rest;
                    f64::from(height) * (1.0 + share).max(0.01)
                })
            });
        values.collect()
    })
}

fn indexes(values: &[f64]) -> Vec<usize> {
    let points = change_points(values, &Settings::default()).points;
    points.iter().map(|point| point.index).collect()
}

proptest! {
    #[test]
    fn nothing_panics(values in prop::collection::vec(hostile(), 0..80), cuts in prop::collection::vec(0..90_usize, 0..5)) {
        let trend = change_points(&values, &Settings::default());
        for pair in trend.points.windows(2) {
            prop_assert!(pair[0].index < pair[1].index);
        }
        for point in &trend.points {
            prop_assert!(point.range.contains(&point.index));
            prop_assert!(0 < *point.range.start() && *point.range.end() < values.len());
            prop_assert!(!point.shift.is_nan());
        }
        let splits = e_divisive(&values, &EDivisive::default());
        prop_assert!(splits.is_sorted() && splits.iter().all(|split| (1..values.len()).contains(split)));
        prop_assert!(noise(&values, &cuts).degrees <= values.len());
        prop_assert!(separation(&values, values.len() / 2) >= 0.0);
        let mut tracker = Tracker::new(Settings::default());
        for value in values {
            tracker.push(value);
        }
    }

    #[test]
    fn hostile_settings_do_not_panic(values in levels(), segment_min in 0..200_usize, floor in hostile(), caution in hostile()) {
        let settings = Settings { floor, segment_min, caution, caution_of_rerun: caution, do_repeat: false };
        let divisive = EDivisive { window: segment_min, p: floor, magnitude: caution };
        prop_assert!(change_points(&values, &settings).points.len() < values.len());
        prop_assert!(e_divisive(&values, &divisive).len() < values.len());
        let mut tracker = Tracker::resume(values, settings);
        tracker.push(1.0);
        prop_assert!(tracker.indexes().len() < tracker.values().len());
    }

    #[test]
    fn a_constant_has_no_change(value in hostile(), count in 0..200_usize) {
        prop_assert_eq!(indexes(&vec![value; count]), Vec::<usize>::new());
    }

    #[test]
    fn the_unit_does_not_matter(values in levels(), power in -60..60_i32) {
        let scaled: Vec<f64> = values.iter().map(|value| value * 2.0_f64.powi(power)).collect();
        prop_assert_eq!(indexes(&values), indexes(&scaled));
        let mixed: Vec<f64> = values.iter().map(|value| value - values[0]).collect();
        let scaled: Vec<f64> = mixed.iter().map(|value| value * 2.0_f64.powi(power)).collect();
        prop_assert_eq!(change_points(&mixed, &Settings::default()).noise, change_points(&scaled, &Settings::default()).noise);
        prop_assert_eq!(indexes(&mixed), indexes(&scaled));
    }

    #[test]
    fn the_sign_mirrors(values in levels()) {
        for values in [values.clone(), values.iter().map(|value| value - values[0]).collect()] {
            let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
            let [one, other] = [&values, &mirrored].map(|values| change_points(values, &Settings::default()));
            prop_assert_eq!(one.points.len(), other.points.len());
            for (one, other) in one.points.iter().zip(&other.points) {
                prop_assert_eq!(one.index, other.index);
                prop_assert_eq!(&one.range, &other.range);
                prop_assert_eq!(one.status, other.status);
                let is_near = one.shift == -other.shift || (one.shift + other.shift).abs() <= 1e-9 * one.shift.abs();
                prop_assert!(is_near, "{} {}", one.shift, other.shift);
            }
        }
    }
}
