//! A program that is measured whole: run by itself, and under tools that count what it does.
//!
//! `harness = "process"` with `tools` is a step for each of them, and one for the program by itself, so that whatever is
//! counted of a program, its processor time and its memory stand beside it. Tested below and by `tests/it/whole`.

use std::collections::BTreeMap;

use tripline_model::{
    BenchId, BenchName, MetricName, NameError, ParamKey, ParamValue, Params, StepName, SuiteName,
};

use super::{StepProblem, near_miss};

/// The name of the harness that measures programs whole.
pub(crate) const WHOLE: &str = "process";

/// The fewest runs of a program whose times are taken: one or two say nothing about how far they are apart.
pub(super) const RUNS_MIN: u32 = 3;

/// What a program is run under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    /// Times it again and again, without a shell.
    Hyperfine,
    /// Nothing: the kernel says what it took.
    Alone,
    /// The processor's counters, where there are any.
    PerfStat,
    /// Every allocation.
    Dhat,
    /// The heap at its highest.
    Massif,
    /// Every instruction.
    Callgrind,
    /// Every system call, of every thread.
    Strace,
}

/// Returns the name of the metric that holds how many units the program worked through.
pub(crate) fn counted(unit: &str) -> String {
    format!("count_{unit}")
}

/// What is known of a tool.
struct Row {
    tool: Tool,
    name: &'static str,
    program: &'static str,
    adapter: Option<&'static str>,
    /// What it is asked for. Where two tools of a step give the same, the one that stands first in the table is believed.
    gives: &'static [&'static str],
    /// What of that is worked for by the unit: a peak is not.
    by_unit: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        tool: Tool::Hyperfine,
        name: "hyperfine",
        program: "hyperfine",
        adapter: Some("hyperfine"),
        gives: &["wall_time"],
        // What the program says of its work is not handed on by hyperfine.
        by_unit: &[],
    },
    Row {
        tool: Tool::Alone,
        name: "alone",
        program: "",
        adapter: None,
        gives: &[
            "wall_time",
            "cpu_time",
            "user_time",
            "system_time",
            "resident_peak",
        ],
        by_unit: &["wall_time", "cpu_time"],
    },
    Row {
        tool: Tool::PerfStat,
        name: "perf-stat",
        program: "perf",
        adapter: Some("perf-stat"),
        gives: &["hardware_instructions", "hardware_cycles"],
        by_unit: &["hardware_instructions", "hardware_cycles"],
    },
    Row {
        tool: Tool::Dhat,
        name: "dhat",
        program: "valgrind",
        adapter: Some("dhat"),
        gives: &["allocations", "allocated_bytes", "heap_peak"],
        by_unit: &["allocations", "allocated_bytes"],
    },
    Row {
        tool: Tool::Massif,
        name: "massif",
        program: "valgrind",
        adapter: Some("massif"),
        gives: &["heap_peak"],
        by_unit: &[],
    },
    Row {
        tool: Tool::Callgrind,
        name: "callgrind",
        program: "valgrind",
        adapter: Some("callgrind"),
        gives: &["instructions"],
        by_unit: &["instructions"],
    },
    Row {
        tool: Tool::Strace,
        name: "strace",
        program: "strace",
        adapter: Some("strace-count"),
        gives: &["system_calls", "futex_calls"],
        by_unit: &["system_calls", "futex_calls"],
    },
];

impl Tool {
    fn row(self) -> &'static Row {
        let row = ROWS.iter().find(|row| row.tool == self);
        row.expect("every tool has a row, which a test holds")
    }

    /// Returns what suites call it.
    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the name of the step that runs a program under it, of the step as it is written.
    pub(super) fn step(self, step: &StepName) -> Result<StepName, NameError> {
        match self {
            Self::Alone => Ok(step.clone()),
            tool => StepName::new(format!("{step}-{}", tool.name())),
        }
    }

    /// Returns the program that it is, if it is one.
    pub(crate) fn program(self) -> Option<&'static str> {
        Some(self.row().program).filter(|program| !program.is_empty())
    }

    /// Returns the reader of what it writes.
    pub(crate) fn adapter(self) -> Option<&'static tripline_read::Adapter> {
        let name = self.row().adapter?;
        Some(tripline_read::adapter(name).expect("the table names adapters, which a test holds"))
    }

    /// Returns whether the program runs at its own speed, so that what is measured depends on the moment.
    pub(crate) fn times(self) -> bool {
        matches!(self, Self::Hyperfine | Self::Alone | Self::PerfStat)
    }

    /// Returns whether it is valgrind's, under which the program runs on a processor that valgrind makes up.
    pub(crate) fn is_valgrind(self) -> bool {
        self.row().program == "valgrind"
    }

    /// Returns the metrics that are also stated by the unit.
    pub(crate) fn by_unit(self) -> &'static [&'static str] {
        self.row().by_unit
    }
}

/// A program that is measured whole, beside what every step has.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// The benchmark that it is.
    pub(crate) benchmark: BenchId,
    /// What the executable of a bench is given.
    pub(crate) args: Vec<String>,
    /// The unit of its work, by which it is also measured.
    pub(crate) per: Option<String>,
    /// What it is run under, itself first.
    pub(super) tools: Vec<Tool>,
}

impl Program {
    /// Returns whether a tool is the one to be believed about a metric; what no tool was asked for is each one's own.
    pub(crate) fn believes(&self, tool: Tool, metric: &str) -> bool {
        let asked = |row: &&Row| self.tools.contains(&row.tool) && row.gives.contains(&metric);
        let believed = ROWS.iter().find(asked);
        believed.is_none_or(|row| row.tool == tool)
    }

    /// Returns the names of the metrics that are stated by the unit.
    pub(super) fn names_by_unit(&self) -> Vec<String> {
        let names = self.tools.iter().flat_map(|tool| tool.by_unit());
        let per = self.per.iter();
        per.flat_map(|unit| names.clone().map(move |name| by_unit(name, unit)))
            .collect()
    }
}

/// Returns the name of a metric by the unit.
pub(crate) fn by_unit(metric: &str, unit: &str) -> String {
    format!("{metric}_per_{unit}")
}

/// What a step says that only one whose program is measured whole can say.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) tools: Option<Vec<String>>,
    pub(super) args: Option<Vec<String>>,
    pub(super) benchmark: Option<String>,
    pub(super) params: Option<BTreeMap<String, toml::Value>>,
    pub(super) per: Option<String>,
}

impl Keys {
    /// Returns the first key that is there.
    pub(super) fn any(&self) -> Option<&'static str> {
        let keys = [
            ("tools", self.tools.is_some()),
            ("args", self.args.is_some()),
            ("benchmark", self.benchmark.is_some()),
            ("params", self.params.is_some()),
            ("per", self.per.is_some()),
        ];
        keys.into_iter()
            .find(|(_, is_there)| *is_there)
            .map(|(key, _)| key)
    }

    /// Checks what the types do not, and returns the program and what it is run under, itself first.
    pub(super) fn check(self, suite: &SuiteName, step: &StepName) -> Result<Program, StepProblem> {
        let wrong = |what: String| (format!("step `{step}` {what}"), None);
        let name = self.benchmark.as_deref().unwrap_or(step.as_str());
        let name = BenchName::new(name).map_err(|error| wrong(format!("has no name: {error}")))?;
        let mut params = Params::new();
        for pair in self.params.unwrap_or_default() {
            let (key, value) = param(pair).map_err(wrong)?;
            params.insert(key, value);
        }
        if let Some(unit) = &self.per {
            let longest = ROWS
                .iter()
                .flat_map(|row| row.by_unit)
                .max_by_key(|name| name.len());
            let names = longest.map(|metric| by_unit(metric, unit));
            let names = names.into_iter().chain([counted(unit)]);
            for name in names {
                MetricName::new(name)
                    .map_err(|error| wrong(format!("has an odd `per`: {error}")))?;
            }
        }
        let mut tools = vec![Tool::Alone];
        for name in self.tools.unwrap_or_default() {
            let tool = tool_named(&name).map_err(|(what, hint)| (wrong(what).0, hint))?;
            tool.step(step)
                .map_err(|error| wrong(format!("under `{name}` has no name: {error}")))?;
            if tools.contains(&tool) {
                return Err(wrong(format!("names the tool `{name}` twice")));
            }
            tools.push(tool);
        }
        Ok(Program {
            benchmark: BenchId {
                suite: suite.clone(),
                name,
                params,
            },
            args: self.args.unwrap_or_default(),
            per: self.per,
            tools,
        })
    }
}

fn param((key, value): (String, toml::Value)) -> Result<(ParamKey, ParamValue), String> {
    let text = match value {
        toml::Value::String(text) => text,
        toml::Value::Integer(number) => number.to_string(),
        _ => {
            return Err(format!(
                "has the param `{key}`, which is neither a text nor a whole number"
            ));
        }
    };
    let key = ParamKey::new(key).map_err(|error| format!("has an odd param: {error}"))?;
    let value = ParamValue::new(text).map_err(|error| format!("has an odd param: {error}"))?;
    Ok((key, value))
}

fn tool_named(name: &str) -> Result<Tool, StepProblem> {
    let known = || ROWS.iter().filter(|row| row.tool != Tool::Alone);
    if let Some(row) = known().find(|row| row.name == name) {
        return Ok(row.tool);
    }
    let names = known().map(|row| row.name);
    let hint = match near_miss(name, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the tools are: {}", names.collect::<Vec<_>>().join(", ")),
    };
    Err((format!("names an unknown tool `{name}`"), Some(hint)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Tool; 7] = [
        Tool::Hyperfine,
        Tool::Alone,
        Tool::PerfStat,
        Tool::Dhat,
        Tool::Massif,
        Tool::Callgrind,
        Tool::Strace,
    ];

    #[test]
    fn every_tool_has_a_row_whose_adapter_and_metrics_are_known() {
        for tool in ALL {
            let row = tool.row();
            assert_eq!(tool.adapter().is_some(), tool.program().is_some());
            let is_known = |name: &&str| tripline_model::Metric::known(name).is_some();
            assert!(row.gives.iter().all(is_known), "{}", row.name);
            assert!(row.by_unit.iter().all(|name| row.gives.contains(name)));
        }
        assert_eq!(ROWS.len(), ALL.len());
    }

    #[test]
    fn of_two_tools_that_give_the_same_one_is_believed() {
        let keys = Keys {
            tools: Some(vec![
                "hyperfine".to_owned(),
                "massif".to_owned(),
                "dhat".to_owned(),
            ]),
            ..Keys::default()
        };
        let suite = SuiteName::new("scan").unwrap();
        let program = keys
            .check(&suite, &StepName::new("small").unwrap())
            .unwrap();
        for (metric, believed) in [
            ("wall_time", Tool::Hyperfine),
            ("user_time", Tool::Alone),
            ("resident_peak", Tool::Alone),
            ("heap_peak", Tool::Dhat),
        ] {
            for tool in program.tools.iter().copied() {
                assert_eq!(program.believes(tool, metric), tool == believed, "{metric}");
            }
        }
        assert!(program.believes(Tool::Massif, "heap_peak_overhead"));
    }
}
