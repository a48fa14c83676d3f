//! What is seen first: a report that cannot be trusted, and every row that gates.

use tripline_model::{
    Acceptance, Budget, Caveat, Covers, Finding, Gate, Method, Report, Unit, UnitSymbol, Verdict,
};
use tripline_render::{Color, Detail, View, renderer};

use crate::canonical::session::{distrusted, paired};
use crate::canonical::{bench, finding, report};

fn brief(name: &str, reports: &[Report]) -> String {
    let view = View::new(120, Color::Plain, Detail::Brief);
    (renderer(name).unwrap().render)(reports, &view)
}

#[test]
fn a_failed_canary_is_said_first_and_nothing_else_is_advised() {
    let what = "canary/steady was to be unchanged, and is regressed";
    for name in ["terminal", "comment"] {
        let text = brief(name, &[distrusted(&[what])]);
        let first = text.lines().next().unwrap().trim_matches('*');
        assert!(
            first.starts_with("BROKEN store: cannot be trusted"),
            "{first}"
        );
        let (before, _) = text.split_once("cpu_time").unwrap();
        assert!(before.contains(what), "{text}");
        assert!(!text.contains("tripline baseline"), "{text}");
    }
}

#[test]
fn the_line_on_all_suites_says_how_many_reports_cannot_be_trusted() {
    let reports = [
        distrusted(&["a", "b"]),
        report(Vec::new()),
        distrusted(&["a"]),
    ];
    for name in ["terminal", "comment"] {
        let text = brief(name, &reports);
        let first = text.lines().next().unwrap().trim_matches('*');
        let expected = "BROKEN 3 suites judged: 2 BROKEN, 1 PASS; 2 reports cannot be trusted";
        assert_eq!(first, expected);
    }
}

#[test]
fn a_value_that_may_cross_its_limit_has_a_row_beside_one_that_fails() {
    let get = bench("get", &[]);
    let fail = (Verdict::Regressed, Gate::Fail);
    let warn = (Verdict::Inconclusive, Gate::Warn);
    let mut perhaps = paired(&get, "cpu_time", (1e6, 1.02, 0.1), warn);
    perhaps.evidence.budget = Some(Budget {
        min: None,
        max: Some(1.01e6),
    });
    let slower = finding(&get, "instructions", (Some(1e6), Some(2e6)), fail);
    let text = brief("terminal", &[report(vec![slower, perhaps])]);
    let row = "inconclusive, perhaps over budget (max 1.010 ms), warn";
    assert!(text.contains(row), "{text}");
}

#[test]
fn whatever_gates_has_a_row() {
    let warn = (Verdict::Unchanged, Gate::Warn);
    let get = bench("get", &[]);
    let mut doubted = finding(&get, "instructions", (Some(11.0), Some(11.0)), warn);
    doubted.caveats.push(Caveat::TinyCount { count: 11.0 });
    let text = brief("terminal", &[report(vec![doubted])]);
    assert!(text.contains("unchanged, warn [1]"), "{text}");
}

#[test]
fn an_absolute_limit_shows_no_change_that_may_be_noise() {
    let fail = (Verdict::Regressed, Gate::Fail);
    let get = bench("get", &[]);
    let mut timed = finding(&get, "wall_time", (Some(1e6), Some(1.5e6)), fail);
    timed.evidence.method = Method::Budget;
    timed.evidence.budget = Some(Budget {
        min: None,
        max: Some(1e6),
    });
    let text = brief("terminal", &[report(vec![timed])]);
    assert!(
        text.contains("~  over budget (max 1.000 ms), fail"),
        "{text}"
    );
}

#[test]
fn a_value_just_beyond_its_limit_does_not_look_like_it() {
    let get = bench("get", &[]);
    let fail = (Verdict::Regressed, Gate::Fail);
    let values = (Some(1_000_020.0), Some(1_000_040.0));
    let mut timed = finding(&get, "wall_time", values, fail);
    timed.evidence.method = Method::Budget;
    timed.evidence.budget = Some(Budget {
        min: None,
        max: Some(1e6),
    });
    for name in ["terminal", "comment", "junit"] {
        let text = brief(name, &[report(vec![timed.clone()])]);
        for number in ["1.00002 ms", "1.00004 ms", "(max 1.00000 ms)"] {
            assert!(text.contains(number), "{name}: {text}");
        }
    }
    // One just within looks like neither what it is not nor beyond it.
    let same = (Verdict::Unchanged, Gate::Pass);
    let mut within = finding(&get, "wall_time", (Some(1e6), Some(999_960.0)), same);
    within.evidence.budget = timed.evidence.budget;
    let text = brief("terminal", &[report(vec![within])]);
    for number in ["999.96 µs", "max 1.0000 ms"] {
        assert!(text.contains(number), "{text}");
    }
}

#[test]
fn a_limit_that_warns_is_said_with_what_to_do() {
    let get = bench("get", &[]);
    let of = |gate| {
        let mut timed = finding(
            &get,
            "wall_time",
            (None, Some(1.5e6)),
            (Verdict::Regressed, gate),
        );
        timed.evidence.method = Method::Budget;
        timed.evidence.budget = Some(Budget {
            min: None,
            max: Some(1e6),
        });
        brief("terminal", &[report(vec![timed])])
    };
    let step = "measure again while nothing else runs";
    let warned = of(Gate::Warn);
    assert!(warned.starts_with("WARN "), "{warned}");
    assert!(
        warned.contains("over budget (max 1.000 ms), warn"),
        "{warned}"
    );
    assert!(warned.contains(step), "{warned}");
    assert!(!of(Gate::Fail).contains(step));
}

#[test]
fn what_was_taken_or_is_to_be_kept_has_a_row_beside_what_is_unchanged() {
    let get = bench("get", &[]);
    let unchanged = finding(
        &get,
        "instructions",
        (Some(1e6), Some(1e6)),
        (Verdict::Unchanged, Gate::Pass),
    );
    let mut taken = finding(
        &get,
        "allocations",
        (Some(10.0), Some(15.0)),
        (Verdict::Regressed, Gate::Pass),
    );
    taken.acceptance = Some(Acceptance {
        who: "somebody".to_owned(),
        because: "the index needs them".to_owned(),
        from: 10.0,
        to: 15.0,
        covers: Covers::Change,
        commit: None,
        environment: None,
    });
    let mut gained = finding(
        &get,
        "heap_peak",
        (Some(4096.0), Some(2048.0)),
        (Verdict::Improved, Gate::Pass),
    );
    gained.caveats.push(Caveat::BaselineStale);
    let of = |other: &Finding| {
        brief(
            "terminal",
            &[report(vec![unchanged.clone(), other.clone()])],
        )
    };
    let text = of(&taken);
    assert!(
        text.starts_with("PASS store: 1 accepted of 1 benchmark"),
        "{text}"
    );
    assert!(text.contains("the index needs them"), "{text}");
    let text = of(&gained);
    assert!(
        text.starts_with("PASS store: 1 improved of 1 benchmark"),
        "{text}"
    );
    assert!(text.contains("heap_peak"), "{text}");
}

#[test]
fn a_known_change_that_does_not_gate_is_not_headed_unchanged() {
    let get = bench("get", &[]);
    let same = (Verdict::Unchanged, Gate::Pass);
    let unchanged = finding(&get, "instructions", (Some(1e6), Some(1e6)), same);
    let by = |metric, verdict, method| {
        let values = (Some(4096.0), Some(2048.0));
        let mut other = finding(&get, metric, values, (verdict, Gate::Pass));
        other.evidence.method = method;
        brief("terminal", &[report(vec![unchanged.clone(), other])])
    };
    let (gain, loss) = (Verdict::Improved, Verdict::Regressed);
    for (metric, verdict, method, expected) in [
        ("heap_peak", gain, Method::Exact, "1 improved of"),
        ("wall_time", gain, Method::Paired, "1 improved of"),
        ("wall_time", loss, Method::Paired, "1 regressed of"),
        // What another hour, chance, the binary's layout or the kernel's ticks may have done is no news by itself.
        (
            "wall_time",
            loss,
            Method::Historical,
            "1 benchmark unchanged",
        ),
        (
            "wall_time",
            loss,
            Method::BaselineOnly,
            "1 benchmark unchanged",
        ),
        (
            "ll_read_misses",
            loss,
            Method::Exact,
            "1 benchmark unchanged",
        ),
        (
            "estimated_cycles",
            loss,
            Method::Exact,
            "1 benchmark unchanged",
        ),
        ("system_time", loss, Method::Paired, "1 benchmark unchanged"),
    ] {
        let text = by(metric, verdict, method);
        let headline = text.lines().next().unwrap();
        assert!(headline.contains(expected), "{metric}: {text}");
    }
}

#[test]
fn what_was_accepted_is_said_in_its_unit() {
    let get = bench("get", &[]);
    let fail = (Verdict::Regressed, Gate::Fail);
    let values = (Some(1e8), Some(2e8));
    let mut ended = finding(&get, "wall_time", values, fail);
    let accepted = 90_909_125.772_714_56;
    ended.caveats.push(Caveat::AcceptanceEnded { accepted });
    for name in ["terminal", "comment", "junit", "json"] {
        let text = brief(name, &[report(vec![ended.clone()])]);
        assert!(text.contains("accepted at 90.91 ms, and"), "{text}");
    }
    // The symbol of an unknown unit is data.
    ended.metric.unit = Unit::Other(UnitSymbol::new("<b>").unwrap());
    let text = brief("comment", &[report(vec![ended])]);
    assert!(
        text.contains("accepted at `90,909,125.8 <b>`, and"),
        "{text}"
    );
}

#[test]
fn only_a_gain_over_a_baseline_is_to_be_kept() {
    let get = bench("get", &[]);
    let times = (Some(1_000.0), Some(800.0));
    let mut gained = finding(&get, "wall_time", times, (Verdict::Improved, Gate::Pass));
    for (method, is_kept) in [
        (Method::BaselineOnly, true),
        (Method::Historical, false),
        (Method::Paired, false),
    ] {
        gained.evidence.method = method;
        let text = brief("terminal", &[report(vec![gained.clone()])]);
        let is_said = text.contains("keep the gain with `tripline baseline update`");
        assert_eq!(is_said, is_kept, "{text}");
    }
}
