//! Reads the results that Rust's own test harness writes, and those who write as it does: the `bencher` crate, and
//! Criterion with `--output-format bencher`; also the harness's JSON, which is unstable.
//!
//! A run of the harness says at its end how many benchmarks it measured, so that none goes missing without a word;
//! Criterion's output does not. Tested by `fixtures/libtest`.

mod event;
mod line;
mod session;

use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::file_names::has_extension;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::place::ReadError;
use line::Line;
use session::Sessions;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "libtest",
    about: "libtest, the crate `bencher`, and Criterion's `--output-format bencher`: the text; libtest's JSON",
    files: |path| has_extension(path, &["txt", "jsonl"]),
    mark: Mark::Text(is_marked),
    hint: "run `cargo bench` on benches that libtest runs, and give all that it writes",
    read,
};

fn is_marked(text: &str) -> bool {
    let mut is_begun = false;
    text.lines().any(|text| match Line::of(text) {
        // Its name stands above, where the benchmark printed something. Others quote a result, too.
        Line::Result { name, .. } => is_begun || name.is_some(),
        Line::Begun { .. } => {
            is_begun = true;
            false
        }
        _ => event::is_mark(text),
    })
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, read_listing)
}

fn read_listing(mut listing: Listing<'_, '_>) {
    listing.note_overwritten(|text| matches!(Line::of(text), Line::Result { .. } | Line::Damaged));
    let document = listing.document;
    let cut_line = document.cut_line();
    let mut sessions = Sessions::new(listing);
    for block in document.shown_lines() {
        if block.is_object() {
            sessions.take_object(&block);
        } else {
            let is_cut = cut_line == Some(block.line);
            sessions.take_line(block.line, Line::of(block.text), is_cut);
        }
    }
    sessions.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_quotes_a_result_has_no_mark() {
        let quoted = "bench:         234 ns/iter (+/- 12)\n";
        assert!(!is_marked(quoted));
        assert!(!is_marked(&format!("{quoted}test get ... ok\n")));
        assert!(is_marked(&format!("test get ... 12\n{quoted}")));
        assert!(is_marked(&format!("test get ... {quoted}")));
    }
}
