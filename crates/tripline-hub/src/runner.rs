//! What the Actions runner takes from a step without any token: a summary, annotations, outputs.
//!
//! It takes them as text, from files it names and from what a step prints; and what a step prints is full of names that
//! others chose. So each kind of text is made in one place, by a pure function that leaves nothing to be misread.
//!
//! Tested by `tests/hub/runner`, which reads everything back with a model of the runner's own rules.

pub mod commands;
pub mod outputs;
pub mod summary;

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Says that a file of the runner's could not be added to.
#[derive(Debug, thiserror::Error)]
#[error("nothing was added to `{}`", path.display())]
pub struct NotAdded {
    /// The file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub error: io::Error,
}

/// Adds to a file of the runner's, on a line of its own; what earlier programs of the step wrote stays.
fn add(path: &Path, make: impl FnOnce(u64) -> String) -> Result<(), NotAdded> {
    let added = || -> io::Result<()> {
        let options = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .clone();
        let mut file = options.open(path)?;
        let ending = if ends_a_line(&mut file)? { "" } else { "\n" };
        let taken = file.metadata()?.len() + ending.len() as u64;
        let text = make(taken);
        if text.is_empty() {
            return Ok(());
        }
        // In one piece, so that a program that writes at the same time does not come between.
        file.write_all([ending, &text].concat().as_bytes())
    };
    added().map_err(|error| NotAdded {
        path: path.to_owned(),
        error,
    })
}

/// Returns whether a file is empty or ends with a line break.
fn ends_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
