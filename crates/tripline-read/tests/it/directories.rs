//! That nothing in a directory that looks like a result is left without a word, whatever it is called.

use std::fs;

use tempfile::TempDir;
use tripline_read::{Input, recognized, sniff};

use crate::support::{Case, FAINT, TWINS, cases, read};

/// Names that no adapter knows: such as people give to what they redirect.
const NAMES: [&str; 3] = ["results.log", "results", "results.perf.2"];

/// A file that no other is mistaken for.
const HYPERFINE: &str = r#"{"results": [{"command": "a", "mean": 1, "user": 1, "times": [1]}]}"#;

fn texts() -> impl Iterator<Item = (Case, Vec<u8>)> {
    cases().into_iter().filter_map(|case| match &case.input {
        Input::Text { bytes, .. } => Some(bytes.clone()).map(|bytes| (case, bytes)),
        Input::Tree { .. } => None,
    })
}

fn write(directory: &TempDir, path: &str, text: impl AsRef<[u8]>) {
    let path = directory.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn open(directory: &TempDir) -> Input {
    Input::open(directory.path()).unwrap()
}

#[test]
fn what_a_harness_wrote_is_read_whatever_its_file_is_called() {
    for (index, (case, bytes)) in texts().enumerate() {
        let name = NAMES[index % NAMES.len()];
        let directory = TempDir::new().unwrap();
        write(&directory, name, &bytes);
        let tree = open(&directory);
        if !TWINS.contains(&case.adapter.name) && !FAINT.contains(&&*case.name) {
            assert_eq!(
                sniff(&tree).unwrap().name,
                case.adapter.name,
                "{}",
                case.name
            );
        }
        let alone = Input::from_bytes(name, bytes);
        let (found, expected) = (read(case.adapter, &tree), read(case.adapter, &alone));
        let (found, expected) = (found.unwrap(), expected.unwrap());
        assert_eq!(found.observations, expected.observations, "{}", case.name);
        assert_eq!(
            found.problems.len(),
            expected.problems.len(),
            "{}",
            case.name
        );
    }
}

#[test]
fn what_was_begun_in_one_file_may_have_its_result_in_another() {
    let adapter = tripline_read::adapter("criterion-text").unwrap();
    let begun = |name: &str| format!("Benchmarking {name}: Warming up for 3.0000 s\n");
    let time = "get                     time:   [1.2345 µs 1.2400 µs 1.2450 µs]\n";
    let directory = TempDir::new().unwrap();
    write(&directory, "err.txt", begun("get"));
    write(&directory, "out.txt", time);
    let found = read(adapter, &open(&directory)).unwrap();
    assert_eq!(found.problems, []);
    write(&directory, "err.txt", begun("get") + &begun("set"));
    let problems = read(adapter, &open(&directory)).unwrap().problems;
    assert_eq!(problems.len(), 1);
    let problem = problems[0].to_string();
    assert!(problem.contains("`set` was begun"), "{problem}");
    assert!(problem.contains("err.txt:2:1"), "{problem}");
}

#[test]
fn what_lies_beside_the_results_of_another_harness_is_told() {
    let hyperfine = tripline_read::adapter("hyperfine").unwrap();
    for (index, (case, bytes)) in texts().enumerate() {
        if case.adapter.name == "hyperfine" || FAINT.contains(&&*case.name) {
            continue;
        }
        let name = NAMES[index % NAMES.len()];
        let directory = TempDir::new().unwrap();
        write(&directory, "good.json", HYPERFINE);
        write(&directory, name, bytes);
        let tree = open(&directory);
        let found = recognized(&tree).unwrap();
        assert!(
            found.iter().any(|one| one.name == case.adapter.name),
            "{}",
            case.name
        );
        let said = sniff(&tree).expect_err("two harnesses wrote").to_string();
        assert!(
            said.contains(&format!("{} (`{name}`)", case.adapter.name)),
            "{said}"
        );
        let observed = read(hyperfine, &tree).unwrap();
        let told = observed.problems.iter().map(ToString::to_string);
        let told: Vec<String> = told.collect();
        assert!(
            told.len() == 1 && told[0].contains(name) && told[0].contains(case.adapter.name),
            "{}: {told:?}",
            case.name
        );
    }
}

/// Numbers in columns and a line of a shell are in many directories, and few of them are benchmarks.
#[test]
fn what_may_be_of_anybody_claims_no_file_and_is_told_as_passed_over() {
    let directory = TempDir::new().unwrap();
    write(&directory, "points.csv", "1,20,300\n4,50,600\n");
    write(&directory, "build.log", "make all\n\nreal\t0m1.5s\n");
    let nobody = sniff(&open(&directory)).unwrap_err().to_string();
    let files = "gnu-time (`build.log`) and tango (`points.csv`) may be";
    assert!(nobody.contains(files), "{nobody}");
    write(&directory, "good.json", HYPERFINE);
    let tree = open(&directory);
    let hyperfine = sniff(&tree).unwrap();
    assert_eq!(hyperfine.name, "hyperfine");
    let observed = read(hyperfine, &tree).unwrap();
    assert_eq!(observed.problems, []);
    let root = directory.path().to_str().unwrap();
    let told = observed.remarks.iter().map(ToString::to_string);
    let told: Vec<String> = told.map(|told| told.replace(root, "<dir>")).collect();
    let passed = |of: &str, at: &str| {
        format!(
            "passed over: it may be output of {of}, or of anybody; if it is, read it on its own at <dir>/{at}:1:1"
        )
    };
    assert_eq!(
        told,
        [
            passed("gnu-time", "build.log"),
            passed("tango", "points.csv")
        ]
    );
    // Whoever names the harness knows whose they are.
    let tango = tripline_read::adapter("tango").unwrap();
    assert_eq!(read(tango, &tree).unwrap().observations.len(), 1);
}

/// A log has the names that fit into its lines, and values as a reader likes them.
#[test]
fn what_asv_printed_beside_its_results_changes_nothing_and_is_told() {
    let asv = tripline_read::adapter("asv").unwrap();
    let printed = ["printed", "printed_narrow", "compared"];
    let logs = printed.map(|case| fs::read(format!("fixtures/asv/{case}/out.txt")).unwrap());
    let results = fs::read_dir("fixtures/asv/results_of_printed/bench-1").unwrap();
    let directory = TempDir::new().unwrap();
    for entry in results {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        write(
            &directory,
            &format!("bench-1/{name}"),
            fs::read(&path).unwrap(),
        );
    }
    let benchmarks = fs::read("fixtures/asv/results_of_printed/benchmarks.json").unwrap();
    write(&directory, "benchmarks.json", benchmarks);
    let alone = read(asv, &open(&directory)).unwrap();
    for (name, log) in ["a.txt", "bench-1/z.log", "out"].iter().zip(&logs) {
        write(&directory, name, log);
        let both = read(asv, &open(&directory)).unwrap();
        assert_eq!(both.observations, alone.observations, "{name}");
        assert_eq!(both.problems, alone.problems, "{name}");
        assert!(
            both.remarks
                .iter()
                .any(|one| one.place.file.ends_with(name)),
            "{name}"
        );
    }
    // By itself a log is read, in a directory as well.
    let directory = TempDir::new().unwrap();
    write(&directory, "out.txt", &logs[0]);
    let by_itself = read(asv, &open(&directory)).unwrap();
    assert!(!by_itself.observations.is_empty());
    let told: Vec<&str> = by_itself.remarks.iter().map(|of| &*of.text).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told.iter().all(|text| text.ends_with("it was skipped")),
        "{told:?}"
    );
}

/// What `time cargo bench` prints at its end is of the whole, and no result beside those of the harness.
#[test]
fn of_one_run_of_hyperfine_in_many_forms_the_one_that_says_most_is_read() {
    let hyperfine = tripline_read::adapter("hyperfine").unwrap();
    let directory = TempDir::new().unwrap();
    let csv = "command,mean,stddev,median,user,system,min,max\na,1,0,1,1,0,1,1\nb,2,0,2,1,0,1,3\n";
    let printed = "Benchmark 1: a\n  Time (abs ≡):        1.000 s               [User: 1.000 s, System: 0.000 s]\n";
    let table = "| Command | Mean [s] | Min [s] | Max [s] | Relative |\n|:---|---:|---:|---:|---:|\n\
                 | `c` | 1.000 | 1.000 | 1.000 | 1.00 |\n| `b` | 2.000 | 1.000 | 3.000 | 2.00 |\n";
    write(&directory, "z.json", HYPERFINE);
    write(&directory, "out.csv", csv);
    write(&directory, "out.txt", printed);
    write(&directory, "out.md", table);
    let found = read(hyperfine, &open(&directory)).unwrap();
    let names = found.observations.iter().map(|of| of.bench.name.as_str());
    assert!(names.eq(["a", "b", "c"]));
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let passed_over = found
        .remarks
        .iter()
        .filter(|of| of.text.starts_with("passed over"));
    let files: Vec<&str> = passed_over.map(|of| &*of.place.file).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    for (file, ending) in files.iter().zip(["out.csv", "out.txt", "out.md"]) {
        assert!(file.ends_with(ending), "{files:?}");
    }
}

#[test]
fn the_times_of_a_shell_behind_results_make_them_nobody_elses() {
    let text =
        b"test get ... bench: 1 ns/iter (+/- 0)\n\nreal\t0m1.500s\nuser\t0m1.000s\nsys\t0m0.100s\n";
    let input = Input::from_bytes("out.log", text.to_vec());
    assert_eq!(sniff(&input).unwrap().name, "libtest");
}

#[test]
fn what_criterion_wrote_beside_other_results_is_told_once_for_each_file() {
    let directory = TempDir::new().unwrap();
    write(&directory, "good.json", HYPERFINE);
    for file in ["new/sample.json", "base/sample.json", "report/index.html"] {
        write(&directory, &format!("criterion/get/{file}"), "{}");
    }
    let hyperfine = tripline_read::adapter("hyperfine").unwrap();
    let observed = read(hyperfine, &open(&directory)).unwrap();
    let root = directory.path().to_str().unwrap();
    let told = observed.problems.iter().map(ToString::to_string);
    let told: Vec<String> = told.map(|told| told.replace(root, "<dir>")).collect();
    assert_eq!(
        told,
        [
            "the file looks like output of criterion, and is not read as hyperfine: read it on its own at \
            <dir>/criterion/get/new/sample.json:1:1"
        ]
    );
}

#[test]
fn run_files_of_one_suite_are_read_together() {
    let directory = TempDir::new().unwrap();
    let run = texts()
        .find(|(case, _)| case.name == "run_file__small")
        .unwrap();
    write(&directory, "runs/first.jsonl", &run.1);
    write(&directory, "runs/again.jsonl", &run.1);
    let observed = read(run.0.adapter, &open(&directory)).unwrap();
    let expected = read(run.0.adapter, &run.0.input).unwrap();
    assert_eq!(observed.observations, expected.observations);
    let twice = observed.problems.iter();
    let twice = twice
        .filter(|problem| problem.text.contains("stands twice"))
        .count();
    assert_eq!(twice, expected.observations.len());
}

/// The counts of such a profile are in its summary; and `summary.json` is a name that others give, too.
#[test]
fn a_profile_is_read_once_and_only_a_profile_is_passed_over() {
    let of = |name: &str| texts().find(|(case, _)| case.name == name).unwrap();
    let (summary, json) = of("gungraun__first_run");
    let (_, profile) = of("callgrind__callgrind");
    let (perf, counters) = of("perf_stat__fields");
    let directory = TempDir::new().unwrap();
    write(&directory, "a/summary.json", &json);
    write(&directory, "a/callgrind.get.out", &profile);
    assert_eq!(sniff(&open(&directory)).unwrap().name, "gungraun");
    let observed = read(summary.adapter, &open(&directory)).unwrap();
    assert_eq!(
        observed.problems,
        read(summary.adapter, &summary.input).unwrap().problems
    );
    let (_, said) = of("valgrind_text__callgrind");
    write(&directory, "b/callgrind.get.out", &profile);
    write(&directory, "b/callgrind.get.log", said);
    let of_both = sniff(&open(&directory)).unwrap_err().to_string();
    assert!(!of_both.contains("valgrind-text"), "{of_both}");
    fs::remove_dir_all(directory.path().join("b")).unwrap();
    write(&directory, "a/perf.csv", &counters);
    assert!(sniff(&open(&directory)).is_err());
    assert!(read(perf.adapter, &open(&directory)).is_ok());
}

#[test]
fn what_is_no_text_is_passed_over() {
    let directory = TempDir::new().unwrap();
    write(&directory, "good.json", HYPERFINE);
    let program = b"\x7FELF\x02\0Maximum resident set size (kbytes): 1\n\"counter-value\"";
    write(&directory, "program", program);
    write(&directory, "empty", "");
    let observed = read(sniff(&open(&directory)).unwrap(), &open(&directory)).unwrap();
    assert!(observed.problems.is_empty(), "{:?}", observed.problems);
}

#[test]
fn texts_of_a_directory_may_be_encoded_as_they_like() {
    for (case, bytes) in texts().filter(|(case, _)| case.adapter.name != "run-file") {
        let text = String::from_utf8(bytes).unwrap();
        let units = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        let wide = units
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>();
        let coloured = format!(
            "\u{feff}\u{1b}[1;32m{}",
            text.replace('\n', "\u{1b}[0m\r\n")
        );
        let expected = read(
            case.adapter,
            &Input::from_bytes("out.log", text.into_bytes()),
        )
        .unwrap();
        for other in [wide, coloured.into_bytes()] {
            let directory = TempDir::new().unwrap();
            write(&directory, "out.log", other);
            let tree = open(&directory);
            let found = recognized(&tree).unwrap();
            assert_eq!(
                found.iter().any(|one| one.name == case.adapter.name),
                !FAINT.contains(&&*case.name),
                "{}",
                case.name
            );
            let observed = read(case.adapter, &tree).unwrap();
            assert_eq!(
                observed.observations, expected.observations,
                "{}",
                case.name
            );
        }
    }
}

/// One wrong byte in what somebody's program printed must not take the results around it with it.
#[test]
fn a_byte_that_is_no_text_takes_its_own_line_at_most() {
    for (case, bytes) in texts() {
        let first = bytes.trim_ascii_start().first();
        if matches!(first, Some(b'{' | b'[')) || case.adapter.name == "run-file" {
            continue;
        }
        let expected = read(case.adapter, &case.input).unwrap();
        let printed = [b"the caf\xE9 is open\n", &bytes[..]].concat();
        let Input::Text { name, .. } = &case.input else {
            unreachable!("these are texts");
        };
        let input = Input::from_bytes(name.clone(), printed);
        let observed = read(case.adapter, &input).unwrap();
        assert_eq!(
            observed.observations, expected.observations,
            "{}",
            case.name
        );
        assert_eq!(
            observed.problems.len(),
            expected.problems.len(),
            "{}",
            case.name
        );
        let found = recognized(&input).unwrap();
        assert!(
            found.iter().any(|one| one.name == case.adapter.name),
            "{}",
            case.name
        );
    }
}

#[test]
fn a_result_with_a_byte_that_is_no_text_is_told_with_its_line() {
    let text =
        b"test good ... bench: 1 ns/iter (+/- 0)\ntest b\xE4d ... bench: 2 ns/iter (+/- 0)\n";
    let input = Input::from_bytes("out.txt", text.to_vec());
    let observed = read(sniff(&input).unwrap(), &input).unwrap();
    assert_eq!(observed.observations.len(), 1);
    let told: Vec<String> = observed.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "a byte that is not UTF-8 at out.txt:2:7",
            "the name of benchmark `b\u{fffd}d` holds a byte that is not UTF-8 at out.txt:2:1"
        ]
    );
}
