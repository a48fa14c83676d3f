//! Whether strace counted the threads and children of what it ran.
//!
//! The command says so where strace stands in it. Where a script starts strace, the table itself has to: it shows who was
//! started, and that nobody registered a list with the kernel or executed a program a second time. Not all do: programs of Go
//! and of musl register none. Tested below and by `tests/it/whole`.

use std::path::Path;

use tripline_model::Caveat;
use tripline_read::Observation;

use crate::suite::Task;

/// The options of strace that take the next word, where no value follows in the same.
const WITH_VALUE: &str = "abeEIoOpPsSuUX";

/// The calls that start a thread or a child.
const STARTING: [&str; 4] = ["clone", "clone3", "fork", "vfork"];

/// Returns how many threads and children were started whose calls are not in the count.
pub(super) fn not_counted(task: &Task, observation: &Observation) -> Option<u64> {
    let argv = match task {
        Task::Command { argv, .. } => &argv[..],
        Task::Bench(_) => &[],
    };
    match follows(argv) {
        Some(true) => None,
        Some(false) => Some(started(observation)).filter(|started| *started > 0),
        None => observation.caveats.iter().find_map(|caveat| match caveat {
            Caveat::ThreadsNotCounted { threads } => Some(u64::from(*threads)),
            _ => None,
        }),
    }
}

fn started(observation: &Observation) -> u64 {
    let value = |name: String| {
        let mut readings = observation.readings.iter();
        let found = readings.find(|one| one.metric.name.as_str() == name);
        found.map_or(0, |one| one.sample.median() as u64)
    };
    let well =
        |call| value(format!("calls_{call}")).saturating_sub(value(format!("errors_{call}")));
    STARTING.into_iter().map(well).sum()
}

/// Returns whether a command has strace follow threads and children, where it names strace.
fn follows(argv: &[String]) -> Option<bool> {
    let is_strace = |word: &String| {
        Path::new(word)
            .file_name()
            .is_some_and(|name| name == "strace")
    };
    let at = argv.iter().position(is_strace)?;
    let mut words = argv[at + 1..].iter().map(String::as_str);
    while let Some(word) = words.next() {
        if word == "--" || !word.starts_with('-') {
            break;
        }
        if word.starts_with("--follow-forks") {
            return Some(true);
        }
        let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
            continue;
        };
        let valued = letters.find(|letter| WITH_VALUE.contains(letter));
        if letters[..valued.unwrap_or(letters.len())].contains('f') {
            return Some(true);
        }
        if valued.is_some_and(|valued| valued + 1 == letters.len()) {
            words.next();
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tripline_model::{
        BenchId, BenchName, Metric, MetricName, Params, Reading, Sample, SuiteName,
    };

    fn argv(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_owned).collect()
    }

    fn said(words: &str) -> Option<bool> {
        follows(&argv(words))
    }

    fn refused(words: &str, readings: &[(&str, f64)]) -> Option<u64> {
        let reading = |(name, value): &(&str, f64)| Reading {
            metric: Metric {
                name: MetricName::new(*name).unwrap(),
                ..Metric::known("system_calls").unwrap()
            },
            sample: Sample::new([*value]).unwrap(),
        };
        let observation = Observation {
            bench: BenchId {
                suite: SuiteName::new("scan").unwrap(),
                name: BenchName::new("calls").unwrap(),
                params: Params::new(),
            },
            readings: readings.iter().map(reading).collect(),
            answer: None,
            caveats: vec![Caveat::ThreadsNotCounted { threads: 7 }],
        };
        let argv = argv(words);
        not_counted(&Task::Command { argv, output: None }, &observation)
    }

    #[test]
    fn the_command_is_believed_where_it_names_strace_and_the_table_elsewhere() {
        let started = [("calls_clone", 3.0), ("errors_clone", 1.0)];
        assert_eq!(refused("strace -c go version", &started), Some(2));
        assert_eq!(refused("strace -f -c go version", &started), None);
        assert_eq!(refused("strace -c true", &[]), None);
        assert_eq!(refused("sh count.sh", &[]), Some(7));
    }

    #[test]
    fn the_options_of_strace_end_where_the_program_begins() {
        for followed in [
            "strace -f -c go version",
            "/usr/bin/strace -c -o calls.txt -ff true",
            "strace -cfo calls.txt true",
            "strace --follow-forks --summary-only true",
            "sudo strace -cf true",
        ] {
            assert_eq!(said(followed), Some(true), "{followed}");
        }
        for not_followed in [
            "strace -c go version",
            "strace -c tail -f log",
            "strace -c -- tail -f log",
            "strace -o -f -c true",
            "strace -of -c true",
        ] {
            assert_eq!(said(not_followed), Some(false), "{not_followed}");
        }
        assert_eq!(said("sh count.sh -f"), None);
    }
}
