//! Reads iai-callgrind: the summaries its runner writes with `--output-format=json` or `--save-summary=json`, version 6.
//!
//! Version 6 is written by iai-callgrind 0.16 and by gungraun up to 0.19. Each benchmark is one object; each metric has
//! the new value `Left`, the old one `Right`, or `Both`. Tested by `fixtures/iai_callgrind`.

use serde::Deserialize;
use tripline_model::SuiteName;

use crate::adapter::{Adapter, Mark};
use crate::input::Input;
use crate::json::{Members, Text};
use crate::valgrind::{self, Count, Dialect, Summary, Thread, Tool};
use crate::{Observed, ReadError};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "iai-callgrind",
    about: "iai-callgrind 0.16: JSON lines of `--output-format=json`, or the tree of `--save-summary=json`",
    files: valgrind::is_summary_file,
    mark: Mark::Object(|object| valgrind::is_summary(object) && !valgrind::is_newer(object)),
    hint: "run the benches with `--output-format=json`; a filter that selects none still ends well",
    read,
};

const DIALECT: Dialect = Dialect {
    adapter: &ADAPTER,
    version: "6",
    version_hint: "use iai-callgrind 0.16; for gungraun 0.20 name the harness `gungraun`",
    parse,
};

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    valgrind::read(input, suite, &DIALECT)
}

fn parse(text: &str) -> serde_json::Result<Summary<'_>> {
    serde_json::from_str::<SummaryV6<'_>>(text).map(SummaryV6::into_common)
}

/// One benchmark. Of its many members only those that say what was measured are read; the rest are paths of the
/// machine it ran on.
#[derive(Deserialize)]
struct SummaryV6<'t> {
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

/// The metrics of a tool, by the kind of tool. The tool's own name says more, so the kind is not kept.
#[derive(Deserialize)]
enum ToolSummary<M> {
    None,
    ErrorTool(M),
    Dhat(M),
    Callgrind(M),
    Cachegrind(M),
}

impl<M> ToolSummary<M> {
    fn into_metrics(self) -> Option<M> {
        match self {
            Self::None => None,
            Self::ErrorTool(m) | Self::Dhat(m) | Self::Callgrind(m) | Self::Cachegrind(m) => {
                Some(m)
            }
        }
    }
}

/// What a part is looked at for.
#[derive(Deserialize)]
struct PartMetrics {
    #[serde(rename = "Ir")]
    instructions: Option<Metrics>,
}

#[derive(Deserialize)]
struct Metrics {
    metrics: Sides<Value>,
}

/// What was measured now, before, or both.
#[derive(Deserialize)]
enum Sides<T> {
    Left(T),
    Right(T),
    Both((T, T)),
}

impl<T> Sides<T> {
    /// Returns what was measured now.
    fn into_new(self) -> Option<T> {
        match self {
            Self::Left(new) | Self::Both((new, _)) => Some(new),
            Self::Right(_) => None,
        }
    }
}

#[derive(Deserialize)]
enum Value {
    Int(u64),
    /// `null` where a rate was divided by zero.
    Float(Option<f64>),
}

impl Metrics {
    fn into_count(self) -> Count {
        match self.metrics.into_new() {
            Some(Value::Int(n)) => Count::Whole(n),
            Some(Value::Float(Some(value))) => Count::Real(value),
            Some(Value::Float(None)) => Count::Undefined,
            None => Count::NotMeasured,
        }
    }
}

impl<'t> SummaryV6<'t> {
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
