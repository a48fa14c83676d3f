//! What is handed to other services: every value of a run, under keys that those services keep apart.

mod added;
mod benchstat;
mod directions;
mod ends;
mod tables;

use std::borrow::Cow;
use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;
use tripline_model::{
    BenchId, BenchName, Better, CommitId, Environment, EnvironmentName, Measurement, Metric,
    MetricName, Nature, ParamKey, ParamValue, Producer, Reading, Revision, Run, Sample, SuiteName,
    Unit, UnitSymbol, WorkTree,
};
use tripline_render::{EXPORTERS, Existing, Export, Exporter, exporter};

pub(crate) fn reading(metric: Metric, values: &[f64]) -> Reading {
    Reading {
        metric,
        sample: Sample::new(values).unwrap(),
    }
}

pub(crate) fn metric(name: &str, better: Better) -> Metric {
    Metric {
        name: MetricName::new(name).unwrap(),
        unit: Unit::Other(UnitSymbol::new("furlong").unwrap()),
        better,
        nature: Nature::Sampled,
    }
}

/// What was measured: name, params and readings.
pub(crate) type Measured<'a> = (&'a str, &'a [(&'a str, &'a str)], Vec<Reading>);

pub(crate) fn run(suite: &str, measured: &[Measured<'_>]) -> Run {
    let suite = SuiteName::new(suite).unwrap();
    let environment = Environment::new(EnvironmentName::new("debian-12-x86_64").unwrap());
    let producer = Producer {
        name: "test".to_owned(),
        version: "1".to_owned(),
    };
    let mut run = Run::new(
        suite.clone(),
        jiff::Timestamp::UNIX_EPOCH,
        environment,
        producer,
    );
    for (name, params, readings) in measured {
        let params = params.iter();
        let params = params
            .map(|(key, value)| (ParamKey::new(key).unwrap(), ParamValue::new(value).unwrap()));
        let bench = BenchId {
            suite: suite.clone(),
            name: BenchName::new(name).unwrap(),
            params: params.collect(),
        };
        run.insert(Measurement::new(bench, readings.clone(), None, Vec::new()).unwrap())
            .unwrap();
    }
    run
}

fn runs() -> Vec<Run> {
    let known = |name| Metric::known(name).unwrap();
    let get = vec![
        reading(known("instructions"), &[1_234_567.0, 1_234_567.0]),
        reading(known("wall_time"), &[410.5, 400.0, 420.0]),
        reading(known("l1_hits"), &[1_500.0]),
        reading(metric("throughput", Better::Higher), &[7.5, 8.0]),
    ];
    vec![
        run(
            "store",
            &[
                ("get", &[("bytes", "64")], get.clone()),
                ("kv::set", &[], get),
            ],
        ),
        run(
            "p2p",
            &[(
                "get",
                &[("bytes", "64")],
                vec![reading(known("instructions"), &[99.0])],
            )],
        ),
    ]
}

/// Returns runs as a form takes them: a history takes what is of a commit.
fn taken_by(form: &Exporter, runs: &[Run]) -> Vec<Run> {
    let is_history = form.hands_back;
    let taken = |run: &Run| {
        if is_history {
            at(run, 'c', 0)
        } else {
            run.clone()
        }
    };
    runs.iter().map(taken).collect()
}

fn exported(name: &str, runs: &[Run]) -> Value {
    serde_json::from_str(
        &(exporter(name).unwrap().export)(&Export::of(runs))
            .unwrap()
            .to_string(),
    )
    .unwrap()
}

#[test]
fn every_form_of_two_runs() {
    for form in EXPORTERS {
        let runs = taken_by(form, &runs());
        insta::assert_snapshot!(
            format!("export_{}", form.name),
            (form.export)(&Export::of(&runs)).unwrap().to_string()
        );
    }
}

#[test]
fn nothing_is_nothing() {
    assert_eq!(exported("bmf", &[]), serde_json::json!({}));
    assert_eq!(
        exported("custom-smaller-is-better", &[]),
        serde_json::json!([])
    );
}

/// Makes a slug as whoever reads the keys does.
fn slug(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<&str>>().join("-").to_lowercase()
}

fn keys(runs: &[Run]) -> Vec<String> {
    exported("bmf", runs)
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

fn named(names: &[&str]) -> Run {
    let one = vec![reading(Metric::known("instructions").unwrap(), &[1.0])];
    let measured: Vec<_> = names
        .iter()
        .map(|name| (*name, [].as_slice(), one.clone()))
        .collect();
    run("store", &measured)
}

#[test]
fn names_that_would_be_one_slug_are_told_apart_and_others_left_as_they_are() {
    let keys = keys(&[named(&[
        "a b",
        "a-b",
        "a::b",
        "A/b",
        "c::d",
        "e-bencher-ignore",
    ])]);
    assert!(keys.contains(&"store/c::d".to_owned()), "{keys:?}");
    assert_eq!(keys.len(), 6);
    let slugs: BTreeSet<String> = keys.iter().map(|key| slug(key)).collect();
    assert_eq!(slugs.len(), 6, "{keys:?}");
    assert!(
        keys.iter().any(|key| key.starts_with("store/a::b#")),
        "{keys:?}"
    );
    assert!(!keys.iter().any(|key| key.ends_with("ignore")), "{keys:?}");
}

#[test]
fn a_key_does_not_depend_on_who_else_shares_its_slug() {
    let two = keys(&[named(&["a b", "a-b"])]);
    let three = keys(&[named(&["a b", "a-b", "a_b"])]);
    assert!(
        two.iter().all(|key| three.contains(key)),
        "{two:?} {three:?}"
    );
}

#[test]
fn a_key_is_no_longer_than_bencher_takes() {
    let long = "n".repeat(500);
    let readings = vec![reading(Metric::known("instructions").unwrap(), &[1.0])];
    let params = ["1", "2"].map(|last| vec![("k", &*long), ("l", &*long), ("z", last)]);
    let measured = params
        .each_ref()
        .map(|params| (&*long, &**params, readings.clone()));
    let keys = keys(&[run("store", &measured)]);
    let lengths: Vec<usize> = keys.iter().map(String::len).collect();
    assert_eq!(lengths, [1_024, 1_024]);
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn a_key_that_is_another_with_its_digest_is_refused() {
    let digested = keys(&[named(&["a b", "a-b"])]);
    let name = digested[0].strip_prefix("store/").unwrap();
    let runs = [named(&["a b", "a-b", name])];
    let refused = (exporter("bmf").unwrap().export)(&Export::of(&runs)).unwrap_err();
    let words = refused.to_string();
    let both = format!("`store/a b` and `{0}` by the one name `{0}`", digested[0]);
    assert!(words.contains(&both), "{words}");
}

#[test]
fn measures_have_the_names_they_are_known_by_and_are_told_apart() {
    let readings = vec![
        reading(Metric::known("wall_time").unwrap(), &[1.0]),
        reading(metric("latency", Better::Lower), &[2.0]),
        reading(metric("a.b", Better::Lower), &[3.0]),
        reading(metric("a_b", Better::Lower), &[4.0]),
        reading(metric("a-c", Better::Lower), &[5.0]),
        reading(Metric::known("estimated_cycles").unwrap(), &[6.0]),
    ];
    let all = exported("bmf", &[run("store", &[("get", &[], readings)])]);
    let measures = all["store/get"].as_object().unwrap();
    let values: BTreeSet<u64> = measures
        .values()
        .map(|m| m["value"].as_f64().unwrap() as u64)
        .collect();
    assert_eq!(values.len(), 6, "{measures:?}");
    let slugs: BTreeSet<String> = measures.keys().map(|key| slug(key)).collect();
    assert_eq!(slugs.len(), 6);
    assert_eq!(measures["a-c"]["value"], 5.0);
    assert_eq!(measures["estimated-cycles"]["value"], 6.0);
    assert!(
        measures
            .keys()
            .all(|key| key.len() <= 64 && slug(key) == *key),
        "{measures:?}"
    );
}

#[test]
fn a_measure_that_is_known_holds_what_is_in_its_unit() {
    let of = |name, unit| Metric {
        unit,
        ..metric(name, Better::Lower)
    };
    let readings = [
        (Metric::known("item_throughput").unwrap(), 5e6),
        (of("throughput", Unit::BytePerSecond), 512e6),
        (of("build_time", Unit::Nanosecond), 12.25e9),
        (of("file_size", Unit::Byte), 7.0),
        (Metric::known("allocations").unwrap(), 3.0),
        (Metric::known("allocated_bytes").unwrap(), 96.0),
        (Metric::known("heap_peak").unwrap(), 64.0),
    ];
    let readings = readings.map(|(metric, value)| reading(metric, &[value]));
    let runs = [run("store", &[("get", &[], readings.into())])];
    let value = |value: f64| serde_json::json!({ "value": value });
    assert_eq!(
        exported("bmf", &runs)["store/get"],
        serde_json::json!({
            "throughput": value(5e6),
            "byte-throughput": value(512e6),
            "build-time": value(12.25),
            "file-size": value(7.0),
            "total-blocks": value(3.0),
            "total-bytes": value(96.0),
            "at-t-gmax-bytes": value(64.0),
        })
    );
}

#[test]
fn what_is_in_another_unit_is_under_no_known_measure() {
    let names = ["throughput", "latency", "build_time", "l1.hits"];
    let readings = names.map(|name| reading(metric(name, Better::Lower), &[1.0]));
    let runs = [run("store", &[("get", &[], readings.into())])];
    let all = exported("bmf", &runs);
    let measures = all["store/get"].as_object().unwrap();
    assert_eq!(measures.len(), names.len(), "{measures:?}");
    for known in names.map(slug) {
        assert!(!measures.contains_key(&known), "{measures:?}");
        let begin = format!("{known}-");
        assert!(
            measures.keys().any(|key| key.starts_with(&begin)),
            "{measures:?}"
        );
    }
}

#[test]
fn every_metric_with_a_direction_is_in_one_file_of_values() {
    let names = |form| -> Vec<String> {
        let entries = exported(form, &runs());
        let names = entries.as_array().unwrap().iter();
        names
            .map(|entry| entry["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let smaller = names("custom-smaller-is-better");
    assert_eq!(smaller.len(), 5);
    assert!(
        smaller.contains(&"store/get{bytes=64} wall_time".to_owned()),
        "{smaller:?}"
    );
    assert_eq!(
        names("custom-bigger-is-better"),
        ["store/get{bytes=64} throughput", "store/kv::set throughput"]
    );
}

#[test]
fn metrics_that_come_to_one_family_are_told_apart() {
    let time = Metric {
        unit: Unit::Nanosecond,
        ..metric("x", Better::Lower)
    };
    let readings = vec![
        reading(time, &[1.0]),
        reading(metric("x_seconds", Better::Lower), &[2.0]),
        reading(metric("a.b", Better::Lower), &[3.0]),
    ];
    let run = run("store", &[("get", &[], readings)]);
    let text = (exporter("openmetrics").unwrap().export)(&Export::of(&[run]))
        .unwrap()
        .to_string();
    for name in ["x", "x_seconds", "a.b"] {
        assert_eq!(
            text.matches(&format!("metric=\"{name}\"")).count(),
            1,
            "{text}"
        );
    }
}

#[test]
fn a_family_has_the_unit_of_the_metrics_that_have_one() {
    let of = |name, unit| Metric {
        unit,
        ..metric(name, Better::Lower)
    };
    let readings = vec![
        reading(of("x", Unit::Nanosecond), &[1.0]),
        reading(of("x_seconds", Unit::Count), &[2.0]),
    ];
    let run = run("store", &[("get", &[], readings)]);
    let text = (exporter("openmetrics").unwrap().export)(&Export::of(&[run]))
        .unwrap()
        .to_string();
    assert!(
        text.contains("# UNIT tripline_x_seconds seconds\n"),
        "{text}"
    );
}

/// What begins no line is no command, and a name comes back as it is.
#[test]
fn a_name_like_a_command_is_itself_within_a_line() {
    let readings = vec![reading(Metric::known("instructions").unwrap(), &[1.0])];
    let run = run("store", &[("::warning::x", &[], readings)]);
    for form in ["csv", "openmetrics"] {
        let text = (exporter(form).unwrap().export)(&Export::of(std::slice::from_ref(&run)))
            .unwrap()
            .to_string();
        assert!(text.contains("::warning::x"), "{text}");
        assert!(!text.contains("\n::"), "{text}");
    }
}

#[test]
fn params_whose_keys_fit_one_label_are_told_apart() {
    let one = || vec![reading(Metric::known("instructions").unwrap(), &[1.0])];
    let run = run(
        "store",
        &[
            ("get", &[("a-b", "1")], one()),
            ("get", &[("a.b", "1")], one()),
            ("get", &[("a_b", "1")], one()),
        ],
    );
    let text = (exporter("openmetrics").unwrap().export)(&Export::of(&[run]))
        .unwrap()
        .to_string();
    assert!(!text.contains("run="), "{text}");
    for params in ["a-b=1", "a.b=1"] {
        assert!(text.contains(&format!("params=\"{params}\"")), "{text}");
    }
    assert_eq!(text.matches("params=").count(), 2, "{text}");
}

/// Returns a run at a commit whose hash is that digit.
fn at(run: &Run, commit: char, second: i64) -> Run {
    let mut run = run.clone();
    run.measured_at = jiff::Timestamp::from_second(second).unwrap();
    run.revision = Some(Revision {
        commit: CommitId::new(&commit.to_string().repeat(40)).unwrap(),
        work_tree: WorkTree::Clean,
    });
    run
}

#[test]
fn a_name_in_another_script_has_a_slug_of_its_own() {
    let keys = keys(&[named(&["größe", "grosse", "名前", "ming qian"])]);
    assert!(keys.contains(&"store/grosse".to_owned()), "{keys:?}");
    assert!(keys.contains(&"store/ming qian".to_owned()), "{keys:?}");
    // Bencher would write these two like those (`slug::slugify`), if there were no digest behind them.
    let digests = keys.iter().filter(|key| !key.is_ascii());
    let digests: BTreeSet<&str> = digests.map(|key| key.rsplit_once('#').unwrap().1).collect();
    assert_eq!(digests.len(), 2, "{keys:?}");
}

#[test]
fn forms_of_one_run_take_no_second_of_the_same_benchmark() {
    let known = named(&["get"]);
    // Two files of it, each of one run, are what these services take.
    for form in ["bmf", "custom-smaller-is-better", "custom-bigger-is-better"] {
        let runs = [at(&known, 'a', 1), at(&known, 'b', 2)];
        let refused = (exporter(form).unwrap().export)(&Export::of(&runs)).unwrap_err();
        assert!(refused.to_string().contains("`store/get`"), "{refused}");
    }
}

#[test]
fn numbers_of_a_history_are_written_as_javascript_writes_them() {
    let values = [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (5e-324, "5e-324"),
        (9_007_199_254_740_992.0, "9007199254740992"),
    ];
    for (value, written) in values {
        let readings = vec![reading(metric("length", Better::Lower), &[value])];
        let form = exporter("external-data-json").unwrap();
        let runs = taken_by(form, &[run("store", &[("get", &[], readings)])]);
        let history = (form.export)(&Export::of(&runs)).unwrap().to_string();
        let line = format!("\"value\": {written},\n");
        assert!(history.contains(&line), "{history}");
    }
}

fn counted(suite: &str, name: &str, value: f64) -> Run {
    let count = reading(Metric::known("instructions").unwrap(), &[value]);
    run(suite, &[(name, &[], vec![count])])
}

#[test]
fn samples_of_one_set_of_labels_stand_together_in_the_order_of_time() {
    let runs = [
        at(&counted("store", "get", 2.0), 'a', 200),
        at(&counted("store", "set", 3.0), 'a', 200),
        at(&counted("store", "get", 1.0), 'a', 100),
        at(&counted("store", "get", 9.0), 'a', 100),
        at(&counted("store", "get", 8.0), 'a', 100),
    ];
    let text = (exporter("openmetrics").unwrap().export)(&Export::of(&runs))
        .unwrap()
        .to_string();
    let samples: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once("suite=\"store\"").unwrap().1)
        .collect();
    assert_eq!(
        samples,
        [
            "} 1 100",
            "} 2 200",
            ",run=\"2\"} 9 100",
            ",run=\"3\"} 8 100",
            "} 3 200"
        ]
    );
}

/// Checks that a text is of the form it says it is.
fn check_form(form: &str, text: &str) {
    match form {
        "csv" | "otava-csv" => {
            let mut table = csv::Reader::from_reader(text.as_bytes());
            assert!(table.records().all(|line| line.is_ok()), "{text}");
        }
        "openmetrics" => {
            assert!(text.ends_with("# EOF\n"));
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                let (labels, numbers) = line.rsplit_once("} ").unwrap();
                assert!(labels.starts_with("tripline_"), "{line}");
                assert!(
                    numbers
                        .split(' ')
                        .all(|number| number.parse::<f64>().is_ok())
                );
            }
        }
        "benchstat" => {
            for line in text.lines().filter(|line| line.starts_with("Benchmark")) {
                let first = line["Benchmark".len()..].chars().next().unwrap();
                assert!(!first.is_lowercase(), "{line}");
                assert_eq!(line.split_whitespace().count() % 2, 0, "{line}");
            }
        }
        _ => {
            let json = text.trim_start_matches("window.BENCHMARK_DATA = ");
            let values: Value = serde_json::from_str(json).unwrap();
            assert!(values.is_array() || values.is_object());
        }
    }
}

#[test]
fn a_history_is_added_to_and_what_is_there_stays_to_the_byte() {
    let text = |name: &str, text: &'static str| (name.to_owned(), Cow::Borrowed(text));
    let members = [
        text("lastUpdate", "7e3"),
        text("more", "{\"x\":  1.50, \"y\": \"##[z]\"}"),
        text("entries", ""),
    ];
    let suites = [
        text("theirs", "[{ \"any\": [\"thing\"] }]"),
        text("store", "[]"),
    ];
    let told = |runs| Export {
        existing: Some(Existing {
            members: &members,
            suites: &suites,
        }),
        ..Export::of(runs)
    };
    let later = runs().into_iter().map(|run| at(&run, 'c', 1_800_000_000));
    let later: Vec<Run> = later.collect();
    let form = exporter("external-data-json").unwrap();
    let added = (form.export)(&told(&later)).unwrap().to_string();
    for kept in [
        "\"more\": {\"x\":  1.50, \"y\": \"##[z]\"}",
        "\"theirs\": [{ \"any\": [\"thing\"] }]",
        "\"lastUpdate\": 1800000000000",
    ] {
        assert!(added.contains(kept), "{added}");
    }
    let values: Value = serde_json::from_str(&added).unwrap();
    let count = |suite: &str| values["entries"][suite].as_array().unwrap().len();
    let counts = ["theirs", "store", "store (bigger is better)", "p2p"].map(count);
    assert_eq!(counts, [1, 1, 1, 1]);
}

#[test]
fn what_is_written_whole_is_not_added_to() {
    let forms = EXPORTERS.iter();
    for form in forms.filter(|form| !["data-js", "external-data-json"].contains(&form.name)) {
        let existing = Existing {
            members: &[],
            suites: &[],
        };
        let told = Export {
            existing: Some(existing),
            ..Export::of(&[])
        };
        let error = (form.export)(&told).expect_err("it is written whole");
        assert!(error.to_string().contains("cannot be added to"), "{error}");
    }
}

proptest! {
    #[test]
    fn keys_are_short_and_apart_whatever_the_names(names in proptest::collection::btree_set("[ -~äA-Ca-c]{1,500}", 1..8)) {
        let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| BenchName::new(name).is_ok()).collect();
        let run = named(&names);
        let keys = keys(std::slice::from_ref(&run));
        prop_assert_eq!(keys.len(), names.len());
        let slugs: BTreeSet<String> = keys.iter().map(|key| slug(key)).collect();
        prop_assert_eq!(slugs.len(), keys.len());
        prop_assert!(keys.iter().all(|key| key.len() <= 1_024 && key.contains('/')));
        // The metric of these has no entry in the list of what is better when bigger.
        for form in EXPORTERS.iter().filter(|form| form.name != "custom-bigger-is-better") {
            let runs = taken_by(form, std::slice::from_ref(&run));
            let text = (form.export)(&Export::of(&runs)).unwrap().to_string();
            crate::inert::assert_commands_nothing(&text);
            check_form(form.name, &text);
        }
    }
}
