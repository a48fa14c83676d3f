//! Traps that are silent in the harnesses: threads counted as zero, inverted collection, counts that are random, a
//! filter that selects nothing, one value where many are needed. Each is run for real, and must be said, end to end.
//!
//! What is built is kept from one test run to the next. Each trap has a folder of its own, and a lock on it, because
//! several test runs may share the target folder.

use std::fs::File;
use std::path::{Path, PathBuf};

use tripline_model::{Caveat, Finding, Verdict, wire};

use crate::checkout::repository;
use crate::project::{Ended, Project, scrubbed};

const MANIFEST: &str = r#"[package]
name = "NAME"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

[lib]
name = "traps"
bench = false

[[bench]]
name = "trap"
harness = false

[dev-dependencies]
iai-callgrind = "=0.16.1"
"#;

const SUITE: &str = r#"about = "a trap"
[[step]]
name = "counts"
harness = "iai-callgrind"
bench = "trap"
"#;

/// What the benches share: some work that is done in parts.
const LIBRARY: &str = r"#[inline(never)]
pub fn work(rounds: u64) -> u64 {
    (0..rounds).fold(1, |sum, round| std::hint::black_box(sum ^ round))
}
";

/// A change that does more work in fewer parts: a count that misses the work takes it for an improvement.
const SIZES: [&str; 2] = [
    "pub const PARTS: u64 = 8;\npub const ROUNDS: u64 = 10_000;\n",
    "pub const PARTS: u64 = 4;\npub const ROUNDS: u64 = 50_000;\n",
];

/// The end of a bench that lets our settings of glibc through.
const PASSES: &str = r#"
library_benchmark_group!(name = group; benchmarks = bench);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = group
);
"#;

const USES: &str = "use std::hint::black_box;
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use traps::{PARTS, ROUNDS, work};
";

/// The work is done in parts, each with something beside it.
const NORMAL: &str = "
#[library_benchmark]
fn bench() -> u64 {
    (0..black_box(PARTS)).map(|part| black_box(part.to_string()).len() as u64 + work(ROUNDS)).sum()
}
";

const THREADS: &str = "
#[library_benchmark]
fn bench() -> u64 {
    let threads: Vec<_> = (0..PARTS).map(|_| std::thread::spawn(|| work(ROUNDS))).collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).sum()
}
";

/// Where a key stands in a map of std's is another place in each process: most of the count is chance.
const RANDOM: &str = "
#[library_benchmark]
fn bench() -> u64 {
    let map: std::collections::HashMap<u64, u64> = (0..1_000 + PARTS).map(|key| (key, key)).collect();
    map.keys().take_while(|key| **key != 7).map(|_| work(200)).sum()
}
";

/// Runs a bench with a filter that no benchmark matches.
const FILTERED: &str = r#"about = "a trap"
[[step]]
name = "counts"
harness = "iai-callgrind"
command = ["cargo", "bench", "--quiet", "--bench", "trap", "--", "--output-format=json", "no_such_benchmark"]
"#;

/// A package with one bench and one suite, in a folder that only this test uses.
struct Trap {
    folder: PathBuf,
    _alone: File,
}

impl Trap {
    fn new(name: &str, bench: &str, more_of_step: &str) -> Self {
        let traps = Path::new(env!("CARGO_TARGET_TMPDIR")).join("traps");
        let folder = traps.join(name);
        std::fs::create_dir_all(&traps).unwrap();
        let alone = File::create(traps.join(format!("{name}.lock"))).unwrap();
        alone.lock().unwrap();
        let _ = std::fs::remove_dir_all(&folder);
        let trap = Self {
            folder,
            _alone: alone,
        };
        let lock_file = std::fs::read_to_string(repository().join("Cargo.lock")).unwrap();
        // Cargo tells what it builds for two workspaces apart by the packages' names, and not by where they are.
        trap.write("Cargo.toml", &MANIFEST.replace("NAME", name));
        // The versions of this repository, which are there already.
        trap.write("Cargo.lock", &lock_file);
        trap.write("benches/trap.rs", bench);
        trap.write("bench/trap/suite.toml", &format!("{SUITE}{more_of_step}"));
        trap.set_size(SIZES[0]);
        let built = traps.join("built");
        std::fs::create_dir_all(&built).unwrap();
        std::fs::create_dir_all(trap.folder.join("target")).unwrap();
        std::os::unix::fs::symlink(built, trap.folder.join("target/release")).unwrap();
        trap
    }

    fn write(&self, place: &str, text: &str) {
        let path = self.folder.join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn set_size(&self, size: &str) {
        self.write("src/lib.rs", &format!("{LIBRARY}{size}"));
    }

    fn run(&self, args: &[&str]) -> Ended {
        let mut command = scrubbed(env!("CARGO_BIN_EXE_tripline"));
        command.args(args).current_dir(&self.folder);
        Ended::of(command.output().unwrap(), &self.folder)
    }

    /// Returns the findings of the last report.
    fn findings(&self) -> Vec<Finding> {
        let bytes = std::fs::read(self.folder.join("target/tripline/report.jsonl")).unwrap();
        let reports = wire::read_report(&bytes).unwrap();
        reports
            .into_iter()
            .flat_map(|report| report.findings)
            .collect()
    }

    /// Returns the latest run, as it is stored.
    fn latest(&self) -> String {
        std::fs::read_to_string(self.folder.join("target/tripline/trap/run.jsonl")).unwrap()
    }

    /// Checks that a first run says the trap, keeps it, and checks the changed work.
    fn is_said_and_changed(&self, said: &str, code: i32) -> Vec<Finding> {
        let first = self.run(&["check", "--all"]).with(0);
        assert!(first.out.contains("first run"), "{}", first.out);
        assert!(
            first.out.contains(said),
            "`{said}` is not said\n{}",
            first.out
        );
        self.run(&["baseline", "update"]).with(0);
        self.set_size(SIZES[1]);
        let changed = self.run(&["check", "--all"]).with(code);
        assert!(
            changed.out.contains(said),
            "`{said}` is not said\n{}",
            changed.out
        );
        self.findings()
    }

    /// Checks that nothing is said to be better or worse by a count that is not of the work.
    fn is_never_judged(&self, said: &str, code_of_caveat: &str, verdict: Verdict) {
        let findings = self.is_said_and_changed(said, 0);
        let instructions = of_instructions(&findings);
        assert_eq!(instructions.verdict, verdict, "{instructions:?}");
        for finding in &findings {
            let is_judged = [Verdict::Improved, Verdict::Regressed].contains(&finding.verdict);
            assert!(!is_judged, "{finding:?}");
            let codes: Vec<&str> = finding.caveats.iter().map(Caveat::code).collect();
            assert!(codes.contains(&code_of_caveat), "{codes:?}");
        }
    }
}

fn of_instructions(findings: &[Finding]) -> &Finding {
    let is_meant = |finding: &&Finding| finding.metric.name.as_str() == "instructions";
    findings.iter().find(is_meant).unwrap()
}

#[test]
fn what_is_no_trap_is_judged() {
    let trap = Trap::new("normal", &format!("{USES}{NORMAL}{PASSES}"), "");
    let findings = trap.is_said_and_changed("group/bench", 10);
    let instructions = of_instructions(&findings);
    assert_eq!(instructions.verdict, Verdict::Regressed);
    assert_eq!(instructions.caveats, []);
    let latest = trap.latest();
    for fact in [
        "\"glibc_tunables\":\"glibc.cpu",
        "\"built_with\":\"opt-level 3, overflow checks off",
    ] {
        assert!(latest.contains(fact), "`{fact}` is not stated\n{latest}");
    }
}

#[test]
fn threads_that_are_not_counted_are_said() {
    let trap = Trap::new("threads", &format!("{USES}{THREADS}{PASSES}"), "");
    trap.is_never_judged(
        "threads was counted as zero",
        "threads-not-counted",
        Verdict::Inconclusive,
    );
}

#[test]
fn collection_that_a_bench_changes_is_said() {
    // What is counted from the start is all but the work, which stays the same to the last instruction.
    for (name, option, verdict) in [
        (
            "inverted",
            "--toggle-collect=traps::work",
            Verdict::Inconclusive,
        ),
        ("from_start", "--collect-atstart=yes", Verdict::Unchanged),
    ] {
        let end = format!(
            "library_benchmark_group!(name = group; benchmarks = bench);
            main!(
                config = LibraryBenchmarkConfig::default()
                    .tool(iai_callgrind::Callgrind::with_args([\"{option}\"]));
                library_benchmark_groups = group
            );"
        );
        let trap = Trap::new(name, &format!("{USES}{NORMAL}{end}"), "");
        trap.is_never_judged(
            "changes by itself what is counted",
            "collection-changed",
            verdict,
        );
        // This bench lets nothing through, so its counts are not under the pinned settings.
        assert!(!trap.latest().contains("glibc_tunables"));
    }
}

/// With eight repeats, two counts of chance are wholly apart less than once in ten thousand times; with the usual two
/// they often are.
#[test]
fn a_count_of_chance_is_said() {
    let trap = Trap::new(
        "random",
        &format!("{USES}{RANDOM}{PASSES}"),
        "repeats = 8\n",
    );
    let findings = trap.is_said_and_changed("not deterministic", 0);
    // Once in some hundred runs the middles are equal by chance.
    let verdict = of_instructions(&findings).verdict;
    assert!(
        [Verdict::Inconclusive, Verdict::Unchanged].contains(&verdict),
        "{verdict:?}"
    );
}

#[test]
fn a_filter_that_selects_nothing_is_broken() {
    let trap = Trap::new("filtered", &format!("{USES}{NORMAL}{PASSES}"), "");
    trap.write("bench/trap/suite.toml", FILTERED);
    let ended = trap.run(&["check", "--all"]).with(11);
    let said = "ended well and measured nothing";
    assert!(ended.out.contains(said), "{}", ended.out);
}

#[test]
fn a_time_taken_once_is_said() {
    let project = Project::new();
    project.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"times\"\nharness = \"cargo-criterion\"\ncommand = [\"cat\", \"out.jsonl\"]\n",
    );
    let message = |time: &str| {
        format!(
            r#"{{"reason":"benchmark-complete","id":"list/sum","report_directory":"/x","iteration_count":[1],"measured_values":[{time}],"unit":"ns","throughput":[],"typical":{{"estimate":{time},"lower_bound":{time},"upper_bound":{time},"unit":"ns"}},"mean":{{"estimate":{time},"lower_bound":{time},"upper_bound":{time},"unit":"ns"}},"median":{{"estimate":{time},"lower_bound":{time},"upper_bound":{time},"unit":"ns"}},"median_abs_dev":{{"estimate":0.0,"lower_bound":0.0,"upper_bound":0.0,"unit":"ns"}},"slope":null,"change":null}}"#
        )
    };
    project.write("bench/kv/out.jsonl", &message("1000.0"));
    let said = "a noisy metric was measured only once";
    let first = project.tripline(&["check", "--all"]).with(0);
    assert!(first.out.contains(said), "{}", first.out);
    project.tripline(&["baseline", "update"]).with(0);
    project.write("bench/kv/out.jsonl", &message("500.0"));
    let changed = project.tripline(&["check", "--all"]).with(0);
    assert!(changed.out.contains(said), "{}", changed.out);
    assert!(!changed.out.contains("improved"), "{}", changed.out);
}

/// What the manifest says of the profile is not what cargo builds with: the environment replaces it.
#[test]
fn the_build_is_seen_as_it_was_and_not_as_the_manifest_says() {
    let project = Project::with_suite();
    project.write(
        "Cargo.toml",
        "[package]\nname = \"kv\"\nedition = \"2024\"\n[lib]\n[[bench]]\nname = \"prints\"\nharness = false\n[workspace]\n",
    );
    project.write("src/lib.rs", "");
    project.write(
        "benches/prints.rs",
        "fn main() { print!(\"{}\", include_str!(\"../bench/kv/head.jsonl\")); }",
    );
    project.write(
        "bench/kv/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"counts\"\nharness = \"run-file\"\nbench = \"prints\"\n",
    );
    let check_with = |name: &str, value: &str| {
        let mut command = project.command(&["check", "--all"]);
        command.env(name, value);
        Ended::of(command.output().unwrap(), project.path())
    };
    project.tripline(&["check"]).with(0);
    project.tripline(&["baseline", "update"]).with(0);
    let slower = check_with("CARGO_PROFILE_BENCH_OPT_LEVEL", "1").with(0);
    let said = "CARGO_PROFILE_BENCH_OPT_LEVEL=1";
    assert!(slower.out.contains(said), "{}", slower.out);
    let run = project.read("target/tripline/kv/run.jsonl");
    assert!(
        run.contains("\"built_with\":\"opt-level 1, overflow checks off"),
        "{run}"
    );
    let flags = check_with("CARGO_BUILD_RUSTFLAGS", "-Ctarget-cpu=native").with(0);
    assert!(flags.out.contains("-Ctarget-cpu=native"), "{}", flags.out);
    for (name, value, said) in [
        ("CARGO_PROFILE_BENCH_OPT_LEVEL", "0", "opt-level 0"),
        (
            "CARGO_PROFILE_BENCH_DEBUG_ASSERTIONS",
            "true",
            "debug assertions",
        ),
    ] {
        let refused = check_with(name, value).with(11);
        assert!(
            refused.out.contains("was built without optimization"),
            "{}",
            refused.out
        );
        assert!(refused.out.contains(said), "{}", refused.out);
    }
}
