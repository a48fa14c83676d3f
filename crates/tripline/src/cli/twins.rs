//! Which of the variables that are the options' twins count.
//!
//! Variables are set for a whole job, and not for one call: one that is empty is one that is not set, because a workflow sets
//! them all, and an input that nobody gave is empty; and one for an option that does not go with what stands on the command
//! line is passed over, where the option itself would be refused. Tested by `tests/it/command_line`.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, Id};

use super::TABLE;

/// Reads a command line, with those variables that count.
pub(crate) fn matches(command: Command, line: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let command = without(command, &|arg| is_empty(arg));
    // A first look, which passes over what is wrong: the second says it.
    let seen = command.clone().ignore_errors(true);
    let idle = match seen.try_get_matches_from(line) {
        Ok(seen) => idle_in(&command, &seen),
        Err(_) => BTreeSet::new(),
    };
    without(command, &|arg| idle.contains(arg.get_id())).try_get_matches_from(line)
}

/// Takes the twins of some options away, of all verbs.
fn without(command: Command, is_idle: &impl Fn(&Arg) -> bool) -> Command {
    let command = command.mut_args(|arg| match is_idle(&arg) {
        true => arg.env(None::<&str>),
        false => arg,
    });
    command.mut_subcommands(|command| without(command, is_idle))
}

fn is_empty(arg: &Arg) -> bool {
    let value = arg.get_env().and_then(std::env::var_os);
    value.is_some_and(|value| value.is_empty())
}

/// Returns the options of the verb that is called which do not go with what stands there. What stands there itself is not one:
/// it is refused, and not passed over.
fn idle_in(command: &Command, seen: &ArgMatches) -> BTreeSet<Id> {
    let (mut verb, mut seen) = (command, seen);
    while let Some((name, below)) = seen.subcommand() {
        let Some(found) = verb.find_subcommand(name) else {
            break;
        };
        (verb, seen) = (found, below);
    }
    let stands = |id: &Id| is_from(seen, id.as_str(), ValueSource::CommandLine);
    let mut idle: BTreeSet<Id> = beside_its_form(verb.get_name(), seen);
    for arg in verb.get_arguments() {
        for other in verb.get_arg_conflicts_with(arg) {
            let (one, two) = (arg.get_id(), other.get_id());
            idle.extend(stands(one).then(|| two.clone()));
            idle.extend(stands(two).then(|| one.clone()));
        }
    }
    idle.retain(|id| !stands(id));
    idle
}

fn is_from(seen: &ArgMatches, id: &str, source: ValueSource) -> bool {
    seen.ids().any(|known| known == id) && seen.value_source(id) == Some(source)
}

/// Returns the options that go with another form of what the verb does.
fn beside_its_form(verb: &str, seen: &ArgMatches) -> BTreeSet<Id> {
    let is_there = |id: &str| seen.ids().any(|known| known == id);
    let form = || seen.try_get_one::<String>("format").ok().flatten();
    let idle: &[&'static str] = match verb {
        "render" if form().is_some_and(|form| form == TABLE) => &["all"],
        "render" => &["rows", "cols", "metric"],
        "record" if !is_there("import") => &["problems"],
        _ => &[],
    };
    idle.iter().map(|id| Id::from(*id)).collect()
}
