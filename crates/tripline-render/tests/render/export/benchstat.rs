//! What benchstat reads: names that are apart in every file, and units.

use super::*;

/// Returns the lines of Go's form that hold values, each as its name, and its values by unit.
fn go_lines(runs: &[Run]) -> Vec<(String, Vec<(String, String)>)> {
    let text = (exporter("benchstat").unwrap().export)(&Export::of(runs))
        .unwrap()
        .to_string();
    let lines = text.lines().filter(|line| line.starts_with("Benchmark"));
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let pairs = words[2..].chunks(2);
        let pairs = pairs.map(|pair| (pair[1].to_owned(), pair[0].to_owned()));
        (words[0].to_owned(), pairs.collect())
    };
    lines.map(line).collect()
}

#[test]
fn names_that_would_be_one_to_benchstat_are_told_apart() {
    let one = || vec![reading(Metric::known("instructions").unwrap(), &[1.0])];
    let measured: Vec<Measured<'_>> = vec![
        ("get", &[], one()),
        ("Get", &[], one()),
        ("a b", &[], one()),
        ("a_b", &[], one()),
        ("x", &[("k", "1/l=2")], one()),
        ("x", &[("k", "1"), ("l", "2")], one()),
        ("alone", &[("bytes", "64")], one()),
    ];
    let names: BTreeSet<String> = go_lines(&[run("store", &measured)])
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names.len(), measured.len(), "{names:?}");
    assert!(names.contains("BenchmarkAlone/bytes=64"), "{names:?}");
}

#[test]
fn a_name_to_benchstat_does_not_depend_on_what_else_is_in_the_file() {
    let names = |names: &[&str]| -> BTreeSet<String> {
        let lines = go_lines(&[named(names)]);
        lines.into_iter().map(|(name, _)| name).collect()
    };
    for (alone, beside) in [
        ("get", "Get"),
        ("BM_Get", "bM_Get"),
        ("a_b", "a b"),
        ("x", "ſ"),
        ("X1", "x1"),
        ("/ĸ", "ĸ"),
        ("ßA", "SSA"),
    ] {
        let both = names(&[alone, beside]);
        assert_eq!(both.len(), 2, "{both:?}");
        assert!(names(&[alone]).is_subset(&both), "{both:?}");
        assert!(names(&[beside]).is_subset(&both), "{both:?}");
    }
    assert!(names(&["get", "Get"]).contains("BenchmarkGet"));
    assert!(names(&["BM_Get", "bM_Get"]).contains("BenchmarkBM_Get"));
    // A name that is another's with its digest.
    let digested = names(&["a b"]).pop_first().unwrap();
    let same = digested.strip_prefix("BenchmarkA").unwrap();
    assert_eq!(names(&["a b", &format!("a{same}")]).len(), 2);
}

#[test]
fn benchmarks_that_differ_in_a_param_have_one_name_before_it_to_benchstat() {
    let one = || vec![reading(Metric::known("instructions").unwrap(), &[1.0])];
    let names = |measured: &[Measured<'_>]| -> Vec<String> {
        let lines = go_lines(&[run("store", measured)]);
        lines.into_iter().map(|(name, _)| name).collect()
    };
    for name in ["Sort", "sort it", "sort"] {
        let [few, many] = [("16", "8"), ("16", "64")].map(|(k, n)| [("k", k), ("n", n)]);
        let names = names(&[(name, &few, one()), (name, &many, one())]);
        let bases: Vec<&str> = names
            .iter()
            .map(|name| name.split_once("/k=16/n=").unwrap().0)
            .collect();
        assert_eq!(bases[0], bases[1]);
        assert_eq!(bases[0].contains('#'), name != "sort", "{names:?}");
        let ends: BTreeSet<&str> = names.iter().map(|name| &name[bases[0].len()..]).collect();
        assert_eq!(ends, BTreeSet::from(["/k=16/n=64", "/k=16/n=8"]));
    }
    // A param that cannot be told is in the digest, and the others are not.
    let odd = [("a", "1=2"), ("n", "8")];
    let other = [("a", "1=2"), ("n", "64")];
    let third = [("a", "1=3"), ("n", "8")];
    let names = names(&[
        ("x", &odd, one()),
        ("x", &other, one()),
        ("x", &third, one()),
    ]);
    let bases: BTreeSet<&str> = names
        .iter()
        .map(|name| name.split_once('/').unwrap().0)
        .collect();
    assert_eq!(bases.len(), 2, "{names:?}");
}

#[test]
fn a_zero_stands_in_the_unit_that_benchstat_scales_the_others_to() {
    let time = |name| Metric {
        unit: Unit::Nanosecond,
        ..metric(name, Better::Lower)
    };
    let readings = vec![
        reading(Metric::known("allocated_bytes").unwrap(), &[0.0, 8.0]),
        reading(time("user_time"), &[0.0, 2.0]),
        reading(Metric::known("wall_time").unwrap(), &[3.0, 0.0]),
    ];
    let lines = go_lines(&[run("store", &[("get", &[], readings)])]);
    let values = |index: usize| -> Vec<String> {
        let values: &Vec<(String, String)> = &lines[index].1;
        values
            .iter()
            .map(|(unit, value)| format!("{value} {unit}"))
            .collect()
    };
    assert_eq!(values(0), ["0 B/op", "0 user_time-sec", "3 ns/op"]);
    assert_eq!(values(1), ["8 B/op", "2 user_time-ns", "0 sec/op"]);
}

#[test]
fn what_go_named_is_not_named_again() {
    let lines = go_lines(&[named(&[
        "BenchmarkGet",
        "BenchmarkGet2/x",
        "Benchmarking",
        "Benchmark",
    ])]);
    let names: Vec<&str> = lines.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[1..3], ["BenchmarkGet", "BenchmarkGet2/x"]);
    assert!(names[0].starts_with("BenchmarkBenchmark#"), "{names:?}");
    assert!(names[3].starts_with("BenchmarkBenchmarking#"), "{names:?}");
    let both = [named(&["BenchmarkGet", "get"])];
    let refused = (exporter("benchstat").unwrap().export)(&Export::of(&both));
    let words = refused.unwrap_err().to_string();
    assert!(words.contains("one name `BenchmarkGet`"), "{words}");
}

#[test]
fn a_unit_holds_no_part_that_benchstat_would_scale_by_again() {
    let time = |name| Metric {
        unit: Unit::Nanosecond,
        ..metric(name, Better::Higher)
    };
    let count = Metric {
        unit: Unit::Count,
        ..metric("wall_time", Better::Lower)
    };
    let readings = vec![
        reading(time("ns"), &[1.0]),
        reading(time("p99-ns"), &[2.0]),
        reading(count, &[3.0]),
    ];
    let lines = go_lines(&[run("store", &[("get", &[], readings)])]);
    let units: Vec<&str> = lines[0].1.iter().map(|(unit, _)| unit.as_str()).collect();
    assert_eq!(units, ["nanoseconds-ns", "p99-nanoseconds-ns", "wall_time"]);
}

#[test]
fn of_a_unit_that_means_two_things_nothing_is_said() {
    let value = |better| vec![reading(metric("value", better), &[1.0])];
    let exact = || reading(Metric::known("allocations").unwrap(), &[2.0]);
    let text = |runs: &[Run]| {
        (exporter("benchstat").unwrap().export)(&Export::of(runs))
            .unwrap()
            .to_string()
    };
    let lower = run("a", &[("get", &[], value(Better::Lower))]);
    let higher = run("b", &[("get", &[], value(Better::Higher))]);
    assert!(text(std::slice::from_ref(&higher)).contains("Unit value better=higher\n"));
    assert!(!text(&[lower, higher]).contains("Unit value"));
    let counted = run("c", &[("get", &[], vec![exact()])]);
    assert!(text(&[counted]).contains("Unit allocs/op assume=exact\n"));
}

#[test]
fn a_commit_is_a_key_to_benchstat_only_where_it_tells_runs_apart() {
    let text = |runs: &[Run]| {
        (exporter("benchstat").unwrap().export)(&Export::of(runs))
            .unwrap()
            .to_string()
    };
    let known = named(&["get"]);
    let one = text(&[at(&known, 'a', 1)]);
    assert!(one.contains("\n# commit aaaa"), "{one}");
    assert!(!one.contains("\ncommit:"), "{one}");
    let two = text(&[at(&known, 'a', 1), known]);
    let keys: Vec<&str> = two
        .lines()
        .filter(|line| line.starts_with("commit:"))
        .collect();
    let a = format!("commit: {}", "a".repeat(40));
    assert_eq!(keys, [a.as_str(), "commit:"]);
}

#[test]
fn two_that_benchstat_would_know_by_one_name_are_named() {
    let form = exporter("benchstat").unwrap();
    let runs = [named(&["BenchmarkFoo", "foo"])];
    let words = (form.export)(&Export::of(&runs)).unwrap_err().to_string();
    let both = "`store/BenchmarkFoo` and `store/foo` by the one name `BenchmarkFoo`";
    assert!(words.contains(both), "{words}");
}
