//! Which part of its suite a run holds, where it was to hold no more: one shard of several.
//!
//! The one idea: a part says what the whole is, so that nobody takes it for the whole, and whoever joins parts sees what
//! is missing. Tested below, and on files by `tests/wire`.

use crate::bench_id::Params;
use crate::names::{BenchName, FactValue, StepName};

/// Says which steps of its suite a run holds. There is at least one, each stands once, and all are steps of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    steps: Vec<StepName>,
    of: Vec<StepName>,
    /// How it was measured, in words. All parts of a run are measured in the same way.
    pub how: FactValue,
    /// What was answered for and not measured here. What no part measures was measured nowhere.
    pub unmeasured: Vec<Unmeasured>,
}

/// A benchmark for which a step gave an answer, and of which no step of the same part measured anything.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unmeasured {
    /// The benchmark's name within the suite.
    pub name: BenchName,
    /// Its params.
    pub params: Params,
    /// The step that gave the answer.
    pub step: StepName,
}

/// Says why steps do not make a part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// Nothing is in it.
    #[error("a part holds no step")]
    Empty,
    /// A step stands twice.
    #[error("step `{0}` stands twice")]
    Twice(StepName),
    /// A step is none of the whole.
    #[error("step `{0}` is in a part of a suite that does not have it")]
    Foreign(StepName),
}

impl Part {
    /// Says that some steps are a part of all.
    ///
    /// # Errors
    /// There is no step, one stands twice, or one is not among all.
    pub fn new(steps: Vec<StepName>, of: Vec<StepName>, how: FactValue) -> Result<Self, PartError> {
        if steps.is_empty() {
            return Err(PartError::Empty);
        }
        for all in [&steps, &of] {
            let repeated = |(at, step): &(usize, &StepName)| all[..*at].contains(step);
            if let Some((_, step)) = all.iter().enumerate().find(repeated) {
                return Err(PartError::Twice(step.clone()));
            }
        }
        if let Some(step) = steps.iter().find(|step| !of.contains(step)) {
            return Err(PartError::Foreign(step.clone()));
        }
        Ok(Self {
            steps,
            of,
            how,
            unmeasured: Vec::new(),
        })
    }

    /// Returns the steps it holds.
    #[must_use]
    pub fn steps(&self) -> &[StepName] {
        &self.steps
    }

    /// Returns all steps of the suite that are spread over parts, in the suite's order.
    #[must_use]
    pub fn of(&self) -> &[StepName] {
        &self.of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(steps: &[&str], of: &[&str]) -> Result<Part, PartError> {
        let names = |texts: &[&str]| texts.iter().map(|text| name(text)).collect();
        let how = FactValue::new("effort quick").unwrap();
        Part::new(names(steps), names(of), how)
    }

    fn name(text: &str) -> StepName {
        StepName::new(text).unwrap()
    }

    #[test]
    fn a_part_is_some_of_the_steps_each_once() {
        assert!(part(&["times"], &["counts", "times"]).is_ok());
        assert!(part(&["counts", "times"], &["counts", "times"]).is_ok());
        assert_eq!(part(&[], &["counts"]), Err(PartError::Empty));
        let twice = Err(PartError::Twice(name("counts")));
        assert_eq!(part(&["counts", "counts"], &["counts"]), twice);
        assert_eq!(part(&["counts"], &["counts", "counts"]), twice);
        assert_eq!(
            part(&["times"], &["counts"]),
            Err(PartError::Foreign(name("times")))
        );
    }
}
