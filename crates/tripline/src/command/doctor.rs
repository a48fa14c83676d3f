//! `tripline doctor`: says what is missing or does not fit, on this machine, in this clone and on GitHub, and what mends
//! it.
//!
//! One question a file, below `doctor/`; each gives findings and decides nothing else. Tested by `tests/it/doctor`.

mod baseline;
mod canary;
mod clone;
mod counters;
mod finding;
mod hub;
mod machine;
mod output;
mod programs;

use self::finding::Finding;
use super::checkout::Checkout;
use crate::cli::{Shared, Suites};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::talk;

pub(super) fn run(shared: &Shared, args: &Suites) -> Outcome<Exit> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites)?;
    let checkout = Checkout::find(project.root());
    let findings: Vec<Finding> = [
        programs::look(&project, &suites),
        counters::look(&project, &suites),
        clone::look(checkout.as_ref()),
        output::look(&project),
        baseline::look(&project, &suites)?,
        machine::look(),
        canary::look(&project).into_iter().collect(),
        hub::look(checkout.as_ref().ok()),
    ]
    .concat();
    let lines: String = findings.iter().map(Finding::lines).collect();
    talk::data(&talk::shown(&lines))?;
    Ok(if findings.iter().any(Finding::is_bad) {
        Exit::Broken
    } else {
        Exit::Pass
    })
}
