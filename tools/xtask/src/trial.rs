//! A trial of the gate: the same revision against itself, again and again, with one core kept busy by something else.
//!
//! What is found between equal sides is error, and a gate that fails is a false alarm; what is planted in the canary
//! must be found. The program is the one that is shipped, started as anybody starts it; only its reports are read here.
//!
//! Tested below, on reports as the program writes them.

mod busy;
mod found;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use busy::Busy;
pub(crate) use found::{Found, table};

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
    /// Where what is found is added to what was found before.
    pub(crate) keep: Option<PathBuf>,
    /// Whether another trial keeps a core busy.
    pub(crate) beside: bool,
}

impl Trial {
    /// Tries until somebody interrupts, and says after each run how far it is. What was found before a run failed or
    /// before the interruption is found all the same.
    pub(crate) fn run(
        &self,
        root: &Path,
        is_interrupted: &AtomicBool,
        say: impl Fn(&str),
    ) -> (Vec<Found>, Result<()>) {
        let mut all = Vec::new();
        if let Some(place) = &self.keep {
            // Nothing is added yet, but whether it can be is known before half an hour of measuring.
            match found::kept_in(place).and_then(|kept| found::keep(place, &[]).map(|()| kept)) {
                Ok(kept) => all = kept,
                Err(error) => return (all, Err(error)),
            }
        }
        let _busy = self.busy();
        let ended = self.repeat(root, is_interrupted, &mut all, say);
        (all, ended)
    }

    fn busy(&self) -> Option<Busy> {
        (!self.beside).then(Busy::begin)
    }

    fn repeat(
        &self,
        root: &Path,
        is_interrupted: &AtomicBool,
        all: &mut Vec<Found>,
        say: impl Fn(&str),
    ) -> Result<()> {
        for run in 1..=self.runs {
            let began = Instant::now();
            let ended = self.once(root);
            // Whatever comes next, what a run found is told.
            if let Ok(found) = &ended {
                all.extend_from_slice(found);
                if let Some(place) = &self.keep {
                    found::keep(place, found)?;
                }
            }
            // The program is interrupted from the same keyboard, and ends as if it had failed.
            if is_interrupted.load(Ordering::Relaxed) {
                let done = if ended.is_ok() { run } else { run - 1 };
                bail!(
                    "the trial was interrupted after {done} of {} runs",
                    self.runs
                );
            }
            ended.with_context(|| format!("run {run} of {} was no trial", self.runs))?;
            let (seconds, runs) = (began.elapsed().as_secs(), self.runs);
            say(&format!(
                "run {run} of {runs} in {seconds} s\n{}",
                found::ends(all)
            ));
        }
        Ok(())
    }

    fn once(&self, root: &Path) -> Result<Vec<Found>> {
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
        let equal = reports_in(&output.join("report.jsonl"))?;
        let planted = reports_in(&output.join("canary.jsonl"))?;
        let equal = equal.iter().map(|report| Found::of(report, false));
        let planted = planted.iter().map(|report| Found::of(report, true));
        Ok(equal.chain(planted).collect())
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

#[cfg(test)]
mod tests {
    use super::found::tests::report;
    use super::*;

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
            keep: Some(folder.path().join("trials.jsonl")),
            beside: false,
        };
        (folder, trial)
    }

    fn assert_one_run_is_told(trial: &Trial, found: &[Found]) {
        let table = table(found);
        assert!(table.contains("| `store` | 1 | 0 | 1 | 0 | 0 |"), "{table}");
        let kept = found::kept_in(trial.keep.as_ref().unwrap()).unwrap();
        assert_eq!(kept, found);
    }

    #[test]
    fn a_core_is_kept_busy_unless_another_trial_does() {
        let (_folder, mut trial) = checked_once();
        assert!(trial.busy().is_some());
        trial.beside = true;
        assert!(trial.busy().is_none());
    }

    #[test]
    fn what_was_found_before_a_run_failed_is_told() {
        let (folder, trial) = checked_once();
        let never = AtomicBool::new(false);
        let (found, ended) = trial.run(folder.path(), &never, |_| ());
        let error = format!("{:#}", ended.unwrap_err());
        assert!(error.contains("run 2 of 3 was no trial"), "{error}");
        assert!(error.contains("out of disk"), "{error}");
        assert_one_run_is_told(&trial, &found);
    }

    #[test]
    fn what_was_found_before_an_interruption_is_told() {
        let (folder, trial) = checked_once();
        let interrupted = AtomicBool::new(false);
        let interrupt = |_: &str| interrupted.store(true, Ordering::Relaxed);
        let (found, ended) = trial.run(folder.path(), &interrupted, interrupt);
        let error = ended.unwrap_err().to_string();
        assert_eq!(error, "the trial was interrupted after 1 of 3 runs");
        assert_one_run_is_told(&trial, &found);
    }
}
