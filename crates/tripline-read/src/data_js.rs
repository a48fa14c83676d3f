//! Reads a whole history as github-action-benchmark keeps it: `data.js`, or the plain JSON of an external data file.
//!
//! The file belongs to somebody, grew for years, and was written by several versions and tools. So every value that can be
//! used is used, each that cannot is a problem with its place, and a file that is no such history is an error: it is never
//! taken for an empty one. Series are told apart by suite, name *and* unit, because the same name may be a time here and
//! a count there; values that share these in one run, by what else is said of them. Where whoever made a commit can be
//! reached is not kept. What is odd and can be coped with is told, too.
//!
//! One pass over the text; what is kept of a value is its number and which series it is of. Tested by `tests/it/data_js.rs`.

mod gather;
mod halves;
mod known;
mod loose;
mod meaning;
mod names;
mod odd;
mod people;
mod rows;
mod script;
mod sets;
mod shape;
mod split;
mod standing;
mod suite;
mod titles;
mod twins;
mod value;

use std::borrow::Cow;

use serde::Deserializer as _;
use tripline_model::few;
use tripline_model::{Entry, SeriesSet, SuiteName, is_harmless};

use crate::constants::Added;
use crate::encoding::{self, Decoded, Fault};
use crate::place::{Place, Problem, ReadError, shown};
use gather::{Gather, Gathered};
use script::{AsJson, as_json};
use shape::HistoryVisitor;
pub use split::{DataJs, split_data_js};

/// A history that somebody else kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The address of the repository's page.
    pub repository: Option<String>,
    /// When it was last written, in milliseconds since 1970.
    pub last_update: Option<f64>,
    /// The suites: what they are called here, and what they were called there.
    pub suites: Vec<(SuiteName, String)>,
    /// The sets of series that entries have points of.
    pub series: Vec<SeriesSet>,
    /// What was measured, in the order of the file.
    pub entries: Vec<Entry>,
    /// What could not be used, and what is odd and was coped with, in the order of the file.
    pub problems: Vec<Problem>,
    /// How many values, whole runs and whole suites were left out, each of which a problem names as far as there is room.
    pub left_out: usize,
}

/// Reads a history.
///
/// # Errors
/// The text is no history, is cut off, or holds nothing that can be used.
pub fn read_data_js(name: &str, bytes: &[u8]) -> Result<Imported, ReadError> {
    read_data_js_beside(name, bytes, Beside::default())
}

/// What is there already, to which a history comes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beside<'s> {
    /// The suites, with the titles of those that were read from such histories, the oldest first.
    pub suites: &'s [(SuiteName, Option<String>)],
    /// The sets of series of these.
    pub series: &'s [&'s SeriesSet],
}

/// Reads a history that comes to suites which are there already: a title keeps the name it has, and no other gets one that
/// is taken; and so do name and unit of a series.
///
/// # Errors
/// The text is no history, is cut off, or holds nothing that can be used.
pub fn read_data_js_beside(
    name: &str,
    bytes: &[u8],
    there: Beside<'_>,
) -> Result<Imported, ReadError> {
    let file = shown(name);
    let decoded = text_of(&file, bytes)?;
    let text = &*decoded.text;
    let json = json_of(text);
    let written = Written {
        file: &file,
        text,
        added: &decoded.added,
        offset: offset(text, json),
        script: None,
    };
    match gathered(json, there) {
        // A script that a formatter went over is read by every browser.
        Err(Unread::Json(error)) if error.is_syntax() => {
            let script = as_json(text);
            let json = json_of(&script.text);
            let written = Written {
                offset: offset(&script.text, json),
                script: Some(&script),
                ..written
            };
            written.imported(json, gathered(json, there))
        }
        ended => written.imported(json, ended),
    }
}

/// Returns where a part of a text begins, seen from the whole; something may stand behind it.
fn offset(whole: &str, part: &str) -> usize {
    part.as_ptr().addr() - whole.as_ptr().addr()
}

/// A history as it was written, and where its JSON begins.
#[derive(Clone, Copy)]
struct Written<'t> {
    file: &'t str,
    text: &'t str,
    added: &'t Added,
    offset: usize,
    script: Option<&'t AsJson>,
}

impl Written<'_> {
    /// Returns where in the text something of the JSON stands.
    fn place(&self, at: usize) -> usize {
        let at = self.offset + at;
        self.script.map_or(at, |script| script.original(at))
    }

    fn failed(&self, problem: String, at: usize) -> ReadError {
        ReadError {
            place: place_at(self.file, self.text, self.added, self.place(at)),
            problem,
            hint: Some("give the file that github-action-benchmark keeps, whole"),
        }
    }

    fn imported(
        &self,
        json: &str,
        gathered: Result<Gathered, Unread>,
    ) -> Result<Imported, ReadError> {
        let gathered = gathered.map_err(|fault| match fault {
            Unread::Json(error) => {
                let said = error.to_string();
                let said = said
                    .rsplit_once(" at line ")
                    .map_or(&*said, |(said, _)| said);
                let at = byte_of(json, error.line(), error.column());
                self.failed(format!("the history cannot be read: {}", shown(said)), at)
            }
            Unread::History(problem) => self.failed(problem, 0),
        })?;
        let problems = gathered.problems.into_iter();
        let problems = problems.map(|(at, said)| (self.place(at), said));
        let problems = placed(self.file, self.text, self.added, problems.collect());
        if gathered.entries.is_empty() {
            return Err(match problems.into_iter().next() {
                Some(Problem { place, text }) => ReadError {
                    place,
                    problem: format!("{text}, and nothing else can be used"),
                    hint: None,
                },
                None => self.failed("the history is empty".to_owned(), 0),
            });
        }
        Ok(Imported {
            repository: gathered.repository,
            last_update: gathered.last_update,
            suites: gathered.suites,
            series: gathered.series,
            entries: gathered.entries,
            problems,
            left_out: gathered.left_out,
        })
    }
}

/// Why a history was not read.
enum Unread {
    Json(serde_json::Error),
    History(String),
}

/// Reads the JSON of a history; once more where halves of characters were what nobody could read.
fn gathered(json: &str, there: Beside<'_>) -> Result<Gathered, Unread> {
    let first = match gathered_strictly(json, there) {
        Err(Unread::Json(error)) if error.is_syntax() => error,
        ended => return ended,
    };
    let Some((whole, found)) = halves::replaced(json) else {
        return Err(Unread::Json(first));
    };
    let mut gathered = gathered_strictly(&whole, there)?;
    let many = found.len();
    gathered.problems.push((
        found[0],
        format!(
            "{many} times a text holds half of a character, which is kept as one that nobody knows"
        ),
    ));
    Ok(gathered)
}

fn gathered_strictly(json: &str, there: Beside<'_>) -> Result<Gathered, Unread> {
    let mut gather = Gather::new(json, there);
    let mut reader = serde_json::Deserializer::from_str(json);
    reader
        .deserialize_any(HistoryVisitor(&mut gather))
        .and_then(|()| reader.end())
        .map_err(Unread::Json)?;
    gather.finish().map_err(Unread::History)
}

/// Returns a text without what cannot be shown, as long as a name may be.
fn fitted(text: &str, bytes: usize) -> String {
    let harmless = |c| if is_harmless(c) { c } else { ' ' };
    let text: String = text.chars().map(harmless).collect();
    let text = text.trim();
    text[..text.floor_char_boundary(bytes)]
        .trim_end()
        .to_owned()
}

fn text_of<'b>(file: &str, bytes: &'b [u8]) -> Result<Decoded<'b>, ReadError> {
    let broken = |fault: Fault| ReadError {
        place: Place {
            file: file.to_owned(),
            line: fault.line,
            column: fault.column,
        },
        problem: fault.problem.to_owned(),
        hint: Some("give the file as it was written, as UTF-8 or UTF-16"),
    };
    let mut decoded = encoding::text(Cow::Borrowed(bytes)).map_err(broken)?;
    // A history is taken over as it is or not at all: with a letter replaced, a series would have another name.
    if decoded.faults.is_empty() {
        return Ok(decoded);
    }
    Err(broken(decoded.faults.swap_remove(0)))
}

/// Returns the JSON of a file: without what makes it a script, and without what follows a statement.
fn json_of(text: &str) -> &str {
    let text = text.trim_start();
    // `window.BENCHMARK_DATA = `, mostly.
    let named = text.trim_start_matches(|c: char| c.is_alphanumeric() || " \t_$.".contains(c));
    // Or `window["BENCHMARK_DATA"] = `.
    let named = match named.strip_prefix('[').filter(|_| named != text) {
        Some(member) => member
            .split_once(']')
            .map_or(named, |(_, rest)| rest.trim_start()),
        None => named,
    };
    let assigned = named.strip_prefix('=').unwrap_or(named).trim_start();
    let json = if assigned.starts_with(['{', '[']) {
        assigned
    } else {
        text
    };
    let end = json.trim_end();
    let end = end.strip_suffix(';').unwrap_or(end).len();
    &json[..end]
}

/// Returns where a line and column lie in a text.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        line => text
            .match_indices('\n')
            .nth(line - 2)
            .map_or(text.len(), |(at, _)| at + 1),
    };
    (start + column.saturating_sub(1)).min(text.len())
}

fn place_at(file: &str, text: &str, added: &Added, at: usize) -> Place {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    Place {
        file: file.to_owned(),
        line,
        column: added.column_before(line, 1 + before.len() - line_start),
    }
}

/// Says where problems stand, reading the text once for all of them.
fn placed(file: &str, text: &str, added: &Added, problems: Vec<(usize, String)>) -> Vec<Problem> {
    let mut line = 1;
    let mut line_start = 0;
    let mut seen = 0;
    let mut placed = Vec::with_capacity(problems.len());
    let mut problems = problems;
    few::sort_by_key(&mut problems, |(at, _)| *at);
    for (at, said) in problems {
        let at = at.min(text.len());
        for (index, byte) in text.as_bytes()[seen..at].iter().enumerate() {
            if *byte == b'\n' {
                line += 1;
                line_start = seen + index + 1;
            }
        }
        seen = at;
        placed.push(Problem {
            place: Place {
                file: file.to_owned(),
                line,
                column: added.column_before(line, 1 + at - line_start),
            },
            text: said,
        });
    }
    placed
}
