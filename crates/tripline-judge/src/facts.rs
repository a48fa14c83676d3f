//! Which of the facts that differ between two environments spoil which comparison.
//!
//! Tested below, and by the tables of known answers in `tests/judge`.

use tripline_model::{Environment, FactDifference, FactValue, Nature};

/// The facts of those that decide about counts that say something of a time as well: what the sides were built with.
const BUILD: &[&str] = &[
    "target",
    "rustc",
    "profile",
    "built_with",
    "rustflags",
    "libc",
];

/// The facts that change with every image of a machine, and where the part that says of which kind it is ends.
const KINDS: &[(&str, char)] = &[("os", '.'), ("runner_image", ' ')];

/// The facts that differ, by what they spoil.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Differences {
    /// What spoils counts.
    pub(crate) counts: Vec<FactDifference>,
    /// What spoils times that were taken at two times.
    pub(crate) times: Vec<FactDifference>,
    /// What spoils times that are said to be taken side by side: then they were not.
    pub(crate) machine: Vec<FactDifference>,
    /// What may explain a change of times that were taken side by side: what the sides were built with.
    pub(crate) build: Vec<FactDifference>,
}

impl Differences {
    /// Returns the differences between a base's environment and a head's.
    pub(crate) fn between(base: &Environment, head: &Environment) -> Self {
        let counts = base.differences_that_matter(head, Nature::Exact);
        let times = base.differences_that_matter(head, Nature::Sampled);
        let picked = |from: &[FactDifference], wanted: &dyn Fn(&FactDifference) -> bool| {
            from.iter().filter(|d| wanted(d)).cloned().collect()
        };
        Self {
            machine: picked(&times, &|difference| !counts.contains(difference)),
            build: picked(&counts, &is_of_build),
            counts,
            times,
        }
    }
}

/// Returns the differences that make two machines differ in kind, and not only in speed.
pub(crate) fn of_kind(base: &Environment, head: &Environment) -> Vec<FactDifference> {
    let Differences { machine, build, .. } = Differences::between(base, head);
    let differences = build.into_iter().chain(machine);
    differences
        .filter(|difference| !is_of_one_kind(difference))
        .collect()
}

fn is_of_build(difference: &FactDifference) -> bool {
    BUILD.contains(&difference.fact.as_str())
}

/// Returns whether the values differ only behind the part that says of which kind they are.
fn is_of_one_kind(difference: &FactDifference) -> bool {
    let end = KINDS
        .iter()
        .find(|(fact, _)| *fact == difference.fact.as_str());
    let kind = |value: &Option<FactValue>| {
        let (_, end) = end?;
        let kind = value.as_ref()?.as_str().split(*end).next()?;
        Some(kind.to_owned())
    };
    let (base, head) = (kind(&difference.base), kind(&difference.head));
    base.is_some() && base == head
}

#[cfg(test)]
mod tests {
    use super::*;
    use tripline_model::{ENVIRONMENT_FACTS, EnvironmentName, Relevance};

    fn environment(facts: &[(&str, &str)]) -> Environment {
        let mut environment = Environment::new(EnvironmentName::new("here").unwrap());
        for (fact, value) in facts {
            environment.state_text(fact, value).unwrap();
        }
        environment
    }

    fn names(differences: &[FactDifference]) -> Vec<&str> {
        differences.iter().map(|d| d.fact.as_str()).collect()
    }

    #[test]
    fn the_facts_named_here_are_in_the_table() {
        let relevance = |name: &str| {
            let row = ENVIRONMENT_FACTS.iter().find(|row| row.name == name);
            row.map(|row| row.relevance)
        };
        for name in BUILD {
            assert_eq!(relevance(name), Some(Relevance::Counts), "{name}");
        }
        for (name, _) in KINDS {
            assert_eq!(relevance(name), Some(Relevance::Times), "{name}");
        }
    }

    #[test]
    fn what_was_built_and_where_it_ran_are_told_apart() {
        let base = environment(&[("rustc", "1.94"), ("valgrind", "3.19"), ("cores", "2")]);
        let head = environment(&[("rustc", "1.95"), ("valgrind", "3.20"), ("cores", "4")]);
        let differences = Differences::between(&base, &head);
        assert_eq!(names(&differences.counts), ["rustc", "valgrind"]);
        assert_eq!(names(&differences.times), ["rustc", "valgrind", "cores"]);
        assert_eq!(names(&differences.machine), ["cores"]);
        assert_eq!(names(&differences.build), ["rustc"]);
        assert_eq!(names(&of_kind(&base, &head)), ["rustc", "cores"]);
    }

    #[test]
    fn another_image_is_no_other_kind_and_an_unstated_one_is() {
        let stated = |os: &str, image: &str| environment(&[("os", os), ("runner_image", image)]);
        let base = stated("Ubuntu 24.04.1 LTS", "ubuntu24 20260101.1");
        let newer = stated("Ubuntu 24.04.2 LTS", "ubuntu24 20260301.1");
        let other = stated("Ubuntu 22.04.1 LTS", "ubuntu22 20260101.1");
        assert_eq!(names(&of_kind(&base, &newer)), [""; 0]);
        assert_eq!(names(&of_kind(&base, &other)), ["runner_image", "os"]);
        let unstated = environment(&[("os", "Ubuntu 24.04.1 LTS")]);
        assert_eq!(names(&of_kind(&base, &unstated)), ["runner_image"]);
    }
}
