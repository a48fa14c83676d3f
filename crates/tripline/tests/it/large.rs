//! The memory that the program takes at the size that is promised, as its own runner sees it.

use tripline_model::MetricName;
use tripline_model::wire;

use crate::project::Project;

const BENCHMARKS: usize = 500;
const METRICS: [&str; 8] = [
    "instructions",
    "data_reads",
    "data_writes",
    "l1_hits",
    "ll_hits",
    "ram_hits",
    "estimated_cycles",
    "branches",
];
const REGRESSED: [usize; 3] = [7, 250, 499];

/// What each command may hold at its highest.
const RESIDENT_BYTES_MAX: f64 = 60e6;

/// Writes a run of suite `kv`.
fn run(regressed: &[usize]) -> String {
    let about = r#"{"unit":"count","better":"lower","nature":"exact"}"#;
    let metrics = METRICS.map(|name| format!("\"{name}\":{about}")).join(",");
    let mut lines = vec![format!(
        r#"{{"tripline_run":{{"version":1,"suite":"kv","measured_at":"2026-01-02T03:04:05Z","producer":{{"name":"test","version":"0"}},"environment":{{"name":"elsewhere","facts":{{}}}},"metrics":{{{metrics}}}}}}}"#
    )];
    for at in 0..BENCHMARKS {
        let count = 1_000_000 + at + 100_000 * usize::from(regressed.contains(&at));
        let readings = METRICS.map(|name| format!(r#""{name}":{{"values":[{count}]}}"#));
        lines.push(format!(
            r#"{{"measured":{{"benchmark":"store/get_{at:03}","params":{{"bytes":"64"}},"readings":{{{}}}}}}}"#,
            readings.join(",")
        ));
    }
    lines.push("{\"end\":{}}\n".to_owned());
    lines.join("\n")
}

/// A step that measures a command of ours as a whole program.
fn step(name: &str, command: &str) -> String {
    let program = env!("CARGO_BIN_EXE_tripline");
    format!(
        "[[step]]\nname = \"{name}\"\nharness = \"process\"\nrepeats = 3\ncommand = [\"sh\", \"-c\", '''set -e; \"{program}\" {command}''']\n"
    )
}

#[test]
fn five_hundred_benchmarks_of_eight_metrics_take_sixty_megabytes_at_most() {
    let project = Project::new();
    let mut suite = "about = \"x\"\n".to_owned();
    let judge = "judge --base base.jsonl --head head.jsonl --out report.jsonl || [ $? = 10 ]";
    suite += &step("judge", judge);
    let formats = tripline_render::RENDERERS.iter();
    let names: Vec<&str> = formats.map(|format| format.name).collect();
    for name in &names {
        let render = format!("render report.jsonl --all --format {name} >{name}.out");
        suite += &step(name, &render);
    }
    project.write("bench/own/suite.toml", &suite);
    project.write("bench/own/base.jsonl", &run(&[]));
    project.write("bench/own/head.jsonl", &run(&REGRESSED));
    project.tripline(&["measure"]).with(0);

    let report = project.read("bench/own/report.jsonl");
    let report = &wire::read_report(report.as_bytes()).unwrap()[0];
    assert_eq!(report.findings.len(), BENCHMARKS * METRICS.len());
    let measured = project.read("target/tripline/own/run.jsonl");
    let measured = wire::read_run(measured.as_bytes()).unwrap();
    assert_eq!(measured.measurements().count(), 1 + names.len());
    let metric = MetricName::new("resident_peak").unwrap();
    for measurement in measured.measurements() {
        let reading = measurement.reading(&metric).unwrap();
        let peak = reading.sample.max();
        let name = &measurement.bench().name;
        // Less than that is not ours: a shell alone takes about two megabytes.
        assert!(
            peak > 10e6 && peak <= RESIDENT_BYTES_MAX,
            "{name}: {peak} bytes"
        );
    }
}
