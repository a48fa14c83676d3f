//! A history is taken over again, and handed back to where it came from: nothing stands twice, and nothing gets lost.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::heard::{measure, record, repository};
use super::scatter::fetch as fetch_data;
use super::{fetch, in_a_job, project, values, written_back};
use crate::project::{Ended, Project, git};

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
fn a_suite_that_stands_twice_keeps_the_runs_of_both() {
    let project = project();
    let (a, b, c) = (run('a', 1, 1.0), run('b', 2, 2.0), run('c', 3, 3.0));
    let text = format!(r#"{{"entries": {{"s": [{a}, {b}], "t": [{a}], "s": [{a}, {b}, {c}]}}}}"#);
    project.write("data.js", &text);
    let import = ["record", "--import", "data.js"];
    let said = project.tripline(&import).with(0).err;
    assert!(said.contains("there called `s`: 5 runs"), "{said}");
    let commits = |runs: &Value| -> Vec<Value> {
        let runs = runs.as_array().unwrap().iter();
        runs.map(|run| run["commit"]["id"].clone()).collect()
    };
    let [a, b, c] = ["a", "b", "c"].map(|commit| Value::from(commit.repeat(40)));
    let expected = [a.clone(), b.clone(), a, b, c];
    assert_eq!(commits(&back(&project)["entries"]["s"]), expected);
    let said = project.tripline(&import).with(0).err;
    assert!(said.contains("6 runs of them there already"), "{said}");
}

#[test]
fn another_history_of_the_same_title_is_told() {
    let project = project();
    let odd = [run('a', 100, 1.0), run('b', 300, 1.0), run('c', 500, 1.0)];
    let even = [run('a', 200, 9.0), run('b', 400, 9.0), run('c', 600, 9.0)];
    let is_told = |said: &str| said.contains("new run");
    let import = |entries: &Value| {
        let said = import(&project, entries);
        fetch(&project);
        said
    };
    for kept in 1..=odd.len() {
        let said = import(&json!({ "kv": odd[..kept] }));
        assert!(!is_told(&said), "{said}");
    }
    let said = import(&json!({ "kv": even, "other": even }));
    let expected = "warning: suite `kv` has 2 new runs among those that are there: if they are of another history that calls a suite `kv`, rename it in the file first (`--dry-run` keeps nothing)";
    assert_eq!(said.matches("new run").count(), 1, "{said}");
    assert!(said.contains(expected), "{said}");
    let said = import(&json!({ "kv": even }));
    assert!(!is_told(&said), "{said}");
}

/// Whoever changes over has a history before there is any suite.
#[test]
fn a_repository_without_a_suite_takes_a_history_over_and_shows_it() {
    let project = project();
    std::fs::remove_dir_all(project.at("bench")).unwrap();
    std::fs::create_dir(project.at("below")).unwrap();
    let all = [run('a', 100, 1.0), run('b', 200, 2.0)];
    import(&project, &json!({ "kv": all }));
    assert_eq!(back(&project)["entries"]["kv"].as_array().unwrap().len(), 2);
    let below = |args: &[&str]| {
        let output = project
            .command(args)
            .current_dir(project.at("below"))
            .output();
        Ended::of(output.unwrap(), project.path())
    };
    let listed = below(&["history", "list"]).with(0).out;
    assert!(listed.contains("kv"), "{listed}");
    let said = below(&["history", "compact", "--records", "1"]).with(0).err;
    assert!(said.contains("pushed"), "{said}");
    below(&["site", "--out", "pages"]).with(0);
    assert!(project.at("below/pages/index.html").is_file());
    // What needs a suite still says so, and nothing is found where there is no repository.
    let said = below(&["record"]).with(3).err;
    assert!(said.contains("no suite was found"), "{said}");
    std::fs::remove_dir_all(project.at(".git")).unwrap();
    let said = below(&["record", "--import", "../data.js"]).with(3).err;
    assert!(said.contains("no suite was found"), "{said}");
}

#[test]
fn a_history_goes_to_the_repository_that_is_meant_and_to_no_other_around() {
    let project = project();
    std::fs::create_dir_all(project.at("inner/below")).unwrap();
    let inner = project.at("inner");
    let import = |root: Option<&str>| {
        let mut command = project.command(&["record", "--import", "../../data.js"]);
        command.current_dir(project.at("inner/below"));
        command.args(root.iter().flat_map(|root| ["--root", root]));
        Ended::of(command.output().unwrap(), project.path())
    };
    // A folder that is named is none, or is no repository.
    for root in ["nowhere", "../below"] {
        let said = import(Some(root)).with(3).err;
        assert!(said.contains("no suite was found"), "{said}");
    }
    git(&inner, &["init", "--quiet", "--bare", "../inner.git"]);
    git(&inner, &["init", "--quiet", "--initial-branch=main"]);
    git(&inner, &["remote", "add", "origin", "../inner.git"]);
    import(None).with(0);
    git(&project.at("inner.git"), &["branch", "-D", "tripline-data"]);
    import(Some("..")).with(0);
    assert!(git(&project.at("remote.git"), &["branch"]).is_empty());
    assert!(git(&project.at("inner.git"), &["branch"]).contains("tripline-data"));
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

/// Returns how many values of the history each suite has below a thousand, and how many above.
fn small_and_large(project: &Project) -> Vec<(String, usize, usize)> {
    fetch(project);
    let args = ["convert", "--history", "--to", "csv"];
    let table = project.tripline(&args).with(0).out;
    let mut rows = table.lines().map(|line| line.split(','));
    let head: Vec<&str> = rows.next().unwrap().collect();
    let at = |name: &str| head.iter().position(|one| *one == name).unwrap();
    let mut suites: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for row in rows {
        let row: Vec<&str> = row.collect();
        let value: f64 = row[at("value")].parse().unwrap();
        let (small, large) = suites.entry(row[at("suite")].to_owned()).or_default();
        *(if value < 1000.0 { small } else { large }) += 1;
    }
    let all = suites.into_iter();
    all.map(|(suite, (small, large))| (suite, small, large))
        .collect()
}

#[test]
fn titles_of_one_slug_are_two_suites_whichever_file_they_stand_in() {
    let project = project();
    let (plus, sharp) = ([run('a', 100, 1.0)], [run('a', 150, 9000.0)]);
    import(&project, &json!({ "C++ Benchmark": plus }));
    fetch(&project);
    let said = import(&project, &json!({ "C# Benchmark": sharp }));
    let told =
        "suite `C# Benchmark` is called `c-benchmark-2`, because another is called `c-benchmark`";
    assert!(said.contains(told), "{said}");
    fetch(&project);
    // A title keeps its name, also where another stands in front of it that was not there before.
    let sharp = [sharp[0].clone(), run('b', 250, 9100.0)];
    let said = import(
        &project,
        &json!({ "C Benchmark": plus, "C# Benchmark": sharp }),
    );
    assert!(said.contains("is called `c-benchmark-3`"), "{said}");
    assert!(!said.contains("suite `C# Benchmark` is called"), "{said}");
    let expected = [
        ("c-benchmark", 2, 0),
        ("c-benchmark-2", 0, 4),
        ("c-benchmark-3", 2, 0),
    ];
    let expected = expected.map(|(suite, small, large)| (suite.to_owned(), small, large));
    assert_eq!(small_and_large(&project), expected);
}

#[test]
fn a_suite_of_ones_own_keeps_its_name_to_itself() {
    let project = project();
    project.write(".gitignore", "/target\n/remote.git\n/data.js\n");
    let at = project.path();
    git(at, &["add", "bench", ".gitignore"]);
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    git(
        at,
        &[&who[..], &["commit", "--quiet", "--message=x"]].concat(),
    );
    project.tripline(&["measure"]).with(0);
    let head = git(at, &["rev-parse", "HEAD"]);
    in_a_job(&project, &["record"], "main", &head).with(0);
    fetch(&project);
    let said = import(&project, &json!({ "KV": [run('a', 100, 1.0)] }));
    let told = "suite `KV` is called `kv-2`, because another is called `kv`";
    assert!(said.contains(told), "{said}");
    let expected = [("kv".to_owned(), 0, 2), ("kv-2".to_owned(), 2, 0)];
    assert_eq!(small_and_large(&project), expected);
}

#[test]
fn a_history_of_another_repository_is_told() {
    let project = project();
    let speed = json!({ "speed": [run('a', 100, 1.0)] });
    let said = import(&project, &speed);
    assert!(!said.contains("the history of"), "{said}");
    fetch(&project);
    let other = history(&speed).replace("acme/demo", "acme/other");
    project.write("data.js", &other);
    let done = project.tripline(&["record", "--import", "data.js"]).with(0);
    let told = "warning: suite `speed` was taken over from the history of https://github.com/acme/demo before, and this one is of https://github.com/acme/other";
    assert!(done.err.contains(told), "{}", done.err);
}

/// Each tool has its own order, and numbers are written as JavaScript writes them.
#[test]
fn a_run_comes_back_with_its_members_in_their_order() {
    let project = project();
    let ranged = r#""range": "± 5","#;
    let orders = [
        ("cargo", [ranged, r#""unit": "ns","#]),
        ("benchmarkjs", [ranged, r#""unit": "ops/sec","#]),
        ("catch2", [ranged, r#""unit": "us","#]),
        ("pytest", [r#""unit": "iter/sec","#, ranged]),
        ("benchmarkdotnet", [r#""unit": "ns","#, ranged]),
        ("customSmallerIsBetter", [r#""unit": "apples","#, ranged]),
        ("benchmarkluau", [r#""unit": "ms","#, ranged]),
    ];
    let benches = orders.map(|(tool, [third, fourth])| {
        let bench =
            format!(r#"{{ "name": "a", "value": 1.5e+21, {third} {fourth} "extra": "e" }}"#);
        (tool, bench)
    });
    let suites = benches.clone().map(|(tool, bench)| {
        let commit = r#"{ "id": "0123456789abcdef0123456789abcdef01234567" }"#;
        format!(r#""{tool}": [{{ "commit": {commit}, "date": 1700000000000, "tool": "{tool}", "benches": [{bench}] }}]"#)
    });
    let text = format!("{{ \"entries\": {{ {} }} }}", suites.join(", "));
    project.write("data.js", &text);
    project.tripline(&["record", "--import", "data.js"]).with(0);
    let back = written_back(&project);
    let words: Vec<&str> = back.split_whitespace().collect();
    let back = words.join(" ");
    for (tool, bench) in benches {
        let run = format!(r#""tool": "{tool}", "benches": [ {bench} ]"#);
        assert!(back.contains(&run), "{run}\n{back}");
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

#[test]
fn a_clone_that_knows_nothing_of_the_branch_adds_nothing_a_second_time() {
    let project = project();
    let all = [run('a', 300, 1.0), run('b', 400, 2.0)];
    import(&project, &json!({ "kv": all }));
    let expected = back(&project);
    // What a job checks out is one commit of one branch.
    let reference = "refs/remotes/origin/tripline-data";
    git(project.path(), &["update-ref", "-d", reference]);
    let later = history(&json!({ "kv": all })).replace("\"lastUpdate\":1", "\"lastUpdate\":2");
    project.write("data.js", &later);
    let import = || project.tripline(&["record", "--import", "data.js"]);
    let refused = import().with(5);
    let mut said = refused.err.split('`');
    let fetch = said.rfind(|said| said.starts_with("git fetch "));
    let fetch = fetch.expect("it says how").replace('\'', "");
    let fetch: Vec<&str> = fetch.split(' ').skip(1).collect();
    git(project.path(), &fetch);
    assert_eq!(back(&project), expected);
    let said = import().with(0);
    assert!(
        said.err.contains("2 runs of them there already"),
        "{}",
        said.err
    );
    assert_eq!(back(&project), expected);
}

#[test]
fn our_own_runs_that_were_handed_on_are_not_taken_for_others() {
    let repository = repository();
    repository.git(&["commit", "--quiet", "--amend", "--message", "mesuré"]);
    // What a person's git writes for its terminal is not what is kept.
    repository.git(&["config", "i18n.logOutputEncoding", "latin1"]);
    measure(&repository, &[]);
    record(&repository, 0);
    fetch_data(&repository);
    let hand_on = |place: &str| {
        let args = ["convert", "--history", "--to", "data-js", "--out", place];
        repository.tripline(&args).with(0);
        std::fs::read_to_string(repository.at(place)).unwrap()
    };
    let theirs = hand_on("target/data.js");
    let message = "\"message\": \"mesuré\"";
    assert!(theirs.contains(message), "{message}: {theirs}");
    let args = ["record", "--import", "target/data.js"];
    let said = repository.tripline(&args).with(0);
    assert!(said.err.contains("there already"), "{}", said.err);
    fetch_data(&repository);
    assert_eq!(hand_on("target/again.js"), theirs);
}
