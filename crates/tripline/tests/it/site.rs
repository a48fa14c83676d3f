//! The trend pages: which history they show, in which order, and that nothing else is in their folder.

mod again;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::project::{Project, git};

/// How many commits there are.
const COMMITS: usize = 16;

/// From which commit on it is slower.
const SLOWER_FROM: usize = 10;

/// A project whose remote holds a history of all its commits but the first. Their dates go backwards, as those of commits
/// that were moved about do.
fn project() -> (Project, Vec<String>) {
    let project = Project::with_suite();
    let at = project.path();
    git(at, &["init", "--quiet", "--bare", "remote.git"]);
    git(at, &["init", "--quiet", "--initial-branch=main"]);
    git(at, &["config", "user.name", "Ada"]);
    git(at, &["config", "user.email", "ada@example.org"]);
    let remote = project.at("remote.git").display().to_string();
    git(at, &["remote", "add", "origin", &remote]);
    let mut ids = Vec::new();
    for number in 0..COMMITS {
        let message = format!("change {number} of <b>many</b>");
        git(at, &["commit", "--quiet", "--allow-empty", "-m", &message]);
        ids.push(git(at, &["rev-parse", "HEAD"]));
    }
    let run = |number: usize| {
        let minute = 59 - number;
        let value = if number < SLOWER_FROM { 100.0 } else { 125.0 };
        json!({
            "commit": { "id": ids[number], "message": "m", "timestamp": format!("2024-05-06T07:{minute}:09Z") },
            "date": 1_700_000_000_000_i64 - 1_000 * i64::try_from(number).unwrap(),
            "tool": "cargo",
            "benches": [{ "name": "get <b>", "value": value, "unit": "ns/iter" }],
        })
    };
    let runs: Vec<Value> = (1..COMMITS).map(run).collect();
    let history = json!({ "lastUpdate": 1, "repoUrl": "https://github.com/acme/demo", "entries": { "kv": runs } });
    project.write("data.js", &format!("window.BENCHMARK_DATA = {history}"));
    project.tripline(&["record", "--import", "data.js"]).with(0);
    let branch = "tripline-data:refs/remotes/origin/tripline-data";
    git(at, &["fetch", "--quiet", "origin", branch]);
    (project, ids)
}

/// Returns the changes that pages tell.
fn changes(project: &Project, pages: &str) -> Value {
    serde_json::from_str(&project.read(&format!("{pages}/data/changes.json"))).unwrap()
}

#[test]
fn commits_stand_as_first_parents_lead_whatever_their_dates() {
    let (project, ids) = project();
    let ended = project.tripline(&["site", "--out", "pages"]).with(0);
    assert!(ended.err.contains("1 line"), "{}", ended.err);
    let changes = changes(&project, "pages");
    assert_eq!(changes.as_array().unwrap().len(), 1, "{changes}");
    assert_eq!(changes[0]["commit"], ids[SLOWER_FROM]);
    assert_eq!(changes[0]["before"], 100.0);
    assert_eq!(changes[0]["after"], 125.0);
    assert_eq!(changes[0]["effect"], "worse");
    // Its values do not scatter: what shows is what the policy does not tolerate.
    let all: Value = serde_json::from_str(&project.read("pages/data/benchmarks.json")).unwrap();
    let least = all[0]["lines"][0]["detectable"]
        .as_f64()
        .expect("it is known");
    assert!((0.001..0.5).contains(&least), "{least}");
    let home = project.read("pages/index.html");
    assert!(home.contains("change 10 of &lt;b&gt;many&lt;/b&gt;"));
    assert!(home.contains("5 commits ago"));
}

/// The command of the workflow, in a checkout of an older commit than the newest that was measured.
#[test]
fn a_job_that_is_run_again_shows_the_newest_commit() {
    let (project, ids) = project();
    let at = project.path();
    git(at, &["push", "--quiet", "origin", "main"]);
    git(at, &["fetch", "--quiet", "origin"]);
    let tree = project.at("target/history").display().to_string();
    std::fs::create_dir_all(&tree).unwrap();
    let tree = ["--work-tree", &tree, "checkout", "--quiet"];
    git(
        at,
        &[&tree[..], &["origin/tripline-data", "--", "."]].concat(),
    );
    git(at, &["checkout", "--quiet", "--force", "--detach", &ids[5]]);
    let workflow = include_str!("../../../../.github/workflows/bench-main.yml");
    let line = workflow
        .lines()
        .find_map(|line| line.trim().strip_prefix("run: tripline site "));
    let (line, _) = line.expect("it makes pages").split_once(" ||").unwrap();
    let line = line.replace("\"origin/$GITHUB_REF_NAME\"", "origin/main");
    let args: Vec<&str> = std::iter::once("site").chain(line.split(' ')).collect();
    project.tripline(&args).with(0);
    let commits = project.read("target/pages/data/commits/0.js");
    let newest = ids.last().unwrap();
    assert!(commits.contains(newest), "{args:?} leaves {newest} out");
    assert_eq!(
        changes(&project, "target/pages")[0]["commit"],
        ids[SLOWER_FROM]
    );
}

#[test]
fn a_folder_of_a_history_needs_no_repository_and_the_pages_say_so() {
    let (project, ids) = project();
    let lone = Project::new();
    let folder = lone.at("history").display().to_string();
    let tree = "--work-tree";
    std::fs::create_dir(&folder).unwrap();
    git(
        project.path(),
        &[
            tree,
            &folder,
            "checkout",
            "--quiet",
            "origin/tripline-data",
            "--",
            ".",
        ],
    );
    lone.tripline(&["site", "--out", "pages", "--history", "history"])
        .with(0);
    let changes = changes(&lone, "pages");
    // By their dates the commits go the other way.
    assert_eq!(changes[0]["commit"], ids[SLOWER_FROM - 1]);
    assert_eq!(changes[0]["effect"], "better");
    let home = lone.read("pages/index.html");
    assert!(home.contains("There is no repository beside this history"));

    // What is damaged is named, and the rest is shown.
    let records = lone.at("history/records/kv/2023/11/14");
    let first = std::fs::read_dir(records).unwrap().next().unwrap().unwrap();
    std::fs::write(first.path(), "{").unwrap();
    let ended = lone
        .tripline(&["site", "--out", "pages", "--history", "history"])
        .with(4);
    assert!(ended.err.contains("is left out"), "{}", ended.err);
    assert!(lone.read("pages/index.html").contains("1 damaged file"));
}

#[test]
fn pages_are_only_written_where_pages_are() {
    let (project, _) = project();
    project.write("mine/notes.txt", "mine");
    let ended = project.tripline(&["site", "--out", "mine"]).with(4);
    assert!(ended.err.contains("no pages of ours"), "{}", ended.err);
    assert_eq!(project.read("mine/notes.txt"), "mine");

    project.tripline(&["site", "--out", "pages"]).with(0);
    let list = project.read("pages/.tripline-site");
    project.write("pages/b/gone/index.html", "old");
    project.write("pages/notes.txt", "mine");
    project.write(
        "pages/.tripline-site",
        &format!("b/gone/index.html\n../mine/notes.txt\n{list}"),
    );
    let ended = project.tripline(&["site", "--out", "pages"]).with(0);
    assert!(!project.at("pages/b/gone/index.html").exists());
    assert_eq!(project.read("pages/notes.txt"), "mine");
    assert_eq!(project.read("mine/notes.txt"), "mine");
    assert_eq!(project.read("pages/.tripline-site"), list);
    // Nothing new was measured: at most the first page, which says when it was made, is another.
    let few = ["0 of them", "1 of them"];
    assert!(
        few.iter().any(|few| ended.err.contains(few)),
        "{}",
        ended.err
    );
}

/// Where not everything could be written there is no first page: whoever deploys a folder asks for that.
#[test]
fn pages_that_are_not_complete_have_no_first_page() {
    let (project, _) = project();
    project.tripline(&["site", "--out", "pages"]).with(0);
    let list = project.read("pages/.tripline-site");
    for (name, other) in [("0", "badge"), ("1", "regressions.xml")] {
        let folder = format!("again{name}");
        project.write(&format!("{folder}/.tripline-site"), &list);
        // A folder in the place of a file, and a file in the place of a folder.
        match other {
            "badge" => project.write(&format!("{folder}/{other}"), "in the way"),
            _ => project.write(&format!("{folder}/{other}/in/the/way"), ""),
        }
        let ended = project.tripline(&["site", "--out", &folder]).with(4);
        assert!(ended.err.contains("not made completely"), "{}", ended.err);
        assert!(!project.at(&format!("{folder}/index.html")).exists());
    }
}

/// What lies beside the pages is a history: the pages of it are the same.
#[test]
fn the_whole_history_lies_beside_the_pages_if_it_is_asked_for() {
    let (project, _) = project();
    let site = ["site", "--title", "t", "--out"];
    project
        .tripline(&[&site[..], &["pages", "--parquet"]].concat())
        .with(0);
    let list: Vec<String> =
        serde_json::from_str(&project.read("pages/data/history/files.json")).unwrap();
    let blocks = list.iter().filter(|name| name.ends_with(".parquet"));
    assert_eq!(blocks.count(), 1, "{list:?}");
    assert!(
        project
            .read("pages/data/index.html")
            .contains("href=\"history/files.json\"")
    );
    let again = [&site[..], &["again", "--history", "pages/data/history"]].concat();
    project.tripline(&again).with(0);
    let table = "data/benchmarks.csv";
    assert_eq!(
        project.read(&format!("again/{table}")),
        project.read(&format!("pages/{table}"))
    );
    assert!(!project.at("again/data/history").exists());
}

/// What the project computes of its metrics today is computed of all of the history: at each commit of what was measured
/// there, and nowhere else.
#[test]
fn derived_metrics_have_a_history() {
    let (project, ids) = project();
    let run = |number: usize| {
        let value =
            |name: &str, value: usize| json!({ "name": name, "value": value, "unit": "ns/iter" });
        let mut benches = vec![value("slow", 10 * number * number)];
        // At one commit the other term was not measured.
        if number != 5 {
            benches.push(value("quick", 2 * number));
        }
        json!({
            "commit": { "id": ids[number], "message": "m", "timestamp": "2024-05-06T07:08:09Z" },
            "date": 1_700_000_000_000_i64 + i64::try_from(number).unwrap(),
            "tool": "cargo",
            "benches": benches,
        })
    };
    let runs: Vec<Value> = (1..COMMITS).map(run).collect();
    let history = json!({ "lastUpdate": 1, "repoUrl": "https://github.com/acme/demo", "entries": { "kv": runs } });
    project.write("more.js", &format!("window.BENCHMARK_DATA = {history}"));
    project.tripline(&["record", "--import", "more.js"]).with(0);
    let branch = "tripline-data:refs/remotes/origin/tripline-data";
    git(project.path(), &["fetch", "--quiet", "origin", branch]);
    let suite = project.read("bench/kv/suite.toml");
    let derived = "name = \"degradation\"\nabout = \"how much slower\"\nunit = \"ratio\"\nbetter = \"lower\"\n\
                   max = 3.0\nexpression = \"slow:wall_time / quick:wall_time\"\n";
    project.write(
        "bench/kv/suite.toml",
        &format!("{suite}\n[[derived]]\n{derived}"),
    );
    project.tripline(&["site", "--out", "pages"]).with(0);
    let table = project.read("pages/data/benchmarks.csv");
    let row = table.lines().find(|line| line.contains("degradation"));
    let row = row.expect(&table);
    let last = 5 * (COMMITS - 1);
    assert!(
        row.contains("ratio,imported")
            && row.contains(&ids[COMMITS - 1])
            && row.contains(&format!(",{last},{last},{last},")),
        "{row}"
    );
    // An odd number is five times that of a commit, and of no other value.
    let values = project.read("pages/data/at/0.js");
    let numbers: Vec<&str> = values.split(|c: char| !c.is_ascii_digit()).collect();
    let has = |number: &str| numbers.contains(&number);
    assert!(
        has("15") && has("35") && has("45") && !has("25"),
        "{values}"
    );
}

/// Nothing is written, and the address that is told leads to the first page.
#[test]
fn pages_are_handed_out_to_this_machine() {
    let (project, _) = project();
    let mut child = project
        .command(&["site", "--serve"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = said.map(Result::unwrap).find_map(|line| {
        let (_, address) = line.split_once("open http://")?;
        Some(address.split('/').next().unwrap().to_owned())
    });
    let address = address.expect("the address is told");
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answer.contains("change 10 of &lt;b&gt;many"), "{answer}");

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ended = project.tripline(&["site", "--serve", &port]).with(4);
    assert!(ended.err.contains("name another port"), "{}", ended.err);
    project.tripline(&["site"]).with(2);
}

#[test]
fn a_history_that_is_not_there_is_no_empty_one() {
    let project = Project::with_suite();
    git(
        project.path(),
        &["init", "--quiet", "--initial-branch=main"],
    );
    let ended = project.tripline(&["site", "--out", "pages"]).with(3);
    assert!(ended.err.contains("git fetch"), "{}", ended.err);
    let ended = project
        .tripline(&["site", "--out", "pages", "--history", "a b"])
        .with(2);
    assert!(
        ended.err.contains("neither a folder nor a branch"),
        "{}",
        ended.err
    );
}
