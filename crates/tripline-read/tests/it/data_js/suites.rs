//! What suites are called, and when their runs were made.

use std::collections::BTreeSet;

use tripline_model::{Better, Series, SeriesSet, SuiteName, wire};
use tripline_read::{Beside, Imported, read_data_js, read_data_js_beside};

/// Returns a history of suites of one run each, made at a date that is written so.
fn history(titles: &[&str], date: &str) -> String {
    let commit = r#"{"id": "0123456789abcdef0123456789abcdef01234567"}"#;
    let bench = r#"{"name": "a", "value": 1, "unit": "ns"}"#;
    let suite = |title: &&str| {
        format!(
            r#""{title}": [{{"commit": {commit}, "date": {date}, "tool": "cargo", "benches": [{bench}]}}]"#
        )
    };
    let suites: Vec<String> = titles.iter().map(suite).collect();
    format!("{{\"entries\": {{\n{}}}}}", suites.join(",\n"))
}

fn problems(imported: &Imported) -> Vec<String> {
    imported.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_title_keeps_its_name_beside_suites_that_are_there() {
    let known =
        |name: &str, title: Option<&str>| (SuiteName::new(name).unwrap(), title.map(str::to_owned));
    let there = [
        known("c-benchmark", Some("C++ Benchmark")),
        known("kv", None),
        known("speed", Some("A title that has it since long ago")),
    ];
    let titles = ["C# Benchmark", "C++ Benchmark", "KV", "Speed"];
    let text = history(&titles, "1700000000000");
    let there = Beside {
        suites: &there,
        ..Beside::default()
    };
    let imported = read_data_js_beside("data.js", text.as_bytes(), there).unwrap();
    let names = imported.suites.iter().map(|(name, _)| name.as_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["c-benchmark-2", "c-benchmark", "kv-2", "speed-2"]);
    let of_sets = imported.series.iter().map(|set| set.suite().as_str());
    assert_eq!(of_sets.collect::<Vec<_>>(), names);
    let told = [
        "suite `C# Benchmark` is called `c-benchmark-2`, because another is called `c-benchmark` at data.js:2:2",
        "suite `KV` is called `kv-2`, because another is called `kv` at data.js:4:2",
        "suite `Speed` is called `speed-2`, because another is called `speed` at data.js:5:2",
    ];
    assert_eq!(problems(&imported), told);
    assert_eq!(imported.left_out, 0);
}

/// Returns the series of the last run of a suite whose runs are of that tool and of these benchmarks, beside others.
fn last(runs: &[(&str, &str)], there: &[SeriesSet]) -> (Vec<Series>, Vec<SeriesSet>) {
    let commit = r#"{"id": "0123456789abcdef0123456789abcdef01234567"}"#;
    let run = |(tool, benches): &(&str, &str)| {
        format!(
            r#"{{"commit": {commit}, "date": 1700000000000, "tool": "{tool}", "benches": [{benches}]}}"#
        )
    };
    let runs: Vec<String> = runs.iter().map(run).collect();
    let text = format!(r#"{{"entries": {{"s": [{}]}}}}"#, runs.join(", "));
    let name = SuiteName::new("s").unwrap();
    let there = Beside {
        suites: &[(name, Some("s".to_owned()))],
        series: &there.iter().collect::<Vec<_>>(),
    };
    let imported = read_data_js_beside("data.js", text.as_bytes(), there).unwrap();
    let last = &imported.series[imported.entries.last().unwrap().series];
    (last.all().to_vec(), imported.series)
}

#[test]
fn a_history_without_its_oldest_runs_goes_on_with_the_series_that_are_there() {
    let (smaller, bigger) = ("customSmallerIsBetter", "customBiggerIsBetter");
    let hits = r#"{"name": "hits", "value": 1, "unit": "points"}"#;
    let one = r#"{"name": "a", "value": 1, "unit": "ns", "extra": "by\none"}"#;
    let other = r#"{"name": "a", "value": 1, "unit": "ns", "extra": "by\nanother"}"#;
    let both = format!("{one}, {other}");
    for whole in [
        [
            ("cargo", r#"{"name": "a", "value": 1, "unit": "ns/iter"}"#),
            ("cargo", r#"{"name": "a", "value": 1, "unit": "ns/op"}"#),
        ],
        [(smaller, hits), (bigger, hits)],
        [
            (smaller, r#"{"name": "a", "value": 1, "unit": "m"}"#),
            (smaller, r#"{"name": "a", "value": 1, "unit": "M"}"#),
        ],
        [(smaller, &both), (smaller, other)],
    ] {
        let (expected, there) = last(&whole, &[]);
        assert_eq!(last(&whole, &there).0, expected, "{whole:?}");
        assert_eq!(last(&whole[1..], &there).0, expected, "{whole:?}");
        assert_ne!(last(&whole[1..], &[]).0, expected, "{whole:?}");
        // What is new gets no name that another metric has.
        let (tool, benches) = whole[1];
        let new = benches.replace(r#""name": ""#, r#""name": "new "#);
        let beside = last(&[(tool, &new)], &there).0;
        let taken = there.iter().flat_map(SeriesSet::all);
        for metric in taken.map(|series| &series.metric) {
            let same = beside.iter().find(|new| new.metric.name == metric.name);
            assert!(same.is_none_or(|new| new.metric == *metric), "{whole:?}");
        }
    }
}

#[test]
fn a_date_is_read_in_every_form_and_told_where_it_is_odd() {
    let as_text = "a date that is a text, which is taken as the time it says";
    let early = "a date before the year 2000, because it is taken as milliseconds";
    for (date, expected, told) in [
        ("1600000000000", 1_600_000_000_000, None),
        (r#""2020-09-13T12:26:40""#, 1_600_000_000_000, Some(as_text)),
        (
            r#""2020-09-13 14:26:40 +0200""#,
            1_600_000_000_000,
            Some(as_text),
        ),
        (
            r#""Sun, 13 Sep 2020 12:26:40 +0000""#,
            1_600_000_000_000,
            Some(as_text),
        ),
        (r#""2020-09-14""#, 1_600_041_600_000, Some(as_text)),
        (
            r#""Sun Sep 13 2020 21:26:40 GMT+0900 (Japan Standard Time)""#,
            1_600_000_000_000,
            Some(as_text),
        ),
        ("1600000000", 1_600_000_000, Some(early)),
    ] {
        let text = history(&["kv"], date);
        let imported = read_data_js("data.js", text.as_bytes()).unwrap();
        let time = imported.entries[0].measured_at.as_millisecond();
        assert_eq!(time, expected, "{date}");
        let problems = problems(&imported);
        assert_eq!(problems.len(), usize::from(told.is_some()), "{problems:?}");
        let is_told = told.is_none_or(|told| problems[0].contains(told));
        assert!(is_told, "{date}: {problems:?}");
    }
}

/// Returns a history of one suite of runs, each by a tool and of benchmarks.
fn of_runs(runs: &[(&str, &str)]) -> String {
    let run = |(tool, benches): &(&str, &str)| {
        format!(
            r#"{{"commit": {{"id": "0123456789abcdef0123456789abcdef01234567"}}, "date": 1700000000000, "tool": "{tool}", "benches": [{benches}]}}"#
        )
    };
    let runs: Vec<String> = runs.iter().map(run).collect();
    format!(r#"{{"entries": {{"s": [{}]}}}}"#, runs.join(", "))
}

/// Returns what becomes of a history that comes to another.
fn beside(first: &str, next: &str) -> Imported {
    let suites = [(SuiteName::new("s").unwrap(), Some("s".to_owned()))];
    let before = read_data_js("data.js", first.as_bytes()).unwrap();
    let there = Beside {
        suites: &suites,
        series: &before.series.iter().collect::<Vec<_>>(),
    };
    read_data_js_beside("data.js", next.as_bytes(), there).unwrap()
}

#[test]
fn a_unit_that_changed_since_the_last_import_is_told() {
    let bench =
        |name: &str, unit: &str| format!(r#"{{"name": "{name}", "value": 1, "unit": "{unit}"}}"#);
    let [ns, hits, flips] = ["ns/iter", "hits", "flips"].map(|unit| bench("a", unit));
    let both = format!("{ns}, {hits}");
    let other = format!("{flips}, {hits}");
    for (first, next, is_told) in [
        (&ns, &[&ns][..], false),
        (&ns, &[&hits], true),
        (&ns, &[&both], false),
        (&ns, &[&ns, &both], false),
        (&both, &[&hits], false),
        (&both, &[&other], true),
        (&ns, &[&bench("b", "hits")], false),
    ] {
        let first = of_runs(&[("cargo", first)]);
        let next: Vec<_> = next.iter().map(|next| ("cargo", &***next)).collect();
        let told = problems(&beside(&first, &of_runs(&next)));
        let is_said = told
            .iter()
            .any(|one| one.contains("unit was another before"));
        assert_eq!(is_said, is_told, "{first} {next:?} {told:?}");
    }
}

#[test]
fn a_line_goes_on_where_its_tool_was_another_before() {
    let rate = r#"{"name": "a", "value": 1, "unit": "ops/s"}"#;
    let (by_cargo, by_hand) = (("cargo", rate), ("customSmallerIsBetter", rate));
    let by_other_hand = ("customBiggerIsBetter", rate);
    let time = r#"{"name": "a", "value": 1, "unit": "ms"}"#;
    let (by_nobody, by_timer) = (("abacus", time), ("customSmallerIsBetter", time));
    for (first, next) in [
        (&[by_cargo, by_hand][..], &[by_hand, by_hand][..]),
        (&[by_hand, by_cargo], &[by_cargo, by_cargo]),
        (&[by_cargo, by_other_hand], &[by_other_hand, by_cargo]),
        (&[by_nobody, by_timer], &[by_timer, by_timer]),
    ] {
        let first = of_runs(first);
        let all = read_data_js("data.js", first.as_bytes()).unwrap().series;
        let next = beside(&first, &of_runs(next)).series;
        let series = |sets: &[SeriesSet]| {
            let all = sets.iter().flat_map(SeriesSet::all);
            let names = all.map(|one| format!("{} {}", one.bench, one.metric.name));
            names.collect::<BTreeSet<_>>()
        };
        assert_eq!(series(&all).len(), 1, "{:?}", series(&all));
        assert_eq!(series(&next), series(&all));
    }
    let better = |run| {
        let imported = read_data_js("data.js", of_runs(&[run]).as_bytes()).unwrap();
        imported.series[0].all()[0].metric.better
    };
    assert_eq!(better(by_cargo), Better::Higher);
    assert_eq!(better(by_hand), Better::Lower);
}

#[test]
fn a_unit_that_has_a_name_of_its_own_goes_on_each_time() {
    for (tool, own) in [
        ("abacus", ""),
        ("customSmallerIsBetter", r#", "biggerIsBetter": true"#),
    ] {
        for unit in ["count", "1/s", "ratio", "hits"] {
            let bench = format!(r#"{{"name": "a", "value": 1, "unit": "{unit}"{own}}}"#);
            let text = of_runs(&[(tool, &bench)]);
            let before = read_data_js("data.js", text.as_bytes()).unwrap().series;
            let kept = before.iter().map(wire::write_series);
            let kept = kept.map(|text| wire::read_series(text.as_bytes()).unwrap());
            let kept: Vec<SeriesSet> = kept.collect();
            let suites = [(SuiteName::new("s").unwrap(), Some("s".to_owned()))];
            let there = Beside {
                suites: &suites,
                series: &kept.iter().collect::<Vec<_>>(),
            };
            let again = read_data_js_beside("data.js", text.as_bytes(), there).unwrap();
            assert_eq!(again.series[0].all(), before[0].all(), "{tool} {unit}");
        }
    }
}
