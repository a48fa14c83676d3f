//! Reads cargo-criterion's messages: the lines of `cargo criterion --message-format=json`.
//!
//! Each `benchmark-complete` message holds the raw totals and iteration counts, from which the times are computed; its
//! own estimates are not read. Tested by `fixtures/cargo_criterion`.

use serde::Deserialize;
use tripline_model::{Reading, SuiteName};

use crate::adapter::{Adapter, Mark};
use crate::document::{Block, Document};
use crate::file_names::is_json_lines;
use crate::input::Input;
use crate::json::{self, Text};
use crate::naming::bench_of_title;
use crate::place::{Problem, ReadError, shown};
use crate::reports::read_documents;
use crate::worked_through::Stated;
use crate::{Observation, Observed, own, wall_time};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "cargo-criterion",
    about: "cargo-criterion 1.1: JSON lines of `--message-format=json`",
    files: is_json_lines,
    mark: Mark::Object(is_marked),
    hint: "run `cargo criterion --message-format=json` and give its standard output",
    read,
};

/// The message that holds a result.
const RESULT: &str = "benchmark-complete";

/// A member that stands in results and in no other message; it gives away a result whose own mark is damaged.
const MARK: &str = "\"measured_values\"";

/// The units of time a measurement may be in, in nanoseconds. The micro sign has two code points.
const UNITS: &[(&str, f64)] = &[
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("μs", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
];

fn is_marked(object: &str) -> bool {
    object.contains("\"benchmark-complete\"") || object.contains("\"group-complete\"")
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        for block in document.blocks() {
            match observe(&document, &block, suite) {
                Ok(None) => {}
                Ok(Some(observation)) => gathered.add(observation, document.place(block.line, 1)),
                Err(problem) => gathered.note(problem),
            }
        }
    })
}

/// Any message, of cargo-criterion or of cargo itself.
#[derive(Deserialize)]
struct Message<'t> {
    #[serde(borrow)]
    reason: Option<Text<'t>>,
}

/// A result. The values are totals over the iterations beside them.
#[derive(Deserialize)]
struct BenchmarkComplete<'t> {
    #[serde(borrow)]
    id: Text<'t>,
    iteration_count: Vec<u64>,
    measured_values: Vec<f64>,
    #[serde(borrow)]
    unit: Text<'t>,
    #[serde(borrow, default)]
    throughput: Vec<Stated<'t>>,
}

/// Reads one block: a result, nothing, or something that should have been a result.
fn observe(
    document: &Document<'_>,
    block: &Block<'_>,
    suite: &SuiteName,
) -> Result<Option<Observation>, Problem> {
    let problem = |text: String| Problem {
        place: document.place(block.line, 1),
        text,
    };
    if !block.is_object() {
        let is_damaged = block.text.contains(MARK);
        let text = "a damaged result: it does not begin with `{`";
        return if is_damaged {
            Err(problem(text.to_owned()))
        } else {
            Ok(None)
        };
    }
    let message: Message<'_> = json::parse(document, block)?;
    if message.reason.as_deref() != Some(RESULT) {
        // Groups are known by their benchmarks; the rest is cargo's.
        if block.text.contains(MARK) {
            return Err(problem(format!("a result without the reason `{RESULT}`")));
        }
        return Ok(None);
    }
    let result: BenchmarkComplete<'_> = json::parse(document, block)?;
    result.into_observation(suite).map(Some).map_err(problem)
}

impl BenchmarkComplete<'_> {
    /// Returns what a measurement of the author's own counted. How much of it was worked through in a time nobody knows.
    fn counted(&self, unit: &str) -> Result<Reading, String> {
        let iterations = self.iteration_count.clone();
        let Reading { sample, .. } = wall_time::reading(&self.measured_values, iterations, 1.0)?;
        let metric = own::cost(unit)?;
        Ok(Reading { metric, sample })
    }

    fn into_observation(self, suite: &SuiteName) -> Result<Observation, String> {
        let bench = bench_of_title(suite, &self.id)?;
        let of_bench = |error: String| {
            let bench = bench.within_suite();
            format!("the times of benchmark `{bench}` cannot be used: {error}")
        };
        if let Some(unit) = own::counted(&self.unit) {
            let reading = self.counted(unit).map_err(of_bench)?;
            return Ok(Observation {
                caveats: wall_time::caveats(&reading),
                readings: vec![reading],
                answer: None,
                bench,
            });
        }
        let unit = UNITS.iter().find(|(symbol, _)| *symbol == &*self.unit);
        let (_, nanoseconds) = unit.ok_or_else(|| {
            let unit = shown(&self.unit);
            of_bench(format!("`{unit}` is none of the units ns, us, ms and s"))
        })?;
        let iterations = self.iteration_count.iter().map(|count| *count as f64).sum();
        let total = self.measured_values.iter().sum::<f64>() * nanoseconds;
        let reading = wall_time::reading(&self.measured_values, self.iteration_count, *nanoseconds)
            .map_err(of_bench)?;
        let caveats = wall_time::caveats(&reading);
        let mut readings = vec![reading];
        for stated in &self.throughput {
            let rate = stated
                .per_iteration()
                .and_then(|of_one| of_one.rate(iterations, total));
            readings.push(rate.map_err(of_bench)?);
        }
        Ok(Observation {
            caveats,
            readings,
            answer: None,
            bench,
        })
    }
}
