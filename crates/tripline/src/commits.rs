//! What git says of commits: when each was made, and what its message is about.
//!
//! Tested by `tests/it/history`.

use std::ffi::OsStr;
use std::path::Path;

use jiff::Timestamp;
use tripline_model::{CommitId, CommitSubject, SUBJECT_BYTES_MAX, is_harmless};
use tripline_render::CommitNote;

use crate::git::git_reading;
use crate::history::Notes;

/// How git is asked for commits. Each answer ends in a NUL, and is a hash and behind a blank what `note` reads; a person's own
/// settings would put signatures between them, or other letters.
pub(crate) const LOG: &[&str] = &[
    "log",
    "-z",
    "--format=%H %ct %s",
    "--no-show-signature",
    "--encoding=UTF-8",
];

/// Reads what git said of a commit behind its hash.
pub(crate) fn note(said: &str) -> Option<CommitNote> {
    let (second, subject) = said.split_once(' ')?;
    let second = second.parse().ok()?;
    Some(CommitNote {
        subject: harmless(subject),
        committed_at: Timestamp::from_second(second).ok(),
    })
}

/// Takes the subject of a message, as far as it can be shown.
fn harmless(subject: &str) -> Option<CommitSubject> {
    let harmless: String = subject.chars().filter(|c| is_harmless(*c)).collect();
    let end = harmless.floor_char_boundary(SUBJECT_BYTES_MAX);
    CommitSubject::new(&harmless[..end]).ok()
}

/// Adds what git says of commits to what is known of them. Of one that it does not have, and where there is no repository,
/// nothing is added; where only a part of it was cloned, git is not to fetch what is not here, one commit after the other.
pub(crate) fn complete(folder: &Path, commits: &[&CommitId], notes: &mut Notes) {
    let wanted: String = commits.iter().map(|id| format!("{id}\n")).collect();
    let args = [LOG, &["--no-walk", "--ignore-missing", "--stdin"]].concat();
    let here = [("GIT_NO_LAZY_FETCH", OsStr::new("1"))];
    let said = git_reading(folder, &args, wanted.as_bytes(), &here).unwrap_or_default();
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
