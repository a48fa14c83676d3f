//! Reads tinybench: the table of `console.table(bench.table())`, the same as JSON, or its tasks with their results.
//!
//! The raw times are read where the tasks have them, and else the median or the mean. Operations per second are the same
//! times again and are left out. Tested by `fixtures/tinybench`.

mod table;

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{Reading, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::file_names::has_extension;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::js_times::{TASK, Times, entry};
use crate::json::{self, Members, Text};
use crate::place::{Place, ReadError, shown};
use crate::quantity::nanoseconds;
use crate::reports::{Report, read_documents, read_marked};
use table::Cells;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "tinybench",
    about: "tinybench 1 to 6: its table as text or JSON, or JSON of its tasks",
    files: |path| has_extension(path, &["json", "txt"]),
    mark: Mark::Text(|text| is_tasks(text) || is_table(text)),
    hint: "print `console.table(bench.table())` and give the standard output",
    read,
};

/// Each of these stands in every list of tasks, so one of them may be damaged.
fn is_tasks(text: &str) -> bool {
    let marks = [
        "\"totalTime\"",
        "\"period\"",
        "\"rme\"",
        "\"critical\"",
        "\"moe\"",
    ];
    let is_list = text.trim_start().starts_with('[') && text.contains("\"name\"");
    (text.contains("\"result\"") || is_list)
        && marks.iter().filter(|mark| text.contains(**mark)).count() >= 4
}

/// The columns of a table in text or JSON, of every version.
fn is_table(text: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    has(&["Task name", "Task Name"]) && has(&["Latency a", "Latency m", "Average Time ("])
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        let text = document.text();
        let mut rows = Rows::of(suite);
        if table::is_text(text) {
            table::read(&document, gathered, |cells, place, gathered| {
                rows.take(cells, place, gathered);
            });
        } else if is_table(text) || is_tasks(text) {
            read_marked(&document, is_item, gathered, |report, gathered| {
                for part in report.parse::<Vec<&RawValue>>(gathered).unwrap_or_default() {
                    read_item(&mut rows, report, part, gathered);
                }
            });
        }
    })
}

/// The rows of a document's tables.
struct Rows<'s> {
    suite: &'s SuiteName,
    /// The columns that were said to be passed over.
    told: BTreeSet<String>,
}

impl<'s> Rows<'s> {
    fn of(suite: &'s SuiteName) -> Self {
        let told = BTreeSet::new();
        Self { suite, told }
    }

    fn take(&mut self, cells: &Cells, place: Place, gathered: &mut Gathered) {
        let unread = cells.unread();
        let new = unread.filter(|column| self.told.insert((*column).to_owned()));
        let new: Vec<String> = new.map(|column| format!("`{}`", shown(column))).collect();
        if !new.is_empty() {
            let text = format!(
                "passed over: what is no column of tinybench's own: {}",
                new.join(", ")
            );
            gathered.remark(place.clone(), text);
        }
        let name = cells.name().ok_or("a row without the name of a task");
        let row = name.map_err(str::to_owned);
        let row = row.and_then(|name| entry(self.suite, TASK, name, &[], cells.readings()));
        gathered.take(row, place);
    }
}

/// Returns whether a text is a part of a list, of tasks or of rows.
fn is_item(text: &str) -> bool {
    text.contains("\"name\"") || text.contains("\"Task ") || text.contains("\"result\"")
}

fn read_item<'t>(
    rows: &mut Rows<'_>,
    report: &mut Report<'_, 't>,
    part: &'t RawValue,
    gathered: &mut Gathered,
) {
    let members = report.part::<Members<'_, &RawValue>>(part, gathered);
    let Some((members, place)) = members else {
        return;
    };
    let has = |name: &str| members.0.iter().any(|(key, _)| &**key == name);
    let cells = members.0.iter().map(|(key, raw)| {
        let text = serde_json::from_str::<String>(raw.get());
        let text = text.unwrap_or_else(|_| raw.get().to_owned());
        (key.to_string(), text)
    });
    let cells = Cells(cells.collect());
    // A task that did not run has nothing but its name.
    if has("result") || has("name") && !cells.are_own() {
        if let Some((mut task, place)) = report.part::<Task<'_>>(part, gathered) {
            // Some put the result's members beside the name.
            if has("period") || has("latency") {
                task.result = task.result.or(Some(part));
            }
            gathered.take(
                entry(rows.suite, TASK, &task.name, &[], task.readings()),
                place,
            );
        }
        return;
    }
    rows.take(&cells, place, gathered);
}

/// A task with its result, which versions before 4 keep without `latency`.
#[derive(Deserialize)]
struct Task<'t> {
    #[serde(borrow)]
    name: Text<'t>,
    #[serde(borrow)]
    result: Option<&'t RawValue>,
    #[serde(borrow)]
    error: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct TaskResult<'t> {
    #[serde(borrow)]
    latency: Option<&'t RawValue>,
    #[serde(borrow)]
    error: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct Latency<'t> {
    #[serde(borrow)]
    latency: Times<'t>,
}

impl Task<'_> {
    /// All times are milliseconds.
    fn readings(&self) -> Result<Vec<Reading>, String> {
        let scale = nanoseconds("ms").ok_or("there is no millisecond")?;
        if let Some(error) = self.error {
            return Err(failure(error));
        }
        let Some(result) = self.result else {
            return Times::default().readings(scale);
        };
        let TaskResult { latency, error } = json::member("result", result)?;
        // Beside it stand the times of the runs before the one that failed.
        if let Some(error) = error {
            return Err(failure(error));
        }
        let times: Times<'_> = match latency {
            Some(_) => json::member::<Latency<'_>>("result", result)?.latency,
            None => json::member("result", result)?,
        };
        times.readings(scale)
    }
}

/// Returns what is said of a task that failed. JSON leaves an error of JavaScript empty, unless it was made a text or an object.
fn failure(error: &RawValue) -> String {
    let text = serde_json::from_str::<String>(error.get()).ok();
    let message = || serde_json::from_str::<Message>(error.get()).ok();
    match text.or_else(|| Some(message()?.message)) {
        Some(text) => format!("it failed: {}", shown(&text)),
        None => "it failed".to_owned(),
    }
}

#[derive(Deserialize)]
struct Message {
    message: String,
}
