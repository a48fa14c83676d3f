//! Reference values of the statistics, as SciPy, statsmodels, NumPy and ruptures gave them.
//!
//! The fixture is one file for two groups of tests: what describes one comparison is tested here, what finds change
//! points in a history is tested with the change points. The first test fails when the file gains a part that neither
//! list names.

use std::collections::BTreeSet;

use serde_json::Value;
use tripline_judge::stats::{
    Moments, bound, fence, median, multiplicity, noise, rank_sum, ratio, sequence, sign_process,
    signed_rank, spending, student, student_quantile,
};

/// How far a value may be from its reference, unless the file says otherwise.
const TOLERANCE: f64 = 1e-9;

/// What describes the file itself.
const ABOUT: &[&str] = &["made_with", "note"];

/// What is tested here.
const HERE: &[&str] = &[
    "asymptotic_confidence_sequence",
    "e_bh",
    "e_needed_for_one_rejection_by_e_bh",
    "lan_demets",
    "mann_whitney",
    "mann_whitney_min_p_two_sided",
    "mann_whitney_ties",
    "moderated_variance",
    "multiplicity",
    "otava_style_t",
    "paired_t",
    "prediction_bound",
    "ratio",
    "ratio_paired",
    "rustc_perf_threshold",
    "sign_e_process",
    "signed_rank",
    "signed_rank_null_cdf_n10_first12_times_1024",
    "welch_t",
];

/// What is tested with the change points.
const WITH_CHANGE_POINTS: &[&str] = &[
    "normal_score_cusum",
    "normal_scores_blom",
    "pelt_l2",
    "tcpd_metrics",
    "threshold_b",
];

/// Returns the fixture.
fn vectors() -> Value {
    serde_json::from_str(include_str!("../fixtures/stats_vectors.json")).unwrap()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn count(value: &Value) -> u32 {
    value.as_u64().unwrap().try_into().unwrap()
}

fn assert_within(value: f64, expected: &Value, tolerance: f64) {
    let expected = number(expected);
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} is not {expected}"
    );
}

fn assert_is(value: f64, expected: &Value) {
    assert_within(value, expected, TOLERANCE);
}

fn assert_all(values: &[f64], expected: &Value) {
    let expected = expected.as_array().unwrap();
    assert_eq!(values.len(), expected.len());
    for (value, expected) in values.iter().zip(expected) {
        assert_is(*value, expected);
    }
}

#[test]
fn every_part_of_the_file_is_tested_by_somebody() {
    let vectors = vectors();
    let parts: BTreeSet<&str> = vectors
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let lists = [ABOUT, HERE, WITH_CHANGE_POINTS].concat();
    let listed: BTreeSet<&str> = lists.iter().copied().collect();
    assert_eq!(listed, parts);
    assert_eq!(listed.len(), lists.len(), "a part stands in two lists");
}

#[test]
fn signed_ranks() {
    let vector = &vectors()["signed_rank"];
    let differences = numbers(&vector["d"]);
    let above = signed_rank::statistic(&differences);
    let all = (differences.len() * (differences.len() + 1) / 2) as f64;
    assert_is(above, &vector["W_plus"]);
    assert_is(above.min(all - above), &vector["W_min"]);
    let two_sided = signed_rank::p_two_sided(&differences).unwrap();
    assert_is(two_sided, &vector["p_two_sided_exact"]);
    let by_normal = signed_rank::p_two_sided_normal(&differences).unwrap();
    assert_is(by_normal, &vector["p_two_sided_normal_cc"]);
    let greater = signed_rank::p_greater(&differences).unwrap();
    assert_is(greater, &vector["p_greater_exact"]);
    let middle = signed_rank::hodges_lehmann(&differences).unwrap();
    assert_is(middle, &vector["hodges_lehmann"]);
}

#[test]
fn intervals_of_signed_ranks() {
    let vector = &vectors()["signed_rank"];
    let differences = numbers(&vector["d"]);
    let listed = vector["ci"].as_array().unwrap();
    assert_eq!(listed.len(), 3);
    for expected in listed.iter().chain([&vector["ci99"]]) {
        let confidence = number(&expected["conf"]);
        let interval = signed_rank::interval(&differences, confidence).unwrap();
        assert_is(interval.low, &expected["lo"]);
        assert_is(interval.high, &expected["hi"]);
        assert_is(interval.confidence, &expected["actual_conf"]);
        let dropped = signed_rank::dropped(differences.len(), confidence).unwrap();
        assert_is(dropped as f64, &expected["k_dropped_each_end"]);
    }
    let least = &vector["min_n_for_finite_ci"];
    for (name, confidence) in [("90%", 0.9), ("95%", 0.95), ("99%", 0.99)] {
        let is_finite = |count: &usize| signed_rank::dropped(*count, confidence).is_some();
        let found = (0..20).find(is_finite).unwrap();
        assert_is(found as f64, &least[name]);
    }
    assert_eq!(least.as_object().unwrap().len(), 3);
}

#[test]
fn chances_of_signed_ranks() {
    let expected = numbers(&vectors()["signed_rank_null_cdf_n10_first12_times_1024"]);
    let cumulative = signed_rank::null_cumulative(10);
    let times = cumulative[..12].iter().map(|chance| chance * 1024.0);
    assert_eq!(times.collect::<Vec<f64>>(), expected);
    assert_eq!(cumulative.last(), Some(&1.0));
}

#[test]
fn rank_sums() {
    let vector = &vectors()["mann_whitney"];
    let (a, b) = (numbers(&vector["a"]), numbers(&vector["b"]));
    assert_is(rank_sum::statistic(&a, &b), &vector["U_a"]);
    assert_is(rank_sum::p_two_sided(&a, &b).unwrap(), &vector["p_exact"]);
    let by_normal = rank_sum::p_two_sided_normal(&a, &b).unwrap();
    assert_is(by_normal, &vector["p_normal_cc"]);
    let shift = rank_sum::hodges_lehmann(&a, &b).unwrap();
    assert_is(shift, &vector["hl_shift_b_minus_a"]);
    let dropped = rank_sum::dropped(a.len(), b.len(), 0.95).unwrap();
    assert_is(dropped as f64, &vector["ci95_k_dropped"]);
    let interval = rank_sum::interval(&a, &b, 0.95).unwrap();
    assert_all(&[interval.low, interval.high], &vector["ci95"]);
}

#[test]
fn rank_sums_with_ties_and_of_few_values() {
    let vector = &vectors()["mann_whitney_ties"];
    let (a, b) = (numbers(&vector["a"]), numbers(&vector["b"]));
    assert_is(rank_sum::statistic(&a, &b), &vector["U_a"]);
    assert_eq!(rank_sum::p_two_sided_exact(&a, &b), None);
    let p = rank_sum::p_two_sided(&a, &b).unwrap();
    assert_is(p, &vector["p_normal_cc_tie_corrected"]);
    let least = &vectors()["mann_whitney_min_p_two_sided"];
    for (size, expected) in least.as_object().unwrap() {
        let size: u8 = size.parse().unwrap();
        assert_is(rank_sum::p_minimal(size.into(), size.into()), expected);
        let apart = |from: u8| (from..from + size).map(f64::from).collect::<Vec<_>>();
        let p = rank_sum::p_two_sided(&apart(0), &apart(100)).unwrap();
        assert_is(p, expected);
    }
    assert_eq!(least.as_object().unwrap().len(), 8);
}

#[test]
fn students_tests() {
    let vectors = vectors();
    let vector = &vectors["welch_t"];
    let (a, b) = (numbers(&vector["a"]), numbers(&vector["b"]));
    let welch = student::welch(&a, &b, 0.95).unwrap();
    assert_is(welch.t, &vector["t_b_minus_a"]);
    assert_is(welch.degrees, &vector["df"]);
    assert_is(welch.p, &vector["p"]);
    assert_all(&[welch.low, welch.high], &vector["ci95"]);

    let pooled = student::pooled(&a, &b, 0.95).unwrap();
    assert_is(pooled.p, &vectors["otava_style_t"]["p_ddof1"]);
    let [all_a, all_b] = [&a, &b].map(|values| Moments::of_population(values).unwrap());
    let narrow = student::pooled_of_moments(all_a, all_b, 0.95).unwrap();
    assert_is(narrow.p, &vectors["otava_style_t"]["p_ddof0"]);

    let vector = &vectors["paired_t"];
    let paired = student::paired(&numbers(&vector["d"]), 0.95).unwrap();
    assert_is(paired.t, &vector["t"]);
    assert_is(paired.p, &vector["p"]);
    assert_all(&[paired.low, paired.high], &vector["ci95"]);
}

#[test]
fn many_questions() {
    let vector = &vectors()["multiplicity"];
    let p = numbers(&vector["p"]);
    let hochberg = multiplicity::benjamini_hochberg(&p);
    let holm = multiplicity::holm(&p);
    assert_all(&hochberg, &vector["bh"]);
    assert_all(&multiplicity::benjamini_yekutieli(&p), &vector["by"]);
    assert_all(&holm, &vector["holm"]);
    let rejected = |adjusted: &[f64]| adjusted.iter().filter(|p| **p <= 0.05).count() as f64;
    assert_is(rejected(&hochberg), &vector["bh_rejects_at_0.05"]);
    assert_is(rejected(&holm), &vector["holm_rejects_at_0.05"]);
}

#[test]
fn many_e_values() {
    let vectors = vectors();
    let vector = &vectors["e_bh"];
    let logs: Vec<f64> = numbers(&vector["e"]).into_iter().map(f64::ln).collect();
    let rejected = multiplicity::e_bh(&logs, number(&vector["alpha"]));
    let count_rejected = rejected.iter().filter(|is| **is).count();
    assert_is(count_rejected as f64, &vector["rejected"]);
    assert!(rejected[..count_rejected].iter().all(|is| *is));

    let vector = &vectors["e_needed_for_one_rejection_by_e_bh"];
    assert_eq!(count(&vector["k"]), 1);
    let alpha = number(&vector["alpha"]);
    let table = vector["table"].as_array().unwrap();
    assert_eq!(table.len(), 3);
    for row in table {
        let (many, needed) = (number(&row["m"]), number(&row["E"]));
        assert_is(many / alpha, &row["E"]);
        let wins = sign_process::wins_needed(alpha / many);
        assert_is(f64::from(wins), &row["straight_wins"]);
        let rejects_alone = |e: f64| {
            let mut logs = vec![-1.0; count(&row["m"]) as usize];
            logs[7] = e.ln();
            multiplicity::e_bh(&logs, alpha)[7]
        };
        assert!(rejects_alone(needed * 1.000_001) && !rejects_alone(needed * 0.999_999));
    }
}

#[test]
fn signs() {
    let vector = &vectors()["sign_e_process"];
    let rows = vector["values"].as_array().unwrap();
    assert_eq!(rows.len(), 13);
    for row in rows {
        let e = sign_process::ln_e(count(&row["s"]), count(&row["f"])).exp();
        assert_is(e, &row["E"]);
    }
    let needed = vector["first_n_all_wins"].as_object().unwrap();
    assert_eq!(needed.len(), 3);
    for (name, wins) in needed {
        let level = name.strip_prefix("alpha ").unwrap().parse().unwrap();
        assert_eq!(sign_process::wins_needed(level), count(wins));
    }
}

#[test]
fn sequences_and_spending() {
    let vectors = vectors();
    let rows = vectors["asymptotic_confidence_sequence"]["values"]
        .as_array()
        .unwrap();
    assert_eq!(rows.len(), 8);
    for row in rows {
        let [deviation, alpha, r2] = ["sd", "alpha", "r2"].map(|name| number(&row[name]));
        let radius = sequence::radius(count(&row["n"]), deviation, alpha, r2);
        assert_is(radius, &row["radius"]);
    }
    let vector = &vectors["lan_demets"];
    let alpha = number(&vector["alpha"]);
    let shares = numbers(&vector["t"]);
    let spent = |spending: fn(f64, f64) -> f64| -> Vec<f64> {
        shares.iter().map(|share| spending(alpha, *share)).collect()
    };
    assert_all(&spent(spending::obrien_fleming), &vector["obf"]);
    assert_all(&spent(spending::pocock), &vector["pocock"]);
}

#[test]
fn ratios() {
    let vector = &vectors()["ratio"];
    let threads = number(&vector["N"]);
    let above = numbers(&vector["TN"]);
    let below = numbers(&vector["T1"])
        .into_iter()
        .map(|time| threads * time);
    let below: Vec<f64> = below.collect();
    let delta = ratio::delta(&above, &below, 0.95).unwrap();
    assert_is(delta.ratio, &vector["R"]);
    assert_all(&[delta.low, delta.high], &vector["delta_log"]["ci95"]);
    // What the interval is made of: its reach is t standard errors, and t follows from the degrees.
    let expected = &vector["delta_log"];
    let t = student_quantile(0.975, number(&expected["df_satterthwaite"]));
    assert_is(t, &expected["t"]);
    let reach = (delta.high / delta.ratio).ln();
    assert_is(reach / t, &expected["se_log"]);

    let fieller = ratio::fieller(&above, &below, 0.95).unwrap();
    assert_is(ratio::g(&above, &below, 0.95), &vector["fieller"]["g"]);
    assert_all(&[fieller.low, fieller.high], &vector["fieller"]["ci95"]);
    assert_is(fieller.ratio, &vector["R"]);
    assert_eq!(ratio::unpaired(&above, &below, 0.95), Ok(delta));
}

#[test]
fn paired_ratios() {
    let vector = &vectors()["ratio_paired"];
    let logs = numbers(&vector["log_ratios"]);
    let paired = ratio::paired(&logs, 0.95).unwrap();
    assert_is(paired.ratio.ln(), &vector["mean"]);
    assert_all(&[paired.low, paired.high], &vector["ci95_ratio"]);
    let by_ranks = ratio::paired_by_ranks(&logs, 0.95).unwrap();
    assert_is(by_ranks.ratio, &vector["hl_ratio"]);
}

#[test]
fn the_fence_of_the_rust_project() {
    let vector = &vectors()["rustc_perf_threshold"];
    let history = numbers(&vector["history"]);
    let (lower, upper) = fence::quartiles(&fence::changes(&history)).unwrap();
    assert_is(lower, &vector["q1"]);
    assert_is(upper, &vector["q3"]);
    assert_is(fence::threshold(&history), &vector["threshold"]);
    assert_eq!(fence::threshold(&history[1..]), 0.002);
}

#[test]
fn the_bound_of_a_single_value() {
    let vector = &vectors()["prediction_bound"];
    let logs = numbers(&vector["history"]).into_iter().map(f64::ln);
    let logs: Vec<f64> = logs.collect();
    assert_is(median(&logs).unwrap(), &vector["log_median"]);
    let sigma = noise::sigma_by_median(&logs);
    assert_is(sigma, &vector["sigma_mad"]);
    let alpha = number(&vector["alpha"]);
    let t = student_quantile(1.0 - alpha, logs.len() as f64 - 1.0);
    assert_is(t, &vector["t"]);
    let upper = bound::upper(&logs, sigma, alpha, 0.0).unwrap();
    assert_is(upper, &vector["upper_log"]);
}

#[test]
fn variances_of_a_suite() {
    let vector = &vectors()["moderated_variance"];
    let variances = numbers(&vector["s2"]);
    let degrees = vec![number(&vector["df_each"]); variances.len()];
    let moderated = noise::moderated(&variances, &degrees);
    assert_is(moderated.prior_degrees, &vector["d0"]);
    assert_is(moderated.prior_variance, &vector["s0_sq"]);
    let tolerance = number(&vector["tolerance_posterior"]);
    let expected = vector["posterior"].as_array().unwrap();
    assert_eq!(moderated.posterior.len(), expected.len());
    for (value, expected) in moderated.posterior.iter().zip(expected) {
        assert_within(*value, expected, tolerance);
    }
}
