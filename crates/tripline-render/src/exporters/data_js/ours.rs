//! The entries that runs of ours give, and the suites of such a history that they are in: one for each direction, because
//! that action takes the direction from the tool and knows one a suite; and what another machine measured is no value of
//! the same line. The environment that was first has the suite's own title.
//!
//! Tested by `tests/render/export`.

use std::collections::BTreeMap;

use tripline_model::few;
use tripline_model::{Better, EnvironmentName, Run, SuiteName};

use super::json::{list, object, quoted};
use super::{History, INDENTS, bench, commit, there};
use crate::{Export, escape};

/// What stands in the title of an entry between suite and environment, and behind both of what is better high.
const ON: &str = " on ";
const BIGGER: &str = " (bigger is better)";

/// Returns whether runs of a suite of ours are called so in such a history.
#[must_use]
pub fn is_title_of(title: &str, suite: &SuiteName) -> bool {
    let rest = title.strip_prefix(suite.as_str());
    let rest = rest.map(|rest| rest.strip_suffix(BIGGER).unwrap_or(rest));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(ON))
}

/// An entry that a run of ours gives.
struct Entry<'r> {
    run: &'r Run,
    direction: &'static Direction,
    text: String,
}

impl AsRef<str> for Entry<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// What an entry holds: the metrics that its tool takes so. What is better in no direction is in none, because there is no
/// such tool.
struct Direction {
    better: Better,
    tool: &'static str,
    title: &'static str,
}

static DIRECTIONS: [Direction; 2] = [
    Direction {
        better: Better::Lower,
        tool: "customSmallerIsBetter",
        title: "",
    },
    Direction {
        better: Better::Higher,
        tool: "customBiggerIsBetter",
        title: BIGGER,
    },
];

/// Adds the runs that do not stand there yet, and returns what is to be told of them.
pub(super) fn add(history: &mut History<'_>, told: &Export<'_>) -> Vec<String> {
    let mut runs: Vec<&Run> = told.runs.iter().collect();
    few::sort_by_key(&mut runs, |run| run.measured_at);
    let of_run = |run| {
        DIRECTIONS
            .iter()
            .filter_map(move |one| entry(told, run, one))
    };
    let mut entries: Vec<Entry<'_>> = runs.into_iter().flat_map(of_run).collect();
    let mut first = without_known(&mut entries, history);
    let mut notes = Vec::new();
    for Entry {
        run,
        direction,
        text,
    } in entries
    {
        let (suite, environment) = (&run.suite, &run.environment.name);
        let own = [suite.as_str(), ON, environment.as_str()].concat();
        let is_there = |title: &str| {
            let mut all = DIRECTIONS.iter();
            all.any(|one| history.has(&[title, one.title].concat()))
        };
        let is_first = !is_there(&own) && {
            let first = first.entry(suite).or_insert_with(|| {
                // A history of one machine goes on with it, and needs no word.
                let mut all = told.runs.iter().filter(|other| other.suite == *suite);
                let are_several = all.any(|other| other.environment.name != *environment);
                if is_there(suite.as_str()) && are_several {
                    notes.push(unsure(suite, environment));
                }
                environment
            });
            *first == environment
        };
        let title = if is_first { suite.as_str() } else { &own };
        history.add([title, direction.title].concat().into(), text);
    }
    notes
}

/// Takes the entries out that stand there already, in whichever suite, and returns the environment of those that have the
/// own title of theirs.
fn without_known<'r>(
    entries: &mut Vec<Entry<'r>>,
    history: &History<'_>,
) -> BTreeMap<&'r SuiteName, &'r EnvironmentName> {
    let mut first: BTreeMap<&SuiteName, &EnvironmentName> = BTreeMap::new();
    for (title, runs) in history.there() {
        let is_own = |entry: &&Entry<'r>| {
            let suite = title.strip_suffix(BIGGER).unwrap_or(title);
            entry.run.suite.as_str() == suite
        };
        let known = there::take_out(entries, runs, |entry| is_title_of(title, &entry.run.suite));
        for Entry { run, .. } in known.iter().filter(is_own) {
            first.entry(&run.suite).or_insert(&run.environment.name);
        }
    }
    first
}

/// Says that a run is added to a line of which nobody knows what it was measured on.
fn unsure(suite: &SuiteName, environment: &EnvironmentName) -> String {
    let [suite, environment] = [suite.as_str(), environment.as_str()].map(escape::visible);
    format!(
        "suite `{suite}` is there already, and does not say on which machine it was measured: the run of `{environment}` is added to it"
    )
}

/// Returns the entry of a direction; none where the run holds nothing of it.
fn entry<'r>(told: &Export<'_>, run: &'r Run, direction: &'static Direction) -> Option<Entry<'r>> {
    let readings = run.measurements().flat_map(|measurement| {
        let readings = measurement.readings();
        readings.map(move |reading| (measurement, reading))
    });
    let benches: Vec<String> = readings
        .filter(|(_, reading)| reading.metric.better == direction.better)
        .map(|(measurement, reading)| bench(measurement, reading))
        .collect();
    if benches.is_empty() {
        return None;
    }
    let text = object(
        INDENTS[2],
        &[
            ("commit", commit(told, run)),
            ("date", run.measured_at.as_millisecond().to_string()),
            ("tool", quoted(direction.tool)),
            ("benches", list(INDENTS[2] + 2, &benches)),
        ],
    );
    Some(Entry {
        run,
        direction,
        text,
    })
}
