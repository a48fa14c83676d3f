//! What is made of the values of a run: which series each is of, and what is kept of what stood beside it.

use tripline_read::{Imported, read_data_js};

/// Reads a history of one suite, whose runs have these tools and values.
fn read(runs: &[(&str, &[&str])]) -> Imported {
    let runs: Vec<String> = runs
        .iter()
        .enumerate()
        .map(|(at, (tool, benches))| {
            let benches = benches.join(", ");
            format!(
                r#"{{"commit": {{"id": "{at:040}"}}, "date": {at}, "tool": "{tool}", "benches": [{benches}]}}"#
            )
        })
        .collect();
    let history = format!(r#"{{"entries": {{"kv": [{}]}}}}"#, runs.join(",\n"));
    read_data_js("data.js", history.as_bytes()).unwrap()
}

/// Returns what there is of each run: benchmark, metric, direction and value, by series.
fn points(imported: &Imported) -> Vec<Vec<String>> {
    let run = |entry: &tripline_model::Entry| {
        let series = imported.series[entry.series].all().iter();
        let of_one = |(series, point): (&tripline_model::Series, &tripline_model::Point)| {
            let (bench, metric) = (series.bench.within_suite(), &series.metric);
            let unit = metric.unit.symbol();
            let (name, better) = (&metric.name, metric.better);
            format!("{bench} {name} {better:?}: {} {unit}", point.center)
        };
        series.zip(&entry.points).map(of_one).collect()
    };
    imported.entries.iter().map(run).collect()
}

/// Returns the members that are kept as they are, by row.
fn members(imported: &Imported, run: usize) -> Vec<Option<&str>> {
    let entry = &imported.entries[run];
    let origin = entry.origin.as_ref().unwrap();
    (0..entry.points.len())
        .map(|row| origin.members.of(row))
        .collect()
}

fn problems(imported: &Imported) -> Vec<&str> {
    imported.problems.iter().map(|one| &*one.text).collect()
}

#[test]
fn what_go_writes_behind_a_unit_makes_no_other_series() {
    let go = |value: f64, bytes: u32| {
        format!(
            r#"{{"name": "Add", "value": {value}, "unit": "ns/op\t {bytes} B/op\t 4 allocs/op"}}"#
        )
    };
    let [first, second] = [go(733.8, 203), go(770.5, 252)];
    let imported = read(&[("go", &[&first]), ("go", &[&second])]);
    assert_eq!(
        points(&imported),
        [
            ["Add wall_time Lower: 733.8 ns"],
            ["Add wall_time Lower: 770.5 ns"]
        ]
    );
    assert_eq!(imported.series.len(), 1);
    // What is kept of a run does not depend on those in front of it, which may be gone another time.
    for (run, bytes) in [(0, 203), (1, 252)] {
        let unit = format!(r#"[["unit","ns/op\t {bytes} B/op\t 4 allocs/op"]]"#);
        assert_eq!(members(&imported, run), [Some(&*unit)]);
    }
    assert_eq!(imported.series[0].rows()[0].unit.as_deref(), Some("ns/op"));
    let told = "in suite `kv`, 2 of the runs (run 1, 2) have further results behind the unit of one, which are kept as text";
    assert_eq!(problems(&imported), [told]);
}

#[test]
fn values_of_one_name_and_unit_are_told_apart_by_what_else_is_said_of_them() {
    let ram = |value: u32, of: &str| {
        format!(r#"{{"name": "ram", "value": {value}, "unit": "MiB", "extra": "{of}"}}"#)
    };
    let [small, large, larger] = [ram(59, "TCP"), ram(777, "UDP"), ram(778, "UDP")];
    let imported = read(&[
        ("customSmallerIsBetter", &[&small, &large]),
        ("customSmallerIsBetter", &[&large, &small]),
        ("customSmallerIsBetter", &[&larger]),
    ]);
    let [tcp, udp] = ["TCP", "UDP"].map(|of| format!("ram{{extra={of}}} bytes Lower:"));
    assert_eq!(
        points(&imported),
        [
            vec![format!("{tcp} 61865984 B"), format!("{udp} 814743552 B")],
            vec![format!("{tcp} 61865984 B"), format!("{udp} 814743552 B")],
            vec![format!("{udp} 815792128 B")],
        ]
    );
    // What goes back is as it was written.
    let origin = imported.entries[2].origin.as_ref().unwrap();
    assert_eq!(origin.value(0), Some(778.0));
    let rows = imported.series[imported.entries[2].series].rows();
    assert_eq!(rows[0].unit.as_deref(), Some("MiB"));
    let told = "in suite `kv`, 2 of the runs (run 1, 2) have values of one name and unit, which are told apart by what else is said of each, or by their order";
    assert_eq!(problems(&imported), [told]);
}

#[test]
fn values_of_one_name_and_unit_are_told_apart_by_members_that_nobody_knows() {
    let block = |value: u32, plot: &str| {
        format!(
            r#"{{"name": "block", "value": {value}, "unit": "MByte/s", "group": "Micro", "plot_group": "{plot}"}}"#
        )
    };
    let [copy, set] = [block(1, "copy"), block(2, "set")];
    let imported = read(&[("customBiggerIsBetter", &[&set, &copy])]);
    assert_eq!(
        points(&imported)[0],
        [
            "block{plot_group=copy} throughput Higher: 1000000 B/s",
            "block{plot_group=set} throughput Higher: 2000000 B/s",
        ]
    );
    assert_eq!(
        members(&imported, 0)[1],
        Some(r#"[["group","Micro"],["plot_group","copy"]]"#)
    );
}

#[test]
fn values_that_nothing_tells_apart_are_told_apart_by_their_order() {
    let bank = |value: u32, extra: &str| {
        format!(r#"{{"name": "b", "value": {value}, "unit": "ns/op", "extra": "{extra}"}}"#)
    };
    // What Go says of each is another in every run.
    let [first, second] = [bank(7, "101 times"), bank(8, "99 times")];
    let imported = read(&[("go", &[&first, &second]), ("go", &[&first])]);
    assert_eq!(
        points(&imported),
        [
            vec!["b wall_time Lower: 7 ns", "b wall_time.2 Lower: 8 ns"],
            vec!["b wall_time Lower: 7 ns"],
        ]
    );
}

#[test]
fn labels_that_do_not_come_again_tell_nothing_apart() {
    let mean = |value: u32, samples: u32| {
        format!(r#"{{"name": "b", "value": {value}, "unit": "ns", "extra": "{samples} samples"}}"#)
    };
    let benches: Vec<[String; 2]> = (0..4)
        .map(|run| [mean(7, 100 + run), mean(8, 200 + run)])
        .collect();
    let runs: Vec<[&str; 2]> = benches.iter().map(|[a, b]| [&**a, &**b]).collect();
    let runs: Vec<(&str, &[&str])> = runs
        .iter()
        .map(|run| ("customSmallerIsBetter", &run[..]))
        .collect();
    let imported = read(&runs);
    let points = points(&imported);
    for run in &points[1..] {
        assert_eq!(
            *run,
            ["b wall_time Lower: 7 ns", "b wall_time.2 Lower: 8 ns"]
        );
    }
    let told = "in suite `kv`, 4 of the runs (run 1, 2, 3, …) have values of one name and unit, which are told apart by what else is said of each, or by their order";
    assert_eq!(problems(&imported), [told]);
}

#[test]
fn a_value_that_is_none_is_not_one_of_several() {
    let [none, four, five] = ["null", "4", "5"]
        .map(|value| format!(r#"{{"name": "b", "value": {value}, "unit": "ns"}}"#));
    let imported = read(&[
        ("cargo", &[&none, &five]),
        ("cargo", &[&four, &five]),
        ("cargo", &[&five, &none]),
    ]);
    assert_eq!(
        points(&imported),
        [
            vec!["b wall_time Lower: 5 ns"],
            vec!["b wall_time Lower: 4 ns", "b wall_time.2 Lower: 5 ns"],
            vec!["b wall_time Lower: 5 ns"],
        ]
    );
}

#[test]
fn what_says_the_same_of_a_direction_is_the_same_series() {
    let imported = read(&[
        (
            "customSmallerIsBetter",
            &[r#"{"name": "x", "value": 1, "unit": "B"}"#],
        ),
        (
            "customSmallerIsBetter",
            &[r#"{"name": "x", "value": 1, "unit": "B", "biggerIsBetter": false}"#],
        ),
    ]);
    assert_eq!(points(&imported)[0], points(&imported)[1]);
    assert!(problems(&imported).is_empty());
}

#[test]
fn no_unit_and_an_empty_one_stay_two() {
    let imported = read(&[
        ("cargo", &[r#"{"name": "x", "value": 1, "unit": ""}"#]),
        ("cargo", &[r#"{"name": "x", "value": 1}"#]),
    ]);
    let unit = |run: usize| {
        let entry = &imported.entries[run];
        imported.series[entry.series].rows()[0].unit.as_deref()
    };
    assert_eq!((unit(0), unit(1)), (Some(""), None));
}

#[test]
fn a_name_of_megabytes_is_in_no_set() {
    let bench = format!(
        r#"{{"name": "{}", "value": 3, "unit": "ns\t{}"}}"#,
        "n".repeat(9_000_000),
        "u".repeat(100)
    );
    let imported = read(&[("go", &[&bench])]);
    let row = &imported.series[0].rows()[0];
    assert_eq!(row.name.as_ref().unwrap().len(), 2048);
    let is_told = |text: &&str| text.contains("bytes of ranges, extras and other members");
    assert!(problems(&imported).iter().any(is_told));
}

/// So many that comparing each with all others would take minutes.
#[test]
fn many_values_of_one_name_are_soon_told_apart() {
    let of = |what: &str| -> Vec<String> {
        (0..20_000)
            .map(|number| {
                format!(
                    r#"{{"name": "b", "value": 1, "unit": "{what}{number}", "extra": "{number}"}}"#
                )
            })
            .collect()
    };
    let (first, second) = (of("u"), of("v"));
    let first: Vec<&str> = first.iter().map(|one| &**one).collect();
    let second: Vec<&str> = second.iter().map(|one| &**one).collect();
    let imported = read(&[("mine", &first), ("mine", &second)]);
    assert_eq!(imported.entries[1].points.len(), 20_000);
}

#[test]
fn a_long_unit_and_a_long_name_lose_no_value() {
    let unit = "x".repeat(40);
    let [first, second] = ["a", "b"].map(|last| format!("{}{last}", "n".repeat(1_100)));
    let bench = |name: &str| format!(r#"{{"name": "{name}", "value": 3, "unit": "{unit}"}}"#);
    let imported = read(&[("go", &[&bench(&first), &bench(&second)])]);
    let (name, cut) = ("n".repeat(1_024), "x".repeat(32));
    assert_eq!(
        points(&imported)[0],
        [
            format!("{name} {cut} Lower: 3 {cut}"),
            format!("{name} {cut}.2 Lower: 3 {cut}"),
        ]
    );
    let rows = imported.series[0].rows();
    assert_eq!(rows[1].name.as_deref(), Some(&*second));
    assert_eq!(rows[1].unit.as_deref(), Some(&*unit));
    let there = "n".repeat(200);
    assert_eq!(
        problems(&imported),
        [
            format!(
                "in suite `kv`, 2 of the series have a name that is cut or altered, such as `{there}…` of 1101 bytes, which is `{there}…` of 1024 bytes here; it goes back as it is"
            ),
            format!(
                "in suite `kv`, 2 of the series have a unit that is cut or altered, such as `{unit}` of 40 bytes, which is `{cut}` of 32 bytes here; it goes back as it is"
            ),
        ]
    );
}

#[test]
fn a_benchmark_may_say_itself_which_direction_is_better() {
    let [lower, higher] = [false, true].map(|is| {
        format!(r#"{{"name": "heap", "value": 1, "unit": "bytes", "biggerIsBetter": {is}}}"#)
    });
    let imported = read(&[("ndjson", &[&lower]), ("ndjson", &[&higher])]);
    assert_eq!(points(&imported)[0], ["heap bytes Lower: 1 B"]);
    assert_eq!(points(&imported)[1], ["heap bytes.2 Higher: 1 B"]);
    assert_eq!(
        members(&imported, 0),
        [Some(r#"[["biggerIsBetter",false]]"#)]
    );
}

#[test]
fn what_is_no_text_is_kept_as_it_is_or_told() {
    let imported = read(&[(
        "cargo",
        &[
            r#"{"name": "a", "value": 1, "unit": "ms", "range": 5, "extra": 12.5}"#,
            r#"{"name": "b", "value": "1.0", "unit": "ms", "by": "Ada <ada@example.org>", "of": "ada\u0040example.org", "on": [1, {"x": "y"}]}"#,
            r#"{"name": "c", "value": 1, "unit": "ms", "range": [1, [2]], "extra": {"p\"99": 0.10, "of": {"x": "y"}}}"#,
            r#"{"name": "d", "value": 1, "unit": "ms", "range": true, "extra": []}"#,
            r#"{"name": "e", "value": 1, "unit": "ms", "extra": {"by": "ada@example.org"}}"#,
            r#"{"name": "f", "value": 1, "unit": null, "range": null, "extra": null}"#,
            r#"{"name": "g", "value": 1, "unit": 5}"#,
        ],
    )]);
    assert_eq!(
        members(&imported, 0),
        [
            Some(r#"[["range",5],["extra",12.5]]"#),
            Some(r#"[["value","1.0"],["on",[1, {"x": "y"}]]]"#),
            Some(r#"[["range",[1,[2]]],["extra",{"p\"99":0.10,"of":{"x": "y"}}]]"#),
            Some(r#"[["range",true],["extra",[]]]"#),
            None,
            Some(r#"[["unit",null],["range",null],["extra",null]]"#),
            Some(r#"[["unit",5]]"#),
        ]
    );
    assert_eq!(imported.entries[0].points[0].ends(), (-4e6, 6e6));
    assert_eq!(
        problems(&imported),
        [
            "in suite `kv`, 1 of the runs (run 1) have values that are texts, which are taken as numbers",
            "in suite `kv`, 1 of the runs (run 1) have an `extra` that is neither text nor number, which is kept as it is",
            "in suite `kv`, 1 of the runs (run 1) have members that are not kept: those nobody here knows, and of a value those that may hold an address or are too many",
            "run 1 of suite `kv` and maybe others have ranges that are neither numbers nor texts, which are kept as they are",
        ]
    );
}

#[test]
fn a_unit_that_changes_and_a_rate_that_is_turned_are_told() {
    let imported = read(&[
        (
            "catch2",
            &[
                r#"{"name": "x", "value": 8, "unit": "us"}"#,
                r#"{"name": "x", "value": 8, "unit": "calls"}"#,
            ],
        ),
        (
            "catch2",
            &[
                r#"{"name": "x", "value": 874, "unit": "ns"}"#,
                r#"{"name": "x", "value": 8, "unit": "calls"}"#,
                r#"{"name": "y", "value": 5, "unit": "ops/s"}"#,
            ],
        ),
    ]);
    assert_eq!(
        problems(&imported),
        [
            "in suite `kv`, 1 of the runs (run 2) have benchmarks whose unit was another before, and is that of a series of its own",
            "in suite `kv`, 1 of the runs (run 2) have rates, of which more is taken to be better, though their tool says less",
        ]
    );
}

#[test]
fn a_deviation_whose_unit_was_left_out_reaches_nobody_knows_how_far() {
    let benches = [
        r#"{"name": "a", "value": 3.49964, "unit": "us", "range": "± 389.371"}"#,
        r#"{"name": "b", "value": 12, "unit": "ns", "range": "± 2"}"#,
        r#"{"name": "c", "value": 12, "unit": "us", "range": "± 2 us"}"#,
        r#"{"name": "d", "value": 12, "unit": "us", "range": "± 25%"}"#,
        r#"{"name": "e", "value": 12, "unit": "us", "range": 2}"#,
    ];
    let imported = read(&[("catch2", &benches), ("catch2", &benches)]);
    let entry = &imported.entries[0];
    let ends: Vec<(f64, f64)> = entry
        .points
        .iter()
        .map(tripline_model::Point::ends)
        .collect();
    let expected = [
        (3499.64, 3499.64),
        (12.0, 12.0),
        (10_000.0, 14_000.0),
        (9_000.0, 15_000.0),
        (12_000.0, 12_000.0),
    ];
    assert_eq!(ends, expected);
    let origin = entry.origin.as_ref().unwrap();
    let ranges: Vec<Option<&str>> = (0..4).map(|row| origin.ranges.of(row)).collect();
    let kept = ["± 389.371", "± 2", "± 2 us", "± 25%"].map(Some);
    assert_eq!(ranges, kept);
    assert_eq!(members(&imported, 0)[4], Some(r#"[["range",2]]"#));
    let told = "in suite `kv`, 2 of the runs (run 1, 2) have ranges of which their tool does not say the unit, which are kept as they are";
    assert_eq!(problems(&imported), [told]);
    // What other tools say of their own values is in the unit of the value.
    let imported = read(&[("cargo", &benches[..2])]);
    assert_eq!(imported.entries[0].points[1].ends(), (10.0, 14.0));
    assert!(problems(&imported).is_empty());
}

#[test]
fn a_time_whose_tool_takes_more_for_better_keeps_that_and_is_told() {
    let benches = [
        r#"{"name": "build", "value": 510.213, "unit": "ms"}"#,
        r#"{"name": "read", "value": 3, "unit": "ops/s"}"#,
    ];
    let imported = read(&[("customBiggerIsBetter", &benches)]);
    assert_eq!(
        points(&imported)[0],
        [
            "build ms Higher: 510213000 ns",
            "read item_throughput Higher: 3 1/s",
        ]
    );
    let told = "in suite `kv`, 1 of the runs (run 1) have times, of which more is taken to be better, because their tool says so";
    assert_eq!(problems(&imported), [told]);
    assert_eq!(imported.left_out, 0);
    // What a benchmark says of itself is meant, and a rate is as it should be.
    let own = r#"{"name": "uptime", "value": 3, "unit": "s", "biggerIsBetter": true}"#;
    let down = r#"{"name": "read", "value": 3, "unit": "s", "biggerIsBetter": false}"#;
    for (tool, bench) in [
        ("customSmallerIsBetter", own),
        ("customBiggerIsBetter", down),
        ("customBiggerIsBetter", benches[1]),
    ] {
        let imported = read(&[(tool, &[bench])]);
        assert!(problems(&imported).is_empty(), "{tool} {bench}");
    }
}

#[test]
fn a_problem_has_the_place_of_its_benchmark() {
    let imported = read(&[(
        "cargo",
        &[
            r#"{"name": "ok", "value": 1, "unit": "ns"}"#,
            "\n{\"name\": \"w/\\\"none\\\"\", \"value\": null, \"unit\": \"ns\"}",
        ],
    )]);
    let problem = &imported.problems[0];
    assert_eq!(
        problem.text,
        "benchmark `w/\"none\"` of run 1 of suite `kv` is left out: it has no value that is a number"
    );
    assert_eq!((problem.place.line, problem.place.column), (2, 33));
    assert_eq!(imported.left_out, 1);
}

#[test]
fn no_address_is_left_in_what_is_said_of_a_value() {
    let imported = read(&[(
        "customSmallerIsBetter",
        &[
            r#"{"name": "a", "value": 1, "unit": "s", "extra": "by ada@example.org", "range": "<bob@example.org>"}"#,
            r#"{"name": "a", "value": 2, "unit": "s", "extra": "by eve@example.org"}"#,
            r#"{"name": "b", "value": 1, "unit": "s", "by bob@example.org": "p"}"#,
            r#"{"name": "b", "value": 2, "unit": "s", "by bob@example.org": "q"}"#,
        ],
    )]);
    assert_eq!(imported.entries[0].points.len(), 4);
    assert!(
        !format!("{imported:?}").contains("example.org"),
        "{imported:?}"
    );
}

/// Reads a history of one run of a commit.
fn read_commit(id: &str) -> Result<Imported, String> {
    let history = format!(
        r#"{{"entries": {{"kv": [{{"commit": {{"id": "{id}"}}, "date": 1, "tool": "go", "benches": [{{"name": "a", "value": 1, "unit": "ns"}}]}}]}}}}"#
    );
    read_data_js("data.js", history.as_bytes()).map_err(|error| error.to_string())
}

#[test]
fn the_beginning_of_a_hash_is_kept_and_told() {
    let imported = read_commit("D802e3b").unwrap();
    let entry = &imported.entries[0];
    assert_eq!(entry.commit.as_str(), format!("d802e3b{}", "0".repeat(33)));
    let nearly = read_commit(&"d".repeat(39)).unwrap();
    assert_eq!(
        nearly.entries[0].commit.as_str(),
        format!("{}0", "d".repeat(39))
    );
    let origin = entry.origin.as_ref().unwrap();
    assert_eq!(origin.commit.id.as_deref(), Some("D802e3b"));
    let told: Vec<String> = imported.problems.iter().map(ToString::to_string).collect();
    assert!(
        told[0].contains("name only the beginning of their commit"),
        "{told:?}"
    );
    assert_eq!(imported.left_out, 0);
    for (id, digits) in [
        ("d80", "643830"),
        ("v1.2.3", "76312e322e33"),
        ("größe", "6772c3b6c39f65"),
    ] {
        let imported = read_commit(id).unwrap();
        let entry = &imported.entries[0];
        assert_eq!(entry.commit.as_str(), format!("{digits:0<40}"));
        let origin = entry.origin.as_ref().unwrap();
        assert_eq!(origin.commit.id.as_deref(), Some(id));
        assert!(
            imported.problems[0].text.contains("by what is no hash"),
            "{:?}",
            imported.problems
        );
        assert_eq!((imported.problems.len(), imported.left_out), (1, 0));
    }
    let long = "x".repeat(32);
    let commit = &read_commit(&long).unwrap().entries[0].commit;
    assert_eq!(commit.as_str(), "78".repeat(32));
    let (many, more) = ("d".repeat(41), "d".repeat(63));
    for id in ["", "ada@example.org", "a\\u001b", &many, &more] {
        let error = read_commit(id).unwrap_err();
        assert!(error.contains("40 or 64 hexadecimal digits"), "{error}");
    }
    let whole = read_commit(&"d".repeat(40)).unwrap();
    assert_eq!(whole.entries[0].origin.as_ref().unwrap().commit.id, None);
    assert_eq!(whole.problems, []);
}

#[test]
fn a_hash_with_more_behind_it_is_kept_and_told() {
    let hash = "fd7d3c3635fa5a6d2d9e9e9471ae43ca3f09cad0";
    let (more, longer) = (format!("{hash}ay"), format!("{hash}-{}", "x".repeat(256)));
    for id in [&*more, &longer, &format!("{hash} ada@example.org")] {
        assert!(read_commit(id).is_err(), "{id}");
    }
    for (id, digits, expected) in [
        (&*format!("{hash} (dirty)"), hash, "behind the hash"),
        (&*format!("{hash}-dirty"), hash, "behind the hash"),
        (
            "v12.34.56-alpha.1-123-gabcdef012345-dirty",
            "abcdef012345",
            "only the beginning",
        ),
        (
            "release-of-the-library-1.2.3-4-gABCDEF0",
            "abcdef0",
            "only the beginning",
        ),
    ] {
        let imported = read_commit(id).unwrap();
        let entry = &imported.entries[0];
        assert_eq!(entry.commit.as_str(), format!("{digits:0<40}"));
        let origin = entry.origin.as_ref().unwrap();
        assert_eq!(origin.commit.id.as_deref(), Some(id));
        assert!(imported.problems[0].text.contains(expected), "{id}");
        assert_eq!((imported.problems.len(), imported.left_out), (1, 0));
    }
    assert!(read_commit("release-of-the-library-for-everybody-1.2.3").is_err());
}

#[test]
fn half_of_a_pair_in_a_text_loses_nothing_else() {
    let history = |text: &str| {
        format!(
            "{{\"entries\": {{\"kv\": [\n{{\"commit\": {{\"id\": \"{:040}\", \"message\": \"{text}\"}}, \"date\": 1, \"tool\": \"go\", \"benches\": [{{\"name\": \"a\", \"value\": 1, \"unit\": \"ns\"}}]}}]}}}}",
            1
        )
    };
    let read = |text: &str| read_data_js("data.js", history(text).as_bytes()).unwrap();
    for (text, subject) in [
        (r"cut \ud83d", "cut \u{fffd}"),
        (r"\udc00\ud83d\ude00 all", "\u{fffd}\u{1f600} all"),
        (r"\ud83d\ud83d", "\u{fffd}\u{fffd}"),
        (r"\\ud83d \ud83d x", "\\ud83d \u{fffd} x"),
    ] {
        let imported = read(text);
        let said = imported.entries[0].subject.as_ref().unwrap();
        assert_eq!(said.as_str(), subject);
        let told: Vec<String> = imported.problems.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("half of a character"), "{told:?}");
        assert!(told[0].contains(":2:"), "{told:?}");
    }
    // A pair is no half.
    assert_eq!(read(r"\ud83d\ude00").problems, []);
}
