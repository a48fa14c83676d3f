//! A text that is read line by line, and where what is found in it goes: each with its line.
//!
//! Tested through the adapters.

use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::Adapter;
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::place::ReadError;
use crate::reports::read_documents;

/// A text, and what is gathered from it.
#[derive(Debug)]
pub(crate) struct Listing<'d, 'g> {
    pub(crate) document: &'d Document<'d>,
    pub(crate) suite: &'d SuiteName,
    pub(crate) gathered: &'g mut Gathered,
}

/// Reads every text of an input.
pub(crate) fn read_listings(
    input: &Input,
    suite: &SuiteName,
    adapter: &'static Adapter,
    mut read: impl FnMut(Listing<'_, '_>),
) -> Result<Observed, ReadError> {
    read_documents(input, adapter, |document, gathered| {
        read(Listing {
            document: &document,
            suite,
            gathered,
        });
    })
}

impl Listing<'_, '_> {
    /// Takes note of what is wrong with a line.
    pub(crate) fn problem(&mut self, line: usize, text: impl Into<String>) {
        self.gathered.problem(self.document.place(line, 1), text);
    }

    /// Takes note of every result that a terminal does not show: only progress is meant to be written over.
    pub(crate) fn note_overwritten(&mut self, is_result: impl Fn(&str) -> bool) {
        let parts = self.document.overwritten_parts();
        for part in parts.filter(|part| is_result(part.text)) {
            self.problem(
                part.line,
                "a damaged result: another line is written over it",
            );
        }
    }

    /// Takes over a benchmark.
    pub(crate) fn keep(&mut self, line: usize, entry: Entry) {
        self.take(line, Ok(entry));
    }

    /// Takes over a benchmark to which no more lines belong, if there is one.
    pub(crate) fn close(&mut self, open: &mut Option<(usize, Entry)>) {
        if let Some((line, entry)) = open.take() {
            self.keep(line, entry);
        }
    }

    /// Takes over a benchmark, or takes note of why it is none.
    pub(crate) fn take(&mut self, line: usize, entry: Result<Entry, String>) {
        self.gathered.take(entry, self.document.place(line, 1));
    }
}
