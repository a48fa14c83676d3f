//! Sessions on noisy hosts, simulated from fixed seeds: how often the judge is wrong, and how often it sees.

use tripline_judge::{Decision, Policy, decision};
use tripline_model::{Better, Finding, Gate, Method, Report, Verdict};

use crate::build::{bench, judged, metric};
use crate::noisy::Noise;
use crate::session::{Pair, session};

const BENCHES: usize = 200;
const PAIRS: usize = 30;

/// Judges a session of many benchmarks, given the jitter of each, and how many times as long each takes as before.
fn report(seed: u64, benches: impl Fn(usize, &mut Noise) -> (f64, f64)) -> Report {
    let mut noise = Noise::of(seed);
    let names: Vec<String> = (0..BENCHES).map(|index| format!("b{index:03}")).collect();
    let pairs: Vec<Vec<Pair>> = (0..BENCHES)
        .map(|index| {
            let (jitter, slower) = benches(index, &mut noise);
            noise.pairs(PAIRS, jitter, slower)
        })
        .collect();
    let named = names.iter().zip(&pairs);
    let (base, head) =
        session(named.map(|(name, pairs)| (name.as_str(), "wall_time", pairs.as_slice())));
    judged(&base, &head)
}

#[test]
fn nothing_fails_where_nothing_changed() {
    let mut likely = 0;
    for seed in 0..50 {
        // From quiet benchmarks to ones that nothing can be said of.
        let report = report(seed, |_, noise| (0.002 * 30.0_f64.powf(noise.share()), 1.0));
        assert_eq!(report.findings.len(), BENCHES);
        assert!(report.gate() < Gate::Fail, "seed {seed}");
        assert!(report.caveats.is_empty(), "{:?}", report.caveats);
        likely += report.count(Verdict::Regressed) + report.count(Verdict::Improved);
        assert!(report.count(Verdict::Unchanged) > BENCHES / 2);
    }
    // Ten thousand benchmarks; what is only likely is wrong now and then.
    assert!(likely <= 5, "{likely}");
}

#[test]
fn five_percent_are_caught() {
    let (mut caught, mut failed) = (0, 0);
    for seed in 100..200 {
        let mut noise = Noise::of(seed);
        let pairs = noise.pairs(PAIRS, 0.02, 1.05);
        let (base, head) = session([("planted", "wall_time", pairs.as_slice())]);
        let report = judged(&base, &head);
        caught += usize::from(report.findings[0].verdict == Verdict::Regressed);
        failed += usize::from(report.gate() == Gate::Fail);
    }
    assert!(caught >= 95 && failed >= 75, "{caught} {failed}");
}

#[test]
fn five_percent_are_caught_among_many() {
    let caught = |jitter: f64, gate: Gate| {
        let is_planted = |index: usize| index.is_multiple_of(20);
        let slower = |index: usize| if is_planted(index) { 1.05 } else { 1.0 };
        let report = report(300, |index, _| (jitter, slower(index)));
        let findings = report.findings.iter().enumerate();
        let (planted, rest): (Vec<_>, Vec<_>) = findings.partition(|(index, _)| is_planted(*index));
        let is_silent = |finding: &Finding| finding.verdict != Verdict::Regressed;
        assert!(rest.into_iter().all(|(_, finding)| is_silent(finding)));
        let is_caught = |finding: &Finding| !is_silent(finding) && finding.gate >= gate;
        let caught = planted
            .into_iter()
            .filter(|(_, finding)| is_caught(finding));
        caught.count()
    };
    // Ten were planted. All are seen; certainty among two hundred asks for a quieter host.
    assert_eq!(caught(0.01, Gate::Fail), 10);
    assert_eq!(caught(0.02, Gate::Warn), 10);
}

/// Measures pairs until the judge has seen enough, and returns what it saw.
fn measured(noise: &mut Noise, jitter: f64, slower: f64, hypotheses: usize) -> Option<Decision> {
    let time = metric("wall_time");
    let rule = Policy::standard().rule(&bench("get"), &time, Method::Paired);
    let pairs = noise.pairs(PAIRS, jitter, slower);
    (1..=PAIRS).find_map(|count| decision(&pairs[..count], Better::Lower, &rule, hypotheses))
}

#[test]
fn measuring_may_stop_at_any_pair() {
    let mut noise = Noise::of(7);
    let mut share = |slower: f64, wanted: Decision| {
        let sessions = 2_000;
        let is_wanted = |_: &i32| measured(&mut noise, 0.01, slower, 1) == Some(wanted);
        (0..sessions).filter(is_wanted).count() as f64 / f64::from(sessions)
    };
    // Just at the tolerance both answers are wrong, and each may be given once in a hundred sessions.
    let (worse, same) = (share(1.02, Decision::Worse), share(1.02, Decision::Same));
    assert!(worse <= 0.012 && same <= 0.012, "{worse} {same}");
    // Away from it they are right.
    let (worse, same) = (share(1.0, Decision::Worse), share(1.0, Decision::Same));
    assert!(worse == 0.0 && same > 0.3, "{worse} {same}");
    let (worse, same) = (share(1.10, Decision::Worse), share(1.10, Decision::Same));
    assert!(worse > 0.95 && same == 0.0, "{worse} {same}");
}
