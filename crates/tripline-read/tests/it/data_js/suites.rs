//! What suites are called.

use tripline_model::SuiteName;
use tripline_read::{Imported, read_data_js_beside};

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
    let imported = read_data_js_beside("data.js", text.as_bytes(), &there).unwrap();
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
