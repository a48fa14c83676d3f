//! Where suites are written, for whoever shows a note beside a file.
//!
//! A report does not say where its benchmarks stand, and a place out of it would be a stranger's word. So the caller looks
//! the suite's file up, and says on which lines its steps begin; what a note is about then leads to one of them. Tested
//! below and by `tests/render/places`.

use std::collections::BTreeMap;

use tripline_model::{BenchId, StepName, SuiteName};

/// Where something stands in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, from the root of the repository.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

/// Where suites are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places(BTreeMap<SuiteName, Source>);

/// The file that a suite is written in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, from the root of the repository.
    pub path: String,
    /// Its steps, as far as they could be read.
    pub steps: Vec<Written>,
}

/// A step as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// What it is called.
    pub step: String,
    /// The one benchmark that it measures, if it says so.
    pub benchmark: Option<String>,
    /// The line it begins on, from 1.
    pub line: u32,
}

impl Places {
    /// Nobody knows where anything is written.
    pub const UNKNOWN: Self = Self(BTreeMap::new());

    /// Returns the place of a suite.
    pub(crate) fn of_suite(&self, suite: &SuiteName) -> Option<Place> {
        self.0.get(suite).map(|source| source.at(None))
    }

    /// Returns the place of a step. One that runs a program under a tool is named after the step that is written.
    pub(crate) fn of_step(&self, suite: &SuiteName, step: &StepName) -> Option<Place> {
        let step = step.as_str();
        let is_of = |written: &&Written| {
            let rest = step.strip_prefix(written.step.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let source = self.0.get(suite)?;
        let steps = source.steps.iter().filter(is_of);
        Some(source.at(steps.max_by_key(|written| written.step.len())))
    }

    /// Returns the place of a benchmark: the step that says it measures it, or the only one there is.
    pub(crate) fn of_bench(&self, bench: &BenchId) -> Option<Place> {
        let source = self.0.get(&bench.suite)?;
        let name = Some(bench.name.as_str());
        let named = source
            .steps
            .iter()
            .find(|written| written.benchmark.as_deref() == name);
        Some(source.at(named.or(match &source.steps[..] {
            [only] => Some(only),
            _ => None,
        })))
    }
}

impl FromIterator<(SuiteName, Source)> for Places {
    fn from_iter<T: IntoIterator<Item = (SuiteName, Source)>>(suites: T) -> Self {
        let mut all = BTreeMap::new();
        all.extend(suites);
        Self(all)
    }
}

impl Source {
    /// Returns the line of a step, or the first of the file, which is about the whole suite.
    fn at(&self, written: Option<&Written>) -> Place {
        Place {
            path: self.path.clone(),
            line: written.map_or(1, |written| written.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{BenchName, Params};

    use super::*;

    fn suite(name: &str) -> SuiteName {
        SuiteName::new(name).unwrap()
    }

    fn places(steps: &[(&str, Option<&str>, u32)]) -> Places {
        let steps = steps.iter().map(|(step, benchmark, line)| Written {
            step: (*step).to_owned(),
            benchmark: benchmark.map(str::to_owned),
            line: *line,
        });
        let source = Source {
            path: "bench/kv/suite.toml".to_owned(),
            steps: steps.collect(),
        };
        [(suite("kv"), source)].into_iter().collect()
    }

    fn of_bench(places: &Places, suite_name: &str, name: &str) -> Option<u32> {
        let bench = BenchId {
            suite: suite(suite_name),
            name: BenchName::new(name).unwrap(),
            params: Params::new(),
        };
        places.of_bench(&bench).map(|place| place.line)
    }

    #[test]
    fn a_benchmark_leads_to_the_step_that_names_it_or_to_the_only_one() {
        let one = places(&[("counts", None, 3)]);
        assert_eq!(of_bench(&one, "kv", "get"), Some(3));
        let two = places(&[("counts", None, 3), ("whole", Some("scan"), 8)]);
        assert_eq!(of_bench(&two, "kv", "scan"), Some(8));
        assert_eq!(of_bench(&two, "kv", "get"), Some(1));
        assert_eq!(of_bench(&two, "elsewhere", "get"), None);
        assert_eq!(two.of_suite(&suite("kv")).unwrap().line, 1);
    }

    #[test]
    fn a_step_under_a_tool_leads_to_the_step_that_is_written() {
        let places = places(&[("scan", None, 3), ("scan-all", None, 8)]);
        let line = |step: &str| {
            let step = StepName::new(step).unwrap();
            places.of_step(&suite("kv"), &step).unwrap().line
        };
        assert_eq!(line("scan"), 3);
        assert_eq!(line("scan-callgrind"), 3);
        assert_eq!(line("scan-all-callgrind"), 8);
        assert_eq!(line("scanned"), 1);
    }
}
