//! The command that valgrind's tools write above what they counted, and that gives the benchmark its name.
//!
//! Nothing in it is escaped, so that it may have several lines. Tested by `fixtures/callgrind` and `fixtures/massif`, and by
//! what is wrong with such.

use tripline_model::{BenchId, SuiteName};

use crate::document::Document;
use crate::naming::{bench_of_name, in_one_line};

/// The command of a file, as far as it was read.
#[derive(Default)]
pub(crate) struct Command {
    text: Option<String>,
    /// Whether the line before was of it.
    is_open: bool,
}

impl Command {
    /// Begins the command, of which a file has one.
    pub(crate) fn begin(&mut self, text: &str) {
        self.is_open = self.text.is_none();
        self.text.get_or_insert_with(|| text.to_owned());
    }

    /// Adds a line to the command that was begun, unless it is one that stands behind it, and returns whether it does.
    pub(crate) fn go_on(&mut self, text: &str, is_behind: impl Fn(&str) -> bool) -> bool {
        self.is_open = self.is_open && !is_behind(text);
        if let Some(command) = self.text.as_mut().filter(|_| self.is_open) {
            command.push('\n');
            command.push_str(text);
        }
        self.is_open
    }

    /// Returns the benchmark: the file's, where it says no command.
    pub(crate) fn bench(
        &self,
        document: &Document<'_>,
        suite: &SuiteName,
    ) -> Result<BenchId, String> {
        let command = in_one_line(self.text.as_deref().unwrap_or_default());
        match command.trim() {
            "" => bench_of_name(suite, &document.stem()),
            command => bench_of_name(suite, command),
        }
    }
}
