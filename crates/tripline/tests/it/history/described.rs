//! A metric that is described otherwise than before: it is compared with what it was only where that is the same.

use serde_json::Value;

use super::{fetch, measured, project, record};
use crate::project::Project;

fn recorded(project: &Project, value: u64, unit: &str, better: &str) {
    measured(project, ("lat", unit, better), value);
    record(project);
}

fn empty() -> Project {
    let project = project();
    project.write(".gitignore", "/target\n/remote.git\n/data.js\n");
    project
}

/// Makes the pages, and returns what they hold of lines and of changes, and what was said.
fn pages(project: &Project) -> (Value, Value, String) {
    fetch(project);
    let ended = project.tripline(&["site", "--out", "target/pages"]).with(0);
    let data = |name: &str| {
        let text = project.read(&format!("target/pages/data/{name}.json"));
        serde_json::from_str::<Value>(&text).unwrap()
    };
    (data("benchmarks"), data("changes"), ended.err)
}

#[test]
fn a_direction_that_was_put_right_holds_on_the_pages() {
    let project = empty();
    for nth in 0..16 {
        let better = if nth < 3 { "lower" } else { "higher" };
        let value = if nth < 8 { 100 } else { 50 };
        recorded(&project, value, "hits", better);
    }
    let (_, changes, _) = pages(&project);
    assert_eq!(changes.as_array().map(Vec::len), Some(1), "{changes}");
    assert_eq!(changes[0]["before"], 100.0);
    assert_eq!(changes[0]["effect"], "worse");
}

#[test]
fn values_in_two_units_are_not_compared() {
    let project = empty();
    for nth in 0..12 {
        let (value, unit) = if nth < 6 { (5, "MB") } else { (5_000, "KB") };
        recorded(&project, value, unit, "lower");
    }
    let (lines, changes, said) = pages(&project);
    assert_eq!(lines[0]["lines"][0]["unit"], "KB", "{lines}");
    assert_eq!(changes.as_array().map(Vec::len), Some(0), "{changes}");
    let left_out = "6 values of `lat` of `kv/get` (now in `KB`)";
    assert!(said.contains(left_out), "{said}");

    let compare = ["history", "compare", "HEAD~11", "HEAD"];
    let ended = project.tripline(&compare).with(0);
    let rows = ended.out.lines().skip(1);
    let rows: Vec<&str> = rows
        .filter_map(|row| Some(row.split_once(',')?.1))
        .collect();
    assert_eq!(rows, ["kv/get,lat,MB,5,,", "kv/get,lat,KB,,5000,"]);
}
