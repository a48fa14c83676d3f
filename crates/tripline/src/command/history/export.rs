//! `tripline history export`: the whole history in a folder, all of it in segments, for programs that read Parquet.

use std::fs;
use std::io;
use std::path::Path;

use super::{exit_of, source};
use crate::cli::{HistoryExport, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::talk;

const NOT_DONE: &str = "the history was not exported";

pub(super) fn run(shared: &Shared, args: &HistoryExport) -> Outcome<Exit> {
    let failed = |error: io::Error| {
        CommandError::new(Exit::BadInput, NOT_DONE)
            .because(format!("`{}`: {error}", args.out.display()))
            .hint("name a folder that is not there yet, or is empty")
    };
    prepare(&args.out).map_err(failed)?;
    let (source, _) = source(shared, &args.lying)?;
    let archive = source.read()?;
    let files = archive
        .closed()
        .map_err(|error| CommandError::new(Exit::BadInput, NOT_DONE).because(error))?;
    for file in &files {
        let place = args.out.join(&file.path);
        let written = place.parent().map_or(Ok(()), fs::create_dir_all);
        written
            .and_then(|()| fs::write(&place, &file.bytes))
            .map_err(failed)?;
    }
    talk::say(&format!(
        "wrote {} to `{}`",
        talk::counted(files.len(), "file"),
        args.out.display()
    ));
    Ok(exit_of(&archive, &[]))
}

/// Makes the folder. What is in it already stays, and is a reason to write nothing.
fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    match fs::read_dir(folder)?.next() {
        None => Ok(()),
        Some(_) => Err(io::Error::other("there is something in it")),
    }
}
