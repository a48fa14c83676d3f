//! The tables: for spreadsheets, and for Otava.

use tripline_model::{Point, Spread};

use super::*;

/// Returns the lines of a table, its titles first.
fn table(form: &str, runs: &[Run]) -> Vec<Vec<String>> {
    let text = (exporter(form).unwrap().export)(&Export::of(runs))
        .unwrap()
        .to_string();
    let mut table = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let cells = |line: csv::StringRecord| line.iter().map(str::to_owned).collect();
    table.records().map(|line| cells(line.unwrap())).collect()
}

#[test]
fn suites_of_a_commit_share_a_row_and_otava_finds_a_number_in_every_cell() {
    let runs = [
        at(&counted("store", "get", 1.0), 'a', 100),
        at(&counted("p2p", "get", 2.0), 'a', 160),
        at(&counted("store", "get", 3.0), 'b', 200),
        at(&counted("store", "set", 4.0), 'b', 210),
        at(&counted("store", "get", 5.0), 'a', 300),
    ];
    let table = table("otava-csv", &runs);
    let titles = [
        "p2p/get instructions",
        "store/get instructions",
        "store/set instructions",
    ];
    assert_eq!(table[0][3..], titles);
    let numbers: Vec<&[String]> = table[1..].iter().map(|line| &line[3..]).collect();
    assert_eq!(numbers, [["2", "1", "4"], ["2", "3", "4"], ["2", "5", "4"]]);
    let times: Vec<&str> = table[1..].iter().map(|line| line[0].as_str()).collect();
    let seconds = ["00:01:40Z", "00:03:20Z", "00:05:00Z"];
    assert_eq!(times, seconds.map(|second| format!("1970-01-01T{second}")));
}

#[test]
fn values_of_a_series_stay_in_the_order_of_time_to_otava() {
    let count = |value| vec![reading(Metric::known("instructions").unwrap(), &[value])];
    let both = run("store", &[("a", &[], count(2.0)), ("b", &[], count(3.0))]);
    let runs = [
        at(&counted("store", "a", 1.0), 'a', 100),
        at(&both, 'a', 200),
        at(&counted("store", "b", 4.0), 'a', 300),
    ];
    let table = table("otava-csv", &runs);
    let numbers: Vec<&[String]> = table[1..].iter().map(|line| &line[3..]).collect();
    assert_eq!(numbers, [["1", "3"], ["2", "3"], ["2", "4"]]);
}

#[test]
fn runs_without_a_commit_share_no_row_to_otava() {
    let runs = [counted("store", "a", 1.0), counted("store", "b", 2.0)];
    assert_eq!(table("otava-csv", &runs).len(), 3);
}

#[test]
fn environments_are_columns_of_their_own_to_otava() {
    let here = at(&counted("store", "get", 1.0), 'a', 100);
    let mut there = at(&counted("store", "get", 9.0), 'a', 100);
    there.environment = Environment::new(EnvironmentName::new("imported").unwrap());
    let table = table("otava-csv", &[here, there]);
    let titles = [
        "store/get instructions debian-12-x86_64",
        "store/get instructions imported",
    ];
    assert_eq!(table[0][3..], titles);
    assert_eq!(table[1][2..], ["debian-12-x86_64 imported", "1", "9"]);
}

#[test]
fn environments_are_told_apart_in_a_table_and_in_a_history() {
    let here = at(&counted("store", "get", 1.0), 'a', 100);
    let mut there = at(&counted("store", "get", 9.0), 'a', 200);
    there.environment = Environment::new(EnvironmentName::new("elsewhere").unwrap());
    let runs = [here, there];
    let lines = table("csv", &runs);
    let cells: Vec<[&str; 2]> = lines[1..]
        .iter()
        .map(|line| [&*line[7], &*line[13]])
        .collect();
    assert_eq!(cells, [["1", "debian-12-x86_64"], ["9", "elsewhere"]]);
    let history = exported("external-data-json", &runs);
    for (suite, value) in [("store", 1.0), ("store on elsewhere", 9.0)] {
        let entries = history["entries"][suite].as_array().unwrap();
        assert_eq!(entries.len(), 1, "{suite}");
        assert_eq!(entries[0]["benches"][0]["value"], value, "{suite}");
    }
}

#[test]
fn cells_that_nobody_measured_are_counted_to_otava() {
    let notes = |runs: &[Run]| {
        let told = Export::of(runs);
        let exported = (exporter("otava-csv").unwrap().export)(&told).unwrap();
        exported.notes().map(str::to_owned).collect::<Vec<String>>()
    };
    let (get, set) = (counted("store", "get", 1.0), counted("store", "set", 2.0));
    let runs = [at(&get, 'a', 100), at(&set, 'b', 200)];
    let said = "2 of 4 cells hold the value before or after, because their commits have none and Otava takes no empty one";
    assert_eq!(notes(&runs), [said]);
    assert_eq!(notes(&runs[..1]), [""; 0]);
}

#[test]
fn texts_of_a_table_can_be_told_apart() {
    let one = || vec![reading(Metric::known("instructions").unwrap(), &[1.0])];
    let measured: Vec<Measured<'_>> = vec![
        ("=x", &[], one()),
        ("'=x", &[], one()),
        ("y", &[("a", "1,b=2")], one()),
        ("y", &[("a", "1"), ("b", "2")], one()),
    ];
    let lines = table("csv", &[run("store", &measured)]);
    let keys: BTreeSet<&[String]> = lines[1..].iter().map(|line| &line[1..3]).collect();
    assert_eq!(keys.len(), 4, "{keys:?}");
}

#[test]
fn what_a_history_kept_of_values_is_told_as_what_it_is() {
    let quartiles = Spread::Quartiles {
        low: 4.0,
        high: 9.5,
        count: 30,
    };
    let kept = |name, center, spread| Reading {
        metric: metric(name, Better::Lower),
        sample: Sample::of_point(&Point { center, spread }).unwrap(),
    };
    let readings = vec![
        kept("own", 5.0, quartiles),
        kept("single", 6.0, Spread::Nothing),
        kept("theirs", 105.5, Spread::Reach(110.3)),
    ];
    let runs = [run("store", &[("get", &[], readings)])];
    let lines = table("csv", &runs);
    let numbers: Vec<&[String]> = lines[1..].iter().map(|line| &line[7..11]).collect();
    assert_eq!(numbers[0], ["5", "4", "9.5", "30"]);
    assert_eq!(numbers[1], ["6", "6", "6", "1"]);
    assert_eq!(numbers[2][0], "105.5");
    assert_eq!(numbers[2][3], "", "nobody said how many there were");
    let list = exported("custom-smaller-is-better", &runs);
    assert_eq!(list[0]["range"], "± 4.5");
    assert_eq!(list[0]["extra"], "30 values, the middle half from 4 to 9.5");
    assert_eq!(list[1].get("range"), None);
    assert_eq!(list[2]["range"], "± 110.3");
    assert_eq!(list[2].get("extra"), None);
    let lines = (exporter("benchstat").unwrap().export)(&Export::of(&runs));
    let lines = lines.unwrap().to_string();
    let values = lines.lines().filter(|line| line.starts_with("Benchmark"));
    assert_eq!(
        values.collect::<Vec<_>>(),
        ["BenchmarkGet\t1\t5 own\t6 single\t105.5 theirs"]
    );
}
