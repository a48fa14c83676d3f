//! Whether it was the environment that moved, and not the code.
//!
//! A change of code moves some benchmarks; a change of compiler, setting or machine moves most, the same way. Against a
//! kept run or a history nobody can tell which of these it was, so nothing is called better or worse then, but what went
//! another way than most did over their history. Side by side on one machine a compiler's flag that slows everything is a
//! regression, so only controls that moved as well, and that both sides built alike, take anything back.
//!
//! Tested below, and by the tables of known answers in `tests/judge`.

use tripline_model::{Better, Caveat, Gate, Method, Nature};

use crate::case::Case;
use crate::controls::is_control;
use crate::judgement::{Judged, Movement};
use crate::stats::median;

/// From how many benchmarks on most of them say something.
const BENCHES_MIN: usize = 5;

/// The share of benchmarks that must move the same way.
const SHARE: f64 = 0.6;

/// How many times its noise the middle one must move.
const NOISES: f64 = 2.0;

/// The methods that tell noise from change.
const NOISY: [Method; 3] = [Method::Paired, Method::Historical, Method::BaselineOnly];

/// What is known to have moved beside the code.
pub(crate) struct Shift {
    controls: Option<Caveat>,
    /// What moved most of those that are judged by one method: another one holds them against another machine.
    most: Vec<(Method, Most)>,
}

/// That most benchmarks moved the same way.
struct Most {
    is_worse: bool,
    caveat: Caveat,
}

impl Shift {
    /// Looks at all that was judged, and at how far controls moved that were measured beside it.
    pub(crate) fn of(cases: &[Case<'_>], judged: &[Judged], controls: Option<f64>) -> Self {
        let all: Vec<(&Case<'_>, &Judged)> = cases.iter().zip(judged).collect();
        let mut votes = NOISY.map(|method| (method, Vec::new()));
        for bench in all.chunk_by(|(one, _), (other, _)| one.bench.id == other.bench.id) {
            if is_control(bench[0].0.bench.id) {
                continue;
            }
            // Several readings of one benchmark are no independent witnesses, so the first one speaks for it.
            let mut is_heard = [false; NOISY.len()];
            for (case, judged) in bench {
                let Some(movement) = judged.movement else {
                    continue;
                };
                let slots = votes.iter_mut().zip(&mut is_heard);
                let slot = slots.into_iter().find(|((of, _), _)| *of == case.method);
                if let Some(((_, movements), is_heard)) = slot
                    && !std::mem::replace(is_heard, true)
                {
                    movements.push((movement, case.metric().better));
                }
            }
        }
        let most = |(method, movements): (Method, Vec<_>)| Some((method, most_moved(&movements)?));
        Self {
            controls: controls.map(|change| Caveat::ControlsMoved { change }),
            most: votes.into_iter().filter_map(most).collect(),
        }
    }

    /// Takes a judgement back that may be the environment's.
    pub(crate) fn take_back(&self, case: &Case<'_>, judged: &mut Judged) {
        let is_exact = case.metric().nature == Nature::Exact;
        if !judged.judgement.takes_sides() || is_exact {
            return;
        }
        let most = self.most_of(case.method, judged.movement);
        if let Some(caveat) = self.controls.as_ref().or(most) {
            judged.judgement.take_back(Gate::Pass);
            judged.judgement.caveats.push(caveat.clone());
        }
    }

    /// Returns what a movement may be a part of. A kept run of another machine says nothing of a single benchmark; but what
    /// went the other way than its machine's history did so by itself.
    fn most_of(&self, method: Method, movement: Option<Movement>) -> Option<&Caveat> {
        let (_, most) = self.most.iter().find(|(of, _)| *of == method)?;
        let goes_along = movement.is_some_and(|it| (it.worse > 0.0) == most.is_worse);
        let is_part = match method {
            Method::Historical => goes_along,
            _ => method != Method::Paired,
        };
        is_part.then_some(&most.caveat)
    }

    /// Returns what is said of the whole.
    pub(crate) fn caveats(self) -> impl Iterator<Item = Caveat> {
        let most = self.most.into_iter().map(|(_, most)| most.caveat);
        self.controls.into_iter().chain(most)
    }
}

/// Returns that most benchmarks moved the same way, given the movement of each and which direction is the better one there,
/// if they did.
fn most_moved(movements: &[(Movement, Better)]) -> Option<Most> {
    let count = movements.len() as f64;
    let share = |is_so: &dyn Fn(&Movement) -> bool| {
        movements.iter().filter(|(it, _)| is_so(it)).count() as f64 / count
    };
    let worse = share(&|movement| movement.worse > movement.noise);
    let better = share(&|movement| -movement.worse > movement.noise);
    let is_worse = worse > better;
    let beyond: Vec<f64> = movements
        .iter()
        .map(|(movement, _)| movement.worse.abs() - NOISES * movement.noise)
        .collect();
    let is_same_way = |(it, _): &&(Movement, Better)| (it.worse > 0.0) == is_worse;
    let same_way: Vec<_> = movements.iter().filter(is_same_way).copied().collect();
    let change = middle_change(&same_way)?;
    let have_moved = movements.len() >= BENCHES_MIN
        && worse.max(better) > SHARE
        && median(&beyond)? > 0.0
        && change.is_finite();
    let share = worse.max(better);
    have_moved.then_some(Most {
        is_worse,
        caveat: Caveat::MostMoved { share, change },
    })
}

/// Returns the change from base to head in the middle of those that moved one way. Times and rates have no middle in common:
/// it is that of the more frequent ones.
fn middle_change(movements: &[(Movement, Better)]) -> Option<f64> {
    let of = |is_higher: bool| {
        let own = movements
            .iter()
            .filter(|(_, better)| (*better == Better::Higher) == is_higher);
        own.map(|(movement, _)| movement.worse)
            .collect::<Vec<f64>>()
    };
    let (rates, times) = (of(true), of(false));
    let ln_ratio = match rates.len() > times.len() {
        true => -median(&rates)?,
        false => median(&times)?,
    };
    Some(ln_ratio.exp_m1())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(worse: &[f64]) -> Option<Caveat> {
        moved_where(worse, &[Better::Lower])
    }

    /// The directions are taken in turn.
    fn moved_where(worse: &[f64], better: &[Better]) -> Option<Caveat> {
        let movement = |worse: &f64| Movement {
            worse: *worse,
            noise: 0.01,
        };
        let movements = worse.iter().map(movement);
        let movements: Vec<_> = movements.zip(better.iter().copied().cycle()).collect();
        most_moved(&movements).map(|most| most.caveat)
    }

    #[test]
    fn the_change_that_is_told_is_that_of_the_numbers() {
        let change = |worse: f64, better: &[Better]| {
            let Some(Caveat::MostMoved { change, .. }) = moved_where(&[worse; 9], better) else {
                return None;
            };
            Some((change * 1000.0).round() / 1000.0)
        };
        let (lower, higher) = (Better::Lower, Better::Higher);
        let quarter = 1.25_f64.ln();
        assert_eq!(change(quarter, &[lower]), Some(0.25));
        assert_eq!(change(-quarter, &[lower]), Some(-0.2));
        assert_eq!(change(quarter, &[higher]), Some(-0.2));
        assert_eq!(change(-quarter, &[higher]), Some(0.25));
        assert_eq!(change(quarter, &[lower, higher]), Some(0.25));
        assert_eq!(change(quarter, &[higher, lower]), Some(-0.2));
        // What moved the other way is no part of it.
        let slower = -(1.0_f64 / 0.83).ln();
        let mixed = [0.2, 0.2, -0.05, -0.05, -0.05].map(f64::ln_1p);
        let movements = [&mixed[..], &[-slower; 4]].concat();
        let directions = [
            lower, lower, lower, lower, lower, higher, higher, higher, higher,
        ];
        let Some(Caveat::MostMoved { change, .. }) = moved_where(&movements, &directions) else {
            unreachable!("six of nine are worse");
        };
        assert!((change + 0.17).abs() < 1e-3, "{change}");
    }

    #[test]
    fn most_must_move_the_same_way_and_by_more_than_noise() {
        let caveat = Some(Caveat::MostMoved {
            share: 0.8,
            change: 0.03_f64.exp_m1(),
        });
        assert_eq!(moved(&[0.03, 0.03, 0.03, 0.0, 0.04]), caveat);
        for too_little in [
            // Four are too few to be most.
            &[0.03; 4][..],
            // Less than twice the noise.
            &[0.015; 9],
            // Not the same way.
            &[0.03, -0.03, 0.03, -0.03, 0.03],
            // Half of them.
            &[0.03, 0.03, 0.03, 0.0, 0.0, 0.0],
            &[],
            &[f64::NAN; 9],
            &[1_000.0; 9],
        ] {
            assert_eq!(moved(too_little), None, "{too_little:?}");
        }
    }
}
