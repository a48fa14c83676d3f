//! `tripline judge`: judges a run against a base and writes a report.

use tripline_judge::Policy;
use tripline_model::wire;

use super::Against;
use crate::baselines;
use crate::cli::{Judge, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::files::Output;

pub(super) fn run(shared: &Shared, args: &Judge) -> Outcome<Exit> {
    let output = Output::open(&args.out)?;
    let head = baselines::load_run(&args.head)?;
    let project = super::project(shared);
    let (named, kept) = match (&args.base, &project) {
        (Some(path), _) => (Some(baselines::load_run(path)?), None),
        (None, Ok(project)) => (None, baselines::for_run(project, &head)?),
        (None, Err(_)) => (None, None),
    };
    let kept = kept.as_ref().map(|baseline| &baseline.run);
    let against = named.as_ref().map_or(Against::baseline(kept), Against::Run);
    let policy = match &project {
        Ok(project) => super::policy_of(project, &head.suite)?,
        Err(_) => Policy::standard(),
    };
    let project = match project {
        Ok(project) => Some(project),
        // Two runs can be judged anywhere; without a base there must be a project to look for one in.
        Err(_) if named.is_some() => None,
        Err(error) => return Err(error),
    };
    let report = super::judged(project.as_ref(), policy, against, &head, None)?;
    output.complete(&wire::write_report(&report))?;
    Ok(super::verdict(&[report]))
}
