//! Reads divan's tree: a line for each benchmark, and below it lines for its rates and its allocations.
//!
//! The median stands for the times, and so do the rates and allocations of the median's column. A number below a
//! benchmark is one of its arguments; the program's own name, at the root, is no part of a benchmark. Tested by
//! `fixtures/divan`.

mod cells;
mod naming;
mod row;
mod tree;

use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::file_names::is_text;
use crate::input::Input;
use crate::listing::read_listings;
use crate::place::ReadError;
use tree::Reader;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "divan",
    about: "divan 0.1: the tree it writes to a terminal, with counters, threads and allocations",
    files: is_text,
    mark: Mark::Line(is_marked),
    hint: "run `cargo bench` on divan's benches and give all that it writes",
    read,
};

fn is_marked(text: &str) -> bool {
    row::header(text).is_some()
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, |mut listing| {
        // The tree before the cells is drawn with what stands between them.
        listing.note_overwritten(|text| row::has_cells(text.trim_start_matches(['│', ' '])));
        let document = listing.document;
        let cut_line = document.cut_line();
        let mut reader = Reader::new(listing);
        for block in document.shown_lines() {
            reader.take(block.line, block.text, cut_line == Some(block.line));
        }
        reader.close();
    })
}
