//! What changed: which changes are told together, what stands for many, and in which order.
//!
//! One commit moves many metrics of many benchmarks. What it did to one benchmark in one environment is one *event*, told
//! by its most telling metric, with the others beside it; the events of one commit stand together, newest commit first, and
//! within it what got worse before what got better, largest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tripline_model::few;
use tripline_model::{Acceptance, Nature};

use crate::figures::Effect;
use crate::scope::{Bench, Scope};
use crate::trends::{Change, Line, Status};

/// How far a level may lie beyond what was accepted and still be that, as a share.
const ACCEPTED_WITHIN: f64 = 0.005;

/// A change with the line it is of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved<'t> {
    /// The line.
    pub(crate) line: &'t Line,
    /// The change.
    pub(crate) change: &'t Change,
}

/// What became of a change, with what people said of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Standing<'t> {
    /// There are few values since.
    Pending,
    /// It lasted, so far.
    Confirmed,
    /// Somebody took it on purpose.
    Accepted(&'t Acceptance),
    /// It was undone later.
    Reverted,
}

impl Standing<'_> {
    /// Returns the word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Confirmed => "confirmed",
            Self::Accepted(_) => "accepted",
            Self::Reverted => "reverted",
        }
    }

    /// Returns what it means.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Pending => "fewer than five values since: it may go away",
            Self::Confirmed => "it lasted, so far",
            Self::Accepted(_) => "somebody took it on purpose",
            Self::Reverted => "a later change undid most of it",
        }
    }
}

impl<'t> Moved<'t> {
    /// Returns whether it is for the better.
    pub(crate) fn effect(&self) -> Effect {
        Effect::of(self.change, self.line.series.metric.better)
    }

    /// Returns what became of it.
    pub(crate) fn standing(&self) -> Standing<'t> {
        match (self.change.status, &self.line.acceptance) {
            (Status::Reverted, _) => Standing::Reverted,
            (_, Some(acceptance)) if self.is_taken(acceptance) => Standing::Accepted(acceptance),
            (Status::Pending, _) => Standing::Pending,
            (Status::Confirmed, _) => Standing::Confirmed,
        }
    }

    /// Returns whether the change led to the value that was accepted, or less far. What is no count comes from another machine
    /// and hour than what was accepted: of it the ratio is compared, as the judge does.
    fn is_taken(&self, acceptance: &Acceptance) -> bool {
        if self.effect() != Effect::Worse || !acceptance.covers.change() {
            return false;
        }
        let is_count = self.line.series.metric.nature == Nature::Exact;
        let values = [
            acceptance.from,
            acceptance.to,
            self.change.before,
            self.change.after,
        ];
        if !is_count && values.iter().all(|value| *value > 0.0) {
            return self.is_taken_by_ratio(acceptance);
        }
        let (from, to) = (acceptance.from, acceptance.to);
        let same_way = (to > from) == (self.change.after > self.change.before);
        let reach = (to * ACCEPTED_WITHIN).abs();
        let within = match to > from {
            true => self.change.after <= to + reach && self.change.after > from,
            false => self.change.after >= to - reach && self.change.after < from,
        };
        same_way && within
    }

    fn is_taken_by_ratio(&self, acceptance: &Acceptance) -> bool {
        let ln = |from: f64, to: f64| (to / from).ln();
        let Acceptance { from, to, .. } = *acceptance;
        let (accepted, moved) = (ln(from, to), ln(self.change.before, self.change.after));
        let is_within = moved.abs() <= accepted.abs() + self.line.accepted_within.ln_1p();
        // It begins where the one that was accepted did: no machine is further off than that change was large. A level that
        // has come to what was accepted already holds that change, and this is another one.
        let off = ln(from, self.change.before).abs();
        let is_before = off <= accepted.abs() && off < ln(to, self.change.before).abs();
        is_within && is_before && (accepted > 0.0) == (moved > 0.0)
    }

    /// Returns the place of the commit that is most likely to have done it.
    pub(crate) fn place(&self) -> usize {
        self.line.points[self.change.at].place
    }

    /// Returns the commits that may have done it: the last one that surely had not, and the last one that may have.
    pub(crate) fn suspects(&self) -> (Option<usize>, usize) {
        let place = |at: usize| self.line.points[at].place;
        let first = *self.change.range.start();
        let innocent = first.checked_sub(1).map(place);
        (innocent, place(*self.change.range.end()))
    }

    /// Returns how large it is, wherever it went: a doubling counts as much as a halving.
    fn size(&self) -> f64 {
        let size = (1.0 + self.change.shift).abs().ln().abs();
        if size.is_nan() { f64::INFINITY } else { size }
    }
}

/// What happened to one benchmark in one environment at one commit.
#[derive(Debug)]
pub(crate) struct Event<'s, 't> {
    /// The benchmark.
    pub(crate) bench: &'s Bench<'t>,
    /// The change that is told.
    pub(crate) main: Moved<'t>,
    /// Those of other metrics.
    pub(crate) others: Vec<Moved<'t>>,
}

/// What happened at one commit.
#[derive(Debug)]
pub(crate) struct Chapter<'s, 't> {
    /// The place of the commit.
    pub(crate) place: usize,
    /// What happened, the most telling first.
    pub(crate) events: Vec<Event<'s, 't>>,
}

/// Returns all that happened, newest first.
pub(crate) fn chapters<'s, 't>(scope: &'s Scope<'t>) -> Vec<Chapter<'s, 't>> {
    let mut by_place: BTreeMap<Reverse<usize>, Vec<Event<'s, 't>>> = BTreeMap::new();
    for bench in &scope.benches {
        for (place, event) in events(bench) {
            by_place.entry(Reverse(place)).or_default().push(event);
        }
    }
    let chapters = by_place.into_iter().map(|(Reverse(place), mut events)| {
        few::sort_by(&mut events, |a, b| {
            let key = |event: &Event<'_, '_>| {
                (
                    event.main.change.status == Status::Reverted,
                    event.main.effect(),
                )
            };
            let by_size = b.main.size().total_cmp(&a.main.size());
            key(a).cmp(&key(b)).then(by_size)
        });
        Chapter { place, events }
    });
    chapters.collect()
}

/// Returns what happened to one benchmark, with the place of the commit.
fn events<'s, 't>(bench: &'s Bench<'t>) -> Vec<(usize, Event<'s, 't>)> {
    let mut together: BTreeMap<_, Vec<Moved<'t>>> = BTreeMap::new();
    for line in &bench.lines {
        for change in &line.changes {
            let moved = Moved { line, change };
            let key = (moved.place(), &line.environment);
            together.entry(key).or_default().push(moved);
        }
    }
    let told = together.into_iter().map(|((place, _), mut all)| {
        // The lines come most telling first; what got worse is told before what did not.
        few::sort_by_key(&mut all, Moved::effect);
        let main = all.remove(0);
        let others = all;
        (
            place,
            Event {
                bench,
                main,
                others,
            },
        )
    });
    told.collect()
}

/// Returns how interesting a benchmark is: newest change first, and the larger of two first.
pub(crate) fn interest(bench: &Bench<'_>) -> (Reverse<usize>, Reverse<u64>) {
    let changes = bench.lines.iter().flat_map(|line| {
        let of_line = line.changes.iter();
        of_line.map(move |change| Moved { line, change })
    });
    // Sizes are compared as whole thousandths, which have an order.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "what is beyond the range is the largest there is"
    )]
    let keys = changes.map(|moved| (moved.place() + 1, (moved.size() * 1_000.0) as u64));
    let (place, size) = keys.max().unwrap_or((0, 0));
    (Reverse(place), Reverse(size))
}

#[cfg(test)]
mod tests {
    use tripline_model::{BenchId, BenchName, Covers, EnvironmentName, Metric, Series, SuiteName};

    use super::*;

    #[test]
    fn a_time_is_accepted_by_its_ratio_and_once() {
        let bench = BenchId {
            suite: SuiteName::new("kv").unwrap(),
            name: BenchName::new("get").unwrap(),
            params: BTreeMap::new(),
        };
        let metric = Metric::known("wall_time").unwrap();
        let place = EnvironmentName::new("here").unwrap();
        let mut line = Line::of(Series { bench, metric }, place, Vec::new());
        line.accepted_within = 0.02;
        let acceptance = Acceptance {
            who: "ada".to_owned(),
            because: "meant".to_owned(),
            from: 999.1,
            to: 1_095.6,
            covers: Covers::Change,
            commit: None,
            environment: None,
        };
        for (before, after, expected) in [
            (998.1, 1_108.1, true),
            (1_020.0, 1_110.0, true),
            // It goes further, it is the next one, or it got better.
            (998.1, 1_130.0, false),
            (1_108.1, 1_200.0, false),
            (998.1, 900.0, false),
            // It begins elsewhere: years before, or after a gain.
            (800.0, 850.0, false),
        ] {
            let change = Change {
                at: 5,
                range: 5..=5,
                before,
                after,
                shift: after / before - 1.0,
                interval: None,
                status: Status::Confirmed,
            };
            let moved = Moved {
                line: &line,
                change: &change,
            };
            assert_eq!(moved.is_taken(&acceptance), expected, "{before} {after}");
            let of_a_limit = Acceptance {
                covers: Covers::Limit,
                ..acceptance.clone()
            };
            assert!(!moved.is_taken(&of_a_limit), "{before} {after}");
        }
    }
}
