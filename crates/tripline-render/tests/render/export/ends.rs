//! What a harness says beside the number that stands for its values: where these lay, told with the number.

use super::*;

/// What a harness gives of times: the number that stands for them, and parts of its summary.
fn summed_up(time: f64, parts: &[(&str, f64)]) -> Vec<Reading> {
    let time_metric = Metric {
        nature: Nature::Summarized,
        ..Metric::known("wall_time").unwrap()
    };
    let part = |(part, value): &(&str, f64)| {
        let metric = Metric {
            name: MetricName::new(format!("wall_time_{part}")).unwrap(),
            better: Better::Neither,
            ..time_metric.clone()
        };
        reading(metric, &[*value])
    };
    let parts: Vec<Reading> = parts.iter().map(part).collect();
    [vec![reading(time_metric, &[time])], parts].concat()
}

fn measures(readings: Vec<Reading>) -> Value {
    let all = exported("bmf", &[run("store", &[("get", &[], readings)])]);
    all["store/get"].clone()
}

#[test]
fn ends_are_told_with_their_value_and_not_beside_it() {
    let cases = [
        // As libtest says it, and as Bencher's own adapter reads that.
        (
            summed_up(1234.5, &[("deviation", 12.25)]),
            serde_json::json!({ "value": 1234.5, "lower_value": 1222.25, "upper_value": 1246.75 }),
            Some("± 12.25"),
        ),
        (
            summed_up(5.0, &[("range", 7.5)]),
            serde_json::json!({ "value": 5.0, "lower_value": -2.5, "upper_value": 12.5 }),
            Some("± 7.5"),
        ),
        // As Criterion says it.
        (
            summed_up(248.5, &[("lower", 245.5), ("upper", 252.25)]),
            serde_json::json!({ "value": 248.5, "lower_value": 245.5, "upper_value": 252.25 }),
            Some("± 3.75"),
        ),
        (
            summed_up(4.0, &[("upper", 6.0)]),
            serde_json::json!({ "value": 4.0, "upper_value": 6.0 }),
            Some("± 2"),
        ),
        (
            summed_up(4.0, &[]),
            serde_json::json!({ "value": 4.0 }),
            None,
        ),
    ];
    for (readings, value, range) in cases {
        assert_eq!(
            measures(readings.clone()),
            serde_json::json!({ "latency": value })
        );
        let runs = [run("store", &[("get", &[], readings)])];
        let list = exported("custom-smaller-is-better", &runs);
        assert_eq!(list[0].get("range").and_then(Value::as_str), range);
        let form = exporter("custom-smaller-is-better").unwrap();
        let exported = (form.export)(&Export::of(&runs)).unwrap();
        assert_eq!(exported.notes().count(), 0, "nothing is left out");
    }
}

#[test]
fn what_is_no_end_of_a_single_number_stays_a_measure() {
    let names = |readings| -> Vec<String> {
        let all = measures(readings);
        all.as_object().unwrap().keys().cloned().collect()
    };
    let both = summed_up(9.0, &[("deviation", 1.0), ("lower", 8.0), ("max", 12.0)]);
    assert_eq!(
        names(both),
        ["latency", "wall-time-deviation", "wall-time-max"]
    );
    let mut several = summed_up(9.0, &[("deviation", 1.0)]);
    several[0].sample = Sample::new([8.0, 9.0, 10.0]).unwrap();
    assert_eq!(names(several), ["latency", "wall-time-deviation"]);
    let mut counted = summed_up(9.0, &[("range", 1.0)]);
    counted[1].metric.unit = Unit::Count;
    assert_eq!(names(counted), ["latency", "wall-time-range"]);
    // What is told with another takes nothing along.
    let nested = summed_up(9.0, &[("lower", 8.0), ("lower_upper", 8.5)]);
    assert_eq!(names(nested), ["latency", "wall-time-lower-upper"]);
}
