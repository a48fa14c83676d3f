//! What a script outside looks at: the log of requests, and the state after each change.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::PathBuf,
};

use crate::{seen::Seen, world::World};

/// The files, where they are wanted.
pub(crate) struct Outputs {
    log: Option<File>,
    state: Option<PathBuf>,
}

impl Outputs {
    pub(crate) fn open(log: Option<PathBuf>, state: Option<PathBuf>) -> io::Result<Self> {
        let log = match log {
            Some(path) => Some(File::options().create(true).append(true).open(path)?),
            None => None,
        };
        Ok(Self { log, state })
    }

    /// Appends a request to the log.
    pub(crate) fn saw(&self, seen: &Seen) -> io::Result<()> {
        let Some(mut log) = self.log.as_ref() else {
            return Ok(());
        };
        let mut line = serde_json::to_vec(seen)?;
        line.push(b'\n');
        log.write_all(&line)
    }

    /// Writes the state beside its file and moves it there: who reads it never sees half of one.
    pub(crate) fn changed(&self, world: &World) -> io::Result<()> {
        let Some(path) = &self.state else {
            return Ok(());
        };
        let beside = path.with_extension("new");
        let mut text = serde_json::to_vec_pretty(world)?;
        text.push(b'\n');
        fs::write(&beside, text)?;
        fs::rename(beside, path)
    }
}
