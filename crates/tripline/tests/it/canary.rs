//! The canary: a gate that sleeps and one that is nervous are found out, and whatever they say is no verdict.
//!
//! The canary here is a real bench that prints made-up times, so what it does when it is built with its feature is known.

use tripline_model::Caveat;

use crate::project::Ended;
use crate::repository::{Repository, SUITE};

/// What the canary's bench prints: a steady time, and one that a feature makes longer.
pub(crate) fn bench(steady: u32, planted: u32) -> String {
    format!(
        r##"fn main() {{
    let is_planted = cfg!(feature = "planted");
    let (steady, planted) = if is_planted {{ ({steady}, {planted}) }} else {{ (1000, 1000) }};
    println!(r#"{{{{"tripline_run":{{{{"version":1,"suite":"watch","measured_at":"2026-01-02T03:04:05Z","producer":{{{{"name":"test","version":"0"}}}},"environment":{{{{"name":"elsewhere","facts":{{{{}}}}}}}},"metrics":{{{{"wall_time":{{{{"unit":"ns","better":"lower","nature":"sampled"}}}}}}}}}}}}}}}}"#);
    for (name, time) in [("steady", steady), ("planted", planted)] {{
        println!(r#"{{{{"measured":{{{{"benchmark":"{{name}}","readings":{{{{"wall_time":{{{{"values":[{{time}}]}}}}}}}}}}}}}}}}"#);
    }}
    println!(r#"{{{{"end":{{{{}}}}}}}}"#);
}}
"##
    )
}

/// A repository with an ordinary suite and a canary.
pub(crate) fn with_canary(steady: u32, planted: u32) -> Repository {
    let repository = Repository::for_cargo();
    repository.with_suite();
    repository.times("get 1000");
    repository.write(
        "bench/watch/Cargo.toml",
        "[package]\nname = \"watch\"\nedition = \"2024\"\n[features]\nplanted = []\n[[bench]]\nname = \"times\"\nharness = false\n[workspace]\n",
    );
    repository.write("bench/watch/src/lib.rs", "");
    repository.write("bench/watch/benches/times.rs", &bench(steady, planted));
    repository.write(
        "bench/watch/suite.toml",
        "about = \"x\"\n[[step]]\nname = \"times\"\nharness = \"run-file\"\nbench = \"times\"\n\
         [canary]\nfeatures = [\"planted\"]\nexpect = [\n\
         { benchmark = \"steady\", metric = \"wall_time\", verdict = \"unchanged\" },\n\
         { benchmark = \"planted\", metric = \"wall_time\", verdict = \"regressed\", change = [0.04, 0.06] },\n]\n",
    );
    repository.commit();
    repository
}

/// Checks the ordinary suite in a session, and so the canary with it.
fn checked(repository: &Repository) -> Ended {
    repository.tripline(&["check", "--against", "HEAD", "--suite", "kv", "--seed", "7"])
}

/// Returns what is said of the canary in the report on the ordinary suite.
fn distrust(repository: &Repository) -> Vec<String> {
    let reports = repository.reports();
    assert_eq!(reports.len(), 1);
    assert_eq!(reports[0].suite.as_str(), "kv");
    let caveats = reports[0].caveats.iter();
    let failed = caveats.filter(|caveat| matches!(caveat, Caveat::CanaryFailed { .. }));
    failed.map(Caveat::text).collect()
}

/// Checks that a canary makes the whole an outage, for a reason.
#[track_caller]
fn is_distrusted(repository: &Repository, why: &str) {
    let ended = checked(repository).with(11);
    assert!(ended.out.contains("cannot be trusted"), "{}", ended.out);
    let said = distrust(repository);
    assert!(
        said.iter().any(|said| said.contains(why)),
        "`{why}` is not said in {said:?}"
    );
    let markdown = std::fs::read_to_string(repository.at("target/tripline/report.md")).unwrap();
    assert!(markdown.contains("cannot be trusted"), "{markdown}");
}

#[test]
fn a_canary_that_sings_is_trusted() {
    let repository = with_canary(1_000, 1_050);
    let ended = checked(&repository).with(0);
    assert!(!ended.out.contains("cannot be trusted"), "{}", ended.out);
    assert_eq!(distrust(&repository), Vec::<String>::new());
    let canary = std::fs::read_to_string(repository.at("target/tripline/canary.jsonl")).unwrap();
    assert!(canary.contains("\"suite\":\"watch\""), "{canary}");
    let ended = repository.tripline(&["doctor", "--suite", "kv"]);
    assert!(!ended.out.contains("[canary]"), "{}", ended.out);
    assert!(ended.out.contains("good  git version"), "{}", ended.out);
    // It leaves no run behind that could be taken for one.
    assert!(!repository.at("target/tripline/watch/run.jsonl").exists());
}

#[test]
fn a_canary_that_sleeps_is_not_trusted() {
    let repository = with_canary(1_000, 1_000);
    is_distrusted(
        &repository,
        "watch/planted wall_time was to be regressed by +4.0 % to +6.0 %, and is unchanged",
    );
}

#[test]
fn a_canary_that_sings_too_loud_is_not_trusted() {
    let repository = with_canary(1_000, 1_500);
    is_distrusted(&repository, "and is regressed by +50.0 %");
}

#[test]
fn a_canary_that_is_nervous_is_not_trusted() {
    let repository = with_canary(1_100, 1_050);
    is_distrusted(
        &repository,
        "watch/steady wall_time was to be unchanged, and is regressed by +10.0 %",
    );
}

/// Rounds as few as these may warn, and prove nothing.
const FEW: [&str; 7] = [
    "check",
    "--against",
    "HEAD",
    "--suite",
    "kv",
    "--pairs",
    "4",
];

/// Returns the seeds that orders are said to be drawn from.
fn seeds(ended: &Ended) -> Vec<u64> {
    let said = ended.err.split("drawn from the seed ").skip(1);
    let seed = |behind: &str| u64::from_str_radix(&behind[..16], 16).unwrap();
    said.map(seed).collect()
}

const DOUBTED: &str = "note: by weak evidence the canary calls equal sides different, and is measured again: \
                       watch/steady wall_time was to be unchanged, and is regressed by +10.0 %";

/// Lets the planted side of a bench know how often it was measured: the folder of its step is emptied each time, and not
/// between rounds. How many rounds there are depends on how busy the host is.
fn knowing_its_session(repository: &Repository, bench: &str, first: &str) -> String {
    let marker = repository.at("target/tripline/watch/planted/times/marker");
    let sessions = repository.at("target/sessions");
    let counting = format!(
        "let (marker, sessions) = ({marker:?}, {sessions:?});\n\
         let mut session = std::fs::read(sessions).map_or(0, |known| known.len());\n\
         if is_planted && !std::path::Path::new(marker).exists() {{\n\
             session += 1;\n\
             std::fs::write(sessions, vec![b'.'; session]).unwrap();\n\
             std::fs::write(marker, \"\").unwrap();\n\
         }}\n\
         {first}\n\
         println!(r#"
    );
    bench.replacen("println!(r#", &counting, 1)
}

#[test]
fn a_canary_that_is_nervous_by_weak_evidence_twice_is_not_trusted() {
    let repository = with_canary(1_100, 1_050);
    let ended = repository.tripline(&FEW).with(11);
    assert_eq!(ended.err.matches(DOUBTED).count(), 1, "{}", ended.err);
    let why =
        "watch/steady wall_time was to be unchanged, and is regressed by +10.0 %, measured twice";
    assert!(distrust(&repository).iter().any(|said| said.contains(why)));
}

#[test]
fn a_canary_that_is_nervous_by_weak_evidence_once_is_measured_again_and_trusted() {
    let repository = with_canary(1_000, 1_050);
    let nervous = "let steady = if is_planted && session == 1 { 1100 } else { steady };";
    let bench = knowing_its_session(&repository, &bench(1_000, 1_050), nervous);
    repository.write("bench/watch/benches/times.rs", &bench);
    repository.commit();
    let ended = repository.tripline(&FEW).with(0);
    assert_eq!(ended.err.matches(DOUBTED).count(), 1, "{}", ended.err);
    let [first, second] = seeds(&ended)[..] else {
        panic!("it is measured in two orders: {}", ended.err);
    };
    assert_eq!(first.wrapping_add(1), second);
    assert_eq!(distrust(&repository), Vec::<String>::new());
    let canary = std::fs::read_to_string(repository.at("target/tripline/canary.jsonl")).unwrap();
    assert!(canary.contains("\"code\":\"measured-again\""), "{canary}");
}

#[test]
fn a_canary_whose_second_answer_is_missing_or_fails_goes_by_the_first() {
    for (later, why) in [
        // The planted side has it no more.
        (
            "if is_planted && session == 2 && name == \"steady\" { continue; }",
            "regressed by +10.0 %",
        ),
        (
            "if is_planted && session == 2 { std::process::exit(3); }",
            "not measured as a whole",
        ),
    ] {
        let repository = with_canary(1_100, 1_050);
        let loops = "for (name, time) in [(\"steady\", steady), (\"planted\", planted)] {";
        let bench = bench(1_100, 1_050).replacen(loops, &format!("{loops}\n{later}"), 1);
        let bench = knowing_its_session(&repository, &bench, "");
        repository.write("bench/watch/benches/times.rs", &bench);
        repository.commit();
        let ended = repository.tripline(&FEW).with(11);
        assert_eq!(ended.err.matches(DOUBTED).count(), 1, "{}", ended.err);
        assert!(
            ended.err.contains("the first answer stands"),
            "{}",
            ended.err
        );
        let said = distrust(&repository);
        assert!(said.iter().any(|said| said.contains(why)), "{said:?}");
    }
}

#[test]
fn a_canary_that_cannot_be_built_is_not_trusted() {
    let repository = with_canary(1_000, 1_050);
    let broken = format!(
        "{}#[cfg(feature = \"planted\")]\ncompile_error!(\"x\");\n",
        bench(1_000, 1_050)
    );
    repository.write("bench/watch/benches/times.rs", &broken);
    is_distrusted(&repository, "suite watch held nothing");
    let ended = checked(&repository);
    assert!(
        ended.err.contains("watch/times did not build"),
        "{}",
        ended.err
    );
}

/// What is measured beside nothing, and what is enough once, is no reason to ask less of the canary.
#[test]
fn a_canary_of_times_is_asked_by_every_gate() {
    for (planted, code) in [(1_050, 0), (1_000, 11)] {
        let repository = with_canary(1_000, planted);
        let ended = repository.tripline(&["check", "--suite", "kv"]).with(code);
        // Whoever wants to see the same again needs to know it.
        assert_eq!(seeds(&ended).len(), 1, "{}", ended.err);
        assert_eq!(distrust(&repository).is_empty(), code == 0);
        repository.write("bench/kv/suite.toml", &format!("{SUITE}repeats = 1\n"));
        repository.commit();
        checked(&repository).with(code);
        assert_eq!(distrust(&repository).is_empty(), code == 0);
    }
}
