//! Reads Catch2's benchmarks: the tables of its console reporter, and its XML.
//!
//! Both give the mean and its bounds; the console rounds them. A benchmark is named after its test case, the sections it
//! stands in, and itself. Tested by `fixtures/catch2`.

mod console;
mod xml;

use tripline_model::{Metric, Reading, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::entry::Entry;
use crate::file_names::has_extension;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::naming::bench_of_name;
use crate::place::{ReadError, shown};
use crate::summary;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "catch2",
    about: "Catch2 2 and 3: the console's tables, with and without analysis, and `--reporter xml`",
    files: |path| has_extension(path, &["xml", "txt"]),
    mark: Mark::Line(|line| console::is_mark(line) || xml::is_mark(line)),
    hint: "run the tests with `--reporter xml` and give their standard output",
    read,
};

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, read_listing)
}

fn read_listing(mut listing: Listing<'_, '_>) {
    let text = listing.document.text();
    if text.lines().any(xml::is_mark) {
        xml::read(&mut listing);
    } else if text.lines().any(console::is_header) {
        console::read(&mut listing);
    }
}

/// What was estimated: all in nanoseconds.
#[derive(Debug, Default, Clone)]
struct Estimates {
    samples: u64,
    iterations: u64,
    mean: f64,
    /// The bounds of the mean.
    bounds: Option<(f64, f64)>,
    stddev: Option<f64>,
}

impl Estimates {
    fn entry(&self, suite: &SuiteName, names: &[String]) -> Result<Entry, String> {
        let name = names.join("/");
        let bench = bench_of_name(suite, &name);
        let entry = bench.and_then(|bench| Ok(Entry::new(bench, self.readings()?)));
        entry.map_err(|error| format!("benchmark `{}` cannot be used: {error}", shown(&name)))
    }

    fn readings(&self) -> Result<Vec<Reading>, String> {
        let metric = Metric::known("wall_time").expect("the metric is in the table");
        let total = self
            .samples
            .checked_mul(self.iterations)
            .filter(|total| *total > 0);
        let mut readings = vec![summary::standing_for(&metric, self.mean, total)?];
        if let Some((low, high)) = self.bounds {
            readings.push(summary::part(&metric, "mean_lower", low)?);
            readings.push(summary::part(&metric, "mean_upper", high)?);
        }
        if let Some(stddev) = self.stddev {
            readings.push(summary::part(&metric, "stddev", stddev)?);
        }
        readings.push(summary::rounds(self.samples)?);
        Ok(readings)
    }
}
