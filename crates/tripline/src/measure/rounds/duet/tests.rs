//! Two scripts that serve made-up times, so that what comes out is known in advance.

use tripline_judge::Policy;
use tripline_read::Observed;

use super::super::script::Script;
use super::super::{Enough, Rounds};
use super::*;
use crate::measure::Stop;
use crate::talk::Progress;

/// Whose a side's failures are.
const WHOSE: [Option<&str>; 2] = [Some("of the base"), None];

/// Measures scripts side by side, or one by itself.
fn measured(sides: &[&Script], interrupt: &Interrupt) -> Given<Vec<Observed>> {
    measured_on(Cores::One, sides, interrupt)
}

fn measured_on(cores: Cores, sides: &[&Script], interrupt: &Interrupt) -> Given<Vec<Observed>> {
    let suite = SuiteName::new("kv").unwrap();
    let step = StepName::new("times").unwrap();
    let whose = WHOSE.iter().rev().take(sides.len()).rev();
    let executables = sides.iter().zip(whose).map(|(side, whose)| side.of(*whose));
    let log = sides[0].log();
    let how_long = (Effort::Quick, Duration::from_secs(60));
    let to = (log.as_path(), interrupt);
    let mut duet = Duet::open(&suite, (&step, cores), executables.collect(), how_long, to)?;
    let rounds = Rounds {
        step: &step,
        sides: sides.len(),
        enough: Enough {
            policy: &Policy::standard(),
            rounds: if sides.len() == 2 { 30 } else { 2 },
            steps: 1,
        },
        seed: 7,
        progress: &Progress::begin(1, None),
        interrupt,
    };
    rounds.take(&mut duet)
}

fn both(base: &str, head: &str) -> Vec<Observed> {
    let (base, head) = (Script::serving(base), Script::serving(head));
    measured(&[&base, &head], &Interrupt::default()).unwrap()
}

/// Returns what is said of a step that fails.
#[track_caller]
fn failure(base: &Script, head: &Script) -> String {
    match measured(&[base, head], &Interrupt::default()) {
        Err(Stop::Step(failure)) => {
            let kind = failure.kind.text();
            format!("{kind}: {}", failure.detail.unwrap_or_default())
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the benchmarks of one side, each with its metrics.
fn benches(observed: &Observed) -> Vec<String> {
    let metrics = |one: &tripline_read::Observation| {
        let names = one.readings.iter().map(|reading| &reading.metric.name);
        names.map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let observations = observed.observations.iter();
    observations
        .map(|one| format!("{}: {}", one.bench.within_suite(), metrics(one)))
        .collect()
}

/// Returns the values of a metric of one side's only benchmark.
fn values_of(observed: &Observed, metric: &str) -> Vec<f64> {
    let [only] = &observed.observations[..] else {
        panic!("{:?}", benches(observed));
    };
    let found = only
        .readings
        .iter()
        .find(|one| one.metric.name.as_str() == metric);
    found.expect(metric).sample.values().to_vec()
}

#[test]
fn constant_times_give_their_ratio_and_end_early() {
    let observed = both("serve kv/get/bytes=64 1000", "serve kv/get/bytes=64 1100");
    for metric in ["wall_time", "cpu_time"] {
        let (base, head) = (
            values_of(&observed[0], metric),
            values_of(&observed[1], metric),
        );
        assert_eq!((base.len(), head.len()), (9, 9));
        for (base, head) in base.into_iter().zip(head) {
            assert!((base / 1_000.0 - 1.0).abs() < 1e-9, "{base}");
            assert!((head / 1_100.0 - 1.0).abs() < 1e-9, "{head}");
        }
    }
    assert_eq!(
        benches(&observed[0]),
        ["kv/get{bytes=64}: cpu_time wall_time"]
    );
    let rounds = |side: usize| {
        let sample = &observed[side].observations[0].readings[0].sample;
        sample.rounds().map(<[u32]>::to_vec)
    };
    assert_eq!(rounds(0), rounds(1));
    assert!(rounds(0).is_some_and(|rounds| rounds.is_sorted()));
}

#[test]
fn a_side_runs_on_one_core_unless_it_asks_for_all() {
    let script = Script::serving("serve kv/get $((1000 * $(nproc)))");
    let cores_of = |cores| {
        let observed = measured_on(cores, &[&script], &Interrupt::default()).unwrap();
        (values_of(&observed[0], "wall_time")[0] / 1_000.0).round()
    };
    let all = rustix::thread::sched_getaffinity(None).unwrap().count();
    assert_eq!(cores_of(Cores::One), 1.0);
    assert_eq!(cores_of(Cores::All), f64::from(all));
}

#[test]
fn one_side_alone_has_no_rounds() {
    let script = Script::serving("serve kv/get 1000");
    let observed = measured(&[&script], &Interrupt::default()).unwrap();
    assert_eq!(values_of(&observed[0], "wall_time").len(), 2);
    let sample = &observed[0].observations[0].readings[0].sample;
    assert_eq!(sample.rounds(), None);
}

#[test]
fn the_order_in_which_they_serve_does_not_matter() {
    let observed = both("serve a 1000\nserve b 2000", "serve b 2000\nserve a 1000");
    for side in &observed {
        assert_eq!(
            benches(side),
            ["a: cpu_time wall_time", "b: cpu_time wall_time"]
        );
        for (one, expected) in side.observations.iter().zip([1_000.0, 2_000.0]) {
            let median = one.readings[0].sample.median();
            assert!((median / expected - 1.0).abs() < 1e-9, "{median}");
        }
    }
}

/// A script that notes in a file when it is started and asked.
fn noting(who: char, notes: &Path) -> Script {
    let notes = notes.display();
    let serve = "while read -r verb count; do case $verb in block) note block; echo \"block $((count * 1000)) -\" ;; next) break ;; *) exit 0 ;; esac; done";
    Script::serving(&format!(
        "note() {{ printf '%s %s\n' \"$1\" {who} >> {notes}; }}\nnote start; echo 'benchmark - a'; {serve}"
    ))
}

/// Does something with two sides and eight seeds, and returns what it says, each once and in order.
fn said_by_seeds(
    scripts: [&Script; 2],
    are_copies: bool,
    says: impl Fn(&mut Duet<'_>, u64) -> String,
) -> Vec<String> {
    let (suite, step) = (SuiteName::new("kv").unwrap(), StepName::new("t").unwrap());
    let (log, interrupt) = (scripts[0].log(), Interrupt::default());
    let said_by = |seed| {
        let sides = scripts.iter().zip(WHOSE).map(|(script, whose)| Executable {
            is_copy: are_copies,
            ..script.of(whose)
        });
        let how_long = (Effort::Quick, Duration::from_secs(60));
        let (on, to) = ((&step, Cores::One), (log.as_path(), &interrupt));
        let mut duet = Duet::open(&suite, on, sides.collect(), how_long, to).unwrap();
        says(&mut duet, seed)
    };
    let mut said: Vec<String> = (0..8).map(said_by).collect();
    said.sort();
    said.dedup();
    said
}

#[test]
fn each_side_is_now_and_then_the_first_to_be_started_and_warmed_up() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    let (base, head) = (noting('b', &notes), noting('h', &notes));
    // Both are started, run once, and then until it is known how many iterations make a block.
    let first = [
        "start b, start h, block b, block h, block b, block h",
        "start h, start b, block h, block b, block h, block b",
    ];
    // That is known in a later launch.
    let later = [
        "start b, start h, block b, block h",
        "start h, start b, block h, block b",
    ];
    for (launches, orders) in [(1, &first), (2, &later)] {
        let notes_of_the_last = |duet: &mut Duet<'_>, seed| {
            for _ in 0..launches {
                std::fs::write(&notes, "").unwrap();
                // How much chance a launch asks for goes by the clock, so that none is left of it for the next.
                let mut random = fastrand::Rng::with_seed(seed);
                duet.round(&|_| true, &mut random).unwrap();
            }
            let noted = std::fs::read_to_string(&notes).unwrap();
            let noted: Vec<&str> = noted.lines().collect();
            let (before, rows) = noted.split_at(orders[0].split(", ").count());
            // It grows thrice more in the first launch, and then each row of blocks has an order of its own.
            for row in [["block b", "block h"], ["block h", "block b"]] {
                let mut rows = rows.chunks(2).skip(3);
                assert!(rows.any(|blocks| blocks == row), "{noted:?}");
            }
            before.join(", ")
        };
        let seen = said_by_seeds([&base, &head], false, notes_of_the_last);
        assert_eq!(seen, orders[..]);
    }
}

#[test]
fn the_copy_of_each_side_is_now_and_then_the_first_to_be_made() {
    let [base, head] = [0, 1].map(|_| Script::serving("serve a 1000"));
    // Without its executable the first that is to be copied ends the round.
    let first_to_fail = |duet: &mut Duet<'_>, seed| {
        let places = [base.at("bench"), head.at("bench")];
        let kept = places.clone().map(|place| place.with_extension("kept"));
        for (place, kept) in places.iter().zip(&kept) {
            std::fs::rename(place, kept).unwrap();
        }
        let ended = duet.round(&|_| true, &mut fastrand::Rng::with_seed(seed));
        for (place, kept) in places.iter().zip(&kept) {
            std::fs::rename(kept, place).unwrap();
        }
        match ended {
            Err(Stop::Step(failure)) => failure.detail.unwrap_or_default(),
            other => panic!("{other:?}"),
        }
    };
    let seen = said_by_seeds([&base, &head], true, first_to_fail);
    assert_eq!(seen.len(), 2, "{seen:?}");
}

#[test]
fn a_title_that_is_written_in_another_way_is_the_same_benchmark() {
    let observed = both("serve kv/get/64 1000", "serve kv/get/value=64 1000");
    for side in &observed {
        assert_eq!(benches(side), ["kv/get{value=64}: cpu_time wall_time"]);
    }
}

#[test]
fn what_one_side_alone_serves_is_measured_there() {
    let observed = both(
        "serve a 1000\nserve old 1000",
        "serve a 1000\nserve new 1000",
    );
    assert_eq!(
        benches(&observed[0]),
        ["a: cpu_time wall_time", "old: cpu_time wall_time"]
    );
    assert_eq!(
        benches(&observed[1]),
        ["a: cpu_time wall_time", "new: cpu_time wall_time"]
    );
}

/// A benchmark that is there and times nothing.
const IDLE: &str = "echo 'benchmark - idle'; while read -r verb count; do case $verb in block) echo missed ;; next) break ;; *) exit 0 ;; esac; done";

#[test]
fn what_times_nothing_is_no_benchmark_of_that_side() {
    let observed = both(
        &format!("{IDLE}\nserve a 1000"),
        "serve idle 1000\nserve a 1000",
    );
    assert_eq!(benches(&observed[0]), ["a: cpu_time wall_time"]);
    assert_eq!(
        benches(&observed[1]),
        ["a: cpu_time wall_time", "idle: cpu_time wall_time"]
    );
    let idle = Script::serving(IDLE);
    insta::assert_snapshot!(failure(&idle, &idle), @"ended well and measured nothing: ");
}

#[test]
fn a_bench_that_takes_the_time_itself_has_no_processor_time() {
    let own = "echo 'benchmark - own'; while read -r verb count; do case $verb in block) echo \"block $((count * 1000)) -\" ;; next) break ;; *) exit 0 ;; esac; done";
    let observed = both(own, own);
    for side in &observed {
        assert_eq!(benches(side), ["own: wall_time"]);
    }
}

#[test]
fn a_failure_says_whose_it_is() {
    let good = Script::serving("serve a 1000");
    let bad = Script::new("greet; echo 'benchmark - a'; read -r next; exit 5");
    insta::assert_snapshot!(failure(&bad, &good), @"ended with exit code 5: of the base: it was at `a`");
    insta::assert_snapshot!(failure(&good, &bad), @"ended with exit code 5: it was at `a`");
    let empty = Script::serving("");
    insta::assert_snapshot!(failure(&empty, &good), @"ended well and measured nothing: of the base");
    insta::assert_snapshot!(failure(&good, &empty), @"ended well and measured nothing: ");
}

#[test]
fn what_is_served_only_once_is_a_failure() {
    let good = Script::serving("serve a 1000\nserve b 1000");
    let fickle = Script::serving("serve a 1000\n[ -e was ] || serve b 1000\ntouch was");
    insta::assert_snapshot!(failure(&good, &fickle), @"wrote what cannot be read: it served `b` the first time, and not again");
    let tired = Script::serving(
        "echo 'benchmark - a'; n=0
         while read -r verb count; do case $verb in block) n=$((n + 1)); if [ $n -gt 5 ]; then echo missed; else echo \"block $((count * 1000)) -\"; fi ;; next) break ;; *) exit 0 ;; esac; done",
    );
    insta::assert_snapshot!(failure(&tired, &good), @"wrote what cannot be read: of the base: some blocks of `a` took no time that can be kept");
}

#[test]
fn times_that_no_clock_can_show_are_refused() {
    let good = Script::serving("serve a 1000");
    let timeless = Script::serving("serve a 0");
    insta::assert_snapshot!(failure(&timeless, &good), @"wrote what cannot be read: of the base: some blocks of `a` took no time that can be kept");
    let endless = "echo 'benchmark - a'; while read -r verb count; do case $verb in block) echo 'block 18446744073709551615 -' ;; next) break ;; *) exit 0 ;; esac; done";
    let endless = Script::serving(endless);
    insta::assert_snapshot!(failure(&good, &endless), @"wrote what cannot be read: some blocks of `a` took no time that can be kept");
}

#[test]
fn two_titles_of_one_benchmark_are_refused() {
    let good = Script::serving("serve a 1000");
    let twice = Script::serving("serve kv/get/64 1000\nserve kv/get/value=64 1000");
    insta::assert_snapshot!(failure(&twice, &good), @"wrote what cannot be read: of the base: two benchmarks are named `kv/get{value=64}`, and one of them is called `kv/get/64`: give each a name of its own");
    let odd = Script::serving(r"printf '%s\n' 'benchmark - a\nb'; read -r next");
    insta::assert_snapshot!(failure(&good, &odd), @"wrote what cannot be read: the benchmark name holds the character U+000A at byte 1, which cannot be shown safely");
}

#[test]
fn an_interrupt_ends_it() {
    let script = Script::serving("serve a 1000");
    let asked = Interrupt::default();
    asked.ask();
    match measured(&[&script, &script], &asked) {
        Err(Stop::Step(failure)) => assert_eq!(failure.kind, FailureKind::Interrupted),
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_are_per_iteration_and_a_clock_that_nobody_read_is_left_out() {
    let block = |wall, cpu| Block { wall, cpu };
    let rows = vec![vec![block(1_000, Some(900)), block(2_000, Some(1_800))]; 4];
    let found = values(&rows, 1, 10);
    let said: Vec<(&str, f64, Option<u64>)> = found
        .iter()
        .map(|v| (v.metric.name.as_str(), v.value.round(), v.iterations))
        .collect();
    let expected = [
        ("wall_time", 200.0, Some(20)),
        ("cpu_time", 180.0, Some(20)),
    ];
    assert_eq!(said, expected);
    let rows = vec![vec![block(1_000, None)]; 4];
    let names: Vec<String> = values(&rows, 0, 1)
        .iter()
        .map(|v| v.metric.name.to_string())
        .collect();
    assert_eq!(names, ["wall_time"]);
    let rows = vec![vec![block(1_000, Some(0))]; 4];
    let found = values(&rows, 0, 1);
    assert_eq!(found.len(), 1, "no processor time is no number");
}
