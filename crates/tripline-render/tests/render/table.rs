//! What a run measured, laid out by params: every value once, and no table where something is not there.

use tripline_model::{Better, Metric, MetricName, ParamKey, Reading, Run};
use tripline_render::{Layout, table};

use crate::canonical::HOSTILE;
use crate::export::{Measured, metric, reading, run};
use crate::inert::{assert_inert, markdown};

fn layout(rows: &[&str], cols: &str, metric: Option<&str>) -> Layout {
    Layout {
        rows: rows.iter().map(|key| ParamKey::new(key).unwrap()).collect(),
        cols: ParamKey::new(cols).unwrap(),
        metric: metric.map(|name| MetricName::new(name).unwrap()),
    }
}

/// Returns a matrix of bytes by pair, one cell of which is missing; the same with another way; and two that do not belong.
fn matrix() -> Run {
    let time = |values: &[f64]| vec![reading(Metric::known("wall_time").unwrap(), values)];
    let both = |values: &[f64]| {
        let mut both = time(values);
        both.push(reading(metric("throughput", Better::Higher), &[7.5, 8.0]));
        both
    };
    let measured: &[Measured<'_>] = &[
        (
            "move",
            &[("bytes", "1024"), ("pair", "a-b"), ("way", "up")],
            both(&[90.0, 100.0, 103.0]),
        ),
        (
            "move",
            &[("bytes", "64"), ("pair", "a-a"), ("way", "up")],
            time(&[5e6]),
        ),
        (
            "move",
            &[("bytes", "64"), ("pair", "a-b"), ("way", "up")],
            time(&[7e6]),
        ),
        (
            "move",
            &[("bytes", "64"), ("pair", "a-b"), ("way", "down")],
            time(&[8e6]),
        ),
        ("other", &[("bytes", "64")], time(&[1.0])),
        ("third", &[("count", "1")], time(&[1.0])),
    ];
    run("p2p", measured)
}

fn failed(rows: &[&str], cols: &str, metric: Option<&str>) -> String {
    let failed = table(&matrix(), &layout(rows, cols, metric));
    failed.expect_err("it is not there").to_string()
}

#[test]
fn what_else_differs_has_a_table_of_its_own() {
    let text = table(&matrix(), &layout(&["bytes"], "pair", None)).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn several_params_go_down_and_one_metric_is_enough() {
    let text = table(
        &matrix(),
        &layout(&["way", "bytes"], "pair", Some("wall_time")),
    )
    .unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn no_value_is_lost_nor_shown_twice() {
    let measured = matrix();
    let values = |cols| {
        let text = table(&measured, &layout(&["bytes"], cols, None)).unwrap();
        text.matches(" ns").count() + text.matches(" ms").count() + text.matches("furlong").count()
    };
    assert_eq!((values("pair"), values("way")), (5, 5));
}

#[test]
fn what_is_not_there_is_named_beside_what_is() {
    insta::assert_snapshot!(failed(&["bites"], "pair", None), @"no benchmark of the run has a param `bites`; there are `bytes`, `count`, `pair`, `way`");
    insta::assert_snapshot!(failed(&["bytes"], "count", None), @"no benchmark of the run has `bytes`, `count` together");
    insta::assert_snapshot!(failed(&["bytes", "pair"], "bytes", None), @"`bytes` is named twice, and a param goes one way");
    insta::assert_snapshot!(failed(&["bytes"], "pair", Some("instructions")), @"the benchmarks with these params have no metric `instructions`; they have `throughput`, `wall_time`");
    let nothing = table(&run("p2p", &[]), &layout(&["bytes"], "pair", None));
    insta::assert_snapshot!(nothing.unwrap_err(), @"no benchmark of the run has a param `bytes`; there are none");
}

#[test]
fn hostile_names_stay_names() {
    for hostile in HOSTILE {
        let value = |values: &[f64]| -> Vec<Reading> {
            vec![reading(metric("throughput", Better::Higher), values)]
        };
        let params: &[(&str, &str)] = &[("rows", hostile), ("cols", hostile), ("more", hostile)];
        let run = run("p2p", &[(hostile, params, value(&[1.0]))]);
        let text = table(&run, &layout(&["rows"], "cols", None)).unwrap();
        assert_inert("comment", &text);
        assert_eq!(markdown(&text).rows, [2, 2], "{text}");
    }
}
