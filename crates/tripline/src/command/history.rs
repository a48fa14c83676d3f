//! `tripline history`: reads the history and looks after it.
//!
//! Tested by `tests/it/history`.

mod compact;
mod compare;
mod export;
mod list;
mod series;

use std::path::{Path, PathBuf};

use tripline_history::{Archive, Damage};

use crate::cli::{History, Lying, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::history::Source;
use crate::talk;

pub(super) fn run(shared: &Shared, verb: &History) -> Outcome<Exit> {
    match verb {
        History::List(lying) => list::run(shared, lying),
        History::Series(args) => series::run(shared, args),
        History::Compare(args) => compare::run(shared, args),
        History::Check(lying) => check(shared, lying),
        History::Compact(args) => compact::run(shared, args),
        History::Export(args) => export::run(shared, args),
    }
}

/// Finds where the history lies, and the repository whose commits it is of, if there is one.
fn source(shared: &Shared, lying: &Lying) -> Outcome<(Source, Option<PathBuf>)> {
    match &lying.from {
        Some(folder) => {
            let project = super::project(shared).ok();
            let root = project.map(|project| project.root().to_owned());
            Ok((Source::folder(folder)?, root))
        }
        None => {
            let project = super::project_of_history(shared)?;
            let root = project.root();
            Ok((
                Source::branch(root, &lying.data.branch)?,
                Some(root.to_owned()),
            ))
        }
    }
}

/// What was read is told, and is not the whole.
fn exit_of(archive: &Archive, damaged: &[Damage]) -> Exit {
    for damage in damaged {
        let text = format!("warning: `{}` is left out: {}", damage.path, damage.why);
        talk::say(&talk::shown(&text));
    }
    match archive.damaged().is_empty() && damaged.is_empty() {
        true => Exit::Pass,
        false => Exit::BadInput,
    }
}

fn check(shared: &Shared, lying: &Lying) -> Outcome<Exit> {
    let (source, _) = source(shared, lying)?;
    let archive = source.read()?;
    let records = talk::counted(archive.records().len(), "record");
    match archive.damaged().len() {
        0 => talk::data(&format!("{records}, all whole\n"))?,
        damaged => {
            let files = talk::counted(damaged, "file");
            talk::data(&format!("{records} can be read, {files} cannot\n"))?;
        }
    }
    Ok(exit_of(&archive, &[]))
}

/// Says that something of the history was asked for that it does not have.
fn not_there(not_done: &str, why: String) -> CommandError {
    CommandError::new(Exit::Usage, not_done)
        .because(why)
        .hint("see what there is: `tripline history list`")
}

/// Returns where a repository is, for what asks git.
fn at(root: &Option<PathBuf>) -> Option<&Path> {
    root.as_deref()
}
