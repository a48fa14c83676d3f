//! Which steps of a suite are measured here, where that is not all of them: those of one shard, or those that a canary
//! needs.
//!
//! The one idea: an answer belongs to whatever else is measured of its benchmark, so steps that only answer go along with
//! every other step, and never alone. Everything else is measured in exactly one place; also a step that only the base
//! has, which goes where the suite's first step goes.
//!
//! Tested below, and by `tests/it/shards`.

use std::fmt;
use std::str::FromStr;

use tripline_model::few;
use tripline_model::{FactValue, NameError, Part, StepName, SuiteName};

use super::{Step, Suite, near_miss};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;

/// A step by its path: `store/counts`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StepPath {
    pub(crate) suite: SuiteName,
    pub(crate) step: StepName,
}

impl FromStr for StepPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((suite, step)) = text.split_once('/') else {
            return Err("a step is named with its suite: `SUITE/STEP`".to_owned());
        };
        let text = |error: NameError| error.to_string();
        Ok(Self {
            suite: SuiteName::new(suite).map_err(text)?,
            step: StepName::new(step).map_err(text)?,
        })
    }
}

impl fmt::Display for StepPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.suite, self.step)
    }
}

/// Some of a suite's steps. There is at least one, and none only answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selection {
    steps: Vec<StepName>,
    of: Vec<StepName>,
    /// How many steps of the whole suite are timed.
    timed: usize,
}

impl Selection {
    /// Returns whether a step of either side is measured here.
    fn takes(&self, step: &Step) -> bool {
        let is_here = |name: &StepName| self.steps.contains(name);
        let is_orphan = !self.of.contains(&step.name);
        step.harness.answers()
            || is_here(&step.name)
            || (is_orphan && self.of.first().is_some_and(is_here))
    }

    /// Says so in a run.
    pub(crate) fn part(&self, how: FactValue) -> Part {
        Part::new(self.steps.clone(), self.of.clone(), how)
            .expect("a selection has steps, each once, and all of its suite")
    }
}

impl Suite {
    /// Returns the steps that measure: all but those that only answer.
    pub(crate) fn measuring_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| !step.harness.answers())
    }

    /// Returns the steps that measure, those together that must be measured on one machine: where metrics are derived
    /// from times, a ratio of two machines' times would say nothing of the code, also where once is enough.
    pub(crate) fn groups(&self) -> Vec<Vec<&Step>> {
        let mut groups: Vec<Vec<&Step>> = Vec::new();
        for step in self.measuring_steps() {
            let is_with = |group: &&mut Vec<&Step>| {
                let give_times = step.harness.times() && group[0].harness.times();
                give_times && !self.judging.derived.is_empty()
            };
            match groups.iter_mut().find(is_with) {
                Some(group) => group.push(step),
                None => groups.push(vec![step]),
            }
        }
        groups
    }

    /// Returns the suite with some of its steps that measure, and those that answer. One with all of them is the whole
    /// suite; one without any has nothing to measure.
    pub(crate) fn with_only(&self, is_wanted: impl Fn(&Step) -> bool) -> Option<Self> {
        let selection = self.selection(is_wanted);
        match selection.steps.len() {
            0 => None,
            all if all == selection.of.len() => Some(self.clone()),
            _ => Some(self.narrowed(selection)),
        }
    }

    /// Returns another state of a suite with the same selection of its steps.
    pub(crate) fn narrowed_like(self, other: &Self) -> Self {
        match &other.selection {
            Some(selection) => self.narrowed(selection.clone()),
            None => self,
        }
    }

    /// Returns how many steps of the whole suite are timed.
    pub(crate) fn timed_in_all(&self) -> usize {
        match &self.selection {
            Some(selection) => selection.timed,
            None => self
                .steps
                .iter()
                .filter(|step| step.goes_by_rounds())
                .count(),
        }
    }

    fn selection(&self, is_wanted: impl Fn(&Step) -> bool) -> Selection {
        let names = |is_wanted: &dyn Fn(&Step) -> bool| {
            let wanted = self.measuring_steps().filter(|step| is_wanted(step));
            wanted.map(|step| step.name.clone()).collect()
        };
        Selection {
            steps: names(&is_wanted),
            of: names(&|_| true),
            timed: self.timed_in_all(),
        }
    }

    fn narrowed(&self, selection: Selection) -> Self {
        let mut narrowed = self.clone();
        narrowed.steps.retain(|step| selection.takes(step));
        narrowed.selection = Some(selection);
        narrowed
    }
}

/// Returns the suites with the steps that were asked for. Also where these are all steps of a suite, it is said to be a
/// part: what shards measure is joined in one way, however many there are.
pub(crate) fn selected(project: &Project, asked: &[StepPath]) -> Outcome<Vec<Suite>> {
    let mut names: Vec<SuiteName> = asked.iter().map(|path| path.suite.clone()).collect();
    few::sort(&mut names);
    names.dedup();
    let mut suites = Vec::with_capacity(names.len());
    for suite in project.suites(&names)? {
        let of_suite = asked.iter().filter(|path| path.suite == suite.name);
        let steps: Vec<&StepPath> = of_suite.collect();
        for path in &steps {
            check_is_there(&suite, path)?;
        }
        let is_asked = |step: &Step| steps.iter().any(|path| path.step == step.name);
        check_groups(&suite, is_asked)?;
        let selection = suite.selection(is_asked);
        if selection.steps.is_empty() {
            return Err(only_answers(steps[0]));
        }
        suites.push(suite.narrowed(selection));
    }
    Ok(suites)
}

fn check_is_there(suite: &Suite, path: &StepPath) -> Outcome<()> {
    let names = || suite.steps.iter().map(|step| step.name.as_str());
    if names().any(|name| name == path.step.as_str()) {
        return Ok(());
    }
    let error = refused(&format!("there is no step `{path}`"));
    Err(match near_miss(path.step.as_str(), names()) {
        Some(near) => error.hint(format!("did you mean `{}/{near}`?", path.suite)),
        None => {
            let names: Vec<&str> = names().collect();
            error.hint(format!("its steps are: {}", names.join(", ")))
        }
    })
}

fn check_groups(suite: &Suite, is_asked: impl Fn(&Step) -> bool) -> Outcome<()> {
    for group in suite.groups() {
        let asked = group.iter().filter(|step| is_asked(step)).count();
        if asked > 0 && asked < group.len() {
            let paths = group
                .iter()
                .map(|step| format!("{}/{}", suite.name, step.name));
            let paths: Vec<String> = paths.collect();
            let what =
                "metrics are derived from times of several steps, which must be of one machine";
            return Err(refused(what).hint(format!("name all of `{}`, or none", paths.join(","))));
        }
    }
    Ok(())
}

fn only_answers(path: &StepPath) -> CommandError {
    refused(&format!("`{path}` answers, and measures nothing by itself"))
        .hint("it goes with every other step of its suite: name one of those")
}

fn refused(why: &str) -> CommandError {
    CommandError::new(Exit::Usage, format!("nothing was measured: {why}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn suite(more: &str) -> Suite {
        let step = |name: &str, harness: &str| {
            format!("[[step]]\nname = \"{name}\"\nharness = \"{harness}\"\nbench = \"{name}\"\n")
        };
        let steps = [
            ("answers", "answers"),
            ("counts", "iai-callgrind"),
            ("times", "duet"),
            ("more", "duet"),
        ];
        let steps: String = steps.map(|(name, harness)| step(name, harness)).concat();
        let text = format!("about = \"x\"\n{steps}{more}");
        let name = SuiteName::new("kv").unwrap();
        Suite::parse(name, Path::new("x"), text.as_bytes()).unwrap()
    }

    fn step_of_which_once_is_enough() -> Step {
        let text = "about = \"x\"\n[[step]]\nname = \"once\"\nharness = \"custom-smaller-is-better\"\nbench = \"once\"\nrepeats = 1\n";
        let name = SuiteName::new("kv").unwrap();
        let suite = Suite::parse(name, Path::new("x"), text.as_bytes()).unwrap();
        suite.steps[0].clone()
    }

    fn names<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Vec<&'a str> {
        steps.into_iter().map(|step| step.name.as_str()).collect()
    }

    #[test]
    fn answers_go_with_every_step_and_are_none_to_spread() {
        let suite = suite("");
        let groups: Vec<_> = suite.groups().into_iter().map(names).collect();
        assert_eq!(groups, [["counts"], ["times"], ["more"]]);
        let part = suite
            .with_only(|step| step.name.as_str() == "times")
            .unwrap();
        assert_eq!(names(&part.steps), ["answers", "times"]);
        assert_eq!(part.timed_in_all(), 2);
        assert!(suite.with_only(|_| false).is_none());
        assert!(suite.with_only(|_| true).unwrap().selection.is_none());
    }

    #[test]
    fn times_that_metrics_are_derived_from_stay_together() {
        let derived = "[[derived]]\nname = \"degradation\"\nabout = \"x\"\nunit = \"ratio\"\nbetter = \"lower\"\n\
                       expression = \"a:wall_time / b:wall_time\"\n";
        let mut suite = suite(derived);
        suite.steps.push(step_of_which_once_is_enough());
        let groups: Vec<_> = suite.groups().into_iter().map(names).collect();
        assert_eq!(groups, [vec!["counts"], vec!["times", "more", "once"]]);
    }

    #[test]
    fn what_is_enough_once_is_none_of_the_timed() {
        let mut suite = suite("");
        suite.steps.push(step_of_which_once_is_enough());
        assert_eq!(suite.timed_in_all(), 2);
        let part = suite.with_only(|step| step.name.as_str() == "once");
        assert_eq!(part.unwrap().timed_in_all(), 2);
    }

    #[test]
    fn what_only_the_base_has_goes_with_the_first_step() {
        let suite = suite("");
        let of_base = |name: &str| {
            let mut base = suite.clone();
            base.steps[3].name = StepName::new("old").unwrap();
            let here = suite.with_only(|step| step.name.as_str() == name).unwrap();
            let base = base.narrowed_like(&here);
            base.steps.iter().any(|step| step.name.as_str() == "old")
        };
        assert!(of_base("counts"));
        assert!(!of_base("times"));
    }

    #[test]
    fn a_path_is_a_suite_and_a_step() {
        let path: StepPath = "store/counts".parse().unwrap();
        assert_eq!(path.to_string(), "store/counts");
        for text in ["store", "store/", "/counts", "a/b/c", "A/b", ""] {
            assert!(text.parse::<StepPath>().is_err(), "{text}");
        }
    }
}
