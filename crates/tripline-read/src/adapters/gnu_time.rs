//! Reads what GNU `time -v` writes: a block of lines for each command that was run; the two lines of it without options;
//! and the three lines of `time -p`.
//!
//! A command is a benchmark by its own text, and its blocks, as `--append` makes them, are one sample. A command that
//! failed measured nothing.
//!
//! Two and three lines do not say the command, so the file gives the benchmark its name, and all that it holds are one sample,
//! as with `--append`: the loop that fills a file is mostly around one command. To take each for a benchmark of its own
//! would make one more run look like a new benchmark. That they are taken so is said. Tested by `fixtures/gnu_time`.

mod block;
mod portable;
mod usual;

use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::build_output::is_of_build;
use crate::document::Block;
use crate::entry::Entry;
use crate::file_names::is_text;
use crate::gathered::Gathered;
use crate::grouped::Grouped;
use crate::input::Input;
use crate::listing::Listing;
use crate::naming::{bench_of_name, in_one_line};
use crate::place::{Place, ReadError, shown};
use crate::reports::documents;
use block::{COMMAND, FIRST_VALUE, Values};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "gnu-time",
    about: "GNU time 1.7 to 1.9, and BusyBox: the text of `/usr/bin/time -v`, of one command or of many; its two lines without options; the three lines of any `time -p`, or of a shell's `time`",
    files: is_text,
    mark: Mark::OrFaintly(&Mark::Line(is_marked), |text| {
        portable::is_in(text) || usual::is_in(text)
    }),
    hint: "run `/usr/bin/time -v -o FILE COMMAND` and give the file",
    read,
};

const STRAY: &str = "a damaged result: `real`, `user` and `sys` do not follow one another";

const NO_FIRST: &str = "a damaged result: the line above it, of the times, is missing";

const CUT: &str = "the text ends within a result";

const NO_COMMAND: &str = "a damaged result: its command is missing";

fn is_marked(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(COMMAND) || text.starts_with("Maximum resident set size (kbytes): ")
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    let mut runs = Runs::default();
    for document in documents(input, &ADAPTER) {
        let listing = Listing {
            document: &document?.told(&mut gathered),
            suite,
            gathered: &mut gathered,
        };
        read_listing(listing, &mut runs);
    }
    for (command, (place, runs)) in runs.into_all() {
        if runs.iter().any(Values::name_no_command) && runs.len() > 1 {
            gathered.remark(place.clone(), of_one_command(runs.len()));
        }
        let bench = bench_of_name(suite, &command);
        let entry = bench.and_then(|bench| Ok(Entry::new(bench, block::readings(&runs)?)));
        gathered.take(entry, place);
    }
    gathered.finish(input, ADAPTER.hint)
}

fn of_one_command(runs: usize) -> String {
    format!(
        "its {runs} runs are taken as those of one command, which none of them names; give each command a file of its own"
    )
}

/// The runs of each command, and where the first of them stands.
type Runs = Grouped<String, (Place, Vec<Values>)>;

/// A block that has begun.
struct Begun<'d> {
    line: usize,
    command: String,
    /// Whether the command may go on over more lines.
    is_open: bool,
    values: Values,
    failure: Option<&'d str>,
}

fn read_listing(mut listing: Listing<'_, '_>, runs: &mut Runs) {
    let mut begun: Option<Begun<'_>> = None;
    let mut failure = None;
    let mut times = None;
    let mut usual = None;
    for line in listing.document.shown_lines() {
        let text = line.text.trim_start();
        let command = command_in(line.text);
        if command.is_none() && begun.as_mut().is_some_and(|block| block.goes_on(text)) {
            continue;
        }
        if take_usual(&mut usual, &mut failure, line, runs, &mut listing) {
            continue;
        }
        if let Some(taken) = portable::take(&mut times, line.line, text) {
            let failed = failure.take_if(|_| !matches!(taken, portable::Taken::Begun(_)));
            match taken {
                portable::Taken::Begun(begun) => times = Some(begun),
                portable::Taken::Ended(line, values) => {
                    end_times(line, values, failed, runs, &mut listing);
                }
                portable::Taken::Stray => listing.problem(line.line, STRAY),
            }
            continue;
        }
        if let Some(command) = command {
            cut_off(begun.take(), &mut listing);
            begun = Some(Begun::of(line.line, command, failure.take()));
        } else if text.starts_with("Command exited")
            || is_of_signal(text)
            || text.starts_with("Command stopped")
        {
            failure = Some(text);
        } else if let Some(status) = text.strip_prefix("Exit status: ") {
            match begun.take() {
                Some(block) => end(block, status, runs, &mut listing),
                None => listing.problem(line.line, NO_COMMAND),
            }
        } else if is_of_build(text) {
            // It is of what was built beside, or is what the block is of.
        } else if let Some(block) = &mut begun {
            if let Err(error) = block.values.take(text) {
                listing.problem(line.line, format!("a damaged result: {error}"));
            }
        } else if block::is_value(text) {
            listing.problem(line.line, NO_COMMAND);
        }
    }
    if usual::is_in(listing.document.text())
        && let Some(line) = listing.document.shown_lines().last()
        && listing.document.cut_line() == Some(line.line)
        && usual::is_begun(line.text)
    {
        listing.problem(line.line, CUT);
    }
    end_usual(usual, runs, &mut listing);
    cut_off(begun, &mut listing);
    if let Some(times) = times {
        listing.problem(
            times.line,
            "the times are cut off: `user` or `sys` is missing",
        );
    }
}

/// Takes a line that is one of the two without options, and returns whether it is.
fn take_usual<'d>(
    open: &mut Option<usual::Begun<'d>>,
    failure: &mut Option<&'d str>,
    line: Block<'d>,
    runs: &mut Runs,
    listing: &mut Listing<'_, '_>,
) -> bool {
    let text = line.text.trim_start();
    if let Some(values) = usual::first(text) {
        let begun = usual::Begun {
            line: line.line,
            values,
            failure: failure.take(),
        };
        end_usual(open.replace(begun), runs, listing);
        return true;
    }
    if !usual::is_like(text) {
        return false;
    }
    let begun = open.take();
    let is_read = begun.map(|mut begun| {
        let read = usual::second(&mut begun.values, text);
        end_usual(Some(begun), runs, listing);
        read.is_some()
    });
    match is_read {
        Some(true) => {}
        Some(false) => listing.problem(line.line, "a damaged result"),
        None => listing.problem(line.line, NO_FIRST),
    }
    true
}

fn end_usual(open: Option<usual::Begun<'_>>, runs: &mut Runs, listing: &mut Listing<'_, '_>) {
    if let Some(begun) = open {
        end_times(begun.line, begun.values, begun.failure, runs, listing);
    }
}

/// Takes times over that do not say the command, unless those of a command that failed.
fn end_times(
    line: usize,
    values: Values,
    failure: Option<&str>,
    runs: &mut Runs,
    listing: &mut Listing<'_, '_>,
) {
    if let Some(failure) = failure {
        let failure = shown(&failure.to_lowercase());
        let text = format!("the command failed, so its times say nothing: {failure}");
        return listing.problem(line, text);
    }
    let stem = listing.document.stem();
    let place = || (listing.document.place(line, 1), Vec::new());
    let (_, runs) = runs.of(stem, place);
    runs.push(values);
}

/// Returns whether a line says that a signal ended the command, before which may stand what that printed last. What follows
/// the number would be of a program that says it of another.
fn is_of_signal(text: &str) -> bool {
    let signal = text.rsplit_once("Command terminated by signal ");
    signal.is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn cut_off(block: Option<Begun<'_>>, listing: &mut Listing<'_, '_>) {
    if let Some(block) = block {
        let first = block.command.lines().next().unwrap_or_default();
        let what = match block.is_open {
            true => "its user time",
            false => "its exit status",
        };
        let text = format!(
            "the times of `{}` are cut off: {what} is missing",
            shown(first.trim_end_matches('"'))
        );
        listing.problem(block.line, text);
    }
}

/// Takes a whole block over, or says why it measured nothing.
fn end(block: Begun<'_>, status: &str, runs: &mut Runs, listing: &mut Listing<'_, '_>) {
    match block.fault(status) {
        Some(text) => listing.problem(block.line, text),
        None => {
            let place = || (listing.document.place(block.line, 1), Vec::new());
            let (_, runs) = runs.of(block.command, place);
            runs.push(block.values);
        }
    }
}

/// Returns the command that a line says, before which may stand what it printed last, without a line end.
fn command_in(text: &str) -> Option<&str> {
    let alone = text.trim_start().strip_prefix(COMMAND);
    alone.or_else(|| {
        let (before, command) = text.split_once(COMMAND)?;
        before.ends_with('\t').then_some(command)
    })
}

impl<'d> Begun<'d> {
    fn of(line: usize, command: &str, failure: Option<&'d str>) -> Self {
        let quoted = command.strip_prefix('"');
        Self {
            line,
            command: quoted.unwrap_or(command).to_owned(),
            is_open: quoted.is_some(),
            values: Values::default(),
            failure,
        }
    }

    /// Takes a line of a command that has several, and returns whether it is one. The last ends with a quote, and the values
    /// follow.
    fn goes_on(&mut self, text: &str) -> bool {
        let quoted = self.command.strip_suffix('"');
        match quoted.filter(|_| self.is_open && text.starts_with(FIRST_VALUE)) {
            Some(command) => {
                self.command = in_one_line(command).into_owned();
                self.is_open = false;
            }
            None if self.is_open => {
                self.command.push('\n');
                self.command.push_str(text);
            }
            None => {}
        }
        self.is_open
    }

    /// Says why the block measured nothing.
    fn fault(&self, status: &str) -> Option<String> {
        let command = shown(&self.command);
        if let Some(failure) = self.failure {
            return Some(format!(
                "`{command}` failed, so its times say nothing: {}",
                shown(&failure.to_lowercase())
            ));
        }
        if status.trim() != "0" {
            return Some(format!(
                "`{command}` failed, so its times say nothing: it ended with exit status {}",
                shown(status)
            ));
        }
        let what = self.values.missing()?;
        Some(format!(
            "the times of `{command}` cannot be used: `{what}` is missing"
        ))
    }
}
