//! The stages that are measured, each called as the `tripline` binary calls it, without its files.
//!
//! Tests: each stage at smoke size, against what the inputs were made to hold.

use serde::de::IgnoredAny;
use tripline_history::{Archive, File, Kept};
use tripline_judge::Policy;
use tripline_model::wire::read_run;
use tripline_model::{Environment, EnvironmentName, Measurement, Producer, Report, Run, SuiteName};
use tripline_read::{Input, Observation, read_data_js, split_data_js};
use tripline_render::{Color, Detail, Existing, Export, Taken, View};

/// Nobody's terminal: Markdown has no width and no colour.
const VIEW: View = View::new(80, Color::Plain, Detail::Brief);

/// The two runs that are judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs {
    /// The run that is compared with.
    pub base: Run,
    /// The run that is judged.
    pub head: Run,
}

/// What the runs state of where they were measured. It is a list of its own: with a fact more in the model's table the
/// input stays the same, and so do the answers.
const FACTS: [&str; 24] = [
    "target",
    "rustc",
    "profile",
    "built_with",
    "rustflags",
    "libc",
    "counted_cpu",
    "glibc_tunables",
    "valgrind",
    "iai_callgrind",
    "gungraun",
    "go",
    "python",
    "aslr",
    "executable_path",
    "cpu_model",
    "cpu_features",
    "cores",
    "runner_image",
    "os",
    "kernel",
    "criterion",
    "lock_file",
    "machine",
];

/// Reads what a harness wrote, and puts a run together.
///
/// # Panics
/// The input holds something that cannot be read, which the inputs of this suite do not.
#[must_use]
pub fn read(input: &Input) -> Run {
    run_of("iai-callgrind", input)
}

/// Reads what Criterion left on the disk, and puts a run together.
///
/// # Panics
/// The input holds something that cannot be read, which the inputs of this suite do not.
#[must_use]
pub fn read_tree(input: &Input) -> Run {
    run_of("criterion", input)
}

fn run_of(harness: &str, input: &Input) -> Run {
    let adapter = tripline_read::adapter(harness).expect("the adapter is in the list");
    let mut run = empty_run();
    let observed = adapter
        .read(input, &run.suite)
        .expect("the input has the harness's form");
    assert!(observed.problems.is_empty(), "{:?}", observed.problems);
    for observation in observed.observations {
        let Observation {
            bench,
            readings,
            answer,
            caveats,
        } = observation;
        Measurement::new(bench, readings, answer, caveats)
            .ok()
            .and_then(|measurement| run.insert(measurement).ok())
            .expect("each benchmark stands once, and has readings");
    }
    run
}

/// Takes a whole history over, as `tripline record --import` does before git takes it.
///
/// # Panics
/// The text is no such history, which that of this suite is, or one too large to be kept.
#[must_use]
pub fn import(data_js: impl AsRef<[u8]>) -> Vec<File> {
    let imported = read_data_js("data.js", data_js.as_ref()).expect("the text is a history");
    assert!(imported.problems.is_empty(), "{:?}", imported.problems);
    tripline_history::keep(&imported.series, &environment(), imported.entries)
        .expect("its files are as long as may be")
}

/// Goes through the same text and keeps nothing: what reading JSON takes at the least.
///
/// # Panics
/// The text is no JSON, which that of this suite is.
pub fn import_floor(data_js: &str) {
    let json = data_js.trim_start_matches("window.BENCHMARK_DATA = ");
    serde_json::from_str::<IgnoredAny>(json).expect("the text is JSON");
}

/// Compares a run with a baseline as it lies in the repository, and makes the files that the history grows by.
///
/// # Panics
/// The baseline is none, or the runs do not belong together.
#[must_use]
pub fn append(baseline: &str, head: &Run) -> (Report, Vec<File>) {
    let base = read_run(baseline.as_bytes()).expect("the text is a baseline");
    let report = tripline_judge::judge(Some(&base), head, &Policy::standard())
        .expect("both runs are of one suite and hold measurements");
    let files = tripline_history::keep_run(head).expect("the run is of a commit");
    (report, files)
}

/// Adds a run to a history that somebody keeps, as `tripline convert --add-to` does, and returns how many bytes it has then.
///
/// # Panics
/// The text is no such history, which that of this suite is.
#[must_use]
pub fn add(data_js: impl AsRef<[u8]>, head: &Run) -> usize {
    let there = split_data_js("data.js", data_js.as_ref()).expect("the text is a history");
    let existing = Existing {
        members: &there.members,
        suites: &there.suites,
    };
    bytes_of(&Export {
        existing: Some(existing),
        ..Export::of(std::slice::from_ref(head))
    })
}

/// Hands a history back that was taken over, as `tripline convert --history` does after git gave its files, and returns how
/// many bytes it has.
#[must_use]
pub fn hand_back(files: &[File]) -> usize {
    let archive = Archive::read(files.iter().map(|file| (&*file.path, &*file.bytes)));
    let taken: Vec<Taken<'_>> = archive.records().into_iter().filter_map(taken).collect();
    bytes_of(&Export {
        taken: &taken,
        ..Export::of(&[])
    })
}

fn taken(kept: Kept<'_>) -> Option<Taken<'_>> {
    Some(Taken {
        title: kept.record.suite.as_str().into(),
        repository: None,
        last_update: None,
        record: kept.record,
        origin: kept.record.origin.as_deref()?,
        series: kept.series,
        has_range_first: false,
    })
}

fn bytes_of(told: &Export<'_>) -> usize {
    let form = tripline_render::exporter("data-js").expect("the form is in the list");
    let exported = (form.export)(told).expect("a history can be added to");
    exported.pieces().map(str::len).sum()
}

/// Judges the head against the base by the standard policy.
///
/// # Panics
/// The runs do not belong together, which those of this suite do.
#[must_use]
pub fn judge(runs: &Runs) -> Report {
    tripline_judge::judge(Some(&runs.base), &runs.head, &Policy::standard())
        .expect("both runs are of one suite and hold measurements")
}

/// Renders reports as the comment on a pull request.
///
/// # Panics
/// There is no such output, which there is.
#[must_use]
pub fn render(reports: &[Report]) -> String {
    let renderer = tripline_render::renderer("comment").expect("the output is in the list");
    (renderer.render)(reports, &VIEW)
}

/// Judges, and renders everything that can be rendered: each output, what a check says, and the annotations.
#[must_use]
pub fn publish(runs: &Runs) -> Vec<String> {
    let reports = [judge(runs)];
    let mut texts: Vec<String> = tripline_render::RENDERERS
        .iter()
        .map(|renderer| (renderer.render)(&reports, &VIEW))
        .collect();
    texts.push(tripline_render::check(&reports, &VIEW).text);
    let annotations = tripline_render::annotations(&reports, &VIEW).into_iter();
    texts.extend(annotations.map(|annotation| annotation.message));
    texts
}

/// Begins a run as the binary does.
fn empty_run() -> Run {
    let producer = Producer {
        name: "bench-self".to_owned(),
        version: "1".to_owned(),
    };
    // Any time, and always the same: it is part of the answer.
    let measured_at = "2026-01-02T03:04:05Z".parse().expect("the text is a time");
    let suite = SuiteName::new("made-up").expect("the name has the form");
    Run::new(suite, measured_at, environment(), producer)
}

fn environment() -> Environment {
    let name = EnvironmentName::new("debian-12-x86_64").expect("the name has the form");
    let mut environment = Environment::new(name);
    for fact in FACTS {
        environment
            .state_text(fact, "the same on both sides")
            .expect("the text is a fact's value");
    }
    environment
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tripline_model::{BenchId, Gate, Verdict};

    use super::*;
    use crate::histories::{
        COMMITS, LONG, SAMPLES, appended, criterion_directory, criterion_tree, data_js, data_js_of,
        write_tree,
    };
    use crate::inputs::{METRICS, Planted, SMOKE, Side, harness_output};
    use crate::prepared::{report, runs};

    #[test]
    fn read_finds_every_benchmark_and_metric() {
        for side in [Side::Base, Side::Head] {
            let run = read(&harness_output(SMOKE, side));
            assert_eq!(run.measurements().len(), SMOKE);
            for measurement in run.measurements() {
                assert_eq!(measurement.readings().count(), METRICS);
                assert_eq!(measurement.bench().params.len(), 1);
                assert_eq!(measurement.caveats(), []);
            }
        }
    }

    #[test]
    fn a_tree_is_read_whole() {
        let run = read_tree(&criterion_tree(SMOKE));
        assert_eq!(run.measurements().len(), SMOKE);
        for reading in run.measurements().flat_map(Measurement::readings) {
            // What was worked through in a second is one value of them all.
            let metric = reading.metric.name.as_str();
            let is_rate = metric.ends_with("throughput");
            let values = if is_rate { 1 } else { SAMPLES };
            assert_eq!(reading.sample.values().len(), values, "{metric}");
        }
    }

    #[test]
    fn a_history_is_taken_over_whole() {
        let text = data_js(SMOKE);
        import_floor(&text);
        let files = import(&text);
        let of = |folder| {
            files
                .iter()
                .filter(move |file| file.path.starts_with(folder))
        };
        assert_eq!(of("records/").count(), COMMITS);
        assert_eq!(of("series/").count(), 1);
        assert_eq!(files.len(), COMMITS + 2);
        let archive = Archive::read(files.iter().map(|file| (&*file.path, &*file.bytes)));
        let points = |kept: &Kept<'_>| kept.record.points.len();
        assert!(archive.records().iter().all(|kept| points(kept) == SMOKE));
    }

    #[test]
    fn a_tree_on_the_disk_is_the_same() {
        for tree in [criterion_tree(SMOKE), criterion_directory(SMOKE)] {
            let folder = tempfile::tempdir().unwrap();
            assert!(write_tree(&tree, folder.path()).unwrap() > 0);
            let there = Input::open(folder.path()).unwrap();
            let run = read_tree(&there);
            assert_eq!(run, read_tree(&tree));
            assert_eq!(run.measurements().len(), SMOKE);
        }
    }

    #[test]
    fn a_long_history_has_the_size_it_is_to_have() {
        let (one, two) = (data_js_of(500, 1).len(), data_js_of(500, 2).len());
        assert!((two - one) * LONG > 84 * 1000 * 1000);
        let text = data_js_of(1, LONG);
        let records = import(&text).len() - 2;
        assert_eq!(records, LONG);
    }

    #[test]
    fn a_history_is_handed_back_and_added_to_whole() {
        let text = data_js(SMOKE);
        // What is missing is who made the commits, twice each, and a line for each address.
        assert!(hand_back(&import(&text)) > text.len() * 3 / 4);
        assert!(add(&text, &appended(SMOKE).1) > text.len() + 100 * SMOKE);
    }

    #[test]
    fn a_run_is_compared_and_appended() {
        let (baseline, head) = appended(SMOKE);
        let (report, files) = append(&baseline, &head);
        assert_eq!(report.findings, judge(&runs(SMOKE)).findings);
        assert_eq!(files.len(), 3);
    }

    #[test]
    fn judge_finds_exactly_what_was_planted() {
        let runs = runs(SMOKE);
        let benches: Vec<&BenchId> = runs.head.measurements().map(Measurement::bench).collect();
        let report = judge(&runs);
        assert_eq!(report.findings.len(), SMOKE * METRICS);
        for (planted, verdict) in [
            (Planted::Slower, Verdict::Regressed),
            (Planted::Faster, Verdict::Improved),
        ] {
            let wanted: BTreeSet<&BenchId> = benches
                .iter()
                .copied()
                .filter(|bench| Planted::in_benchmark(bench, SMOKE) == planted)
                .collect();
            let found = report.findings.iter().filter(|finding| {
                finding.verdict == verdict && finding.metric.name.as_str() == "instructions"
            });
            let found: BTreeSet<&BenchId> = found.map(|finding| &finding.bench).collect();
            assert!(!wanted.is_empty());
            assert_eq!(found, wanted, "{verdict:?}");
        }
        let untouched = report
            .findings
            .iter()
            .filter(|finding| Planted::in_benchmark(&finding.bench, SMOKE) == Planted::Nothing);
        for finding in untouched {
            assert_eq!(finding.verdict, Verdict::Unchanged, "{}", finding.bench);
        }
        assert_eq!(report.gate(), Gate::Fail);
        assert_eq!(report.caveats, []);
    }

    #[test]
    fn render_names_what_regressed() {
        let report = report(SMOKE);
        let text = render(std::slice::from_ref(&report));
        let regressed = report
            .findings
            .iter()
            .filter(|f| f.verdict == Verdict::Regressed);
        for finding in regressed {
            assert!(
                text.contains(finding.bench.name.as_str()),
                "{}",
                finding.bench
            );
        }
    }
}
