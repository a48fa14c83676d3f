//! Reads gungraun, which iai-callgrind became: the summaries of 0.20, version 7.
//!
//! The form differs from version 6 in its members and in that numbers are plain; `null` members are left out. What the
//! counts mean is the same. Tested by `fixtures/gungraun`.

use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use tripline_model::SuiteName;

use crate::adapter::{Adapter, Mark};
use crate::input::Input;
use crate::json::{self, Members, Misread, Text};
use crate::valgrind::{self, Count, Dialect, Summary, Thread, Tool};
use crate::{Observed, ReadError};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "gungraun",
    about: "gungraun 0.20: JSON lines of `--output-format=json`, or the tree of `--save-summary=json`",
    files: valgrind::is_summary_file,
    mark: Mark::Object(|object| valgrind::is_summary(object) && valgrind::is_newer(object)),
    hint: "run the benches with `--output-format=json`; a filter that selects none still ends well",
    read,
};

const DIALECT: Dialect = Dialect {
    adapter: &ADAPTER,
    versions: &["7"],
    version_hint: "use gungraun 0.20; for iai-callgrind, and gungraun up to 0.19, name the harness `iai-callgrind`",
    parse,
};

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    valgrind::read(input, suite, &DIALECT)
}

fn parse(text: &str) -> Result<Summary<'_>, Misread> {
    json::read::<SummaryV7<'_>>(text).map(SummaryV7::into_common)
}

/// One benchmark. A missing `id` is no error: a benchmark with a single case has none.
#[derive(Deserialize)]
struct SummaryV7<'t> {
    #[serde(borrow)]
    version: Text<'t>,
    #[serde(borrow)]
    module_path: Text<'t>,
    #[serde(borrow)]
    package_dir: Option<Text<'t>>,
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
    data: Data<'t>,
}

/// The parts are rows of single threads and processes; the total sums them up.
#[derive(Deserialize)]
struct Data<'t> {
    parts: Vec<Part>,
    #[serde(borrow)]
    total: Total<'t>,
}

#[derive(Deserialize)]
struct Total<'t> {
    #[serde(borrow)]
    metrics: Members<'t, Metric>,
}

#[derive(Deserialize)]
struct Part {
    tool_run: ToolRuns,
    metrics: PartMetrics,
}

/// Which process and thread a part belongs to.
#[derive(Deserialize)]
struct ToolRun {
    pid: i64,
    thread: Option<u64>,
}

/// What a part is looked at for.
#[derive(Deserialize)]
struct PartMetrics {
    #[serde(rename = "Ir")]
    instructions: Option<Metric>,
}

#[derive(Deserialize)]
struct Metric {
    values: Values,
}

/// What was measured now and before; either may be missing. Only the new side is read.
#[derive(Deserialize)]
struct Values {
    /// `null` is a value that JSON has no number for, and not a missing one.
    #[serde(default, deserialize_with = "present")]
    new: Option<Value>,
}

/// The runs that gave a part, now and before.
#[derive(Deserialize)]
struct ToolRuns {
    new: Option<ToolRun>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A number, or what perf says about one.
#[derive(Clone, Copy)]
struct Value(Count);

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Value, E> {
        Ok(Value(Count::Whole(n)))
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Value, E> {
        // Only negative numbers come here, and which one it is does not matter to what refuses them.
        Ok(Value(Count::Real(n as f64)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value(Count::Real(value)))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value(Count::Undefined))
    }

    /// Perf's values are statistics; they never stand among the totals, and in parts they are not looked at.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value(Count::Undefined))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl Metric {
    fn count(&self) -> Count {
        self.values.new.map_or(Count::NotMeasured, |value| value.0)
    }
}

impl<'t> SummaryV7<'t> {
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

impl<'t> Profile<'t> {
    fn into_common(self) -> Tool<'t> {
        let metrics = self.data.total.metrics.0;
        let metrics = metrics
            .into_iter()
            .map(|(name, metric)| (name, metric.count()));
        Tool {
            name: self.tool,
            metrics: metrics.collect(),
            threads: self.data.parts.iter().filter_map(Part::thread).collect(),
        }
    }
}

impl Part {
    /// Returns the thread this part is of, if its instructions were counted in this run and not only in an earlier one.
    fn thread(&self) -> Option<Thread> {
        let run = self.tool_run.new.as_ref()?;
        let count = self.metrics.instructions.as_ref()?.count();
        Some(Thread {
            process: run.pid,
            number: run.thread?,
            counted: count != Count::Whole(0),
        })
    }
}
