//! `tripline render`: renders reports for people or programs.
//!
//! Rendering a failed gate is a success of rendering: the verdict's exit code is `judge`'s and `check`'s to give.

use tripline_model::wire;

use crate::cli::{Render, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::{files, talk};

pub(super) fn run(shared: &Shared, args: &Render) -> Outcome<Exit> {
    let bytes = files::read(&args.report)?;
    let reports = wire::read_report(&bytes).map_err(|error| {
        CommandError::new(
            Exit::BadInput,
            format!(
                "nothing was rendered: `{}` was not read",
                args.report.display()
            ),
        )
        .because(error)
        .hint("a report is what `tripline judge` writes")
    })?;
    talk::data(&super::rendered(&reports, shared, &args.show))?;
    Ok(Exit::Pass)
}
