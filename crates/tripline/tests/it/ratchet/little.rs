//! What is worse by too little to be stopped adds up against its old value, whatever else of a line gets better.

use super::{accept, counts, kept, kept_run, measured};
use crate::project::{Ended, Project};

const DERIVED: &str = r#"
[[derived]]
name = "beside"
about = "what reading takes beside writing"
expression = "get:instructions / set:instructions"
unit = "ratio"
better = "lower"
"#;

fn updated(project: &Project, get: u64, set: u64, code: i32) -> Ended {
    measured(project, get, set);
    project.tripline(&["baseline", "update"]).with(code)
}

/// Updates with another count of `get` beside its instructions, and returns both as they are kept.
fn kept_with(project: &Project, metric: &str, instructions: u64, other: u64) -> [f64; 2] {
    let text = crate::project::run_file(&[("get", instructions), ("set", 2_000_000)]);
    let about =
        format!(r#""metrics":{{"{metric}":{{"unit":"count","better":"lower","nature":"exact"}},"#);
    let reading = format!(r#""readings":{{"{metric}":{{"values":[{other}]}},"#);
    let text = text
        .replacen(r#""metrics":{"#, &about, 1)
        .replacen(r#""readings":{"#, &reading, 1);
    project.write("bench/kv/head.jsonl", &text);
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let run = kept_run(project);
    let get = run.measurements().next().unwrap();
    let value = |name: &str| {
        let mut readings = get.readings();
        let reading = readings.find(|it| it.metric.name.as_str() == name);
        reading.unwrap().sample.values()[0]
    };
    [value(metric), value("instructions")]
}

#[test]
fn what_is_a_little_worse_keeps_its_line_until_it_adds_up() {
    let project = kept();
    let ended = updated(&project, 1_001_500, 1_900_000, 0);
    for said in [
        "`kv/get` keeps its line: it got worse",
        "tripline baseline accept 'get'",
    ] {
        assert!(ended.err.contains(said), "{}", ended.err);
    }
    assert!(ended.out.contains("1 benchmark kept"), "{}", ended.out);
    assert_eq!(counts(&project), [1_000_000.0, 1_900_000.0]);
    updated(&project, 1_003_000, 1_900_000, 10);
}

#[test]
fn a_line_that_changes_for_one_metric_loosens_no_other() {
    let project = kept();
    let with_allocations = |instructions: u64, allocations: u64| {
        kept_with(&project, "allocations", instructions, allocations)
    };
    with_allocations(1_000_000, 100);
    assert_eq!(with_allocations(1_000_900, 99), [99.0, 1_000_000.0]);
}

#[test]
fn a_line_that_gains_a_metric_keeps_what_is_a_little_worse() {
    let project = kept();
    let values = kept_with(&project, "allocations", 1_001_500, 100);
    assert_eq!(values, [100.0, 1_000_000.0]);
}

#[test]
fn what_was_nothing_and_is_below_its_floor_stays_nothing() {
    let project = kept();
    let floor = "[[policy]]\nbecause = \"pages\"\nmetric = \"heap_peak\"\nfloor = 4096\n";
    project.append("bench/kv/suite.toml", floor);
    for (before, held) in [(0, 0.0), (10, 10.0)] {
        kept_with(&project, "heap_peak", 1_000_000, before);
        let values = kept_with(&project, "heap_peak", 900_000, 4_000);
        assert_eq!(values, [held, 900_000.0]);
        std::fs::remove_dir_all(project.at("baselines")).unwrap();
    }
}

#[test]
fn what_is_derived_and_a_little_worse_keeps_the_lines_of_its_terms_until_it_adds_up() {
    let project = kept();
    let gates = "warn = \"10 %\"\nfail = \"10 %\"\n";
    project.append("bench/kv/suite.toml", &format!("{DERIVED}{gates}"));
    let ended = updated(&project, 1_000_000, 1_840_000, 0);
    for said in [
        "note: `kv/get` keeps its line: `kv/beside` beside, which is computed from it, got worse",
        "note: `kv/set` keeps its line: `kv/beside` beside, which is computed from it, got worse",
        "tripline baseline accept 'beside'",
    ] {
        assert!(
            ended.err.contains(said),
            "`{said}` is not in\n{}",
            ended.err
        );
    }
    assert!(ended.out.contains("nothing changed"), "{}", ended.out);
    assert_eq!(counts(&project), [1_000_000.0, 2_000_000.0]);
    let ended = updated(&project, 1_000_000, 1_680_000, 10);
    let said = "beside beside: 0.5 became 0.5952";
    assert!(ended.err.contains(said), "{}", ended.err);
    accept(&project, &["beside", "--because", "writing is faster now"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    assert_eq!(counts(&project), [1_000_000.0, 1_680_000.0]);
}

#[test]
fn what_is_kept_beside_lines_that_stay_is_counted() {
    let project = kept();
    let twice = DERIVED.replace("\"beside\"", "\"twice_beside\"");
    let twice = twice.replace("get:instructions /", "get:instructions * 2 /");
    project.append("bench/kv/suite.toml", &format!("{DERIVED}{twice}"));
    project.measures(&[("get", 1_000_000), ("set", 1_997_000), ("top", 7)]);
    project.tripline(&["measure"]).with(0);
    let ended = project.tripline(&["baseline", "update"]).with(0);
    assert!(ended.out.contains(": 1 benchmark kept"), "{}", ended.out);
    assert_eq!(counts(&project), [1_000_000.0, 2_000_000.0, 7.0]);
}

#[test]
fn within_the_tolerance_of_what_is_derived_a_gain_is_kept() {
    let project = kept();
    let wide = "tolerance = \"5 %\"\nwarn = \"10 %\"\nfail = \"10 %\"\n";
    project.append("bench/kv/suite.toml", &format!("{DERIVED}{wide}"));
    let ended = updated(&project, 500_000, 980_000, 0);
    assert!(!ended.err.contains("keeps its line"), "{}", ended.err);
    assert_eq!(counts(&project), [500_000.0, 980_000.0]);
}

/// Each of its terms changed by too little to be said, so that no line would change for its own sake.
#[test]
fn a_gain_of_what_is_derived_is_kept_in_the_lines_of_its_terms() {
    let project = kept();
    let overhead = r#"
[[derived]]
name = "overhead"
about = "what writing takes beyond reading"
expression = "set:instructions - get:instructions"
unit = "count"
better = "lower"
"#;
    project.append("bench/kv/suite.toml", overhead);
    project.write("tripline.toml", "[outcomes]\nstale = \"fail\"\n");
    updated(&project, 1_000_000, 1_010_000, 0);
    measured(&project, 1_000_000, 1_009_500);
    project.tripline(&["check"]).with(10);
    let ended = project.tripline(&["baseline", "update"]).with(0);
    assert!(!ended.out.contains("nothing changed"), "{}", ended.out);
    assert_eq!(counts(&project), [1_000_000.0, 1_009_500.0]);
    project.tripline(&["check"]).with(0);
    // Beside the old value of a term that is a little worse it would be stale for ever.
    let ended = updated(&project, 1_000_300, 1_009_000, 0);
    let said = "note: instructions of `kv/get` is kept as it was measured: beside its old value `kv/overhead` overhead";
    assert!(ended.err.contains(said), "{}", ended.err);
    assert_eq!(counts(&project), [1_000_300.0, 1_009_000.0]);
    project.tripline(&["check"]).with(0);
}

const SAVED: &str = r#"
[[derived]]
name = "overhead"
about = "what both take beyond all"
expression = "a:instructions + c:instructions - b:instructions"
unit = "count"
better = "lower"
"#;

/// Keeps three counts, then updates with others, and returns that. The same are checked.
fn kept_and_checked(more: &str, kept: [u64; 3], head: [u64; 3]) -> (Ended, Vec<f64>) {
    let project = Project::with_suite();
    project.append("bench/kv/suite.toml", &format!("{SAVED}{more}"));
    let update = |[a, b, c]: [u64; 3]| {
        project.measures(&[("a", a), ("b", b), ("c", c)]);
        project.tripline(&["measure"]).with(0);
        project.tripline(&["baseline", "update"]).with(0)
    };
    update(kept);
    let ended = update(head);
    project.tripline(&["check"]).with(0);
    (ended, counts(&project))
}

#[test]
fn no_baseline_is_written_that_the_same_code_is_worse_than() {
    let before = [500_000, 1_000_000, 510_000];
    // What was too little to be said is taken, within the tolerance of what is derived as well.
    let wide = "tolerance = \"1 %\"\nwarn = \"1 %\"\nfail = \"1 %\"\n";
    for (more, head) in [
        ("", [500_400, 1_000_000, 509_520]),
        (wide, [500_450, 1_000_000, 509_480]),
    ] {
        let (ended, kept) = kept_and_checked(more, before, head);
        let said = "note: instructions of `kv/a` is kept as it was measured: beside its old value `kv/overhead` overhead, which is computed from it, would get a value that was never measured";
        assert!(ended.err.contains(said), "{}", ended.err);
        assert_eq!(kept, head.map(|count| count as f64));
    }
    // What is said keeps its line until it is taken on purpose.
    let (ended, kept) = kept_and_checked("", before, [500_750, 1_000_000, 509_000]);
    let said = "note: `kv/c` keeps its line beside others that do: `kv/overhead` overhead";
    assert!(ended.err.contains(said), "{}", ended.err);
    assert_eq!(kept, before.map(|count| count as f64));
}

#[test]
fn a_term_that_is_a_little_worse_keeps_its_value_where_that_changes_nothing() {
    let project = kept();
    let sum = SAVED.replace("a:instructions + c:", "get:instructions + set:");
    let sum = sum.replace(" - b:instructions", "");
    project.append("bench/kv/suite.toml", &sum);
    updated(&project, 1_000_500, 1_900_000, 0);
    assert_eq!(counts(&project), [1_000_000.0, 1_900_000.0]);
    project.tripline(&["check"]).with(0);
}
