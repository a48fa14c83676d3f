//! Arbitrary valid runs and reports. Everything the types allow occurs: names with markup and other scripts, every
//! unit, every caveat and failure, numbers from the smallest to the largest.
//!
//! Tested by its users: a generator that made something invalid would panic in a constructor here.

use jiff::Timestamp;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use tripline_model::{
    Acceptance, BenchId, BenchName, Better, Budget, COUNT_MAX, Caveat, Change, CommitId, Covers,
    Digest, Environment, EnvironmentName, Evidence, FactDifference, FactName, FactValue, Failure,
    FailureKind, Finding, Gate, Measurement, Method, Metric, MetricName, Nature, ParamKey,
    ParamValue, Params, Part, Producer, Reading, Refusal, Report, Revision, Run, RunIdentity,
    Sample, SessionId, StepName, SuiteName, Summary, Tolerance, Unit, UnitSymbol, Unmeasured,
    Verdict, WorkTree,
};

/// Makes any run of up to eight benchmarks.
pub(crate) fn run() -> impl Strategy<Value = Run> {
    let header = (
        suite(),
        timestamp(),
        environment(),
        (any::<String>(), any::<String>()),
        option::of(revision()),
        option::of(text().prop_map(|t| SessionId::new(t).unwrap())),
        option::of(part()),
    );
    let metrics = vec(metric(), 1..5);
    let measured = btree_map((bench_name(), params()), measured(), 0..8);
    let failures = vec(failure(), 0..4);
    (header, metrics, measured, failures).prop_map(|(header, metrics, measured, failures)| {
        let (suite, measured_at, environment, (name, version), revision, session, part) = header;
        let producer = Producer { name, version };
        let mut run = Run::new(suite.clone(), measured_at, environment, producer);
        run.revision = revision;
        run.session = session;
        run.part = part;
        run.failures = failures;
        for ((name, params), parts) in measured {
            let suite = suite.clone();
            let bench = BenchId {
                suite,
                name,
                params,
            };
            run.insert(parts.measurement(bench, &metrics)).unwrap();
        }
        run
    })
}

/// Makes any part: some of up to six steps.
fn part() -> impl Strategy<Value = Part> {
    let step = || "[a-z0-9][a-z0-9-]{0,12}".prop_map(|text| StepName::new(text).unwrap());
    let steps = btree_map(step(), any::<bool>(), 1..6);
    let unmeasured = (bench_name(), params(), step());
    let unmeasured = unmeasured.prop_map(|(name, params, step)| Unmeasured { name, params, step });
    (steps, fact_value(), vec(unmeasured, 0..3)).prop_map(|(steps, how, unmeasured)| {
        let of: Vec<StepName> = steps.keys().cloned().collect();
        let held = steps.into_iter().filter(|(_, is_held)| *is_held);
        let mut held: Vec<StepName> = held.map(|(step, _)| step).collect();
        if held.is_empty() {
            held.push(of[0].clone());
        }
        let mut part = Part::new(held, of, how).unwrap();
        part.unmeasured = unmeasured;
        part
    })
}

/// Makes any report of up to six findings.
pub(crate) fn report() -> impl Strategy<Value = Report> {
    let findings = vec(finding(), 0..6);
    let failures = vec(failure(), 0..3);
    (
        suite(),
        option::of(identity()),
        identity(),
        findings,
        failures,
        caveats(),
    )
        .prop_map(|(suite, base, head, mut findings, failures, caveats)| {
            for finding in &mut findings {
                finding.bench.suite = suite.clone();
            }
            Report {
                suite,
                base,
                head,
                findings,
                failures,
                caveats,
            }
        })
}

/// What a benchmark gives, before it is known which metrics its run has.
#[derive(Debug, Clone)]
struct Parts {
    readings: Vec<(Index, Sample)>,
    answer: Option<Digest>,
    caveats: Vec<Caveat>,
}

impl Parts {
    /// Gives each sample one of the metrics; the first sample of a metric is kept.
    fn measurement(self, bench: BenchId, metrics: &[Metric]) -> Measurement {
        let mut readings: Vec<Reading> = Vec::new();
        for (index, sample) in self.readings {
            let metric = index.get(metrics);
            // The run's own list may hold a name twice; the first one is meant.
            let metric = metrics.iter().find(|m| m.name == metric.name).unwrap();
            if readings.iter().all(|r| r.metric.name != metric.name) {
                let metric = metric.clone();
                readings.push(Reading { metric, sample });
            }
        }
        Measurement::new(bench, readings, self.answer, self.caveats).unwrap()
    }
}

fn measured() -> impl Strategy<Value = Parts> {
    (
        vec((any::<Index>(), sample()), 1..4),
        option::of(digest()),
        caveats(),
    )
        .prop_map(|(readings, answer, caveats)| Parts {
            readings,
            answer,
            caveats,
        })
}

fn sample() -> impl Strategy<Value = Sample> {
    let plain = vec(value(), 1..6).prop_map(|values| Sample::new(values).unwrap());
    let counted = vec((value(), 1..=u64::MAX), 1..6).prop_map(|pairs| {
        let (values, iterations): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        Sample::with_iterations(values, iterations).unwrap()
    });
    let paired = (vec((value(), 1..9_u32), 1..6), any::<bool>()).prop_map(|(steps, counts)| {
        let rounds: Vec<u32> = steps
            .iter()
            .scan(0, |round, (_, step)| {
                *round += step;
                Some(*round)
            })
            .collect();
        let values: Vec<f64> = steps.into_iter().map(|(value, _)| value).collect();
        let sample = if counts {
            let iterations = vec![7; values.len()];
            Sample::with_iterations(values, iterations)
        } else {
            Sample::new(values)
        };
        sample.unwrap().in_rounds(rounds).unwrap()
    });
    prop_oneof![plain, counted, paired]
}

/// Any value a sample may hold: whole and broken, up to the limit.
pub(crate) fn value() -> impl Strategy<Value = f64> {
    let whole = (0..=1_u64 << 53).prop_map(|value| value as f64);
    let any_size = any::<f64>().prop_filter_map("out of range", |value| {
        let value = value.abs();
        (value <= COUNT_MAX).then_some(value)
    });
    prop_oneof![
        whole,
        any_size,
        0.0..1e6,
        select(vec![0.0, -0.0, 5e-324, 0.1, COUNT_MAX])
    ]
}

/// Any finite number: those of the evidence have no limit. Zero has no sign, because the words of a caveat show it.
pub(crate) fn number() -> impl Strategy<Value = f64> {
    let finite = any::<f64>().prop_filter("not finite", |value| value.is_finite());
    prop_oneof![3 => value(), 1 => finite].prop_map(|value| value + 0.0)
}

/// Any text a name may be.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let made = "[a-zA-Z0-9 <>|`@#*{}=,\\\\/\"'äß名🚀.:_-]{1,16}";
    made.prop_filter("blank", |text| BenchName::new(text).is_ok())
}

pub(crate) fn bench_name() -> impl Strategy<Value = BenchName> {
    text().prop_map(|text| BenchName::new(text).unwrap())
}

pub(crate) fn params() -> impl Strategy<Value = Params> {
    let number = any::<u32>().prop_map(|number| number.to_string());
    let value = prop_oneof![number, text()].prop_map(|value| ParamValue::new(value).unwrap());
    btree_map(
        text().prop_map(|key| ParamKey::new(key).unwrap()),
        value,
        0..4,
    )
}

pub(crate) fn suite() -> impl Strategy<Value = SuiteName> {
    "[a-z0-9][a-z0-9-]{0,20}".prop_map(|text| SuiteName::new(text).unwrap())
}

pub(crate) fn digest() -> impl Strategy<Value = Digest> {
    "[0-9a-f]{1,64}".prop_map(|text| Digest::new(text).unwrap())
}

pub(crate) fn timestamp() -> impl Strategy<Value = Timestamp> {
    let seconds = Timestamp::MIN.as_second()..Timestamp::MAX.as_second();
    (seconds, 0..1_000_000_000_i32).prop_map(|(second, nanosecond)| {
        // Before 1970 the fraction would have to be negative.
        let nanosecond = if second < 0 { -nanosecond } else { nanosecond };
        Timestamp::new(second, nanosecond).unwrap_or(Timestamp::MIN)
    })
}

pub(crate) fn revision() -> impl Strategy<Value = Revision> {
    let commit = prop_oneof!["[0-9a-fA-F]{40}", "[0-9a-f]{64}"];
    let work_tree = select(vec![WorkTree::Clean, WorkTree::Modified]);
    (commit, work_tree).prop_map(|(commit, work_tree)| Revision {
        commit: CommitId::new(&commit).unwrap(),
        work_tree,
    })
}

fn fact_name() -> impl Strategy<Value = FactName> {
    "[a-z0-9][a-z0-9_.-]{0,12}".prop_map(|text| FactName::new(text).unwrap())
}

fn fact_value() -> impl Strategy<Value = FactValue> {
    text().prop_map(|text| FactValue::new(text).unwrap())
}

pub(crate) fn environment() -> impl Strategy<Value = Environment> {
    let name = "[a-z0-9][a-z0-9._-]{0,20}";
    (name, btree_map(fact_name(), fact_value(), 0..5)).prop_map(|(name, facts)| {
        let mut environment = Environment::new(EnvironmentName::new(name).unwrap());
        for (fact, value) in facts {
            environment.state(fact, value);
        }
        environment
    })
}

pub(crate) fn metric() -> impl Strategy<Value = Metric> {
    let symbols = [
        "ns", "B", "count", "1/s", "B/s", "bit/s", "ratio", "furlong",
    ];
    let known = select(symbols.to_vec()).prop_map(|symbol| Unit::from_symbol(symbol).unwrap());
    // Read from its symbol, so that an unknown unit never goes by the symbol of a known one.
    let other = text().prop_filter_map("too long", |symbol| Unit::from_symbol(&symbol).ok());
    let unit = prop_oneof![known, other];
    let other = "x[a-z0-9_.-]{0,12}";
    let name = prop_oneof![
        select(vec!["instructions".to_owned(), "wall_time".to_owned()]),
        other
    ];
    let better = select(vec![Better::Lower, Better::Higher, Better::Neither]);
    let nature = select(vec![Nature::Exact, Nature::Sampled, Nature::Summarized]);
    (name, unit, better, nature).prop_map(|(name, unit, better, nature)| {
        if let Unit::Other(symbol) = &unit {
            assert!(UnitSymbol::new(symbol.as_str()).is_ok());
        }
        Metric {
            name: MetricName::new(name).unwrap(),
            unit,
            better,
            nature,
        }
    })
}

fn failure() -> impl Strategy<Value = Failure> {
    let kind = prop_oneof![
        Just(FailureKind::Build),
        any::<i32>().prop_map(FailureKind::Exit),
        any::<i32>().prop_map(FailureKind::Signal),
        any::<u64>().prop_map(FailureKind::Timeout),
        Just(FailureKind::Start),
        Just(FailureKind::Nothing),
        Just(FailureKind::DebugBuild),
        Just(FailureKind::Output),
        Just(FailureKind::NoReading),
        Just(FailureKind::Interrupted),
    ];
    let step = "[a-z0-9][a-z0-9-]{0,12}";
    // Any text at all, also one of control characters: a harness writes what it likes.
    let output = vec(any::<char>(), 0..40).prop_map(String::from_iter);
    (step, kind, option::of(any::<String>()), output).prop_map(|(step, kind, detail, output)| {
        Failure::new(StepName::new(step).unwrap(), kind, detail, &output)
    })
}

fn caveat() -> impl Strategy<Value = Caveat> {
    let difference = (
        fact_name(),
        option::of(fact_value()),
        option::of(fact_value()),
    );
    let difference = difference.prop_map(|(fact, base, head)| FactDifference { fact, base, head });
    prop_oneof![
        Just(Caveat::NoBaseline),
        vec(difference, 0..3).prop_map(Caveat::EnvironmentDiffers),
        (digest(), digest()).prop_map(|(base, head)| Caveat::AnswerDiffers { base, head }),
        Just(Caveat::MetricDiffers),
        number().prop_map(|spread| Caveat::NotDeterministic { spread }),
        Just(Caveat::SingleSample),
        Just(Caveat::BaselineOnly),
        number().prop_map(|count| Caveat::TinyCount { count }),
        any::<u32>().prop_map(|threads| Caveat::ThreadsNotCounted { threads }),
        Just(Caveat::StepFailed),
        Just(Caveat::ModifiedWorkTree),
        Just(Caveat::AnswerMissing),
        any::<u32>().prop_map(|repeats| Caveat::TooFewRepeats {
            repeats: repeats as usize
        }),
        Just(Caveat::CollectionChanged),
        paired_caveat(),
    ]
}

/// The caveats of sessions, of comparisons between machines, and of what was accepted.
fn paired_caveat() -> impl Strategy<Value = Caveat> {
    let refusal = prop_oneof![
        any::<usize>().prop_map(|controls| Refusal::NoControls { controls }),
        Just(Refusal::Hardware(Vec::new())),
        number().prop_map(|spread| Refusal::ControlsDisagree { spread }),
        number().prop_map(|change| Refusal::ControlOff { change }),
        number().prop_map(|detectable| Refusal::TooNoisy { detectable }),
    ];
    prop_oneof![
        any::<usize>().prop_map(|pairs| Caveat::TooFewPairs { pairs }),
        any::<usize>().prop_map(|pairs| Caveat::Disturbed { pairs }),
        (number(), any::<u32>()).prop_map(|(detectable, pairs_needed)| Caveat::CannotGate {
            detectable,
            pairs_needed
        }),
        Just(Caveat::BaseBeyondToo),
        Just(Caveat::WeakEvidence),
        (metric(), number()).prop_map(|(metric, change)| Caveat::MeasuredAgain {
            metric: metric.name,
            change
        }),
        number().prop_map(|change| Caveat::ControlsMoved { change }),
        (number(), number()).prop_map(|(share, change)| Caveat::MostMoved { share, change }),
        refusal.prop_map(Caveat::NotComparable),
        fact_value().prop_map(|what| Caveat::CanaryFailed { what }),
        fact_value().prop_map(|counters| Caveat::CountersMissing { counters }),
        Just(Caveat::BaselineStale),
        number().prop_map(|accepted| Caveat::AcceptanceEnded { accepted }),
        number().prop_map(|accepted| Caveat::AcceptanceIdle { accepted }),
        Just(Caveat::UnboundedRatio),
        Just(Caveat::NoNumber),
        fact_value().prop_map(|term| Caveat::TermMissing { term }),
        select(vec![Gate::Pass, Gate::Warn, Gate::Fail])
            .prop_map(|gate| Caveat::SuiteGone { gate }),
    ]
}

fn caveats() -> impl Strategy<Value = Vec<Caveat>> {
    vec(caveat(), 0..3)
}

fn identity() -> impl Strategy<Value = RunIdentity> {
    (option::of(revision()), timestamp(), environment()).prop_map(
        |(revision, measured_at, environment)| RunIdentity {
            revision,
            measured_at,
            environment,
        },
    )
}

fn finding() -> impl Strategy<Value = Finding> {
    let bench = (suite(), bench_name(), params()).prop_map(|(suite, name, params)| BenchId {
        suite,
        name,
        params,
    });
    let verdict = select(Verdict::ALL.to_vec());
    let gate = select(vec![Gate::Pass, Gate::Warn, Gate::Fail]);
    let commit = option::of(revision().prop_map(|revision| revision.commit));
    let acceptance = (
        any::<String>(),
        any::<String>(),
        (number(), number()),
        select(vec![Covers::Change, Covers::Limit, Covers::Both]),
        commit,
        option::of(environment().prop_map(|environment| environment.name)),
    )
        .prop_map(
            |(who, because, (from, to), covers, commit, environment)| Acceptance {
                who,
                because,
                from,
                to,
                covers,
                commit,
                environment,
            },
        );
    (
        bench,
        metric(),
        verdict,
        gate,
        evidence(),
        caveats(),
        option::of(acceptance),
    )
        .prop_map(
            |(bench, metric, verdict, gate, evidence, caveats, acceptance)| Finding {
                bench,
                metric,
                verdict,
                gate,
                evidence,
                caveats,
                acceptance,
            },
        )
}

fn evidence() -> impl Strategy<Value = Evidence> {
    let methods = vec![
        Method::Exact,
        Method::Paired,
        Method::Historical,
        Method::Budget,
        Method::BaselineOnly,
    ];
    let change =
        (number(), number(), number()).prop_map(|(ratio, low, high)| Change { ratio, low, high });
    let tolerance =
        (number(), number()).prop_map(|(relative, floor)| Tolerance { relative, floor });
    let budget = (option::of(number()), option::of(number()));
    let tested = (
        option::of(0.0..=1.0),
        option::of(0.0..=1.0),
        option::of(number()),
        option::of((number(), number())),
        option::of(budget.prop_map(|(min, max)| Budget { min, max })),
    );
    (
        select(methods),
        option::of(summary()),
        option::of(summary()),
        option::of(change),
        tested,
        tolerance,
    )
        .prop_map(|(method, base, head, change, tested, tolerance)| {
            let (confidence, p_value, e_value, sight, budget) = tested;
            Evidence {
                base,
                head,
                change,
                confidence,
                p_value,
                e_value,
                noise: sight.map(|(noise, _)| noise),
                detectable: sight.map(|(_, detectable)| detectable),
                budget,
                ..Evidence::new(method, tolerance)
            }
        })
}

fn summary() -> impl Strategy<Value = Summary> {
    (number(), number(), number(), any::<usize>()).prop_map(|(center, low, high, count)| Summary {
        center,
        low,
        high,
        count,
    })
}
