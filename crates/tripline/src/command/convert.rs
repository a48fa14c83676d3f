//! `tripline convert`: hands runs on to another service, in the form that it reads.
//!
//! Tested by `tests/it/publish` and `tests/it/history`.

use std::path::Path;

use tripline_history::Archive;
use tripline_model::{Revision, Run, WorkTree};
use tripline_read::{DataJs, split_data_js};
use tripline_render::{Existing, Export, ExportError, Link};

use crate::baselines;
use crate::cli::{Convert, Shared};
use crate::commits;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::{self, Output};
use crate::history;
use crate::talk;

const NOT_DONE: &str = "nothing was converted";

pub(super) fn run(shared: &Shared, args: &Convert) -> Outcome<Exit> {
    let exporter =
        tripline_render::exporter(&args.to).expect("clap lets through only the forms of the list");
    let bytes = args.add_to.as_deref().map(files::read).transpose()?;
    let existing = bytes.as_deref().map(|bytes| existing(args, bytes));
    let existing = existing.transpose()?;
    let output = Output::open(&args.out)?;
    let mut exit = Exit::Pass;
    let archive = if args.history {
        let project = super::project_of_history(shared)?;
        history::Source::branch(project.root(), &args.data.branch)?.read()?
    } else {
        Archive::default()
    };
    if !archive.damaged().is_empty() {
        // What is left is handed on, and is not the whole.
        exit = Exit::BadInput;
    }
    let (taken, others) = match exporter.hands_back {
        true => history::taken(&archive),
        false => (Vec::new(), history::measured(&archive)),
    };
    let (runs, mut commits) = match args.history {
        true => history::runs(&others)?,
        false => (runs(shared, args)?, history::Notes::new()),
    };
    check_measured(&runs, taken.is_empty())?;
    if exporter.hands_back {
        complete_notes(shared, &runs, &mut commits);
    }
    let repository = repository();
    let export = Export {
        runs: &runs,
        taken: &taken,
        commits: &commits,
        repository: repository.as_ref(),
        existing: existing.as_ref().map(|existing| Existing {
            members: &existing.members,
            suites: &existing.suites,
        }),
    };
    let text = (exporter.export)(&export).map_err(|error| refused(error, args))?;
    tell_modified(&runs);
    for note in text.notes() {
        talk::say(&format!("note: {note}"));
    }
    output.complete_in_pieces(text.pieces())?;
    Ok(exit)
}

/// Refuses runs that hold no measurement: whoever takes an empty list would take all benchmarks for gone. One such run beside
/// others is said.
fn check_measured(runs: &[Run], is_alone: bool) -> Outcome<()> {
    if is_alone && runs.iter().all(Run::is_empty) {
        return Err(CommandError::new(Exit::NothingMeasured, NOT_DONE)
            .because("no run holds a measurement")
            .hint("measure again, and see what failed: `tripline measure`"));
    }
    for run in runs.iter().filter(|run| run.is_empty()) {
        let suite = &run.suite;
        talk::say(&format!("note: the run of `{suite}` holds no measurement"));
    }
    Ok(())
}

/// Asks the repository for what the history does not say of the commits of runs.
fn complete_notes(shared: &Shared, runs: &[Run], notes: &mut history::Notes) {
    let revisions = runs.iter().filter_map(|run| run.revision.as_ref());
    let commits: Vec<_> = revisions.map(|revision| &revision.commit).collect();
    if let (false, Ok(project)) = (commits.is_empty(), super::project_of_history(shared)) {
        commits::complete(project.root(), &commits, notes);
    }
}

/// Says which runs are of no commit, though a form may name one or its service ask git for one.
fn tell_modified(runs: &[Run]) {
    for run in runs {
        let revision = run.revision.as_ref();
        let commit = revision.filter(|revision| revision.work_tree == WorkTree::Modified);
        if let Some(Revision { commit, .. }) = commit {
            let (suite, commit) = (&run.suite, commit.short());
            talk::say(&format!(
                "note: the run of `{suite}` was measured with changes that are not in commit {commit}"
            ));
        }
    }
}

fn refused(error: ExportError, args: &Convert) -> CommandError {
    let hint = match error {
        ExportError::Twice { .. } if args.history => {
            "take a form that holds a history: `--to csv`, or `--to data-js`; or leave `--history` out".to_owned()
        }
        ExportError::Existing(_) => "leave `--add-to` out".to_owned(),
        ExportError::Twice { .. } => "name the run files of one commit in one environment".to_owned(),
        ExportError::Alike { .. } => "rename one of the two".to_owned(),
        ExportError::OtherDirection { instead, .. } => {
            format!("take the form that holds them: `--to {}`", instead.unwrap_or("csv"))
        }
        ExportError::NoCommit { .. } => "commit, and measure in that work tree; or take a form that needs no commit, such as `--to bmf`".to_owned(),
        ExportError::Modified { .. } => "commit, and measure in that work tree, in which a history that is kept there has to be ignored by git; or take a form that needs no commit, such as `--to bmf`".to_owned(),
    };
    CommandError::new(Exit::BadInput, NOT_DONE)
        .because(error)
        .hint(hint)
}

/// Takes apart what is to be added to.
fn existing<'b>(args: &Convert, bytes: &'b [u8]) -> Outcome<DataJs<'b>> {
    let path = args.add_to.as_deref().unwrap_or(Path::new("-"));
    split_data_js(&path.display().to_string(), bytes).map_err(|error| {
        let hint = error.hint;
        let failed = CommandError::new(Exit::BadInput, NOT_DONE).because(error);
        match hint {
            Some(hint) => failed.hint(hint),
            None => failed,
        }
    })
}

/// Returns the page of the repository, where a job of GitHub Actions says it.
fn repository() -> Option<Link> {
    let server = std::env::var("GITHUB_SERVER_URL").ok()?;
    let repository = std::env::var("GITHUB_REPOSITORY").ok()?;
    Link::new(&format!("{server}/{repository}")).ok()
}

/// Returns the runs that were named, or the latest of each suite.
fn runs(shared: &Shared, args: &Convert) -> Outcome<Vec<Run>> {
    if !args.runs.is_empty() {
        return args
            .runs
            .iter()
            .map(|path| baselines::load_run(path))
            .collect();
    }
    let project = super::project(shared)?;
    let mut runs = Vec::new();
    for suite in project.suites(&args.suites.suites)? {
        runs.extend(baselines::load_run_if_any(
            &project.latest_run(&suite.name),
        )?);
    }
    if runs.is_empty() {
        return Err(CommandError::new(Exit::NothingMeasured, NOT_DONE)
            .hint("measure first: `tripline measure`; or name run files"));
    }
    Ok(runs)
}
