//! Versions 1 and 2: callgrind apart from the other tools, whose counts stand with each process and have no total.
//!
//! What DHAT says is a text in version 1 and a table under the tool's own labels in version 2.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::json::{self, Members, Misread, Text};
use crate::valgrind::{CALLGRIND, Count, Summary, Tool, name_of_label};

pub(super) fn parse(text: &str) -> Result<Summary<'_>, Misread> {
    json::read::<WithRuns<'_>>(text).map(WithRuns::into_common)
}

#[derive(Deserialize)]
struct WithRuns<'t> {
    #[serde(borrow)]
    version: Text<'t>,
    #[serde(borrow)]
    module_path: Text<'t>,
    #[serde(borrow)]
    package_dir: Option<Text<'t>>,
    #[serde(borrow)]
    id: Option<Text<'t>>,
    #[serde(borrow)]
    callgrind_summary: Option<Callgrind<'t>>,
    #[serde(borrow)]
    tool_summaries: Vec<OtherTool<'t>>,
}

/// The runner adds up all that callgrind left, so there is one run.
#[derive(Deserialize)]
struct Callgrind<'t> {
    #[serde(borrow)]
    summaries: Vec<CallgrindRun<'t>>,
}

#[derive(Deserialize)]
struct CallgrindRun<'t> {
    #[serde(borrow)]
    events: Members<'t, Cost>,
}

#[derive(Deserialize)]
struct OtherTool<'t> {
    #[serde(borrow)]
    tool: Text<'t>,
    #[serde(borrow)]
    summaries: Vec<ToolRun<'t>>,
}

/// What a tool counted in one process.
#[derive(Deserialize)]
struct ToolRun<'t> {
    #[serde(borrow)]
    summary: Members<'t, Text<'t>>,
    #[serde(borrow)]
    costs_summary: Option<Members<'t, Cost>>,
    error_summary: Option<Errors>,
}

/// Only an earlier run has a value where the new one is `null`.
#[derive(Deserialize)]
struct Cost {
    new: Option<u64>,
}

#[derive(Deserialize)]
struct Errors {
    errors: u64,
    contexts: u64,
    supp_errors: u64,
    supp_contexts: u64,
}

impl Cost {
    fn count(&self) -> Count {
        self.new.map_or(Count::NotMeasured, Count::Whole)
    }
}

impl<'t> WithRuns<'t> {
    fn into_common(self) -> Summary<'t> {
        let callgrind = self.callgrind_summary.into_iter();
        let callgrind = callgrind.flat_map(|callgrind| callgrind.summaries);
        let callgrind = callgrind.map(CallgrindRun::into_common);
        let others = self.tool_summaries.into_iter();
        Summary {
            version: self.version,
            module_path: self.module_path,
            package_dir: self.package_dir,
            id: self.id,
            tools: callgrind
                .chain(others.map(OtherTool::into_common))
                .collect(),
        }
    }
}

impl<'t> CallgrindRun<'t> {
    fn into_common(self) -> Tool<'t> {
        let events = self.events.0.into_iter();
        Tool {
            name: CALLGRIND.into(),
            metrics: events.map(|(name, cost)| (name, cost.count())).collect(),
            threads: Vec::new(),
        }
    }
}

impl<'t> OtherTool<'t> {
    fn into_common(self) -> Tool<'t> {
        let totals = self.summaries.into_iter().enumerate().fold(
            Totals::default(),
            |mut totals, (process, run)| {
                for (name, count) in run.counts() {
                    totals.add(process, name, count);
                }
                totals
            },
        );
        Tool {
            name: self.tool,
            metrics: totals.into_metrics(),
            threads: Vec::new(),
        }
    }
}

impl ToolRun<'_> {
    fn counts(&self) -> Vec<(String, Count)> {
        let mut counts = Vec::new();
        for (label, text) in &self.summary.0 {
            counts.extend(counts_of(label, text));
        }
        for (label, cost) in self.costs_summary.iter().flat_map(|costs| &costs.0) {
            counts.push((name_of_label(label).into_owned(), cost.count()));
        }
        if let Some(errors) = &self.error_summary {
            for (name, count) in [
                ("Errors", errors.errors),
                ("Contexts", errors.contexts),
                ("SuppressedErrors", errors.supp_errors),
                ("SuppressedContexts", errors.supp_contexts),
            ] {
                counts.push((name.to_owned(), Count::Whole(count)));
            }
        }
        counts
    }
}

/// Reads `1024 bytes in 3 blocks` or `512 bytes`, of which the label says only what they have in common.
fn counts_of(label: &str, text: &str) -> Vec<(String, Count)> {
    let parts = text.split(" in ");
    parts
        .map(|part| {
            let (number, unit) = part.split_once(' ').unwrap_or((part, ""));
            let label = format!("{label} {unit}");
            let count = number.parse().map_or(Count::Undefined, Count::Whole);
            (name_of_label(label.trim_end()).into_owned(), count)
        })
        .collect()
}

/// What processes counted, added up.
#[derive(Default)]
struct Totals {
    totals: Vec<Total>,
    /// Where the total of a name stands.
    by_name: BTreeMap<String, usize>,
}

struct Total {
    name: String,
    count: Count,
    /// The last process that counted it.
    process: usize,
}

impl Totals {
    /// *Note:* what stands twice with one process is not added up: it is refused later on.
    fn add(&mut self, process: usize, name: String, count: Count) {
        let before = self.by_name.get(&name).map(|at| &mut self.totals[*at]);
        match before.filter(|total| total.process != process) {
            Some(total) => {
                total.count = added(total.count, count);
                total.process = process;
            }
            None => {
                self.by_name.insert(name.clone(), self.totals.len());
                self.totals.push(Total {
                    name,
                    count,
                    process,
                });
            }
        }
    }

    fn into_metrics<'t>(self) -> Vec<(Text<'t>, Count)> {
        let totals = self.totals.into_iter();
        totals
            .map(|total| (total.name.into(), total.count))
            .collect()
    }
}

/// Adds two counts; a process that was there only in an earlier run adds nothing.
fn added(a: Count, b: Count) -> Count {
    match (a, b) {
        (Count::NotMeasured, other) | (other, Count::NotMeasured) => other,
        (Count::Whole(a), Count::Whole(b)) => Count::Whole(a.saturating_add(b)),
        _ => Count::Undefined,
    }
}
