//! How small a change a single run shows, given how much the values of each line scatter; and how small a one the pairs of a
//! session show, given how much these scattered in the sessions that are kept.
//!
//! The judge knows, who calls a single value better or worse by its history (`tripline_judge::Past`). Tested by `tests/it/site`.

use std::collections::BTreeMap;

use tripline_judge::trend::Trend;
use tripline_judge::{Past, Policy, detectable_in};
use tripline_model::{EnvironmentName, Method, Series, SuiteName};
use tripline_site::{Line, Pairs};

use crate::error::Outcome;
use crate::project::Project;
use crate::scatter::{self, Scatter};

/// Of how many pairs it is said what they show.
const PAIRS: [u32; 3] = [10, 20, 30];

/// Adds it to lines, each with what was found of its levels. What is measured together lends each other what it knows.
pub(super) fn add(
    project: Option<&Project>,
    lines: &mut [Line],
    found: &[Trend],
    sessions: &BTreeMap<scatter::Of<'_>, Scatter>,
) -> Outcome<()> {
    let mut together: BTreeMap<(SuiteName, EnvironmentName), Vec<usize>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let of = (line.series.bench.suite.clone(), line.environment.clone());
        together.entry(of).or_default().push(at);
    }
    for ((suite, _), places) in together {
        let policy = match project {
            Some(project) => crate::command::policy_of(project, &suite)?,
            None => Policy::standard(),
        };
        let past = past(lines, found, &places);
        let least = detectable(lines, &past, &policy, &places);
        for (at, least) in places.into_iter().zip(least) {
            lines[at].detectable = least;
            lines[at].pairs = pairs(&lines[at], &policy, sessions);
        }
    }
    Ok(())
}

/// Returns what the sessions of a line show that are kept.
fn pairs(
    line: &Line,
    policy: &Policy,
    sessions: &BTreeMap<scatter::Of<'_>, Scatter>,
) -> Option<Pairs> {
    let Series { bench, metric } = &line.series;
    let of = (bench, metric.name.as_str(), &line.environment);
    let Scatter { sigma, sessions } = *sessions.get(&of)?;
    let tolerance = policy.rule(bench, metric, Method::Paired).tolerance;
    let least = |pairs| Some((pairs, detectable_in(pairs, sigma, tolerance)?));
    Some(Pairs {
        noise: sigma,
        sessions,
        detectable: PAIRS.into_iter().filter_map(least).collect(),
    })
}

/// Returns what each of some lines shows, on all processors.
fn detectable(lines: &[Line], past: &Past, policy: &Policy, places: &[usize]) -> Vec<Option<f64>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = places.len().div_ceil(threads).max(1);
    let of = |at: &usize| {
        let series = &lines[*at].series;
        past.detectable(&series.bench, &series.metric, policy)
    };
    std::thread::scope(|scope| {
        let shares = places.chunks(share);
        let asking =
            shares.map(|some| scope.spawn(move || some.iter().map(of).collect::<Vec<_>>()));
        let asking: Vec<_> = asking.collect();
        let least = asking.into_iter().flat_map(|thread| {
            let least = thread.join();
            least.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        least.collect()
    })
}

fn past(lines: &[Line], found: &[Trend], places: &[usize]) -> Past {
    let values = places.iter().map(|at| {
        let points = lines[*at].points.iter();
        points.map(|placed| placed.point.center).collect()
    });
    let values: Vec<Vec<f64>> = values.collect();
    Past::of_found(places.iter().zip(&values).map(|(at, values)| {
        let series = &lines[*at].series;
        (
            &series.bench,
            &series.metric,
            values.as_slice(),
            &found[*at],
        )
    }))
}
