//! Sessions: `--against` a revision, with steps that are run whole and alternate. What a script prints is known in
//! advance, so what is found must be so.

mod kept;

use std::os::unix::fs::symlink;

use rustix::process::{Pid, Signal, kill_process};
use tripline_model::{Gate, Method, Report, Verdict, WorkTree};

use crate::project::{self, Ended};
use crate::repository::{PRINT, Repository, SUITE, dropped, times_of};

/// Returns the verdicts of a report, each with its benchmark.
fn verdicts(report: &Report) -> Vec<String> {
    let findings = report.findings.iter();
    findings
        .map(|one| format!("{} {}", one.bench.within_suite(), one.verdict.word()))
        .collect()
}

/// Measures a session whose steps log their side, and returns the log.
fn logged(repository: &Repository, args: &[&str]) -> Vec<String> {
    let log = repository.outside("log");
    let _ = std::fs::remove_file(&log);
    let mut command = repository.command(&["measure", "--against", "HEAD~1"]);
    let output = command.args(args).env("LOG", &log).output().unwrap();
    Ended::of(output, &repository.outside("")).with(0);
    let text = std::fs::read_to_string(&log).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn both_sides_share_an_id_and_their_rounds_and_end_when_it_is_clear() {
    let repository = Repository::with_times("get 1000", "get 1100");
    let args = ["measure", "--against", "HEAD~1", "--seed", "7"];
    let ended = repository.tripline(&args).with(0);
    assert!(
        ended.err.contains("drawn from the seed 0000000000000007"),
        "{}",
        ended.err
    );
    let (base, head) = (repository.run("base"), repository.run("run"));
    for run in [&base, &head] {
        assert!(
            run.session
                .as_ref()
                .unwrap()
                .as_str()
                .starts_with("0000000000000007-")
        );
        assert_eq!(run.revision.as_ref().unwrap().work_tree, WorkTree::Clean);
    }
    assert_eq!(
        base.revision.as_ref().unwrap().commit.as_str(),
        repository.git(&["rev-parse", "HEAD~1"])
    );
    assert_eq!(
        head.revision.as_ref().unwrap().commit.as_str(),
        repository.git(&["rev-parse", "HEAD"])
    );
    let (of_base, of_head) = (times_of(&base, "get"), times_of(&head, "get"));
    assert_eq!(of_base.1, [1_000.0; 9]);
    assert_eq!(of_head.1, [1_100.0; 9]);
    let rounds = of_base.0.unwrap();
    assert_eq!(of_head.0, Some(rounds.clone()));
    assert!(rounds.is_sorted(), "{rounds:?}");
}

#[test]
fn the_order_is_drawn_from_the_seed() {
    let repository = Repository::with_times("get 1000", "get 1000");
    let first = logged(&repository, &["--seed", "7"]);
    let again = logged(&repository, &["--seed", "7"]);
    let other = logged(&repository, &["--seed", "8"]);
    // Rounds that were disturbed are taken again, so one log may be longer than another.
    let least = first.len().min(again.len()).min(other.len());
    assert_eq!(first[..least], again[..least]);
    assert_ne!(first[..least], other[..least]);
    for round in first.chunks(2) {
        let mut sides = round.to_vec();
        sides.sort();
        assert_eq!(sides, ["base", "head"], "a round is one run of each");
    }
    let begins_with = |side: &str| first.chunks(2).any(|round| round[0] == side);
    assert!(begins_with("base") && begins_with("head"));
}

#[test]
fn the_first_round_is_thrown_away() {
    let repository = Repository::with_times("get 1000", "get 1000");
    // Who runs for the first time is slow.
    repository.script(
        "if grep -q \"$(cat side)\" \"$LOG\" 2>/dev/null; then print_run < ns; else echo 'get 900000' | print_run; fi
         cat side >> \"$LOG\"",
    );
    repository.commit();
    repository.write("bench/kv/side", "later\n");
    repository.commit();
    let log = logged(&repository, &["--seed", "7"]);
    let (base, head) = (repository.run("base"), repository.run("run"));
    for run in [&base, &head] {
        assert_eq!(times_of(run, "get").1, [1_000.0; 9]);
    }
    assert_eq!(log.len(), 2 * (1 + 9 + dropped(&head)));
}

#[test]
fn what_stays_open_ends_with_its_rounds() {
    let repository = Repository::with_times("get 1000", "get 1000");
    // Every other run is slow, on either side.
    repository.script(
        "n=$(cat \"$LOG-$(cat side)\" 2>/dev/null || echo 0); echo $((n + 1)) > \"$LOG-$(cat side)\"
         if [ $((n % 2)) = 0 ]; then print_run < ns; else sed 's/1000/1500/' ns | print_run; fi",
    );
    repository.commit();
    repository.write("bench/kv/side", "later\n");
    repository.commit();
    let mut command = repository.command(&["measure", "--against", "HEAD~1"]);
    command.args(["--seed", "7", "--pairs", "3"]);
    let output = command.env("LOG", repository.outside("log")).output();
    let ended = Ended::of(output.unwrap(), &repository.outside("")).with(0);
    let note = "with `--pairs 3` a benchmark has 6 rounds at most, and the clearest change takes 9";
    assert!(ended.err.contains(note), "{}", ended.err);
    let (base, head) = (repository.run("base"), repository.run("run"));
    let count = times_of(&base, "get").1.len();
    assert_eq!(times_of(&head, "get").1.len(), count);
    assert!((1..=6).contains(&count), "{count}");
    let note = "`--pairs 3` does nothing without `--against`";
    for (args, is_told) in [
        (&["measure", "--pairs", "3"][..], true),
        (&["measure"], false),
    ] {
        let ended = repository.tripline(args).with(0);
        assert_eq!(ended.err.contains(note), is_told, "{}", ended.err);
    }
}

#[test]
fn a_regression_that_is_planted_fails_and_the_same_code_is_unchanged() {
    let repository = Repository::with_times("get 1000\nset 5000", "get 1000\nset 5500");
    let args = ["check", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(10);
    let reports = repository.reports();
    assert_eq!(verdicts(&reports[0]), ["get unchanged", "set regressed"]);
    let set = &reports[0].findings[1];
    assert_eq!(set.evidence.method, Method::Paired);
    assert_eq!(set.gate, Gate::Fail);
    assert!((set.evidence.change.unwrap().ratio - 1.1).abs() < 1e-9);
    let args = ["check", "--against", "HEAD", "--seed", "7"];
    repository.tripline(&args).with(0);
    let reports = repository.reports();
    assert_eq!(verdicts(&reports[0]), ["get unchanged", "set unchanged"]);
}

#[test]
fn what_a_harness_makes_one_number_of_is_a_value_of_its_round() {
    let libtest = |ns: u32| {
        format!(
            "running 1 test\ntest get ... bench: {ns:>10} ns/iter (+/- 200)\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 1 measured; 0 filtered out\n"
        )
    };
    let custom = |ns: u32| format!("[{{\"name\":\"get\",\"unit\":\"ns\",\"value\":{ns}}}]");
    let [before, after] = [100_000, 105_000].map(|ns| [libtest(ns), custom(ns)]);
    let harnesses = ["libtest", "custom-smaller-is-better"];
    let repository = Repository::with_times("get 1000", "get 1000");
    for (at, harness) in harnesses.iter().enumerate() {
        let suite = format!(
            "about = \"x\"\n[[step]]\nname = \"s\"\nharness = \"{harness}\"\ncommand = [\"cat\", \"out\"]\n"
        );
        repository.write("bench/kv/suite.toml", &suite);
        repository.write("bench/kv/out", &before[at]);
        repository.commit();
        repository.write("bench/kv/out", &after[at]);
        repository.commit();
        let args = ["check", "--against", "HEAD~1", "--seed", "7"];
        repository.tripline(&args).with(10);
        let found = &repository.reports()[0].findings[0];
        assert_eq!(found.evidence.method, Method::Paired, "{harness}");
        assert_eq!(
            (found.verdict, found.gate),
            (Verdict::Regressed, Gate::Fail)
        );
        let args = ["check", "--against", "HEAD", "--seed", "7"];
        repository.tripline(&args).with(0);
        let all = verdicts(&repository.reports()[0]);
        assert!(all.iter().all(|one| one == "get unchanged"), "{all:?}");
    }
}

/// Whatever a program measures: where both sides run the same, nothing is found.
#[test]
fn the_same_program_on_both_sides_is_all_unchanged() {
    let mut random = fastrand::Rng::with_seed(2026);
    for _ in 0..3 {
        let mut lines = Vec::new();
        for at in 0..random.usize(1..6) {
            let digits = random.u32(0..12);
            let time = random.u64(0..10_u64.pow(digits) + 1);
            lines.push(format!("b{at} {time}"));
        }
        let repository = Repository::with_times(&lines.join("\n"), &lines.join("\n"));
        repository
            .tripline(&["check", "--against", "HEAD~1", "--seed", "3"])
            .with(0);
        let report = &repository.reports()[0];
        assert_eq!(report.findings.len(), lines.len());
        for finding in &report.findings {
            assert_eq!(finding.verdict, Verdict::Unchanged, "{finding:?}");
            assert_eq!(finding.evidence.method, Method::Paired);
        }
    }
}

/// A second step, of which once is enough: it says which side it is, and prints what the file `once` says.
const ONCE: &str = "[[step]]\nname = \"once\"\nharness = \"run-file\"\ncommand = [\"sh\", \"once.sh\"]\nrepeats = 1\n";

/// A repository whose suite has a step of which once is enough, with a limit on what that gives, and one that is timed.
fn with_once(base: &str, head: &str) -> Repository {
    let repository = Repository::with_times("get 1000", "get 1000");
    let limit = "[[policy]]\nbecause = \"x\"\nbenchmark = \"once\"\nmax = 90\n";
    repository.write("bench/kv/suite.toml", &format!("{SUITE}{ONCE}{limit}"));
    let script = "[ -z \"$LOG\" ] || echo \"once $(cat side)\" >> \"$LOG\"\nprint_run < once";
    repository.write("bench/kv/once.sh", &format!("{PRINT}\n{script}\n"));
    for (side, once) in [("base", base), ("head", head)] {
        repository.write("bench/kv/once", &format!("once {once}\n"));
        repository.write("bench/kv/side", &format!("{side}\n"));
        repository.commit();
    }
    repository
}

#[test]
fn what_is_enough_once_is_run_once_on_each_side_and_the_rest_in_rounds() {
    let repository = with_once("70", "80");
    let log = logged(&repository, &["--seed", "7"]);
    assert_eq!(log[..2], ["once base", "once head"]);
    let rounds = &log[2..];
    assert!(
        rounds.iter().all(|line| !line.starts_with("once")),
        "{log:?}"
    );
    let dropped = dropped(&repository.run("run"));
    assert_eq!(rounds.len(), 2 * (1 + 9 + dropped));
    for (side, value) in [("base", 70.0), ("run", 80.0)] {
        let run = repository.run(side);
        assert_eq!(times_of(&run, "once"), (None, vec![value]));
        assert_eq!(times_of(&run, "get").1, [1_000.0; 9]);
    }
    // By itself it is run as often.
    let output = repository.command(&["measure"]).output().unwrap();
    Ended::of(output, &repository.outside("")).with(0);
    assert_eq!(times_of(&repository.run("run"), "once").1, [80.0]);
}

/// A single time says neither that it is better nor that it is worse, and its limit holds all the same.
#[test]
fn what_is_enough_once_is_held_to_its_limit_and_not_compared() {
    for (base, head, code, verdict, gate) in [
        ("80", "80", 0, Verdict::Inconclusive, Gate::Warn),
        ("40", "80", 0, Verdict::Inconclusive, Gate::Warn),
        ("80", "40", 0, Verdict::Inconclusive, Gate::Warn),
        ("80", "91", 10, Verdict::Regressed, Gate::Fail),
        ("95", "91", 10, Verdict::Regressed, Gate::Fail),
        ("95", "90", 0, Verdict::Inconclusive, Gate::Warn),
    ] {
        let repository = with_once(base, head);
        let args = ["check", "--against", "HEAD~1", "--seed", "7"];
        let ended = repository.tripline(&args).with(code);
        let report = &repository.reports()[0];
        let once = &report.findings[1];
        assert_eq!(once.bench.within_suite(), "once");
        assert_eq!((once.verdict, once.gate), (verdict, gate), "{base} {head}");
        assert_eq!(report.findings[0].evidence.method, Method::Paired);
        if code == 0 {
            let said = [
                "were not measured in the same rounds",
                "without `repeats = 1`",
            ];
            assert!(
                said.iter().all(|said| ended.out.contains(said)),
                "{}",
                ended.out
            );
        }
    }
}

/// The commit that says it has a base that does not: each side is measured as it says, and nothing is compared.
#[test]
fn a_step_of_which_only_one_side_says_that_once_is_enough_is_not_paired() {
    for (of_base, of_head) in [("", "repeats = 1\n"), ("repeats = 1\n", "")] {
        let repository = Repository::with_times("get 1000", "get 1000");
        for (side, more) in [("base", of_base), ("head", of_head)] {
            repository.write("bench/kv/side", &format!("{side}\n"));
            repository.write("bench/kv/suite.toml", &format!("{SUITE}{more}"));
            repository.commit();
        }
        let args = ["check", "--against", "HEAD~1", "--seed", "7"];
        repository.tripline(&args).with(0);
        let findings = &repository.reports()[0].findings;
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].verdict, Verdict::Inconclusive);
        assert_eq!(findings[0].evidence.method, Method::BaselineOnly);
    }
}

#[test]
fn what_is_enough_once_and_fails_is_broken() {
    for side in ["base", "head"] {
        let repository = with_once("70", "70");
        repository.write(
            "bench/kv/once.sh",
            &format!("{PRINT}\n[ $(cat side) != {side} ] || exit 1\nprint_run < once\n"),
        );
        for side in ["base", "head"] {
            repository.write("bench/kv/side", &format!("{side}\n"));
            repository.commit();
        }
        let args = ["check", "--against", "HEAD~1", "--seed", "7"];
        let ended = repository.tripline(&args).with(11);
        assert!(
            ended.out.contains("ended with exit code 1"),
            "{}",
            ended.out
        );
        assert_eq!(
            ended.out.contains("of the base"),
            side == "base",
            "{}",
            ended.out
        );
    }
}

#[test]
fn what_cannot_be_compared_is_said_and_leaves_the_previous_run() {
    let repository = Repository::empty();
    repository.with_suite();
    repository.times("get 1000");
    let refused = |against: &str, why: &str| {
        let ended = repository.tripline(&["measure", &format!("--against={against}")]);
        let ended = ended.with(4);
        assert!(ended.err.contains("nothing was measured"), "{}", ended.err);
        assert!(ended.err.contains(why), "{}", ended.err);
        assert!(ended.err.contains("hint: "), "{}", ended.err);
        assert!(!repository.at("target/tripline/kv/base.jsonl").exists());
    };
    refused("HEAD", "the project has no commit yet");
    repository.commit();
    repository.tripline(&["measure"]).with(0);
    let place = repository.at("target/tripline/kv/run.jsonl");
    let before = std::fs::read(&place).unwrap();
    for unknown in ["no-such", "HEAD~1", "--upload-pack=x", ""] {
        refused(unknown, &format!("there is no commit `{unknown}` here"));
    }
    std::fs::remove_dir_all(repository.at(".git")).unwrap();
    refused("HEAD", "not a git repository");
    assert_eq!(std::fs::read(&place).unwrap(), before);
}

#[test]
fn a_step_that_only_one_side_has_is_found() {
    let repository = Repository::with_times("get 1000", "get 1000");
    let more = |name: &str| {
        let step = SUITE.split_once("[[step]]").unwrap().1;
        let step = step
            .replace("\"times\"", &format!("\"{name}\""))
            .replace("run.sh", "more.sh");
        repository.write("bench/kv/suite.toml", &format!("{SUITE}[[step]]{step}"));
        let print = format!("{PRINT}\necho '{name} 70' | print_run\n");
        repository.write("bench/kv/more.sh", &print);
        repository.commit();
    };
    more("old");
    more("new");
    let args = ["check", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(0);
    let found = verdicts(&repository.reports()[0]);
    assert_eq!(found, ["get unchanged", "new added", "old removed"]);
}

/// What two steps measured one after the other was not measured side by side, whatever the numbers of its rounds.
#[test]
fn a_step_that_was_renamed_is_not_paired() {
    let repository = Repository::with_times("get 1000", "get 1500");
    let suite = SUITE.replace("\"times\"", "\"clock\"");
    repository.write("bench/kv/suite.toml", &suite);
    repository.commit();
    let args = ["check", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(0);
    let finding = &repository.reports()[0].findings[0];
    assert_eq!(finding.evidence.method, Method::BaselineOnly);
    for side in ["base", "run"] {
        assert_eq!(times_of(&repository.run(side), "get").0, None);
    }
}

/// What a step measured by another harness is another number, and what it measured there alone is gone.
#[test]
fn a_step_that_changed_its_harness_is_not_paired_and_hides_nothing() {
    let repository = Repository::with_times("get 1000", "BenchmarkGet 1000\nset 1000");
    let suite = SUITE.replace("\"run-file\"", "\"go\"");
    repository.write("bench/kv/suite.toml", &suite);
    repository.write(
        "bench/kv/run.sh",
        "printf 'goos: linux\\nBenchmarkGet 10 3000 ns/op\\nPASS\\nok kv 1s\\n'\n",
    );
    repository.commit();
    let args = ["check", "--against", "HEAD~1", "--seed", "7"];
    let ended = repository.tripline(&args).with(0);
    for side in ["kv/times (head) ...", "kv/times (base) ..."] {
        assert!(ended.err.contains(side), "{}", ended.err);
    }
    let found = verdicts(&repository.reports()[0]);
    assert_eq!(found, ["BenchmarkGet inconclusive", "set removed"]);
    assert_eq!(repository.reports()[0].gate(), Gate::Warn);
}

#[test]
fn benchmarks_that_moved_to_another_step_are_not_paired() {
    let repository = Repository::with_times("get 1000", "get 1000");
    let step = SUITE.split_once("[[step]]").unwrap().1;
    let step = step
        .replace("\"times\"", "\"more\"")
        .replace("run.sh", "more.sh");
    repository.write("bench/kv/suite.toml", &format!("{SUITE}[[step]]{step}"));
    repository.write("bench/kv/more.sh", &format!("{PRINT}\nprint_run < more\n"));
    repository.write("bench/kv/more", "set 1000\n");
    repository.commit();
    repository.times("set 1500");
    repository.write("bench/kv/more", "get 1500\n");
    let args = ["check", "--against", "HEAD", "--seed", "7"];
    repository.tripline(&args).with(0);
    let findings = &repository.reports()[0].findings;
    assert_eq!(findings.len(), 2);
    for finding in findings {
        assert_eq!(finding.evidence.method, Method::BaselineOnly);
    }
}

#[test]
fn a_base_that_fails_is_broken_and_says_that_it_is_the_base() {
    let repository = Repository::with_times("get 1000", "get 1000");
    repository.script("echo 'no such thing' >&2; exit 1");
    repository.commit();
    repository.script("print_run < ns");
    repository.commit();
    let of_base = |args: &[&str]| {
        let ended = repository.tripline(args).with(11);
        let said = format!("{}{}", ended.out, ended.err);
        assert!(said.contains("ended with exit code 1"), "{said}");
        assert!(said.contains("of the base"), "{said}");
    };
    of_base(&["measure", "--against", "HEAD~1"]);
    of_base(&["check", "--against", "HEAD~1"]);
    assert!(repository.reports()[0].is_broken());
    // The other way round it is the head, of which nothing need be said.
    repository.script("exit 1");
    let ended = repository
        .tripline(&["check", "--against", "HEAD"])
        .with(11);
    assert!(!ended.out.contains("of the base"), "{}", ended.out);
}

#[test]
fn a_base_that_fails_once_makes_nothing_of_the_head_broken() {
    let repository = Repository::with_times("get 1000", "get 1000");
    let once = repository.outside("once");
    let once = once.to_str().unwrap();
    repository.script(&format!(
        "[ -e '{once}' ] || {{ touch '{once}'; exit 1; }}; print_run < ns"
    ));
    repository.commit();
    repository.script("print_run < ns");
    let ended = repository
        .tripline(&["check", "--against", "HEAD"])
        .with(11);
    assert!(ended.out.contains("of the base"), "{}", ended.out);
    assert!(ended.out.contains("mend the base first"), "{}", ended.out);
    assert_eq!(verdicts(&repository.reports()[0]), [""; 0]);
}

#[test]
fn what_the_base_has_is_broken_where_the_step_of_the_head_fails() {
    let repository = Repository::with_times("get 1000\nset 2000", "get 1000\nset 2000");
    repository.script("echo \"panicked: no such key\" >&2; exit 101");
    let ended = repository
        .tripline(&["check", "--against", "HEAD"])
        .with(11);
    let report = &repository.reports()[0];
    assert_eq!(verdicts(report), ["get broken", "set broken"]);
    assert_eq!(report.gate(), Gate::Fail);
    for said in ["times", "ended with exit code 101", "no such key"] {
        assert!(ended.out.contains(said), "{}", ended.out);
    }
}

#[test]
fn a_base_whose_suite_cannot_be_read_is_named() {
    let repository = Repository::with_times("get 1000", "get 1000");
    repository.write("bench/kv/suite.toml", "about = 1\n");
    repository.commit();
    repository.write("bench/kv/suite.toml", SUITE);
    let ended = repository.tripline(&["check", "--against", "HEAD"]).with(4);
    assert!(ended.err.contains("it is the base's"), "{}", ended.err);
}

#[test]
fn a_step_that_measures_now_one_thing_and_now_another_is_broken() {
    let repository = Repository::with_times("get 1000", "get 1000");
    repository.script(
        "echo x >> \"$LOG\"; [ $(wc -l < \"$LOG\") -lt 5 ] || echo 'new 7' >> ns; print_run < ns",
    );
    let mut command = repository.command(&["measure", "--against", "HEAD", "--seed", "7"]);
    let output = command.env("LOG", repository.outside("log")).output();
    let ended = Ended::of(output.unwrap(), &repository.outside("")).with(11);
    let said = "it measured `kv/new` in one of its runs and not in another";
    assert!(ended.err.contains(said), "{}", ended.err);
}

#[test]
fn a_log_that_cannot_be_written_is_no_failure_of_the_step() {
    let repository = Repository::with_times("get 1000", "get 1000");
    repository.script("echo talk >&2; print_run < ns");
    let folder = repository.at("target/tripline/kv/head");
    std::fs::create_dir_all(&folder).unwrap();
    symlink("/dev/full", folder.join("times.log")).unwrap();
    let ended = repository.tripline(&["measure", "--against", "HEAD"]);
    let ended = ended.with(4);
    assert!(
        ended.err.contains("times.log` cannot be written"),
        "{}",
        ended.err
    );
}

#[test]
fn the_head_goes_where_it_is_asked_to_and_the_base_to_its_place() {
    let repository = Repository::with_times("get 1000", "get 1100");
    let place = repository.outside("head.jsonl");
    let mut command = repository.command(&["measure", "--out"]);
    let output = command
        .arg(&place)
        .env("TRIPLINE_AGAINST", "HEAD~1")
        .env("TRIPLINE_SEED", "00ff")
        .env("TRIPLINE_PAIRS", "20")
        .output();
    Ended::of(output.unwrap(), &repository.outside("")).with(0);
    assert!(!repository.at("target/tripline/kv/run.jsonl").exists());
    let head = tripline_model::wire::read_run(&std::fs::read(place).unwrap()).unwrap();
    let base = repository.run("base");
    assert_eq!(base.session, head.session);
    let session = base.session.unwrap();
    assert!(
        session.as_str().starts_with("00000000000000ff-"),
        "{session}"
    );
    assert_eq!(times_of(&head, "get").1, [1_100.0; 9]);
}

#[test]
fn an_interrupt_leaves_the_previous_runs_of_both_sides() {
    let repository = Repository::with_times("get 1000", "get 1100");
    let args = ["measure", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(0);
    let places = ["base", "run"].map(|side| {
        let place = repository.at(&format!("target/tripline/kv/{side}.jsonl"));
        std::fs::read(place).unwrap()
    });
    let started = repository.outside("started");
    repository.script("touch \"$STARTED\"; sleep 600");
    let mut command = repository.command(&args);
    let child = project::started(command.env("STARTED", &started), &started);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = Ended::of(child.wait_with_output().unwrap(), &repository.outside("")).with(3);
    assert!(
        ended.err.contains("interrupted: not measured: kv"),
        "{}",
        ended.err
    );
    let now = ["base", "run"].map(|side| {
        let place = repository.at(&format!("target/tripline/kv/{side}.jsonl"));
        std::fs::read(place).unwrap()
    });
    assert_eq!(now, places);
}

#[test]
fn two_sessions_of_one_seed_are_two() {
    let repository = Repository::with_times("get 1000", "get 1000");
    let args = ["measure", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(0);
    let first = repository.run("run").session;
    repository.tripline(&args).with(0);
    assert_ne!(repository.run("run").session, first);
}

#[test]
fn a_session_can_be_kept_as_a_baseline() {
    let repository = Repository::with_times("get 1000", "get 1000");
    let args = ["measure", "--against", "HEAD~1", "--seed", "7"];
    repository.tripline(&args).with(0);
    repository.tripline(&["baseline", "update"]).with(0);
    repository.tripline(&["baseline", "check"]).with(0);
    repository.tripline(&args).with(0);
    repository.tripline(&["baseline", "update"]).with(0);
    repository.tripline(&["check"]).with(0);
    let report = &repository.reports()[0];
    assert_eq!(report.findings[0].evidence.method, Method::BaselineOnly);
}
