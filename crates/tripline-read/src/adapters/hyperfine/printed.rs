//! What versions before 2 print for people: of each command the mean of its times, and between which two they lie.
//!
//! What a command itself prints stands between its name and its times where hyperfine was told to show it. Tested below and
//! by `fixtures/hyperfine`.

use tripline_model::{Reading, SuiteName};

use super::known;
use crate::build_output::is_of_build;
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::naming::{Pairs, bench_id, in_one_line};
use crate::place::shown;
use crate::quantity::nanoseconds;
use crate::summary;

/// What stands before the number of a command.
const BENCHMARK: &str = "Benchmark ";

const TIME: &str = "Time (";
const RANGE: &str = "Range (";

/// The units that hyperfine prints. A minute is none of them: it is a millisecond that was cut.
const UNITS: &[&str] = &["s", "ms", "\u{b5}s", "\u{3bc}s", "us"];

/// What is said where the name may go on, or what follows may be of the command.
const PRINTED: &str =
    "what stands between this name and its times is taken for what the command printed";
const NAME: &str = "what stands between this name and its times is taken for more lines of the command: it is less than a line for each run";

/// What hyperfine prints below the times of a command that failed, where it was told to go on.
const FAILED: &str = "Warning: Ignoring non-zero exit code.";

const NO_RUNS: &str = "where this name ends is not known: how many runs there were is not said below it, and other lines stand between; give the file of `--export-json`";

/// What is told of one command, in nanoseconds.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Times {
    pub(super) mean: f64,
    pub(super) stddev: Option<f64>,
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    user: Option<f64>,
    system: Option<f64>,
    runs: Option<u64>,
}

/// A command whose times may still come.
struct Open {
    line: usize,
    name: String,
    /// What stands below, before the times: more of the name, or what the command printed.
    more: String,
    times: Option<Times>,
}

/// Returns whether a text holds such a report.
pub(super) fn is_in(text: &str) -> bool {
    text.contains(TIME)
        && text.lines().any(|line| name_of(line).is_some())
        && text.lines().any(|line| {
            let rest = line.trim_start().strip_prefix(TIME);
            rest.is_some_and(|rest| rest.starts_with("mean ") || rest.starts_with("abs "))
        })
}

/// Returns the command of `Benchmark 1: sleep 1`. Older versions number it `#1`.
fn name_of(line: &str) -> Option<&str> {
    let (number, name) = line.trim_start().strip_prefix(BENCHMARK)?.split_once(':')?;
    let number = number.strip_prefix('#').unwrap_or(number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // A command may begin with the end of a line.
    let name = match name {
        "" => name,
        name => name.strip_prefix(' ')?,
    };
    is_number.then_some(name)
}

/// Reads what was printed of all commands.
pub(super) fn read(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let mut open: Option<Open> = None;
    let cut_line = document.cut_line();
    for block in document.shown_lines() {
        let text = block.text.trim_start();
        // Older versions end a line with a unit, so that what is missing in a newer one is not seen otherwise.
        let is_cut =
            cut_line == Some(block.line) && !text.ends_with(']') && !text.ends_with("runs");
        if let Some(name) = name_of(block.text) {
            close(open.take(), document, suite, gathered);
            open = Some(Open {
                line: block.line,
                name: name.to_owned(),
                more: String::new(),
                times: None,
            });
        } else if let Some(open) = open.as_ref().filter(|open| open.has_failed(text)) {
            let name = shown(&open.name);
            let text = format!(
                "the command of benchmark `{name}` failed; the times are of failed runs too"
            );
            gathered.problem(document.place(block.line, 1), text);
        } else if text.starts_with(TIME) || text.starts_with(RANGE) {
            let is_taken = open.as_mut().is_some_and(|open| open.take(text));
            if is_cut || !is_taken {
                let text = format!("a damaged result: `{}`", shown(text));
                gathered.problem(document.place(block.line, 1), text);
            }
        } else if let Some(open) = open.as_mut().filter(|open| open.times.is_none())
            && !text.is_empty()
        {
            open.more.extend(["\n", text]);
        }
    }
    close(open, document, suite, gathered);
}

fn close(open: Option<Open>, document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let Some(open) = open else {
        return;
    };
    let place = document.place(open.line, 1);
    let mut name = open.name;
    let Some(times) = open.times else {
        let name = shown(&name);
        return gathered.problem(place, format!("benchmark `{name}` has no times"));
    };
    if !open.more.is_empty() {
        if times.stddev.is_some() && times.runs.is_none() {
            return gathered.problem(place, NO_RUNS);
        }
        // A command that is shown prints in each run.
        let lines = open.more.matches('\n').count();
        let is_short = || times.runs.is_some_and(|runs| (lines as u64) < runs);
        let is_name = name.trim().is_empty() || (is_short() && !open.more.lines().any(is_of_build));
        name.push_str(if is_name { &open.more } else { "" });
        let said = if is_name { NAME } else { PRINTED };
        gathered.remark(place.clone(), said.to_owned());
    }
    if times.stddev.is_some() && times.min.is_none() {
        let text = format!(
            "the range of the times of benchmark `{}` is missing",
            shown(&name)
        );
        gathered.problem(place.clone(), text);
    }
    gathered.take(times.entry(suite, &name), place);
}

impl Open {
    /// Returns whether a line says that the command failed. Above its times it would be what the command printed.
    fn has_failed(&self, text: &str) -> bool {
        self.times.is_some() && text.starts_with(FAILED)
    }

    /// Takes over what a line says, if it is whole and not there yet.
    fn take(&mut self, text: &str) -> bool {
        match &mut self.times {
            None => {
                self.times = Times::of_line(text);
                self.times.is_some()
            }
            Some(times) => times.min.is_none() && times.add_range(text).is_some(),
        }
    }
}

impl Times {
    /// Reads `Time (mean ± σ): 1.2 ms ± 0.1 ms [User: 0.5 ms, System: 0.7 ms]`. Of one run there is no deviation, and in the
    /// first version nothing of user and system.
    fn of_line(text: &str) -> Option<Self> {
        let (_, rest) = text.strip_prefix(TIME)?.split_once("):")?;
        let (times, of_process) = match rest.trim_end().strip_suffix(']') {
            Some(rest) => rest.split_once('[')?,
            None => (rest, ""),
        };
        let (mean, stddev) = match times.split_once('\u{b1}') {
            Some((mean, stddev)) => (mean, Some(time(stddev)?)),
            None => (times, None),
        };
        let (mut user, mut system) = (None, None);
        for part in of_process.split(", ").filter(|part| !part.is_empty()) {
            match part.split_once(": ")? {
                ("User", value) => user = Some(time(value)?),
                ("System", value) => system = Some(time(value)?),
                _ => return None,
            }
        }
        Some(Self {
            mean: time(mean)?,
            stddev,
            user,
            system,
            ..Self::default()
        })
    }

    /// Reads `Range (min … max): 1.1 ms … 1.3 ms 28 runs`. The first versions do not say how many runs there were.
    fn add_range(&mut self, text: &str) -> Option<()> {
        let (_, rest) = text.strip_prefix(RANGE)?.split_once("):")?;
        let (min, rest) = rest.split_once('\u{2026}')?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (max, runs) = match words[..] {
            [number, unit] => (scaled(number, unit)?, None),
            [number, unit, runs, "runs"] => (scaled(number, unit)?, Some(runs.parse().ok()?)),
            _ => return None,
        };
        (self.min, self.max, self.runs) = (Some(time(min)?), Some(max), runs);
        Some(())
    }

    /// Returns the benchmark of a command.
    pub(super) fn entry(&self, suite: &SuiteName, name: &str) -> Result<Entry, String> {
        let readings = self.readings().map_err(|error| {
            let name = shown(name);
            format!("the times of benchmark `{name}` cannot be used: {error}")
        })?;
        let name = &*in_one_line(name);
        let (name, pairs) = parameters(name).unwrap_or((name, Vec::new()));
        Ok(Entry::new(bench_id(suite, name, &pairs)?, readings))
    }

    fn readings(&self) -> Result<Vec<Reading>, String> {
        let time = known("wall_time");
        // Any time would be infinitely more.
        if self.mean == 0.0 {
            return Err("their mean is rounded to nothing".to_owned());
        }
        let mut readings = vec![summary::standing_for(&time, self.mean, None)?];
        let part = |part: &str, value: Option<f64>| {
            let reading = value.map(|value| summary::part(&time, part, value));
            reading.transpose()
        };
        readings.extend(part("stddev", self.stddev)?);
        for (name, value) in [("user_time", self.user), ("system_time", self.system)] {
            let reading = value.map(|v| summary::standing_for(&known(name), v, None));
            readings.extend(reading.transpose()?);
        }
        // They stand on a line of their own, which may be missing.
        readings.extend(part("min", self.min)?);
        readings.extend(part("max", self.max)?);
        readings.extend(self.runs.map(summary::rounds).transpose()?);
        Ok(readings)
    }
}

/// Takes the parameters off that a command does not use, and that stand behind it: `sleep 1 (n = 10, mode = a)`.
fn parameters(name: &str) -> Option<(&str, Pairs<'_>)> {
    let (name, inside) = name.strip_suffix(')')?.rsplit_once(" (")?;
    let pairs = inside.split(", ").map(|part| part.split_once(" = "));
    let pairs: Pairs<'_> = pairs.collect::<Option<_>>()?;
    let are_words = pairs.iter().all(|(key, value)| {
        !key.contains(char::is_whitespace) && !key.is_empty() && !value.is_empty()
    });
    are_words.then_some((name, pairs))
}

fn time(text: &str) -> Option<f64> {
    let (number, unit) = text.trim().split_once(' ')?;
    scaled(number, unit)
}

/// Returns a number of a unit in nanoseconds.
fn scaled(number: &str, unit: &str) -> Option<f64> {
    let is_known = UNITS.contains(&unit);
    nanoseconds(unit).filter(|_| is_known)?.of_text(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_whole_or_not_at_all() {
        let whole = Times {
            mean: 101.2e6,
            stddev: Some(0.3e6),
            user: Some(0.5e6),
            system: Some(700.0),
            ..Times::default()
        };
        let single = Times {
            mean: 1.2e9,
            ..Times::default()
        };
        for (text, expected) in [
            (
                "Time (mean ± σ):     101.2 ms ±   0.3 ms    [User: 0.5 ms, System: 0.7 µs]",
                Some(whole),
            ),
            ("Time (abs ≡):        1.200 s  ", Some(single)),
            (
                "Time (mean ± σ):     101.2 ms ±   0.3 ms    [User: 0.5 ms, System: 0.7",
                None,
            ),
            ("Time (mean ± σ):     101.2 ms ±   0.3 m", None),
            ("Time (mean ± σ):     101.2 ms ±   0.3", None),
        ] {
            assert_eq!(Times::of_line(text), expected, "{text}");
        }
    }

    #[test]
    fn a_range_may_say_how_many_runs_there_were() {
        for (text, expected) in [
            (
                "Range (min … max):   100.8 ms … 101.9 ms    28 runs",
                Some((Some(100.8e6), Some(101.9e6), Some(28))),
            ),
            (
                "Range (min … max):   0.9 s … 1.1 s",
                Some((Some(0.9e9), Some(1.1e9), None)),
            ),
            ("Range (min … max):   100.8 ms … 101.9 ms    2", None),
            ("Range (min … max):   100.8 ms … 101.9 m", None),
        ] {
            let mut times = Times::default();
            let read = times.add_range(text);
            let found = read.map(|()| (times.min, times.max, times.runs));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn parameters_that_are_not_used_stand_behind_a_command() {
        for (name, expected) in [
            ("a (n = 1)", Some(("a", vec![("n", "1")]))),
            (
                "a (n = 1, m = b c)",
                Some(("a", vec![("n", "1"), ("m", "b c")])),
            ),
            ("a (b)", None),
            ("a (b c = d)", None),
            ("a", None),
        ] {
            assert_eq!(parameters(name), expected, "{name}");
        }
    }

    #[test]
    fn a_command_stands_behind_its_number() {
        for (line, expected) in [
            ("Benchmark 1: sleep 0.1", Some("sleep 0.1")),
            ("    Benchmark #12: a: b", Some("a: b")),
            ("Benchmark 1:", Some("")),
            ("Benchmark 1:a", None),
            ("Benchmark one: a", None),
            ("Benchmark: a", None),
        ] {
            assert_eq!(name_of(line), expected, "{line}");
        }
    }
}
