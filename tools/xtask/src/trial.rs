//! A trial of the gate: the same revision against itself, again and again, with one core kept busy by something else.
//!
//! What is found between equal sides is error, and a gate that fails is a false alarm; what is planted in the canary
//! must be found. The program is the one that is shipped, started as anybody starts it; only its reports are read here.
//!
//! Tested below, on reports as the program writes them.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// How the program ends when a gate failed; any other end but a good one is no trial.
const GATE_FAILED: i32 = 10;

/// What is tried.
pub(crate) struct Trial {
    /// How often.
    pub(crate) runs: u32,
    /// Which suites.
    pub(crate) suites: Vec<String>,
    /// The program.
    pub(crate) program: String,
}

/// What was found of one benchmark and metric, in all runs.
#[derive(Default)]
struct Found {
    /// Head divided by base, less one.
    changes: Vec<f64>,
    pairs: Vec<f64>,
    failed: u32,
    regressed: u32,
    undecided: u32,
}

/// Benchmark and metric.
type Key = (String, String);

/// All that was found: between equal sides, and where something is planted.
#[derive(Default)]
pub(crate) struct Findings {
    equal: BTreeMap<Key, Found>,
    planted: BTreeMap<Key, Found>,
    false_failures: u32,
    runs: u32,
}

impl Trial {
    /// Tries until somebody interrupts, and says after each run how far it is. What was found before a run failed or
    /// before the interruption is found all the same.
    pub(crate) fn run(
        &self,
        root: &Path,
        is_interrupted: &AtomicBool,
        say: impl Fn(&str),
    ) -> (Findings, Result<()>) {
        let over = Arc::new(AtomicBool::new(false));
        let busy = Arc::clone(&over);
        let busy = std::thread::spawn(move || while !busy.load(Ordering::Relaxed) {});
        let mut findings = Findings::default();
        let ended = self.repeat(root, is_interrupted, &mut findings, say);
        over.store(true, Ordering::Relaxed);
        let _ = busy.join();
        (findings, ended)
    }

    fn repeat(
        &self,
        root: &Path,
        is_interrupted: &AtomicBool,
        findings: &mut Findings,
        say: impl Fn(&str),
    ) -> Result<()> {
        for run in 1..=self.runs {
            let began = Instant::now();
            let ended = self.once(root, findings);
            // The program is interrupted from the same keyboard, and ends as if it had failed.
            if is_interrupted.load(Ordering::Relaxed) {
                let done = findings.runs;
                bail!(
                    "the trial was interrupted after {done} of {} runs",
                    self.runs
                );
            }
            ended.with_context(|| format!("run {run} of {} was no trial", self.runs))?;
            let seconds = began.elapsed().as_secs();
            say(&format!(
                "run {run} of {} in {seconds} s, {} false failures",
                self.runs, findings.false_failures
            ));
        }
        Ok(())
    }

    fn once(&self, root: &Path, findings: &mut Findings) -> Result<()> {
        let mut command = Command::new(&self.program);
        command
            .args(["check", "--against", "HEAD"])
            .current_dir(root);
        for suite in &self.suites {
            command.args(["--suite", suite]);
        }
        let output = command
            .output()
            .with_context(|| format!("`{}` was not started", self.program))?;
        let code = output.status.code();
        if !matches!(code, Some(0 | GATE_FAILED)) {
            bail!(
                "the check ended with {code:?}:\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let output = root.join("target").join("tripline");
        findings.add(
            &reports_in(&output.join("report.jsonl"))?,
            &reports_in(&output.join("canary.jsonl"))?,
        );
        Ok(())
    }
}

fn reports_in(place: &Path) -> Result<Vec<Value>> {
    let text =
        fs::read_to_string(place).with_context(|| format!("`{}` was not read", place.display()))?;
    let lines = text.lines().map(serde_json::from_str);
    lines
        .collect::<Result<_, _>>()
        .with_context(|| format!("`{}` is no report", place.display()))
}

impl Findings {
    fn add(&mut self, equal: &[Value], planted: &[Value]) {
        self.runs += 1;
        if equal.iter().any(|report| report["gate"] == "fail") {
            self.false_failures += 1;
        }
        for (reports, found) in [(equal, &mut self.equal), (planted, &mut self.planted)] {
            for finding in reports
                .iter()
                .flat_map(|report| report["findings"].as_array().into_iter().flatten())
            {
                if finding["evidence"]["method"] == "paired" {
                    found.entry(key_of(finding)).or_default().add(finding);
                }
            }
        }
    }

    /// Says all of it as Markdown.
    pub(crate) fn table(&self) -> String {
        let head = "| benchmark | metric | equal sides: largest error | median error | false failures | undecided | pairs, median |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n";
        let equal = self.equal.iter().map(|((bench, metric), found)| {
            let errors: Vec<f64> = found.changes.iter().map(|change| change.abs()).collect();
            let (largest, middle) = (errors.iter().copied().fold(0.0, f64::max), median(&errors));
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
        let planted = self.planted.iter().map(|((bench, metric), found)| {
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
        format!(
            "{head}{equal}\n{planted_head}{planted}\n{} of {} runs of equal sides failed.\n",
            self.false_failures, self.runs
        )
    }
}

impl Found {
    fn add(&mut self, finding: &Value) {
        let evidence = &finding["evidence"];
        self.changes.extend(
            evidence["change"]["ratio"]
                .as_f64()
                .map(|ratio| ratio - 1.0),
        );
        self.pairs.extend(evidence["head"]["count"].as_f64());
        self.failed += u32::from(finding["gate"] == "fail");
        self.regressed += u32::from(finding["verdict"] == "regressed");
        self.undecided += u32::from(finding["verdict"] == "inconclusive");
    }
}

fn key_of(finding: &Value) -> Key {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let params = finding["params"].as_object().into_iter().flatten();
    let params: Vec<String> = params
        .map(|(key, value)| format!("{key}={}", text(value)))
        .collect();
    let bench = match params.as_slice() {
        [] => text(&finding["benchmark"]),
        params => format!("{}{{{}}}", text(&finding["benchmark"]), params.join(",")),
    };
    (bench, text(&finding["metric"]))
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        count => f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
    }
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(gate: &str, ratio: f64, verdict: &str) -> Value {
        let finding = serde_json::json!({
            "benchmark": "kv/get", "params": {"bytes": "64"}, "metric": "cpu_time", "verdict": verdict, "gate": gate,
            "evidence": {"method": "paired", "change": {"ratio": ratio}, "head": {"count": 12}}
        });
        let count = serde_json::json!({"benchmark": "kv/get", "metric": "instructions", "evidence": {"method": "exact"}});
        serde_json::json!({"gate": gate, "findings": [finding, count]})
    }

    #[test]
    fn errors_alarms_and_catches_are_counted() {
        let mut findings = Findings::default();
        findings.add(
            &[report("pass", 1.001, "unchanged")],
            &[report("fail", 1.03, "regressed")],
        );
        findings.add(
            &[report("fail", 0.98, "regressed")],
            &[report("pass", 1.01, "inconclusive")],
        );
        let table = findings.table();
        assert!(
            table.contains("| `kv/get{bytes=64}` | `cpu_time` | 2.00 % | 1.05 % | 1 | 0 | 12 |"),
            "{table}"
        );
        assert!(
            table.contains("| `kv/get{bytes=64}` | `cpu_time` | 2.00 % | 1 of 2 | 1 of 2 | 12 |"),
            "{table}"
        );
        assert!(
            table.ends_with("1 of 2 runs of equal sides failed.\n"),
            "{table}"
        );
        assert!(!table.contains("instructions"));
    }

    /// A folder where a check writes reports once, and fails from then on.
    fn checked_once() -> (tempfile::TempDir, Trial) {
        let folder = tempfile::tempdir().unwrap();
        let reports = folder.path().join("target/tripline");
        fs::create_dir_all(&reports).unwrap();
        let line = report("pass", 1.0, "unchanged").to_string();
        fs::write(reports.join("report.jsonl"), &line).unwrap();
        fs::write(reports.join("canary.jsonl"), &line).unwrap();
        // A shell takes the verb for its script.
        let check = "[ ! -e checked ] || { echo 'out of disk' >&2; exit 4; }\n: > checked\n";
        fs::write(folder.path().join("check"), check).unwrap();
        let trial = Trial {
            runs: 3,
            suites: Vec::new(),
            program: "sh".to_owned(),
        };
        (folder, trial)
    }

    fn assert_one_run_is_told(findings: &Findings) {
        let table = findings.table();
        assert!(
            table.contains("| `kv/get{bytes=64}` | `cpu_time` |"),
            "{table}"
        );
        assert!(
            table.ends_with("0 of 1 runs of equal sides failed.\n"),
            "{table}"
        );
    }

    #[test]
    fn what_was_found_before_a_run_failed_is_told() {
        let (folder, trial) = checked_once();
        let never = AtomicBool::new(false);
        let (findings, ended) = trial.run(folder.path(), &never, |_| ());
        let error = format!("{:#}", ended.unwrap_err());
        assert!(error.contains("run 2 of 3 was no trial"), "{error}");
        assert!(error.contains("out of disk"), "{error}");
        assert_one_run_is_told(&findings);
    }

    #[test]
    fn what_was_found_before_an_interruption_is_told() {
        let (folder, trial) = checked_once();
        let interrupted = AtomicBool::new(false);
        let interrupt = |_: &str| interrupted.store(true, Ordering::Relaxed);
        let (findings, ended) = trial.run(folder.path(), &interrupted, interrupt);
        let error = ended.unwrap_err().to_string();
        assert_eq!(error, "the trial was interrupted after 1 of 3 runs");
        assert_one_run_is_told(&findings);
    }
}
