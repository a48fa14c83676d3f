//! Change points: known answers.
//!
//! The series are made of steps and of noise with fixed seeds. How well the detector does over many families of series,
//! beside other detectors, is tested in `bench/self`.

use tripline_judge::trend::{
    ChangePoint, Settings, Status, change_points, described, described_by_means, noise,
};

/// Normal noise with a fixed seed: the sum of twelve uniform numbers, less six.
pub(crate) fn normal(seed: u64, count: usize) -> Vec<f64> {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    // Mixed first: states that are a step apart would give the same numbers a step apart.
    let mut state = mixed(seed.wrapping_add(GOLDEN));
    let mut uniform = move || {
        state = state.wrapping_add(GOLDEN);
        (mixed(state) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut value = move || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
    (0..count).map(|_| value()).collect()
}

/// The mixing function of the generator SplitMix64.
fn mixed(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// A level of 100 with steps up, each of so many standard deviations of 1 % noise.
fn steps(seed: u64, count: usize, at: &[usize], size: f64) -> Vec<f64> {
    let noise = normal(seed, count).into_iter().enumerate();
    noise
        .map(|(index, noise)| {
            let passed = at.iter().filter(|step| **step <= index).count() as f64;
            100.0 * (0.01 * (noise + size * passed)).exp()
        })
        .collect()
}

/// No change points.
const NONE: [usize; 0] = [];

fn found(values: &[f64]) -> Vec<ChangePoint> {
    change_points(values, &Settings::default()).points
}

fn indexes(values: &[f64]) -> Vec<usize> {
    found(values).iter().map(|point| point.index).collect()
}

#[test]
fn a_step_is_described() {
    let points = found(&steps(1, 120, &[70], 5.0));
    let [point] = &points[..] else {
        panic!("{points:?}")
    };
    assert!(point.index.abs_diff(70) <= 1 && point.range.contains(&70));
    assert!(point.range.end() - point.range.start() <= 6, "{point:?}");
    let interval = point.interval.unwrap();
    let truth = 0.05_f64.exp_m1();
    assert!(interval.low < truth && truth < interval.high, "{point:?}");
    assert!(interval.low < point.shift && point.shift < interval.high);
    assert!((point.shift - truth).abs() < 0.005);
    assert_eq!(point.status, Status::Confirmed);
    assert!(point.score > 8.0);
    assert_eq!(point.before.values, 0..point.index);
    assert_eq!(point.after.values, point.index..120);
    assert!((point.before.center - 100.0).abs() < 0.5);
    assert!((point.after.center - 105.1).abs() < 0.5);
}

#[test]
fn noise_alone_has_no_step() {
    for seed in 0..300 {
        assert_eq!(indexes(&steps(seed, 150, &[], 0.0)), NONE, "seed {seed}");
    }
}

#[test]
fn steps_of_three_standard_deviations_are_found_where_they_are() {
    for seed in 1_000..1_060 {
        let found = indexes(&steps(seed, 200, &[60, 140], 3.0));
        let near = |truth: usize| found.iter().any(|index| index.abs_diff(truth) <= 5);
        assert!(
            found.len() == 2 && near(60) && near(140),
            "{seed}: {found:?}"
        );
    }
}

#[test]
fn where_a_step_may_be_is_said_with_the_confidence_that_is_claimed() {
    let truths = (2_000..2_200).filter(|seed| {
        let points = found(&steps(*seed, 100, &[50], 2.5));
        points.iter().any(|point| point.range.contains(&50))
    });
    let held = truths.count();
    assert!((190..=200).contains(&held), "{held} of 200");
}

#[test]
fn a_young_step_is_pending_and_an_undone_one_reverted() {
    let young = steps(3, 84, &[80], 12.0);
    let status = |values: &[f64]| -> Vec<Status> {
        found(values).iter().map(|point| point.status).collect()
    };
    assert_eq!(status(&young), [Status::Pending]);
    let mut pulse = steps(4, 120, &[60], 6.0);
    for value in &mut pulse[80..] {
        *value /= 0.06_f64.exp();
    }
    assert_eq!(status(&pulse), [Status::Reverted, Status::Confirmed]);
}

#[test]
fn every_step_of_a_count_is_found_however_small_and_short() {
    for base in [1_000.0, 123_456.0, 7e9] {
        for share in [0.001, 0.01, 0.5, -0.001, -0.3] {
            for (count, at) in [(16, 8), (40, 37), (200, 100), (60, 3)] {
                let level = |index| {
                    if index < at {
                        base
                    } else {
                        base * (1.0 + share)
                    }
                };
                let values: Vec<f64> = (0..count).map(level).collect();
                let points = found(&values);
                let [point] = &points[..] else {
                    panic!("{base} {share} {count}: {points:?}")
                };
                assert_eq!((point.index, &point.range), (at, &(at..=at)));
                assert!((point.shift - share).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn a_count_that_does_not_change_has_no_step() {
    assert_eq!(indexes(&[7e6; 300]), NONE);
    // Half of a hundredth of a percent is below the floor.
    let small: Vec<f64> = (0..80)
        .map(|i| if i < 40 { 1e6 } else { 1e6 + 50.0 })
        .collect();
    assert_eq!(indexes(&small), NONE);
    // A hundredth is not.
    let least: Vec<f64> = (0..80)
        .map(|i| if i < 40 { 1e6 } else { 1e6 + 100.0 })
        .collect();
    assert_eq!(indexes(&least), [40]);
    let jitter: Vec<f64> = normal(9, 200)
        .iter()
        .map(|noise| 1e9 + (30.0 * noise).round())
        .collect();
    assert_eq!(indexes(&jitter), NONE);
    // Two values that come and go are no levels.
    let flips: Vec<f64> = normal(10, 200)
        .iter()
        .map(|noise| if *noise < 0.8 { 5.0 } else { 6.0 })
        .collect();
    assert_eq!(indexes(&flips), NONE);
}

#[test]
fn a_step_from_zero_is_infinitely_large() {
    let values: Vec<f64> = (0..60).map(|i| if i < 30 { 0.0 } else { 5.0 }).collect();
    let points = found(&values);
    assert_eq!(points.len(), 1);
    assert_eq!((points[0].index, points[0].shift), (30, f64::INFINITY));
    assert_eq!(points[0].before.center, 0.0);
}

#[test]
fn outliers_are_no_steps() {
    let mut values = steps(5, 200, &[], 0.0);
    for index in [20, 21, 77, 130, 131, 199] {
        values[index] *= 1.4;
    }
    assert_eq!(indexes(&values), NONE);
}

#[test]
fn noise_that_wanders_is_no_step() {
    for seed in 0..40 {
        let mut last = 0.0;
        let wandering = normal(4_000 + seed, 200).into_iter().map(|noise| {
            last = 0.6 * last + 0.8 * noise;
            100.0 + last
        });
        assert_eq!(indexes(&wandering.collect::<Vec<_>>()), NONE, "seed {seed}");
    }
}

#[test]
fn noise_is_what_is_left_within_the_levels() {
    let values = steps(6, 400, &[100, 300], 8.0);
    let trend = change_points(&values, &Settings::default());
    assert!(
        (trend.noise.sigma - 0.01).abs() < 0.0015,
        "{:?}",
        trend.noise
    );
    assert_eq!(trend.noise.degrees, 397);
    let cuts: Vec<usize> = trend.points.iter().map(|point| point.index).collect();
    assert_eq!(noise(&values, &cuts), trend.noise);
    assert!(noise(&values, &[]).sigma > 0.05);
    // What is no cut is passed over.
    assert_eq!(
        noise(&values, &[0, cuts[0], cuts[0], cuts[1], 7, 400]),
        trend.noise
    );
}

#[test]
fn settings_say_what_counts() {
    let values = steps(7, 100, &[50], 4.0);
    assert_eq!(indexes(&values).len(), 1);
    for settings in [
        Settings {
            floor: 0.2,
            ..Settings::default()
        },
        Settings {
            caution: 20.0,
            ..Settings::default()
        },
        Settings {
            segment_min: 60,
            ..Settings::default()
        },
    ] {
        assert_eq!(change_points(&values, &settings).points, [], "{settings:?}");
    }
}

/// Whoever found them: the same cuts are the same levels, of the same size, and of cuts that are none nothing is said.
#[test]
fn what_another_method_found_is_described_alike() {
    let values = steps(4, 150, &[50, 100], 6.0);
    let own = found(&values);
    let cuts: Vec<usize> = own.iter().map(|point| point.index).collect();
    assert_eq!(cuts.len(), 2);
    let others = described(&values, &[0, cuts[0], cuts[1], cuts[0], 150]);
    assert_eq!(others.len(), 2);
    for (own, other) in own.iter().zip(&others) {
        assert_eq!(
            (own.index, &own.before, &own.after),
            (other.index, &other.before, &other.after)
        );
        assert_eq!(
            (own.shift, &own.interval, own.status),
            (other.shift, &other.interval, other.status)
        );
        assert!(
            other.range.contains(&own.index) && other.score > 3.0,
            "{other:?}"
        );
    }
    assert!(described(&[1.0, f64::NAN, 2.0], &[1]).is_empty());
}

/// Two of five values double: the means move by 40 %, and the medians do not.
#[test]
fn what_compares_means_is_described_by_them() {
    let doubles = |index: usize| index >= 30 && matches!(index % 5, 0 | 2);
    let values = |high: f64| (0..60).map(move |index| if doubles(index) { high } else { 1_000.0 });
    for (high, after) in [(2_000.0, 1_400.0), (500.0, 800.0)] {
        let values: Vec<f64> = values(high).collect();
        let points = described_by_means(&values, &[30]);
        let levels = (points[0].before.center, points[0].after.center);
        assert_eq!(levels, (1_000.0, after));
        assert!((points[0].shift - (after / 1_000.0 - 1.0)).abs() < 1e-12);
        assert_eq!(points[0].interval, None);
        assert_eq!(points[0].status, Status::Confirmed);
    }
    let undone: Vec<f64> = values(2_000.0).chain([1_000.0; 30]).collect();
    let points = described_by_means(&undone, &[30, 60]);
    assert_eq!(points[0].status, Status::Reverted);
}

/// Noise that wanders leaves it less sure where a level began, whoever found it.
#[test]
fn where_a_step_may_be_in_noise_that_wanders_does_not_depend_on_the_method() {
    for seed in 0..10 {
        let mut last = 0.0;
        let noise = normal(5_000 + seed, 200).into_iter().enumerate();
        let wandering = noise.map(|(index, noise)| {
            last = 0.6 * last + 0.8 * noise;
            100.0 + last + if index < 100 { 0.0 } else { 6.0 }
        });
        let values: Vec<f64> = wandering.collect();
        let own = found(&values);
        assert_eq!(own.len(), 1, "seed {seed}");
        let others = described(&values, &[own[0].index]);
        assert_eq!(own[0].range, others[0].range, "seed {seed}");
    }
}
