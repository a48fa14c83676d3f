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
use crate::valgrind::{Count, is_time, reading_of, time_of};
use line::{Counted, Line};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "valgrind-text",
    about: "valgrind 3.19: what callgrind, cachegrind, DHAT and memcheck print when a program ends",
    files: |path| has_extension(path, &["txt"]),
    mark: Mark::Line(is_marked),
    hint: "run `valgrind --log-file=FILE COMMAND` with a tool that counts, and give the file",
    read,
};

/// The tool whose total is of a heap or of copies, which its mode says and the text does not.
const DHAT: &str = "DHAT";

const NO_COMMAND: &str = "counts of a process whose command is missing, as that of one that another forked is; \
     measure with `--child-silent-after-fork=yes` to leave such out";

/// What stands at the end of what it prints.
const END_OF_DHAT: &str = "To view the resulting profile";

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
    /// A total of which it is not known yet what it is of, and its line.
    total: Option<(usize, Vec<Counted<'d>>)>,
    is_ended: bool,
    /// Whether it has counts of a tool that is not known.
    lacks_tool: bool,
    /// The line that says which signal ended it, and the signal.
    died: Option<(usize, &'d str)>,
}

/// The signals by which one asks for the end of a program that has none of its own.
const ASKING: [&str; 3] = ["SIGHUP", "SIGINT", "SIGTERM"];

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
        total: None,
        is_ended: false,
        lacks_tool: false,
        died: None,
    });
    process.is_ended |= text.contains(END_OF_DHAT);
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
        Line::Died(signal) => {
            let is_asked = ASKING.iter().any(|asking| signal.contains(asking));
            process.died = Some((line, signal)).filter(|_| !is_asked);
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
            process.lacks_tool = true;
            // Where the command is missing too, that says it.
            if process.command.is_some() {
                listing.problem(line, "counts of a tool whose name is missing");
            }
            return;
        }
        Line::Counts(counts) => counts,
    };
    // A number may lack its last digits where a text ends without a line end.
    let is_open = is_cut && text.ends_with(|c: char| c.is_ascii_digit());
    process.take(listing, line, counts, is_open);
}

impl<'d> Process<'d> {
    fn take(
        &mut self,
        listing: &mut Listing<'_, '_>,
        line: usize,
        counts: Vec<Counted<'d>>,
        is_open: bool,
    ) {
        let is_of = |name: &str| counts.iter().any(|counted| counted.name == name);
        if self.tool == DHAT && is_of("TotalBytes") {
            self.end_total(listing);
            self.total = Some((line, counts));
            return;
        }
        // Only a heap has a peak, which stands right below its total.
        if is_of("AtTGmaxBytes")
            && let Some((line, total)) = self.total.take()
        {
            self.add_all(listing, line, &total, false);
        }
        self.add_all(listing, line, &counts, is_open);
    }

    fn add_all(
        &mut self,
        listing: &mut Listing<'_, '_>,
        line: usize,
        counts: &[Counted<'_>],
        is_open: bool,
    ) {
        for counted in counts {
            if let Err(error) = self.add(counted, is_open) {
                listing.problem(line, error);
            }
        }
    }

    /// Takes over a total that no peak followed: it is of copies.
    fn end_total(&mut self, listing: &mut Listing<'_, '_>) {
        let Some((line, mut total)) = self.total.take() else {
            return;
        };
        if !self.is_ended {
            let text = "a total of a heap or of copies: what would say which is cut off";
            return listing.problem(line, text);
        }
        for counted in &mut total {
            counted.name = match counted.name {
                "TotalBytes" => "CopiedBytes",
                _ => "Copies",
            };
        }
        self.add_all(listing, line, &total, false);
    }

    /// Adds a count, unless it is one that was said before.
    fn add(&mut self, counted: &Counted<'_>, is_open: bool) -> Result<(), String> {
        let tool = counted.tool.unwrap_or(self.tool);
        let reading = match is_time(counted.name) {
            // What is printed states no unit.
            true => time_of(counted.name, counted.count, ""),
            false => reading_of(tool, counted.name, Count::Whole(counted.count)),
        };
        let reading = reading
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

    fn end(mut self, listing: &mut Listing<'_, '_>) {
        if let Some((line, signal)) = self.died {
            let text = format!(
                "`{}` was ended by {}: what was counted is of a part",
                shown(self.command.unwrap_or_default()),
                shown(signal)
            );
            return listing.problem(line, text);
        }
        self.end_total(listing);
        let Some(command) = self.command else {
            if !self.readings.is_empty() || self.lacks_tool {
                listing.problem(self.line, NO_COMMAND);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read_dhat(lines: &[&str]) -> (Vec<String>, Vec<String>) {
        let lines = lines.iter().map(|line| format!("==9== {line}\n"));
        let text = lines.collect::<String>();
        let input = Input::from_bytes("out.txt", text.into_bytes());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        let readings = observed.observations.iter().flat_map(|of| &of.readings);
        let shown = readings.map(|of| format!("{} {}", of.metric.name, of.sample.values()[0]));
        let problems = observed.problems.iter().map(ToString::to_string);
        (shown.collect(), problems.collect())
    }

    #[test]
    fn a_total_of_dhat_is_of_a_heap_of_copies_or_of_events() {
        const HEAD: [&str; 2] = ["DHAT, a dynamic heap analysis tool", "Command: ./kv"];
        const END: &str = "To view the resulting profile, open";
        let of = |total: &str, rest: &[&str]| read_dhat(&[&HEAD[..], &[total], rest].concat());
        let total = "Total:     301 bytes in 24 blocks";
        assert_eq!(
            of(total, &[END]).0,
            ["copied_bytes 301", "copies 24"],
            "copies"
        );
        let peak = "At t-gmax: 200 bytes in 2 blocks";
        let heap = [
            "allocated_bytes 301",
            "allocations 24",
            "heap_peak 200",
            "at_t_gmax_blocks 2",
        ];
        assert_eq!(of(total, &[peak, END]).0, heap);
        let events = "Total:     1,301 units in 5 events";
        let expected = ["total_units 1301", "total_events 5"];
        assert_eq!(
            of(events, &[END]),
            (expected.map(str::to_owned).to_vec(), Vec::new())
        );
        let heap_after_cut = [
            total,
            "DHAT, a dynamic heap analysis tool",
            total,
            peak,
            END,
        ];
        let (readings, problems) = read_dhat(&[&HEAD[..], &heap_after_cut].concat());
        assert_eq!(readings, heap);
        let expected =
            "a total of a heap or of copies: what would say which is cut off at out.txt:3:1";
        assert_eq!(problems, [expected]);
    }
}
