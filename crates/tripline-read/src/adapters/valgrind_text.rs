//! Reads what valgrind's tools print when a program ends: lines that begin with the number of its process.
//!
//! A command is a benchmark by its own text. What is a sum or a rate of other counts is left out; massif prints no count,
//! so its file has to be given. Tested by `fixtures/valgrind_text`.

mod line;

use tripline_model::{Reading, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::entry::Entry;
use crate::file_names::has_extension;
use crate::grouped::Grouped;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::naming::bench_of_name;
use crate::place::{ReadError, shown};
use crate::valgrind::{Count, reading_of};
use line::{Counted, Line};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "valgrind-text",
    about: "valgrind 3.19: what callgrind, cachegrind, DHAT and memcheck print when a program ends",
    files: |path| has_extension(path, &["txt"]),
    mark: Mark::Line(is_marked),
    hint: "run `valgrind --log-file=FILE COMMAND` with a tool that counts, and give the file",
    read,
};

fn is_marked(text: &str) -> bool {
    matches!(
        Line::of(text),
        Some((_, Line::Counts(_) | Line::Collected(_)))
    )
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, |mut listing| {
        let mut processes = Grouped::default();
        let cut_line = listing.document.cut_line();
        for block in listing.document.shown_lines() {
            let is_cut = cut_line == Some(block.line);
            take(&mut processes, &mut listing, block.line, block.text, is_cut);
        }
        for (_, process) in processes.into_all() {
            process.end(&mut listing);
        }
    })
}

/// What is known of one process.
struct Process<'d> {
    line: usize,
    tool: &'d str,
    command: Option<&'d str>,
    /// What callgrind counts, in the order of its totals.
    events: Vec<&'d str>,
    readings: Vec<Reading>,
}

fn take<'d>(
    processes: &mut Grouped<&'d str, Process<'d>>,
    listing: &mut Listing<'_, '_>,
    line: usize,
    text: &'d str,
    is_cut: bool,
) {
    let Some((number, what)) = Line::of(text) else {
        return;
    };
    let process = processes.of(number, || Process {
        line,
        tool: "",
        command: None,
        events: Vec::new(),
        readings: Vec::new(),
    });
    let counts = match what {
        Line::Tool(tool) => {
            process.tool = tool;
            return;
        }
        Line::Command(command) if process.command.is_none() => {
            process.command = Some(command);
            return;
        }
        Line::Command(_) => {
            let text = "a second command of one process: give the output of each run on its own";
            return listing.problem(line, text);
        }
        Line::Events(events) => {
            process.events = events;
            return;
        }
        Line::Damaged => return listing.problem(line, "a damaged result"),
        Line::Other => return,
        Line::Collected(totals) if totals.len() == process.events.len() => {
            let both = process.events.iter().zip(totals);
            both.map(|(event, total)| Counted::of("Callgrind", event, total))
                .collect()
        }
        Line::Collected(_) => return listing.problem(line, "totals without their events"),
        Line::Counts(counts)
            if process.tool.is_empty() && counts.iter().any(|counted| counted.tool.is_none()) =>
        {
            return listing.problem(line, "counts of a tool whose name is missing");
        }
        Line::Counts(counts) => counts,
    };
    for counted in counts {
        // A number may lack its last digits where a text ends without a line end.
        let is_open = is_cut && text.ends_with(|c: char| c.is_ascii_digit());
        if let Err(error) = process.add(&counted, is_open) {
            listing.problem(line, error);
        }
    }
}

impl Process<'_> {
    /// Adds a count, unless it is one that was said before.
    fn add(&mut self, counted: &Counted<'_>, is_open: bool) -> Result<(), String> {
        let tool = counted.tool.unwrap_or(self.tool);
        let reading = reading_of(tool, counted.name, Count::Whole(counted.count))
            .map_err(|error| format!("`{}` cannot be used: {error}", shown(counted.name)))?;
        let name = &reading.metric.name;
        match self
            .readings
            .iter()
            .find(|known| known.metric.name == *name)
        {
            Some(known) if known.sample == reading.sample => Ok(()),
            Some(_) => Err(format!("`{name}` was said before, and otherwise")),
            None if is_open => Err("the text ends within a line".to_owned()),
            None => {
                self.readings.push(reading);
                Ok(())
            }
        }
    }

    fn end(self, listing: &mut Listing<'_, '_>) {
        let Some(command) = self.command else {
            if !self.readings.is_empty() {
                listing.problem(self.line, "counts of a process whose command is missing");
            }
            return;
        };
        if self.readings.is_empty() {
            let command = shown(command);
            let text = format!(
                "valgrind says no count of `{command}`: it was cut off, or its tool prints none"
            );
            return listing.problem(self.line, text);
        }
        let entry =
            bench_of_name(listing.suite, command).map(|bench| Entry::new(bench, self.readings));
        listing.take(self.line, entry);
    }
}
