//! Reads the text of iai: a benchmark's name, and below it five counts.
//!
//! Change against an earlier run stands behind each and is left out. Tested by `fixtures/iai`.

use tripline_model::{Metric, Reading, Sample, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::apart::Facts;
use crate::cargo::Program;
use crate::colours::overwritten;
use crate::entry::Entry;
use crate::file_names::is_text;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::naming::bench_of_name;
use crate::place::{ReadError, shown};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "iai",
    about: "iai 0.1: the text it writes",
    files: is_text,
    mark: Mark::Line(is_marked),
    hint: "run `cargo bench` on iai's benches and give all that it writes",
    read,
};

/// The counts of a benchmark, in their order. What is called an access there is one that was served at that level.
const COUNTS: [(&str, &str); 5] = [
    ("Instructions:", "instructions"),
    ("L1 Accesses:", "l1_hits"),
    ("L2 Accesses:", "ll_hits"),
    ("RAM Accesses:", "ram_hits"),
    ("Estimated Cycles:", "estimated_cycles"),
];

fn is_marked(text: &str) -> bool {
    let text = overwritten(text);
    ["  L1 Accesses:", "  L2 Accesses:", "  RAM Accesses:"]
        .iter()
        .any(|label| text.starts_with(label) && !text.contains('|'))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, read_listing)
}

/// A benchmark whose counts are being read.
struct Begun<'d> {
    line: usize,
    name: &'d str,
    readings: Vec<Reading>,
    /// What cargo said it runs.
    facts: Facts,
}

fn read_listing(mut listing: Listing<'_, '_>) {
    let mut before = Begun {
        line: 1,
        name: "",
        readings: Vec::new(),
        facts: Facts::new(),
    };
    let cut_line = listing.document.cut_line();
    for block in listing.document.shown_lines() {
        let label = label_of(block.text);
        let is_next = COUNTS.get(before.readings.len()).map(|(label, _)| *label) == label;
        let cut_off = label.is_none() || !is_next;
        if cut_off && !before.readings.is_empty() {
            before.end(&mut listing);
        }
        match label {
            None => {
                before.line = block.line;
                before.name = block.text;
                let target = Program::of(block.text).filter(Program::is_certain);
                if let Some(target) = target {
                    before.facts = target.facts();
                }
                if has_count(block.text) {
                    let text = "a damaged result: what it counts is not known";
                    listing.problem(block.line, text);
                }
            }
            Some(_) if !is_next => {
                let text = "a damaged result: a count before it is missing";
                listing.problem(block.line, text);
                before.readings.clear();
            }
            Some(label) => match reading(label, block.text, cut_line == Some(block.line)) {
                Ok(reading) => before.readings.push(reading),
                Err(error) => {
                    let name = shown(before.name);
                    let text = format!("benchmark `{name}` cannot be used: {error}");
                    listing.problem(block.line, text);
                    before.readings.clear();
                }
            },
        }
    }
    if !before.readings.is_empty() {
        before.end(&mut listing);
    }
}

fn label_of(text: &str) -> Option<&'static str> {
    let text = text.strip_prefix("  ")?;
    let found = COUNTS.iter().find(|(label, _)| text.starts_with(label));
    found.map(|(label, _)| *label)
}

/// Returns whether a text has the form of a count, whatever became of its label.
fn has_count(text: &str) -> bool {
    let Some((label, rest)) = text.split_once(':') else {
        return false;
    };
    let is_label = COUNTS.iter().any(|(known, _)| {
        let known = known.trim_end_matches(':');
        known.contains(label.trim()) && label.trim().len() > 2 || label.contains(known)
    });
    is_label || is_in_column(text, rest)
}

/// Returns whether a text is as far in as a count, and what stands behind its label is a number that ends where they do, give or
/// take a sign that was lost: other programs print labels and numbers too.
fn is_in_column(text: &str, rest: &str) -> bool {
    let blanks = text.len() - text.trim_start_matches(' ').len();
    let number = rest.split_ascii_whitespace().next().unwrap_or_default();
    let behind = rest.trim_start().strip_prefix(number).unwrap_or_default();
    let end = text.len() - behind.len();
    let is_alone = behind.trim().is_empty() || behind.starts_with(" (");
    blanks == 2 && is_alone && COLUMN.abs_diff(end) <= 1 && number.parse::<u64>().is_ok()
}

fn reading(label: &str, text: &str, is_cut: bool) -> Result<Reading, String> {
    let (_, metric) = COUNTS
        .iter()
        .find(|(known, _)| *known == label)
        .ok_or("no such count")?;
    let rest = text.trim_start().strip_prefix(label).unwrap_or_default();
    let mut words = rest.split_ascii_whitespace();
    let number = words.next().unwrap_or_default();
    let is_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let count: Option<u64> = number.parse().ok().filter(|_| is_digits);
    let count = count.ok_or_else(|| format!("`{}` is no count", shown(number)))?;
    let change = words.collect::<Vec<_>>().join(" ");
    let is_change = change.is_empty() || change.starts_with('(') && change.ends_with(')');
    // A number that ends before its column does has lost digits.
    if !is_change || is_cut && text.len() < COLUMN {
        return Err("a count is cut off".to_owned());
    }
    let metric = Metric::known(metric).expect("the metric is in the table");
    let sample = Sample::new([count as f64]).map_err(|error| error.to_string())?;
    Ok(Reading { metric, sample })
}

/// Where the column of the numbers ends.
const COLUMN: usize = 35;

impl Begun<'_> {
    fn end(&mut self, listing: &mut Listing<'_, '_>) {
        let readings = std::mem::take(&mut self.readings);
        let entry = self.entry(listing.suite, readings);
        listing.take(self.line, entry);
    }

    fn entry(&self, suite: &SuiteName, readings: Vec<Reading>) -> Result<Entry, String> {
        if readings.len() < COUNTS.len() {
            let name = shown(self.name);
            return Err(format!(
                "benchmark `{name}` cannot be used: counts are missing"
            ));
        }
        let bench = bench_of_name(suite, &self.name.replace("::", "/"))?;
        Ok(Entry {
            facts: self.facts.clone(),
            ..Entry::new(bench, readings)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_ends_within_a_line_has_lost_no_count_above_it() {
        let counts: String = COUNTS
            .iter()
            .map(|(label, _)| format!("  {label} 7\n"))
            .collect();
        let read_text = |text: String| {
            let input = Input::from_bytes("out.txt", text.into_bytes());
            let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
            (observed.observations.len(), observed.problems.len())
        };
        assert_eq!(read_text(format!("get\n{counts}\nbye")), (1, 0));
        assert_eq!(
            read_text(format!("get\n{counts}\nset\n{}", counts.trim_end())),
            (1, 1)
        );
    }
}
