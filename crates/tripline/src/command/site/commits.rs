//! In which order the commits of a history stand: as their repository says, or else as their records do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tripline_history::Kept;
use tripline_model::CommitId;
use tripline_model::few;
use tripline_site::{Commit, Order};

use super::NOT_DONE;
use crate::commits;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::git::git;
use crate::talk;

/// The commits of a history, oldest first, and where each stands.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) commits: Vec<Commit>,
    pub(super) order: Order,
    pub(super) places: BTreeMap<CommitId, usize>,
}

impl Told {
    fn of(commits: Vec<Commit>, order: Order) -> Self {
        let mut places = BTreeMap::new();
        for (place, commit) in commits.iter().enumerate() {
            places.insert(commit.id.clone(), place);
        }
        Self {
            places,
            order,
            commits,
        }
    }
}

/// What git says of the first parents of a revision, or why it says nothing.
pub(super) type Log = Result<Vec<u8>, String>;

/// Orders the commits of records. What was measured on another branch has no place among the first parents of this one.
pub(super) fn order(
    root: &Path,
    revision: Option<&str>,
    log: Log,
    records: &[Kept<'_>],
) -> Outcome<Told> {
    let said = by_records(records);
    let wanted = few::set_of(said.iter().map(|commit| &commit.id));
    let parents = match log {
        Ok(log) => first_parents(&log, &wanted),
        Err(why) if revision.is_some() => {
            return Err(CommandError::new(Exit::Usage, NOT_DONE).because(why));
        }
        Err(_) => Vec::new(),
    };
    let missing = said.len() - parents.len();
    if missing == 0 {
        return Ok(Told::of(parents, Order::FirstParent));
    }
    if parents.is_empty() || is_shallow(root) {
        talk::say(
            "note: this clone does not know all commits that were measured: they stand in the order of their records",
        );
        return Ok(Told::of(said, Order::Records));
    }
    talk::say(&format!(
        "warning: {} left out, which no first parent leads to: measured on another branch?",
        talk::counted(missing, "commit")
    ));
    Ok(Told::of(parents, Order::FirstParent))
}

fn is_shallow(root: &Path) -> bool {
    let said = git(root, &["rev-parse", "--is-shallow-repository"], &[]);
    said.is_ok_and(|said| said.starts_with(b"true"))
}

/// Asks git for the first parents of a revision, oldest first.
pub(super) fn log(root: &Path, revision: Option<&str>) -> Log {
    let of = [
        "--first-parent",
        "--reverse",
        "--end-of-options",
        revision.unwrap_or("HEAD"),
        "--",
    ];
    let args = [commits::LOG, &of].concat();
    git(root, &args, &[])
}

/// Returns the wanted commits of a log.
fn first_parents(log: &[u8], wanted: &BTreeSet<&CommitId>) -> Vec<Commit> {
    let said = String::from_utf8_lossy(log);
    let lines = said.split_terminator('\0').zip(1..);
    let commits = lines.filter_map(|(line, height)| commit(line, height, wanted));
    commits.collect()
}

fn commit(line: &str, height: u64, wanted: &BTreeSet<&CommitId>) -> Option<Commit> {
    let (id, said) = line.split_once(' ')?;
    let id = CommitId::new(id).ok()?;
    if !wanted.contains(&id) {
        return None;
    }
    let note = commits::note(said)?;
    Some(Commit {
        id,
        subject: note.subject,
        at: note.committed_at?,
        height,
    })
}

/// Returns the commits of records, by when they were made, or else first measured.
fn by_records(records: &[Kept<'_>]) -> Vec<Commit> {
    let mut known: BTreeMap<&CommitId, Commit> = BTreeMap::new();
    for Kept { record, .. } in records {
        let at = record.committed_at.unwrap_or(record.measured_at);
        let commit = known.entry(&record.commit).or_insert_with(|| Commit {
            id: record.commit.clone(),
            subject: record.subject.clone(),
            at,
            height: 0,
        });
        commit.at = commit.at.min(at);
    }
    let mut commits: Vec<Commit> = known.into_values().collect();
    few::sort_by(&mut commits, |a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
    for (height, commit) in (1..).zip(&mut commits) {
        commit.height = height;
    }
    commits
}
