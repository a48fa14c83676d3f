//! The history itself beside its pages: all of it in segments, for programs that read Parquet.

use tripline_history::Archive;
use tripline_site::Files;

use super::NOT_DONE;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// The list of its files, below `data/`: nobody can ask a server of files what it has.
pub(super) const LIST: &str = "history/files.json";

/// Adds the files of the history, and the list of them.
pub(super) fn add(archive: &Archive, files: &mut Files) -> Outcome<()> {
    let closed = archive
        .closed()
        .map_err(|error| CommandError::new(Exit::BadInput, NOT_DONE).because(error))?;
    let names: Vec<&str> = closed.iter().map(|file| &*file.path).collect();
    let list = serde_json::json!(names).to_string() + "\n";
    files.insert(format!("data/{LIST}"), list.into_bytes());
    for file in closed {
        files.insert(format!("data/history/{}", file.path), file.bytes);
    }
    Ok(())
}
