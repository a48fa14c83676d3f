//! Reads pytest-benchmark's report: the file of `--benchmark-json`, those that `--benchmark-autosave` keeps, the CSV that
//! is made of them, or the tables that it prints.
//!
//! The raw times are read where they are kept, and else the statistics made of them. What a test itself puts into
//! `extra_info` is no measurement and is not read. Tested by `fixtures/pytest_benchmark`.

mod kept;
mod naming;
mod table;
mod table_csv;
mod times;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use tripline_model::{BenchId, Reading, SuiteName};

use crate::adapter::{Adapter, Mark};
use crate::apart::{Facts, tell_apart};
use crate::document::{Block, Document, blocks};
use crate::file_names::is_json;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::json::{self, Members, Text};
use crate::place::{Place, ReadError};
use crate::reports::{check_whole, documents};
use crate::vocabulary::Vocabulary;
use crate::{Observation, Observed};
use kept::Kept;
use times::Stats;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "pytest-benchmark",
    about: "pytest-benchmark 5.3: the file of `--benchmark-json`, the directory `.benchmarks`, the CSV of `compare`, or the tables it prints",
    files: is_json,
    mark: Mark::Text(|text| {
        table::is_text(text)
            || table_csv::is_text(text)
            || blocks(text).any(|block| block.is_object() && is_marked(block.text))
    }),
    hint: "run `pytest --benchmark-json=FILE` and give the file it writes",
    read,
};

/// The member that each benchmark has once; by it the places of benchmarks are found.
const MARK: &str = "\"fullname\"";

fn is_marked(object: &str) -> bool {
    object.contains("\"machine_info\"") || object.contains("\"commit_info\"")
}

/// Returns whether a text is part of a report, whichever of its members is damaged.
fn is_of_report(text: &str) -> bool {
    ["\"machine_info\"", "\"commit_info\"", MARK]
        .iter()
        .any(|member| text.contains(member))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    let mut entries = Vec::new();
    let mut newest: Option<Kept> = None;
    for document in documents(input, &ADAPTER) {
        let document = document?.told(&mut gathered);
        if let Some(run) = Kept::of(document.place(1, 1), entries.len()) {
            // The files of a folder follow one another.
            match newest
                .take()
                .filter(|newest| newest.folder() == run.folder())
            {
                Some(later) if later.number > run.number => {
                    newest = Some(later);
                    gathered.remark(run.place, kept::EARLIER.to_owned());
                    continue;
                }
                Some(earlier) => {
                    entries.truncate(earlier.entries);
                    gathered.remark(earlier.place, kept::EARLIER.to_owned());
                    newest = Some(Kept {
                        entries: earlier.entries,
                        ..run
                    });
                }
                None => newest = Some(run),
            }
        }
        if table::is_text(document.text()) {
            table::read(&document, suite, &mut gathered);
            continue;
        }
        if table_csv::is_text(document.text()) {
            table_csv::read(&document, suite, &mut gathered);
            continue;
        }
        let document = document.quoted();
        let mut found = false;
        for block in whole(&document).map_or_else(|| document.blocks().collect(), |it| vec![it]) {
            if !is_of_report(block.text) {
                continue;
            }
            found = true;
            if block.is_object() {
                read_report(&document, &block, suite, &mut gathered, &mut entries);
            } else {
                let place = document.place(block.line, 1);
                gathered.problem(place, "a damaged result: it does not begin with `{`");
            }
        }
        if !found {
            check_whole(&document, input, &mut gathered);
        }
    }
    naming::keep_apart(&mut entries);
    tell_apart(&mut entries, |entry| (&mut entry.bench, &entry.facts));
    let mut vocabulary = Vocabulary::default();
    for entry in entries {
        entry.gather(&mut vocabulary, &mut gathered);
    }
    gathered.settle(&vocabulary);
    gathered.finish(input, ADAPTER.hint)
}

/// Returns a text as one block where it is an object that has more than its bracket in the first line: others lay JSON out so.
fn whole<'d>(document: &'d Document<'_>) -> Option<Block<'d>> {
    let text = document.text().trim_end();
    let first = text.lines().next()?.trim_end();
    let is_asked = first.starts_with('{') && first.len() > 1 && !first.ends_with('}');
    let is_whole = is_asked && serde_json::from_str::<IgnoredAny>(text).is_ok();
    is_whole.then_some(Block { line: 1, text })
}

/// One benchmark of a report.
struct Entry {
    bench: BenchId,
    /// The same benchmark by pytest's own id, for where the params do not tell it from another.
    by_id: BenchId,
    /// What pytest calls it.
    fullname: String,
    facts: Facts,
    readings: Vec<Reading>,
    place: Place,
}

/// A report: the machine, and what was measured there.
#[derive(Deserialize)]
struct Report<'t> {
    machine_info: Value,
    #[serde(borrow)]
    benchmarks: Vec<Benchmark<'t>>,
}

/// One benchmark. A group is a text by custom, and any value by the letter.
#[derive(Deserialize)]
struct Benchmark<'t> {
    group: Option<Value>,
    #[serde(borrow)]
    fullname: Text<'t>,
    #[serde(borrow)]
    params: Option<Members<'t, Value>>,
    #[serde(borrow)]
    param: Option<Text<'t>>,
    #[serde(borrow)]
    options: Options<'t>,
    stats: Stats,
}

#[derive(Deserialize)]
struct Options<'t> {
    #[serde(borrow)]
    timer: Text<'t>,
}

/// Reads a report. It is one object, so one damaged place makes all of it unreadable.
fn read_report(
    document: &Document<'_>,
    block: &Block<'_>,
    suite: &SuiteName,
    gathered: &mut Gathered,
    entries: &mut Vec<Entry>,
) {
    let report: Report<'_> = match json::read(block.text) {
        Ok(report) => report,
        Err(misread) => {
            let problem = json::of_block(document, block, &misread);
            return gathered.problem(problem.place, problem.text);
        }
    };
    if report.benchmarks.is_empty() {
        let place = document.place(block.line, 1);
        return gathered.problem(
            place,
            "the report holds no benchmark: none was run, or all failed",
        );
    }
    let facts = facts_of(&report.machine_info);
    let mut places = places(document, block);
    for benchmark in report.benchmarks {
        let place = places
            .next()
            .unwrap_or_else(|| document.place(block.line, 1));
        match benchmark.into_entry(suite, &facts, &place) {
            Ok(entry) => entries.push(entry),
            Err(text) => gathered.problem(place, text),
        }
    }
}

/// Returns the places of the benchmarks' names, in order.
fn places<'d>(
    document: &'d Document<'_>,
    block: &'d Block<'d>,
) -> impl Iterator<Item = Place> + 'd {
    let (mut line, mut line_start, mut seen) = (block.line, 0, 0);
    block.text.match_indices(MARK).map(move |(at, _)| {
        for (end, _) in block.text[seen..at].match_indices('\n') {
            line += 1;
            line_start = seen + end + 1;
        }
        seen = at;
        document.place(line, 1 + at - line_start)
    })
}

/// Returns what tells one machine from another. Its name is left out: hosted machines have a new one each time.
fn facts_of(machine: &Value) -> Facts {
    let text = |pointer: &str| machine.pointer(pointer).and_then(Value::as_str);
    let mut facts = Facts::new();
    for (key, pointer) in [
        ("system", "/system"),
        ("machine", "/machine"),
        ("cpu", "/cpu/brand_raw"),
        ("python", "/python_version"),
        ("implementation", "/python_implementation"),
    ] {
        facts.extend(text(pointer).map(|text| (key, text.to_owned())));
    }
    facts
}

impl Benchmark<'_> {
    fn into_entry(self, suite: &SuiteName, facts: &Facts, place: &Place) -> Result<Entry, String> {
        let (bench, by_id) = naming::ids(suite, &self)?;
        let readings = times::readings(&self.options.timer, self.stats).map_err(|error| {
            let bench = bench.within_suite();
            format!("the times of benchmark `{bench}` cannot be used: {error}")
        })?;
        Ok(Entry {
            bench,
            by_id,
            fullname: self.fullname.to_string(),
            facts: facts.clone(),
            readings,
            place: place.clone(),
        })
    }
}

impl Entry {
    fn gather(self, vocabulary: &mut Vocabulary, gathered: &mut Gathered) {
        for reading in &self.readings {
            if let Err(error) = vocabulary.admit(&reading.metric) {
                let bench = self.bench.within_suite();
                let text = format!("the times of benchmark `{bench}` cannot be used: {error}");
                return gathered.problem(self.place, text);
            }
        }
        let observation = Observation {
            caveats: self
                .readings
                .first()
                .map(times::caveats)
                .unwrap_or_default(),
            bench: self.bench,
            readings: self.readings,
            answer: None,
        };
        gathered.add(observation, self.place);
    }
}
