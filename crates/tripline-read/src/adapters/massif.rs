//! Reads what valgrind's massif writes: snapshots of the heap, of which the highest is the result.
//!
//! massif marks the highest snapshot itself; a file without that mark is cut, or of a program without heap. The command is
//! the benchmark. Tested by `fixtures/massif`.

use std::path::Path;

use tripline_model::{Better, Metric, MetricName, Nature, Reading, Sample, SuiteName, Unit};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::document::Document;
use crate::entry::Entry;
use crate::file_names::{has_extension, is_out_of};
use crate::input::Input;
use crate::listing::read_listings;
use crate::place::{ReadError, shown};
use crate::valgrind::Command;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "massif",
    about: "valgrind: the file `massif.out.*`",
    files: is_file,
    mark: Mark::Line(is_marked),
    hint: "run `valgrind --tool=massif COMMAND` and give the file it writes",
    read,
};

/// The values of a snapshot: the heap, what managing it takes, and the stacks where `--stacks=yes` asked for them.
const VALUES: [&str; 3] = ["mem_heap_B=", "mem_heap_extra_B=", "mem_stacks_B="];

const NO_PEAK: &str =
    "no snapshot is marked as the peak: the file is cut off, or the program used no heap";
const NO_HEAP: &str = "the heap was not measured (`--heap=no`), and of the stacks alone no snapshot is marked as the peak: measure without that option";

fn is_file(path: &Path) -> bool {
    has_extension(path, &["txt", "out"]) || is_out_of("massif", path)
}

fn is_marked(text: &str) -> bool {
    text.starts_with("mem_heap_B=")
        || text.starts_with("desc: --massif")
        || text.starts_with("time_unit: ")
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, |mut listing| {
        let mut reader = Reader::default();
        for block in listing.document.lines() {
            reader.take(block.line, block.text);
        }
        match reader.entry(listing.document, suite) {
            Ok((line, entry)) => listing.keep(line, entry),
            Err(text) => listing.problem(reader.line.max(1), text),
        }
    })
}

fn is_behind_command(text: &str) -> bool {
    text.starts_with("time_unit: ") || text.starts_with("#---")
}

/// The snapshot that is being read, and the highest.
#[derive(Default)]
struct Reader<'d> {
    line: usize,
    command: Command,
    /// Whether the pages that were mapped are counted, and not what was allocated.
    is_of_pages: bool,
    /// Whether the heap was left out. Only what happens to it makes a peak: the stacks are looked at now and then.
    is_without_heap: bool,
    snapshot: [Option<&'d str>; VALUES.len()],
    peak: Option<(usize, [Option<&'d str>; VALUES.len()])>,
}

impl<'d> Reader<'d> {
    fn take(&mut self, line: usize, text: &'d str) {
        self.line = line;
        if self.command.go_on(text, is_behind_command) {
            return;
        }
        if let Some(command) = text.strip_prefix("cmd: ") {
            self.command.begin(command);
        } else if text.starts_with("desc: ") {
            self.is_of_pages = text.contains("--pages-as-heap=yes");
            self.is_without_heap = text.contains("--heap=no") && !self.is_of_pages;
        } else if text.starts_with("snapshot=") {
            self.snapshot = [None; VALUES.len()];
        } else if text.trim_end() == "heap_tree=peak" {
            self.peak = Some((line, self.snapshot));
        }
        for (value, label) in self.snapshot.iter_mut().zip(VALUES) {
            if let Some(number) = text.strip_prefix(label) {
                *value = Some(number.trim());
            }
        }
    }

    /// Returns what the highest snapshot says, and its line.
    fn entry(&self, document: &Document<'_>, suite: &SuiteName) -> Result<(usize, Entry), String> {
        let (line, values) = self.peak.ok_or(match self.is_without_heap {
            true => NO_HEAP,
            false => NO_PEAK,
        })?;
        let bench = self.command.bench(document, suite)?;
        let mut counts = [0; VALUES.len()];
        for ((count, value), label) in counts.iter_mut().zip(values).zip(VALUES) {
            let label = label.trim_end_matches('=');
            let value = value.ok_or_else(|| format!("the peak has no `{label}`"))?;
            let is_digits = value.bytes().all(|byte| byte.is_ascii_digit());
            let number: Option<u64> = value.parse().ok().filter(|n| is_digits && *n < 1 << 53);
            *count = number
                .ok_or_else(|| format!("the peak's `{label}` is no count: `{}`", shown(value)))?;
        }
        let readings = match self.is_of_pages {
            true => vec![reading("mapped_peak", counts.iter().sum())?],
            false => readings(counts)?,
        };
        Ok((line, Entry::new(bench, readings)))
    }
}

/// Where stacks were measured the peak is that of heap and stacks together, and the heap alone may have been higher.
fn readings([heap, extra, stacks]: [u64; VALUES.len()]) -> Result<Vec<Reading>, String> {
    if stacks == 0 {
        return Ok(vec![
            reading("heap_peak", heap)?,
            reading("heap_peak_overhead", extra)?,
        ]);
    }
    Ok(vec![
        reading("heap_and_stack_peak", heap + extra + stacks)?,
        reading("heap_at_peak", heap)?,
        reading("heap_overhead_at_peak", extra)?,
        reading("stack_at_peak", stacks)?,
    ])
}

fn reading(name: &str, bytes: u64) -> Result<Reading, String> {
    let metric = Metric::known(name).unwrap_or_else(|| Metric {
        name: MetricName::new(name).expect("the name is a constant"),
        unit: Unit::Byte,
        better: match name {
            "heap_and_stack_peak" | "mapped_peak" => Better::Lower,
            _ => Better::Neither,
        },
        nature: Nature::Exact,
    });
    let sample = Sample::new([bytes as f64]).map_err(|error| format!("{name}: {error}"))?;
    Ok(Reading { metric, sample })
}
