//! What a stranger sees, with the real suites and the real harnesses: a first run, an unchanged one, a slowdown, a renamed
//! benchmark; and that the canary is caught. It runs on copies of this repository, whose own baselines were perhaps made
//! on another machine.

use crate::checkout::Checkout;

/// Benchmarks and what was counted of each, repeat by repeat.
type Counts = Vec<(String, Vec<f64>)>;

/// Returns the instruction counts of a run, benchmark by benchmark; some are only timed.
fn counts(run: &str) -> Counts {
    let run = tripline_model::wire::read_run(run.as_bytes()).unwrap();
    let instructions = |m: &tripline_model::Measurement| {
        let reading = m
            .readings()
            .find(|reading| reading.metric.name.as_str() == "instructions")?;
        Some((m.bench().to_string(), reading.sample.values().to_vec()))
    };
    run.measurements().filter_map(instructions).collect()
}

const GET: &str = "pub fn get(&self, key: &[u8]) -> Option<Handle> {";

/// A slowdown a careless change could bring: the key is walked once more than needed.
const SLOW_GET: &str = "pub fn get(&self, key: &[u8]) -> Option<Handle> {
        let mut sum = 0_u64;
        for byte in key {
            sum = std::hint::black_box(sum + u64::from(*byte));
        }
        std::hint::black_box(sum);";

const STORE: &str = "crates/workload-store/src/store.rs";

/// The suite that the story is about: real benches of the store, and not all that the real suite has, which take minutes
/// and tell nothing else.
const SUITE: &str = r#"about = "The store"

[[step]]
name = "counts"
harness = "iai-callgrind"
bench = "counts"

[[step]]
name = "times"
harness = "duet"
bench = "times"

[[policy]]
because = "what one thread does is judged by its own time"
metric = "wall_time"
gate = "show"
"#;

/// The parts build on each other and share what they build, so they are one test.
#[test]
fn a_stranger_sees_a_first_run_then_no_change_then_a_slowdown_then_a_rename() {
    let checkout = Checkout::new("stories");
    std::fs::write(checkout.path().join("bench/store/suite.toml"), SUITE).unwrap();
    let before = first_run(&checkout);
    no_change(&checkout, &before);
    slowdown(&checkout, &before);
    rename(&checkout);
}

fn latest(checkout: &Checkout) -> Counts {
    let place = checkout.path().join("target/tripline/store/run.jsonl");
    counts(&std::fs::read_to_string(place).unwrap())
}

/// Without a baseline the run passes, says that it is the first, and can be kept.
fn first_run(checkout: &Checkout) -> Counts {
    let first = checkout
        .run("rm -r baselines/store && tripline check --effort quick --all --suite store")
        .with(0);
    assert!(first.out.contains("first run"), "{}", first.out);
    checkout
        .run("tripline baseline update --suite store")
        .with(0);
    latest(checkout)
}

/// Unchanged code is unchanged to the last instruction.
fn no_change(checkout: &Checkout, before: &Counts) {
    let same = checkout
        .run("tripline check --effort quick --all --suite store")
        .with(0);
    assert!(
        same.out.contains("kv/get") && !same.out.contains("regressed"),
        "{}",
        same.out
    );
    assert_eq!(latest(checkout), *before);
    assert!(
        before
            .iter()
            .all(|(_, values)| values.len() == 2 && values[0] == values[1])
    );
}

/// A slower `get` fails the gate and is named with its counts before and after.
fn slowdown(checkout: &Checkout, before: &Counts) {
    checkout.replace(STORE, GET, SLOW_GET);
    let slower = checkout
        .run("tripline check --effort quick --all --suite store")
        .with(10);
    let name = "store/kv/get{bytes=64}";
    let count = |counts: &Counts| {
        let (_, values) = counts.iter().find(|(bench, _)| bench == name).unwrap();
        grouped(values[0])
    };
    for said in [
        "kv/get{bytes=64}",
        &count(before),
        &count(&latest(checkout)),
    ] {
        assert!(
            slower.out.contains(said),
            "`{said}` is not said\n{}",
            slower.out
        );
    }
    checkout.replace(STORE, SLOW_GET, GET);
}

/// A renamed benchmark is said to be gone under the old name and new under the other.
fn rename(checkout: &Checkout) {
    checkout.replace("bench/store/benches/times.rs", "\"delete\"", "\"erase\"");
    checkout.replace("bench/store/benches/counts.rs", "fn delete(", "fn erase(");
    checkout.replace(
        "bench/store/benches/counts.rs",
        "overwrite, delete)",
        "overwrite, erase)",
    );
    let renamed = checkout
        .run("tripline check --effort quick --all --suite store")
        .with(0);
    for word in [
        "removed",
        "added",
        "kv/delete{bytes=64}",
        "kv/erase{bytes=64}",
    ] {
        assert!(
            renamed.out.contains(word),
            "`{word}` is not said\n{}",
            renamed.out
        );
    }
}

/// The alarm itself is under test: the planted slowdowns fail the gate, and what nobody touched is silent.
#[test]
fn the_canary_is_caught_and_its_twin_is_silent() {
    let checkout = Checkout::new("stories");
    checkout
        .run("rm -r baselines/canary && tripline measure --suite canary")
        .with(0);
    checkout
        .run("tripline baseline update --suite canary")
        .with(0);
    checkout.replace(
        "bench/canary/Cargo.toml",
        "planted = []",
        "planted = []\ndefault = [\"planted\"]",
    );
    // The baseline is of an honest build, so the slowdown is caught; and because it is in both sides of the canary now,
    // that one is asleep, and the gate says so instead of passing for a good one.
    let checked = checkout
        .run("tripline check --suite canary --format json")
        .with(11);
    let caught = checked.out;
    assert!(caught.contains("this report cannot be trusted"), "{caught}");
    let reports = tripline_model::wire::read_report(caught.as_bytes()).unwrap();
    let instructions = reports[0]
        .findings
        .iter()
        .filter(|f| f.metric.name.as_str() == "instructions");
    let verdicts: Vec<String> = instructions
        .map(|f| format!("{} {}", f.bench, f.verdict.word()))
        .collect();
    let expected = [
        "canary/canary/large{percent=3} regressed",
        "canary/canary/planted{percent=5} regressed",
        "canary/canary/planted{percent=10} regressed",
        "canary/canary/small{percent=3} regressed",
        "canary/canary/steady{rounds=1000} unchanged",
    ];
    assert_eq!(verdicts, expected);
}

/// Writes a count as the report does.
fn grouped(count: f64) -> String {
    let digits = format!("{count}");
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
