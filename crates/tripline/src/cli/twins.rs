//! Which of the variables that are the options' twins count.
//!
//! Variables are set for a whole job, and not for one call: one that is empty is one that is not set, because a workflow sets
//! them all, and an input that nobody gave is empty; so is a switch that says `false`; and one for an option that does not go
//! with what stands on the command line is passed over, where the option itself would be refused. Of two that exclude each
//! other nobody knows which is meant, and both are named. Tested by `tests/it/command_line`.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, Id};

use super::TABLE;
use crate::error::CommandError;
use crate::exit::Exit;

/// Says why nobody knows what was asked.
#[derive(Debug)]
pub(crate) enum Misread {
    /// The command line is wrong.
    Line(clap::Error),
    /// Two variables exclude each other.
    Twins(CommandError),
}

impl From<clap::Error> for Misread {
    fn from(error: clap::Error) -> Self {
        Self::Line(error)
    }
}

/// Reads a command line, with those variables that count.
pub(crate) fn matches(command: Command, line: &[OsString]) -> Result<ArgMatches, Misread> {
    let command = without(command, &says_nothing);
    // A first look, which passes over what is wrong: the second says it.
    let seen = command.clone().ignore_errors(true);
    let seen = seen.try_get_matches_from(line).ok();
    let called = seen.as_ref().map(|seen| Called::of(&command, seen));
    let idle = called.as_ref().map(Called::idle).unwrap_or_default();
    let read = without(command.clone(), &|arg| idle.contains(arg.get_id()));
    read.try_get_matches_from(line).map_err(|error| {
        let torn = called.and_then(|called| called.torn(&idle));
        match torn.filter(|_| error.kind() == ErrorKind::ArgumentConflict) {
            Some((one, two)) => Misread::Twins(excluding(one, two)),
            None => Misread::Line(error),
        }
    })
}

/// Says that two variables are set of which one can count.
fn excluding(one: &Arg, two: &Arg) -> CommandError {
    let variable = |arg: &Arg| {
        let name = arg.get_env().unwrap_or_default();
        format!("`{}`", name.to_string_lossy())
    };
    let (first, second) = (variable(one), variable(two));
    CommandError::new(Exit::Usage, "nothing was done")
        .because(format!(
            "the variables {first} and {second} are both set, and {} does not go with {}",
            shown(one),
            shown(two)
        ))
        .hint(format!(
            "unset {first} or {second}; or say on the command line which is meant, and the variable of the other is passed over"
        ))
}

/// Returns an option as it is written, or what stands in its place.
fn shown(arg: &Arg) -> String {
    let place = arg.get_value_names().and_then(<[_]>::first);
    match (arg.get_long(), place) {
        (Some(name), _) => format!("`--{name}`"),
        (None, Some(place)) => format!("`{place}`"),
        (None, None) => format!("`{}`", arg.get_id()),
    }
}

/// Takes the twins of some options away, of all verbs.
fn without(command: Command, is_idle: &impl Fn(&Arg) -> bool) -> Command {
    let command = command.mut_args(|arg| match is_idle(&arg) {
        true => arg.env(None::<&str>),
        false => arg,
    });
    command.mut_subcommands(|command| without(command, is_idle))
}

/// Says whether the twin of an option is as if it were not set.
fn says_nothing(arg: &Arg) -> bool {
    let value = arg.get_env().and_then(std::env::var_os);
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    value.is_some_and(|value| value.is_empty() || (is_switch && value == "false"))
}

/// The verb that is called, and what was seen of its options.
struct Called<'a> {
    verb: &'a Command,
    seen: &'a ArgMatches,
}

impl<'a> Called<'a> {
    fn of(command: &'a Command, seen: &'a ArgMatches) -> Self {
        let (mut verb, mut seen) = (command, seen);
        while let Some((name, below)) = seen.subcommand() {
            let Some(found) = verb.find_subcommand(name) else {
                break;
            };
            (verb, seen) = (found, below);
        }
        Self { verb, seen }
    }

    fn is_from(&self, id: &Id, source: ValueSource) -> bool {
        let is_known = self.seen.ids().any(|known| known == id);
        is_known && self.seen.value_source(id.as_str()) == Some(source)
    }

    /// Returns the options that exclude each other, by twos.
    fn excluding(&self) -> impl Iterator<Item = (&'a Arg, &'a Arg)> {
        let verb = self.verb;
        verb.get_arguments().flat_map(move |arg| {
            let others = verb.get_arg_conflicts_with(arg);
            others.into_iter().map(move |other| (arg, other))
        })
    }

    /// Returns the options which do not go with what stands on the command line. What stands there itself is not one: it is
    /// refused, and not passed over.
    fn idle(&self) -> BTreeSet<Id> {
        let stands = |arg: &Arg| self.is_from(arg.get_id(), ValueSource::CommandLine);
        let mut idle = beside_its_form(self.verb.get_name(), self.seen);
        for (one, two) in self.excluding() {
            idle.extend(stands(one).then(|| two.get_id().clone()));
            idle.extend(stands(two).then(|| one.get_id().clone()));
        }
        idle.retain(|id| !self.is_from(id, ValueSource::CommandLine));
        idle
    }

    /// Returns two options that exclude each other and are both given by their twins, if there are any.
    fn torn(&self, idle: &BTreeSet<Id>) -> Option<(&'a Arg, &'a Arg)> {
        let is_twin = |arg: &Arg| {
            let id = arg.get_id();
            self.is_from(id, ValueSource::EnvVariable) && !idle.contains(id)
        };
        let mut excluding = self.excluding();
        excluding.find(|(one, two)| is_twin(one) && is_twin(two))
    }
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
