//! Versions 4 to 6: each tool is a profile, with parts and their total. In version 4 a count is a bare number.

use serde::Deserialize;

use super::sides::{Metrics, Sides, ToolSummary};
use crate::json::{Members, Text};
use crate::valgrind::{Count, Summary, Thread, Tool};

pub(super) fn parse(text: &str) -> serde_json::Result<Summary<'_>> {
    serde_json::from_str::<WithProfiles<'_>>(text).map(WithProfiles::into_common)
}

/// One benchmark. Of its many members only those that say what was measured are read; the rest are paths of the
/// machine it ran on.
#[derive(Deserialize)]
struct WithProfiles<'t> {
    #[serde(borrow)]
    version: Text<'t>,
    #[serde(borrow)]
    module_path: Text<'t>,
    #[serde(borrow)]
    id: Option<Text<'t>>,
    #[serde(borrow)]
    profiles: Vec<Profile<'t>>,
}

/// What one tool gave.
#[derive(Deserialize)]
struct Profile<'t> {
    #[serde(borrow)]
    tool: Text<'t>,
    #[serde(borrow)]
    summaries: Summaries<'t>,
}

/// The parts are rows of single threads and processes; the total sums them up.
#[derive(Deserialize)]
struct Summaries<'t> {
    parts: Vec<Part>,
    #[serde(borrow)]
    total: Total<'t>,
}

#[derive(Deserialize)]
struct Total<'t> {
    #[serde(borrow)]
    summary: ToolSummary<Members<'t, Metrics>>,
}

#[derive(Deserialize)]
struct Part {
    details: Sides<RunDetails>,
    metrics_summary: ToolSummary<PartMetrics>,
}

/// Which process and thread a part belongs to.
#[derive(Deserialize)]
struct RunDetails {
    pid: i64,
    thread: Option<u64>,
}

/// What a part is looked at for.
#[derive(Deserialize)]
struct PartMetrics {
    #[serde(rename = "Ir")]
    instructions: Option<Metrics>,
}

impl<'t> WithProfiles<'t> {
    fn into_common(self) -> Summary<'t> {
        Summary {
            version: self.version,
            module_path: self.module_path,
            id: self.id,
            tools: self
                .profiles
                .into_iter()
                .map(Profile::into_common)
                .collect(),
        }
    }
}

impl<'t> Profile<'t> {
    fn into_common(self) -> Tool<'t> {
        let Summaries { parts, total } = self.summaries;
        let metrics = total.summary.into_metrics().unwrap_or_default().0;
        let metrics = metrics
            .into_iter()
            .map(|(name, metric)| (name, metric.into_count()));
        Tool {
            name: self.tool,
            metrics: metrics.collect(),
            threads: parts.into_iter().filter_map(Part::into_thread).collect(),
        }
    }
}

impl Part {
    /// Returns the thread this part is of, if its instructions were counted in this run and not only in an earlier one.
    fn into_thread(self) -> Option<Thread> {
        let run = self.details.into_new()?;
        let count = self
            .metrics_summary
            .into_metrics()?
            .instructions?
            .into_count();
        Some(Thread {
            process: run.pid,
            number: run.thread?,
            counted: count != Count::Whole(0),
        })
    }
}
