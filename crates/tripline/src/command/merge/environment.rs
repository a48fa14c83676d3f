//! Where a joined run was measured: what may differ between its parts, and what is then said.
//!
//! The rule, by what a fact can spoil (`ENVIRONMENT_FACTS`):
//!
//! - **Counts.** All parts must say the same: compiler, flags, libc, valgrind and the rest are in the hands of whoever set
//!   the shards up, and a count under other ones is another count. A part that counts nothing has no say in the facts of
//!   counting. What the benches were really built with is gathered, as it is where all steps are built on one machine;
//!   settings that one part did not keep to are not stated.
//! - **Times, and the record.** Two hosted runners of one kind differ in processor, clock and kernel, and nobody can choose
//!   them. That spoils no comparison within a session: both sides of a step were measured by one shard, and only they are
//!   compared. So where parts differ, the fact is stated with the steps that it holds for: `EPYC 7763 (counts); Xeon 8370C
//!   (times)`. Both sides say the same, and are judged as what they are: measured side by side. Against a kept run the
//!   value is another one, unless the same steps were measured on the same kinds, so that no time is called faster or
//!   slower for being measured elsewhere. The same holds for `machine`, by which controls speak for one machine only.
//!
//! Tested below, and by `tests/it/merge`.

use sha2::{Digest as _, Sha256};
use tripline_model::few;
use tripline_model::{
    ENVIRONMENT_FACTS, Environment, FactName, FactValue, Part, Relevance, StepName,
};

use super::found::{Found, agree, differ};
use crate::error::Outcome;

/// What is only seen where instructions are counted.
const OF_COUNTING: &[&str] = &[
    "valgrind",
    "counted_cpu",
    "glibc_tunables",
    "executable_path",
    "aslr",
    "iai_callgrind",
    "gungraun",
];

/// What only some of the steps have that count, and then all alike: which of two programs counts is a step's choice, and
/// a command has a path of its own.
const OF_SOME_COUNTING: &[&str] = &["iai_callgrind", "gungraun", "executable_path"];

/// What some bench of a part may not keep to.
const KEPT_BY_ALL: &str = "glibc_tunables";

/// The settings that benches were built with, a list.
const GATHERED: &str = "built_with";

/// Returns the environment of a run that is joined from parts.
pub(super) fn joined(parts: &[&Found]) -> Outcome<Environment> {
    let name = |run: &tripline_model::Run| run.environment.name.to_string();
    agree("of different environments", parts.iter().copied(), name)?;
    let mut environment = Environment::new(parts[0].run.environment.name.clone());
    let facts = parts.iter().flat_map(|part| part.run.environment.facts());
    let facts = few::set_of(facts.map(|(fact, _)| fact));
    for fact in facts {
        if let Some(value) = value(fact, parts)? {
            environment.state(fact.clone(), value);
        }
    }
    Ok(environment)
}

/// Returns what is said of one fact.
fn value(fact: &FactName, parts: &[&Found]) -> Outcome<Option<FactValue>> {
    let name = fact.as_str();
    let has_a_say = |part: &&&Found| !OF_COUNTING.contains(&name) || counts(&part.run.environment);
    let asked: Vec<&Found> = parts.iter().filter(has_a_say).copied().collect();
    let stated: Vec<(&Found, Option<&FactValue>)> = asked
        .iter()
        .map(|part| (*part, part.run.environment.fact(name)))
        .collect();
    if name == GATHERED {
        return Ok(gathered(stated.iter().filter_map(|(_, value)| *value)));
    }
    if name == KEPT_BY_ALL && stated.iter().any(|(_, value)| value.is_none()) {
        return Ok(None);
    }
    let is_asked = |(_, value): &&(&Found, Option<&FactValue>)| {
        value.is_some() || !OF_SOME_COUNTING.contains(&name)
    };
    let stated: Vec<(&Found, Option<&FactValue>)> =
        stated.iter().filter(is_asked).copied().collect();
    let Some((first, wanted)) = stated.first() else {
        return Ok(None);
    };
    let Some((other, found)) = stated.iter().find(|(_, value)| value != wanted) else {
        return Ok(wanted.cloned());
    };
    if spoils_counts(name) {
        let said =
            |value: &Option<&FactValue>| value.map_or("nothing".to_owned(), ToString::to_string);
        let otherwise = format!("measured in different environments, which differ in `{name}`");
        return Err(differ(
            &otherwise,
            (first, &said(wanted)),
            (other, &said(found)),
        ));
    }
    Ok(Some(by_steps(&stated)))
}

fn counts(environment: &Environment) -> bool {
    OF_COUNTING
        .iter()
        .any(|fact| environment.fact(fact).is_some())
}

fn spoils_counts(name: &str) -> bool {
    let row = ENVIRONMENT_FACTS.iter().find(|row| row.name == name);
    row.is_some_and(|row| row.relevance == Relevance::Counts)
}

/// Returns all entries of lists, once each and in order.
fn gathered<'a>(lists: impl Iterator<Item = &'a FactValue>) -> Option<FactValue> {
    let entries = few::set_of(lists.flat_map(|list| list.as_str().split("; ")));
    let entries: Vec<&str> = entries.into_iter().collect();
    FactValue::new(entries.join("; ")).ok()
}

/// Returns what is said of a fact in which the parts differ: each value, with the steps that it holds for.
fn by_steps(stated: &[(&Found, Option<&FactValue>)]) -> FactValue {
    let mut values: Vec<(Option<&FactValue>, Vec<&str>)> = Vec::new();
    for (part, value) in stated {
        let steps = part.run.part.as_ref().map_or(&[][..], Part::steps);
        let steps = steps.iter().map(StepName::as_str);
        match values.iter_mut().find(|(known, _)| known == value) {
            Some((_, known)) => known.extend(steps),
            None => values.push((*value, steps.collect())),
        }
    }
    let said = values.iter().map(|(value, steps)| {
        let value = value.map_or("not stated", FactValue::as_str);
        format!("{value} ({})", steps.join(", "))
    });
    let said = said.collect::<Vec<String>>().join("; ");
    // What is too long to be kept is told apart all the same.
    let digits = || -> String {
        let digest = Sha256::digest(&said);
        digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    };
    FactValue::new(&said)
        .or_else(|_| FactValue::new(format!("{} values, together {}", values.len(), digits())))
        .expect("numbers and a few words can be shown")
}

#[cfg(test)]
mod tests {
    use tripline_model::{EnvironmentName, Producer, Run, SuiteName};

    use super::*;
    use crate::run_folder::Role;

    /// A part of one step, with some facts.
    fn part(step: &str, facts: &[(&str, &str)]) -> Found {
        let mut environment = Environment::new(EnvironmentName::new("here").unwrap());
        for (fact, value) in facts {
            environment.state_text(fact, value).unwrap();
        }
        let producer = Producer {
            name: "test".to_owned(),
            version: "0".to_owned(),
        };
        let suite = SuiteName::new("kv").unwrap();
        let mut run = Run::new(suite, jiff::Timestamp::UNIX_EPOCH, environment, producer);
        let of = ["counts", "more", "times"].map(|name| StepName::new(name).unwrap());
        let how = FactValue::new("x").unwrap();
        run.part = Part::new(vec![StepName::new(step).unwrap()], of.to_vec(), how).ok();
        Found {
            path: step.into(),
            role: Role::Head,
            run,
        }
    }

    /// Joins the facts of three parts, and returns what is said of one of them.
    fn said(facts: [&[(&str, &str)]; 3], fact: &str) -> Result<String, String> {
        let [counts, more, times] = facts;
        let parts = [
            part("counts", counts),
            part("more", more),
            part("times", times),
        ];
        let joined = joined(&parts.iter().collect::<Vec<_>>());
        let joined = joined.map_err(|error| error.to_string())?;
        Ok(joined
            .fact(fact)
            .map_or("nothing".to_owned(), ToString::to_string))
    }

    #[test]
    fn each_fact_of_the_table_is_the_same_or_refused_or_stated_by_steps() {
        for row in ENVIRONMENT_FACTS.iter().filter(|row| row.name != GATHERED) {
            let (a, b) = ([(row.name, "a")], [(row.name, "b")]);
            assert_eq!(said([&a, &a, &a], row.name), Ok("a".to_owned()));
            let differs = said([&a, &b, &a], row.name);
            match row.relevance {
                Relevance::Counts => {
                    let error = differs.expect_err(row.name);
                    assert!(
                        error.contains(&format!("differ in `{}`", row.name)),
                        "{error}"
                    );
                    assert!(error.contains("`counts` says a, `more` says b"), "{error}");
                }
                Relevance::Times | Relevance::Record => {
                    assert_eq!(differs, Ok("a (counts, times); b (more)".to_owned()));
                    let unstated = said([&a, &[], &a], row.name);
                    assert_eq!(
                        unstated,
                        Ok("a (counts, times); not stated (more)".to_owned())
                    );
                }
            }
        }
    }

    #[test]
    fn who_counts_nothing_has_no_say_in_what_counts_depend_on() {
        let counts: &[(&str, &str)] = &[("aslr", "off"), ("counted_cpu", "a")];
        let unseen: &[(&str, &str)] = &[("aslr", "off")];
        assert_eq!(
            said([counts, counts, &[]], "counted_cpu"),
            Ok("a".to_owned())
        );
        assert!(said([counts, unseen, &[]], "counted_cpu").is_err());
        let [iai, gungraun]: [&[(&str, &str)]; 2] = [
            &[("aslr", "off"), ("iai_callgrind", "1.0.0")],
            &[("aslr", "off"), ("gungraun", "2.0.0")],
        ];
        assert_eq!(
            said([iai, gungraun, &[]], "iai_callgrind"),
            Ok("1.0.0".to_owned())
        );
        assert_eq!(
            said([iai, gungraun, &[]], "gungraun"),
            Ok("2.0.0".to_owned())
        );
    }

    #[test]
    fn what_one_part_did_not_keep_to_is_not_stated_and_settings_are_gathered() {
        let kept: &[(&str, &str)] = &[("aslr", "off"), ("glibc_tunables", "x")];
        let broken: &[(&str, &str)] = &[("aslr", "off")];
        assert_eq!(said([kept, kept, &[]], KEPT_BY_ALL), Ok("x".to_owned()));
        assert_eq!(
            said([kept, broken, &[]], KEPT_BY_ALL),
            Ok("nothing".to_owned())
        );
        let built = [&[(GATHERED, "b; a")][..], &[], &[(GATHERED, "c; a")]];
        assert_eq!(said(built, GATHERED), Ok("a; b; c".to_owned()));
    }

    #[test]
    fn what_is_too_long_to_be_stated_is_told_apart() {
        let long = |letter: &str| letter.repeat(4_000);
        let said = |letter: &str| {
            let (a, b) = (long("a"), long(letter));
            said(
                [&[("cpu_model", &a)], &[("cpu_model", &b)], &[]],
                "cpu_model",
            )
            .unwrap()
        };
        assert!(
            said("b").starts_with("3 values, together "),
            "{}",
            said("b")
        );
        assert_ne!(said("b"), said("c"));
    }
}
