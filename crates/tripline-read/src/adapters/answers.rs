//! Reads answers: JSON lines in which a bench says what its benchmarks computed, without measuring anything.
//!
//! Equal digests mean equal work; the judge compares them. The form is our own, so a member that is not known is a
//! mistake and not somebody's addition. Tested by `fixtures/answers`.

use serde::Deserialize;
use tripline_model::{Digest, SuiteName};

use crate::adapter::{Adapter, Mark};
use crate::document::{Block, Document};
use crate::file_names::is_json_lines;
use crate::input::Input;
use crate::json::{self, Members, Text};
use crate::naming::bench_id;
use crate::place::{Problem, ReadError, shown};
use crate::reports::read_documents;
use crate::{Observation, Observed};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "answers",
    about: "answers: JSON lines with `benchmark`, `params` and the `answer` it computed",
    files: is_json_lines,
    mark: Mark::Object(is_marked),
    hint: "let the bench print a line such as {\"benchmark\":\"get\",\"answer\":\"0f3a\"} for each benchmark",
    read,
};

/// Looks at the first member alone: in a run file the same members stand one level deeper.
fn is_marked(object: &str) -> bool {
    let first = object[1..].trim_start();
    ["\"benchmark\"", "\"params\"", "\"answer\""]
        .iter()
        .any(|member| first.starts_with(member))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        for block in document.blocks() {
            let place = document.place(block.line, 1);
            if block.is_object() {
                match observe(&document, &block, suite) {
                    Ok(observation) => gathered.add(observation, place),
                    Err(problem) => gathered.note(problem),
                }
            } else if block.text.contains("\"answer\"") {
                gathered.problem(place, "a damaged answer: it does not begin with `{`");
            }
        }
    })
}

/// One line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer<'t> {
    #[serde(borrow)]
    benchmark: Text<'t>,
    #[serde(borrow, default)]
    params: Members<'t, Text<'t>>,
    #[serde(borrow)]
    answer: Text<'t>,
}

fn observe(
    document: &Document<'_>,
    block: &Block<'_>,
    suite: &SuiteName,
) -> Result<Observation, Problem> {
    let problem = |text: String| Problem {
        place: document.place(block.line, 1),
        text,
    };
    let answer: Answer<'_> = json::parse(document, block)?;
    let params = &answer.params.0;
    // The later value would win without a word.
    for (index, (key, _)) in params.iter().enumerate() {
        if params[..index].iter().any(|(known, _)| known == key) {
            return Err(problem(format!("the param `{}` stands twice", shown(key))));
        }
    }
    let pairs: Vec<(&str, &str)> = params.iter().map(|(k, v)| (&**k, &**v)).collect();
    let bench = bench_id(suite, &answer.benchmark, &pairs);
    Ok(Observation {
        bench: bench.map_err(problem)?,
        readings: Vec::new(),
        answer: Some(Digest::new(&*answer.answer).map_err(|error| problem(error.to_string()))?),
        caveats: Vec::new(),
    })
}
