//! Programs that are measured whole, with the real tools: what is measured, what is stated, and what is refused.

use std::os::unix::fs::symlink;

use rustix::process::{Pid, Signal, kill_process};
use tripline_model::{Caveat, MetricName, Run};

use crate::project::{Ended, Project, started};
use crate::repository::Repository;

/// A program that starts as many threads as it is told, allocates, and says how much it did.
const PROGRAM: &str = r#"
fn main() {
    let threads: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    let all: Vec<_> = (0..threads).map(|_| std::thread::spawn(|| vec![1_u8; 1 << 20].len())).collect();
    let bytes: usize = all.into_iter().map(|thread| thread.join().unwrap()).sum();
    println!("{bytes} bytes");
    println!("{{\"units\":{{\"port\":100}}}}");
}
"#;

const MANIFEST: &str = "[package]\nname = \"scan\"\nedition = \"2024\"\n[lib]\n[[bench]]\nname = \"scan\"\nharness = false\n[workspace]\n";

/// A suite `scan` with a program, built by cargo as its bench `scan`.
fn project(steps: &str) -> Project {
    let project = Project::new();
    project.write("bench/scan/suite.toml", &format!("about = \"x\"\n{steps}"));
    project.write("bench/scan/Cargo.toml", MANIFEST);
    project.write("bench/scan/src/lib.rs", "");
    project.write("bench/scan/benches/scan.rs", PROGRAM);
    project
}

/// A suite `scan` whose steps run commands, which lie beside it.
fn project_of_commands(steps: &str) -> Project {
    let project = Project::new();
    project.write("bench/scan/suite.toml", &format!("about = \"x\"\n{steps}"));
    project
}

fn step(name: &str, more: &str) -> String {
    format!("[[step]]\nname = \"{name}\"\n{more}\n")
}

/// Returns the line of a benchmark in the run that was written.
#[track_caller]
fn line_of(project: &Project, benchmark: &str) -> String {
    let run = project.read("target/tripline/scan/run.jsonl");
    let sign = format!("\"benchmark\":\"{benchmark}\"");
    let line = run.lines().find(|line| line.contains(&sign));
    line.expect(&run).to_owned()
}

/// Returns the first value of a metric in a line.
#[track_caller]
fn first_value(line: &str, metric: &str) -> u64 {
    let after = line.split(&format!("\"{metric}\":")).nth(1).expect(line);
    let digits = after.chars().skip_while(|c| !c.is_ascii_digit());
    let first: String = digits.take_while(char::is_ascii_digit).collect();
    first.parse().unwrap()
}

/// Checks that measuring is broken for a reason.
#[track_caller]
fn is_refused(project: &Project, reason: &str) -> Ended {
    let ended = project.tripline(&["check"]).with(11);
    let said = format!("{}{}", ended.out, ended.err);
    assert!(said.contains(reason), "`{reason}` is not said in\n{said}");
    ended
}

#[test]
fn a_program_is_measured_by_itself_and_under_every_tool() {
    let project = project(&step(
        "small",
        "harness = \"process\"\nbench = \"scan\"\nargs = [\"3\"]\nbenchmark = \"connect\"\nparams = { threads = 3 }\n\
         per = \"port\"\nrepeats = 3\n\
         tools = [\"hyperfine\", \"perf-stat\", \"strace\", \"dhat\", \"massif\", \"callgrind\"]",
    ));
    let ended = project.tripline(&["measure", "--repeats", "1"]).with(0);
    let connect = line_of(&project, "connect");
    for metric in [
        "wall_time",
        "cpu_time",
        "user_time",
        "system_time",
        "resident_peak",
        "count_port",
        "cpu_time_per_port",
        "system_calls",
        "futex_calls",
        "system_calls_per_port",
        "allocations",
        "allocations_per_port",
        "heap_peak",
        "instructions",
        "instructions_per_port",
    ] {
        let sign = format!("\"{metric}\":");
        assert!(
            connect.contains(&sign),
            "{metric} is not in\n{connect}\n{}",
            ended.err
        );
    }
    let run = project.read("target/tripline/scan/run.jsonl");
    let stated =
        "\"argv_small-strace\":\"strace --follow-forks --summary-only --output OUTPUT -- scan 3\"";
    assert!(run.contains(stated), "{run}");
    assert!(run.contains("\"argv_small\":\"scan 3\""), "{run}");
    assert!(run.contains("\"built_with\":\"opt-level 3"), "{run}");
    // With perf or without, with all counters, some or none: what is missing is said, and nothing fails.
    let counted = connect.contains("\"hardware_instructions\":");
    assert!(counted || connect.contains("counters-missing"), "{connect}");
}

/// Both sides are built by cargo with one name, each from its own tree.
#[test]
fn a_session_measures_the_program_of_each_side() {
    let repository = Repository::for_cargo();
    repository.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"small\"\nharness = \"process\"\nbench = \"scan\"\nper = \"port\"\n",
    );
    repository.write("bench/kv/Cargo.toml", MANIFEST);
    repository.write("bench/kv/src/lib.rs", "");
    for units in ["100", "200"] {
        let program = PROGRAM.replace("100", units);
        repository.write("bench/kv/benches/scan.rs", &program);
        repository.commit();
    }
    let args = ["measure", "--against", "HEAD~1", "--pairs", "3"];
    repository.tripline(&args).with(0);
    let units = |run: Run| {
        let scan = run.measurements().next().unwrap();
        let count = scan.reading(&MetricName::new("count_port").unwrap());
        count.expect("it was counted").sample.median()
    };
    let of_side = |side| units(repository.run(side));
    assert_eq!([of_side("base"), of_side("run")], [100.0, 200.0]);
}

/// A program that does so much work as its path says.
const PATH_BOUND: &str = r#"
fn main() {
    let path = std::env::args().next().unwrap();
    let places = path.bytes().fold(0_u64, |sum, byte| (sum * 31 + u64::from(byte)) % 1_000_003);
    let work = (0..places).fold(0, |sum, at| std::hint::black_box(sum ^ at));
    println!("{work} bytes");
}
"#;

/// The path is a part of what is counted, so that two of them would be a change.
#[test]
fn both_sides_of_a_session_are_counted_under_one_path() {
    let repository = Repository::for_cargo();
    repository.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"small\"\nharness = \"process\"\nbench = \"scan\"\ntools = [\"callgrind\"]\n",
    );
    repository.write("bench/kv/Cargo.toml", MANIFEST);
    repository.write("bench/kv/src/lib.rs", "");
    repository.write("bench/kv/benches/scan.rs", PATH_BOUND);
    repository.commit();
    let args = ["measure", "--against", "HEAD", "--pairs", "3"];
    repository.tripline(&args).with(0);
    let counted = ["base", "run"].map(|side| {
        let run = repository.run(side);
        let scan = run.measurements().next().unwrap();
        let count = scan.reading(&MetricName::new("instructions").unwrap());
        count.expect("it was counted").sample.median()
    });
    // What random bytes at the start move stays within the tolerance of a tenth of a percent.
    let moved = (counted[0] - counted[1]).abs();
    assert!(moved * 1_000.0 < counted[0], "{counted:?}");
}

#[test]
fn a_session_without_perf_says_so_and_measures_the_rest() {
    let repository = Repository::empty();
    let suite = "about = \"x\"\n[[step]]\nname = \"small\"\nharness = \"process\"\ncommand = [\"true\"]\ntools = [\"perf-stat\"]\n";
    repository.write("bench/kv/suite.toml", suite);
    repository.commit();
    let programs = repository.outside("programs");
    std::fs::create_dir(&programs).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    for name in ["git", "sh", "env", "true"] {
        let places = std::env::split_paths(&path).map(|folder| folder.join(name));
        let place = places
            .into_iter()
            .find(|place| place.is_file())
            .expect(name);
        symlink(place, programs.join(name)).unwrap();
    }
    let mut command = repository.command(&["measure", "--against", "HEAD", "--pairs", "3"]);
    let output = command.env("PATH", &programs).output().unwrap();
    Ended::of(output, &repository.outside("")).with(0);
    for side in ["base", "run"] {
        let run = repository.run(side);
        let [small] = Vec::from_iter(run.measurements())[..] else {
            panic!("{run:?}")
        };
        assert!(
            small
                .reading(&MetricName::new("wall_time").unwrap())
                .is_some()
        );
        let is_said = |caveat: &Caveat| matches!(caveat, Caveat::CountersMissing { .. });
        assert!(small.caveats().iter().any(is_said), "{small:?}");
    }
}

#[test]
fn what_is_divided_by_must_be_said() {
    let silent = step(
        "silent",
        "harness = \"process\"\ncommand = [\"true\"]\nper = \"port\"",
    );
    is_refused(
        &project_of_commands(&silent),
        "it did not say how many units of `port` it worked through",
    );
}

#[test]
fn a_program_that_fails_is_not_measured() {
    let of = |command: &str| {
        project_of_commands(&step(
            "bad",
            &format!("harness = \"process\"\ncommand = {command}"),
        ))
    };
    is_refused(
        &of("[\"sh\", \"-c\", \"exit 7\"]"),
        "ended with exit code 7",
    );
    is_refused(
        &of("[\"sh\", \"-c\", \"kill -9 $$\"]"),
        "was killed by signal 9",
    );
    is_refused(&of("[\"./no-such-program\"]"), "could not be started");
}

/// A program that has nothing to measure here, and one that has.
const LEFT_OUT: &str = "[[step]]\nname = \"ring\"\nharness = \"process\"\nper = \"port\"\ntools = [\"hyperfine\", \"strace\", \"massif\"]\n\
    command = [\"sh\", \"-c\", \"echo there is no ring >&2; exit 77\"]\n\
    [[step]]\nname = \"other\"\nharness = \"process\"\ncommand = [\"true\"]\n";

#[test]
fn a_program_with_nothing_to_measure_on_this_machine_is_left_out_and_that_is_said() {
    let project = project_of_commands(LEFT_OUT);
    let ended = project.tripline(&["check"]).with(0);
    let run = project.read("target/tripline/scan/run.jsonl");
    for (step, why) in [
        ("ring", "there is no ring"),
        ("ring-hyperfine", "it ended with exit code 77"),
        ("ring-strace", "there is no ring"),
        ("ring-massif", "there is no ring"),
    ] {
        let note = format!("note: step `{step}` is left out on this machine: {why}\n");
        assert!(ended.err.contains(&note), "{}", ended.err);
        let fact = format!("\"left_out_{step}\":\"{why}\"");
        assert!(run.contains(&fact), "{run}");
    }
    line_of(&project, "other");
    assert!(!run.contains("\"benchmark\":\"ring\""), "{run}");
}

#[test]
fn what_a_baseline_has_and_this_machine_has_not_is_no_failure() {
    let project = project_of_commands(
        &LEFT_OUT
            .replace("exit 77", "exit 0")
            .replace("per = \"port\"\n", ""),
    );
    project.tripline(&["measure"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    project.write(
        "bench/scan/suite.toml",
        &format!("about = \"x\"\n{LEFT_OUT}"),
    );
    let ended = project.tripline(&["check"]).with(0);
    assert!(ended.out.contains("removed"), "{}", ended.out);
}

#[test]
fn a_session_in_which_neither_side_has_anything_to_measure_goes_on() {
    // hyperfine takes no path that is not UTF-8.
    let repository = Repository::for_cargo();
    repository.write("bench/kv/suite.toml", &format!("about = \"x\"\n{LEFT_OUT}"));
    repository.commit();
    let args = ["measure", "--against", "HEAD", "--pairs", "3"];
    let ended = repository.tripline(&args).with(0);
    for step in ["`ring`", "`ring` of the base", "`ring-strace`"] {
        let note = format!("note: step {step} is left out on this machine: there is no ring\n");
        assert!(ended.err.contains(&note), "{}", ended.err);
    }
    for side in ["base", "run"] {
        let run = repository.run(side);
        let benches: Vec<String> = run
            .measurements()
            .map(|one| one.bench().within_suite())
            .collect();
        assert_eq!(benches, ["other"]);
    }
}

#[test]
fn a_program_that_is_left_out_in_some_of_its_runs_is_refused() {
    let project = project_of_commands(&step(
        "fickle",
        "harness = \"process\"\ncommand = [\"sh\", \"-c\", \"test ! -e ../../seen || exit 77; touch ../../seen\"]",
    ));
    is_refused(
        &project,
        "it was measured in one of its runs, and in another it had nothing to measure",
    );
}

/// Returns what this process ignores of what asks a program to stop, as the kernel says it.
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(mask.expect(status).trim(), 16).unwrap();
    let stops = [Signal::INT, Signal::QUIT, Signal::TERM];
    let bits = stops.map(|signal| 1 << (signal.as_raw() - 1));
    mask & bits.into_iter().fold(0, |all, bit| all | bit)
}

#[test]
fn a_program_hears_the_signals_that_it_would_hear_elsewhere() {
    let project = project_of_commands(&step(
        "ears",
        "harness = \"process\"\ncommand = [\"sh\", \"-c\", \"cat /proc/self/status > ../../heard\"]\nrepeats = 3",
    ));
    project.tripline(&["measure"]).with(0);
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    // Tripline listens to what may be ignored here, and what is listened to is not handed on as ignored.
    assert_eq!(ignored(&project.read("heard")) & !ignored(&own), 0);
}

#[test]
fn a_program_that_is_asked_to_end_may_do_so() {
    // What it does before it ends takes longer than the end of whoever waits for it.
    let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    let project = project_of_commands(&step(
        "slow",
        &format!(
            "harness = \"process\"\ncommand = [\"sh\", \"-c\", \"trap '{busy}; touch ../../ended; exit' TERM; touch ../../begun; sleep 300 & wait\"]"
        ),
    ));
    let mut command = project.command(&["measure"]);
    let child = started(&mut command, &project.at("begun"));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    child.wait_with_output().unwrap();
    assert!(project.at("ended").is_file());
}

#[test]
fn memory_is_the_programs_own() {
    let small = step(
        "small",
        "harness = \"process\"\ncommand = [\"true\"]\nrepeats = 3",
    );
    let project = project_of_commands(&small);
    project.tripline(&["measure"]).with(0);
    let line = line_of(&project, "small");
    let bytes = first_value(&line, "resident_peak");
    // This program, as tests build it, holds more than that before it starts anything.
    assert!((500_000..5_000_000).contains(&bytes), "{line}");
}

#[test]
fn a_count_of_one_process_out_of_several_is_refused() {
    let of = |script: &str| {
        let command = format!("command = [\"sh\", \"-c\", \"{script}\"]");
        let keys =
            "harness = \"process\"\nbenchmark = \"sorted\"\ntools = [\"callgrind\", \"dhat\"]";
        project_of_commands(&step("sorted", &format!("{keys}\n{command}")))
    };
    let several = of("seq 1 20 | sort -n; true");
    let ended = is_refused(
        &several,
        "callgrind counts one process, and it started 2 more",
    );
    assert!(
        ended.out.contains("dhat counts one process"),
        "{}",
        ended.err
    );
    // It is another program then, and still one process.
    let one = of("exec true");
    one.tripline(&["measure"]).with(0);
    assert!(line_of(&one, "sorted").contains("\"instructions\":"));
}

#[test]
fn counts_know_nothing_of_the_environment_of_whoever_starts_them() {
    let keys = "harness = \"process\"\nbenchmark = \"scan\"\ntools = [\"callgrind\"]";
    let project = project(&step("scan", &format!("{keys}\nbench = \"scan\"")));
    let counted = [0, 60].map(|count| {
        let mut command = project.command(&["measure", "--repeats", "1"]);
        command.envs((0..count).map(|at| (format!("VARIABLE_{at}"), "x")));
        Ended::of(command.output().unwrap(), project.path()).with(0);
        first_value(&line_of(&project, "scan"), "instructions")
    });
    // Sixty variables were ten percent. What random bytes at the start move stays within the tolerance of a tenth of one.
    let moved = counted[0].abs_diff(counted[1]);
    assert!(moved * 1_000 < counted[0], "{counted:?}");
    let states_path = |project: &Project| {
        let run = project.read("target/tripline/scan/run.jsonl");
        run.contains("\"executable_path\":")
    };
    assert!(states_path(&project));
    let command = project_of_commands(&step("scan", &format!("{keys}\ncommand = [\"true\"]")));
    command.tripline(&["measure", "--repeats", "1"]).with(0);
    assert!(!states_path(&command));
}

#[test]
fn strace_that_follows_no_threads_is_refused() {
    let project = project_of_commands(&step(
        "calls",
        "harness = \"strace-count\"\ncommand = [\"strace\", \"-c\", \"-o\", \"calls.txt\", \"sh\", \"-c\", \"true | true\"]\noutput = \"calls.txt\"",
    ));
    is_refused(
        &project,
        "2 more were started whose calls are not counted: add `-f` to its command",
    );
    let suite = project
        .read("bench/scan/suite.toml")
        .replace("\"-c\", \"-o\"", "\"-f\", \"-c\", \"-o\"");
    project.write("bench/scan/suite.toml", &suite);
    project.tripline(&["measure"]).with(0);
}

#[test]
fn a_file_that_is_not_what_its_name_says_is_refused() {
    let project = project_of_commands(&step(
        "calls",
        "harness = \"strace-count\"\ncommand = [\"sh\", \"-c\", \"strace -f -c -o real.txt echo 22 open > trace.txt\"]\noutput = \"trace.txt\"",
    ));
    is_refused(&project, "trace.txt");
    let other = project_of_commands(&step(
        "heap",
        "harness = \"massif\"\ncommand = [\"strace\", \"-f\", \"-c\", \"-o\", \"massif.out\", \"true\"]\noutput = \"massif.out\"",
    ));
    is_refused(
        &other,
        "it is the output of `strace-count`, and the step names `massif`",
    );
}

#[test]
fn a_debug_build_is_refused() {
    let project = project_of_commands(&step(
        "slow",
        "harness = \"process\"\ncommand = [\"../../target/debug/scan\"]",
    ));
    project.write("target/debug/.fingerprint/x", "");
    project.write("target/debug/scan", "");
    is_refused(&project, "lies in the folder of cargo's debug profile");
    let suite = project
        .read("bench/scan/suite.toml")
        .replace("[\"../../target/debug/scan\"]", "[\"cargo\", \"run\"]");
    project.write("bench/scan/suite.toml", &suite);
    is_refused(
        &project,
        "`cargo run` builds for debugging: add `--release`",
    );
}

#[test]
fn a_single_time_is_refused() {
    let once = step(
        "once",
        "harness = \"process\"\ncommand = [\"true\"]\nrepeats = 1",
    );
    let ended = project_of_commands(&once).tripline(&["measure"]).with(4);
    assert!(
        ended
            .err
            .contains("a single time says nothing about what the next one would be"),
        "{}",
        ended.err
    );
    let once = project_of_commands(&step(
        "once",
        "harness = \"hyperfine\"\ncommand = [\"hyperfine\", \"--shell=none\", \"--runs=1\", \"--export-json=out.json\", \"true\"]\noutput = \"out.json\"",
    ));
    is_refused(&once, "`true` was run once");
}
