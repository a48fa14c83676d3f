//! Reads our own run file, so that a run can be measured in one place and read again in another.
//!
//! The format is the vocabulary's; this adapter only checks that the run is of the suite that was asked for. Tested by
//! `fixtures/run_file`.

use tripline_model::{SuiteName, wire};

use crate::adapter::{Adapter, Mark};
use crate::document::{Block, Document};
use crate::gathered::Gathered;
use crate::input::Input;
use crate::place::{ReadError, shown};
use crate::reports::documents;
use crate::{Observation, Observed};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "run-file",
    about: "a run file or baseline of Tripline's own",
    // It is called as its suite or its environment, so that only its mark tells it.
    files: |_| false,
    mark: Mark::Object(|object| object[1..].trim_start().starts_with("\"tripline_run\"")),
    hint: "give a run that measured something",
    read,
};

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    for document in documents(input, &ADAPTER) {
        let document = document?.told(&mut gathered);
        // An empty file is one that nobody has written to yet, which says more than that its header is missing.
        if !document.text().trim().is_empty() {
            read_run(&document, suite, &mut gathered)?;
        }
    }
    gathered.finish(input, ADAPTER.hint)
}

fn read_run(
    document: &Document<'_>,
    suite: &SuiteName,
    gathered: &mut Gathered,
) -> Result<(), ReadError> {
    let run = wire::read_run(document.text().as_bytes()).map_err(|error| ReadError {
        place: document.place(error.line, error.column),
        problem: format!("the run file cannot be read: {}", shown(&error.problem)),
        hint: Some("measure again, or restore the file from its history"),
    })?;
    if run.suite != *suite {
        return Err(ReadError {
            place: document.place(1, 1),
            problem: format!("a run of suite `{}`, and not of `{suite}`", run.suite),
            hint: Some("name the suite the run was measured for"),
        });
    }
    if run.part.is_some() {
        return Err(ReadError {
            place: document.place(1, 1),
            problem: "a part of a run, which holds some steps of its suite".to_owned(),
            hint: Some("join the parts first: `tripline merge`"),
        });
    }
    // What was not measured is said here again, with its line: who reads a run reads its gaps, too.
    let lines = document.blocks().filter(is_failure);
    for (failure, block) in run.failures.iter().zip(lines) {
        let mut text = format!("step `{}` {}", failure.step, failure.kind.text());
        if let Some(detail) = &failure.detail {
            text = format!("{text}: {}", shown(detail));
        }
        gathered.problem(document.place(block.line, 1), text);
    }
    for measurement in run.measurements() {
        let observation = Observation {
            bench: measurement.bench().clone(),
            readings: measurement.readings().cloned().collect(),
            answer: measurement.answer().cloned(),
            caveats: measurement.caveats().to_vec(),
        };
        gathered.add(observation, document.place(1, 1));
    }
    Ok(())
}

fn is_failure(block: &Block<'_>) -> bool {
    block.is_object() && block.text[1..].trim_start().starts_with("\"failed\"")
}
