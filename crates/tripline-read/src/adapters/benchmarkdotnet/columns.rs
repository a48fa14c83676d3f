//! What the columns of a table hold. Which columns there are is the author's choice: some may be missing, some be of their
//! own making, and the jobs and the params have as many as they need.
//!
//! The statistics divide a table: before them stands what is measured, behind them what it took. Tested below and by
//! `fixtures/benchmarkdotnet`.

use std::collections::BTreeSet;

use super::amount::Amount;
use super::tables::Row;
use crate::quantity::nanoseconds;

/// The column that every table has, unless what stands in it is the same in all rows and was moved above them.
pub(super) const METHOD: &str = "Method";

/// Columns of which a table has at least one: the times that stand for all others.
const CENTERS: [&str; 2] = ["Mean", "Median"];

/// Columns that mostly stand behind those.
const BESIDE: &[&str] = &[
    "Error",
    "StdErr",
    "StdDev",
    "Ratio",
    ALLOCATED,
    ALLOCATED_BEFORE,
    ALLOCATED_AT_FIRST,
];

/// What was allocated, as it is called since 0.12, as it was before, and as it was in 0.10.0.
const ALLOCATED: &str = "Allocated";
const ALLOCATED_BEFORE: &str = "Allocated Memory/Op";
const ALLOCATED_AT_FIRST: &str = "Bytes Allocated/Op";

/// What stands for a value that was not measured.
pub(super) const NOT_MEASURED: &str = "NA";

/// What a job can be told to do, and the param that it becomes where jobs differ in it. All of these stand in a CSV. It
/// is one text, because a table of pairs makes the binary a kilobyte larger.
const OF_JOB: &str = "\
AnalyzeLaunchVariance analyze_launch_variance
EvaluateOverhead evaluate_overhead
MaxAbsoluteError max_absolute_error
MaxRelativeError max_relative_error
MinInvokeCount min_invoke_count
MinIterationTime min_iteration_time
OutlierMode outlier_mode
RemoveOutliers remove_outliers
Affinity affinity
EnvironmentVariables environment_variables
Jit jit
LargeAddressAware large_address_aware
Platform platform
PowerPlanMode power_plan_mode
Runtime runtime
AllowVeryLargeObjects allow_very_large_objects
Concurrent concurrent
CpuGroups cpu_groups
Force force
HeapAffinitizeMask heap_affinitize_mask
HeapCount heap_count
NoAffinitize no_affinitize
RetainVm retain_vm
Server server
Arguments arguments
BuildConfiguration build_configuration
Clock clock
EngineFactory engine_factory
NuGetReferences nuget_references
Toolchain toolchain
IsMutator is_mutator
InvocationCount invocation_count
IterationCount iteration_count
IterationTime iteration_time
LaunchCount launch_count
MaxIterationCount max_iteration_count
MaxTargetIterationCount max_iteration_count
MaxWarmupIterationCount max_warmup_iteration_count
MemoryRandomization memory_randomization
MinIterationCount min_iteration_count
MinTargetIterationCount min_iteration_count
MinWarmupIterationCount min_warmup_iteration_count
RunStrategy run_strategy
TargetCount iteration_count
UnrollFactor unroll_factor
WarmupCount warmup_count";

/// What is told of the times, besides percentiles.
const STATISTICS: &[&str] = &[
    "Mean", "Error", "StdErr", "StdDev", "Min", "Q1", "Median", "Q3", "Max",
];

/// What is computed from other columns or other rows, and so is no measurement.
const COMPUTED: &[&str] = &[
    "Ratio",
    "RatioSD",
    "Scaled",
    "ScaledSD",
    "Scaled-SD",
    "Scaled-StdDev",
    "Alloc Ratio",
    "Baseline",
    "LogicalGroup",
    "Rank",
    "Skewness",
    "Kurtosis",
    "MValue",
];

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Namespace,
    Class,
    Method,
    /// What tells one job from another.
    Job(&'static str),
    Categories,
    Param,
    /// A statistic of the times, by our name for it.
    Time(String),
    Rounds,
    OperationsPerSecond,
    Allocated,
    /// How often a generation was collected in a thousand operations.
    Collections(char),
    Computed,
    /// A metric of a diagnoser, or of the author.
    Own,
}

impl Kind {
    /// Returns whether numbers stand there as the machine's language writes them.
    pub(super) fn is_number(&self) -> bool {
        matches!(
            self,
            Self::Time(_) | Self::Allocated | Self::Collections(_) | Self::Own
        )
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// What stands above it, without its unit.
    pub(super) name: String,
    /// The unit that stands above it.
    pub(super) unit: Option<String>,
    pub(super) kind: Kind,
}

/// Returns whether the names of columns are those of a table, of which the method may stand above.
pub(super) fn are_of_table<'t>(
    names: impl Iterator<Item = &'t str>,
    is_method_above: bool,
) -> bool {
    let (mut has_method, mut has_times) = (is_method_above, false);
    for name in names {
        has_method |= name == METHOD;
        has_times |= CENTERS.contains(&with_unit(name).0);
    }
    has_method && has_times
}

/// Returns whether enough of the names is left to tell that a table was meant.
pub(super) fn are_like_table<'t>(names: impl Iterator<Item = &'t str> + Clone) -> bool {
    let has = |sought: &str| names.clone().any(|name| with_unit(name).0 == sought);
    let beside = BESIDE.iter().filter(|name| has(name)).count();
    has(METHOD) && beside >= 1 || has(CENTERS[0]) && beside >= 2
}

/// What the cells of a column have in common.
#[derive(Debug, Clone)]
struct Cells {
    has_time: bool,
    /// Whether any is something else than what was not measured.
    has_other: bool,
    first: Option<String>,
    are_many: bool,
}

impl Cells {
    fn none() -> Self {
        Self {
            has_time: false,
            has_other: false,
            first: None,
            are_many: false,
        }
    }

    fn add(&mut self, cell: String) {
        self.has_time = self.has_time || is_time(&cell);
        self.has_other |= cell != NOT_MEASURED;
        self.are_many |= self.first.as_ref().is_some_and(|first| *first != cell);
        self.first.get_or_insert(cell);
    }
}

/// Returns what the columns of a table hold. The cells decide where a param is called as a statistic is; none where no column
/// has times.
pub(super) fn columns(
    names: &[String],
    rows: impl Iterator<Item = Row>,
    shown: Shown,
) -> Option<Vec<Column>> {
    let mut seen = vec![Cells::none(); names.len()];
    for row in rows {
        for (cells, cell) in seen.iter_mut().zip(row.cells) {
            cells.add(cell.text);
        }
    }
    let has_times = |index: usize| match with_unit(&names[index]).1 {
        Some(unit) => nanoseconds(unit).is_some(),
        None => seen[index].has_time || !seen[index].has_other,
    };
    let is_first = |index: &usize| {
        let name = with_unit(&names[*index]).0;
        statistic(name).is_some() && has_times(*index)
    };
    let first = (0..names.len()).find(is_first)?;
    let mut before = Before::default();
    let columns = names.iter().enumerate().map(|(index, title)| {
        let (name, unit) = with_unit(title);
        if index >= first {
            return Column {
                name: name.to_owned(),
                unit: unit.map(str::to_owned),
                kind: measured(name, has_times(index)),
            };
        }
        let is_hidden = shown == Shown::WhatDiffers && !seen[index].are_many;
        Column {
            name: title.clone(),
            unit: None,
            kind: before.kind(title, is_hidden, shown),
        }
    });
    Some(columns.collect())
}

/// Which columns of jobs and categories a table has. It has all params.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    All,
    /// Those whose cells differ; what all rows have in common stands above the table.
    WhatDiffers,
}

/// The columns before the statistics up to one of them.
#[derive(Debug, Default)]
struct Before<'t> {
    names: BTreeSet<&'t str>,
    has_job: bool,
    has_param: bool,
}

impl<'t> Before<'t> {
    /// Returns what the next column holds. It may be a param that is called as something of a job or as the categories: jobs
    /// stand before params, a job's name before all else of it, and none of these where it would be hidden.
    fn kind(&mut self, name: &'t str, is_hidden: bool, shown: Shown) -> Kind {
        let is_second = !self.names.insert(name);
        let kind = told_apart_by(name, self.names.contains(METHOD));
        let is_behind = match &kind {
            Kind::Job("job") => self.has_job || self.has_param,
            // A job may have what no version had when this was written, and all of a job stands in the tables that hide nothing.
            Kind::Job(_) => self.has_param && shown == Shown::WhatDiffers,
            _ => false,
        };
        let may_be_hidden = matches!(kind, Kind::Job(_) | Kind::Categories);
        let kind = match is_second || is_behind || is_hidden && may_be_hidden {
            true => Kind::Param,
            false => kind,
        };
        self.has_job |= matches!(kind, Kind::Job(_));
        self.has_param |= kind == Kind::Param;
        kind
    }
}

fn is_time(cell: &str) -> bool {
    Amount::of(cell).is_some_and(Amount::is_time)
}

/// Takes the name of a column and its unit apart: `Mean [ns]`.
fn with_unit(title: &str) -> (&str, Option<&str>) {
    if title == ALLOCATED_AT_FIRST {
        return (title, Some("B"));
    }
    let parts = title
        .strip_suffix(']')
        .and_then(|title| title.rsplit_once(" ["));
    match parts {
        Some((name, unit)) => (name, Some(unit)),
        None => (title, None),
    }
}

/// Returns what a column before the statistics holds. A param may be called as something else is: a class, which stands before
/// the method, or what is computed, which stands behind the statistics; and as something of a job only behind that.
fn told_apart_by(name: &str, has_method: bool) -> Kind {
    match name {
        "Namespace" if !has_method => Kind::Namespace,
        "Type" if !has_method => Kind::Class,
        METHOD => Kind::Method,
        "Job" => Kind::Job("job"),
        "Categories" => Kind::Categories,
        name => {
            let mut rows = OF_JOB.lines().filter_map(|row| row.split_once(' '));
            let of_job = rows.find(|(column, _)| *column == name);
            of_job.map_or(Kind::Param, |(_, key)| Kind::Job(key))
        }
    }
}

/// Returns what a column from the first statistic on holds.
fn measured(name: &str, has_times: bool) -> Kind {
    if let (Some(statistic), true) = (statistic(name), has_times) {
        return Kind::Time(statistic);
    }
    match name {
        "Iterations" => Kind::Rounds,
        "Op/s" => Kind::OperationsPerSecond,
        ALLOCATED | ALLOCATED_BEFORE | ALLOCATED_AT_FIRST => Kind::Allocated,
        "Categories" => Kind::Categories,
        name if COMPUTED.contains(&name) || name.starts_with("CI") && has_times => Kind::Computed,
        name => generation(name).map_or(Kind::Own, Kind::Collections),
    }
}

/// Returns our name for a statistic of times; percentiles are called `P95`.
fn statistic(name: &str) -> Option<String> {
    let is_known = match name.strip_prefix('P') {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => STATISTICS.contains(&name),
    };
    is_known.then(|| name.to_ascii_lowercase())
}

/// Returns the generation of `Gen0`, `Gen 0` or `Gen 0/1k Op`, as it is called by version.
fn generation(name: &str) -> Option<char> {
    let name = name.strip_suffix("/1k Op").unwrap_or(name);
    let mut digits = name.strip_prefix("Gen")?.trim_start().chars();
    let generation = digits.next().filter(|digit| "012".contains(*digit))?;
    digits.next().is_none().then_some(generation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::benchmarkdotnet::tables::Cell;

    fn kinds(names: &[&str], row: &[&str]) -> Option<Vec<Kind>> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let cells = row.iter().map(|text| Cell {
            column: 1,
            text: (*text).to_owned(),
        });
        let row = Row {
            line: 1,
            cells: cells.collect(),
        };
        let columns = columns(&names, [row].into_iter(), Shown::All)?;
        Some(columns.into_iter().map(|column| column.kind).collect())
    }

    fn time(name: &str) -> Kind {
        Kind::Time(name.to_owned())
    }

    #[test]
    fn what_stands_before_the_times_is_measured_and_what_stands_behind_is_what_it_took() {
        assert_eq!(
            kinds(
                &[
                    "Type",
                    "Method",
                    "Job",
                    "Runtime",
                    "N",
                    "Categories",
                    "Mean",
                    "P95",
                    "Gen 0/1k Op",
                    "Allocated",
                    "Rows"
                ],
                &[
                    "Kv", "Get", "Job-A", ".NET 9.0", "1", "warm", "1.5 ns", "2.0 ns", "0.1",
                    "8 B", "3"
                ],
            ),
            Some(vec![
                Kind::Class,
                Kind::Method,
                Kind::Job("job"),
                Kind::Job("runtime"),
                Kind::Param,
                Kind::Categories,
                time("mean"),
                time("p95"),
                Kind::Collections('0'),
                Kind::Allocated,
                Kind::Own,
            ])
        );
    }

    #[test]
    fn a_param_may_be_called_as_a_statistic_or_as_something_of_a_job() {
        assert_eq!(
            kinds(
                &[
                    "Method",
                    "Runtime",
                    "Runtime",
                    "Max",
                    "Mean [us]",
                    "Max [us]"
                ],
                &["Get", ".NET 9.0", "long", "10", "1.5", "2.0"],
            ),
            Some(vec![
                Kind::Method,
                Kind::Job("runtime"),
                Kind::Param,
                Kind::Param,
                time("mean"),
                time("max"),
            ])
        );
    }

    #[test]
    fn a_param_may_be_called_as_a_class_or_as_what_is_computed() {
        for name in ["Type", "Namespace", "Rank", "Ratio", "Baseline"] {
            assert_eq!(
                kinds(&["Method", name, "Mean"], &["Get", "1", "1.5 ns"]),
                Some(vec![Kind::Method, Kind::Param, time("mean")]),
                "{name}"
            );
        }
    }

    #[test]
    fn a_table_without_times_is_none() {
        assert_eq!(kinds(&["Method", "Mean"], &["Get", "1.5"]), None);
        let failed = kinds(&["Method", "N", "Mean", "Ratio"], &["Get", "1", "NA", "?"]);
        let expected = vec![Kind::Method, Kind::Param, time("mean"), Kind::Computed];
        assert_eq!(failed, Some(expected));
    }

    #[test]
    fn a_header_is_known_by_its_columns() {
        for (names, is_whole, is_like) in [
            (&["Method", "Mean", "Error", "StdDev"][..], true, true),
            (
                &["Type", "Method", "Median [us]", "Allocated [KB]"],
                true,
                true,
            ),
            (&["Method", "Mxan", "Allocated Memory/Op"], false, true),
            (&["Method", "Mean"], true, false),
            (&["Method", "Mesn", "Error", "StdDev"], false, true),
            (&["Methud", "Mean", "Error", "StdDev"], false, true),
            (&["Method", "Points"], false, false),
            (&["Name", "Mean", "Error"], false, false),
        ] {
            assert_eq!(
                are_of_table(names.iter().copied(), false),
                is_whole,
                "{names:?}"
            );
            assert_eq!(are_like_table(names.iter().copied()), is_like, "{names:?}");
        }
        for (names, is_whole) in [(["Type", "Mean"], true), (["Type", "Points"], false)] {
            assert_eq!(are_of_table(names.into_iter(), true), is_whole, "{names:?}");
        }
    }
}
