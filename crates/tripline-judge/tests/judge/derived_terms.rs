//! Derived metrics: what their terms computed, and say against themselves.

use tripline_judge::{Policy, judge};
use tripline_model::{Caveat, Digest, Measurement, Reading, Run, Sample};

use crate::build::{answered, bench, doubted, measurement, reading, run};
use crate::table::{derived, deriving, finding, found, id, lines, one};

#[test]
fn doubts_and_answers_of_the_terms_are_those_of_the_value() {
    let policy = deriving("a:instructions / b:instructions", "ratio");
    let tiny = Caveat::TinyCount { count: 11.0 };
    let plain = |count: f64| one("b", "instructions", &[count]);
    let base = run([doubted("a", 11.0, std::slice::from_ref(&tiny)), plain(10.0)]);
    let head = run([doubted("a", 22.0, std::slice::from_ref(&tiny)), plain(10.0)]);
    assert_eq!(
        found(Some(&base), &head, &policy, "it"),
        ["it 2.2: inconclusive warn tiny-count"]
    );
    let with = |a: &str, b: &str| run([answered("a", 10.0, a), answered("b", 5.0, b)]);
    let said = |base: &Run, head: &Run| found(Some(base), head, &policy, "it").join("");
    assert_eq!(
        said(&with("aa", "aa"), &with("aa", "aa")),
        "it 2: unchanged"
    );
    assert_eq!(
        said(&with("aa", "bb"), &with("aa", "bb")),
        "it 2: unchanged"
    );
    assert!(said(&with("aa", "bb"), &with("aa", "cc")).contains("answer-differs"));
    assert!(
        said(
            &with("aa", "bb"),
            &run([answered("a", 10.0, "aa"), plain(5.0)])
        )
        .contains("answer-missing")
    );
}

/// A measurement of one count that has an answer, as text says it.
fn stating(bench: &str, count: f64, answer: &str) -> Measurement {
    let measured = one(bench, "instructions", &[count]);
    let answer = Some(Digest::new(answer).unwrap());
    let readings: Vec<_> = measured.readings().cloned().collect();
    Measurement::new(measured.bench().clone(), readings, answer, Vec::new()).unwrap()
}

#[test]
fn what_the_terms_say_is_said_of_nothing_else() {
    // What is doubted of a term is said of the value, and not of what was measured under the value's name.
    let policy = deriving("get:instructions{n=4} / get:instructions{n=1}", "ratio");
    let with = |count: f64| {
        let threads = [Caveat::ThreadsNotCounted { threads: 4 }];
        let term = doubted("get", 4000.0, &threads);
        let readings = term.readings().cloned().collect::<Vec<_>>();
        let id = id("get{n=4}");
        let term = Measurement::new(id, readings, None, threads.to_vec());
        let plain = |bench, count| one(bench, "instructions", &[count]);
        run([
            plain("get", count),
            plain("get{n=1}", 1000.0),
            term.unwrap(),
        ])
    };
    let report = judge(Some(&with(1000.0)), &with(2000.0), &policy).unwrap();
    assert_eq!(
        lines(&report, "instructions")[0],
        "get 2000: regressed fail"
    );
    assert_eq!(
        lines(&report, "it"),
        ["get 4: unchanged threads-not-counted"]
    );
    // Each value goes by the answers of its own terms.
    let of = |n: u32| {
        derived(
            &format!("by{n}"),
            &format!("s:instructions{{n={n}}} / s:instructions{{n=1}}"),
            "ratio",
        )
    };
    let policy = Policy::standard().with_derived(vec![of(4), of(8)], Vec::new());
    let with = |four: &str, eight: &str| {
        run([
            stating("s{n=1}", 10.0, "aa"),
            stating("s{n=4}", 20.0, four),
            stating("s{n=8}", 40.0, eight),
        ])
    };
    let report = judge(Some(&with("bb", "cc")), &with("bb", "dd"), &policy).unwrap();
    assert_eq!(lines(&report, "by4"), ["s 2: unchanged"]);
    assert_eq!(
        lines(&report, "by8"),
        ["s 4: inconclusive warn answer-differs"]
    );
    let report = judge(Some(&with("bb", "cc")), &with("dd", "cc"), &policy).unwrap();
    assert_eq!(
        lines(&report, "by4"),
        ["s 2: inconclusive warn answer-differs"]
    );
    assert_eq!(lines(&report, "by8"), ["s 4: unchanged"]);
}

#[test]
fn a_term_that_states_nothing_hides_no_other_answer() {
    let policy = deriving("a:instructions / b:instructions", "ratio");
    let plain = |bench| one(bench, "instructions", &[5.0]);
    let with = |count: f64, answer: &str| run([answered("a", count, answer), plain("b")]);
    let it = |base: &Run, head: &Run| found(Some(base), head, &policy, "it").join("");
    assert_eq!(
        it(&with(10.0, "aa"), &with(20.0, "aa")),
        "it 4: regressed fail"
    );
    let changed = it(&with(10.0, "aa"), &with(20.0, "bb"));
    assert_eq!(changed, "it 4: inconclusive warn answer-differs");
    // One that begins to state something proves nothing.
    let both = run([answered("a", 10.0, "aa"), answered("b", 5.0, "cc")]);
    assert_eq!(it(&with(10.0, "aa"), &both), "it 2: unchanged");
}

/// The base may be older than a definition, and have measured under its name.
#[test]
fn what_one_side_measured_and_the_other_derives_is_of_both_answers() {
    let policy = deriving("s:instructions{n=4} / s:instructions{n=1}", "ratio");
    let head = |answer: &str| {
        run([
            stating("s{n=1}", 10.0, answer),
            stating("s{n=4}", 40.0, answer),
        ])
    };
    let derived = judge(None, &head("aa"), &policy).unwrap();
    let value = finding(&derived, "it");
    let reading = Reading {
        metric: value.metric.clone(),
        sample: Sample::new([2.0]).unwrap(),
    };
    let answer = Some(Digest::new("ee").unwrap());
    let measured = Measurement::new(value.bench.clone(), [reading], answer, Vec::new());
    let base = run([measured.unwrap()]);
    let report = judge(Some(&base), &head("aa"), &policy).unwrap();
    let said = lines(&report, "it");
    assert!(!said[0].contains("regressed"), "{said:?}");
}

#[test]
fn what_the_base_has_without_a_value_is_not_new() {
    let policy = deriving("a:instructions / b:instructions", "ratio");
    let with = |b: f64| {
        run([
            one("a", "instructions", &[10.0]),
            one("b", "instructions", &[b]),
        ])
    };
    assert_eq!(
        found(Some(&with(0.0)), &with(5.0), &policy, "it"),
        ["it 2: inconclusive warn no-number"]
    );
}

/// That it has no bounds is one reason more, and takes back nothing that was to be said of what it is computed from.
#[test]
fn what_has_no_bounds_says_all_the_same_that_its_terms_did_other_work() {
    let policy = deriving("a:wall_time / b:wall_time", "ratio");
    let of = |answer: &str| {
        let readings = [reading("wall_time", &[0.0, 0.0, 90.0])];
        let answer = Some(Digest::new(answer).unwrap());
        let b = Measurement::new(bench("b"), readings, answer, Vec::new()).unwrap();
        run([measurement("a", &[("wall_time", &[10.0, 11.0, 12.0])]), b])
    };
    let said = found(Some(&of("aa")), &of("bb"), &policy, "it").join("");
    assert_eq!(
        said,
        "it 0.36666666666666664: inconclusive warn answer-differs unbounded-ratio"
    );
}
