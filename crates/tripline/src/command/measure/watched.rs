//! Measures canaries: as they are, and with what is planted in them.
//!
//! Where equal sides are called different by weak evidence, which is wrong now and then by how it is made, what is timed is
//! measured once more, and the second answer counts, whatever it is. The first one stays in the run, for the tally.
//!
//! Tested by `tests/it/canary`.

use tripline_model::{Caveat, Measurement, Run};

use crate::command::trust::{self, Doubt};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
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
        let doubts = trust::doubts(measuring.project, suite, &first)?;
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
    let again = once(measuring, ground, &timed)?;
    measuring.seed = seed;
    let Some(again) = again else {
        return Ok(None);
    };
    for doubt in doubts {
        if let (Some(base), Some(later)) = (&mut first.base, &again.base) {
            renew(base, later, doubt)?;
        }
        renew(&mut first.head, &again.head, doubt)?;
    }
    Ok(Some(first))
}

/// Takes one metric of a benchmark as it was measured later. What gave nothing that time stays as it was.
fn renew(run: &mut Run, later: &Run, doubt: &Doubt) -> Outcome<()> {
    let measured = later.measurement(&doubt.bench);
    let reading = measured.and_then(|later| later.reading(&doubt.metric));
    let (Some(measured), Some(reading)) = (measured, reading) else {
        return Ok(());
    };
    let mut caveats = measured.caveats().to_vec();
    caveats.push(Caveat::MeasuredAgain {
        metric: doubt.metric.clone(),
        change: doubt.change,
    });
    let renewed = Measurement::new(
        doubt.bench.clone(),
        [reading.clone()],
        measured.answer().cloned(),
        caveats,
    );
    let told = renewed.map_err(tripline_model::RunError::from);
    told.and_then(|renewed| run.renew(renewed))
        .map_err(|error| {
            CommandError::new(
                Exit::BadInput,
                "nothing was judged: a canary measured twice is not the same twice",
            )
            .because(error)
        })
}
