//! What was taken over comes back as it was: every member of every run, in its own unit and at its own place, and nothing
//! but the addresses of people is missing.

use serde_json::{Map, Value, json};

use super::{project, written_back};
use crate::project::Project;

/// Units of every kind: ours, multiples of ours, others, and what Go's benchmarks write.
const UNITS: &[&str] = &[
    "ns/iter",
    "us/iter",
    "ms",
    "s",
    "ops/sec",
    "MB/s",
    "GFLOP/s",
    "a unit of more bytes than one of ours may have",
    "KiB",
    "MiB",
    "%",
    "",
    "ns/op\t 12 B/op\t 0 allocs/op",
];

/// Ranges that say how far they reach in several ways, or not at all.
const RANGES: &[&str] = &[
    "± 2.3",
    "±1.5%",
    "± 0",
    "+/- 1,755",
    "stddev: 0.1",
    "± 2.30",
    "± 2.299999999999997",
    "",
];

fn benches(run: usize) -> Value {
    let mut benches = Vec::new();
    for (at, unit) in UNITS.iter().enumerate() {
        // Digits that a conversion to another unit and back would not leave as they are.
        let value = (run * 7 + at + 1) as f64 / 3.0 * 10_f64.powi(i32::try_from(at).unwrap() - 4);
        let sign = if (run + at).is_multiple_of(5) {
            -1.0
        } else {
            1.0
        };
        // As Go's, whose further results are others in each run.
        let unit = unit.replace("12", &format!("{}", 12 + run));
        let mut bench = json!({ "name": "one name", "value": sign * value, "unit": unit });
        let said = bench.as_object_mut().unwrap();
        if at % 3 != 2 {
            let range = RANGES[(run + at) % RANGES.len()];
            said.insert("range".into(), range.into());
        }
        if at % 4 != 3 {
            let extra = format!("{} times\n4 procs", 100 + run / 2);
            said.insert("extra".into(), extra.into());
        }
        benches.push(bench);
    }
    let long = "long ".repeat(200);
    for name in [
        "z last\tof all",
        "a {64}",
        "größe",
        "größe",
        long.trim(),
        "no unit",
    ] {
        benches.push(json!({ "name": name, "value": 12.5, "unit": "ns/iter", "extra": "" }));
    }
    let last = benches.last_mut().unwrap().as_object_mut().unwrap();
    last.remove("unit");
    let second = benches[1].as_object_mut().unwrap();
    second.insert("range".into(), json!(run));
    second.insert("extra".into(), json!(-12.5));
    second.insert("group".into(), json!("a \"group\" </script>"));
    second.insert("biggerIsBetter".into(), (run > 3).into());
    let third = benches[2].as_object_mut().unwrap();
    third.insert("extra".into(), json!({ "p99": 0.1, "all": [1.5, null] }));
    // The order of the values is theirs; it changes once.
    benches.rotate_left(if run < 5 { 3 } else { 4 });
    benches.into()
}

fn run(at: usize, date: i64, tool: &str, benches: Value) -> Value {
    let commit = format!("{:040x}", at + 1);
    json!({
        "commit": {
            "author": { "email": "ada@example.org", "name": "Ada", "username": "ada" },
            "committer": { "email": "noreply@github.com", "name": "GitHub", "username": "web-flow" },
            "distinct": at.is_multiple_of(2),
            "id": commit,
            "message": format!("commit {at}\n\nwith more"),
            "timestamp": "2024-05-06T07:08:09+02:00",
            "tree_id": commit,
            "url": format!("https://github.com/acme/demo/commit/{commit}"),
        },
        "date": date,
        "tool": tool,
        "benches": benches,
    })
}

/// Two suites, the runs of the first of which are not in the order in which they were measured.
fn theirs() -> Value {
    let at = |place: i64| 1_700_000_000_000 + 100_000 * place;
    let places = [1, 2, 9, 4, 3, 9, 10, 11, 11, 12];
    let mut runs: Vec<Value> = places
        .iter()
        .enumerate()
        .map(|(index, place)| run(index, at(*place), "cargo", benches(index)))
        .collect();
    // As who has a time in seconds writes it.
    runs[6]["date"] = json!(at(10) as f64 + 0.25);
    runs[8]["tool"] = json!("pytest");
    runs[7]["commit"]["id"] = json!("C0ffee7");
    runs[7].as_object_mut().unwrap().remove("tool");
    // The very same once more.
    runs.push(runs[9].clone());
    let other = json!([{ "name": "one", "value": 1, "unit": "iter/sec" }]);
    json!({
        "lastUpdate": at(14),
        "repoUrl": "https://github.com/acme/demo",
        "entries": {
            "Zoo Benchmark": runs,
            "a later one": [run(3, at(13), "pytest", other)],
        },
    })
}

/// Takes every address out, and makes no difference between 2 and 2.0.
fn without_addresses(value: &mut Value) {
    match value {
        Value::Number(number) => *value = json!(number.as_f64()),
        Value::Object(members) => {
            members.remove("email");
            members.values_mut().for_each(without_addresses);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_addresses),
        _ => {}
    }
}

fn handed_back(project: &Project) -> (Value, String) {
    let text = written_back(project);
    let json = text.strip_prefix("window.BENCHMARK_DATA = ").unwrap();
    let mut back = serde_json::from_str(json).unwrap();
    without_addresses(&mut back);
    (back, text)
}

#[test]
fn a_history_comes_back_as_it_was_but_for_addresses() {
    let project = project();
    let theirs = theirs();
    project.write("data.js", &theirs.to_string());
    project.tripline(&["record", "--import", "data.js"]).with(0);
    let (back, text) = handed_back(&project);
    assert!(!text.contains('@'), "{text}");
    let mut expected = theirs.clone();
    without_addresses(&mut expected);
    for (title, runs) in expected["entries"].as_object().unwrap() {
        for (at, run) in runs.as_array().unwrap().iter().enumerate() {
            assert_eq!(&back["entries"][title][at], run, "run {at} of {title}");
        }
    }
    assert_eq!(back, expected);
    let begins = |title: &str| text.find(&format!("\"{title}\": [")).unwrap();
    assert!(begins("Zoo Benchmark") < begins("a later one"));

    // What came back is the same history, and so is what was added to since.
    project.tripline(&["record", "--import", "back.js"]).with(0);
    let (again, _) = handed_back(&project);
    assert_eq!(again, expected);
    let mut longer = theirs;
    let runs = longer["entries"]["Zoo Benchmark"].as_array_mut().unwrap();
    runs.push(run(90, 1_800_000_000_000, "cargo", benches(0)));
    longer["lastUpdate"] = json!(1_800_000_000_000_i64);
    project.write("data.js", &longer.to_string());
    project.tripline(&["record", "--import", "data.js"]).with(0);
    without_addresses(&mut longer);
    assert_eq!(handed_back(&project).0, longer);
}

#[test]
fn what_is_not_needed_of_a_history_or_would_let_somebody_in_is_left_out_and_told() {
    let project = project();
    let mut theirs = theirs();
    theirs["lastUpdate"] = json!(null);
    theirs["repoUrl"] = json!("https://ada:ghp_0@github.com/acme/demo");
    let script = theirs.to_string();
    let script = script.replacen("\"lastUpdate\":null", "lastUpdate: Date.now()", 1);
    project.write("data.js", &script);
    let done = project.tripline(&["record", "--import", "data.js"]).with(0);
    for told in [
        "`lastUpdate` is no time that can be read",
        "`repoUrl` says by whom and with which password the page is read",
        "of the series have a name that is cut or altered, such as `z last\\tof all` of 13 bytes, which is `z last of all` of 13 bytes here",
        "of the series have a unit that is cut or altered, such as `a unit of more bytes",
    ] {
        assert!(done.err.contains(told), "{told}: {}", done.err);
    }
    let (back, text) = handed_back(&project);
    assert!(!text.contains("ghp_0"), "{text}");
    assert_eq!(back["repoUrl"], "https://github.com/acme/demo");
    let newest = back["entries"]["a later one"][0]["date"].clone();
    assert_eq!(back["lastUpdate"], newest);
}

#[test]
fn an_address_in_a_message_is_not_kept() {
    let project = project();
    let mut theirs = theirs();
    let commit = theirs["entries"]["a later one"][0]["commit"]
        .as_object_mut()
        .unwrap();
    let said = "fix, says bob@example.org\n\nSigned-off-by: Bob <bob@example.org>";
    commit.insert("message".into(), said.into());
    project.write("data.js", &theirs.to_string());
    project.tripline(&["record", "--import", "data.js"]).with(0);
    let (back, text) = handed_back(&project);
    assert!(!text.contains('@'), "{text}");
    let message = &back["entries"]["a later one"][0]["commit"]["message"];
    assert_eq!(
        message,
        "fix, says (address)\n\nSigned-off-by: Bob <(address)>"
    );
}

#[test]
fn what_is_odd_is_told_with_the_first_places() {
    let project = project();
    let mut theirs = theirs();
    let runs = theirs["entries"]["Zoo Benchmark"].as_array_mut().unwrap();
    runs[0]["date"] = Value::Null;
    runs[1]["date"] = json!("2023-11-15T00:00:00Z");
    project.write("data.js", &format!("{theirs:#}"));
    let done = project.tripline(&["record", "--import", "data.js"]).with(0);
    for told in [
        "1 of the runs (run 1) have no date that can be read",
        "1 of the runs (run 2) have a date that is a text",
        "1 of the runs (run 11) are of a commit that an earlier run is of",
        "of the runs (run 2, 3, 4, …) stand behind a run",
        "run 9 of suite `Zoo Benchmark` was made by `pytest`",
    ] {
        assert!(done.err.contains(told), "{told}: {}", done.err);
    }
}

#[test]
fn what_is_left_out_is_told_and_ends_with_a_code_and_the_rest_is_taken() {
    let project = project();
    let mut theirs = theirs();
    let runs = theirs["entries"]["Zoo Benchmark"].as_array_mut().unwrap();
    runs.truncate(3);
    runs[0]["date"] = json!("soon");
    runs[0]["commit"]["timestamp"] = json!("later");
    runs[1]["benches"] = json!([
        { "name": "null", "value": null, "unit": "ms" },
        { "name": "text", "value": "1.5 ms", "unit": "ms" },
        { "name": "good", "value": 1.5, "unit": "ms" },
    ]);
    project.write("data.js", &theirs.to_string());
    let done = project.tripline(&["record", "--import", "data.js"]).with(4);
    for told in [
        "run 1 of suite `Zoo Benchmark` is left out: it does not say when it was measured",
        "benchmark `null` of run 2 of suite `Zoo Benchmark` is left out: it has no value",
        "benchmark `text` of run 2 of suite `Zoo Benchmark` is left out: it has no value",
        "error: `data.js` was not taken over whole: 3 of its values, runs and suites left out",
    ] {
        assert!(done.err.contains(told), "{told}: {}", done.err);
    }
    let (back, _) = handed_back(&project);
    let runs = back["entries"]["Zoo Benchmark"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["benches"].as_array().unwrap().len(), 1);
    assert_eq!(runs[0]["benches"][0]["name"], "good");
}

#[test]
fn every_problem_is_to_be_had() {
    let project = project();
    let run = run(0, 1_700_000_000_000, "cargo", Value::Null);
    let entry = |at: usize| {
        let mut run: Map<String, Value> = run.as_object().unwrap().clone();
        let value = if at == 0 { json!(1) } else { Value::Null };
        let bench = json!([{ "name": format!("get {at}"), "value": value, "unit": "ns" }]);
        run.insert("benches".into(), bench);
        Value::Object(run)
    };
    let entries: Vec<Value> = (0..50).map(entry).collect();
    project.write(
        "data.js",
        &json!({ "entries": { "kv": entries } }).to_string(),
    );
    let args = ["record", "--import", "data.js", "--dry-run"];
    let done = project.tripline(&args).with(4);
    let whole =
        "error: `data.js` was not taken over whole: 98 of its values, runs and suites left out";
    assert!(done.err.contains(whole), "{}", done.err);
    assert_eq!(
        done.err.matches("warning: benchmark").count(),
        10,
        "{}",
        done.err
    );
    assert!(done.err.contains("and 78 more"), "{}", done.err);
    assert!(done.err.contains("--problems"), "{}", done.err);
    let all = [&args[..], &["--problems", "all.txt"]].concat();
    project.tripline(&all).with(4);
    let all = project.read("all.txt");
    assert_eq!(all.lines().count(), 98, "{all}");
    assert!(all.lines().all(|line| line.contains("data.js:")), "{all}");
    assert!(all.contains("`get 49`"), "{all}");
}
