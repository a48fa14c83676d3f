//! How much change is allowed where nobody asked for another: one table, each row with its reason.
//!
//! *Note:* nature comes before name. A count that was sampled instead of counted is as noisy as a time, whatever it is
//! called, and would fail every second run under a count's rule.
//!
//! Tested below: every row has sane numbers, and a metric of the model's table it applies to.

use tripline_model::{
    ESTIMATE, EXPLAINING_COUNTS, EXPLAINING_TIMES, Method, Metric, Nature, Tolerance,
};

use super::{NEVER, Rule};

/// One row of the table.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) metrics: &'static [&'static str],
    pub(super) rule: Rule,
    pub(super) reason: &'static str,
}

/// The exact metrics that have a rule of their own, those that a counted benchmark has dozens of first: each is looked up.
const ROWS: &[Row] = &[
    Row {
        metrics: &["instructions"],
        rule: rule((0.001, 0.0), 0.002, 0.01),
        reason: "a changed link order moves a few instructions in half a million, which the tolerance covers, so a share is told of a small benchmark too; what is left is the code's own work",
    },
    Row {
        metrics: &[ESTIMATE],
        rule: rule((0.005, 300.0), 0.02, NEVER),
        reason: "the simulated caches feel the layout of the binary, which every change moves; it may warn and not fail",
    },
    Row {
        metrics: EXPLAINING_COUNTS,
        rule: rule((0.01, 100.0), NEVER, NEVER),
        reason: "they explain a change of instructions or cycles and would only say it again",
    },
    Row {
        metrics: &["allocations", "syncs"],
        rule: rule((0.0, 0.0), 0.0, 0.01),
        reason: "one more is a decision somebody made, so it is said however small its share",
    },
    Row {
        metrics: &["allocated_bytes", "heap_peak", "heap_held"],
        rule: rule((0.001, 0.0), 0.002, 0.01),
        reason: "a message or a path of another length moves a few bytes in thousands, which the tolerance covers, so a share is told of a small heap too",
    },
    Row {
        metrics: &["system_calls"],
        rule: rule((0.02, 0.0), 0.02, 0.05),
        reason: "one thread makes the same calls each time; where threads wait for each other, one percent of them is luck",
    },
    Row {
        metrics: &["futex_calls"],
        rule: rule((0.10, 16.0), 0.10, NEVER),
        reason: "whether a lock is taken is the scheduler's luck: one program made one to eight of them in six runs; it may warn, and calls in all may fail",
    },
    Row {
        metrics: &[
            "simulated_time",
            "datagrams",
            "acknowledgements",
            "retransmissions",
            "sends",
            "receives",
        ],
        rule: rule((0.001, 0.0), 0.002, 0.01),
        reason: "a simulation has a clock and a link of its own, so that nothing but the code moves what it counts",
    },
];

/// The rule of exact metrics that are not in the table.
const OTHER_EXACT: Row = Row {
    metrics: &[],
    rule: rule((0.001, 0.0), 0.002, 0.01),
    reason: "an exact count has no noise; without knowing what it counts, no absolute change is harmless",
};

/// The rule of what is not counted, where base and head were measured side by side.
const PAIRED: Row = Row {
    metrics: &[],
    rule: rule((0.02, 0.0), 0.02, 0.02),
    reason: "two percent is the smallest change that thirty pairs show on a shared machine, and what they show is real",
};

/// The rule of what the kernel splits by its ticks, where base and head were measured side by side.
const SPLIT: Row = Row {
    metrics: EXPLAINING_TIMES,
    rule: rule((0.02, 0.0), NEVER, NEVER),
    reason: "the kernel knows the sum and splits it by ticks of milliseconds, so short programs get all or nothing; the sum is judged",
};

/// The rule of what is not counted, where it is held against the commits before.
const HISTORICAL: Row = Row {
    metrics: &[],
    rule: rule((0.05, 0.0), NEVER, NEVER),
    reason: "one value beyond what its history scatters is a hint and no proof: the next commits tell",
};

/// The rule of what is not counted, where the base is a kept run.
const STORED: Row = Row {
    metrics: &[],
    rule: rule((0.25, 0.0), NEVER, NEVER),
    reason: "a stored time is good to 20 to 50 % on shared machines, which was measured; so it is shown and never gates",
};

const fn rule((relative, floor): (f64, f64), warn_from: f64, fail_from: f64) -> Rule {
    Rule {
        tolerance: Tolerance { relative, floor },
        warn_from,
        fail_from,
    }
}

/// What stands in a metric's name between what is divided and what it is divided by.
const PER: &str = "_per_";

/// Returns the rule of a metric that is judged by a method.
///
/// What is divided by the units of work goes by the rule of the whole, which is the same count. A floor is about the whole
/// and would hide any change of a quotient, so it gets none; and so that it does not fail where the whole is below its
/// floor, it only tells, and the whole gates.
pub(super) fn rule_of(metric: &Metric, method: Method) -> Rule {
    let (row, share) = look_up(metric, method);
    let mut rule = row.rule;
    if share == Share::ByUnit && rule.tolerance.floor > 0.0 {
        rule.tolerance.floor = 0.0;
        (rule.warn_from, rule.fail_from) = (NEVER, NEVER);
    }
    rule
}

/// Returns the row of a metric that is judged by a method.
pub(super) fn row(metric: &Metric, method: Method) -> &'static Row {
    look_up(metric, method).0
}

/// Whether a metric is what its row names, or that divided by the units of work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    Whole,
    ByUnit,
}

fn look_up(metric: &Metric, method: Method) -> (&'static Row, Share) {
    let of = |name: &str| ROWS.iter().find(|row| row.metrics.contains(&name));
    let name = metric.name.as_str();
    let row = match (metric.nature, method) {
        (Nature::Exact, _) => {
            return of(name)
                .map(|row| (row, Share::Whole))
                .or_else(|| Some((of(name.split_once(PER)?.0)?, Share::ByUnit)))
                .unwrap_or((&OTHER_EXACT, Share::Whole));
        }
        (_, Method::Paired) if SPLIT.metrics.contains(&name) => &SPLIT,
        (_, Method::Paired) => &PAIRED,
        (_, Method::Historical) => &HISTORICAL,
        _ => &STORED,
    };
    (row, Share::Whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tripline_model::{KNOWN_METRICS, MetricName};

    #[test]
    fn rows_have_reasons_and_sane_numbers() {
        for row in ROWS
            .iter()
            .chain([&OTHER_EXACT, &PAIRED, &SPLIT, &HISTORICAL, &STORED])
        {
            let Rule {
                tolerance,
                warn_from,
                fail_from,
            } = row.rule;
            assert!(!row.reason.is_empty());
            assert!(tolerance.relative >= 0.0 && tolerance.floor >= 0.0);
            // A gate below the tolerance would never be reached, and a failure comes after a warning.
            assert!(tolerance.relative <= warn_from && warn_from <= fail_from);
        }
    }

    #[test]
    fn every_name_of_the_table_is_a_known_exact_metric_and_stands_once() {
        let names: Vec<&str> = ROWS.iter().flat_map(|row| row.metrics).copied().collect();
        for name in &names {
            let metric = Metric::known(name).expect("the policy names a metric the model knows");
            assert_eq!(metric.nature, Nature::Exact, "{name}");
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1);
        }
    }

    #[test]
    fn every_known_exact_metric_has_a_row_of_its_own() {
        for known in KNOWN_METRICS {
            let metric = Metric::known(known.name).unwrap();
            let row = row(&metric, Method::Exact);
            assert_eq!(row.metrics.is_empty(), metric.nature != Nature::Exact);
        }
    }

    #[test]
    fn what_is_divided_by_the_units_of_work_goes_by_the_rule_of_the_whole() {
        for known in KNOWN_METRICS {
            let whole = Metric::known(known.name).unwrap();
            let name = format!("{}_per_port", known.name);
            let by_unit = Metric {
                name: MetricName::new(name).unwrap(),
                ..whole.clone()
            };
            let of_unit = rule_of(&by_unit, Method::Exact);
            let of_whole = rule_of(&whole, Method::Exact);
            let (warn_from, fail_from) = if of_whole.tolerance.floor > 0.0 {
                (NEVER, NEVER)
            } else {
                (of_whole.warn_from, of_whole.fail_from)
            };
            let expected = rule((of_whole.tolerance.relative, 0.0), warn_from, fail_from);
            assert_eq!(of_unit, expected, "{}", known.name);
        }
    }

    #[test]
    fn nature_comes_before_name_and_the_method_decides_for_what_is_noisy() {
        let instructions = Metric::known("instructions").unwrap();
        assert_eq!(row(&instructions, Method::Exact).rule.fail_from, 0.01);
        let sampled = Metric {
            nature: Nature::Sampled,
            ..instructions
        };
        assert_eq!(row(&sampled, Method::BaselineOnly).reason, STORED.reason);
        assert_eq!(row(&sampled, Method::Historical).reason, HISTORICAL.reason);
        assert_eq!(row(&sampled, Method::Paired).reason, PAIRED.reason);
    }

    #[test]
    fn parts_of_the_processors_time_explain_the_sum_and_gate_nothing() {
        let fails_from = |name| {
            row(&Metric::known(name).unwrap(), Method::Paired)
                .rule
                .fail_from
        };
        let all = ["cpu_time", "user_time", "system_time"].map(fails_from);
        assert_eq!(all, [0.02, NEVER, NEVER]);
    }
}
