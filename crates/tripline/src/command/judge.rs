//! `tripline judge`: judges a run against a base and writes a report.

use tripline_model::wire;

use crate::baselines;
use crate::cli::{Judge, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::files::Output;

pub(super) fn run(shared: &Shared, args: &Judge) -> Outcome<Exit> {
    let output = Output::open(&args.out)?;
    let head = baselines::load_run(&args.head)?;
    let base = match &args.base {
        Some(path) => Some(baselines::load_run(path)?),
        None => baselines::for_run(&super::project(shared)?, &head)?.map(|baseline| baseline.run),
    };
    let report = super::judged(base.as_ref(), &head)?;
    output.complete(&wire::write_report(&report))?;
    Ok(super::verdict(&[report]))
}
