//! Where a run was measured, as facts; and which facts decide whether two runs can be compared.
//!
//! A new fact is one row of [`ENVIRONMENT_FACTS`]. Facts that are not in the table are kept and shown, and decide
//! nothing.

use std::collections::BTreeMap;

use crate::metric::Nature;
use crate::names::{EnvironmentName, FactName, FactValue, NameError};

/// Says which comparisons a fact can spoil.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relevance {
    /// A count differs where this differs, and so does a time.
    Counts,
    /// A time differs where this differs; a count does not.
    Times,
    /// It is recorded for whoever looks for a reason.
    Record,
}

/// One row of the table of facts.
#[derive(Debug, Clone, Copy)]
pub struct FactRow {
    /// The fact's name.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// What it can spoil.
    pub relevance: Relevance,
}

/// The facts that are gathered, the deciding ones first.
pub const ENVIRONMENT_FACTS: &[FactRow] = &[
    row(
        "target",
        "the target the benches were built for",
        Relevance::Counts,
    ),
    row("rustc", "the compiler", Relevance::Counts),
    row("profile", "the build profile's settings", Relevance::Counts),
    row(
        "built_with",
        "the settings cargo really built the benches with",
        Relevance::Counts,
    ),
    row(
        "rustflags",
        "flags given to the compiler through the environment",
        Relevance::Counts,
    ),
    row("libc", "the C library and its version", Relevance::Counts),
    row(
        "counted_cpu",
        "digest of the processor features libc sees while instructions are counted",
        Relevance::Counts,
    ),
    row(
        "glibc_tunables",
        "the pinned settings of glibc",
        Relevance::Counts,
    ),
    row("valgrind", "valgrind's version", Relevance::Counts),
    row(
        "iai_callgrind",
        "the version of iai-callgrind's runner",
        Relevance::Counts,
    ),
    row(
        "gungraun",
        "the version of gungraun's runner",
        Relevance::Counts,
    ),
    row("go", "the Go compiler", Relevance::Counts),
    row("python", "the Python interpreter", Relevance::Counts),
    row(
        "aslr",
        "whether addresses are randomized while instructions are counted",
        Relevance::Counts,
    ),
    row(
        "executable_path",
        "the form of the path the benches were run under; its length moves counts",
        Relevance::Counts,
    ),
    row("cpu_model", "the processor", Relevance::Times),
    row(
        "cpu_family",
        "the processor's maker, family and model, where one name stands for several",
        Relevance::Times,
    ),
    row(
        "cpu_features",
        "digest of the processor features libc sees outside valgrind",
        Relevance::Times,
    ),
    row(
        "cores",
        "how many processors the run could use",
        Relevance::Times,
    ),
    row(
        "threads_per_core",
        "how many of the processors share a core",
        Relevance::Times,
    ),
    row(
        "memory",
        "how much memory the machine has, by the next power of two",
        Relevance::Times,
    ),
    row(
        "virtualization",
        "who gives the machine its processors: a hypervisor, or none",
        Relevance::Times,
    ),
    row(
        "runner_image",
        "the image of the hosted runner",
        Relevance::Times,
    ),
    row("os", "the operating system", Relevance::Times),
    row("kernel", "the kernel", Relevance::Record),
    row(
        "criterion",
        "the version of cargo-criterion",
        Relevance::Record,
    ),
    row(
        "lock_file",
        "digest of the dependencies' versions",
        Relevance::Record,
    ),
    row(
        "machine",
        "digest of this very machine since it was started, by which two of one kind are told apart",
        Relevance::Record,
    ),
];

const fn row(name: &'static str, about: &'static str, relevance: Relevance) -> FactRow {
    FactRow {
        name,
        about,
        relevance,
    }
}

/// Describes where a run was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// Its short name, by which baselines are filed.
    pub name: EnvironmentName,
    facts: BTreeMap<FactName, FactValue>,
}

/// A fact in which two environments differ. `None` means that one does not state it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactDifference {
    /// The fact.
    pub fact: FactName,
    /// What the base says.
    pub base: Option<FactValue>,
    /// What the head says.
    pub head: Option<FactValue>,
}

impl Environment {
    /// Describes an environment of which no fact is known yet.
    #[must_use]
    pub fn new(name: EnvironmentName) -> Self {
        Self {
            name,
            facts: BTreeMap::new(),
        }
    }

    /// Adds a fact, replacing what was said before.
    pub fn state(&mut self, fact: FactName, value: FactValue) {
        self.facts.insert(fact, value);
    }

    /// Adds a fact from texts.
    ///
    /// # Errors
    /// One of them is no acceptable name.
    pub fn state_text(&mut self, fact: &str, value: &str) -> Result<(), NameError> {
        self.state(FactName::new(fact)?, FactValue::new(value)?);
        Ok(())
    }

    /// Takes a fact back that turned out not to hold.
    pub fn retract(&mut self, fact: &str) {
        self.facts.remove(fact);
    }

    /// Returns what is said about one fact.
    #[must_use]
    pub fn fact(&self, name: &str) -> Option<&FactValue> {
        self.facts.get(name)
    }

    /// Returns all facts, ordered by name.
    pub fn facts(&self) -> impl Iterator<Item = (&FactName, &FactValue)> {
        self.facts.iter()
    }

    /// Returns the differences that spoil a comparison of metrics of one nature, this environment being the base.
    ///
    /// A fact that only one side states counts as a difference: what was not recorded cannot be vouched for.
    #[must_use]
    pub fn differences_that_matter(&self, head: &Self, nature: Nature) -> Vec<FactDifference> {
        // As in every session; looking for each fact took a twelfth of what judging ten benchmarks takes.
        if self.facts == head.facts {
            return Vec::new();
        }
        let spoils = |relevance| match nature {
            Nature::Exact => relevance == Relevance::Counts,
            Nature::Sampled | Nature::Summarized => relevance != Relevance::Record,
        };
        ENVIRONMENT_FACTS
            .iter()
            .filter(|row| spoils(row.relevance))
            .filter_map(|row| {
                let (base, head) = (self.fact(row.name), head.fact(row.name));
                (base != head).then(|| FactDifference {
                    fact: FactName::new(row.name).expect("the names of the table are tested"),
                    base: base.cloned(),
                    head: head.cloned(),
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(facts: &[(&str, &str)]) -> Environment {
        let mut environment = Environment::new(EnvironmentName::new("debian-12-x86_64").unwrap());
        for (name, value) in facts {
            environment.state_text(name, value).unwrap();
        }
        environment
    }

    #[test]
    fn every_row_of_the_table_has_a_name() {
        for row in ENVIRONMENT_FACTS {
            assert!(FactName::new(row.name).is_ok());
            assert!(!row.about.is_empty());
        }
    }

    #[test]
    fn counts_ask_for_the_same_libc_and_not_for_the_same_processor() {
        let base = environment(&[
            ("libc", "glibc 2.36"),
            ("cpu_model", "A"),
            ("kernel", "6.1"),
        ]);
        let head = environment(&[
            ("libc", "glibc 2.39"),
            ("cpu_model", "B"),
            ("kernel", "6.8"),
        ]);
        let names = |nature| -> Vec<String> {
            base.differences_that_matter(&head, nature)
                .iter()
                .map(|d| d.fact.to_string())
                .collect()
        };
        assert_eq!(names(Nature::Exact), ["libc"]);
        assert_eq!(names(Nature::Sampled), ["libc", "cpu_model"]);
    }

    #[test]
    fn an_unstated_fact_is_a_difference() {
        let base = environment(&[]);
        let head = environment(&[("valgrind", "3.19.0")]);
        assert_eq!(base.differences_that_matter(&head, Nature::Exact).len(), 1);
    }
}
