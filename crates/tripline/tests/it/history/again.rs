//! A history is taken over again, and handed back to where it came from: nothing stands twice, and nothing gets lost.

use serde_json::{Value, json};

use super::{fetch, project, values, written_back};
use crate::project::Project;

fn run(commit: char, date: i64, value: f64) -> Value {
    json!({
        "commit": { "id": commit.to_string().repeat(40), "message": "m", "timestamp": "2024-05-06T07:08:09Z" },
        "date": 1_700_000_000_000_i64 + date,
        "tool": "cargo",
        "benches": [
            { "name": "get", "value": value, "unit": "ns/iter" },
            // As Go's, whose further results are others in each run.
            { "name": "put", "value": value, "unit": format!("ns/op\t {date} B/op"), "group": "a" },
        ],
    })
}

fn history(entries: &Value) -> String {
    json!({ "lastUpdate": 1, "repoUrl": "https://github.com/acme/demo", "entries": entries })
        .to_string()
}

fn import(project: &Project, entries: &Value) -> String {
    project.write("data.js", &history(entries));
    project
        .tripline(&["record", "--import", "data.js"])
        .with(0)
        .err
}

fn back(project: &Project) -> Value {
    let text = written_back(project);
    let json = text.strip_prefix("window.BENCHMARK_DATA = ").unwrap();
    serde_json::from_str(json).unwrap()
}

/// A late run and a twin stand behind runs that the service drops when there are too many.
#[test]
fn a_history_without_its_oldest_runs_brings_nothing_that_is_there() {
    let project = project();
    let all = [
        run('a', 300, 1.0),
        run('b', 100, 2.0),
        run('b', 100, 2.0),
        run('c', 200, 3.0),
        run('d', 400, 4.0),
    ];
    import(&project, &json!({ "kv": all }));
    let expected = back(&project);
    for dropped in 1..all.len() {
        let said = import(&project, &json!({ "kv": all[dropped..] }));
        let there = all.len() - dropped;
        assert!(said.contains(&format!("{there} run")), "{said}");
        assert!(said.contains("there already"), "{said}");
        assert_eq!(back(&project), expected, "without the first {dropped}");
    }
    // A run that is new is taken over, also where it is late.
    let new = run('e', 150, 5.0);
    import(&project, &json!({ "kv": [all[4], new] }));
    let runs = &back(&project)["entries"]["kv"];
    let commits = |runs: &Value| -> Vec<Value> {
        let runs = runs.as_array().unwrap().iter();
        runs.map(|run| run["commit"]["id"].clone()).collect()
    };
    let mut expected = commits(&expected["entries"]["kv"]);
    expected.push("e".repeat(40).into());
    assert_eq!(commits(runs), expected);
}

#[test]
fn suites_keep_their_order_and_their_whole_titles() {
    let project = project();
    let begin = "x".repeat(250);
    let titles = [
        "younger, and first".to_owned(),
        format!("{begin} one"),
        format!("{begin} two"),
        "two\nlines".to_owned(),
        "older, and last".to_owned(),
    ];
    let date = |place: usize| 1000 - 100 * i64::try_from(place).unwrap();
    let suites = titles.iter().enumerate();
    let suites: Vec<String> = suites
        .map(|(place, title)| {
            let runs = json!([run('a', date(place), 1.0)]);
            format!("{}: {runs}", Value::from(&**title))
        })
        .collect();
    let text = format!("{{\"entries\": {{{}}}}}", suites.join(", "));
    project.write("data.js", &text);
    project.tripline(&["record", "--import", "data.js"]).with(0);
    let text = written_back(&project);
    let places: Vec<usize> = titles
        .iter()
        .map(|title| text.find(&format!("{}: [", Value::from(&**title))).unwrap())
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    let back = back(&project);
    for (place, title) in titles.iter().enumerate() {
        let runs = back["entries"][title].as_array().unwrap();
        assert_eq!(runs.len(), 1);
        assert_eq!(runs[0]["date"], json!(1_700_000_000_000_i64 + date(place)));
    }
}

#[test]
fn a_title_that_no_record_can_hold_is_refused() {
    let project = project();
    let title = "x".repeat(5000);
    project.write("data.js", &history(&json!({ title: [run('a', 0, 1.0)] })));
    let done = project.tripline(&["record", "--import", "data.js"]).with(4);
    assert!(done.err.contains("nothing was recorded"), "{}", done.err);
    assert!(done.err.contains("a shorter title"), "{}", done.err);
}

#[test]
fn what_was_taken_over_from_a_file_is_not_added_to_it() {
    let project = project();
    project.tripline(&["record", "--import", "data.js"]).with(0);
    fetch(&project);
    let theirs = project.read("data.js");
    let read = |text: &str| -> Value {
        serde_json::from_str(text.strip_prefix("window.BENCHMARK_DATA = ").unwrap()).unwrap()
    };
    let add = |to: &str| {
        let args = [
            "convert",
            "--history",
            "--to",
            "data-js",
            "--add-to",
            to,
            "--out",
            "new.js",
        ];
        project.tripline(&args).with(0);
        read(&project.read("new.js"))
    };
    assert_eq!(values(&add("data.js")), values(&read(&theirs)));
    // What the file lacks is added.
    let mut fewer = read(&theirs);
    fewer["entries"]["Rust Benchmark"]
        .as_array_mut()
        .unwrap()
        .remove(1);
    project.write("fewer.js", &format!("window.BENCHMARK_DATA = {fewer}"));
    assert_eq!(values(&add("fewer.js")), values(&read(&theirs)));
}
