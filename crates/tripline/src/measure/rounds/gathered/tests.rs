//! Rounds as a source would give them, and when they end.

use tripline_judge::{Derived, Expression, Layer, Limits, Scope};
use tripline_model::{BenchName, Better, MetricName, Params, SuiteName, Unit};

use super::*;

fn bench(name: &str) -> BenchId {
    BenchId {
        suite: SuiteName::new("kv").unwrap(),
        name: BenchName::new(name).unwrap(),
        params: Params::new(),
    }
}

fn taken(metric: &str, value: f64) -> Taken {
    Taken {
        values: vec![Value {
            metric: Metric::known(metric).unwrap(),
            value,
            iterations: Some(10),
        }],
        ..Taken::default()
    }
}

/// A row of times; a side without one does not have the benchmark.
fn row(name: &str, times: [Option<f64>; 2]) -> Row {
    Row {
        bench: bench(name),
        sides: times
            .map(|time| time.map(|time| taken("wall_time", time)))
            .to_vec(),
        is_disturbed: false,
    }
}

fn disturbed(row: Row) -> Row {
    Row {
        is_disturbed: true,
        ..row
    }
}

/// Gathers what a source gives until nothing more is wanted. Returns how many rounds that took.
fn gathered(enough: &Enough<'_>, mut source: impl FnMut(u32) -> Vec<Row>) -> (Gathered, u32) {
    let mut gathered = Gathered::new(2);
    for round in 0..1_000 {
        let mut rows = source(round);
        rows.retain(|row| gathered.wants(&row.bench, enough));
        gathered.add(round, rows);
        if !gathered.wants_any(enough) {
            return (gathered, round + 1);
        }
    }
    panic!("more is wanted for ever");
}

fn enough(policy: &Policy) -> Enough<'_> {
    Enough {
        policy,
        rounds: 30,
        steps: 1,
    }
}

/// Returns the one reading of one benchmark on one side.
fn reading(observed: &[Observed], side: usize, name: &str) -> Reading {
    let observations = &observed[side].observations;
    let found = observations.iter().find(|one| one.bench == bench(name));
    found.expect(name).readings[0].clone()
}

fn rounds_of(observed: &[Observed], side: usize, name: &str) -> Option<Vec<u32>> {
    let sample = reading(observed, side, name).sample;
    sample.rounds().map(<[u32]>::to_vec)
}

#[test]
fn what_is_clear_ends_after_nine_rounds_on_both_sides_alike() {
    let policy = Policy::standard();
    for head in [1_000.0, 1_100.0, 900.0] {
        let (all, rounds) = gathered(&enough(&policy), |_| {
            vec![row("get", [Some(1_000.0), Some(head)])]
        });
        assert_eq!(rounds, 9, "{head}");
        let observed = all.into_observed();
        for (side, value) in [(0, 1_000.0), (1, head)] {
            let reading = reading(&observed, side, "get");
            assert_eq!(reading.sample.values(), [value; 9]);
            assert_eq!(reading.sample.iterations(), Some(&[10; 9][..]));
            assert_eq!(
                rounds_of(&observed, side, "get"),
                Some((0..9).collect::<Vec<u32>>())
            );
        }
    }
}

#[test]
fn among_many_a_change_needs_more_rounds_and_what_is_decided_is_measured_no_more() {
    let policy = Policy::standard();
    let names: Vec<String> = (0..200).map(|at| format!("b{at}")).collect();
    let (all, rounds) = gathered(&enough(&policy), |_| {
        let head = |at: usize| if at == 0 { 1_100.0 } else { 1_000.0 };
        let rows = names.iter().enumerate();
        rows.map(|(at, name)| row(name, [Some(1_000.0), Some(head(at))]))
            .collect()
    });
    assert_eq!(rounds, 15);
    let observed = all.into_observed();
    let count = |name: &str| reading(&observed, 1, name).sample.values().len();
    assert_eq!((count("b0"), count("b1")), (15, 9));
}

#[test]
fn what_stays_open_has_all_its_rounds_and_as_many_again_only_where_it_leans() {
    let policy = Policy::standard();
    // Worse by more than the tolerance in every other round: neither worse nor the same.
    let (_, rounds) = gathered(&enough(&policy), |round| {
        let head = if round % 2 == 0 { 1_100.0 } else { 1_000.0 };
        vec![row("get", [Some(1_000.0), Some(head)])]
    });
    assert_eq!(rounds, 30);
    // Worse in two of three: after thirty rounds it leans, and before sixty it is clear.
    let (_, rounds) = gathered(&enough(&policy), |round| {
        let head = if round % 3 == 0 { 1_000.0 } else { 1_100.0 };
        vec![row("get", [Some(1_000.0), Some(head)])]
    });
    assert!((31..=60).contains(&rounds), "{rounds}");
}

#[test]
fn a_metric_that_cannot_fail_is_measured_for_an_interval() {
    let limits = Limits {
        warn: Some(f64::INFINITY),
        fail: Some(f64::INFINITY),
        ..Limits::default()
    };
    let shown = Layer::new(Scope::default(), limits, "it is only shown").unwrap();
    let policy = Policy::standard().with_layers([shown]);
    let (_, rounds) = gathered(&enough(&policy), |round| {
        vec![row(
            "get",
            [Some(1_000.0), Some(1_000.0 + f64::from(round))],
        )]
    });
    assert_eq!(rounds, u32::try_from(ROUNDS_TO_SHOW).unwrap());
}

#[test]
fn what_a_gate_is_derived_from_has_all_its_rounds() {
    let rounds_with = |fail: f64, expression: &str, head: f64| {
        let limits = |fail| Limits {
            warn: Some(fail),
            fail: Some(fail),
            ..Limits::default()
        };
        let quotient = MetricName::new("quotient").unwrap();
        let of_quotient = Scope {
            metric: Some(quotient.clone()),
            ..Scope::default()
        };
        let derived = Derived::new(
            quotient,
            "how much longer one takes".to_owned(),
            Expression::new(expression).unwrap(),
            Unit::Ratio,
            Better::Lower,
        );
        let of_others = Scope {
            metric: MetricName::new("cpu_time").ok(),
            ..Scope::default()
        };
        let shown = Layer::new(of_others, limits(f64::INFINITY), "it is only shown");
        let gated = Layer::new(of_quotient, limits(fail), "the quotient decides");
        let policy = Policy::standard()
            .with_layers([shown.unwrap(), gated.unwrap()])
            .with_derived(vec![derived], Vec::new());
        let (_, rounds) = gathered(&enough(&policy), |_| {
            let shown = taken("cpu_time", 500.0);
            let mut row = row("get", [Some(1_000.0), Some(head)]);
            for side in row.sides.iter_mut().flatten() {
                side.values.extend(shown.values.clone());
            }
            vec![row]
        });
        rounds
    };
    // Clear or not, shown or not: what counts is that a gate hangs on it.
    for term in ["get:wall_time", "wall_time", "get:cpu_time"] {
        let quotient = format!("{term} / set:wall_time");
        for head in [1_000.0, 1_100.0] {
            assert_eq!(rounds_with(0.05, &quotient, head), 30, "{term}");
            let rounds = rounds_with(f64::INFINITY, &quotient, head);
            assert!((9..30).contains(&rounds), "{term}: {rounds}");
        }
    }
    assert!(rounds_with(0.05, "put:wall_time / set:wall_time", 1_000.0) < 30);
}

#[test]
fn what_is_only_counted_is_measured_twice_unless_its_counts_differ() {
    let policy = Policy::standard();
    let rounds_of = |count: fn(u32) -> f64| {
        let (_, rounds) = gathered(&enough(&policy), |round| {
            let mut row = row("link", [None, None]);
            row.sides.fill(Some(taken("datagrams", count(round))));
            vec![row]
        });
        rounds
    };
    assert_eq!(rounds_of(|_| 7.0), 2);
    assert_eq!(rounds_of(|round| f64::from(7 + round % 2)), 9);
}

#[test]
fn a_disturbed_round_is_dropped_on_both_sides_and_taken_again() {
    let policy = Policy::standard();
    let (all, rounds) = gathered(&enough(&policy), |round| {
        let good = row("get", [Some(1_000.0), Some(1_000.0)]);
        let bad = disturbed(row("get", [Some(1_000.0), Some(9_000.0)]));
        vec![if round % 2 == 0 { bad } else { good }]
    });
    assert_eq!(rounds, 18);
    let observed = all.into_observed();
    let odd: Vec<u32> = (0..9).map(|at| 2 * at + 1).collect();
    for side in [0, 1] {
        assert_eq!(rounds_of(&observed, side, "get"), Some(odd.clone()));
        assert_eq!(
            reading(&observed, side, "get").sample.values(),
            [1_000.0; 9]
        );
        let caveats = &observed[side].observations[0].caveats;
        assert_eq!(*caveats, [Caveat::Disturbed { pairs: 9 }]);
    }
}

#[test]
fn what_was_disturbed_all_the_time_is_there_and_is_no_pair() {
    let policy = Policy::standard();
    let (all, rounds) = gathered(&enough(&policy), |_| {
        vec![disturbed(row("get", [Some(1_000.0), Some(2_000.0)]))]
    });
    assert_eq!(rounds, 60, "it ends");
    let observed = all.into_observed();
    assert_eq!(rounds_of(&observed, 0, "get"), None);
    assert_eq!(rounds_of(&observed, 1, "get"), None);
    assert_eq!(reading(&observed, 1, "get").sample.values(), [2_000.0; 60]);
    let caveats = &observed[0].observations[0].caveats;
    assert_eq!(*caveats, [Caveat::Disturbed { pairs: 60 }]);
}

#[test]
fn what_one_side_has_alone_is_measured_briefly_and_never_paired() {
    let policy = Policy::standard();
    let (all, rounds) = gathered(&enough(&policy), |_| {
        vec![
            row("old", [Some(1_000.0), None]),
            row("new", [None, Some(1_000.0)]),
        ]
    });
    assert_eq!(rounds, u32::try_from(ROUNDS_ALONE).unwrap());
    let observed = all.into_observed();
    for (side, name) in [(0, "old"), (1, "new")] {
        assert_eq!(observed[side].observations.len(), 1);
        assert_eq!(rounds_of(&observed, side, name), None, "{name}");
    }
}

#[test]
fn only_a_metric_that_both_sides_have_is_paired() {
    let policy = Policy::standard();
    let (all, _) = gathered(&enough(&policy), |_| {
        let mut both = row("get", [Some(1_000.0), Some(1_000.0)]);
        let head = both.sides[1].as_mut().unwrap();
        head.values.extend(taken("cpu_time", 500.0).values);
        vec![both]
    });
    let observed = all.into_observed();
    let head = &observed[1].observations[0].readings;
    let paired: Vec<(&str, bool)> = head
        .iter()
        .map(|reading| {
            let is_paired = reading.sample.rounds().is_some();
            (reading.metric.name.as_str(), is_paired)
        })
        .collect();
    assert_eq!(paired, [("cpu_time", false), ("wall_time", true)]);
}

#[test]
fn a_count_is_no_pair_and_iterations_are_told_only_where_all_are_known() {
    let mut gathered = Gathered::new(2);
    for round in 0..3 {
        let mut mixed = row("get", [Some(1.0), Some(1.0)]);
        for side in mixed.sides.iter_mut().flatten() {
            side.values.extend(taken("instructions", 7.0).values);
            if round == 1 {
                side.values[0].iterations = None;
            }
        }
        gathered.add(round, vec![mixed]);
    }
    let observed = gathered.into_observed();
    let readings = &observed[0].observations[0].readings;
    let [count, time] = &readings[..] else {
        panic!("{readings:?}");
    };
    assert_eq!(count.sample.rounds(), None);
    assert_eq!(count.sample.iterations(), Some(&[10; 3][..]));
    assert_eq!(time.sample.rounds(), Some(&[0, 1, 2][..]));
    assert_eq!(time.sample.iterations(), None);
}

#[test]
fn an_answer_is_kept_though_nothing_was_measured_with_it() {
    let mut gathered = Gathered::new(1);
    let answered = Taken {
        answer: Some(Digest::new("c0ffee").unwrap()),
        caveats: vec![Caveat::CollectionChanged],
        ..Taken::default()
    };
    for round in 0..2 {
        let row = Row {
            bench: bench("get"),
            sides: vec![Some(answered.clone())],
            is_disturbed: false,
        };
        gathered.add(round, vec![row]);
    }
    let observed = gathered.into_observed();
    let only = &observed[0].observations[0];
    assert_eq!(only.answer, Digest::new("c0ffee").ok());
    assert_eq!(only.caveats, [Caveat::CollectionChanged]);
}

#[test]
fn progress_counts_what_is_decided() {
    let policy = Policy::standard();
    let enough = enough(&policy);
    let mut gathered = Gathered::new(2);
    for round in 0..9 {
        let noisy = 1_000.0 + 200.0 * f64::from(round % 2);
        let rows = vec![
            row("clear", [Some(1_000.0), Some(1_000.0)]),
            row("open", [Some(1_000.0), Some(noisy)]),
        ];
        gathered.add(round, rows);
    }
    assert_eq!(gathered.counts(&enough), (2, 1));
    let name = MetricName::new("wall_time").unwrap();
    assert!(
        gathered.benches[&bench("open")].sides[0]
            .readings
            .contains_key(&name)
    );
    assert!(gathered.wants(&bench("unknown"), &enough));
}
