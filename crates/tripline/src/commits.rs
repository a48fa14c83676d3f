//! What git says of commits: when each was made, and the first line of its message.
//!
//! Tested by `tests/it/history`.

use std::path::Path;

use jiff::Timestamp;
use tripline_model::{CommitId, CommitSubject, SUBJECT_BYTES_MAX, is_harmless};
use tripline_render::CommitNote;

use crate::git::git_reading;
use crate::history::Notes;

/// What git is asked for, which ends in a NUL: a hash, and behind a blank what `note` reads.
pub(crate) const FORMAT: &str = "--format=%H %ct %s";

/// Reads what git said of a commit behind its hash.
pub(crate) fn note(said: &str) -> Option<CommitNote> {
    let (second, subject) = said.split_once(' ')?;
    let second = second.parse().ok()?;
    Some(CommitNote {
        subject: shown(subject),
        committed_at: Timestamp::from_second(second).ok(),
    })
}

/// Takes the first line of a message, as far as it can be shown.
fn shown(subject: &str) -> Option<CommitSubject> {
    let shown: String = subject.chars().filter(|c| is_harmless(*c)).collect();
    let end = shown.floor_char_boundary(SUBJECT_BYTES_MAX);
    CommitSubject::new(&shown[..end]).ok()
}

/// Adds what git says of commits to what is known of them. Of one that it does not have, and where there is no repository,
/// nothing is added.
pub(crate) fn tell(folder: &Path, commits: &[&CommitId], notes: &mut Notes) {
    let wanted: String = commits.iter().map(|id| format!("{id}\n")).collect();
    let args = [
        "log",
        "-z",
        FORMAT,
        "--no-walk",
        "--ignore-missing",
        "--stdin",
    ];
    let said = git_reading(folder, &args, wanted.as_bytes()).unwrap_or_default();
    for line in String::from_utf8_lossy(&said).split_terminator('\0') {
        let Some((id, said)) = line.split_once(' ') else {
            continue;
        };
        if let (Ok(id), Some(note)) = (CommitId::new(id), note(said)) {
            let known = notes.entry(id).or_default();
            known.subject = known.subject.take().or(note.subject);
            known.committed_at = known.committed_at.or(note.committed_at);
        }
    }
}
