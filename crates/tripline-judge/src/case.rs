//! What is to be judged: one case for each metric of each benchmark of either side, and the method that judges it.
//!
//! Tested by `tests/judge`: each pair of benchmark and metric stands exactly once, in the order of the table.

use tripline_model::{Better, Measurement, Method, Metric, Nature, Reading, Run};

use crate::bench::Bench;
use crate::derived::Sides;
use crate::join::{Side, join};
use crate::paired::Question;
use crate::past::Past;
use crate::policy::{Policy, Rule};

/// One metric of one benchmark.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    pub(crate) bench: Bench<'a>,
    pub(crate) side: Side<&'a Reading>,
    pub(crate) rule: Rule,
    pub(crate) method: Method,
    /// What is asked of the pairs, where it is judged by them.
    pub(crate) question: Option<Question>,
    /// Whether it was to be judged by pairs, and there is none.
    pub(crate) lacks_pairs: bool,
}

/// Returns the cases of two runs, ordered by benchmark, then as the table of metrics ranks them.
pub(crate) fn all<'a>(sides: &'a Sides<'_>, policy: &Policy, past: Option<&Past>) -> Vec<Case<'a>> {
    let (base, head) = (sides.base(), sides.head());
    let is_one_session = base.is_some_and(|base| is_one_session(base, head));
    let base = base.into_iter().flat_map(Run::measurements);
    let benches = join(base, head.measurements(), |a, b| a.bench().cmp(b.bench()));
    let mut cases = Vec::new();
    for bench in benches.map(Bench::of) {
        cases.extend(of_bench(&bench).map(|side| {
            let bench = bench.or_apart(sides.apart(bench.id, &metric_of(&side).name), &side);
            Case::of(bench, side, (policy, past), is_one_session)
        }));
    }
    cases
}

/// Returns whether two runs were measured interleaved with one another.
pub(crate) fn is_one_session(base: &Run, head: &Run) -> bool {
    base.session.is_some() && base.session == head.session
}

/// Returns the readings of one benchmark, as the table of metrics ranks them.
fn of_bench<'a>(bench: &Bench<'a>) -> impl Iterator<Item = Side<&'a Reading>> + use<'a> {
    let base = bench.base.into_iter().flat_map(Measurement::readings);
    let head = bench.head.into_iter().flat_map(Measurement::readings);
    let sides = join(base, head, |a, b| a.metric.name.cmp(&b.metric.name));
    // The readings come ordered by name, and a stable sort keeps that among metrics of the same rank. Sorting before
    // there are cases moves a few pointers instead.
    let mut sides: Vec<_> = sides.map(|side| (metric_of(&side).rank(), side)).collect();
    sides.sort_by_key(|(rank, _)| *rank);
    sides.into_iter().map(|(_, side)| side)
}

impl<'a> Case<'a> {
    fn of(
        bench: Bench<'a>,
        side: Side<&'a Reading>,
        (policy, past): (&Policy, Option<&Past>),
        is_one_session: bool,
    ) -> Self {
        let metric = metric_of(&side);
        let pairs = match side {
            Side::Both(base, head)
                if is_one_session
                    && metric.nature != Nature::Exact
                    && base.metric == head.metric =>
            {
                base.sample.pairs(&head.sample)
            }
            _ => Vec::new(),
        };
        let has_past = past.is_some_and(|past| past.knows(bench.id, metric));
        let method = match metric.nature {
            Nature::Exact => Method::Exact,
            // What a harness made one number of is a value of its round like any other.
            Nature::Sampled | Nature::Summarized if !pairs.is_empty() => Method::Paired,
            Nature::Sampled | Nature::Summarized if has_past && !is_one_session => {
                Method::Historical
            }
            Nature::Sampled | Nature::Summarized => Method::BaselineOnly,
        };
        // What a harness made one number of may be a count, and needs no pairs to be the same on both sides.
        let may_differ = match side {
            Side::Both(base, head) => {
                let is_number = metric.nature == Nature::Summarized;
                !is_number || base.sample.values() != head.sample.values()
            }
            Side::Base(_) | Side::Head(_) => false,
        };
        let may_fail = policy
            .rule(bench.id, metric, Method::Paired)
            .fail_from
            .is_finite();
        let lacks_pairs = is_one_session
            && may_differ
            && metric.nature != Nature::Exact
            && pairs.is_empty()
            && may_fail;
        let rule = policy.rule(bench.id, metric, method);
        let question = (method == Method::Paired).then_some(Question {
            pairs,
            better: metric.better,
            rule,
        });
        Self {
            bench,
            side,
            rule,
            method,
            question,
            lacks_pairs,
        }
    }

    /// Returns the metric, as the head describes it where it has it.
    pub(crate) fn metric(&self) -> &'a Metric {
        metric_of(&self.side)
    }

    /// Returns whether it is compared with a kept run, and could be called better or worse.
    pub(crate) fn is_stored_hypothesis(&self) -> bool {
        let has_direction = self.metric().better != Better::Neither;
        let has_both = matches!(self.side, Side::Both(..));
        self.method == Method::BaselineOnly && has_direction && has_both
    }
}

fn metric_of<'a>(side: &Side<&'a Reading>) -> &'a Metric {
    match side {
        Side::Base(reading) | Side::Head(reading) | Side::Both(_, reading) => &reading.metric,
    }
}
