//! What iai-callgrind and gungraun have in common: the same counts of the same tools, under the same names.
//!
//! The two adapters turn their own JSON into [`Summary`]; from there on one code reads both. Only what was measured now
//! is read: the comparison with an earlier run that both write belongs to the judge. Tested through both adapters.

mod command;
mod labels;
mod metrics;

pub(crate) use command::Command;
pub(crate) use labels::{is_label, name_of_label};
pub(crate) use metrics::{is_time, name_beside_callgrind, reading_of, time_of};

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use tripline_model::{BenchId, Caveat, Reading, SuiteName};

use crate::adapter::Adapter;
use crate::document::{Block, Document};
use crate::gathered::{Gathered, Target, listed};
use crate::input::Input;
use crate::json::{self, Misread, Text};
use crate::naming::{bench_id, name_of_module, params_of_id};
use crate::place::{ReadError, shown};
use crate::reports::read_targets;
use crate::{Observation, Observed};

/// Below this many instructions a benchmark hardly does the work it means: an empty function has a few of them, and
/// collection that was switched the wrong way round leaves about as many.
const TINY_INSTRUCTIONS: f64 = 50.0;

/// What an adapter knows of its harness.
pub(crate) struct Dialect {
    /// The harness's adapter.
    pub(crate) adapter: &'static Adapter,
    /// The versions of the format that are read, the oldest first.
    pub(crate) versions: &'static [&'static str],
    /// What to do about any other version.
    pub(crate) version_hint: &'static str,
    /// Reads one object.
    pub(crate) parse: for<'t> fn(&'t str) -> Result<Summary<'t>, Misread>,
}

impl Dialect {
    fn reads(&self, version: &str) -> bool {
        self.versions.contains(&version)
    }

    fn versions_shown(&self) -> String {
        match self.versions {
            [oldest, .., newest] => format!("versions {oldest} to {newest}"),
            versions => format!("version {}", versions.concat()),
        }
    }
}

/// One benchmark, whichever harness wrote it.
pub(crate) struct Summary<'t> {
    /// The version of the format.
    pub(crate) version: Text<'t>,
    /// File, group and function, joined by `::`.
    pub(crate) module_path: Text<'t>,
    /// The folder of the package that the file is of.
    pub(crate) package_dir: Option<Text<'t>>,
    /// What tells apart the cases of one function.
    pub(crate) id: Option<Text<'t>>,
    /// What each tool counted.
    pub(crate) tools: Vec<Tool<'t>>,
}

/// What one tool counted.
pub(crate) struct Tool<'t> {
    /// The tool's name.
    pub(crate) name: Text<'t>,
    /// The total over all threads and processes.
    pub(crate) metrics: Vec<(Text<'t>, Count)>,
    /// The instructions of each thread, where the tool keeps them apart.
    pub(crate) threads: Vec<Thread>,
}

/// A thread's share. Rows of one thread may be many, and its number may have served several threads in turn.
pub(crate) struct Thread {
    /// The process it belongs to.
    pub(crate) process: i64,
    /// Its number within the process.
    pub(crate) number: u64,
    /// Whether any instruction of it was counted.
    pub(crate) counted: bool,
}

/// The value of a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Count {
    /// A whole number, the normal case.
    Whole(u64),
    /// A quotient, or what a tool gives as such.
    Real(f64),
    /// A quotient by zero, which JSON has no number for.
    Undefined,
    /// Only an earlier run has a value.
    NotMeasured,
}

/// The tool that older forms name only by the member it stands in.
pub(crate) const CALLGRIND: &str = "Callgrind";

/// What the processor counted, beside valgrind's tools.
pub(crate) const PERF: &str = "Perf";

/// Returns whether an object is a summary of any form, however it goes on.
pub(crate) fn is_summary(object: &str) -> bool {
    object.contains("\"module_path\"")
        && (object.contains("\"profiles\"") || has_tools_apart(object))
}

/// Returns whether an object has a member by which the oldest forms differ from all others.
pub(crate) fn has_tools_apart(object: &str) -> bool {
    object.contains("\"callgrind_summary\":") || object.contains("\"tool_summaries\":")
}

/// Returns whether an object has the member by which the newer form differs from the older one.
///
/// *Note:* the version would be plainer, but stands at the very end, where a cut takes it first.
pub(crate) fn is_newer(object: &str) -> bool {
    object.contains("\"output_dir\"")
}

/// Returns whether a file of a directory is a summary.
pub(crate) fn is_summary_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "summary.json")
}

/// Reads all summaries of an input.
pub(crate) fn read(
    input: &Input,
    suite: &SuiteName,
    dialect: &Dialect,
) -> Result<Observed, ReadError> {
    read_targets(input, dialect.adapter, &mut |document, gathered| {
        let mut objects = 0;
        for block in document.blocks() {
            if block.is_object() {
                objects += 1;
                read_object(document, &block, suite, dialect, gathered)?;
            } else if block.text.contains("\"module_path\"") {
                let place = document.place(block.line, 1);
                gathered.problem(place, "a damaged result: it does not begin with `{`");
            }
        }
        // In a tree each file is one benchmark; one without a result would be missed by nobody.
        if objects == 0 && matches!(input, Input::Tree { .. }) {
            gathered.problem(document.place(1, 1), "the file holds no result");
        }
        Ok(())
    })
}

/// Returns the bench file that a module path begins with.
pub(crate) fn target_of(module: &str) -> Target<'_> {
    Target {
        name: module.split_once("::").map_or(module, |(file, _)| file),
        package: "",
    }
}

/// What tells results from other objects, and one version of the format from another.
#[derive(Deserialize)]
struct Probe<'t> {
    #[serde(borrow)]
    version: Option<Text<'t>>,
    #[serde(borrow)]
    reason: Option<Text<'t>>,
}

fn read_object(
    document: &Document<'_>,
    block: &Block<'_>,
    suite: &SuiteName,
    dialect: &Dialect,
    gathered: &mut Gathered,
) -> Result<(), ReadError> {
    if let Err(problem) = json::check_limits(document, block) {
        gathered.note(problem);
        return Ok(());
    }
    match (dialect.parse)(block.text) {
        Ok(summary) if dialect.reads(&summary.version) => {
            take(&summary, document, block.line, suite, gathered);
        }
        Ok(summary) => return Err(other_version(document, block, &summary.version, dialect)),
        // The common case is read in one go; why an object is no result is asked only here.
        Err(misread) => match json::read(block.text) {
            Ok(Probe {
                version: Some(version),
                ..
            }) if !dialect.reads(&version) => {
                return Err(other_version(document, block, &version, dialect));
            }
            // One of cargo's own messages.
            Ok(Probe {
                reason: Some(_), ..
            }) if !is_summary(block.text) => {}
            _ => gathered.note(json::of_block(document, block, &misread)),
        },
    }
    Ok(())
}

fn other_version(
    document: &Document<'_>,
    block: &Block<'_>,
    found: &str,
    dialect: &Dialect,
) -> ReadError {
    ReadError {
        place: document.place(block.line, 1),
        problem: format!(
            "a summary of version {}, and the {} adapter reads {}",
            shown(found),
            dialect.adapter.name,
            dialect.versions_shown()
        ),
        hint: Some(dialect.version_hint),
    }
}

/// Takes one benchmark over.
fn take(
    summary: &Summary<'_>,
    document: &Document<'_>,
    line: usize,
    suite: &SuiteName,
    gathered: &mut Gathered,
) {
    let place = document.place(line, 1);
    let bench = match bench_of(summary, suite) {
        Ok(bench) => bench,
        Err(text) => return gathered.problem(place, text),
    };
    // Each tool is an observation of its own; gathering joins them, and sees to it that no metric stands twice.
    let (mut is_told, mut found) = (false, false);
    let has_callgrind = summary.has_callgrind();
    for tool in &summary.tools {
        let readings = readings_of(tool, &bench, has_callgrind, |text| {
            is_told = true;
            gathered.problem(place.clone(), text);
        });
        if readings.is_empty() {
            if *tool.name == *PERF {
                let text = "what perf counted is not read: each process has its own and there is no total; the text of the run has it";
                gathered.remark(place.clone(), text.to_owned());
            }
            continue;
        }
        found = true;
        let caveats = caveats_of(tool, &readings);
        let observation = Observation {
            bench: bench.clone(),
            readings,
            answer: None,
            caveats,
        };
        gathered.add_of(summary.target(), observation, place.clone());
    }
    if !found && !is_told {
        let bench = bench.within_suite();
        gathered.problem(
            place,
            format!("nothing was measured of benchmark `{bench}`"),
        );
    }
}

impl Summary<'_> {
    fn target(&self) -> Target<'_> {
        Target {
            package: self.package_dir.as_deref().unwrap_or_default(),
            ..target_of(&self.module_path)
        }
    }

    fn has_callgrind(&self) -> bool {
        let mut tools = self.tools.iter();
        tools.any(|tool| *tool.name == *CALLGRIND && !tool.metrics.is_empty())
    }
}

fn bench_of(summary: &Summary<'_>, suite: &SuiteName) -> Result<BenchId, String> {
    let name = name_of_module(&summary.module_path).ok_or_else(|| {
        let path = shown(&summary.module_path);
        format!("the module path `{path}` is not of the form file::group::function")
    })?;
    let params = summary.id.as_deref().map(params_of_id).unwrap_or_default();
    bench_id(suite, &name, &params)
}

/// Returns a tool's readings, and names through `problem` what cannot be one.
fn readings_of(
    tool: &Tool<'_>,
    bench: &BenchId,
    has_callgrind: bool,
    mut problem: impl FnMut(String),
) -> Vec<Reading> {
    let mut readings = Vec::with_capacity(tool.metrics.len());
    let mut not_measured = Vec::new();
    for (name, count) in &tool.metrics {
        // Quotients of what is kept anyway; a change in one cannot be judged without the counts it is made of.
        if name.ends_with("Rate") {
            continue;
        }
        if *count == Count::NotMeasured {
            not_measured.push(format!("`{}`", shown(name)));
            continue;
        }
        match reading_in(tool, name, *count, has_callgrind) {
            Ok(reading) => readings.push(reading),
            Err(error) => problem(format!(
                "metric `{}` of benchmark `{}` cannot be used: {error}",
                shown(name),
                bench.within_suite()
            )),
        }
    }
    if !not_measured.is_empty() {
        problem(format!(
            "benchmark `{}` was not measured in this run, only in an earlier one: {}",
            bench.within_suite(),
            listed(&not_measured)
        ));
    }
    readings
}

/// Makes a count a reading among those of the benchmark's other tools.
fn reading_in(
    tool: &Tool<'_>,
    name: &str,
    count: Count,
    has_callgrind: bool,
) -> Result<Reading, String> {
    let mut reading = reading_of(&tool.name, name, count)?;
    if has_callgrind {
        name_beside_callgrind(&tool.name, &mut reading).map_err(|error| error.to_string())?;
    }
    Ok(reading)
}

/// Returns what is to be said about a benchmark that hardly did anything.
pub(crate) fn tiny_count<'r>(readings: impl IntoIterator<Item = &'r Reading>) -> Option<Caveat> {
    let of_instructions = |reading: &&Reading| reading.metric.name.as_str() == "instructions";
    let reading = readings.into_iter().find(of_instructions)?;
    let count = reading.sample.values()[0];
    (count < TINY_INSTRUCTIONS).then_some(Caveat::TinyCount { count })
}

fn caveats_of(tool: &Tool<'_>, readings: &[Reading]) -> Vec<Caveat> {
    let mut caveats: Vec<Caveat> = tiny_count(readings).into_iter().collect();
    let mut threads: BTreeMap<(i64, u64), bool> = BTreeMap::new();
    for thread in &tool.threads {
        *threads.entry((thread.process, thread.number)).or_default() |= thread.counted;
    }
    // A single thread with nothing counted is a tiny count, which says more.
    let uncounted = threads.values().filter(|counted| !**counted).count();
    if threads.len() > 1 && uncounted > 0 {
        let threads = u32::try_from(uncounted).unwrap_or(u32::MAX);
        caveats.push(Caveat::ThreadsNotCounted { threads });
    }
    caveats
}
