//! Derived metrics whose terms were taken in rounds: a value for each, and what happens where a round gives none.

use tripline_judge::{Limits, judge};
use tripline_model::{Gate, Nature, SessionId, Verdict};

use crate::build::run;
use crate::table::{deriving, finding, found, id, in_rounds, lines, one, row};

#[test]
fn rounds_give_a_value_each_and_are_judged_in_pairs() {
    let policy = deriving("wall_time{n=4} / wall_time{n=1}", "ratio");
    let noise = |round: usize| 1.0 + 0.2 * ((round * 7 % 11) as f64 / 11.0);
    let side = |ratio: f64| {
        let ones: Vec<f64> = (0..30).map(|round| 100.0 * noise(round)).collect();
        let fours: Vec<f64> = ones.iter().map(|one| one * ratio).collect();
        let mut side = run([
            in_rounds("get{n=1}", "wall_time", &ones),
            in_rounds("get{n=4}", "wall_time", &fours),
        ]);
        side.session = Some(SessionId::new("s").unwrap());
        side
    };
    let report = judge(Some(&side(2.0)), &side(2.4), &policy).unwrap();
    let finding = finding(&report, "it");
    assert_eq!(finding.evidence.method, tripline_model::Method::Paired);
    assert_eq!(finding.evidence.head.unwrap().count, 30);
    assert_eq!(finding.metric.nature, Nature::Sampled);
    assert_eq!(
        (finding.bench.clone(), finding.verdict),
        (id("get"), Verdict::Regressed)
    );
    let same = judge(Some(&side(2.0)), &side(2.0), &policy).unwrap();
    assert_eq!(lines(&same, "it"), ["get 2: unchanged"]);
}

#[test]
fn rounds_that_not_all_terms_have_are_left_out() {
    let head = run([
        in_rounds("a", "wall_time", &[10.0, 20.0, 30.0]),
        in_rounds("b", "wall_time", &[10.0, 10.0]),
        one("c", "instructions", &[5.0]),
    ]);
    // A count that does not vary is the same in every round.
    let policy = deriving("c:instructions * a:wall_time / b:wall_time", "ratio");
    let report = judge(None, &head, &policy).unwrap();
    let it = finding(&report, "it");
    let summary = it.evidence.head.unwrap();
    assert_eq!((summary.low, summary.high, summary.count), (5.0, 10.0, 2));
}

#[test]
fn a_round_that_gives_no_number_takes_no_limit_away() {
    let of = |odd: f64| {
        let mut below = [2.0, 3.0].repeat(10);
        below[7] = odd;
        run([
            in_rounds("a", "wall_time", &[20.0; 20]),
            in_rounds("b", "wall_time", &below),
        ])
    };
    let limits = Limits {
        max: Some(4.0),
        ..Limits::default()
    };
    for (expression, unit) in [
        ("a:wall_time - b:wall_time", "ns"),
        ("a:wall_time / b:wall_time", "ratio"),
    ] {
        let policy = deriving(expression, unit).with_layers([row("it", limits)]);
        for odd in [2.0, 0.0, 21.0] {
            let report = judge(None, &of(odd), &policy).unwrap();
            assert_eq!(report.gate(), Gate::Fail, "{expression} {odd}");
        }
    }
}

#[test]
fn a_round_that_gives_no_number_is_no_reason_to_pass_without_a_word() {
    let side = |below: f64| {
        let mut run = run([
            in_rounds("a", "wall_time", &[20.0, 20.0]),
            in_rounds("b", "wall_time", &[90.0, below]),
        ]);
        run.session = Some(SessionId::new("a").unwrap());
        run
    };
    let policy = deriving("a:wall_time / b:wall_time", "ratio");
    let said = found(Some(&side(1.0)), &side(0.0), &policy, "it");
    assert_eq!(
        said,
        ["it 0.4444444444444444: inconclusive warn too-few-pairs unbounded-ratio"]
    );
}
