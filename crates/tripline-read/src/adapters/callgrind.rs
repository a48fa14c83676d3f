//! Reads the profiles of valgrind's callgrind and cachegrind: the totals of one program, by the events that were counted.
//!
//! What each function cost is for other tools. The command is the benchmark. Dumps of one program, of its parts or its
//! threads, are added up where one file holds them, and told apart where each has its own. Tested by `fixtures/callgrind`.

use std::collections::BTreeMap;
use std::path::Path;

use tripline_model::{Reading, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::apart::Facts;
use crate::document::Document;
use crate::entry::Entry;
use crate::file_names::{has_extension, is_out_of};
use crate::input::Input;
use crate::listing::read_listings;
use crate::place::{ReadError, shown};
use crate::valgrind::{self, Command, Count};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "callgrind",
    about: "valgrind: the files `callgrind.out.*` and `cachegrind.out.*`",
    files: is_file,
    mark: Mark::Line(is_marked),
    hint: "run `valgrind --tool=callgrind COMMAND` and give the file it writes",
    read,
};

/// The part that a file is which says none.
const ONLY_PART: &str = "1";

fn is_file(path: &Path) -> bool {
    has_extension(path, &["txt", "out"])
        || is_out_of("callgrind", path)
        || is_out_of("cachegrind", path)
}

fn is_marked(text: &str) -> bool {
    text.starts_with("events: Ir") || text.starts_with("creator: callgrind")
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, |mut listing| {
        let document = listing.document;
        if document.text().is_empty() && is_of_threads(document, input) {
            return;
        }
        match Profile::of(document) {
            Ok(profile) => {
                let entry = profile.entry(document, suite, |text| {
                    listing.problem(profile.events_line, text);
                });
                listing.take(profile.events_line, entry);
                if let (Some(part), Input::Text { .. }) = (profile.later_part(), input) {
                    let place = document.place(profile.events_line, 1);
                    let text = format!(
                        "it is part {} of what its program did, and none of the parts before it is counted: give the folder \
                         that holds them all",
                        shown(part)
                    );
                    listing.gathered.remark(place, text);
                }
            }
            Err((line, text)) => listing.problem(line, text),
        }
    })
}

/// Returns whether a file is the one that callgrind leaves empty beside those of a program's threads, `callgrind.out.5-01` and so
/// on.
fn is_of_threads(document: &Document<'_>, input: &Input) -> bool {
    document.path_in_tree().is_some_and(|path| {
        let mut first = path.as_os_str().to_owned();
        first.push("-01");
        input.has(Path::new(&first))
    })
}

/// What may stand below a command: not callgrind alone writes such files, and others have an order of their own.
const BEHIND_COMMAND: [&str; 9] = [
    "desc",
    "event",
    "events",
    "part",
    "pid",
    "positions",
    "summary",
    "thread",
    "version",
];

fn is_behind_command(text: &str) -> bool {
    let key = text.split_once(": ").map(|(key, _)| key);
    key.is_some_and(|key| BEHIND_COMMAND.contains(&key))
}

/// What a file says in its header and at its end.
#[derive(Default)]
struct Profile<'d> {
    command: Command,
    thread: Option<&'d str>,
    part: Option<&'d str>,
    events: Vec<&'d str>,
    events_line: usize,
    /// What it says of its events, by name.
    described: BTreeMap<&'d str, &'d str>,
    /// The sums of all dumps.
    totals: Vec<u64>,
    /// The costs of the dump that has not ended.
    costs: Option<Costs>,
    is_callgrind: bool,
    /// How many positions stand before a cost.
    positions: usize,
}

impl<'d> Profile<'d> {
    /// Reads a file, or says at which line it cannot be one.
    fn of(document: &'d Document<'_>) -> Result<Self, (usize, String)> {
        let mut profile = Profile {
            events_line: 1,
            positions: 1,
            ..Profile::default()
        };
        let mut last = 1;
        for block in document.lines() {
            last = block.line;
            if profile.command.go_on(block.text, is_behind_command) {
                continue;
            }
            let taken = match block.text.as_bytes().first() {
                Some(byte) if byte.is_ascii_lowercase() => profile.take(block.text, block.line),
                Some(b'0'..=b'9' | b'+' | b'-' | b'*') => profile.add(block.text),
                _ => Ok(()),
            };
            taken.map_err(|error| (block.line, error))?;
        }
        if profile.costs.is_some() || profile.totals.is_empty() {
            return Err((
                last,
                "the profile is cut off: its totals are missing".to_owned(),
            ));
        }
        Ok(profile)
    }

    /// Adds the cost of a line, which zeros at its end are left out of.
    fn add(&mut self, text: &str) -> Result<(), String> {
        match &mut self.costs {
            Some(costs) => costs.add(text, self.positions),
            None => Err("a damaged line: a cost stands outside of a dump".to_owned()),
        }
    }

    fn take(&mut self, text: &'d str, line: usize) -> Result<(), String> {
        if text.starts_with("calls=") {
            if let Some(costs) = &mut self.costs {
                costs.is_call = true;
            }
            return Ok(());
        }
        let Some((key, value)) = text.split_once(": ") else {
            return Ok(());
        };
        let value = value.trim();
        match key {
            "creator" => self.is_callgrind = value.starts_with("callgrind"),
            "positions" => self.positions = value.split_ascii_whitespace().count(),
            "cmd" => self.command.begin(value),
            "thread" => {
                self.thread.get_or_insert(value);
            }
            "part" => {
                self.part.get_or_insert(value);
            }
            "event" => self.describe(value)?,
            "events" => self.begin(value, line)?,
            // A dump of callgrind ends with its totals, one of cachegrind with its summary.
            "totals" => self.end(value)?,
            "summary" if !self.is_callgrind => self.end(value)?,
            _ => {}
        }
        Ok(())
    }

    /// Takes note of what an event is: `sysTime : sysTime (elapsed us)`.
    fn describe(&mut self, value: &'d str) -> Result<(), String> {
        let Some((name, about)) = value.split_once(" : ") else {
            return Ok(());
        };
        let before = self.described.insert(name.trim(), about);
        match before.is_some_and(|before| before != about) {
            true => Err("its parts count different events".to_owned()),
            false => Ok(()),
        }
    }

    /// Returns the unit that the file states for an event, which is the last word in brackets behind its name.
    fn unit_of(&self, event: &str) -> Option<&'d str> {
        let about = self.described.get(event)?.strip_suffix(')')?;
        let (_, in_brackets) = about.rsplit_once('(')?;
        in_brackets.split_ascii_whitespace().last()
    }

    fn reading(&self, event: &str, total: u64) -> Result<Reading, String> {
        let reading = match valgrind::is_time(event) {
            true => valgrind::time_of(event, total, self.unit_of(event).unwrap_or_default()),
            false => valgrind::reading_of("Callgrind", event, Count::Whole(total)),
        };
        reading.map_err(|error| format!("event `{}` cannot be used: {error}", shown(event)))
    }

    fn begin(&mut self, value: &'d str, line: usize) -> Result<(), String> {
        let events: Vec<&str> = value.split_ascii_whitespace().collect();
        if !self.events.is_empty() && self.events != events {
            return Err("its parts count different events".to_owned());
        }
        let is_open = self.costs.replace(Costs::of(events.len())).is_some();
        self.events = events;
        self.events_line = line;
        match is_open {
            true => Err("the part before has no totals".to_owned()),
            false => Ok(()),
        }
    }

    /// Ends a dump, whose totals must be those of its costs.
    fn end(&mut self, value: &str) -> Result<(), String> {
        let costs = self
            .costs
            .take()
            .ok_or("totals stand before the events they are of")?;
        let mut totals = Costs::of(self.events.len());
        totals.add(value, 0)?;
        if totals.sums != costs.sums {
            return Err("the totals are not those of the costs above them".to_owned());
        }
        self.totals.resize(self.events.len(), 0);
        for (total, sum) in self.totals.iter_mut().zip(&costs.sums) {
            *total = total.checked_add(*sum).ok_or("a total is too large")?;
        }
        Ok(())
    }

    /// Returns which part it is, where others came before.
    fn later_part(&self) -> Option<&'d str> {
        self.part.filter(|part| *part != ONLY_PART)
    }

    fn entry(
        &self,
        document: &Document<'_>,
        suite: &SuiteName,
        mut problem: impl FnMut(String),
    ) -> Result<Entry, String> {
        let bench = self.command.bench(document, suite)?;
        let mut readings = Vec::with_capacity(self.events.len());
        for (event, total) in self.events.iter().zip(&self.totals) {
            match self.reading(event, *total) {
                Ok(reading) => readings.push(reading),
                // The counts beside a time are what they are.
                Err(error) if valgrind::is_time(event) => problem(error),
                Err(error) => return Err(error),
            }
        }
        let thread = self.thread.map(|thread| ("thread", thread.to_owned()));
        let part = ("part", self.part.unwrap_or(ONLY_PART).to_owned());
        Ok(Entry {
            caveats: Vec::new(),
            bench,
            facts: thread.into_iter().chain([part]).collect::<Facts>(),
            readings,
        })
    }
}

/// The costs of a dump, added up.
struct Costs {
    sums: Vec<u64>,
    /// Whether the next line is the cost of a call, which stands where the function called is as well.
    is_call: bool,
}

impl Costs {
    fn of(events: usize) -> Self {
        Self {
            sums: vec![0; events],
            is_call: false,
        }
    }

    fn add(&mut self, text: &str, positions: usize) -> Result<(), String> {
        if std::mem::take(&mut self.is_call) {
            return Ok(());
        }
        let mut sums = self.sums.iter_mut();
        for word in text.split_ascii_whitespace().skip(positions) {
            let sum = sums
                .next()
                .ok_or("a damaged line: it has more costs than there are events")?;
            let cost = word
                .parse::<u64>()
                .ok()
                .and_then(|cost| sum.checked_add(cost));
            *sum = cost.ok_or_else(|| format!("a damaged line: `{}` is no count", shown(word)))?;
        }
        Ok(())
    }
}
