//! Processes that write are killed: every record that one of them acknowledged must be there.
//!
//! The test program starts itself again, to run the test below that writes until it is killed. Each child goes on with
//! the log that the one before left, on the real disk, and so each opening also recovers from a kill.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use workload_store::log::{Log, Options, Sync};

const KILLS: usize = 50;
const THREADS: usize = 4;

/// Names the folder of the log, and makes the child one.
const FOLDER: &str = "WORKLOAD_STORE_LOG_OF_CHILD";
/// Numbers the child.
const ROUND: &str = "WORKLOAD_STORE_ROUND_OF_CHILD";
/// Begins a line that tells what was acknowledged.
const TOLD: &str = "acknowledged ";

const OPTIONS: Options = Options {
    sync: Sync::Always,
    segment_bytes: 16 << 10,
};

/// Returns a record that says who wrote it, in the length of the records of the benches.
fn payload(round: usize, thread: usize, number: usize) -> Vec<u8> {
    format!("{round} {thread} {number} {:.<90}", "").into_bytes()
}

/// Writes until it is killed, if it is the child of the test below.
#[test]
fn child_that_writes_until_it_is_killed() {
    let (Ok(folder), Ok(round)) = (std::env::var(FOLDER), std::env::var(ROUND)) else {
        return;
    };
    let round = round.parse().unwrap();
    let (log, _) = Log::open(folder, OPTIONS).unwrap();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let log = &log;
            scope.spawn(move || {
                for number in 0.. {
                    // Some alone, some together, some longer than a segment's rest.
                    let batch = (0..1 + number % 3).map(|_| payload(round, thread, number));
                    let sequences = log.append_batch(batch).unwrap();
                    let line = format!(
                        "{TOLD}{} {} {round} {thread} {number}\n",
                        sequences.start, sequences.end
                    );
                    // Nobody listens any more only if the test itself was stopped.
                    std::io::stdout().write_all(line.as_bytes()).unwrap();
                }
            });
        }
    });
}

fn start(folder: &Path, round: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "log::kill::child_that_writes_until_it_is_killed"])
        .args(["--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the records that a line tells of, as sequence and payload.
fn told(line: &str) -> Vec<(u64, Vec<u8>)> {
    // The first line also holds what the test program says about the test; one that the kill cut short told nothing.
    let Some((_, told)) = line.split_once(TOLD).filter(|_| line.ends_with('\n')) else {
        return Vec::new();
    };
    let numbers: Vec<usize> = told
        .split_whitespace()
        .map(|n| n.parse().unwrap())
        .collect();
    let [start, end, round, thread, number] = numbers[..] else {
        panic!("{line}");
    };
    let records = start as u64..end as u64;
    records
        .map(|sequence| (sequence, payload(round, thread, number)))
        .collect()
}

/// Lets a child write until it has told of so many appends, kills it, and returns all that it told.
fn write_and_kill(folder: &Path, round: usize, appends: usize) -> Vec<(u64, Vec<u8>)> {
    let mut child = start(folder, round);
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut records = Vec::new();
    let mut seen = 0;
    loop {
        let mut line = String::new();
        // To the end: what was told before the kill was told.
        if lines.read_line(&mut line).unwrap() == 0 {
            break;
        }
        records.extend(told(&line));
        seen += usize::from(line.contains(TOLD));
        if seen == appends {
            child.kill().unwrap();
        }
    }
    assert!(seen >= appends, "child {round} ended by itself");
    child.wait().unwrap();
    records
}

#[test]
fn a_killed_process_loses_nothing_that_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged = Vec::new();
    for round in 0..KILLS {
        acknowledged.extend(write_and_kill(folder.path(), round, 1 + round * 7 % 40));
    }
    let (log, _) = Log::open(folder.path(), OPTIONS).unwrap();
    let found: Vec<Vec<u8>> = super::payloads(&log, 0);
    for (sequence, payload) in &acknowledged {
        assert_eq!(
            found.get(*sequence as usize),
            Some(payload),
            "record {sequence}"
        );
    }
    let rounds = acknowledged
        .iter()
        .map(|(_, payload)| payload.split(|b| *b == b' ').next().unwrap().to_vec());
    assert_eq!(rounds.collect::<BTreeSet<_>>().len(), KILLS);
    for payload in found {
        let text = String::from_utf8(payload.clone()).unwrap();
        let numbers: Vec<usize> = text
            .split(' ')
            .take(3)
            .map(|n| n.parse().unwrap())
            .collect();
        assert!(numbers[0] < KILLS && numbers[1] < THREADS);
        assert_eq!(
            payload,
            self::payload(numbers[0], numbers[1], numbers[2]),
            "never written"
        );
    }
}
