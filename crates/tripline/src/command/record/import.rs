//! `tripline record --import`: takes over the history that github-action-benchmark kept.
//!
//! What is taken over becomes records like any other, of an environment called `imported`: nobody knows what those values
//! were measured on. The same file can be taken over again, also where the service dropped its oldest runs meanwhile: what
//! is there already stays, and so do our own runs that were handed to that service. Tested by `tests/it/history`.

use std::path::Path;

use jiff::Timestamp;
use tripline_history::{File, Kept, keep};
use tripline_hub::Effect;
use tripline_model::few;
use tripline_model::{Entry, Environment, EnvironmentName};
use tripline_read::{Beside, Imported, Problem, read_data_js_beside};
use tripline_render::Taken;

use super::NOT_DONE;
use crate::actions::say_planned;
use crate::cli::Record;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::{self, Output};
use crate::history::{
    self, IMPORTED, IMPORTED_AS, IMPORTED_FROM, IMPORTED_PLACE, IMPORTED_UPDATED, Known, Ours,
    TakenRun, written_title,
};
use crate::project::Project;
use crate::talk;

/// The most problems that are told one by one.
const TOLD_MAX: usize = 20;

pub(super) fn run(project: &Project, args: &Record, path: &Path) -> Outcome<Exit> {
    let problems = args.problems.as_deref().map(Output::open).transpose()?;
    let bytes = files::read(path)?;
    // What it holds already says which names are taken, and by which titles.
    let archive = history::read_if_any(project.root(), &args.data.branch)?;
    let there = history::known_suites(&archive);
    let series = history::known_series(&archive);
    let there = Beside {
        suites: &there,
        series: &series,
    };
    let name = path.display().to_string();
    let imported = read_data_js_beside(&name, &bytes, there).map_err(|error| {
        let hint = error.hint;
        let failed = CommandError::new(Exit::BadInput, NOT_DONE).because(error);
        match hint {
            Some(hint) => failed.hint(hint),
            None => failed,
        }
    })?;
    drop(bytes);
    tell(&imported);
    let left_out = imported.left_out;
    if let Some(output) = problems {
        write(output, &imported.problems)?;
    }
    let (taken, ours) = history::taken(&archive);
    warn_of_other_repositories(&imported, &taken);
    let imported = without_known(imported, &taken, &ours);
    warn_of_runs_between(&imported, &taken);
    let files = files_of(imported)?;
    let mut effects = super::appends(&args.data.branch, files, "history taken over")?;
    if let Some(Effect::Append { change, .. }) = effects.first_mut() {
        // What the branch has and this clone does not might be the same history.
        let end = history::end(project.root(), &args.data.branch);
        *change = change.clone().knowing(end);
    }
    if args.dry_run {
        say_planned(&effects)?;
    } else {
        super::push(project, &effects)?;
    }
    match left_out {
        0 => Ok(Exit::Pass),
        // What can be used is recorded, and whoever asked knows that it is not all.
        _ => Err(not_whole(args, path, left_out)),
    }
}

fn not_whole(args: &Record, path: &Path, left_out: usize) -> CommandError {
    let what = format!(
        "`{}` was not taken over whole: {left_out} of its values, runs and suites left out",
        path.display()
    );
    let error = CommandError::new(Exit::BadInput, what);
    match args.problems {
        Some(_) => error,
        None => error.hint("`--problems FILE` writes each of them and its place to a file"),
    }
}

/// Says what was found, and what could not be used.
fn tell(imported: &Imported) {
    for (name, title) in &imported.suites {
        let count = |entry: &&Entry| imported.series[entry.series].suite() == name;
        let runs = imported.entries.iter().filter(count).count();
        talk::say(&talk::shown(&format!(
            "suite `{name}`, there called `{title}`: {}",
            talk::counted(runs, "run")
        )));
    }
    for problem in imported.problems.iter().take(TOLD_MAX) {
        talk::say(&format!("warning: {}", talk::shown(&problem.to_string())));
    }
    let more = imported.problems.len().saturating_sub(TOLD_MAX);
    if more > 0 {
        talk::say(&format!(
            "warning: and {more} more, which `--problems FILE` writes to a file"
        ));
    }
}

/// Says which suites were taken over from the history of another repository before, as far as both say of which they are.
fn warn_of_other_repositories(imported: &Imported, taken: &[Taken<'_>]) {
    let Some(page) = imported.repository.as_deref() else {
        return;
    };
    for (name, _) in &imported.suites {
        let of_suite = taken.iter().filter(|taken| taken.record.suite == *name);
        let pages = few::set_of(of_suite.filter_map(|taken| taken.repository));
        if let Some(other) = pages.first().filter(|_| !pages.contains(page)) {
            talk::say(&talk::shown(&format!(
                "warning: suite `{name}` was taken over from the history of {other} before, and this one is of {page}"
            )));
        }
    }
}

/// Says which suites have new runs among those that are there: a history that has grown adds to its end, so it may be another
/// one of the same title, such as that of another machine's job, and both run into one line.
fn warn_of_runs_between(imported: &Imported, taken: &[Taken<'_>]) {
    for (name, title) in &imported.suites {
        let known = taken.iter().filter(|taken| taken.record.suite == *name);
        let known: Vec<Timestamp> = known.map(|taken| taken.record.measured_at).collect();
        let Some((first, last)) = known.iter().min().zip(known.iter().max()) else {
            continue;
        };
        let new = imported.entries.iter().filter(|entry| {
            let is_own = imported.series[entry.series].suite() == name;
            is_own && (first..=last).contains(&&entry.measured_at)
        });
        let runs = match new.count() {
            0 => continue,
            count => talk::counted(count, "new run"),
        };
        talk::say(&talk::shown(&format!(
            "warning: suite `{name}` has {runs} among those that are there: if they are of another history that calls a suite `{title}`, rename it in the file first (`--dry-run` keeps nothing)"
        )));
    }
}

/// Writes every problem, a line each.
fn write(output: Output, problems: &[Problem]) -> Outcome<()> {
    let line = |problem: &Problem| format!("{}\n", talk::shown(&problem.to_string()));
    output.complete(&problems.iter().map(line).collect::<String>())
}

/// Takes the runs out that were taken over already.
fn without_known(mut imported: Imported, taken: &[Taken<'_>], ours: &[Kept<'_>]) -> Imported {
    let mut known = Known::new(taken.iter().map(TakenRun::of_record));
    let ours = Ours::new(ours);
    let before = imported.entries.len();
    let (sets, suites) = (&imported.series, &imported.suites);
    imported.entries.retain(|entry| {
        let set = &sets[entry.series];
        let title = suites.iter().find(|(name, _)| name == set.suite());
        title.is_none_or(|(_, title)| {
            !ours.has(title, entry) && !known.take(&TakenRun::of_entry(title, entry, set))
        })
    });
    let there = before - imported.entries.len();
    if there > 0 {
        talk::say(&format!(
            "{} of them there already",
            talk::counted(there, "run")
        ));
    }
    imported
}

fn files_of(imported: Imported) -> Outcome<Vec<File>> {
    let whole = facts_of_whole(&imported);
    let mut by_suite: Vec<Vec<Entry>> = imported.suites.iter().map(|_| Vec::new()).collect();
    for entry in imported.entries {
        let suite = imported.series[entry.series].suite();
        let at = imported.suites.iter().position(|(name, _)| name == suite);
        by_suite[at.expect("every set is of a suite that was named")].push(entry);
    }
    let mut files = Vec::new();
    for (place, ((name, title), entries)) in (1..).zip(imported.suites.iter().zip(by_suite)) {
        if entries.is_empty() {
            continue;
        }
        // Entries name sets by their place in the whole list. Those of a suite that stands twice there are not side by side.
        let sets = imported.series.iter().enumerate();
        let sets: Vec<_> = sets.filter(|(_, set)| set.suite() == name).collect();
        let entries = entries.into_iter().map(|mut entry| {
            let own = sets.iter().position(|(at, _)| *at == entry.series);
            entry.series = own.expect("an entry has a set");
            entry
        });
        let own: Vec<_> = sets.iter().map(|(_, set)| (*set).clone()).collect();
        let kept = keep(&own, &environment(title, place, &whole)?, entries);
        files.extend(kept.map_err(|error| {
            CommandError::new(Exit::BadInput, NOT_DONE)
                .because(error)
                .hint("shorten the names and texts of its benchmarks, or split its suite")
        })?);
    }
    Ok(files)
}

/// Returns what is kept of the whole history, so that it can go back.
fn facts_of_whole(imported: &Imported) -> Vec<(&'static str, String)> {
    let page = imported.repository.clone();
    let time = imported.last_update.map(|time| time.to_string());
    let facts = [(IMPORTED_FROM, page), (IMPORTED_UPDATED, time)];
    let stated = |(name, value): (_, Option<_>)| Some((name, value?));
    facts.into_iter().filter_map(stated).collect()
}

/// Returns where nobody knows what was measured on; what the suite was called there, its place, and what is known of the
/// whole, is kept, so that it can go back.
fn environment(title: &str, place: u32, whole: &[(&str, String)]) -> Outcome<Environment> {
    let wrong = |error| CommandError::new(Exit::BadInput, NOT_DONE).because(error);
    let name = EnvironmentName::new(IMPORTED).map_err(wrong)?;
    let mut environment = Environment::new(name);
    let title = environment.state_text(IMPORTED_AS, &written_title(title));
    title.map_err(|error| wrong(error).hint("give its suite a shorter title"))?;
    let place = environment.state_text(IMPORTED_PLACE, &place.to_string());
    place.map_err(wrong)?;
    for (name, value) in whole {
        environment.state_text(name, value).map_err(wrong)?;
    }
    Ok(environment)
}
