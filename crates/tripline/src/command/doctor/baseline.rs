//! Whether counts taken here can be compared with what is kept.

use tripline_model::{Caveat, FactDifference, Nature};

use super::finding::Finding;
use crate::baselines;
use crate::error::Outcome;
use crate::measure;
use crate::project::Project;
use crate::suite::Suite;

/// The fact that is seen only while benches are built, which is too long a wait for a look at the machine.
const KNOWN_ONCE_BUILT: &str = "built_with";

pub(super) fn look(project: &Project, suites: &[Suite]) -> Outcome<Vec<Finding>> {
    suites
        .iter()
        .map(|suite| of_suite(project, suite))
        .collect()
}

fn of_suite(project: &Project, suite: &Suite) -> Outcome<Finding> {
    let name = &suite.name;
    let environment = measure::detect(project.root(), Some(suite))?;
    let here = baselines::place_of(project, name, &environment.name);
    if !here.exists() {
        let there = baselines::of_suite(project, name)?.len();
        return Ok(Finding::note(
            format!(
                "{name}: no baseline for `{}` ({there} for other environments)",
                environment.name
            ),
            "`tripline measure` and `tripline baseline update` keep one",
        ));
    }
    let base = baselines::load_run(&here)?;
    let differences = base
        .environment
        .differences_that_matter(&environment, Nature::Exact);
    let differences: Vec<FactDifference> = differences
        .into_iter()
        .filter(|difference| difference.fact.as_str() != KNOWN_ONCE_BUILT)
        .collect();
    if differences.is_empty() {
        return Ok(Finding::good(format!(
            "{name}: the baseline's environment is this one"
        )));
    }
    Ok(Finding::note(
        format!("{name}: counts here cannot be compared with the baseline"),
        Caveat::EnvironmentDiffers(differences).text(),
    ))
}
