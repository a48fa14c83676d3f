//! Known answers: what two samples of one metric are judged as.

use tripline_model::{Change, Gate};

use crate::build::{judged, measurement, run, said};

/// Judges one benchmark with one metric and compares what is said.
#[track_caller]
fn check(metric: &str, base: &[f64], head: &[f64], expected: &str) {
    let report = judged(
        &run([measurement("get", &[(metric, base)])]),
        &run([measurement("get", &[(metric, head)])]),
    );
    assert_eq!(report.findings.len(), 1);
    assert_eq!(
        said(&report.findings[0]),
        expected,
        "{metric}: {base:?} became {head:?}"
    );
}

fn change(metric: &str, base: &[f64], head: &[f64]) -> Option<Change> {
    let report = judged(
        &run([measurement("get", &[(metric, base)])]),
        &run([measurement("get", &[(metric, head)])]),
    );
    report.findings[0].evidence.change
}

#[test]
fn instructions() {
    for (base, head, expected) in [
        (1_000_000.0, 1_000_000.0, "unchanged"),
        (1_000_000.0, 1_000_999.0, "unchanged"),
        (1_000_000.0, 1_001_000.0, "regressed"),
        (1_000_000.0, 1_001_999.0, "regressed"),
        (1_000_000.0, 1_002_000.0, "regressed warn"),
        (1_000_000.0, 1_009_999.0, "regressed warn"),
        (1_000_000.0, 1_010_000.0, "regressed fail"),
        (1_000_000.0, 5_000_000.0, "regressed fail"),
        (1_000_000.0, 999_500.0, "unchanged"),
        (1_000_000.0, 998_000.0, "improved"),
        // A share is a share, however small the benchmark is.
        (2_000.0, 2_001.0, "unchanged"),
        (2_000.0, 2_002.0, "regressed"),
        (2_000.0, 2_004.0, "regressed warn"),
        (2_000.0, 2_020.0, "regressed fail"),
        (100.0, 101.0, "regressed fail"),
        (101.0, 100.0, "improved"),
        (0.0, 0.0, "unchanged"),
        (0.0, 1.0, "regressed fail"),
        (1.0, 0.0, "improved"),
        (
            9_007_199_254_740_992.0,
            9_007_199_254_740_991.0,
            "unchanged",
        ),
        (1.0, 9_007_199_254_740_992.0, "regressed fail"),
    ] {
        check("instructions", &[base], &[head], expected);
        // Repeats that agree say the same as one value.
        check("instructions", &[base, base], &[head, head], expected);
    }
}

#[test]
fn memory() {
    for (metric, base, head, expected) in [
        ("allocations", 1_000.0, 1_001.0, "regressed warn"),
        ("allocations", 1_000.0, 1_009.0, "regressed warn"),
        ("allocations", 1_000.0, 1_010.0, "regressed fail"),
        ("allocations", 1_000.0, 999.0, "improved"),
        ("allocations", 0.0, 1.0, "regressed fail"),
        ("allocations", 0.0, 0.0, "unchanged"),
        ("allocated_bytes", 16_000.0, 16_015.0, "unchanged"),
        ("allocated_bytes", 16_000.0, 16_016.0, "regressed"),
        ("allocated_bytes", 16_000.0, 16_160.0, "regressed fail"),
        ("allocated_bytes", 0.0, 8.0, "regressed fail"),
        ("heap_peak", 2_000.0, 2_004.0, "regressed warn"),
        ("heap_held", 2_000.0, 1_998.0, "improved"),
        ("heap_peak", 100_000.0, 100_100.0, "regressed"),
        ("heap_peak", 100_000.0, 100_200.0, "regressed warn"),
        ("syncs", 1_000.0, 1_001.0, "regressed warn"),
        ("syncs", 10.0, 11.0, "regressed fail"),
        ("system_calls", 1_000.0, 1_019.0, "unchanged"),
        ("system_calls", 1_000.0, 1_020.0, "regressed warn"),
        ("system_calls", 1_000.0, 1_050.0, "regressed fail"),
    ] {
        check(metric, &[base], &[head], expected);
    }
}

#[test]
fn what_feels_the_layout_never_fails() {
    for (metric, base, head, expected) in [
        ("estimated_cycles", 1e6, 1_004_999.0, "unchanged"),
        ("estimated_cycles", 1e6, 1_005_000.0, "regressed"),
        ("estimated_cycles", 1e6, 1_020_000.0, "regressed warn"),
        ("estimated_cycles", 1e6, 9e6, "regressed warn"),
        ("estimated_cycles", 1_000.0, 1_300.0, "unchanged"),
        ("ram_hits", 1_000.0, 1_100.0, "unchanged"),
        ("ram_hits", 1_000.0, 9_000.0, "regressed"),
        ("data_reads", 1e6, 9e6, "regressed"),
    ] {
        check(metric, &[base], &[head], expected);
    }
}

#[test]
fn direction_is_the_metrics() {
    for (metric, base, head, expected) in [
        ("syscalls", 1_000.0, 1_001.0, "regressed"),
        ("syscalls", 1_000.0, 1_010.0, "regressed fail"),
        ("hits", 1_000.0, 1_010.0, "improved"),
        ("hits", 1_010.0, 1_000.0, "regressed fail"),
        ("hits", 1_002.0, 1_000.0, "regressed warn"),
        ("hits", 1_000.0, 0.0, "regressed fail"),
        ("hits", 0.0, 1_000.0, "improved"),
        ("shape", 1_000.0, 9_000.0, "unchanged"),
        ("l1_hits", 1_000.0, 9_000.0, "unchanged"),
    ] {
        check(metric, &[base], &[head], expected);
    }
    // What is not judged is still told.
    let told = change("shape", &[1_000.0], &[9_000.0]).unwrap();
    assert_eq!(told.ratio, 9.0);
}

#[test]
fn counts_that_are_not_deterministic() {
    let few = "regressed warn too-few-repeats";
    for (base, head, expected) in [
        // The same jitter on both sides.
        (&[1000e3, 1001e3][..], &[1001e3, 1000e3][..], "unchanged"),
        // Apart, by more than three jitters; with fewer than five repeats nothing fails.
        (&[1000e3, 1001e3], &[1100e3, 1101e3], few),
        (&[1100e3, 1101e3], &[1000e3, 1001e3], "improved"),
        // Apart, by less than three jitters.
        (&[1000e3, 1010e3], &[1020e3, 1030e3], "inconclusive"),
        (&[1020e3, 1030e3], &[1000e3, 1010e3], "inconclusive"),
        // Not apart.
        (&[1000e3, 1001e3], &[1001e3, 1101e3], "inconclusive"),
        // One side is constant.
        (&[1000e3, 1000e3], &[1100e3, 1101e3], few),
        // What would only warn is not held back by too few repeats.
        (&[1000e3, 1000e3], &[1005e3, 1006e3], "regressed warn"),
        // Five repeats may fail; four of one side may not.
        (
            &[1000e3, 1001e3, 1000e3, 1000e3, 1000e3],
            &[1100e3; 5],
            "regressed fail",
        ),
        (&[1000e3, 1001e3, 1000e3, 1000e3, 1000e3], &[1100e3; 4], few),
        // Of what was zero once no share is known, and the values themselves say how far they stray.
        (&[0.0, 100.0], &[340.0, 341.0], "inconclusive"),
        (&[0.0, 100.0], &[401.0, 402.0], few),
        (&[0.0, 1.0, 0.0, 1.0, 0.0], &[1e5; 5], "regressed fail"),
        (&[401.0, 402.0], &[0.0, 100.0], "improved"),
        (&[0.0, 100.0], &[0.0, 100.0], "unchanged"),
    ] {
        let (judged, few) = match expected.strip_suffix(" too-few-repeats") {
            Some(judged) => (judged, " too-few-repeats"),
            None => (expected, ""),
        };
        let expected = format!("{judged} not-deterministic{few}");
        check("instructions", base, head, &expected);
    }
    // What never fails is not held back.
    check(
        "estimated_cycles",
        &[1000e3, 1001e3],
        &[1100e3, 1101e3],
        "regressed warn not-deterministic",
    );
}

#[test]
fn the_fewer_repeats_are_said() {
    let said = |base: &[f64], head: &[f64]| {
        let report = judged(
            &run([measurement("get", &[("instructions", base)])]),
            &run([measurement("get", &[("instructions", head)])]),
        );
        report.findings[0].caveats.last().unwrap().text()
    };
    assert_eq!(
        said(&[1000.0, 1001.0, 1000.0], &[1100.0; 5]),
        "the count varies and was taken only 3 times, so a change warns and does not fail"
    );
    assert_eq!(
        said(&[1000.0], &[1100.0, 1100.0, 1100.0, 1101.0, 1100.0]),
        "the count varies and was taken only once, so a change warns and does not fail"
    );
}

#[test]
fn the_spread_is_said_and_is_a_number() {
    let spread = |base: &[f64], head: &[f64]| {
        let report = judged(
            &run([measurement("get", &[("instructions", base)])]),
            &run([measurement("get", &[("instructions", head)])]),
        );
        match report.findings[0].caveats[..] {
            [tripline_model::Caveat::NotDeterministic { spread }, ..] => spread,
            ref other => panic!("{other:?}"),
        }
    };
    assert_eq!(spread(&[100.0, 110.0], &[100.0, 105.0]), 0.1);
    assert_eq!(spread(&[100.0, 100.0], &[100.0, 105.0]), 0.05);
    assert_eq!(spread(&[0.0, 8.0], &[100.0, 105.0]), 1.0);
}

#[test]
fn times_against_a_kept_run_never_gate() {
    let single = "inconclusive single-sample baseline-only";
    for (metric, base, head, expected) in [
        (
            "wall_time",
            &[100.0, 100.0][..],
            &[124.0, 124.0][..],
            "unchanged",
        ),
        (
            "wall_time",
            &[100.0, 100.0],
            &[126.0, 126.0],
            "inconclusive baseline-only",
        ),
        (
            "wall_time",
            &[126.0, 126.0],
            &[100.0, 100.0],
            "inconclusive baseline-only",
        ),
        (
            "wall_time",
            &[100.0, 100.0],
            &[9e9, 9e9],
            "inconclusive baseline-only",
        ),
        (
            "wall_time",
            &[100.0],
            &[100.0, 100.0],
            "unchanged single-sample",
        ),
        ("wall_time", &[100.0], &[300.0], single),
        // The median is compared, so one bad value changes nothing.
        (
            "wall_time",
            &[100.0, 100.0, 100.0],
            &[100.0, 9e9, 100.0],
            "unchanged",
        ),
        (
            "throughput",
            &[100.0, 100.0],
            &[10.0, 10.0],
            "inconclusive baseline-only",
        ),
        ("mood", &[100.0, 100.0], &[10.0, 10.0], "unchanged"),
        ("mean_time", &[100.0], &[124.0], "unchanged"),
        (
            "mean_time",
            &[100.0],
            &[300.0],
            "inconclusive baseline-only",
        ),
        ("wall_time", &[0.0, 0.0], &[0.0, 0.0], "unchanged"),
        (
            "wall_time",
            &[0.0, 0.0],
            &[1.0, 1.0],
            "inconclusive baseline-only",
        ),
    ] {
        check(metric, base, head, expected);
    }
}

#[test]
fn the_change_of_constants_has_no_doubt() {
    let exactly = |ratio| {
        Some(Change {
            ratio,
            low: ratio,
            high: ratio,
        })
    };
    assert_eq!(change("instructions", &[200.0], &[250.0]), exactly(1.25));
    assert_eq!(change("instructions", &[200.0; 3], &[50.0]), exactly(0.25));
    assert_eq!(change("instructions", &[0.0], &[0.0]), exactly(1.0));
    assert_eq!(change("instructions", &[5.0], &[0.0]), exactly(0.0));
    assert_eq!(change("instructions", &[0.0], &[5.0]), None);
}

#[test]
fn the_change_of_the_others_has_the_widest_interval() {
    let change = change("instructions", &[100.0, 200.0], &[300.0, 400.0]).unwrap();
    assert_eq!((change.low, change.high), (1.5, 4.0));
    assert_eq!(change.ratio, 350.0 / 150.0);
}

/// The hole other services have: a history without any variance, which switches their tests off.
#[test]
fn a_constant_count_that_jumps_is_reported() {
    for hundredth_percent in 10..=100_u32 {
        let base = 123_456_700_000.0;
        let head = base + base / 10_000.0 * f64::from(hundredth_percent);
        let report = judged(
            &run([measurement("get", &[("instructions", &[base; 64])])]),
            &run([measurement("get", &[("instructions", &[head])])]),
        );
        assert!(
            said(&report.findings[0]).starts_with("regressed"),
            "{hundredth_percent}"
        );
        let expected = match hundredth_percent {
            0..20 => Gate::Pass,
            20..100 => Gate::Warn,
            _ => Gate::Fail,
        };
        assert_eq!(report.gate(), expected, "{hundredth_percent}");
    }
}
