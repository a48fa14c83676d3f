//! Known answers for control benchmarks: how they correct a stored time, when they refuse, and what they take back.

use tripline_judge::{Beyond, Controls, Judge, Layer, Limits, Outcomes, Policy, Scope};
use tripline_model::{Caveat, Gate, Method, Refusal, Report, Run, SessionId};

use crate::build::{all_said, measurement, run, said};
use crate::session::{in_rounds, session, times};

const NAMES: [&str; 7] = [
    "alu",
    "branchy",
    "cache",
    "memory",
    "allocator",
    "calls",
    "sleep",
];

/// Returns a run of control benchmarks that took so long.
fn controls(values: &[f64]) -> Run {
    run(NAMES.iter().zip(values).map(|(name, value)| {
        let values = [value * 0.999, *value, value * 1.001];
        measurement(&format!("control/{name}"), &[("wall_time", &values)])
    }))
}

/// Returns a run of one benchmark that took so long.
fn time(value: f64) -> Run {
    let values = [value * 0.99, value, value * 1.01, value];
    run([measurement("get", &[("wall_time", &values)])])
}

/// A policy under which a stored time could be told from another by much less than a gate asks for.
fn lenient() -> Policy {
    let scope = Scope {
        method: Some(Method::BaselineOnly),
        ..Scope::default()
    };
    let limits = Limits {
        tolerance: Some(0.1),
        fail: Some(0.2),
        ..Limits::default()
    };
    Policy::standard().with_layers([Layer::new(scope, limits, "a test").unwrap()])
}

/// What is undecided fails, but for what was refused.
fn undecided_fails() -> Outcomes {
    Outcomes {
        inconclusive: Gate::Fail,
        ..Outcomes::default()
    }
}

fn judged(base: &Run, head: &Run, controls: &Controls) -> Report {
    let policy = lenient();
    let judge = Judge::by(&policy).with_controls(Some(controls));
    judge.judge(Some(base), head).unwrap()
}

#[test]
fn a_slower_machine_is_taken_out() {
    let slower = Controls::of(&controls(&[100.0; 7]), &controls(&[130.0; 7]));
    for (value, expected) in [
        (1_300.0, "unchanged"),
        (1_400.0, "unchanged"),
        // Beyond the tolerance, and not beyond doubt.
        (1_500.0, "inconclusive baseline-only"),
        (1_900.0, "regressed baseline-only"),
        (1_150.0, "inconclusive baseline-only"),
        (1_000.0, "improved baseline-only"),
    ] {
        let report = judged(&time(1_000.0), &time(value), &slower);
        assert_eq!(said(&report.findings[0]), expected, "{value}");
        let detectable = report.findings[0].evidence.detectable.unwrap();
        assert!((0.2..0.3).contains(&detectable), "{detectable}");
    }
}

#[test]
fn without_controls_nothing_is_judged() {
    let policy = lenient();
    let report = Judge::by(&policy).judge(Some(&time(1_000.0)), &time(1_900.0));
    assert_eq!(
        all_said(&report.unwrap()),
        ["get wall_time: inconclusive baseline-only"]
    );
}

#[test]
fn what_cannot_be_compared_says_why() {
    let refused = |base: &[f64], head: &[f64]| {
        let controls = Controls::of(&controls(base), &controls(head));
        let report = judged(&time(1_000.0), &time(1_900.0), &controls);
        assert_eq!(
            all_said(&report),
            ["get wall_time: inconclusive not-comparable"]
        );
        match &report.findings[0].caveats[..] {
            [Caveat::NotComparable(refusal)] => refusal.clone(),
            other => panic!("{other:?}"),
        }
    };
    let steady = [100.0; 7];
    assert_eq!(
        refused(&steady[..4], &steady),
        Refusal::NoControls { controls: 4 }
    );
    let Refusal::ControlsDisagree { spread } =
        refused(&steady, &[90.0, 94.0, 97.0, 100.0, 104.0, 108.0, 112.0])
    else {
        panic!("they disagree by more than three percent");
    };
    assert!((0.03..0.09).contains(&spread), "{spread}");
    let Refusal::ControlOff { change } =
        refused(&steady, &[100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 130.0])
    else {
        panic!("one of them is off");
    };
    assert!((change - 0.3).abs() < 1e-9, "{change}");
    let few = Controls::of(&controls(&steady[..4]), &controls(&steady));
    let strict = lenient().with_outcomes(undecided_fails());
    let judge = Judge::by(&strict).with_controls(Some(&few));
    let report = judge.judge(Some(&time(1_000.0)), &time(1_900.0)).unwrap();
    assert_eq!(
        all_said(&report),
        ["get wall_time: inconclusive warn not-comparable"]
    );
    // Nothing differs, so nothing needs a reason.
    let report = judged(&time(1_000.0), &time(1_050.0), &few);
    assert_eq!(all_said(&report), ["get wall_time: unchanged"]);
}

#[test]
fn what_is_too_noisy_for_the_gate_is_not_compared() {
    let steady = Controls::of(&controls(&[100.0; 7]), &controls(&[100.0; 7]));
    // The standard rule has no gate for stored times, and 5 % is what it would be.
    let policy = Policy::standard();
    let said = |controls: &Controls| {
        let judge = Judge::by(&policy).with_controls(Some(controls));
        let report = judge.judge(Some(&time(1_000.0)), &time(1_900.0)).unwrap();
        report.findings[0].caveats.clone()
    };
    let [Caveat::NotComparable(Refusal::TooNoisy { detectable })] = said(&steady)[..] else {
        panic!("{:?}", said(&steady));
    };
    assert!((0.2..0.25).contains(&detectable), "{detectable}");
    // Where it was learned that machines of one kind agree, it is enough.
    assert_eq!(
        said(&steady.clone().with_interaction(0.02)),
        [Caveat::BaselineOnly]
    );
    for odd in [f64::NAN, -1.0, f64::INFINITY] {
        assert_eq!(steady.clone().with_interaction(odd), steady);
    }
}

#[test]
fn machines_of_two_kinds_are_not_compared() {
    let at = |mut run: Run, model: &str| {
        run.environment.state_text("cpu_model", model).unwrap();
        run
    };
    let steady = [100.0; 7];
    let said = |machines: [&str; 4]| {
        let [base, head, control_base, control_head] = machines;
        let controls = Controls::of(
            &at(controls(&steady), control_base),
            &at(controls(&steady), control_head),
        );
        all_said(&judged(
            &at(time(1_000.0), base),
            &at(time(1_900.0), head),
            &controls,
        ))
    };
    let refused = ["get wall_time: inconclusive not-comparable"];
    assert_eq!(said(["one"; 4]), ["get wall_time: regressed baseline-only"]);
    assert_eq!(said(["one", "other", "one", "other"]), refused);
    // Controls of another machine say nothing of this one.
    let [said] = &said(["one", "one", "other", "other"])[..] else {
        panic!("there is one finding");
    };
    assert_eq!(*said, "get wall_time: inconclusive not-comparable");
}

#[test]
fn controls_that_move_side_by_side_take_everything_back() {
    let slower = times((100.0, 110.0), 12);
    let faster = times((110.0, 100.0), 12);
    let (base, head) = session([
        ("get", "wall_time", &slower[..]),
        ("set", "wall_time", &faster),
        ("add", "wall_time", &times((100.0, 100.0), 12)),
        ("get", "instructions", &[(1e6, 2e6)]),
    ]);
    let beside = |head_times: [f64; 7], count: usize| {
        let names = NAMES.map(|name| format!("control/{name}"));
        let pairs = head_times.map(|head| times((100.0, head), 12));
        let benches = names.iter().zip(&pairs).take(count);
        let (base, head) =
            session(benches.map(|(name, pairs)| (name.as_str(), "wall_time", &pairs[..])));
        Controls::of(&base, &head)
    };
    let policy = Policy::standard();
    let said = |controls: &Controls| {
        let judge = Judge::by(&policy).with_controls(Some(controls));
        all_said(&judge.judge(Some(&base), &head).unwrap())
    };
    let all_moved = beside([103.0, 102.0, 104.0, 103.0, 102.0, 103.0, 103.0], 7);
    assert_eq!(
        said(&all_moved),
        [
            "add wall_time: unchanged",
            "get instructions: regressed fail",
            "get wall_time: inconclusive controls-moved",
            "set wall_time: inconclusive controls-moved",
        ]
    );
    let strict = Policy::standard().with_outcomes(undecided_fails());
    let judge = Judge::by(&strict).with_controls(Some(&all_moved));
    let report = judge.judge(Some(&base), &head).unwrap();
    let taken_back = "get wall_time: inconclusive warn controls-moved";
    assert_eq!(all_said(&report)[2], taken_back);
    let [Caveat::ControlsMoved { change }] = report.caveats[..] else {
        panic!("{:?}", report.caveats);
    };
    assert!((change - 0.03).abs() < 1e-9, "{change}");
    let stands = [
        "add wall_time: unchanged",
        "get instructions: regressed fail",
        "get wall_time: regressed fail",
        "set wall_time: improved",
    ];
    for (head_times, count) in [
        // Less than a percent; to both sides; too few to speak for the machine.
        ([100.5; 7], 7),
        ([103.0, 102.0, 97.0, 103.0, 98.0, 103.0, 96.0], 7),
        ([103.0; 7], 4),
    ] {
        assert_eq!(said(&beside(head_times, count)), stands);
    }
    // Controls that were not measured side by side say nothing of a session.
    let stored = Controls::of(&controls(&[100.0; 7]), &controls(&[103.0; 7]));
    assert_eq!(said(&stored), stands);
}

#[test]
fn controls_of_a_session_that_share_no_round_take_nothing_back() {
    // As where the change gave their step another harness: each side was timed by itself, and by another clock.
    let of_session = |values: &[f64]| {
        let mut run = controls(values);
        run.session = session([("get", "wall_time", &[(1.0, 1.0)][..])]).0.session;
        run
    };
    let apart = Controls::of(&of_session(&[100.0; 7]), &of_session(&[103.0; 7]));
    let slower = times((100.0, 110.0), 12);
    let (base, head) = session([("get", "wall_time", &slower[..])]);
    let policy = Policy::standard();
    let judge = Judge::by(&policy).with_controls(Some(&apart));
    let report = judge.judge(Some(&base), &head).unwrap();
    assert_eq!(all_said(&report), ["get wall_time: regressed fail"]);
}

#[test]
fn rounds_of_two_sessions_have_only_their_numbers_in_common() {
    let of_session = |name: &str, values: &[f64]| {
        let named = NAMES.iter().map(|name| format!("control/{name}"));
        let mut run = run(named.map(|name| in_rounds(&name, "wall_time", values, 0)));
        run.session = Some(SessionId::new(name).unwrap());
        run
    };
    let base = of_session("one", &[90.0, 100.0, 110.0]);
    // By its middle pair the head would be 9 % faster.
    let head = of_session("two", &[110.0, 90.0, 100.0]);
    let stored = Controls::of(&base, &head);
    let by_medians = Controls::of(&controls(&[100.0; 7]), &controls(&[100.0; 7]));
    assert_eq!(stored, by_medians);
}

#[test]
fn a_limit_that_a_busy_machine_crosses_fails_nothing_where_the_controls_moved() {
    let moved = times((100.0, 103.0), 12);
    let names = NAMES.map(|name| format!("control/{name}"));
    let sides = names
        .iter()
        .map(|name| (name.as_str(), "wall_time", &moved[..]));
    let (control_base, control_head) = session(sides);
    let moved = Controls::of(&control_base, &control_head);
    let gate = |sides: &(Run, Run), beyond, controls: Option<&Controls>| {
        let limits = Limits {
            max: Some(105.0),
            beyond,
            ..Limits::default()
        };
        let layer = Layer::new(Scope::default(), limits, "a test").unwrap();
        let policy = Policy::standard().with_layers([layer]);
        let judge = Judge::by(&policy).with_controls(controls);
        judge.judge(Some(&sides.0), &sides.1).unwrap().gate()
    };
    let slower = session([("get", "wall_time", &times((100.0, 110.0), 12)[..])]);
    // The change is within the tolerance, and takes the head across the limit all the same.
    let nearly = session([("get", "wall_time", &times((104.0, 106.0), 12)[..])]);
    let mut new = session([("set", "wall_time", &times((50.0, 50.0), 12)[..])]);
    let of_get = measurement("get", &[("wall_time", &[110.0, 111.0, 112.0])]);
    new.1.insert(of_get).unwrap();
    let beside = Some(Beyond::FailBeside);
    for sides in [slower, nearly, new] {
        assert_eq!(gate(&sides, beside, None), Gate::Fail);
        assert_eq!(gate(&sides, beside, Some(&moved)), Gate::Warn);
        assert_eq!(gate(&sides, None, Some(&moved)), Gate::Fail);
    }
}

#[test]
fn controls_that_were_built_otherwise_take_nothing_back() {
    let built = |mut run: Run, profile: &str| {
        run.environment.state_text("profile", profile).unwrap();
        run
    };
    let moved = times((100.0, 103.0), 12);
    let names = NAMES.map(|name| format!("control/{name}"));
    let (base, head) = session(
        names
            .iter()
            .map(|name| (name.as_str(), "wall_time", &moved[..])),
    );
    let alike = Controls::of(&base, &head);
    let (fast, slow) = ("opt-level=3", "opt-level=1");
    let otherwise = Controls::of(&built(base, fast), &built(head, slow));
    let slower = times((100.0, 110.0), 12);
    let (base, head) = session([("get", "wall_time", &slower[..])]);
    let policy = Policy::standard();
    let said = |controls: &Controls, base: &Run, head: &Run| {
        let judge = Judge::by(&policy).with_controls(Some(controls));
        let report = judge.judge(Some(base), head).unwrap();
        all_said(&report).remove(0)
    };
    let taken_back = "get wall_time: inconclusive controls-moved";
    assert_eq!(said(&alike, &base, &head), taken_back);
    // A compiler's flag is the head's own change, and moves controls like everything else.
    let stands = said(&otherwise, &base, &head);
    assert_eq!(stands, "get wall_time: regressed fail");
    // What the suite itself was built with says nothing of controls that were built alike.
    let (base, head) = (built(base, fast), built(head, slow));
    let said = said(&alike, &base, &head);
    assert!(
        said.starts_with("get wall_time: inconclusive") && said.contains("controls-moved"),
        "{said}"
    );
}

#[test]
fn controls_of_a_session_say_nothing_of_two_machines() {
    let (base, head) = session(NAMES.map(|name| {
        let name: &str = match name {
            "alu" => "control/alu",
            "branchy" => "control/branchy",
            "cache" => "control/cache",
            "memory" => "control/memory",
            "allocator" => "control/allocator",
            "calls" => "control/calls",
            _ => "control/sleep",
        };
        (name, "wall_time", &[(100.0, 100.0); 9][..])
    }));
    let controls = Controls::of(&base, &head);
    let mut judged_head = time(1_900.0);
    judged_head.session = Some(SessionId::new("one").unwrap());
    assert_eq!(
        all_said(&judged(&time(1_000.0), &judged_head, &controls)),
        ["get wall_time: inconclusive baseline-only"]
    );
}

#[test]
fn most_that_move_beside_the_controls_are_taken_back() {
    let steady = Controls::of(&controls(&[100.0; 7]), &controls(&[100.0; 7]));
    let benches = |value: f64, count: usize| {
        let values = [value * 0.99, value, value * 1.01, value];
        let names = ["add", "del", "get", "put", "set"];
        run(names[..count]
            .iter()
            .map(|name| measurement(name, &[("wall_time", &values)])))
    };
    let policy = lenient();
    let judge = Judge::by(&policy).with_controls(Some(&steady));
    let report = |count| {
        let (base, head) = (benches(1_000.0, count), benches(1_900.0, count));
        judge.judge(Some(&base), &head).unwrap()
    };
    let four = report(4);
    assert_eq!(said(&four.findings[0]), "regressed baseline-only");
    assert_eq!(four.caveats, []);
    let five = report(5);
    assert_eq!(
        said(&five.findings[0]),
        "inconclusive baseline-only most-moved"
    );
    let [Caveat::MostMoved { share, change }] = five.caveats[..] else {
        panic!("{:?}", five.caveats);
    };
    assert!(
        (share, (change * 1e6).round()) == (1.0, 900_000.0),
        "{share} {change}"
    );
}
