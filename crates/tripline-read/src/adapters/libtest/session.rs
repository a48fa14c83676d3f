//! The runs of harnesses in one text, one after another, and what each says it measured.
//!
//! Tested by `fixtures/libtest`.

use tripline_model::{Metric, Reading, Unit};

use super::event::{self, Event};
use super::line::{Line, Numbers};
use crate::cargo::Program;
use crate::document::Block;
use crate::entry::Entry;
use crate::json;
use crate::listing::Listing;
use crate::naming::bench_of_title;
use crate::place::shown;
use crate::{own, summary};

/// A run of a harness that has not ended yet.
struct Open {
    line: usize,
    measured: u64,
    failed: u64,
}

/// The runs of a text.
pub(super) struct Sessions<'d, 'g> {
    listing: Listing<'d, 'g>,
    open: Option<Open>,
    /// What cargo said it runs.
    target: Option<Program<'d>>,
    /// The benchmark whose name was written, and not yet its numbers.
    begun: Option<String>,
}

impl<'d, 'g> Sessions<'d, 'g> {
    pub(super) fn new(listing: Listing<'d, 'g>) -> Self {
        Self {
            listing,
            open: None,
            target: None,
            begun: None,
        }
    }

    /// Takes note of a line.
    pub(super) fn take_line(&mut self, line: usize, what: Line<'d>, is_cut: bool) {
        match what {
            // Its end may be missing, and a whole one within a harness's run is never the last line.
            Line::Result { .. } if is_cut && self.open.is_some() => {
                self.listing
                    .problem(line, "a damaged result: the text is cut off in it");
            }
            Line::Result { name, numbers } => {
                let begun = self.begun.take();
                match name.or(begun.as_deref()) {
                    Some(name) => self.measured(line, name, numbers),
                    None => self
                        .listing
                        .problem(line, "a damaged result: its name is missing"),
                }
            }
            Line::Begun { name } => self.begun = Some(name.to_owned()),
            Line::Failed { name } => {
                let begun = self.begun.take();
                if let Some(name) = name.or(begun.as_deref()) {
                    self.failed(line, name);
                }
            }
            Line::Running => self.run(line),
            Line::Ended { failed, measured } => self.end(line, failed, measured),
            Line::Target(target) => self.target = Some(target),
            Line::Damaged => self.listing.problem(line, "a damaged result"),
            Line::Done => self.begun = None,
            Line::Other => {}
        }
    }

    /// Takes note of an event.
    pub(super) fn take_object(&mut self, block: &Block<'_>) {
        if !event::is_event(block.text) {
            return;
        }
        let event: Event<'_> = match json::parse(self.listing.document, block) {
            Ok(event) => event,
            Err(problem) => return self.listing.gathered.note(problem),
        };
        let name = event.name.as_deref();
        match (&*event.kind, event.event.as_deref()) {
            ("bench", _) => match (name, event.numbers()) {
                (Some(name), Some(numbers)) => self.measured(block.line, name, numbers),
                _ => self.listing.problem(
                    block.line,
                    "a damaged result: its name or a number is missing",
                ),
            },
            ("suite", Some("started")) => self.run(block.line),
            ("suite", _) => match (event.failed, event.measured) {
                (Some(failed), Some(measured)) => self.end(block.line, failed, measured),
                _ => self
                    .listing
                    .problem(block.line, "a damaged end of a run: a count is missing"),
            },
            ("test", Some("failed" | "timeout")) => {
                self.failed(block.line, name.unwrap_or("without a name"));
            }
            _ => {}
        }
    }

    fn measured(&mut self, line: usize, name: &str, numbers: Numbers) {
        if let Some(open) = &mut self.open {
            open.measured += 1;
        }
        let entry = self.entry(name, numbers);
        self.listing.take(line, entry);
    }

    fn entry(&self, name: &str, numbers: Numbers) -> Result<Entry, String> {
        let bench = bench_of_title(self.listing.suite, &name.replace("::", "/"))?;
        let readings = numbers.readings().map_err(|error| {
            let bench = bench.within_suite();
            format!("benchmark `{bench}` cannot be used: {error}")
        })?;
        Ok(Entry {
            caveats: Vec::new(),
            bench,
            facts: self.target.map(|target| target.facts()).unwrap_or_default(),
            readings,
        })
    }

    fn failed(&mut self, line: usize, name: &str) {
        if let Some(open) = &mut self.open {
            open.failed += 1;
        }
        self.listing
            .problem(line, format!("`{}` failed", shown(name)));
    }

    fn run(&mut self, line: usize) {
        self.close();
        self.open = Some(Open {
            line,
            measured: 0,
            failed: 0,
        });
    }

    /// Says of a harness that has not ended that it did not come to its end.
    pub(super) fn close(&mut self) {
        self.begun = None;
        if let Some(open) = self.open.take() {
            self.listing.problem(
                open.line,
                "the run that begins here does not end: results may be missing",
            );
        }
    }

    fn end(&mut self, line: usize, failed: u64, measured: u64) {
        self.begun = None;
        let Some(open) = self.open.take() else {
            return self.listing.problem(
                line,
                "a run ends here that did not begin: results may be missing",
            );
        };
        if (open.measured, open.failed) != (measured, failed) {
            let text = format!(
                "the run that ends here measured {measured} benchmarks, and {failed} failed; found are {} and {}",
                open.measured, open.failed
            );
            self.listing.problem(line, text);
        }
    }
}

impl Numbers {
    /// The harness gives the median; what it calls deviation is another number with each program that writes this form.
    fn readings(&self) -> Result<Vec<Reading>, String> {
        let taken = match self.counted {
            None => Metric::known("wall_time").expect("the metric is in the table"),
            Some(unit) => own::cost(unit)?,
        };
        let mut readings = vec![
            summary::standing_for(&taken, self.taken, None)?,
            summary::part(&taken, "deviation", self.deviation)?,
        ];
        if let Some(rate) = self.throughput {
            let metric = own::throughput(Unit::BytePerSecond);
            readings.push(summary::standing_for(&metric, rate, None)?);
        }
        Ok(readings)
    }
}
