//! Reads asv's results: the files `results/<machine>/<commit>-<environment>.json`, of version 1 and 2, or what it prints.
//!
//! The raw times are read where they were kept (`--record-samples`), and else the median that asv made of them. What a
//! benchmark measures is told by its name, as asv itself does; the unit of one that tracks a number stands in another
//! file, `benchmarks.json`. Tested by `fixtures/asv`.

mod benchmark;
mod compared;
mod compared_older;
mod printed;
mod table;
mod valueless;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::apart::Facts;
use crate::document::{Block, Document, Opened};
use crate::entry::Entry;
use crate::file_names::{has_extension, is_json};
use crate::gathered::Gathered;
use crate::input::Input;
use crate::json::{self, Members, Text};
use crate::pieces::{Piece, pieces};
use crate::place::{Place, ReadError, shown};
use crate::reports::{Report, check_whole, documents, read_marked};
use benchmark::{Found, Known, Rows, SKIPPED};
use valueless::Valueless;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "asv",
    about: "airspeed velocity (asv) up to 0.6: the directory of its results, one of its files, or what `asv run` of 0.5 and 0.6 and `asv compare` print",
    files: |path| has_extension(path, &["json", "txt"]),
    mark: Mark::Text(|text| is_result(text) || is_printed(text)),
    hint: "run `asv run` and give the directory `.asv/results`",
    read,
};

/// The file that says what the benchmarks are.
const BENCHMARKS: &str = "benchmarks.json";

/// Most of these stand in every file of results, so one of them may be damaged. asv before 0.2 had no name of an
/// environment, no columns and no durations.
fn is_result(text: &str) -> bool {
    let marks = [
        "\"commit_hash\"",
        "\"env_name\"",
        "\"params\"",
        "\"python\"",
        "\"requirements\"",
        "\"result_columns\"",
        "\"durations\"",
        "\"results\"",
    ];
    marks.iter().filter(|mark| text.contains(**mark)).count() >= 4
}

/// What is said of a log beside them.
const PRINTED_BESIDE: &str =
    "passed over: what asv printed lies beside its files of results, which are read in its place";

/// How many characters of a commit asv prints; its files have all of them.
const COMMIT_CHARS: usize = 8;

/// What is said of a comparison at the end of a log, as `asv continuous` prints it.
const COMPARED_BESIDE: &str =
    "passed over: the comparison at the end repeats what was measured, which is read in its place";

fn is_printed(text: &str) -> bool {
    printed::is_text(text) || is_compared(text)
}

fn is_compared(text: &str) -> bool {
    compared::is_text(text) || compared_older::is_text(text)
}

fn read_printed(document: &Document<'_>, suite: &SuiteName, gathered: &mut Gathered) {
    let text = document.text();
    if printed::is_text(text) {
        printed::read(document, suite, gathered);
        if is_compared(text) || compared_older::has_factors(text) {
            gathered.remark(document.place(1, 1), COMPARED_BESIDE.to_owned());
        }
    } else if compared::is_text(text) {
        compared::read(document, suite, gathered);
    } else {
        compared_older::read(document, suite, gathered);
    }
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    let known = known_benchmarks(input, &mut gathered)?;
    let has_results = has_results(input)?;
    let mut valueless = Valueless::default();
    for document in documents(input, &ADAPTER) {
        let document = as_json(document?.told(&mut gathered));
        if has_results && is_printed(document.text()) {
            gathered.remark(document.place(1, 1), PRINTED_BESIDE.to_owned());
            continue;
        }
        if is_printed(document.text()) {
            read_printed(&document, suite, &mut gathered);
            continue;
        }
        if !is_result(document.text()) {
            if is_json(Path::new(&document.file)) {
                check_whole(&document, input, &mut gathered);
            }
            continue;
        }
        read_marked(&document, is_result, &mut gathered, |report, gathered| {
            read_results(report, suite, &known, &mut valueless, gathered);
        });
        tell_rest(&document, &mut gathered);
    }
    let error = valueless.error(&gathered);
    let observed = gathered.finish(input, ADAPTER.hint);
    observed.map_err(|other| error.unwrap_or(other))
}

/// Says where a file goes on behind its results. It is one object, so what follows is the rest of one that ended too soon.
fn tell_rest(document: &Document<'_>, gathered: &mut Gathered) {
    let mut pieces = pieces(document.text());
    let Some(Piece::Value(_)) = pieces.next() else {
        return;
    };
    let is_rest =
        |piece: &Piece<'_>| matches!(piece, Piece::Line(block) if !block.text.trim().is_empty());
    if let Some(Piece::Line(block)) = pieces.find(is_rest) {
        let text = "the file goes on behind its results, which ended too soon";
        gathered.problem(document.place(block.line, 1), text);
    }
}

/// Returns whether a directory holds a file of results. What was printed beside it are the same values, rounded and of
/// shortened names, so that both together would make two benchmarks of one.
fn has_results(input: &Input) -> Result<bool, ReadError> {
    if matches!(input, Input::Text { .. }) {
        return Ok(false);
    }
    for document in documents(input, &ADAPTER) {
        // What is wrong with it is told when it is read.
        let document = document?.told(&mut Gathered::default());
        if is_result(document.text()) && !is_printed(document.text()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes JSON of what asv keeps, in which numbers stand that JSON does not have.
fn as_json(document: Document<'_>) -> Document<'_> {
    match is_printed(document.text()) {
        true => document,
        false => document.quoted(),
    }
}

/// Returns what is said of the benchmarks beside their results.
///
/// Without them params would have other names, and so benchmarks, which is no small problem beside good results.
fn known_benchmarks(
    input: &Input,
    gathered: &mut Gathered,
) -> Result<BTreeMap<String, Known>, ReadError> {
    let mut all = BTreeMap::new();
    let files = input
        .files()
        .filter(|file| file.is_wanted(ADAPTER.files) && file.shown_name().ends_with(BENCHMARKS));
    for document in files.map(Opened::of) {
        let document = &as_json(document?.told(gathered));
        let members: Members<'_, &RawValue> = json::read(document.text()).map_err(|misread| {
            let block = Block {
                line: 1,
                text: document.text(),
            };
            let problem = json::of_block(document, &block, &misread);
            ReadError {
                place: problem.place,
                problem: problem.text,
                hint: Some(
                    "restore the file, which says what the benchmarks and their params are called",
                ),
            }
        })?;
        for (name, raw) in &members.0 {
            if let Ok(known) = serde_json::from_str::<Known>(raw.get()) {
                all.insert(name.to_string(), known);
            }
        }
    }
    Ok(all)
}

/// A file of results.
#[derive(Deserialize)]
struct Results<'t> {
    #[serde(borrow)]
    env_name: Option<Text<'t>>,
    #[serde(borrow)]
    commit_hash: Option<Text<'t>>,
    #[serde(borrow, default)]
    params: Members<'t, &'t RawValue>,
    #[serde(borrow)]
    result_columns: Option<Vec<Text<'t>>>,
    #[serde(borrow)]
    results: Members<'t, &'t RawValue>,
}

fn read_results(
    report: &mut Report<'_, '_>,
    suite: &SuiteName,
    known: &BTreeMap<String, Known>,
    valueless: &mut Valueless,
    gathered: &mut Gathered,
) {
    let Some(results) = report.parse::<Results<'_>>(gathered) else {
        return;
    };
    let facts = results.facts();
    let columns: Option<Vec<&str>> = results
        .result_columns
        .as_ref()
        .map(|all| all.iter().map(|name| &**name).collect());
    for (name, raw) in &results.results.0 {
        let place = report.place(raw);
        let before = gathered.problem_count();
        let rows = Rows::of(raw, columns.as_deref());
        let has_no_value = rows.as_ref().is_ok_and(|rows| !rows.has_value());
        let known = known.get(&**name);
        match rows.and_then(|rows| rows.benchmarks(suite, name, known, valueless.room())) {
            Ok(found) => {
                if has_no_value {
                    valueless.fill(found.len());
                }
                for one in found {
                    take_found(one, &facts, place.clone(), gathered);
                }
            }
            Err(error) => {
                let text = format!("benchmark `{}` cannot be used: {error}", shown(name));
                take(Err(text), place.clone(), gathered);
            }
        }
        if has_no_value {
            valueless.note(name, place, gathered.problem_count() - before);
        }
    }
}

/// Takes over a benchmark, or says why it is none. That it was skipped on purpose is nothing wrong.
fn take(entry: Result<Entry, String>, place: Place, gathered: &mut Gathered) {
    match entry {
        Err(text) if text.ends_with(SKIPPED) => gathered.remark(place, text),
        entry => gathered.take(entry, place),
    }
}

/// Takes over a benchmark of an environment. One without a value has to be told from itself in another all the same, or else
/// its name would depend on what failed.
fn take_found(found: Result<Found, String>, facts: &Facts, place: Place, gathered: &mut Gathered) {
    let found = found.map(|found| {
        if let Some(lack) = found.lack {
            take(Err(lack), place.clone(), gathered);
        }
        Entry {
            facts: facts.clone(),
            ..Entry::new(found.bench, found.readings)
        }
    });
    gathered.take(found, place);
}

impl Results<'_> {
    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        facts.extend(
            self.env_name
                .as_deref()
                .map(|name| ("environment", name.to_owned())),
        );
        facts.extend(
            self.commit_hash
                .as_deref()
                .map(|hash| hash.get(..COMMIT_CHARS).unwrap_or(hash))
                .map(|hash| ("commit", hash.to_owned())),
        );
        let machine = self.params.0.iter().find(|(key, _)| &**key == "machine");
        let machine = machine.and_then(|(_, raw)| serde_json::from_str(raw.get()).ok());
        facts.extend(machine.map(|machine| ("machine", machine)));
        facts
    }
}
