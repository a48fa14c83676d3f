//! `tripline history compact`: closed ranges of records become segments, and files go that segments hold.
//!
//! Segments are pushed first. Files go in a commit after that, which is made only where the branch holds the segments; and
//! only those whose segment was read and gave the very same record back. Whoever is stopped in between has a history with
//! files and segments, which reads the same, and goes on the next time.
//!
//! What is damaged stays where it is and is said, and is no failure: it is there again the next time, and what compacts after
//! every run would never end well again. Whoever wants to know by an exit code asks `history check`.

use std::collections::{BTreeMap, BTreeSet};

use tripline_history::{Archive, File, is_block};
use tripline_hub::git::{ChangeError, FilePath, Identity, Removal};
use tripline_hub::runner::commands::{Annotation, Level};
use tripline_hub::{Branch, Effect};

use super::super::record::{appends, push};
use crate::actions::{annotate, say_planned};
use crate::cli::{HistoryCompact, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::history::Source;
use crate::talk;

const NOT_DONE: &str = "nothing was compacted";

pub(super) fn run(shared: &Shared, args: &HistoryCompact) -> Outcome<Exit> {
    let project = super::super::project(shared)?;
    let branch = &args.data.branch;
    let source = match &args.from {
        Some(folder) => Source::folder(folder)?,
        None => Source::branch(project.root(), branch)?,
    };
    let archive = source.index_checked()?;
    let segments = archive.close(args.records.get());
    let mut effects = appends(
        branch,
        segments.clone(),
        "history: records put into segments",
    )?;
    effects.extend(removal(branch, &source, segments)?);
    if effects.is_empty() {
        talk::say("note: there is nothing to compact yet");
    } else if args.dry_run {
        say_planned(&effects)?;
    } else {
        push(&project, &effects)?;
    }
    annotate(&left(branch, &archive))?;
    Ok(Exit::Pass)
}

/// Returns what a job shows of what was left as it is, which was said already when the history was read.
fn left(branch: &Branch, archive: &Archive) -> Vec<Annotation> {
    let damaged = archive.damaged().iter();
    let annotation = damaged.map(|damage| Annotation {
        level: Level::Warning,
        // It lies on another branch than the job's.
        file: None,
        line: None,
        title: Some("the history is damaged".to_owned()),
        message: format!(
            "`{}` of the branch `{branch}` was left as it is: {}",
            damage.path, damage.why
        ),
    });
    annotation.collect()
}

/// Plans which files go, once the new segments are on the branch.
fn removal(branch: &Branch, source: &Source, segments: Vec<File>) -> Outcome<Option<Effect>> {
    let mut files = source.contents(|path| !is_block(path))?;
    let new = segments.into_iter().map(|file| (file.path, file.bytes));
    let (new_blocks, new): (BTreeMap<_, _>, BTreeMap<_, _>) =
        new.partition(|(path, _)| is_block(path));
    files.extend(new);
    let archive = Archive::index(files.iter().map(|(path, bytes)| (&**path, &**bytes)));
    let spent = archive.spent(|path| match new_blocks.get(path) {
        Some(block) => Ok(block.clone()),
        None => source.block(path),
    });
    if spent.is_empty() {
        return Ok(None);
    }
    let holding: BTreeSet<&str> = spent.iter().map(|spent| &*spent.segment).collect();
    let mut held_by: Vec<String> = holding.iter().map(|path| (*path).to_owned()).collect();
    for (path, blocks) in archive.segments() {
        if holding.contains(path) {
            held_by.extend(blocks);
        }
    }
    let files = paths(spent.into_iter().map(|spent| spent.path))?;
    let message = "history: files taken away that segments hold";
    let author = Identity::actions_bot();
    let removal = Removal::new(files, paths(held_by)?, message, author).map_err(wrong)?;
    let branch = branch.clone();
    Ok(Some(Effect::Remove { branch, removal }))
}

fn paths(paths: impl IntoIterator<Item = String>) -> Outcome<Vec<FilePath>> {
    let path = |path: String| path.parse().map_err(wrong);
    paths.into_iter().map(path).collect()
}

fn wrong(error: ChangeError) -> CommandError {
    CommandError::new(Exit::BadInput, NOT_DONE).because(error)
}
