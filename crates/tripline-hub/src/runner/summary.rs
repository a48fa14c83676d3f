//! The summary of a step: Markdown, shown on the page of the run, up to a size beyond which none of it is shown.
//!
//! So the last thing before the file is a limit: what does not fit is cut at the end of a line, what the cut left open is
//! closed, and a line says how much is missing. Renderers stay below the limit by choosing; this is for when they fail to.
//!
//! Tested by `tests/hub/runner/summary.rs`.

use std::borrow::Cow;
use std::path::Path;

use super::{NotAdded, add};

/// The most that the summary of one step may hold.
pub const BYTES_MAX: u64 = 1 << 20;

/// Adds Markdown to the summary of the step, as much as fits; the file is the one that `GITHUB_STEP_SUMMARY` names.
///
/// # Errors
/// The file cannot be written to.
pub fn append(file: &Path, text: &str) -> Result<(), NotAdded> {
    add(file, |taken| fitting(text, taken).into_owned())
}

/// Returns as much of a text as fits beside the bytes that are taken already, ending with a line break.
#[must_use]
pub fn fitting(text: &str, taken: u64) -> Cow<'_, str> {
    let room = usize::try_from(BYTES_MAX.saturating_sub(taken)).unwrap_or(usize::MAX);
    if text.is_empty() || (text.ends_with('\n') && text.len() <= room) {
        return Cow::Borrowed(text);
    }
    if text.len() < room {
        return Cow::Owned(format!("{text}\n"));
    }
    Cow::Owned(cut(text, room))
}

/// Returns the lines that fit together with what closes them and what counts the others; nothing, if that does not fit.
fn cut(text: &str, room: usize) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut open = Open::default();
    let mut end = 0;
    let mut best = String::new();
    for (at, line) in lines.iter().enumerate() {
        let tail = open.closed() + &left_out(lines.len() - at);
        if end + tail.len() > room {
            break;
        }
        // Most lines are not the last that fits: only there the text is put together.
        let next = end + line.len();
        let is_last = next + TAIL_BYTES_MAX > room;
        if is_last {
            best = [&text[..end], &tail].concat();
        }
        open.read(line);
        end = next;
    }
    best
}

/// What the tail may take at most, by far.
const TAIL_BYTES_MAX: usize = 4096;

fn left_out(lines: usize) -> String {
    let (lines, noun) = match lines {
        1 => ("One".to_owned(), "line is"),
        many => (many.to_string(), "lines are"),
    };
    format!("\n_{lines} more {noun} left out: the summary of a step may hold 1 MiB._\n")
}

/// What a text has opened and not closed: a block of code, and folds.
#[derive(Debug, Default)]
struct Open {
    fence: Option<(char, usize)>,
    folds: usize,
}

impl Open {
    /// Deeper folds than this are not of our making.
    const FOLDS_MAX: usize = 32;

    fn read(&mut self, line: &str) {
        let line = line.trim_end();
        let text = line.trim_start_matches(' ');
        let is_indented = line.len() - text.len() > 3;
        let mark = text
            .chars()
            .next()
            .filter(|c| "`~".contains(*c) && !is_indented);
        let length = mark.map_or(0, |mark| text.chars().take_while(|c| *c == mark).count());
        match (self.fence, mark) {
            (Some((fence, least)), Some(mark))
                if mark == fence && length >= least && text.len() == length =>
            {
                self.fence = None;
            }
            (None, Some(mark)) if length >= 3 => {
                let is_code_in_a_line = mark == '`' && text[length..].contains('`');
                self.fence = (!is_code_in_a_line).then_some((mark, length.min(1024)));
            }
            (None, _) if text.starts_with("<details") => {
                self.folds = (self.folds + 1).min(Self::FOLDS_MAX);
            }
            (None, _) if text.starts_with("</details") => self.folds = self.folds.saturating_sub(1),
            _ => {}
        }
    }

    /// Returns what closes it.
    fn closed(&self) -> String {
        let fence = self
            .fence
            .map(|(mark, length)| String::from(mark).repeat(length) + "\n");
        fence.unwrap_or_default() + &"\n</details>\n".repeat(self.folds)
    }
}
