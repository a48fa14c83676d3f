//! `tripline render`: renders reports for people or programs.
//!
//! Rendering a failed gate is a success of rendering: the verdict's exit code is `judge`'s and `check`'s to give.

use crate::cli::{Render, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::talk;

pub(super) fn run(shared: &Shared, args: &Render) -> Outcome<Exit> {
    let reports = super::reports(&args.report, "nothing was rendered")?;
    talk::data(&super::rendered(&reports, shared, &args.show))?;
    Ok(Exit::Pass)
}
