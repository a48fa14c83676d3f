//! Version 3: callgrind apart from the other tools, and a total for each. Of its segments it does not say which thread
//! they are of.

use serde::Deserialize;

use super::sides::{Bare, Metrics, ToolSummary};
use crate::json::{self, Members, Misread, Text};
use crate::valgrind::{CALLGRIND, Summary, Tool};

pub(super) fn parse(text: &str) -> Result<Summary<'_>, Misread> {
    json::read::<WithTotals<'_>>(text).map(WithTotals::into_common)
}

#[derive(Deserialize)]
struct WithTotals<'t> {
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

#[derive(Deserialize)]
struct Callgrind<'t> {
    #[serde(borrow)]
    callgrind_run: CallgrindRun<'t>,
}

#[derive(Deserialize)]
struct CallgrindRun<'t> {
    #[serde(borrow)]
    total: CallgrindTotal<'t>,
}

#[derive(Deserialize)]
struct CallgrindTotal<'t> {
    #[serde(borrow)]
    summary: Members<'t, Metrics<Bare>>,
}

#[derive(Deserialize)]
struct OtherTool<'t> {
    #[serde(borrow)]
    tool: Text<'t>,
    #[serde(borrow)]
    summaries: ToolRun<'t>,
}

#[derive(Deserialize)]
struct ToolRun<'t> {
    #[serde(borrow)]
    total: ToolSummary<Members<'t, Metrics<Bare>>>,
}

impl<'t> WithTotals<'t> {
    fn into_common(self) -> Summary<'t> {
        let callgrind = self
            .callgrind_summary
            .map(|callgrind| tool(CALLGRIND.into(), callgrind.callgrind_run.total.summary));
        let others = self.tool_summaries.into_iter().map(|other| {
            let metrics = other.summaries.total.into_metrics();
            tool(other.tool, metrics.unwrap_or_default())
        });
        Summary {
            version: self.version,
            module_path: self.module_path,
            package_dir: self.package_dir,
            id: self.id,
            tools: callgrind.into_iter().chain(others).collect(),
        }
    }
}

fn tool<'t>(name: Text<'t>, metrics: Members<'t, Metrics<Bare>>) -> Tool<'t> {
    let metrics = metrics.0.into_iter();
    Tool {
        name,
        metrics: metrics
            .map(|(name, metric)| (name, metric.into_count()))
            .collect(),
        threads: Vec::new(),
    }
}
