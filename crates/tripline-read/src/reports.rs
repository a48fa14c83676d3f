//! How an adapter goes through an input: document by document, and where a document holds JSON, report by report.
//!
//! An adapter names marks, members that its reports have; whatever holds one is a report, and if it is no whole value, a
//! damaged one. The parts of a report are read one by one, so that one of them that cannot be used does not take the
//! others with it. Tested below and through the adapters.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::Observed;
use crate::adapter::Adapter;
use crate::document::{Block, Document, Opened};
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::json::{self, Walk};
use crate::pieces::{Piece, pieces};
use crate::place::{Place, Problem, ReadError};
use crate::routing::is_read_by;

/// The most bytes of files that are in memory at once, where an adapter compares what different files hold.
const HELD_BYTES_MAX: usize = 1024 * 1024 * 1024;

/// Returns the files of an input that an adapter reads. An input that is one text is read whatever it is called.
pub(crate) fn documents<'i>(
    input: &'i Input,
    adapter: &'static Adapter,
) -> impl Iterator<Item = Result<Opened<'i>, ReadError>> + use<'i> {
    input
        .files()
        .filter_map(move |file| match is_read_by(adapter, file, input) {
            Ok(true) => Some(Opened::of(file)),
            Ok(false) => None,
            Err(error) => Some(Err(ReadError::unreadable(&file.shown_name(), &error))),
        })
}

/// Returns the files of an input that an adapter reads, all at once.
pub(crate) fn held_documents<'i>(
    input: &'i Input,
    adapter: &'static Adapter,
    gathered: &mut Gathered,
) -> Result<Vec<Document<'i>>, ReadError> {
    held(documents(input, adapter), HELD_BYTES_MAX, gathered)
}

fn held<'i>(
    documents: impl Iterator<Item = Result<Opened<'i>, ReadError>>,
    max: usize,
    gathered: &mut Gathered,
) -> Result<Vec<Document<'i>>, ReadError> {
    let mut bytes = 0;
    let mut all = Vec::new();
    for document in documents {
        let document = document?.told(gathered);
        bytes += document.text().len();
        if bytes > max {
            return Err(ReadError {
                place: document.place(1, 1),
                problem: format!(
                    "the files up to this one hold more than the {max} bytes that can be read at once"
                ),
                hint: Some("give fewer files, such as those of one package"),
            });
        }
        all.push(document);
    }
    Ok(all)
}

/// Reads every document of an input.
pub(crate) fn read_documents<'i>(
    input: &'i Input,
    adapter: &'static Adapter,
    mut read: impl FnMut(Document<'i>, &mut Gathered),
) -> Result<Observed, ReadError> {
    read_each_document(input, adapter, &mut read)
}

// Here and below an adapter's part is called by its address, so that there is one copy of these loops and not one for each.
fn read_each_document<'i>(
    input: &'i Input,
    adapter: &'static Adapter,
    read: &mut dyn FnMut(Document<'i>, &mut Gathered),
) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    for document in documents(input, adapter) {
        let document = document?.told(&mut gathered);
        read(document, &mut gathered);
    }
    gathered.finish(input, adapter.hint)
}

/// Reads every document of an input, and once more where benchmarks of several targets turn out to have one id, which tells them
/// apart.
pub(crate) fn read_targets(
    input: &Input,
    adapter: &'static Adapter,
    read: &mut dyn FnMut(&Document<'_>, &mut Gathered) -> Result<(), ReadError>,
) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    loop {
        for document in documents(input, adapter) {
            let document = document?.told(&mut gathered);
            read(&document, &mut gathered)?;
        }
        if !gathered.has_to_tell_apart() {
            return gathered.finish(input, adapter.hint);
        }
        gathered = Gathered::telling_apart();
    }
}

/// Reads every report of an input.
pub(crate) fn read_reports(
    input: &Input,
    adapter: &'static Adapter,
    is_marked: fn(&str) -> bool,
    mut read: impl FnMut(&mut Report<'_, '_>, &mut Gathered),
) -> Result<Observed, ReadError> {
    read_documents(input, adapter, |document, gathered| {
        read_marked(&document, is_marked, gathered, &mut read);
    })
}

/// Reads every value of a document that holds a mark, and says of every other part with one that it is damaged.
pub(crate) fn read_marked<'d>(
    document: &'d Document<'_>,
    is_marked: impl Fn(&str) -> bool,
    gathered: &mut Gathered,
    mut read: impl FnMut(&mut Report<'d, 'd>, &mut Gathered),
) {
    read_each_marked(document, &is_marked, gathered, &mut read);
}

fn read_each_marked<'d>(
    document: &'d Document<'_>,
    is_marked: &dyn Fn(&str) -> bool,
    gathered: &mut Gathered,
    read: &mut dyn FnMut(&mut Report<'d, 'd>, &mut Gathered),
) {
    let text = document.text();
    if !is_marked(text) {
        return;
    }
    // What follows a broken value is often the rest of it, of which enough was said.
    let mut is_told = false;
    for piece in pieces(text) {
        let (Piece::Value(block) | Piece::Broken(block, _) | Piece::Line(block)) = &piece;
        if !is_marked(block.text) {
            continue;
        }
        let problem = match &piece {
            Piece::Value(block) => match json::check_limits(document, block) {
                Ok(()) => {
                    is_told = false;
                    read(&mut Report::new(document, block), gathered);
                    continue;
                }
                Err(problem) => problem,
            },
            Piece::Broken(block, error) => json::problem(document, block.line, error),
            Piece::Line(block) => Problem {
                place: document.place(block.line, 1),
                text: "a damaged result: it does not begin with `{` or `[`".to_owned(),
            },
        };
        if !is_told {
            gathered.note(problem);
        }
        is_told = true;
    }
}

/// Reads a document as a report by its outermost member, if it was given by itself and has lost all else that it would be
/// known by: so it is said what stands there. It may be of somebody else, so nothing else is said, and no result is taken.
pub(crate) fn read_hollow<'d>(
    document: &'d Document<'_>,
    is_marked: impl Fn(&str) -> bool,
    outermost: &str,
    gathered: &mut Gathered,
    read: impl FnMut(&mut Report<'d, 'd>, &mut Gathered),
) {
    if document.is_lone_object() && !is_marked(document.text()) {
        let mut hollow = Gathered::default();
        read_marked(document, |text| text.contains(outermost), &mut hollow, read);
        gathered.blame(hollow);
    }
}

/// Takes note of a file of a directory that is cut. Beside reports lie others that are none, and these are whole.
pub(crate) fn check_whole(document: &Document<'_>, input: &Input, gathered: &mut Gathered) {
    if matches!(input, Input::Tree { .. })
        && let Err(error) = serde_json::from_str::<IgnoredAny>(document.text())
    {
        gathered.note(json::problem(document, 1, &error));
    }
}

/// A value that a harness wrote. Its parts are asked for in order, so that finding their places goes through it once.
#[derive(Debug)]
pub(crate) struct Report<'d, 't> {
    pub(crate) document: &'d Document<'d>,
    block: Block<'t>,
    line: usize,
    line_start: usize,
    seen: usize,
    walk: Walk<'t>,
}

impl<'d, 't> Report<'d, 't> {
    fn new(document: &'d Document<'_>, block: &Block<'t>) -> Self {
        Self {
            document,
            block: *block,
            line: block.line,
            line_start: 0,
            seen: 0,
            walk: Walk::new(block.text),
        }
    }

    /// Returns what was written.
    pub(crate) fn text(&self) -> &'t str {
        self.block.text
    }

    /// Returns where the report begins.
    pub(crate) fn start(&self) -> Place {
        self.document.place(self.block.line, 1)
    }

    /// Returns where a part of the report stands.
    pub(crate) fn place(&mut self, part: &RawValue) -> Place {
        let (line, column) = self.line_and_column(part);
        self.document.place(line, column)
    }

    fn start_of(&self, part: &RawValue) -> usize {
        let start = self.block.text.as_ptr().addr();
        part.get().as_ptr().addr().wrapping_sub(start)
    }

    fn line_and_column(&mut self, part: &RawValue) -> (usize, usize) {
        let at = self.start_of(part);
        let Some(between) = self.block.text.get(self.seen..at) else {
            return (self.block.line, 1);
        };
        for (end, _) in between.match_indices('\n') {
            self.line += 1;
            self.line_start = self.seen + end + 1;
        }
        self.seen = at;
        (self.line, 1 + at - self.line_start)
    }

    /// Reads the whole report, or takes note of what is wrong with it.
    pub(crate) fn parse<T: Deserialize<'t>>(&self, gathered: &mut Gathered) -> Option<T> {
        let parsed = json::parse(self.document, &self.block);
        parsed.map_err(|problem| gathered.note(problem)).ok()
    }

    /// Reads a part of the report, or takes note of what is wrong with it.
    pub(crate) fn part<T: Deserialize<'t>>(
        &mut self,
        part: &'t RawValue,
        gathered: &mut Gathered,
    ) -> Option<(T, Place)> {
        let (line, column) = self.line_and_column(part);
        match json::read(part.get()) {
            Ok(value) => Some((value, self.document.place(line, column))),
            Err(misread) => {
                let part = json::Part {
                    text: part.get(),
                    line,
                    column,
                    start: self.start_of(part),
                };
                gathered.note(json::of_part(
                    self.document,
                    &part,
                    &misread,
                    &mut self.walk,
                ));
                None
            }
        }
    }

    /// Reads each part as an entry; what cannot be one is a problem at its place.
    pub(crate) fn each<T: Deserialize<'t>>(
        &mut self,
        parts: impl IntoIterator<Item = &'t RawValue>,
        gathered: &mut Gathered,
        mut entry: impl FnMut(T, &Place, &mut Gathered) -> Result<Entry, String>,
    ) {
        for part in parts {
            if let Some((value, place)) = self.part(part, gathered) {
                let entry = entry(value, &place, gathered);
                gathered.take(entry, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_report_have_their_places() {
        let opened = Opened::new("out".to_owned(), &b"x\n[1,\n  [2], \"x\"]"[..]).unwrap();
        let document = opened.told(&mut Gathered::default());
        let Some(Piece::Value(block)) = pieces(document.text()).nth(1) else {
            panic!("the second piece is a value");
        };
        let parts: Vec<&RawValue> = serde_json::from_str(block.text).unwrap();
        let mut report = Report::new(&document, &block);
        let shown: Vec<String> = parts
            .iter()
            .map(|part| report.place(part).to_string())
            .collect();
        assert_eq!(shown, ["out:2:2", "out:3:3", "out:3:8"]);
        let mut report = Report::new(&document, &block);
        let mut gathered = Gathered::default();
        assert!(report.part::<u64>(parts[2], &mut gathered).is_none());
        let error = gathered
            .finish(&Input::from_bytes("out", Vec::new()), "")
            .expect_err("it is a text");
        assert_eq!(error.place.to_string(), "out:3:8");
    }

    #[test]
    fn files_that_are_held_at_once_are_bounded_together() {
        let documents = || ["ab", "cd"].map(|text| Opened::new(text.to_owned(), text.as_bytes()));
        let gathered = &mut Gathered::default();
        let all = held(documents().into_iter(), 4, gathered).unwrap();
        assert_eq!(all.len(), 2);
        // What follows the one beyond the limit is not opened any more.
        let more = std::iter::from_fn(|| panic!("a file is opened beyond the limit"));
        let error =
            held(documents().into_iter().chain(more), 3, gathered).expect_err("it is too much");
        assert_eq!(
            error.to_string(),
            "the files up to this one hold more than the 3 bytes that can be read at once at cd:1:1"
        );
    }
}
