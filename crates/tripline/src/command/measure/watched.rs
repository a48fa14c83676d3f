//! Measures canaries: as they are, and with what is planted in them.
//!
//! Where equal sides are called different by weak evidence, which is wrong now and then by how it is made, what is timed is
//! measured once more, and the second answer counts, whatever it is. The first one stays in the run, for the tally.
//!
//! Tested by `tests/it/canary`.

use tripline_model::{Caveat, Measurement, Run};

use super::say_order;
use crate::command::trust::{self, Doubt};
use crate::error::Outcome;
use crate::measure::{Ground, Measured, Measuring, Trees};
use crate::suite::{Step, Suite};
use crate::talk;

/// Measures canaries. There is nothing where somebody interrupted.
pub(super) fn watched(
    measuring: &mut Measuring<'_>,
    trees: Option<&Trees>,
    canaries: &[Suite],
) -> Outcome<Option<Vec<Measured>>> {
    let mut watched = Vec::with_capacity(canaries.len());
    for suite in canaries {
        let features = suite
            .canary
            .as_ref()
            .map_or(&[][..], |canary| &canary.features);
        let ground = Ground::Features(measuring.project, trees, features);
        let Some(first) = once(measuring, &ground, suite)? else {
            return Ok(None);
        };
        let doubts = trust::doubts(measuring.project, suite, &first);
        match believed(measuring, &ground, suite, first, &doubts)? {
            Some(canary) => watched.push(canary),
            None => return Ok(None),
        }
    }
    Ok(Some(watched))
}

fn once(
    measuring: &mut Measuring<'_>,
    ground: &Ground<'_>,
    suite: &Suite,
) -> Outcome<Option<Measured>> {
    let measured = measuring.session(ground, std::slice::from_ref(suite))?;
    Ok(measured.and_then(|mut one| one.pop()))
}

/// Measures again what is doubted, and takes that in its place.
fn believed(
    measuring: &mut Measuring<'_>,
    ground: &Ground<'_>,
    suite: &Suite,
    mut first: Measured,
    doubts: &[Doubt],
) -> Outcome<Option<Measured>> {
    let timed = suite.with_only(Step::goes_by_rounds);
    let Some(timed) = timed.filter(|_| !doubts.is_empty()) else {
        return Ok(Some(first));
    };
    for doubt in doubts {
        let what = &doubt.told;
        talk::say(&format!(
            "note: by weak evidence the canary calls equal sides different, and is measured again: {what}"
        ));
    }
    // Another order: what came of the first one by chance is not to come again.
    let seed = measuring.seed;
    measuring.seed = seed.wrapping_add(1);
    say_order(measuring.seed);
    let again = once(measuring, ground, &timed)?;
    measuring.seed = seed;
    let Some(again) = again else {
        return Ok(None);
    };
    for doubt in doubts {
        if !renew(&mut first, &again, doubt) {
            let (bench, metric) = (&doubt.bench, &doubt.metric);
            talk::say(&format!(
                "note: the second time gave no {metric} of {bench} beside one another: the first answer stands"
            ));
        }
    }
    // Half an answer is none, and why it is half belongs to what is judged.
    first.head.failures.extend(again.head.failures);
    Ok(Some(first))
}

/// Takes one metric of a benchmark as it was measured later, of both sides or of neither: of two sessions nothing was taken
/// side by side. Returns whether it was there.
fn renew(first: &mut Measured, again: &Measured, doubt: &Doubt) -> bool {
    let (Some(base), Some(later)) = (&first.base, &again.base) else {
        return false;
    };
    let both = (
        renewed(base, later, doubt),
        renewed(&first.head, &again.head, doubt),
    );
    let (Some(base), Some(head)) = both else {
        return false;
    };
    *first = Measured {
        base: Some(base),
        head,
    };
    true
}

/// Returns a run with one metric as it was measured later in rounds; nothing where it was not, or is of other work.
fn renewed(run: &Run, later: &Run, doubt: &Doubt) -> Option<Run> {
    let measured = later.measurement(&doubt.bench)?;
    let reading = measured.reading(&doubt.metric)?.clone();
    reading.sample.rounds()?;
    let said = run.measurement(&doubt.bench)?.caveats();
    let caveats = measured.caveats().iter().filter(|it| !said.contains(it));
    let mut caveats: Vec<Caveat> = caveats.cloned().collect();
    caveats.push(Caveat::MeasuredAgain {
        metric: doubt.metric.clone(),
        change: doubt.change,
    });
    let answer = measured.answer().cloned();
    let measured = Measurement::new(doubt.bench.clone(), [reading], answer, caveats).ok()?;
    let mut run = run.clone();
    run.renew(measured).ok()?;
    Some(run)
}
