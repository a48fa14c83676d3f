//! What trials found, a line for each suite of a run, so that what one evening measures is added to what another did; and
//! what all of it comes to.
//!
//! Tested below, on reports as the program writes them.

use std::{collections::BTreeMap, fs, io::Write as _, path::Path};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Of a change so many digits are kept: a hundredth of a percent.
const DIGITS: f64 = 1e4;

/// The metrics of which errors are told by suite: those that one or the other of decides.
const ERRORS_OF: [&str; 2] = ["cpu_time", "wall_time"];

/// A change by more is none that anybody compares.
const RATIO_MAX: f64 = 1e6;

/// What one run found of one suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Found {
    suite: String,
    commit: String,
    processor: String,
    /// Whether something is planted in the head. Otherwise what is found is error, and a failure is a false alarm.
    planted: bool,
    failed: bool,
    /// What was judged by pairs.
    pairs: Vec<Judged>,
}

/// A benchmark, its metric, the change (head divided by base, less one), the number of pairs, verdict and gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Judged(String, String, Option<f64>, Option<u64>, String, String);

impl Found {
    pub(crate) fn of(report: &Value, planted: bool) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let head = &report["head"];
        let findings = report["findings"].as_array().into_iter().flatten();
        Self {
            suite: text(&report["suite"]),
            commit: text(&head["revision"]["commit"]),
            processor: text(&head["environment"]["facts"]["cpu_model"]),
            planted,
            failed: report["gate"] == "fail",
            pairs: findings.filter_map(judged).collect(),
        }
    }
}

fn judged(finding: &Value) -> Option<Judged> {
    let evidence = &finding["evidence"];
    // A limit that is crossed takes the place of the pairs as the method; what the pairs said is there still.
    if evidence["method"] != "paired" && evidence["confidence"].is_null() {
        return None;
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let params = finding["params"].as_object().into_iter().flatten();
    let params: Vec<String> = params
        .map(|(key, value)| format!("{key}={}", text(value)))
        .collect();
    let bench = match params.as_slice() {
        [] => text(&finding["benchmark"]),
        params => format!("{}{{{}}}", text(&finding["benchmark"]), params.join(",")),
    };
    // The kernel tells times of no ticks at all, beside which any other is without measure.
    let change = evidence["change"]["ratio"].as_f64();
    let change = change.filter(|ratio| *ratio < RATIO_MAX);
    Some(Judged(
        bench,
        text(&finding["metric"]),
        change.map(|ratio| ((ratio - 1.0) * DIGITS).round() / DIGITS),
        evidence["head"]["count"].as_u64(),
        text(&finding["verdict"]),
        text(&finding["gate"]),
    ))
}

/// Reads what was kept of earlier runs; nothing where there is no file yet.
pub(crate) fn kept_in(place: &Path) -> Result<Vec<Found>> {
    if !place.exists() {
        return Ok(Vec::new());
    }
    let shown = place.display();
    let text = fs::read_to_string(place).with_context(|| format!("`{shown}` was not read"))?;
    let lines = text.lines().zip(1..);
    lines
        .map(|(line, number)| {
            serde_json::from_str(line)
                .with_context(|| format!("`{shown}` holds no run in line {number}"))
        })
        .collect()
}

/// Adds a run to what is kept.
pub(crate) fn keep(place: &Path, all: &[Found]) -> Result<()> {
    let mut lines = String::new();
    for found in all {
        lines += &serde_json::to_string(found)?;
        lines.push('\n');
    }
    let file = fs::OpenOptions::new().append(true).create(true).open(place);
    file.and_then(|mut file| file.write_all(lines.as_bytes()))
        .with_context(|| format!("`{}` was not added to", place.display()))
}

/// What was found of one benchmark and metric, in all runs.
#[derive(Default)]
struct Series {
    changes: Vec<f64>,
    pairs: Vec<f64>,
    failed: u32,
    regressed: u32,
    undecided: u32,
}

/// How the runs of one suite ended.
#[derive(Default)]
struct Ends {
    runs: u32,
    failed: u32,
    /// Readings that were judged by pairs, in all runs, and how many were called better or worse.
    readings: usize,
    called: usize,
    undecided: usize,
}

/// Suite, benchmark and metric.
type Key<'f> = (&'f str, &'f str, &'f str);

/// Says as Markdown how the runs of equal sides ended, by suite.
pub(crate) fn ends(all: &[Found]) -> String {
    let mut suites: BTreeMap<&str, Ends> = BTreeMap::new();
    for found in all.iter().filter(|found| !found.planted) {
        let ends = suites.entry(&found.suite).or_default();
        let are = |verdicts: &[&str]| {
            let judged = found.pairs.iter();
            judged.filter(|one| verdicts.contains(&&*one.4)).count()
        };
        ends.runs += 1;
        ends.failed += u32::from(found.failed);
        ends.readings += found.pairs.len();
        ends.called += are(&["regressed", "improved"]);
        ends.undecided += are(&["inconclusive"]);
    }
    let head = "| suite | runs | failed | judged by pairs | called better or worse | undecided |\n\
                | --- | --- | --- | --- | --- | --- |\n";
    let rows = suites.iter().map(|(suite, ends)| {
        let Ends {
            runs,
            failed,
            readings,
            called,
            undecided,
        } = ends;
        format!("| `{suite}` | {runs} | {failed} | {readings} | {called} | {undecided} |\n")
    });
    rows.fold(head.to_owned(), |table, row| table + &row)
}

/// Says as Markdown by how much equal sides differed, by suite: each change of each run is an error.
pub(crate) fn errors(all: &[Found]) -> String {
    let mut suites: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for found in all.iter().filter(|found| !found.planted) {
        for Judged(_, metric, change, ..) in &found.pairs {
            let is_time = ERRORS_OF.contains(&metric.as_str());
            let errors = suites.entry((&found.suite, metric));
            if let (true, Some(change)) = (is_time, change) {
                errors.or_default().push(change.abs());
            }
        }
    }
    let head = "| suite | metric | changes | within 0.5 % | within 2 % | median error | nine of ten below | largest |\n\
                | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    let rows = suites.iter_mut().map(|((suite, metric), errors)| {
        errors.sort_by(f64::total_cmp);
        let (middle, largest) = (median(errors), errors.last().copied());
        let most = errors[(errors.len() * 9).div_ceil(10) - 1];
        let [middle, most, largest] = [middle, most, largest.unwrap_or(f64::NAN)].map(percent);
        let changes = errors.len();
        let within = |bar: f64| errors.iter().filter(|error| **error <= bar).count();
        let [short, long] = [0.005, 0.02].map(|bar| percent(within(bar) as f64 / changes as f64));
        format!(
            "| `{suite}` | `{metric}` | {changes} | {short} | {long} | {middle} | {most} | {largest} |\n"
        )
    });
    rows.fold(head.to_owned(), |table, row| table + &row)
}

/// Says all of it as Markdown.
pub(crate) fn table(all: &[Found]) -> String {
    let head = "| benchmark | metric | equal sides: largest error | median error | false failures | undecided | pairs, median |\n\
                | --- | --- | --- | --- | --- | --- | --- |\n";
    let equal = series(all, false)
        .into_iter()
        .map(|((_, bench, metric), found)| {
            let errors: Vec<f64> = found.changes.iter().map(|change| change.abs()).collect();
            let (largest, middle) = (
                errors.iter().copied().fold(f64::NAN, f64::max),
                median(&errors),
            );
            format!(
                "| `{bench}` | `{metric}` | {} | {} | {} | {} | {} |\n",
                percent(largest),
                percent(middle),
                found.failed,
                found.undecided,
                median(&found.pairs)
            )
        });
    let planted_head = "| planted | metric | found | regressed | failed | pairs, median |\n\
                        | --- | --- | --- | --- | --- | --- |\n";
    let planted = series(all, true)
        .into_iter()
        .map(|((_, bench, metric), found)| {
            let runs = found.changes.len();
            format!(
                "| `{bench}` | `{metric}` | {} | {} of {runs} | {} of {runs} | {} |\n",
                percent(median(&found.changes)),
                found.regressed,
                found.failed,
                median(&found.pairs)
            )
        });
    let equal: String = equal.collect();
    let planted: String = planted.collect();
    let (ends, errors) = (ends(all), errors(all));
    format!("{head}{equal}\n{planted_head}{planted}\n{ends}\n{errors}")
}

fn series(all: &[Found], planted: bool) -> BTreeMap<Key<'_>, Series> {
    let mut series: BTreeMap<Key<'_>, Series> = BTreeMap::new();
    for found in all.iter().filter(|found| found.planted == planted) {
        for Judged(bench, metric, change, pairs, verdict, gate) in &found.pairs {
            let one = series.entry((&found.suite, bench, metric)).or_default();
            one.changes.extend(change);
            one.pairs.extend(pairs.map(|pairs| pairs as f64));
            one.failed += u32::from(gate == "fail");
            one.regressed += u32::from(verdict == "regressed");
            one.undecided += u32::from(verdict == "inconclusive");
        }
    }
    series
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        count => f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
    }
}

/// Where no run found a change there is no error of any size.
fn percent(share: f64) -> String {
    match share.is_nan() {
        true => "unknown".to_owned(),
        false => format!("{:.2} %", share * 100.0),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn report(gate: &str, ratio: f64, verdict: &str) -> Value {
        let finding = serde_json::json!({
            "benchmark": "kv/get", "params": {"bytes": "64"}, "metric": "cpu_time", "verdict": verdict, "gate": gate,
            "evidence": {"method": "paired", "change": {"ratio": ratio}, "head": {"count": 12}}
        });
        let count = serde_json::json!({"benchmark": "kv/get", "metric": "instructions", "evidence": {"method": "exact"}});
        let facts = serde_json::json!({"cpu_model": "a processor"});
        let head =
            serde_json::json!({"revision": {"commit": "c0ffee"}, "environment": {"facts": facts}});
        serde_json::json!({"suite": "store", "gate": gate, "head": head, "findings": [finding, count]})
    }

    fn found() -> Vec<Found> {
        let runs = [
            (report("pass", 1.001, "unchanged"), false),
            (report("fail", 1.03, "regressed"), true),
            (report("fail", 0.98, "regressed"), false),
            (report("pass", 1.01, "inconclusive"), true),
        ];
        runs.map(|(report, planted)| Found::of(&report, planted))
            .to_vec()
    }

    #[test]
    fn errors_alarms_and_catches_are_counted() {
        let table = table(&found());
        for row in [
            "| `kv/get{bytes=64}` | `cpu_time` | 2.00 % | 1.05 % | 1 | 0 | 12 |",
            "| `kv/get{bytes=64}` | `cpu_time` | 2.00 % | 1 of 2 | 1 of 2 | 12 |",
            "| `store` | 2 | 1 | 2 | 1 | 0 |",
            "| `store` | `cpu_time` | 2 | 50.00 % | 100.00 % | 1.05 % | 2.00 % | 2.00 % |",
        ] {
            assert!(table.contains(row), "{row} is missing:\n{table}");
        }
        assert!(!table.contains("instructions"));
    }

    #[test]
    fn a_limit_that_pairs_crossed_is_kept_and_a_change_without_measure_is_not() {
        let mut crossed = report("fail", 1e200, "regressed");
        crossed["findings"][0]["evidence"]["method"] = "budget".into();
        assert_eq!(Found::of(&crossed, false).pairs, []);
        crossed["findings"][0]["evidence"]["confidence"] = 0.99.into();
        let found = Found::of(&crossed, false);
        let [Judged(_, _, change, _, _, gate)] = &*found.pairs else {
            panic!("one was judged by pairs");
        };
        assert_eq!((*change, &**gate), (None, "fail"));
        let row = "| `kv/get{bytes=64}` | `cpu_time` | unknown | unknown | 1 | 0 | 12 |";
        let table = table(&[found]);
        assert!(table.contains(row), "{table}");
    }

    #[test]
    fn what_is_kept_is_added_to_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("trials.jsonl");
        assert_eq!(kept_in(&place).unwrap(), []);
        for run in found() {
            keep(&place, &[run]).unwrap();
        }
        assert_eq!(kept_in(&place).unwrap(), found());
        fs::write(&place, "{}\n").unwrap();
        let error = kept_in(&place).unwrap_err().to_string();
        assert!(
            error.ends_with("trials.jsonl` holds no run in line 1"),
            "{error}"
        );
    }

    /// Returns the page that claims something of trials, and what was kept of them.
    fn methodology(trials: &str) -> (String, Vec<Found>) {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let kept = kept_in(&docs.join(trials)).unwrap();
        assert!(!kept.is_empty(), "the trials were moved");
        let page = fs::read_to_string(docs.join("METHODOLOGY.md")).unwrap();
        (page, kept)
    }

    /// The commits of the trials in which neither side was the first to be warmed up in each launch.
    const IN_RANDOM_ORDER: [&str; 2] = ["b33eca12", "c927056b"];

    /// The commit of the trials of the canary alone.
    const OF_CANARY_ALONE: &str = "c927056b";

    /// Returns the rows of a table that stands between two comments.
    fn rows_between<'p>(page: &'p str, mark: &str) -> Vec<&'p str> {
        let (_, behind) = page
            .split_once(&format!("<!-- {mark}: begin -->\n"))
            .unwrap();
        let (rows, _) = behind.split_once(&format!("<!-- {mark}: end -->")).unwrap();
        rows.lines().filter(|row| row.starts_with("| `")).collect()
    }

    #[test]
    fn the_methodology_says_what_the_trials_of_the_canary_alone_came_to() {
        let (page, kept) = methodology("trials.jsonl");
        // A run is told in the order of its reports: equal sides first, and then what is planted.
        let alone = kept.windows(2).filter(|run| {
            let are_canaries = run.iter().all(|found| found.suite == "canary");
            are_canaries && !run[0].planted && run[1].planted
        });
        // Those before are of an older way to time both sides, and stand in the tables of all runs.
        let alone = alone.filter(|run| run[0].commit.starts_with(OF_CANARY_ALONE));
        let alone: Vec<Found> = alone.flatten().cloned().collect();
        let claimed = rows_between(&page, "canary");
        let decides = |row: &&str| {
            let metric = match row.contains("loopback") {
                true => "wall_time",
                false => "cpu_time",
            };
            row.starts_with("| `c") && row.contains('/') && row.contains(metric)
        };
        let table = table(&alone);
        let computed: Vec<&str> = table.lines().filter(decides).collect();
        assert_eq!(claimed, computed);
        assert_eq!(alone.len(), 2 * 20, "the page says twenty");
    }

    #[test]
    fn the_methodology_says_what_the_canary_came_to_before_the_random_order() {
        let (page, kept) = methodology("trials.jsonl");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let before: Vec<Found> = kept
            .into_iter()
            .filter(|found| found.commit.starts_with("ec5fc038") && found.suite == "canary")
            .collect();
        let errors = series(&before, false);
        let largest = |decides: &str, is_meant: &dyn Fn(&str) -> bool| {
            let meant = errors
                .iter()
                .filter(|((_, bench, metric), _)| *metric == decides && is_meant(bench));
            let errors = meant.flat_map(|(_, found)| &found.changes);
            percent(errors.map(|change| change.abs()).fold(f64::NAN, f64::max))
        };
        let is_loopback = |bench: &str| bench.contains("loopback");
        let is_of_processor = |bench: &str| {
            bench.starts_with("control/") && !bench.ends_with("memory") && !bench.ends_with("wake")
        };
        let claim = format!(
            "equal sides were {} apart at most in `canary/*` but for loopback, up to {} in the controls that are the \
             processor's work and up to {} over loopback",
            largest("cpu_time", &|bench| bench.starts_with("canary/")
                && !is_loopback(bench)),
            largest("cpu_time", &is_of_processor),
            largest("wall_time", &is_loopback)
        );
        assert!(page.contains(&claim), "the page does not say: {claim}");
    }

    #[test]
    fn the_methodology_says_what_the_trials_of_turns_came_to() {
        let (page, kept) = methodology("trials-turns.jsonl");
        let table = table(&kept);
        let computed: Vec<&str> = table
            .lines()
            .filter(|row| row.starts_with("| `turns/"))
            .collect();
        assert_eq!(rows_between(&page, "turns"), computed);
        let row = "| `transport` | 20 | 0 | 60 | 0 | 15 |";
        assert!(
            table.contains(row),
            "the page says that none of 60 was called better or worse"
        );
    }

    #[test]
    fn the_methodology_says_what_the_trials_came_to() {
        let (page, kept) = methodology("trials.jsonl");
        for rows in [ends(&kept), errors(&kept)] {
            // A blank line ends the table, so that no row stands behind those that are.
            assert!(
                page.contains(&format!("{rows}\n")),
                "docs/METHODOLOGY.md lacks the table:\n{rows}"
            );
        }
    }

    #[test]
    fn the_methodology_says_how_many_of_the_store_are_far_off_and_what_they_were_called() {
        let (page, kept) = methodology("trials.jsonl");
        let of_store = kept.iter().filter(|found| found.suite == "store");
        let times = of_store.flat_map(|found| &found.pairs);
        let far_off = times.filter(|Judged(_, metric, change, ..)| {
            let is_far_off = change.is_some_and(|change| change.abs() > 0.1);
            is_far_off && ERRORS_OF.contains(&metric.as_str())
        });
        let far_off: Vec<&Judged> = far_off.collect();
        let called = |verdict: &str| far_off.iter().filter(|it| it.4 == verdict).count();
        let (worse, better) = (called("regressed"), called("improved"));
        assert_eq!(worse + better + called("inconclusive"), far_off.len());
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for claim in [
            format!("The {} of the store that are beyond 10 %", far_off.len()),
            format!("{worse} were called worse, {better} better, and all others are undecided"),
        ] {
            assert!(page.contains(&claim), "the page does not say: {claim}");
        }
    }

    #[test]
    fn the_methodology_says_how_many_keep_to_what_was_aimed_at_in_every_run() {
        let (page, kept) = methodology("trials.jsonl");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let errors = series(&kept, false);
        for (suite, of) in [("store", "of the store's"), ("self", "of `self`'s")] {
            let times = errors
                .iter()
                .filter(|((of, _, metric), _)| (*of, *metric) == (suite, "cpu_time"));
            let times: Vec<&Series> = times.map(|(_, series)| series).collect();
            let is_within = |bar: f64| {
                let keeps = |found: &&&Series| found.changes.iter().all(|it| it.abs() <= bar);
                times.iter().filter(keeps).count()
            };
            let claim = format!(
                "{} {of} {} benchmarks keep to 0.5 % in every run, and {} to 2 %",
                is_within(0.005),
                times.len(),
                is_within(0.02)
            );
            assert!(page.contains(&claim), "the page does not say: {claim}");
        }
    }

    /// Returns how often the head of equal sides took less of the processor's time than the base: `7 of 10`.
    fn heads_quicker<'f>(kept: impl Iterator<Item = &'f Found>, suite: &str) -> String {
        let equal = kept.filter(|found| found.suite == suite && !found.planted);
        let times = equal.flat_map(|found| &found.pairs);
        let changes = times.filter(|it| it.1 == "cpu_time").filter_map(|it| it.2);
        let changes: Vec<f64> = changes.filter(|change| *change != 0.0).collect();
        let quicker = changes.iter().filter(|it| **it < 0.0).count();
        let said = |count: usize| match count {
            1_000.. => format!("{},{:03}", count / 1_000, count % 1_000),
            _ => count.to_string(),
        };
        format!("{} of {}", said(quicker), said(changes.len()))
    }

    #[test]
    fn the_methodology_says_how_often_the_head_of_equal_sides_was_the_quicker_one() {
        let (page, kept) = methodology("trials.jsonl");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_in_random_order = |found: &&Found| {
            let mut commits = IN_RANDOM_ORDER.iter();
            commits.any(|commit| found.commit.starts_with(commit))
        };
        let before = || kept.iter().filter(|found| !is_in_random_order(found));
        let claims = [
            ("store", "changes of the store"),
            ("self", "of `self`"),
            ("transport", "in the transport"),
            ("canary", "in the canary"),
        ];
        let claims = claims.map(|(suite, of)| format!("{} {of}", heads_quicker(before(), suite)));
        let since = |suite| heads_quicker(kept.iter().filter(is_in_random_order), suite);
        let (store, canary) = (since("store"), since("canary"));
        let since = format!("in {store} changes of the store and {canary} of the canary since");
        for claim in claims.iter().chain([&since]) {
            assert!(page.contains(claim), "the page does not say: {claim}");
        }
    }
}
