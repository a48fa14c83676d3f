//! Whether it was the environment that moved, and not the code.
//!
//! A change of code moves some benchmarks; a change of compiler, setting or machine moves most, the same way. Against a
//! kept run nobody can tell which of these it was, so nothing is called better or worse then. Side by side on one machine
//! a compiler's flag that slows everything is a regression, so only controls that moved as well, and that both sides built
//! alike, take anything back.
//!
//! Tested below, and by the tables of known answers in `tests/judge`.

use tripline_model::{Caveat, Gate, Method, Nature};

use crate::case::Case;
use crate::controls::is_control;
use crate::judgement::{Judged, Judgement, Movement};
use crate::stats::median;

/// From how many benchmarks on most of them say something.
const BENCHES_MIN: usize = 5;

/// The share of benchmarks that must move the same way.
const SHARE: f64 = 0.6;

/// How many times its noise the middle one must move.
const NOISES: f64 = 2.0;

/// What is known to have moved beside the code.
pub(crate) struct Shift {
    controls: Option<Caveat>,
    most: Option<Caveat>,
}

impl Shift {
    /// Looks at all that was judged, and at how far controls moved that were measured beside it.
    pub(crate) fn of(cases: &[Case<'_>], judged: &[Judged], controls: Option<f64>) -> Self {
        let all: Vec<(&Case<'_>, &Judged)> = cases.iter().zip(judged).collect();
        // Several readings of one benchmark are no independent witnesses, so the first one speaks for it.
        let movements: Vec<Movement> = all
            .chunk_by(|(one, _), (other, _)| one.bench.id == other.bench.id)
            .filter(|bench| !is_control(bench[0].0.bench.id))
            .filter_map(|bench| bench.iter().find_map(|(_, judged)| judged.movement))
            .collect();
        Self {
            controls: controls.map(|change| Caveat::ControlsMoved { change }),
            most: most_moved(&movements),
        }
    }

    /// Takes a judgement back that may be the environment's.
    pub(crate) fn take_back(&self, case: &Case<'_>, judgement: &mut Judgement) {
        if !judgement.takes_sides() || case.metric().nature == Nature::Exact {
            return;
        }
        let most = self
            .most
            .as_ref()
            .filter(|_| case.method == Method::BaselineOnly);
        if let Some(caveat) = self.controls.as_ref().or(most) {
            judgement.take_back(Gate::Pass);
            judgement.caveats.push(caveat.clone());
        }
    }

    /// Returns what is said of the whole.
    pub(crate) fn caveats(self) -> impl Iterator<Item = Caveat> {
        self.controls.into_iter().chain(self.most)
    }
}

/// Returns the caveat that most benchmarks moved the same way, given the movement of each, if they did.
fn most_moved(movements: &[Movement]) -> Option<Caveat> {
    let count = movements.len() as f64;
    let share = |is_so: &dyn Fn(&Movement) -> bool| {
        movements.iter().filter(|movement| is_so(movement)).count() as f64 / count
    };
    let worse = share(&|movement| movement.worse > movement.noise);
    let better = share(&|movement| -movement.worse > movement.noise);
    let beyond: Vec<f64> = movements
        .iter()
        .map(|movement| movement.worse.abs() - NOISES * movement.noise)
        .collect();
    let changes: Vec<f64> = movements.iter().map(|movement| movement.worse).collect();
    let change = median(&changes)?.exp_m1();
    let have_moved = movements.len() >= BENCHES_MIN
        && worse.max(better) > SHARE
        && median(&beyond)? > 0.0
        && change.is_finite();
    have_moved.then_some(Caveat::MostMoved {
        share: worse.max(better),
        change,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(worse: &[f64]) -> Option<Caveat> {
        let movements: Vec<Movement> = worse
            .iter()
            .map(|worse| Movement {
                worse: *worse,
                noise: 0.01,
            })
            .collect();
        most_moved(&movements)
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
