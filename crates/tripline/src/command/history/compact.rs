//! `tripline history compact`: closed ranges of records become segments, and files go that segments hold.
//!
//! Segments are pushed first. Files go in a commit after that, which is made only where the branch holds the segments; and
//! only those whose segment was read and gave the very same record back. Whoever is stopped in between has a history with
//! files and segments, which reads the same, and goes on the next time.
//!
//! What is damaged stays where it is and is said, and is no failure: it is there again the next time, and what compacts after
//! every run would never end well again. Whoever wants to know by an exit code asks `history check`.
//!
//! Tested by `tests/it/history/verbs`.

use tripline_history::{Archive, File, Spent, is_block};
use tripline_hub::git::{ChangeError, FilePath, Identity, NewFile, Removal};
use tripline_hub::runner::commands::{Annotation, Level};
use tripline_hub::{Branch, Effect};
use tripline_model::few;

use super::super::record::{appends, push};
use crate::actions::{annotate, say_planned};
use crate::cli::{HistoryCompact, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::history::{Contents, Source};
use crate::talk;

const NOT_DONE: &str = "nothing was compacted";

pub(super) fn run(shared: &Shared, args: &HistoryCompact) -> Outcome<Exit> {
    let project = super::super::project_of_history(shared)?;
    let branch = &args.data.branch;
    let source = match &args.from {
        Some(folder) => Source::folder(folder)?,
        None => Source::branch(project.root(), branch)?,
    };
    let read = source.listed()?;
    let (archive, segments) = source.closed(&read, args.records.get())?;
    // Before the push, which may fail for other reasons.
    annotate(&left(branch, &archive))?;
    let effects = planned(branch, &source, &read, segments)?;
    if effects.is_empty() {
        talk::say("note: there is nothing to compact yet");
    } else if args.dry_run {
        say_planned(&effects)?;
    } else {
        push(&project, &effects)?;
    }
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

/// Plans to add new segments, and then to take the files away that segments hold. Either is done only where the branch holds
/// the records as they were read: what was read may be of another branch, or old.
fn planned(
    branch: &Branch,
    source: &Source,
    read: &Contents,
    segments: Vec<File>,
) -> Outcome<Vec<Effect>> {
    let mut new = Contents::new();
    for File { path, bytes } in &segments {
        new.insert(path.clone(), bytes.clone());
    }
    let listed = new.iter().filter(|(path, _)| !is_block(path));
    let files = read.iter().chain(listed);
    let archive = Archive::index(files.map(|(path, bytes)| (&**path, &**bytes)));
    let spent = archive.spent(|path| match new.get(path) {
        Some(block) => Ok(block.clone()),
        None => source.block(path),
    });
    let made_of = spent
        .iter()
        .filter(|spent| new.contains_key(&spent.segment));
    let made_of = as_read(made_of, read)?;
    let what = "history: records put into segments";
    let mut effects = appends(branch, segments, what)?;
    for effect in &mut effects {
        if let Effect::Append { change, .. } = effect {
            *change = change.clone().made_of(made_of.clone());
        }
    }
    if !spent.is_empty() {
        let removal = removal(&archive, &spent, read)?;
        let branch = branch.clone();
        effects.push(Effect::Remove { branch, removal });
    }
    Ok(effects)
}

/// Plans which files go, and what has to be on the branch for that.
fn removal(archive: &Archive, spent: &[Spent], read: &Contents) -> Outcome<Removal> {
    let holding = few::set_of(spent.iter().map(|spent| &*spent.segment));
    let mut held_by: Vec<String> = holding.iter().map(|path| (*path).to_owned()).collect();
    for (path, blocks) in archive.segments() {
        if holding.contains(path) {
            held_by.extend(blocks);
        }
    }
    let held_by = held_by.iter().map(|path| path_of(path));
    let message = "history: files taken away that segments hold";
    let author = Identity::actions_bot();
    let held_by = held_by.collect::<Outcome<_>>()?;
    Removal::new(as_read(spent, read)?, held_by, message, author).map_err(wrong)
}

/// Returns the files of records as they were read.
fn as_read<'s>(
    spent: impl IntoIterator<Item = &'s Spent>,
    read: &Contents,
) -> Outcome<Vec<NewFile>> {
    let file = |spent: &Spent| {
        let path = path_of(&spent.path)?;
        let bytes = read[&spent.path].clone();
        Ok(NewFile { path, bytes })
    };
    spent.into_iter().map(file).collect()
}

fn path_of(path: &str) -> Outcome<FilePath> {
    path.parse().map_err(wrong)
}

fn wrong(error: ChangeError) -> CommandError {
    CommandError::new(Exit::BadInput, NOT_DONE).because(error)
}
