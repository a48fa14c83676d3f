//! Reads what Criterion and cargo-criterion write to a terminal: a line with the time of a benchmark, and perhaps more
//! lines with its rates.
//!
//! What stands there is an estimate with its interval; the raw times are on disk, where the adapter `criterion` reads
//! them. Changes against an earlier run are left out. Tested by `fixtures/criterion_text`.

mod line;
mod metrics;

use tripline_model::{Metric, Reading, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::begun::Begun;
use crate::cargo::Program;
use crate::entry::Entry;
use crate::file_names::is_text;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::listing::Listing;
use crate::naming::bench_of_title;
use crate::place::{ReadError, shown};
use crate::reports::documents;
use crate::summary;
use line::{Interval, Line};
use metrics::Directions;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "criterion-text",
    about: "Criterion 0.2 to 0.8 and cargo-criterion: the text they write to a terminal, with `thrpt:` too",
    files: is_text,
    mark: Mark::Line(is_marked),
    hint: "run `cargo bench` and give all that it writes, or the directory `target/criterion`",
    read,
};

fn is_marked(text: &str) -> bool {
    matches!(Line::of(text), Line::Time { .. })
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    let mut begun = Begun::default();
    let mut directions = Directions::new();
    for document in documents(input, &ADAPTER) {
        let document = document?.told(&mut gathered);
        let listing = Listing {
            document: &document,
            suite,
            gathered: &mut gathered,
        };
        read_document(listing, &mut begun, &mut directions);
    }
    for metric in gathered.waiting_metrics() {
        metrics::decide(metric, &directions);
    }
    begun.tell("was begun", &mut gathered);
    gathered.finish(input, ADAPTER.hint)
}

fn read_document(mut listing: Listing<'_, '_>, begun: &mut Begun, directions: &mut Directions) {
    listing.note_overwritten(|text| !matches!(Line::of(text), Line::Target(_) | Line::Other));
    let document = listing.document;
    let mut reader = Reader {
        listing,
        name: None,
        target: None,
        open: None,
        last: None,
        begun,
        directions,
        cut_line: document.cut_line(),
    };
    for block in document.shown_lines() {
        reader.take(block.line, block.text);
    }
    reader.listing.close(&mut reader.open);
}

/// What is known while a text is read line by line.
struct Reader<'d, 'g> {
    listing: Listing<'d, 'g>,
    /// The line before, which is a name where a name is too long to stand before its time.
    name: Option<&'d str>,
    /// What cargo said it runs.
    target: Option<Program<'d>>,
    /// The newest result, which rates would belong to, and its line.
    open: Option<(usize, Entry)>,
    /// The benchmark that was begun last.
    last: Option<&'d str>,
    /// All that were begun, in this document and those before.
    begun: &'g mut Begun,
    /// Which way the intervals of metrics run, in these as well.
    directions: &'g mut Directions,
    /// The line within which the text ends.
    cut_line: Option<usize>,
}

impl<'d> Reader<'d, '_> {
    fn take(&mut self, line: usize, text: &'d str) {
        let before = self.name.take();
        match Line::of(text) {
            Line::Time { name, interval } => {
                let before = before.and_then(|before| line::as_far_in(before, text));
                let above = before.filter(|name| line::may_be_name(name));
                let found = name.or(above).and_then(line::behind_progress);
                self.listing.close(&mut self.open);
                match found {
                    Some(found) if name.is_some() && line::is_too_wide(found, text) => self
                        .listing
                        .problem(line, "a damaged result: something stands before its name"),
                    Some(name) => self.time(line, name, &interval),
                    None => self
                        .listing
                        .problem(line, "a damaged result: its name is missing"),
                }
            }
            Line::Rate(interval) => self.rate(line, &interval),
            Line::Refused(why) => {
                let text = format!("a benchmark has no result: {}", shown(why));
                self.listing.problem(line, text);
                if let Some(name) = self.last.take() {
                    self.begun.end(name);
                }
            }
            Line::Damaged => {
                self.listing.close(&mut self.open);
                self.listing.problem(line, "a damaged result");
            }
            Line::Target(target) => self.target = Some(target),
            Line::Other if self.cut_line == Some(line) && line::is_cut_label(text) => {
                self.listing.problem(line, "the text ends within a result");
            }
            Line::Other => {
                if let Some(name) = line::begun(text) {
                    self.begun.begin(name, self.listing.document.place(line, 1));
                    self.last = Some(name);
                }
                self.name = Some(text);
            }
        }
    }

    fn time(&mut self, line: usize, name: &'d str, interval: &Interval<'_>) {
        self.begun.end(name);
        match self.entry(name.trim(), interval) {
            Ok(entry) => self.open = Some((line, entry)),
            Err(text) => self.listing.problem(line, text),
        }
    }

    fn entry(&mut self, name: &str, interval: &Interval<'_>) -> Result<Entry, String> {
        let bench = bench_of_title(self.listing.suite, name)?;
        let readings = metrics::time(interval, self.directions)
            .and_then(|(metric, values)| summarized(&metric, values));
        let readings = readings.map_err(|error| {
            let bench = bench.within_suite();
            format!("the time of benchmark `{bench}` cannot be used: {error}")
        })?;
        Ok(Entry {
            caveats: Vec::new(),
            bench,
            facts: self.target.map(|target| target.facts()).unwrap_or_default(),
            readings,
        })
    }

    fn rate(&mut self, line: usize, interval: &Interval<'_>) {
        let Some((_, entry)) = &mut self.open else {
            let text = "a damaged result: a rate without a time";
            return self.listing.problem(line, text);
        };
        let taken = entry.readings.first().map(|reading| &reading.metric);
        let readings =
            metrics::rate(interval, taken).and_then(|(metric, values)| summarized(&metric, values));
        match readings {
            Ok(readings) => entry.readings.extend(readings),
            Err(text) => self
                .listing
                .problem(line, format!("a rate cannot be used: {text}")),
        }
    }
}

/// Returns an estimate, and the ends of the interval it lies in.
fn summarized(metric: &Metric, [first, estimate, last]: [f64; 3]) -> Result<Vec<Reading>, String> {
    // What one byte costs begins with what the longest time makes of it, as the highest rate would.
    let (lower, upper) = (first.min(last), first.max(last));
    Ok(vec![
        summary::standing_for(metric, estimate, None)?,
        summary::part(metric, "lower", lower)?,
        summary::part(metric, "upper", upper)?,
    ])
}

#[cfg(test)]
mod tests {
    use tripline_model::Better;

    use super::*;

    const RESULTS: [&str; 5] = [
        "store/get/64            time:   [1.2345 \u{b5}s 1.2400 \u{b5}s 1.2450 \u{b5}s]",
        "Benchmarking get: Analyzing\rget[0]                  time:   [1 ns 2 ns 3 ns]",
        // Criterion counts the bytes of a name, and not its letters.
        "\u{43a}\u{43b}\u{44e}\u{447}/\u{431}\u{44b}\u{441}\u{442}       time:   [1 ns 2 ns 3 ns]",
        "                        time:   [1 ns 2 ns 3 ns]",
        "                        thrpt:  [1.0 GiB/s 1.5 GiB/s 2.0 GiB/s]",
    ];

    #[test]
    fn all_intervals_of_a_unit_decide_what_is_better() {
        for (first, second, better) in [
            (
                "[60 fps 60 fps 60 fps]",
                "[58 fps 57 fps 56 fps]",
                Better::Higher,
            ),
            (
                "[3 fps 2 fps 1 fps]",
                "[60 fps 60 fps 60 fps]",
                Better::Higher,
            ),
            (
                "[60 fps 60 fps 60 fps]",
                "[56 fps 57 fps 58 fps]",
                Better::Lower,
            ),
        ] {
            let column =
                |name, interval| format!("{name}                     time:   {interval}\n");
            let text = column("get", first) + &column("set", second);
            let input = Input::from_bytes("out", text.into_bytes());
            let suite = SuiteName::new("kv").unwrap();
            let observed = ADAPTER.read(&input, &suite).unwrap();
            assert_eq!(
                (observed.observations.len(), observed.problems.len()),
                (2, 0)
            );
            for observation in observed.observations {
                assert_eq!(
                    observation.readings[0].metric.better, better,
                    "{first} {second}"
                );
            }
        }
    }

    #[test]
    fn a_result_that_is_cut_within_its_line_is_told_wherever_that_is() {
        for result in RESULTS {
            // Before its label stands a name, and a name alone can be anything.
            let labels = ["time:", "thrpt:"].map(|label| result.rfind(label));
            let label = labels.into_iter().flatten().max().unwrap();
            for end in label + 1..=result.len() {
                if result.is_char_boundary(end) {
                    check(result, end);
                }
            }
        }
    }

    #[track_caller]
    fn check(result: &str, end: usize) {
        let above = "a name that is longer than its column";
        let good = "set                     time:   [1 ns 2 ns 3 ns]";
        let is_rate = result.contains("thrpt:");
        let text = match is_rate {
            true => format!("{good}\n{}", &result[..end]),
            false => format!("{good}\n{above}\n{}", &result[..end]),
        };
        let input = Input::from_bytes("out", text.into_bytes());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        let readings = observed.observations.iter().map(|one| one.readings.len());
        let is_whole = readings.sum::<usize>() == 6;
        assert_eq!(is_whole, end == result.len(), "{result} at {end}");
        assert_eq!(observed.problems.is_empty(), is_whole, "{result} at {end}");
    }
}
