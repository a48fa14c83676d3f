//! How much the pairs of a session scattered is kept with the history, and the pages say which change so many pairs show.

use serde_json::Value;

use super::heard::{measure, record, records, repository};
use crate::repository::Repository;

/// Prints a time that is a little other each time.
fn unsteady(repository: &Repository) -> String {
    let count = repository.outside("count").display().to_string();
    format!(
        "n=$(cat '{count}' 2>/dev/null || echo 0); echo $((n + 1)) >'{count}'\n\
         echo \"get $((1000 + n * 7 % 11))\" | print_run"
    )
}

/// Makes the pages, and returns the only line of suite `kv`, and its page.
fn line(repository: &Repository) -> (Value, String) {
    repository
        .tripline(&["site", "--out", "target/pages"])
        .with(0);
    let read = |page: &str| std::fs::read_to_string(repository.at(&format!("target/pages/{page}")));
    let all: Value = serde_json::from_str(&read("data/benchmarks.json").unwrap()).unwrap();
    // What pairs do is neither a benchmark nor a metric.
    let names = all.as_array().unwrap().iter().map(|bench| &bench["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["get", "planted", "steady"]);
    let bench = &all[0];
    assert_eq!(bench["lines"].as_array().map(Vec::len), Some(1), "{all}");
    let line = &bench["lines"][0];
    let page = read(bench["page"].as_str().unwrap()).unwrap();
    (line.clone(), page)
}

/// Fetches what was recorded.
pub(super) fn fetch(repository: &Repository) {
    let branch = "tripline-data:refs/remotes/origin/tripline-data";
    repository.git(&["fetch", "--quiet", "origin", branch]);
}

#[test]
fn the_pages_say_which_change_so_many_pairs_show() {
    let repository = repository();
    repository.script(&unsteady(&repository));
    repository.commit();
    measure(&repository, &[]);
    record(&repository, 0);
    // The run, and what its pairs did.
    assert_eq!(records(&repository, "kv"), 2);
    let (first, page) = line(&repository);
    let pairs = &first["pairs"];
    assert_eq!(pairs["sessions"], 1, "{first}");
    let noise = pairs["noise"].as_f64().unwrap();
    assert!(0.0 < noise && noise < 0.02, "{noise}");
    let least = ["10", "20", "30"].map(|count| pairs["detectable"][count].as_f64().unwrap());
    assert!(
        least[0] > least[1] && least[1] > least[2] && least[2] > 0.02,
        "{least:?}"
    );
    assert!(
        page.contains("In 1 session with its base the pairs scatter by "),
        "{page}"
    );
    assert!(
        page.contains(": 10, 20, 30 pairs show a change of "),
        "{page}"
    );

    repository.write("notes.txt", "another commit\n");
    repository.commit();
    measure(&repository, &[]);
    record(&repository, 0);
    fetch(&repository);
    assert_eq!(line(&repository).0["pairs"]["sessions"], 2);
    // Nor is it among what is compared and counted.
    let ask = |args: &[&str]| {
        let asked = repository.tripline(&[&["history"], args].concat());
        asked.with(0).out
    };
    let compared = ask(&["compare", "HEAD~1", "HEAD"]);
    assert!(
        compared.contains(",wall_time,") && !compared.contains("pair_noise"),
        "{compared}"
    );
    let listed = ask(&["list"]);
    assert!(
        listed.contains("kv in debian-12-x86_64: 2 records"),
        "{listed}"
    );
    // Other services are told what was measured, and not how well.
    let csv = repository
        .tripline(&["convert", "--history", "--to", "csv"])
        .with(0);
    assert_eq!(
        csv.out.matches("kv,get,,wall_time,").count(),
        2,
        "{}",
        csv.out
    );
    assert!(!csv.out.contains("pair_noise"), "{}", csv.out);
}

#[test]
fn of_a_run_that_was_measured_alone_no_pairs_are_kept() {
    let repository = repository();
    repository.write(".gitignore", "target\nCargo.lock\n");
    repository.commit();
    measure(&repository, &[]);
    // What lies beside is of the session before.
    repository.tripline(&["measure"]).with(0);
    record(&repository, 0);
    assert_eq!(records(&repository, "kv"), 1);
    assert_eq!(line(&repository).0["pairs"], Value::Null);
}
