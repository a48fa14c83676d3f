//! Versions 4 to 6: each tool is a profile, with parts and their total. In version 4 a count is a bare number.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::sides::{Bare, Metrics, OfKind, Sides, ToolSummary};
use crate::json::{self, Members, Misread, Text};
use crate::valgrind::{Count, Summary, Thread, Tool};

pub(super) fn parse(text: &str) -> Result<Summary<'_>, Misread> {
    // The newest form is tried first, because most are of it. What the form says that was followed further is what is wrong.
    let newest = match parse_with::<OfKind>(text) {
        Ok(summary) => return Ok(summary),
        Err(error) => error,
    };
    parse_with::<Bare>(text).map_err(|error| farther(newest, error))
}

fn parse_with<V: Into<Count> + DeserializeOwned>(text: &str) -> Result<Summary<'_>, Misread> {
    json::read::<WithProfiles<'_, V>>(text).map(WithProfiles::into_common)
}

fn farther(one: Misread, other: Misread) -> Misread {
    match other.is_beyond(&one) {
        true => other,
        false => one,
    }
}

/// One benchmark. Of its many members only those that say what was measured are read; the rest are paths of the
/// machine it ran on.
#[derive(Deserialize)]
#[serde(bound = "V: DeserializeOwned")]
struct WithProfiles<'t, V> {
    #[serde(borrow)]
    version: Text<'t>,
    #[serde(borrow)]
    module_path: Text<'t>,
    #[serde(borrow)]
    package_dir: Option<Text<'t>>,
    #[serde(borrow)]
    id: Option<Text<'t>>,
    #[serde(borrow)]
    profiles: Vec<Profile<'t, V>>,
}

/// What one tool gave.
#[derive(Deserialize)]
#[serde(bound = "V: DeserializeOwned")]
struct Profile<'t, V> {
    #[serde(borrow)]
    tool: Text<'t>,
    #[serde(borrow)]
    summaries: Summaries<'t, V>,
}

/// The parts are rows of single threads and processes; the total sums them up.
#[derive(Deserialize)]
#[serde(bound = "V: DeserializeOwned")]
struct Summaries<'t, V> {
    parts: Vec<Part<V>>,
    #[serde(borrow)]
    total: Total<'t, V>,
}

#[derive(Deserialize)]
#[serde(bound = "V: DeserializeOwned")]
struct Total<'t, V> {
    #[serde(borrow)]
    summary: ToolSummary<Members<'t, Metrics<V>>>,
}

#[derive(Deserialize)]
struct Part<V> {
    details: Sides<RunDetails>,
    metrics_summary: ToolSummary<PartMetrics<V>>,
}

/// Which process and thread a part belongs to.
#[derive(Deserialize)]
struct RunDetails {
    pid: i64,
    thread: Option<u64>,
}

/// What a part is looked at for.
#[derive(Deserialize)]
struct PartMetrics<V> {
    #[serde(rename = "Ir")]
    instructions: Option<Metrics<V>>,
}

impl<'t, V: Into<Count>> WithProfiles<'t, V> {
    fn into_common(self) -> Summary<'t> {
        Summary {
            version: self.version,
            module_path: self.module_path,
            package_dir: self.package_dir,
            id: self.id,
            tools: self
                .profiles
                .into_iter()
                .map(Profile::into_common)
                .collect(),
        }
    }
}

impl<'t, V: Into<Count>> Profile<'t, V> {
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

impl<V: Into<Count>> Part<V> {
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
