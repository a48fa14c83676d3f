//! `tripline explain`: draws where a program spent what it took, beside a base where there is one.
//!
//! Tested by `tests/it/explain`.

use std::path::Path;

use tripline_model::Profile;
use tripline_read::{Input, read_profile};
use tripline_render::flame;

use crate::cli::Explain;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::{self, Output};

const NOT_DONE: &str = "nothing was explained";

pub(super) fn run(args: &Explain) -> Outcome<Exit> {
    let output = Output::open(&args.out)?;
    let head = profile(&args.profile)?;
    let base = args.base.as_deref().map(profile).transpose()?;
    if let Some(base) = base.as_ref().filter(|base| base.unit != head.unit) {
        let what = format!(
            "{NOT_DONE}: the base counts {} and the head {}",
            base.unit, head.unit
        );
        return Err(CommandError::new(Exit::BadInput, what).hint("profile both with the same tool"));
    }
    output.complete(&flame(&head, base.as_ref()))?;
    Ok(Exit::Pass)
}

fn profile(path: &Path) -> Outcome<Profile> {
    let input = Input::from_bytes(path.display().to_string(), files::read(path)?);
    read_profile(&input).map_err(|error| {
        let hint = error.hint;
        CommandError::new(Exit::BadInput, NOT_DONE)
            .because(error)
            .hint(hint)
    })
}
