//! Reads the text that iai-callgrind and gungraun write: a benchmark's name, and below it what each tool counted.
//!
//! Before the `|` stands what was measured now, behind it an earlier run, which is left out. Names and metrics are those
//! that the summaries of both harnesses give. Tested by `fixtures/callgrind_text`.

mod line;
mod perf;
mod plain;
mod words;

use tripline_model::{Reading, SuiteName};

use crate::adapter::{Adapter, Mark};
use crate::file_names::is_text;
use crate::input::Input;
use crate::listing::Listing;
use crate::naming::{bench_id, name_of_module, params_of_id};
use crate::place::{ReadError, shown};
use crate::reports::read_targets;
use crate::valgrind::{self, CALLGRIND, Count};
use crate::{Observation, Observed};
use line::{Line, Value};
use words::InWords;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "callgrind-text",
    about: "iai-callgrind 0.1 to 0.16 and gungraun 0.17 to 0.20: the text they write to a terminal",
    files: is_text,
    mark: Mark::Line(is_marked),
    hint: "run `cargo bench` on the benches and give all that it writes",
    read,
};

/// A rate is a quotient of counts, and a change in it cannot be judged without them.
const RATES_ALONE: &str =
    "rates without the counts they are made of, which are not read: let the counts be printed too";

fn is_marked(text: &str) -> bool {
    matches!(Line::of(text), Line::Metric { .. } | Line::Ended { .. }) || plain::is_marked(text)
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_targets(input, &ADAPTER, &mut |document, gathered| {
        let listing = Listing {
            document,
            suite,
            gathered,
        };
        let is_plain = plain::is_plain(document);
        let cut_line = document.cut_line();
        let mut reader = Reader {
            listing,
            begun: None,
            short_name: None,
            wrapped: None,
            in_details: false,
            named: 0,
            has_told_of_rates: false,
        };
        for block in document.shown_lines() {
            if reader.in_details && line::is_of_details(block.text) {
                continue;
            }
            let is_cut = cut_line == Some(block.line);
            let plain = is_plain.then(|| plain::line(block.text, is_cut)).flatten();
            reader.take(block.line, plain.unwrap_or_else(|| Line::of(block.text)));
        }
        reader.end_wrapped();
        reader.end();
        Ok(())
    })
}

/// A benchmark whose metrics are being read.
struct Begun<'d> {
    line: usize,
    module: &'d str,
    id: Option<&'d str>,
    tool: &'static str,
    /// Whether the lines are of a part of it, or of another benchmark.
    is_skipped: bool,
    readings: Vec<Read>,
    /// Whether it has shares of accesses that hit a cache, and of those that missed one.
    has_hit_rates: bool,
    has_miss_rates: bool,
    is_told: bool,
}

impl<'d> Begun<'d> {
    fn new(line: usize, module: &'d str, id: Option<&'d str>) -> Self {
        Self {
            line,
            module,
            id,
            tool: line::DEFAULT_TOOL,
            is_skipped: false,
            readings: Vec::new(),
            has_hit_rates: false,
            has_miss_rates: false,
            is_told: false,
        }
    }

    /// Returns whether any of its lines has come.
    fn has_any(&self) -> bool {
        self.is_told || self.has_rates() || !self.readings.is_empty()
    }

    fn has_rates(&self) -> bool {
        self.has_hit_rates || self.has_miss_rates
    }

    /// Returns whether it has rates, and not the counts that they are quotients of.
    fn lacks_counts(&self) -> bool {
        let lacks = |kind: &str| {
            let mut readings = self.readings.iter();
            !readings.any(|read| read.reading.metric.name.as_str().contains(kind))
        };
        self.has_hit_rates && lacks("hits") || self.has_miss_rates && lacks("misses")
    }
}

/// A reading, and where it stands.
struct Read {
    line: usize,
    tool: &'static str,
    reading: Reading,
}

struct Reader<'d, 'g> {
    listing: Listing<'d, 'g>,
    begun: Option<Begun<'d>>,
    /// The line before, if it is a short name: one only if metrics follow.
    short_name: Option<Begun<'d>>,
    /// A label of perf that was too long for a line with its values, if the line before is one.
    wrapped: Option<(usize, &'d str)>,
    /// Whether what a tool printed has begun, and no other line came since.
    in_details: bool,
    /// How many benchmarks were named since a harness ended.
    named: u64,
    /// Whether it was said that rates are left out.
    has_told_of_rates: bool,
}

impl<'d> Reader<'d, '_> {
    fn take(&mut self, line: usize, what: Line<'d>) {
        self.in_details = what == Line::Details;
        if let (Line::Values(value), Some((line, label))) = (&what, self.wrapped) {
            self.wrapped = None;
            return self.metric(line, label, *value);
        }
        self.end_wrapped();
        if let Some(short) = self.short_name.take()
            && what.is_below_short_name()
            && self.begun.as_ref().is_none_or(Begun::has_any)
        {
            self.begin(short);
        }
        match what {
            Line::Name { module, id } => self.begin(Begun::new(line, module, id)),
            Line::ShortName { module, id } => self.short_name = Some(Begun::new(line, module, id)),
            Line::Tool(tool) => {
                if let Some(begun) = &mut self.begun {
                    begun.tool = tool;
                    begun.is_skipped = false;
                }
            }
            Line::Part { is_total } => {
                if let Some(begun) = &mut self.begun {
                    begun.is_skipped = !is_total;
                }
            }
            Line::Comparison => {
                if let Some(begun) = &mut self.begun {
                    begun.is_skipped = true;
                }
            }
            Line::Metric { label, value } => self.metric(line, label, value),
            Line::InWords(words) => self.in_words(line, words),
            Line::Ended { benchmarks } => {
                self.end();
                let named = std::mem::take(&mut self.named);
                if named != benchmarks {
                    let text = format!(
                        "the run that ends here had {benchmarks} benchmarks, and {named} are found"
                    );
                    self.listing.problem(line, text);
                }
            }
            // Only below a name is such a line a metric that was cut off.
            Line::Begun | Line::Label(_) if self.begun.is_none() => {}
            Line::Label(label) if self.is_of(valgrind::PERF) => self.wrapped = Some((line, label)),
            Line::Begun | Line::Label(_) | Line::Values(_) | Line::Damaged => self.damaged(line),
            Line::Details | Line::Other => {}
        }
    }

    fn is_of(&self, tool: &str) -> bool {
        self.begun.as_ref().is_some_and(|begun| begun.tool == tool)
    }

    /// Takes note of a label whose values are missing.
    fn end_wrapped(&mut self) {
        if let Some((line, _)) = self.wrapped.take() {
            self.damaged(line);
        }
    }

    fn begin(&mut self, begun: Begun<'d>) {
        self.end();
        self.named += 1;
        self.begun = Some(begun);
    }

    fn metric(&mut self, line: usize, label: &str, value: Value) {
        let Some(begun) = &mut self.begun else {
            let text = "a damaged result: its name is missing";
            return self.listing.problem(line, text);
        };
        if begun.is_skipped {
            return;
        }
        if label.ends_with("Rate") {
            let is_of_hits = label.ends_with("Hit Rate");
            begun.has_hit_rates |= is_of_hits;
            begun.has_miss_rates |= !is_of_hits;
            return;
        }
        let (tool, name) = line::metric_of(begun.tool, label);
        let reading = match (tool, value) {
            (valgrind::PERF, value) => perf::reading(label, value),
            (_, Value::Count(count)) => valgrind::reading_of(tool, &name, Count::Whole(count)),
            (_, Value::Real(value)) => valgrind::reading_of(tool, &name, Count::Real(value)),
            (_, Value::NotMeasured) => valgrind::reading_of(tool, &name, Count::NotMeasured),
        };
        match reading {
            Ok(reading) => begun.readings.push(Read {
                line,
                tool,
                reading,
            }),
            Err(error) => {
                begun.is_told = true;
                let text = format!(
                    "metric `{}` of benchmark `{}` cannot be used: {error}",
                    shown(label),
                    shown(begun.module)
                );
                self.listing.problem(line, text);
            }
        }
    }

    fn in_words(&mut self, line: usize, words: InWords) {
        let tool = self.begun.as_ref().map(|begun| begun.tool);
        // Elsewhere it is what a benchmark printed.
        if !tool.is_some_and(|tool| words.tools.contains(&tool)) {
            return;
        }
        let Some(counts) = words.counts else {
            return self.damaged(line);
        };
        for (name, count) in counts {
            self.metric(line, name, Value::Count(count));
        }
    }

    fn damaged(&mut self, line: usize) {
        if let Some(begun) = &mut self.begun {
            begun.is_told = true;
        }
        self.listing.problem(line, "a damaged result");
    }

    /// Takes the benchmark over whose lines have ended.
    fn end(&mut self) {
        let Some(begun) = self.begun.take() else {
            return;
        };
        let params = begun.id.map(params_of_id).unwrap_or_default();
        let name = name_of_module(begun.module).unwrap_or_else(|| begun.module.to_owned());
        let bench = match bench_id(self.listing.suite, &name, &params) {
            Ok(bench) => bench,
            Err(error) => return self.listing.problem(begun.line, error),
        };
        if begun.readings.is_empty() {
            if !begun.is_told {
                let bench = bench.within_suite();
                let text = match begun.has_rates() {
                    true => format!("benchmark `{bench}` has {RATES_ALONE}"),
                    false => format!("nothing was measured of benchmark `{bench}`"),
                };
                self.listing.problem(begun.line, text);
            }
            return;
        }
        if begun.lacks_counts() && !std::mem::replace(&mut self.has_told_of_rates, true) {
            let text = format!("there are {RATES_ALONE}");
            let place = self.listing.document.place(begun.line, 1);
            self.listing.gathered.remark(place, text);
        }
        let mut readings = begun.readings;
        self.tell_apart(&mut readings);
        let named = Observation {
            bench,
            caveats: valgrind::tiny_count(readings.iter().map(|read| &read.reading))
                .into_iter()
                .collect(),
            readings: Vec::new(),
            answer: None,
        };
        let place = |line| self.listing.document.place(line, 1);
        // The benchmark stands where its name does.
        let target = valgrind::target_of(begun.module);
        self.listing
            .gathered
            .add_of(target, named.clone(), place(begun.line));
        // One by one, so that a metric that stands twice is told and takes no other with it.
        for read in readings {
            let one = Observation {
                readings: vec![read.reading],
                caveats: Vec::new(),
                ..named.clone()
            };
            self.listing.gathered.add_of(target, one, place(read.line));
        }
    }

    /// Gives names of their own to metrics that two tools counted.
    fn tell_apart(&mut self, readings: &mut Vec<Read>) {
        if !readings.iter().any(|read| read.tool == CALLGRIND) {
            return;
        }
        readings.retain_mut(|read| {
            let named = valgrind::name_beside_callgrind(read.tool, &mut read.reading);
            if let Err(error) = &named {
                self.listing.problem(read.line, error.to_string());
            }
            named.is_ok()
        });
    }
}
